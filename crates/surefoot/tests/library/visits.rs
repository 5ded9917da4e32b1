//! What a finder says of nodes, whatever numbers it is asked about.

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::run::typical_settings;
use crate::common::worlds::{Built, uniform_world, world};
use proptest::prelude::*;
use surefoot::algorithms::ALGORITHMS;
use surefoot::graph::Graph;
use surefoot::prelude::*;

/// One more than the largest number of a node.
fn bound(built: &Built) -> u32 {
    let bound = match built {
        Built::Grid(grid, agent) => grid.view(agent).node_bound(),
        Built::Graph(graph) => graph.node_count(),
        Built::Voxels(voxels, agent) => voxels.view(agent).node_bound(),
    };
    bound as u32
}

/// Every number up to some beyond the last, and the largest there are.
fn numbers(built: &Built) -> impl Iterator<Item = NodeId> + use<> {
    (0..bound(built) + 300).chain([u32::MAX / 2, u32::MAX - 1, u32::MAX]).map(NodeId)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn nodes_that_cannot_be_stood_on_were_not_visited(
        world in prop_oneof![world(), uniform_world()], start: u16, goal: u16,
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some((start, goal)) = oracle.some_ends(start, goal) else { return Ok(()) };
        for setting in typical_settings().into_iter().filter(|setting| setting.works_on(built.view())) {
            let mut finder = setting.finder();
            prop_assert!(numbers(&built).all(|node| finder.visit(node).is_none()), "before the first search");
            let found = finder.find(built.view(), start, goal).is_ok();
            for node in numbers(&built) {
                let visit = finder.visit(node);
                prop_assert!(visit.is_none() || oracle.can_stand(node), "{setting:?}: {node:?} is {visit:?}");
            }
            prop_assert!(!found || finder.visit(start).is_some() || start == goal, "{setting:?}");
        }
    }
}

/// Two grids: nodes of the first are mostly beyond the second. Their sides are multiples of the parts of hierarchies.
fn grids() -> [Grid; 2] {
    [Grid::new(160, 64).unwrap(), Grid::new(16, 16).unwrap()]
}

#[test]
fn nodes_of_another_world_are_no_nodes() {
    let [large, small] = grids();
    let agent = Agent::default();
    let built = Built::Grid(Box::new(small), agent);
    for algorithm in ALGORITHMS {
        let mut finder = Pathfinder::new(algorithm, &Options::default()).unwrap();
        if algorithm.refusal(built.view()).is_some() {
            continue;
        }
        // The memory of a search in the large world is still there.
        finder.find(large.view(&agent), Cell::new(0, 0), Cell::new(159, 63)).unwrap();
        finder.find(built.view(), Cell::new(0, 0), Cell::new(15, 15)).unwrap();
        let Built::Grid(grid, _) = &built else { unreachable!() };
        for node in large.cells().filter_map(|cell| large.node(cell)).chain(numbers(&built)) {
            let inside = grid.cells().any(|cell| grid.node(cell) == Some(node));
            assert!(inside || finder.visit(node).is_none(), "{}: {node:?}", algorithm.name);
        }
    }
}

#[test]
fn preparing_for_another_world_ends_a_search() {
    let [large, small] = grids();
    let built = Built::Grid(Box::new(large.clone()), Agent::default());
    let [there, here] = [&large, &small].map(|grid| grid.view(&Agent::default()));
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.refusal(here).is_none()) {
        let mut finder = Pathfinder::new(algorithm, &Options::default()).unwrap();
        finder.start(there, Cell::new(0, 0), &[Cell::new(159, 63)]);
        let _ = finder.resume(there, 1);
        let paused = finder.outcome() == Outcome::Paused;
        finder.prepare(there, &PrepareOptions::default()).unwrap();
        assert_eq!(finder.outcome() == Outcome::Paused, paused, "{}: the world is the same", algorithm.name);
        finder.prepare(here, &PrepareOptions::default()).unwrap();
        let visits = numbers(&built).filter(|&node| finder.visit(node).is_some());
        assert_eq!(visits.count(), 0, "{}", algorithm.name);
        let outcome = finder.resume(there, u64::MAX);
        assert!(!paused || outcome == Outcome::Unreachable(Why::WorldChanged), "{}", algorithm.name);
        assert!(finder.find(here, Cell::new(0, 0), Cell::new(15, 15)).is_ok());
    }
}
