//! A query that has been checked.

use std::str::FromStr;

use surefoot::formats::World;
use surefoot::prelude::*;

use crate::limits::{self, LIMITS};
use crate::protocol::{AgentFields, Query};

/// Start, goals, agent, algorithm and options of a query.
#[derive(Clone)]
pub struct Question {
    pub algorithm: &'static Algorithm,
    pub options: Options,
    pub agent: Agent,
    pub start: Place,
    pub goals: Vec<Place>,
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
            return Err("found no goals, expected at least one".to_owned());
        }
        limits::check("goals", query.goals.len() as u64, LIMITS.goals as u64)?;
        for place in std::iter::once(&query.start).chain(&query.goals) {
            check_kind(*place, world)?;
        }
        let agent = match world {
            World::Grid(_) | World::Voxels(_) => agent(&query.agent_fields())?,
            _ => Agent::default(),
        };
        Ok(Question { algorithm, options, agent, start: query.start, goals: query.goals.clone() })
    }

    /// Returns the world as seen by the agent of the query.
    pub fn view<'a>(&self, world: &'a World) -> View<'a> {
        world.view(&self.agent)
    }

    /// Starts the search of a finder, which has to be resumed then.
    pub fn put_to(&self, finder: &mut Pathfinder, view: View<'_>) {
        finder.start(view, self.start, &self.goals);
    }
}

/// Rejects places of another kind of world.
fn check_kind(place: Place, world: &World) -> Result<(), String> {
    let expected = match (place, world) {
        (Place::Cell(_), World::Grid(_))
        | (Place::Voxel(_), World::Voxels(_))
        | (Place::Node(_), World::Graph(_)) => return Ok(()),
        (_, World::Grid(_)) => "[x, y] on a grid",
        (_, World::Voxels(_)) => "[x, y, z] in a voxel world",
        _ => "a node's number on a graph",
    };
    Err(format!("found {place}, expected {expected}"))
}

/// Rejects places of another kind of world, or outside of it.
pub fn check_inside(place: Place, world: &World) -> Result<(), String> {
    check_kind(place, world)?;
    let is_inside = match (place, world) {
        (Place::Cell(cell), World::Grid(grid)) => grid.contains(cell),
        (Place::Voxel(voxel), World::Voxels(voxels)) => voxels.contains(voxel),
        _ => true,
    };
    if is_inside { Ok(()) } else { Err(format!("{place} is outside the map")) }
}

/// Returns the agent of a message, checked.
pub fn agent(fields: &AgentFields) -> Result<Agent, String> {
    let metric = fields.metric.map(|[straight, diagonal]| {
        Metric::new(straight, diagonal).ok_or_else(|| {
            let (least, most) = (Metric::MIN, Metric::MAX);
            format!("found metric {straight}, {diagonal}, expected {least} to {most} with the diagonal at least the straight cost")
        })
    });
    let agent = Agent::new()
        .with_moves(parsed(fields.moves.as_deref())?.unwrap_or_default())
        .with_voxel_moves(parsed(fields.moves3.as_deref())?.unwrap_or_default())
        .with_metric(metric.transpose()?.unwrap_or_default())
        .with_terrain_rule(parsed(fields.terrain.as_deref())?.unwrap_or_default());
    agent.with_radius(fields.radius.unwrap_or_default()).map_err(|error| error.to_string())
}

fn parsed<T: FromStr<Err: ToString>>(text: Option<&str>) -> Result<Option<T>, String> {
    text.map(|text| text.parse().map_err(|error: T::Err| error.to_string())).transpose()
}
