//! The same question gives the same answer: in slices, with a used finder, on every run.

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::run::{Query, Recorder, ask, typical_settings};
use crate::common::worlds::{Built, World, world};
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::prelude::*;
use surefoot::search::observe::{Event, Observer};
use surefoot::world::waypoints::EdgeId;

/// A world and a question about it, by random numbers.
fn questions() -> impl Strategy<Value = (World, u16, Vec<u16>)> {
    (world(), any::<u16>(), prop_oneof![3 => vec(any::<u16>(), 1), 1 => vec(any::<u16>(), 2..20)])
}

fn query((world, start, goals): &(World, u16, Vec<u16>)) -> Option<Query> {
    let oracle = Oracle::of(world);
    let goals: Option<Vec<NodeId>> =
        goals.iter().map(|&goal| oracle.some_ends(*start, goal).map(|(_, goal)| goal)).collect();
    Some(Query { start: oracle.some_node(*start)?, goals: goals? })
}

/// Pauses after every expansion.
struct Impatient(Recorder);

impl Observer for Impatient {
    fn on(&mut self, event: &Event) {
        self.0.on(event);
    }

    fn wants_pause(&mut self) -> bool {
        true
    }
}

proptest! {
    #![proptest_config(cases(700))]

    #[test]
    fn a_sliced_search_is_the_whole_search(question in questions(), budget in 4..200_u64) {
        let built = question.0.build();
        let Some(query) = query(&question) else { return Ok(()) };
        for setting in typical_settings() {
            let whole = ask(&mut setting.finder(), built.view(), &query, u64::MAX);
            for budget in [1, 2, 3, 7, budget] {
                let sliced = ask(&mut setting.finder(), built.view(), &query, budget);
                prop_assert_eq!(&sliced, &whole, "{:?} in slices of {}", setting, budget);
            }
            let mut finder = setting.finder();
            let mut impatient = Impatient(Recorder::default());
            finder.start(built.view(), query.start, &query.goals);
            while finder.outcome() == Outcome::Paused {
                let _ = finder.resume_watched(built.view(), u64::MAX, &mut impatient);
            }
            prop_assert_eq!(&impatient.0.0, &whole.events, "{:?} with breakpoints", setting);
            finder.start(built.view(), query.start, &query.goals);
            while finder.outcome() == Outcome::Paused {
                let _ = finder.resume(built.view(), budget);
            }
            prop_assert_eq!(finder.path(), &whole.path, "{:?} unwatched", setting);
            prop_assert_eq!(finder.stats().without_memory(), whole.stats);
        }
    }

    #[test]
    fn a_slice_expands_no_more_than_its_budget(question in questions(), budget in 1..20_u64) {
        let built = question.0.build();
        let Some(query) = query(&question) else { return Ok(()) };
        for setting in typical_settings() {
            let mut finder = setting.finder();
            finder.start(built.view(), query.start, &query.goals);
            let mut expanded = 0;
            while finder.outcome() == Outcome::Paused {
                let outcome = finder.resume(built.view(), budget);
                let slice = finder.stats().expanded - expanded;
                expanded += slice;
                let used_up = outcome != Outcome::Paused || slice == budget;
                prop_assert!(slice <= budget && used_up, "{setting:?}: {slice} of {budget}, {outcome:?}");
            }
        }
    }

    #[test]
    fn a_world_edited_while_a_search_is_paused_ends_it(question in questions(), budget in 0..9_u64) {
        let Some(query) = query(&question) else { return Ok(()) };
        for setting in typical_settings() {
            let mut built = question.0.build();
            if !setting.works_on(built.view()) {
                continue;
            }
            let mut finder = setting.finder();
            finder.start(built.view(), query.start, &query.goals);
            let before = finder.resume(built.view(), budget);
            let revision = built.view().revision();
            match &mut built {
                Built::Grid(grid, _) => {
                    let first = Cell::new(0, 0);
                    let other = if grid.is_open(first) { Terrain::WALL } else { Terrain::FLOOR };
                    grid.set(first, other).unwrap();
                }
                Built::Voxels(voxels, _) => {
                    let first = Voxel::new(0, 0, 0);
                    voxels.set(first, voxels.is_open(first)).unwrap();
                }
                Built::Graph(graph) if graph.edges().is_empty() => return Ok(()),
                Built::Graph(graph) => {
                    let increased = graph.edges()[0].cost + Cost::from_units(1);
                    graph.set_edge(EdgeId(0), Some(increased.min(Cost::MAX_EDGE))).unwrap();
                }
            }
            let changed = match before {
                Outcome::Paused if built.view().revision() != revision => {
                    Outcome::Unreachable(Why::WorldChanged)
                }
                ended => ended,
            };
            if changed != Outcome::Paused {
                prop_assert_eq!(finder.resume(built.view(), 1), changed, "{:?}", setting);
                prop_assert_eq!(finder.give_up(built.view()), changed);
                prop_assert_eq!(finder.path().is_empty(), !changed.is_found());
            }
        }
    }

    #[test]
    fn a_used_finder_answers_like_a_fresh_one_event_by_event(questions in vec(questions(), 2..6)) {
        let asked: Vec<(Built, Query)> =
            questions.iter().filter_map(|question| Some((question.0.build(), query(question)?))).collect();
        for setting in typical_settings() {
            let mut used = setting.finder();
            for (built, query) in &asked {
                let fresh = ask(&mut setting.finder(), built.view(), query, u64::MAX);
                let first = ask(&mut used, built.view(), query, u64::MAX);
                prop_assert_eq!(&first, &fresh, "{:?}, used before", setting);
                // A search left in the middle leaves nothing behind either.
                used.start(built.view(), query.start, &query.goals);
                let _ = used.resume(built.view(), 5);
            }
        }
    }
}
