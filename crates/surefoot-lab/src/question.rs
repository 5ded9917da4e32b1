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
            match (place, world) {
                (Place::Cell(_), World::Grid(_)) | (Place::Node(_), World::Graph(_)) => {}
                (Place::Node(node), World::Grid(_)) => {
                    return Err(format!("found {node} as a place, expected [x, y] on a grid"));
                }
                (Place::Cell([x, y]), World::Graph(_)) => {
                    return Err(format!("found [{x}, {y}] as a place, expected a node's number on a graph"));
                }
                (_, World::Voxels(_)) => {
                    return Err(
                        "found a place of a flat world, expected [x, y, z] in a voxel world".to_owned()
                    );
                }
            }
        }
        let agent = match world {
            World::Grid(_) | World::Voxels(_) => agent(&query.agent_fields())?,
            World::Graph(_) => Agent::default(),
        };
        Ok(Question { algorithm, options, agent, start: query.start, goals: query.goals.clone() })
    }

    /// The world as the agent of the question sees it.
    pub fn view<'a>(&self, world: &'a World) -> View<'a> {
        match world {
            World::Grid(grid) => grid.view(&self.agent).expect("the agent has been checked").into(),
            World::Graph(graph) => graph.into(),
            World::Voxels(voxels) => voxels.view(&self.agent).expect("the agent has been checked").into(),
        }
    }

    /// Asks a finder, which has to be resumed then.
    pub fn put_to(&self, finder: &mut Pathfinder, view: View<'_>) -> Outcome {
        finder.start(view, self.start, &self.goals)
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
        metric: metric.transpose()?.unwrap_or_default(),
        terrain: parsed(fields.terrain.as_deref())?.unwrap_or_default(),
        ..Agent::default()
    };
    agent.check().map_err(|error| error.to_string())?;
    Ok(agent)
}

fn parsed<T: FromStr<Err: ToString>>(text: Option<&str>) -> Result<Option<T>, String> {
    text.map(|text| text.parse().map_err(|error: T::Err| error.to_string())).transpose()
}
