//! Counting events.

use super::{Action, Event, Observer};

/// Counts events by action.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::search::observe::Counters;
/// let grid = Grid::new(9, 1).unwrap();
/// let view = grid.view(&Agent::default());
/// let mut counters = Counters::default();
/// Pathfinder::named("astar", &Options::default()).unwrap().find_watched(&view, Cell::new(0, 0), Cell::new(8, 0), &mut counters).unwrap();
/// assert_eq!((counters.opened, counters.closed), (9, 9));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counters {
    /// Nodes reached for the first time.
    pub opened: u64,
    /// Better paths to open nodes.
    pub relaxed: u64,
    /// Better paths to closed nodes.
    pub reopened: u64,
    /// Nodes taken from the open list, including the goal.
    pub closed: u64,
}

impl Observer for Counters {
    fn on(&mut self, event: &Event) {
        *match event.action {
            Action::Open => &mut self.opened,
            Action::Relax => &mut self.relaxed,
            Action::Reopen => &mut self.reopened,
            Action::Close => &mut self.closed,
        } += 1;
    }
}
