//! Searches take nodes in the order that the documentation promises, and none in vain.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::run::{HEURISTICS, Query, ask, settings};
use crate::common::worlds::world;
use proptest::prelude::*;
use proptest::sample::select;
use surefoot::prelude::*;
use surefoot::search::observe::{Action, Event};
use surefoot::search::{Promise, Queue};

/// What orders an open list: key, then larger cost so far (its low 32 bits: open lists keep no more), then smaller number.
type Entry = (u64, Reverse<u32>, NodeId);

proptest! {
    #![proptest_config(cases(2500))]

    #[test]
    fn sorted_open_lists_give_the_best_node_and_break_ties_as_documented(
        world in world(), start: u16, goal: u16, heuristic in select(HEURISTICS.to_vec()),
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some((start, goal)) = oracle.some_ends(start, goal) else { return Ok(()) };
        let query = Query { start, goals: vec![goal] };
        let sorted = |queue| matches!(queue, Some(Queue::Heap | Queue::List));
        for setting in settings(&[heuristic], 1.5).into_iter().filter(|setting| sorted(setting.options.queue)) {
            let counts_cost = setting.algorithm.name != "greedy";
            let mut open = BTreeSet::new();
            let mut entries: BTreeMap<NodeId, Entry> = BTreeMap::new();
            for event in ask(&mut setting.finder(), built.view(), &query, u64::MAX).events {
                let g = event.g.units();
                let key = event.h.units() + if counts_cost { g } else { 0 };
                let entry = (key, Reverse(g as u32), event.node);
                if event.action == Action::Close {
                    prop_assert_eq!(open.pop_first(), Some(entry), "{:?}", setting);
                } else {
                    if let Some(old) = entries.insert(event.node, entry) {
                        open.remove(&old);
                    }
                    open.insert(entry);
                }
            }
        }
    }

    #[test]
    fn with_a_consistent_estimate_no_node_is_taken_twice_and_none_beyond_the_answer(
        world in world(), start: u16, goal: u16, heuristic in select(HEURISTICS.to_vec()),
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some((start, goal)) = oracle.some_ends(start, goal) else { return Ok(()) };
        let consistent = match built.view() {
            View::Grid(view) => heuristic.is_consistent(&view),
            // Their promise is that of a consistent estimate.
            View::Voxels(_) => {
                let options = Options { heuristic: Some(heuristic), ..Options::default() };
                Algorithm::named("astar").unwrap().promise(&options, built.view()) == Promise::Optimal
            }
            _ => true,
        };
        let best = oracle.costs_from(start).to(goal).filter(|_| consistent);
        let Some(best) = best else { return Ok(()) };
        let query = Query { start, goals: vec![goal] };
        let one_sided = ["astar", "dijkstra"];
        for setting in settings(&[heuristic], 1.0) {
            if !one_sided.contains(&setting.algorithm.name) {
                continue;
            }
            let answer = ask(&mut setting.finder(), built.view(), &query, u64::MAX);
            let closed: Vec<&Event> =
                answer.events.iter().filter(|event| event.action == Action::Close).collect();
            let beyond = closed.iter().find(|event| (event.g + event.h).units() > best);
            if setting.options.queue != Some(Queue::Buckets) {
                let nodes: BTreeSet<NodeId> = closed.iter().map(|event| event.node).collect();
                prop_assert_eq!(nodes.len(), closed.len(), "{:?} takes a node twice", setting);
                prop_assert_eq!(answer.stats.reopened, 0);
                prop_assert_eq!(beyond, None, "{:?} looks further than the goal", setting);
            }
            let reopened = answer.events.iter().filter(|event| event.action == Action::Reopen).count();
            prop_assert_eq!(answer.stats.reopened, reopened as u64);
            // The goal is taken, but not expanded.
            let expanded = closed.iter().filter(|event| event.node != goal).count();
            prop_assert_eq!(answer.stats.expanded, expanded as u64);
        }
    }
}
