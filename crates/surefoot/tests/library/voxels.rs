//! Worlds of cells in space: every search keeps its promise, nothing is lost where steps are left out or lines are jumped, and edits
//! are followed.

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::run::{HEURISTICS, Query, Truth, check, settings};
use crate::common::worlds::{World, voxel_world};
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::algorithms::ALGORITHMS;
use surefoot::prelude::*;
use surefoot::replan::Planner;
use surefoot::validate::{self, Claim};

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn every_search_keeps_its_promise_in_space(
        world in voxel_world().prop_map(World::Voxels),
        start: u16,
        goal: u16,
        others in vec(any::<u16>(), 0..3),
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some((start, goal)) = oracle.some_ends(start, goal) else { return Ok(()) };
        let others = others.into_iter().filter_map(|number| oracle.some_node(number));
        let query = Query { start, goals: others.chain([goal]).collect() };
        let truth = Truth::new(&oracle, &query);
        for setting in settings(&HEURISTICS, 1.5) {
            check(&setting, &built, &query, &truth)?;
        }
    }

    /// A goal as far away as there is makes the search settle nearly everything else.
    #[test]
    fn steps_left_out_lead_nowhere_new(world in voxel_world().prop_map(World::Voxels), start: u16) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        let costs = oracle.costs_from(start);
        let Some(&goal) = oracle.nodes.iter().max_by_key(|&&node| costs.to(node)) else { return Ok(()) };
        let mut finder = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        finder.find(built.view(), start, goal).unwrap();
        for &node in &oracle.nodes {
            let settled = costs.to(node).filter(|cost| Some(*cost) < costs.to(goal));
            let visit = settled.and_then(|_| finder.visit(node)).map(|visit| visit.g.units());
            prop_assert_eq!(visit, settled, "to {:?}", node);
        }
    }

    /// Edits, moves of both ends, and pauses in any order: the planners' answers are those of a fresh Dijkstra.
    #[test]
    fn planners_follow_what_changes_in_space(
        world in voxel_world(),
        ends: [u16; 2],
        rounds in vec((vec((any::<u16>(), any::<bool>()), 0..4), any::<[Option<u16>; 2]>(), 1..40_u64), 1..8),
    ) {
        let mut world = world;
        let mut voxels = world.voxels();
        let agent = world.agent;
        let mut planners: Vec<Planner> = ALGORITHMS
            .iter()
            .filter(|algorithm| algorithm.incremental)
            .map(|algorithm| Planner::named(algorithm.name, &Options::default()).unwrap())
            .collect();
        let mut ends = ends.map(|number| world.cell(number));
        for (edits, moves, budget) in rounds {
            for (cell, solid) in edits {
                let voxel = world.cell(cell);
                world.set(voxel, solid);
                voxels.set(voxel, solid).unwrap();
            }
            for (end, moved) in ends.iter_mut().zip(moves) {
                *end = moved.map_or(*end, |number| world.cell(number));
            }
            let view = voxels.view(&agent);
            let oracle = Oracle::of(&World::Voxels(world.clone()));
            let [start, goal] = ends.map(|end| voxels.node(end).unwrap());
            let stands = oracle.can_stand(start) && oracle.can_stand(goal);
            let expected = if stands { oracle.costs_from(start).to(goal) } else { None };
            for planner in &mut planners {
                planner.move_start(view, start);
                planner.move_goal(view, goal);
                let mut outcome = planner.replan(view, budget);
                while outcome == Outcome::Paused {
                    outcome = planner.replan(view, budget);
                }
                prop_assert_eq!(outcome.is_found(), expected.is_some());
                if let Some(expected) = expected {
                    prop_assert_eq!(planner.path().units().units(), expected);
                    let claim = Claim::of(planner.path(), start, &[]);
                    let claim = Claim { goals: &[goal], ..claim };
                    prop_assert_eq!(validate::voxel_path(&voxels, &agent, &claim), Ok(()));
                }
                planner.verify(view).map_err(TestCaseError::fail)?;
            }
        }
    }
}
