//! Running every search, and checking one answer.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use surefoot::algorithms::ALGORITHMS;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::search::observe::{Event, Observer};
use surefoot::search::{Promise, Queue, Stats};

use super::oracle::{Distances, Oracle};
use super::worlds::Built;

/// Every heuristic, with custom weights of all kinds: low, high, diagonals cheaper than straights.
pub const HEURISTICS: [Heuristic; 12] = [
    Heuristic::Best,
    Heuristic::Manhattan,
    Heuristic::Euclidean,
    Heuristic::Chebyshev,
    Heuristic::Octile,
    Heuristic::Diagonal,
    Heuristic::Zero,
    Heuristic::Custom { straight: 1.0, diagonal: 0.0 },
    Heuristic::Custom { straight: 0.0, diagonal: 1.4 },
    Heuristic::Custom { straight: 0.5, diagonal: 0.7 },
    Heuristic::Custom { straight: 1.0, diagonal: 0.6 },
    Heuristic::Custom { straight: 3.0, diagonal: 4.0 },
];

/// An algorithm with options.
#[derive(Clone, Copy)]
pub struct Setting {
    pub algorithm: &'static Algorithm,
    pub options: Options,
}

impl std::fmt::Debug for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with {:?}", self.algorithm.name, self.options)
    }
}

impl Setting {
    pub fn finder(&self) -> Pathfinder {
        Pathfinder::new(self.algorithm, &self.options).unwrap()
    }

    /// Whether the algorithm takes on a world.
    pub fn works_on(&self, view: View<'_>) -> bool {
        self.algorithm.refusal(view).is_none()
    }
}

/// Every algorithm with every open list it takes and each of the heuristics, where it uses one.
pub fn settings(heuristics: &[Heuristic], weight: f64) -> Vec<Setting> {
    let mut settings = Vec::new();
    for algorithm in ALGORITHMS {
        let queues: Vec<Option<Queue>> = match algorithm.queues {
            [] => vec![None],
            queues => queues.iter().copied().map(Some).collect(),
        };
        let heuristics: Vec<Option<Heuristic>> = if algorithm.uses_heuristic {
            heuristics.iter().copied().map(Some).collect()
        } else {
            vec![None]
        };
        let weight = (algorithm.uses_weight && !algorithm.optimal).then_some(weight);
        for &queue in &queues {
            for &heuristic in &heuristics {
                settings.push(Setting { algorithm, options: Options { heuristic, weight, queue } });
            }
        }
    }
    settings
}

/// Every algorithm and open list with its usual estimate and with one that overestimates, so that nodes are reopened.
pub fn typical_settings() -> Vec<Setting> {
    settings(&[Heuristic::Best, Heuristic::Custom { straight: 3.0, diagonal: 4.0 }], 1.5)
}

/// A question.
#[derive(Clone, Debug)]
pub struct Query {
    pub start: NodeId,
    pub goals: Vec<NodeId>,
}

/// Remembers everything.
#[derive(Default)]
pub struct Recorder(pub Vec<Event>);

impl Observer for Recorder {
    fn on(&mut self, event: &Event) {
        self.0.push(*event);
    }
}

/// Everything that a search says: how it ended, its path, what it did (but for memory, which depends on what was before),
/// and every event.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub outcome: Outcome,
    pub path: Path,
    pub stats: Stats,
    pub events: Vec<Event>,
}

/// Asks a question, in slices of `budget` expansions.
pub fn ask(finder: &mut Pathfinder, view: View<'_>, query: &Query, budget: u64) -> Answer {
    let mut recorder = Recorder::default();
    finder.start(view, query.start, &query.goals);
    while finder.outcome() == Outcome::Paused {
        let _ = finder.resume_watched(view, budget, &mut recorder);
    }
    let stats = finder.stats().without_memory();
    Answer { outcome: finder.outcome(), path: finder.path().clone(), stats, events: recorder.0 }
}

/// The truth about a question.
pub struct Truth {
    costs: Distances,
    steps: Distances,
}

impl Truth {
    pub fn new(oracle: &Oracle, query: &Query) -> Truth {
        Truth { costs: oracle.costs_from(query.start), steps: oracle.steps_from(query.start) }
    }

    /// What the cheapest way to a goal costs.
    pub fn cost(&self, query: &Query) -> Option<u64> {
        self.costs.to_nearest(&query.goals)
    }
}

/// Asks a question of a fresh finder and checks the answer against the truth and the judge.
pub fn check(setting: &Setting, built: &Built, query: &Query, truth: &Truth) -> Result<(), TestCaseError> {
    let mut finder = setting.finder();
    let promise = finder.promise(built.view());
    let found = finder.find_nearest(built.view(), query.start, &query.goals);
    if !setting.works_on(built.view()) {
        prop_assert_eq!(found.err(), Some(Why::NotApplicable), "{:?}", setting);
        return Ok(());
    }
    let Some(best) = truth.cost(query) else {
        prop_assert!(found.is_err(), "{setting:?} found {found:?} where nothing can be reached");
        return Ok(());
    };
    let path = match found {
        Ok(path) => path,
        Err(why) => return Err(TestCaseError::fail(format!("{setting:?} found no path: {why}"))),
    };
    let verdict = built.judge(query.start, &query.goals, path);
    prop_assert_eq!(verdict, Ok(()), "{:?}: {:?}", setting, path);
    let units = path.units().units();
    prop_assert!(units >= best || path.is_any_angle(), "the oracle misses a way: {path:?}");
    match promise {
        Promise::Optimal => prop_assert_eq!(units, best, "{:?} promised the best: {:?}", setting, path),
        Promise::Within(factor) => prop_assert!(
            units as f64 <= best as f64 * (factor + 1.0 / 1024.0),
            "{setting:?} promised {factor} times {best}: {path:?}"
        ),
        Promise::Nothing(_) => {}
    }
    if setting.algorithm.name == "bfs" {
        let fewest = truth.steps.to_nearest(&query.goals);
        prop_assert_eq!(Some(path.steps() as u64), fewest, "breadth-first search takes the fewest steps");
    }
    Ok(())
}
