//! The description of an algorithm: its properties, its options, and what it guarantees.

use std::fmt;

use thiserror::Error;

use crate::core::estimate::Weight;
use crate::core::heuristic::Heuristic;
use crate::core::method::Method;
use crate::core::open::Queue;
use crate::search::prepare::Load;
use crate::search::solver::Solver;
use crate::world::any::{View, WorldKind, on_world};
use crate::world::space::SearchSpace;

/// An algorithm that can be chosen by name. Serialized as JSON, it is the list of its properties.
#[expect(clippy::struct_excessive_bools, reason = "a table of independent properties, read by name")]
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Algorithm {
    /// The name used in commands.
    pub name: &'static str,
    /// The common name.
    pub title: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The kinds of world it supports. An algorithm that supports waypoint graphs also supports [custom
    /// graphs](crate::world::own).
    pub worlds: &'static [WorldKind],
    /// Whether it takes costs into account: terrain, edge costs.
    pub weighted: bool,
    /// Whether its paths are optimal with the default options. For other options, see [`Algorithm::promise`].
    pub optimal: bool,
    /// Whether its paths may leave the directions of the grid.
    pub any_angle: bool,
    /// Whether it repairs its last result when the world changes.
    pub incremental: bool,
    /// Whether it repairs its last result when the goal moves.
    pub moving_target: bool,
    /// Whether it prepares a map before the first query.
    pub prepares: bool,
    /// The open lists it supports, the default first. Empty if there is no choice.
    pub queues: &'static [Queue],
    /// Whether it uses a heuristic.
    pub uses_heuristic: bool,
    /// Whether the heuristic can be weighted.
    pub uses_weight: bool,
    /// The reason why it does not support a world of its kinds, or `None`. Never called for other kinds.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) refusal: fn(&View<'_>) -> Option<&'static str>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) promise: fn(&Options, &View<'_>) -> Promise,
    /// How it follows what moves, if it repairs its answers.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) method: Option<Method>,
    /// Reads back what it has prepared, if it prepares.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) load: Option<Load>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) solver: fn(&Options) -> Box<dyn Solver>,
}

/// What an algorithm guarantees with given options on a given world.
#[derive(Clone, Debug, PartialEq)]
pub enum Promise {
    /// The path is optimal: no path is cheaper.
    Optimal,
    /// No path is cheaper by more than this factor.
    Within(f64),
    /// No guarantee, for the given reason.
    Nothing(String),
}

/// The options of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(try_from = "OptionsForm"))]
pub struct Options {
    /// The heuristic. `None` selects the algorithm's default.
    pub heuristic: Option<Heuristic>,
    /// The weight of the heuristic, from 1 to 1000. `None` selects the algorithm's default.
    pub weight: Option<f64>,
    /// The open list. `None` selects the algorithm's default.
    pub queue: Option<Queue>,
}

/// Options as they are read, before they are checked.
#[cfg(feature = "serde")]
#[derive(Default, serde::Deserialize)]
#[serde(rename = "Options", default, deny_unknown_fields)]
struct OptionsForm {
    heuristic: Option<Heuristic>,
    weight: Option<f64>,
    queue: Option<Queue>,
}

#[cfg(feature = "serde")]
impl TryFrom<OptionsForm> for Options {
    type Error = OptionError;

    fn try_from(OptionsForm { heuristic, weight, queue }: OptionsForm) -> Result<Options, OptionError> {
        match weight {
            Some(weight) if Weight::new(weight).is_none() => Err(OptionError::Weight(weight)),
            _ => Ok(Options { heuristic, weight, queue }),
        }
    }
}

/// Why an algorithm could not be created.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No algorithm has this name.
    #[error("unknown algorithm `{name}`: expected one of {expected}")]
    UnknownAlgorithm {
        /// The name.
        name: String,
        /// The names of the existing algorithms.
        expected: String,
    },
    /// The algorithm does not repair its results.
    #[error("{} is not incremental: expected one of {expected}", subject(algorithm))]
    NotIncremental {
        /// The title of the algorithm.
        algorithm: &'static str,
        /// The names of the algorithms that do.
        expected: String,
    },
    /// The algorithm finds any-angle paths, but paths in steps are needed.
    #[error(
        "{} finds any-angle paths: expected an algorithm whose paths go from cell to cell",
        subject(algorithm)
    )]
    AnyAngle {
        /// The title of the algorithm.
        algorithm: &'static str,
    },
    /// The algorithm does not use a heuristic.
    #[error("{} does not use a heuristic", subject(algorithm))]
    NoHeuristic {
        /// The title of the algorithm.
        algorithm: &'static str,
    },
    /// The algorithm does not support a weighted heuristic.
    #[error("{} does not support a weight", subject(algorithm))]
    NoWeight {
        /// The title of the algorithm.
        algorithm: &'static str,
    },
    /// The weight is out of range.
    #[error("weight {0} is not between 1 and 1000")]
    Weight(f64),
    /// The algorithm does not support this open list.
    #[error("{} does not support the open list `{queue}`", subject(algorithm))]
    Queue {
        /// The title of the algorithm.
        algorithm: &'static str,
        /// The open list.
        queue: Queue,
    },
    /// A custom weight of a heuristic is out of range.
    #[error("custom weights {0},{1} are out of range: expected 0 to {max}", max = Heuristic::MAX_WEIGHT)]
    CustomWeights(f64, f64),
}

