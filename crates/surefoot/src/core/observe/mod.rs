//! Watching a search.
//!
//! A search tells its observer what it does, in order. The observer `()` hears nothing and costs nothing: each search is
//! compiled once for it and once for all others.

mod breakpoints;
mod counters;
mod trace;

pub use breakpoints::{Breakpoint, Breakpoints};
pub use counters::Counters;
pub use trace::{Trace, TraceEvents};

use crate::cost::{Cost, Scale};
use crate::id::NodeId;

/// Which search of a two-sided one acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Side {
    /// From the start.
    #[default]
    Forward,
    /// From the goal.
    Backward,
}

/// What happened to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// It was reached for the first time.
    Open,
    /// A better way to it was found while it was open.
    Relax,
    /// A better way to it was found after it had been closed: it is open again.
    Reopen,
    /// It was taken from the open list and is about to be expanded.
    Close,
}

impl Action {
    /// All actions, by number.
    const ALL: [Action; 4] = [Action::Open, Action::Relax, Action::Reopen, Action::Close];
}

/// One event of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub action: Action,
    /// To which node.
    pub node: NodeId,
    /// The node it was reached from, [`NodeId::NONE`] for a start.
    pub parent: NodeId,
    /// The cost of reaching it.
    pub g: Cost,
    /// The estimate of what is left, weighted as the search weighs it; 0 for searches without an estimate.
    pub h: Cost,
    /// Which side of a two-sided search acts.
    pub side: Side,
}

/// Someone who watches a search.
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
    /// Hears of an event.
    fn on(&mut self, event: &Event);

    /// Hears the scale of the costs in the events that follow. Called each time a search starts or goes on.
    fn set_scale(&mut self, _scale: Scale) {}

    /// Whether anything would be heard; if not, events are not even put together.
    fn listens(&self) -> bool {
        true
    }

    /// Asked after each expansion: whether to pause here.
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

/// Two watch together: both hear everything, either can pause.
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
