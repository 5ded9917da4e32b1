//! Pausing a search at breakpoints.

use crate::cost::Scale;
use crate::id::NodeId;

use super::{Action, Event, Observer};

/// A condition on which to pause.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Breakpoint {
    /// A node is opened (or reopened).
    Opened(NodeId),
    /// A node is closed.
    Closed(NodeId),
    /// For the first time, a node is closed whose cost plus estimate is at least this many cells. A key that is not a number is
    /// never reached.
    KeyReaches(f64),
}

/// Pauses a search at breakpoints. Resume the search to continue.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::search::observe::{Breakpoint, Breakpoints};
/// let grid = Grid::new(9, 1).unwrap();
/// let view = grid.view(&Agent::default());
/// let middle = grid.node(Cell::new(4, 0)).unwrap();
/// let mut breakpoints = Breakpoints::new([Breakpoint::Closed(middle)]);
/// let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
/// finder.start(&view, Cell::new(0, 0), &[Cell::new(8, 0)]);
/// assert_eq!(finder.resume_watched(&view, u64::MAX, &mut breakpoints), Outcome::Paused);
/// assert_eq!(breakpoints.hit(), Some(Breakpoint::Closed(middle)));
/// assert_eq!(finder.resume_watched(&view, u64::MAX, &mut breakpoints), Outcome::Found);
/// ```
#[derive(Clone, Debug)]
pub struct Breakpoints {
    points: Vec<Breakpoint>,
    hit: Option<Breakpoint>,
    pending: bool,
    /// The scale of the events heard.
    scale: Scale,
}

impl Default for Breakpoints {
    fn default() -> Breakpoints {
        Breakpoints::new([])
    }
}

impl Breakpoints {
    /// Creates an observer that pauses at any of the given breakpoints.
    pub fn new(points: impl IntoIterator<Item = Breakpoint>) -> Breakpoints {
        Breakpoints { points: points.into_iter().collect(), hit: None, pending: false, scale: Scale::GRID }
    }

    /// Returns the breakpoint that was hit last.
    pub fn hit(&self) -> Option<Breakpoint> {
        self.hit
    }
}

impl Observer for Breakpoints {
    fn on(&mut self, event: &Event) {
        let closes = event.action == Action::Close;
        let opens = matches!(event.action, Action::Open | Action::Reopen);
        let found = self.points.iter().position(|point| match *point {
            Breakpoint::Opened(node) => opens && event.node == node,
            Breakpoint::Closed(node) => closes && event.node == node,
            Breakpoint::KeyReaches(key) => closes && self.scale.cells(event.g.saturating_add(event.h)) >= key,
        });
        if let Some(index) = found {
            let point = self.points[index];
            (self.hit, self.pending) = (Some(point), true);
            if matches!(point, Breakpoint::KeyReaches(_)) {
                self.points.remove(index);
            }
        }
    }

    fn set_scale(&mut self, scale: Scale) {
        self.scale = scale;
    }

    fn wants_pause(&mut self) -> bool {
        std::mem::take(&mut self.pending)
    }
}
