//! Every algorithm, open list and heuristic keeps its promise on random worlds.

mod common;

use common::cases;
use common::oracle::Oracle;
use common::run::{HEURISTICS, Query, Truth, check, settings};
use common::worlds::world;
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::search::{ALGORITHMS, Options, Promise};

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn every_search_keeps_its_promise(
        world in world(),
        start: u16,
        goal: u16,
        weight in prop_oneof![Just(1.0), Just(1.5), 1.0..10.0],
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let (Some(start), Some(goal)) = (oracle.some_node(start), oracle.some_node(goal)) else { return Ok(()) };
        let query = Query { start, goals: vec![goal] };
        let truth = Truth::new(&oracle, &query);
        for setting in settings(&HEURISTICS, weight) {
            check(&setting, &built, &query, &truth)?;
        }
    }

    #[test]
    fn the_nearest_of_many_goals_is_found(
        world in world(),
        start: u16,
        goals in vec((any::<u16>(), any::<bool>()), 0..40),
        weight in prop_oneof![Just(1.0), Just(1.5), 1.0..10.0],
        heuristic in 0..HEURISTICS.len(),
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some(start) = oracle.some_node(start) else { return Ok(()) };
        // Places to stand, and any numbers at all: walls, the border, nodes that do not exist.
        let goal = |(number, stands): (u16, bool)| {
            oracle.some_node(number).filter(|_| stands).unwrap_or_else(|| built.any_node(number))
        };
        let query = Query { start, goals: goals.into_iter().map(goal).collect() };
        let truth = Truth::new(&oracle, &query);
        for setting in settings(&[HEURISTICS[0], HEURISTICS[heuristic]], weight) {
            check(&setting, &built, &query, &truth)?;
        }
    }

    #[test]
    fn with_their_own_options_algorithms_promise_what_the_list_says(world in world()) {
        let built = world.build();
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.optimal) {
            let promise = algorithm.promise(&Options::default(), built.view());
            prop_assert_eq!(promise, Promise::Optimal, "{}", algorithm.name);
        }
    }
}
