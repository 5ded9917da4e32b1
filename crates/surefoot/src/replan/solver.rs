//! Incremental searches for a single query: a tree from scratch.

use crate::core::estimate::{Estimate, Weight};
use crate::core::kernel::End;
use crate::core::method::Method;
use crate::core::observe::{Observer, Side};
use crate::core::outcome::Stats;
use crate::core::outcome::Visit;
use crate::cost::Cost;
use crate::id::NodeId;
use crate::replan::guide::{Guide, Operation, trace};
use crate::replan::nodes::{INFINITE, Node};
use crate::replan::repair::{Repair, Work};
use crate::replan::tree::Tree;
use crate::search::solver::{Slice, Solver, Task};
use crate::search::{Options, Promise};
use crate::world::any::View;

/// Returns the solver of a method.
pub(super) fn solver(method: Method, options: &Options) -> Box<dyn Solver> {
    let repair = Repair::new(weight(options), method.side);
    Box::new(FromScratch { side: method.side, repair, guide: Guide::default(), begun: false })
}

/// Returns the weight of the heuristic.
pub(super) fn weight(options: &Options) -> Weight {
    options.weight.and_then(Weight::new).unwrap_or(Weight::ONE)
}

/// Returns the bound on the cost of paths: the heuristics are consistent, so their weight is the bound.
pub(super) fn promise(options: &Options, _view: &View<'_>) -> Promise {
    match options.weight {
        Some(weight) if weight > 1.0 => Promise::Within(weight),
        _ => Promise::Optimal,
    }
}

struct FromScratch {
    side: Side,
    repair: Repair,
    guide: Guide,
    begun: bool,
}

/// Continues a search.
struct ContinueSearch<'a, 'w> {
    repair: &'a mut Repair,
    /// Where to begin, if the search has not begun.
    begin: Option<(usize, &'a [NodeId], &'a [NodeId])>,
    slice: Slice<'w>,
}

impl ContinueSearch<'_, '_> {
    fn run_with(self, tree: &impl Tree, estimate: &impl Estimate, observer: &mut impl Observer) -> End {
        if let Some((bound, roots, targets)) = self.begin {
            self.repair.begin(bound, roots, targets, estimate, observer);
        }
        self.repair.run(tree, estimate, self.slice.budget, observer)
    }
}

impl Operation for ContinueSearch<'_, '_> {
    type Out = End;

    fn run<T: Tree, H: Estimate>(mut self, tree: &T, estimate: &H) -> End {
        match self.slice.watcher.take() {
            None => self.run_with(tree, estimate, &mut ()),
            Some(mut watcher) => self.run_with(tree, estimate, &mut watcher),
        }
    }
}

/// Converts both endpoints of a query to roots and targets.
pub(super) fn ends<'a>(side: Side, start: &'a [NodeId], goals: &'a [NodeId]) -> [&'a [NodeId]; 2] {
    match side {
        Side::Forward => [start, goals],
        Side::Backward => [goals, start],
    }
}

impl Solver for FromScratch {
    fn begin(&mut self, _view: &View<'_>, _task: &Task<'_>) {
        self.begun = false;
        self.repair.work = Work::default();
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let start = [task.start];
        let [roots, targets] = ends(self.side, &start, task.goals);
        let begin = (!std::mem::replace(&mut self.begun, true)).then(|| (view.node_bound(), roots, targets));
        let operation = ContinueSearch { repair: &mut self.repair, begin, slice };
        self.guide.run(view, self.side, targets, operation)
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        // Paths that lead from the goals end at the start, which is the target.
        let from = if self.side == Side::Forward { to } else { self.repair.targets()[0] };
        trace(view, self.side, &self.repair, from, nodes);
    }

    fn closest(&self) -> Option<NodeId> {
        match self.side {
            Side::Forward => self.repair.closest(),
            // Paths that lead from the goals have not reached the start, so no other node can be reached from it.
            Side::Backward => self.repair.targets().first().copied(),
        }
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        let Node { costs, parent } = self.repair.nodes.of(node).filter(|known| known.costs.rhs < INFINITE)?;
        Some(Visit { g: Cost::from_units(costs.rhs), parent, closed: costs.are_consistent() })
    }

    fn stats(&self) -> Stats {
        let Work { expanded, generated, peak_open, .. } = self.repair.work;
        let scratch_bytes = (self.repair.bytes() + self.guide.bytes()) as u64;
        Stats { expanded, generated, reopened: 0, peak_open, scratch_bytes }
    }
}
