//! A query that has been checked.

use std::str::FromStr;

use surefoot::formats::World;
use surefoot::prelude::*;

use crate::limits::{self, LIMITS};
use crate::protocol::{AgentFields, Place, Query};

/// What to search for, by whom, and how.
#[derive(Clone)]
pub struct Question {
    pub algorithm: &'static Algorithm,
    pub options: Options,
    pub agent: Agent,
    pub start: Place,
    pub goals: Vec<Place>,
}

impl Spot for Place {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match self {
            Place::Cell([x, y]) => Cell::new(x, y).node_in(view),
            Place::Voxel([x, y, z]) => Voxel::new(x, y, z).node_in(view),
            Place::Node(number) => NodeId(number).node_in(view),
        }
    }
}

impl Question {
    pub fn new(query: &Query, world: &World) -> Result<Question, String> {
        let algorithm = Algorithm::named(&query.algorithm).map_err(|error| error.to_string())?;
        let options = Options {
            heuristic: parsed(query.heuristic.as_deref())?,
            weight: query.weight,
            queue: parsed(query.queue.as_deref())?,
        };
        algorithm.check(&options).map_err(|error| error.to_string())?;
        if query.goals.is_empty() {
            return Err("no goals, expected at least one".to_owned());
        }
        limits::check("goals", query.goals.len() as u64, LIMITS.goals as u64)?;
        for place in std::iter::once(&query.start).chain(&query.goals) {
            check_kind(*place, world)?;
        }
        let agent = match world {
            World::Grid(_) | World::Voxels(_) => agent(&query.agent_fields())?,
            World::Graph(_) => Agent::default(),
        };
        Ok(Question { algorithm, options, agent, start: query.start, goals: query.goals.clone() })
    }

    /// The world as the agent of the question sees it.
    pub fn view<'a>(&self, world: &'a World) -> View<'a> {
        world.view(&self.agent).expect("the agent has been checked")
    }

    /// Asks a finder, which has to be resumed then.
    pub fn put_to(&self, finder: &mut Pathfinder, view: View<'_>) -> Outcome {
        finder.start(view, self.start, &self.goals)
    }
}

/// Says no to places of another kind of world.
fn check_kind(place: Place, world: &World) -> Result<(), String> {
    let found = match place {
        Place::Cell([x, y]) => format!("[{x}, {y}]"),
        Place::Voxel([x, y, z]) => format!("[{x}, {y}, {z}]"),
        Place::Node(node) => node.to_string(),
    };
    match (place, world) {
        (Place::Cell(_), World::Grid(_))
        | (Place::Voxel(_), World::Voxels(_))
        | (Place::Node(_), World::Graph(_)) => Ok(()),
        (_, World::Grid(_)) => Err(format!("found {found} as a place, expected [x, y] on a grid")),
        (_, World::Voxels(_)) => {
            Err(format!("found {found} as a place, expected [x, y, z] in a voxel world"))
        }
        (_, World::Graph(_)) => Err(format!("found {found} as a place, expected a node's number on a graph")),
    }
}

/// Says no to places of another kind of world, or outside of it.
pub fn check_inside(place: Place, world: &World) -> Result<(), String> {
    check_kind(place, world)?;
    match (place, world) {
        (Place::Cell([x, y]), World::Grid(grid)) if !grid.contains(Cell::new(x, y)) => {
            Err(format!("{x}, {y} is outside the map"))
        }
        (Place::Voxel([x, y, z]), World::Voxels(voxels)) if !voxels.contains(Voxel::new(x, y, z)) => {
            Err(format!("{x}, {y}, {z} is outside the map"))
        }
        _ => Ok(()),
    }
}

/// An agent that has been checked.
pub fn agent(fields: &AgentFields) -> Result<Agent, String> {
    let metric = fields.metric.map(|[straight, diagonal]| {
        Metric::new(straight, diagonal).ok_or_else(|| {
            let (least, most) = (Metric::MIN, Metric::MAX);
            format!("metric {straight}, {diagonal}: expected {least} to {most}, the diagonal not below the straight")
        })
    });
    let agent = Agent {
        moves: parsed(fields.moves.as_deref())?.unwrap_or_default(),
        radius: fields.radius.unwrap_or_default(),
        moves3: parsed(fields.moves3.as_deref())?.unwrap_or_default(),
        metric: metric.transpose()?.unwrap_or_default(),
        terrain: parsed(fields.terrain.as_deref())?.unwrap_or_default(),
    };
    agent.check().map_err(|error| error.to_string())?;
    Ok(agent)
}

fn parsed<T: FromStr<Err: ToString>>(text: Option<&str>) -> Result<Option<T>, String> {
    text.map(|text| text.parse().map_err(|error: T::Err| error.to_string())).transpose()
}
