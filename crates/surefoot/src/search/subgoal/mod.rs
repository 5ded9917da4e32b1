//! Subgoal graphs with a contraction hierarchy (Uras, Koenig and Hernandez, *Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor
//! Grids*, ICAPS 2013; Uras and Koenig, *Understanding Subgoal Graphs by Augmenting Contraction Hierarchies*, IJCAI 2018; Harabor, Uras,
//! Stuckey and Koenig, *Regarding Jump Point Search and Subgoal Graphs*, IJCAI 2019), and hub labels on top of it.
//!
//! | file | contents |
//! |---|---|
//! | `graph.rs` | the jump points of jump point search as a graph |
//! | `contract.rs`, `witness.rs` | removing subgoals one by one and replacing them by shortcuts |
//! | `hierarchy.rs` | the result, laid out for upward searches |
//! | `hubs.rs` | what upward searches would find from each subgoal, so that queries need none |
//! | `table.rs` | everything that is prepared for the subgoals of a map |
//! | `trial.rs`, `plan.rs` | whether a map is better left to jump point search, and which of the two it is |
//! | `query.rs` | the search from both endpoints: over hubs, or up the hierarchy where these would take too much memory |

mod contract;
mod graph;
mod hierarchy;
mod hubs;
mod plan;
mod query;
mod table;
#[cfg(test)]
mod tests;
mod trial;
mod witness;

use std::sync::Arc;

use crate::core::kernel::End;
use crate::core::outcome::Stats;
use crate::core::outcome::Visit;
use crate::id::NodeId;
use crate::search::algorithm::{Algorithm, Options};
use crate::search::jps;
use crate::search::prepare::{Held, PrepareError, PrepareOptions, Prepared};
use crate::search::solver::{Choice, Slice, Solver, Task};
use crate::search::subgoal::graph::Scale;
use crate::search::subgoal::plan::Plan;
use crate::search::subgoal::query::Query;
use crate::world::any::{View, WorldKind};
use crate::world::grid::{JumpGrid, STEPS_TOO_EXPENSIVE};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Grid],
    weighted: false,
    prepares: true,
    refusal: |view| {
        let view = view.as_grid()?;
        JumpGrid::fault(view).or_else(|| Scale::of(view).is_none().then_some(STEPS_TOO_EXPENSIVE))
    },
    load: Some(Plan::load),
    ..Algorithm::plain(
        "subgoal",
        "Subgoal graph",
        "Subgoal graph with a precomputed contraction hierarchy and hub labels; for grids where all cells cost the same; falls back to jump point search on wide open maps",
        |_| Box::new(Subgoal::default()),
    )
};

/// The search with its memory.
struct Subgoal {
    held: Held<Plan>,
    query: Query,
    /// Answers on maps that are left to it.
    jumps: Box<dyn Solver>,
}

impl Default for Subgoal {
    fn default() -> Subgoal {
        let jumps = (jps::ALGORITHM.solver)(&Options::default());
        Subgoal { held: Held::default(), query: Query::default(), jumps }
    }
}

impl Subgoal {
    /// The plan for the map, if it has been prepared.
    #[inline]
    fn plan(&self) -> Option<&Plan> {
        self.held.table().map(|plan| &**plan)
    }
}

impl Solver for Subgoal {
    fn prepare(&mut self, view: &View<'_>, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
        let Some(grid) = view.as_grid() else { return Ok(()) };
        self.held.keep_up(view, |_| Plan::build(grid, options).map(Arc::new))
    }

    fn prepared(&self) -> Option<Prepared> {
        self.held.share(&ALGORITHM)
    }

    fn adopt(&mut self, prepared: &Prepared) -> bool {
        self.held.adopt(prepared)
    }

    fn choice(&self) -> Option<Choice> {
        match self.plan()? {
            Plan::Subgoals(_) => None,
            Plan::Jumps(trial) => Some(trial.choice()),
        }
    }

    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        match (view.as_grid(), self.held.table().map(|plan| &**plan)) {
            (Some(view), Some(Plan::Subgoals(table))) => self.query.begin(view, table, task),
            (_, Some(Plan::Jumps(_))) => self.jumps.begin(view, task),
            _ => {}
        }
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        match (view.as_grid(), self.held.table().map(|plan| &**plan)) {
            (Some(view), Some(Plan::Subgoals(table))) => match slice.watcher {
                None => self.query.run(view, table, slice.budget, &mut ()),
                Some(mut watcher) => self.query.run(view, table, slice.budget, &mut watcher),
            },
            (_, Some(Plan::Jumps(_))) => self.jumps.run(view, task, slice),
            _ => End::Exhausted,
        }
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        match (view.as_grid(), self.plan()) {
            (Some(view), Some(Plan::Subgoals(table))) => self.query.trace(view, table, to, nodes),
            (_, Some(Plan::Jumps(_))) => self.jumps.trace_back(view, to, nodes),
            _ => {}
        }
    }

    fn closest(&self) -> Option<NodeId> {
        match self.plan()? {
            Plan::Subgoals(_) => self.query.closest(),
            Plan::Jumps(_) => self.jumps.closest(),
        }
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        match self.plan()? {
            Plan::Subgoals(table) => self.query.visit(table, node),
            Plan::Jumps(_) => self.jumps.visit(node),
        }
    }

    fn stats(&self) -> Stats {
        match self.plan() {
            Some(Plan::Jumps(_)) => self.jumps.stats(),
            _ => self.query.stats(),
        }
    }
}
