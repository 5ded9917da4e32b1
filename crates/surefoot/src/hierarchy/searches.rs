//! The searches that a query consists of: each can pause, and all share one count.

use crate::core::estimate::Estimate;
use crate::core::expand::Expander;
use crate::core::kernel::{End, Job};
use crate::core::observe::{Event, Observer};
use crate::core::open::OpenList;
use crate::core::outcome::Stats;
use crate::core::state::State;
use crate::hierarchy::graph::Names;
use crate::hierarchy::window::Window;
use crate::id::NodeId;

/// The remaining budget, the work done, and the observer.
pub(crate) struct Account<'a> {
    pub left: u64,
    pub stats: &'a mut Stats,
    pub watcher: Option<&'a mut dyn Observer>,
}

/// A search with its memory.
#[derive(Debug, Default)]
pub(super) struct Search<Q> {
    pub state: State,
    pub open: Q,
}

impl<Q: OpenList> Search<Q> {
    /// Forgets the last search and makes room for another.
    pub fn begin(&mut self, bound: usize, spread: u64) {
        self.state.begin(bound, None);
        self.open.begin(spread);
    }

    /// Continues a search. Observers receive cells, regardless of the numbers that the search uses.
    pub fn run<E: Expander, H: Estimate>(
        &mut self,
        job: &Job<'_, E, H>,
        start: NodeId,
        names: &impl Names,
        account: &mut Account<'_>,
    ) -> End {
        let before = self.state.stats(0);
        let end = match &mut account.watcher {
            None => self.state.run(&mut self.open, job, start, account.left, None),
            Some(watcher) => {
                let mut named = Named { watcher: &mut **watcher, names };
                self.state.run(&mut self.open, job, start, account.left, Some(&mut named))
            }
        };
        let after = self.state.stats(0);
        account.left -= after.expanded - before.expanded;
        account.stats.expanded += after.expanded - before.expanded;
        account.stats.generated += after.generated - before.generated;
        account.stats.reopened += after.reopened - before.reopened;
        account.stats.peak_open = account.stats.peak_open.max(after.peak_open);
        end
    }

    pub fn bytes(&self) -> usize {
        self.state.records().bytes() + self.open.bytes()
    }
}

impl<E> Names for Window<'_, E> {
    fn cell(&self, node: NodeId) -> NodeId {
        self.outer(node)
    }
}

/// Passes events to an observer, with cells in place of node numbers.
struct Named<'a, N> {
    watcher: &'a mut dyn Observer,
    names: &'a N,
}

impl<N: Names> Observer for Named<'_, N> {
    fn on(&mut self, event: &Event) {
        let name = |node: NodeId| if node == NodeId::NONE { node } else { self.names.cell(node) };
        (*self.watcher).on(&Event { node: name(event.node), parent: name(event.parent), ..*event });
    }

    fn listens(&self) -> bool {
        (*self.watcher).listens()
    }

    fn wants_pause(&mut self) -> bool {
        (*self.watcher).wants_pause()
    }
}
