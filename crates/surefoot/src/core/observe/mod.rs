//! Watching a search.
//!
//! A search reports what it does to its observer, in order. The observer `()` receives nothing and costs nothing: each search is
//! compiled once for it and once for all others.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::search::observe::Counters;
//! let grid = Grid::new(9, 9).unwrap();
//! let mut counters = Counters::default();
//! let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
//! finder.find_watched(grid.view(&Agent::default()), Cell::new(0, 0), Cell::new(8, 5), &mut counters).unwrap();
//! assert_eq!(counters.closed, finder.stats().expanded + 1); // the goal is closed, but not expanded
//! ```

mod breakpoints;
mod counters;
mod trace;

pub use breakpoints::{Breakpoint, Breakpoints};
pub use counters::Counters;
pub use trace::{Trace, TraceEvents};

use crate::cost::{Cost, Scale};
use crate::id::NodeId;

/// One side of a bidirectional search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Side {
    /// The search from the start.
    #[default]
    Forward,
    /// The search from the goal.
    Backward,
}

/// What happened to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// The node was reached for the first time.
    Open,
    /// A better path to the node was found while it was open.
    Relax,
    /// A better path to the node was found after it had been closed, so it is open again.
    Reopen,
    /// The node was taken from the open list and is about to be expanded.
    Close,
}

impl Action {
    /// All actions, by number.
    const ALL: [Action; 4] = [Action::Open, Action::Relax, Action::Reopen, Action::Close];
}

/// An event of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub action: Action,
    /// The node.
    pub node: NodeId,
    /// The node from which it was reached, or [`NodeId::NONE`] for a start.
    pub parent: NodeId,
    /// The cost of reaching the node.
    pub g: Cost,
    /// The estimate of the remaining cost, weighted as in the search; 0 for searches without a heuristic.
    pub h: Cost,
    /// The side of a bidirectional search that acts.
    pub side: Side,
}

/// An observer that watches a search.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::search::observe::{Action, Event, Observer};
/// /// Counts the nodes closed.
/// #[derive(Default)]
/// struct Closed(usize);
/// impl Observer for Closed {
///     fn on(&mut self, event: &Event) {
///         self.0 += usize::from(event.action == Action::Close);
///     }
/// }
/// let grid = Grid::new(9, 1).unwrap();
/// let view = grid.view(&Agent::default());
/// let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
/// let mut closed = Closed::default();
/// finder.find_watched(&view, Cell::new(0, 0), Cell::new(8, 0), &mut closed).unwrap();
/// assert_eq!(closed.0, 9);
/// ```
pub trait Observer {
    /// Receives an event.
    fn on(&mut self, event: &Event);

    /// Receives the scale of the costs in the events that follow. Called each time a search starts or continues.
    fn set_scale(&mut self, _scale: Scale) {}

    /// Returns whether the observer wants events. If not, they are not even created.
    fn listens(&self) -> bool {
        true
    }

    /// Returns whether to pause. Called after each expansion.
    fn wants_pause(&mut self) -> bool {
        false
    }
}

impl Observer for () {
    #[inline]
    fn on(&mut self, _event: &Event) {}

    #[inline]
    fn listens(&self) -> bool {
        false
    }
}

/// A pair of observers: both receive all events, and either can pause the search.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn on(&mut self, event: &Event) {
        self.0.on(event);
        self.1.on(event);
    }

    fn set_scale(&mut self, scale: Scale) {
        self.0.set_scale(scale);
        self.1.set_scale(scale);
    }

    fn wants_pause(&mut self) -> bool {
        let (first, second) = (self.0.wants_pause(), self.1.wants_pause());
        first || second
    }
}

impl Observer for &mut dyn Observer {
    fn on(&mut self, event: &Event) {
        (**self).on(event);
    }

    fn set_scale(&mut self, scale: Scale) {
        (**self).set_scale(scale);
    }

    fn wants_pause(&mut self) -> bool {
        (**self).wants_pause()
    }
}
