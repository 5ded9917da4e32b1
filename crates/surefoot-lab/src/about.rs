//! Everything a page can offer, from the library's own lists.

use serde::Serialize;
use surefoot::algorithms::ALGORITHMS;
use surefoot::generate::Kind;
use surefoot::prelude::*;
use surefoot::search::Queue;

use crate::gallery::{self, Listing};
use crate::limits::{LIMITS, Limits};
use crate::protocol::PROTOCOL;

#[derive(Serialize)]
pub struct About {
    version: &'static str,
    protocol: u32,
    limits: Limits,
    algorithms: &'static [Algorithm],
    heuristics: Vec<Choice>,
    custom_weight_max: f64,
    weight: [f64; 2],
    moves: Vec<Choice>,
    moves3: Vec<Choice>,
    terrain_rules: Vec<Choice>,
    queues: Vec<Choice>,
    radius_max: f64,
    kinds: Vec<Choice>,
    gallery: Vec<Listing>,
}

/// Something with a name that one can choose.
#[derive(Serialize)]
struct Choice {
    name: &'static str,
    summary: &'static str,
}

impl About {
    pub fn new() -> About {
        About {
            version: env!("CARGO_PKG_VERSION"),
            protocol: PROTOCOL,
            limits: LIMITS,
            algorithms: ALGORITHMS,
            heuristics: choices(Heuristic::ALL, |one| (one.name(), one.summary())),
            custom_weight_max: Heuristic::MAX_WEIGHT,
            weight: [1.0, 1000.0],
            moves: choices(Moves::ALL, |one| (one.name(), one.summary())),
            moves3: choices(VoxelMoves::ALL, |one| (one.name(), one.summary())),
            terrain_rules: choices(TerrainRule::ALL, |one| (one.name(), one.summary())),
            queues: choices(Queue::ALL, |one| (one.name(), one.summary())),
            radius_max: Agent::MAX_RADIUS,
            kinds: choices(Kind::ALL, |one| (one.name(), one.summary())),
            gallery: gallery::listings(),
        }
    }
}

fn choices<T>(
    all: impl IntoIterator<Item = T>,
    describe: impl Fn(T) -> (&'static str, &'static str),
) -> Vec<Choice> {
    let choice = |one| {
        let (name, summary) = describe(one);
        Choice { name, summary }
    };
    all.into_iter().map(choice).collect()
}
