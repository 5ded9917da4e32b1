//! Paths through narrow places, walked rather than searched for.
//!
//! The cost of a leg of the plan is known, so a depth-first search can prune everything that would be more expensive
//! (Korf, *Depth-First Iterative-Deepening*, 1985, with the last bound first). In corridors there is little to try:
//! nothing has to be stored or sorted. Elsewhere it takes too long and is abandoned.

use crate::core::estimate::Estimate;
use crate::core::expand::{Arrival, Expander, START};
use crate::core::observe::{Action, Event, Side};
use crate::cost::Cost;
use crate::hierarchy::layout::Area;
use crate::hierarchy::searches::Account;
use crate::id::NodeId;
use crate::world::grid::StepsTo;
use crate::world::grid::{GridView, Shape};

/// Fewer cells than this are too few to judge a place.
const FEW: usize = 8;
/// The number of cells that is enough to judge a place.
const MANY: usize = 64;
/// The number of cells of a corridor after which the walk checks whether it still leads anywhere.
const HURRY: u64 = 16;

/// A cell to try.
#[derive(Clone, Copy, Debug)]
struct Branch {
    node: NodeId,
    arrival: Arrival,
    cost: u64,
    /// How many steps it is from the start.
    depth: usize,
}

/// A leg to walk: between two cells of an area, at this cost at most.
#[derive(Clone, Copy)]
pub(super) struct Errand {
    pub area: Area,
    pub from: NodeId,
    pub to: NodeId,
    pub cost: u64,
    /// The number of cells after which the walk is abandoned.
    pub patience: u64,
}

/// A walk with its memory.
#[derive(Debug, Default)]
pub(super) struct Corridor {
    /// The cells left to try, the next one last.
    branches: Vec<Branch>,
    /// The cells from the start to where the walk is.
    steps: Vec<NodeId>,
}

impl Corridor {
    /// Returns the cells of the last walk, the start first.
    pub fn steps(&self) -> &[NodeId] {
        &self.steps
    }

    /// Walks a leg; `false` if no path has been found. There must not be any links.
    pub fn walk<E: Expander>(
        &mut self,
        expander: &E,
        shape: &Shape,
        estimate: &StepsTo,
        errand: &Errand,
        account: &mut Account<'_>,
    ) -> bool {
        let pointless = |branch: &Branch| {
            let cell = shape.cell(branch.node);
            branch.cost + estimate.of_cell(cell) > errand.cost || !errand.area.contains(cell)
        };
        self.steps.clear();
        self.branches.clear();
        self.branches.push(Branch { node: errand.from, arrival: START, cost: 0, depth: 0 });
        let (mut tried, mut found) = (0, false);
        while !found
            && tried < errand.patience
            && let Some(mut at) = self.branches.pop()
        {
            self.steps.truncate(at.depth);
            if pointless(&at) {
                continue;
            }
            loop {
                let hurried = self.hurry(expander, estimate, errand, at, errand.patience - tried, account);
                tried += (hurried.depth - at.depth) as u64;
                at = hurried;
                let before = self.steps.last().copied().unwrap_or(NodeId::NONE);
                self.steps.push(at.node);
                tried += 1;
                tell(account, at.node, before, at.cost, estimate);
                found = at.node == errand.to && at.cost <= errand.cost;
                if found || tried >= errand.patience {
                    break;
                }
                let first = self.branches.len();
                let mut last = None;
                expander.expand(at.node, at.arrival, |node, step, arrival| {
                    if node != before {
                        let branch =
                            Branch { node, arrival, cost: at.cost + step.units(), depth: at.depth + 1 };
                        self.branches.extend(last.replace(branch));
                    }
                });
                let Some(next) = last else { break };
                if self.branches.len() > first {
                    self.branches.push(next);
                    break;
                }
                at = next;
                if pointless(&at) {
                    break;
                }
            }
        }
        account.left = account.left.saturating_sub(tried);
        account.stats.expanded += tried;
        account.stats.generated += tried;
        found
    }

    /// Continues without checks as long as there is only one option, for a limited number of cells.
    fn hurry<E: Expander>(
        &mut self,
        expander: &E,
        estimate: &StepsTo,
        errand: &Errand,
        mut at: Branch,
        most: u64,
        account: &mut Account<'_>,
    ) -> Branch {
        let mut before = self.steps.last().copied().unwrap_or(NodeId::NONE);
        for _ in 0..most.min(HURRY) {
            if at.node == errand.to {
                break;
            }
            let Some((node, step, arrival)) = expander.only_way(at.node, at.arrival) else { break };
            self.steps.push(at.node);
            tell(account, at.node, before, at.cost, estimate);
            before = at.node;
            at = Branch { node, arrival, cost: at.cost + step.units(), depth: at.depth + 1 };
        }
        at
    }

    pub fn bytes(&self) -> usize {
        self.branches.capacity() * size_of::<Branch>() + self.steps.capacity() * size_of::<NodeId>()
    }
}

/// Tells an observer about a cell that is tried.
#[inline]
fn tell(account: &mut Account<'_>, node: NodeId, parent: NodeId, g: u64, estimate: &StepsTo) {
    if let Some(watcher) = &mut account.watcher
        && watcher.listens()
    {
        for action in [Action::Open, Action::Close] {
            let (g, h) = (Cost::from_units(g), Cost::from_units(estimate.of(node)));
            watcher.on(&Event { action, node, parent, g, h, side: Side::Forward });
        }
    }
}

/// Returns whether a path leads through corridors, at least `share` quarters of it; `None` if it is too short to tell.
pub(super) fn is_narrow(view: &GridView<'_>, way: &[NodeId], share: usize) -> Option<bool> {
    let narrow = |node: &NodeId| view.rule().is_corridor(view.neighbours()[node.index()]);
    // Every third will do, and of long paths fewer.
    let (mut cells, mut corridors) = (0, 0);
    for node in way.iter().step_by(3.max(way.len() / MANY)) {
        cells += 1;
        corridors += usize::from(narrow(node));
    }
    (way.len() >= FEW).then_some(corridors * 4 >= cells * share)
}