impl fmt::Debug for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Algorithm").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Algorithm {
    /// Returns the common case; an entry overrides the fields that differ.
    pub(crate) const fn plain(
        name: &'static str,
        title: &'static str,
        summary: &'static str,
        solver: fn(&Options) -> Box<dyn Solver>,
    ) -> Algorithm {
        Algorithm {
            name,
            title,
            summary,
            worlds: WorldKind::IN_FILES,
            weighted: true,
            optimal: true,
            any_angle: false,
            incremental: false,
            moving_target: false,
            prepares: false,
            queues: &[],
            uses_heuristic: false,
            uses_weight: false,
            refusal: |_| None,
            promise: |_, _| Promise::Optimal,
            method: None,
            load: None,
            solver,
        }
    }

    /// Returns the reason why the algorithm does not support this world, or `None` if it does.
    ///
    /// ```
    /// use surefoot::prelude::*;
    /// let meadow: Grid = "..4".parse().unwrap();
    /// let view = meadow.view(&Agent::default());
    /// assert!(Algorithm::named("jps").unwrap().refusal(view).is_some());
    /// assert!(Algorithm::named("astar").unwrap().refusal(view).is_none());
    /// ```
    pub fn refusal<'a>(&self, view: impl Into<View<'a>>) -> Option<&'static str> {
        let view = view.into();
        if self.takes(view.kind()) { (self.refusal)(&view) } else { Some(view.kind().refusal()) }
    }

    /// Returns whether the algorithm supports a kind of world at all.
    ///
    /// ```
    /// use surefoot::search::Algorithm;
    /// use surefoot::world::any::WorldKind;
    /// assert!(Algorithm::named("astar").unwrap().takes(WorldKind::Own));
    /// assert!(!Algorithm::named("jps").unwrap().takes(WorldKind::Own));
    /// ```
    pub fn takes(&self, kind: WorldKind) -> bool {
        let kind = if kind == WorldKind::Own { WorldKind::Graph } else { kind };
        self.worlds.contains(&kind)
    }

    /// Returns what the algorithm guarantees with these options on this world.
    pub fn promise<'a>(&self, options: &Options, view: impl Into<View<'a>>) -> Promise {
        (self.promise)(options, &view.into())
    }

    /// Rejects options that the algorithm does not support.
    pub fn check(&self, options: &Options) -> Result<(), OptionError> {
        let algorithm = self.title;
        if options.heuristic.is_some() && !self.uses_heuristic {
            return Err(OptionError::NoHeuristic { algorithm });
        }
        if let Some(Heuristic::Custom { straight, diagonal }) = options.heuristic {
            let fits = |weight: f64| (0.0..=Heuristic::MAX_WEIGHT).contains(&weight);
            if !fits(straight) || !fits(diagonal) {
                return Err(OptionError::CustomWeights(straight, diagonal));
            }
        }
        if let Some(weight) = options.weight {
            if !self.uses_weight {
                return Err(OptionError::NoWeight { algorithm });
            }
            Weight::new(weight).ok_or(OptionError::Weight(weight))?;
        }
        match options.queue {
            Some(queue) if !self.queues.contains(&queue) => Err(OptionError::Queue { algorithm, queue }),
            _ => Ok(()),
        }
    }
}

/// Rejects graphs whose edges cannot be walked backwards.
pub(crate) fn refusal_of_one_way(view: &View<'_>) -> Option<&'static str> {
    (!on_world!(view, space => space.has_reverse_edges()))
        .then_some("it needs a graph that can be searched backwards")
}

/// Returns the title of an algorithm as the subject of a sentence: "the first-move table", "Dijkstra".
pub(crate) fn subject(title: &str) -> String {
    match title.strip_suffix(" table").or_else(|| title.strip_suffix(" graph")) {
        Some(_) => format!("the {}{}", title[..1].to_ascii_lowercase(), &title[1..]),
        None => title.to_owned(),
    }
}

/// The promise of a search that is as good as its heuristic.
pub(crate) fn promise_of_heuristic(options: &Options, view: &View<'_>) -> Promise {
    let heuristic = options.heuristic.unwrap_or_default();
    let fault = on_world!(view, space => space.fault_of(heuristic));
    fault.map_or(Promise::Optimal, Promise::Nothing)
}
