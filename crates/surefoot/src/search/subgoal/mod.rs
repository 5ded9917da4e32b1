//! Subgoal graphs with a contraction hierarchy (Uras, Koenig and Hernandez, *Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor
//! Grids*, ICAPS 2013; Uras and Koenig, *Understanding Subgoal Graphs by Augmenting Contraction Hierarchies*, IJCAI 2018; Harabor, Uras,
//! Stuckey and Koenig, *Regarding Jump Point Search and Subgoal Graphs*, IJCAI 2019), and hub labels on top of it.
//!
//! | file | what it does |
//! |---|---|
//! | `graph.rs` | the stops of jump point search as a graph |
//! | `contract.rs`, `witness.rs` | takes subgoals out of it one by one, with shortcuts in their place |
//! | `hierarchy.rs` | what comes of it, laid out for searching upwards |
//! | `hubs.rs` | what searches upwards would find from each subgoal, so that queries need none |
//! | `table.rs` | all that is prepared for a map |
//! | `query.rs` | the search from both ends: over hubs, or up the hierarchy where these would take too much memory |

mod contract;
mod graph;
mod hierarchy;
mod hubs;
mod query;
mod table;
#[cfg(test)]
mod tests;
mod witness;

use std::sync::Arc;

use crate::id::NodeId;
use crate::search::kernel::End;
use crate::search::observe::Observer;
use crate::search::outcome::Stats;
use crate::search::prepare::{Held, PrepareError, Prepared, Terms};
use crate::search::registry::Algorithm;
use crate::search::solver::{Solver, Task, Visit};
use crate::search::subgoal::graph::Scale;
use crate::search::subgoal::query::Query;
use crate::search::subgoal::table::SubgoalTable;
use crate::world::grid::{JumpGrid, STEPS_TOO_DEAR};
use crate::world::view::{View, WorldKind};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Grid],
    weighted: false,
    prepares: true,
    refusal: |view| match view {
        View::Grid(view) => {
            JumpGrid::fault(view).or_else(|| Scale::of(view).is_none().then_some(STEPS_TOO_DEAR))
        }
        View::Graph(_) | View::Voxels(_) => None,
    },
    load: Some(SubgoalTable::load),
    ..Algorithm::plain(
        "subgoal",
        "Subgoal graph",
        "Subgoal graph with a contraction hierarchy and hub labels: prepares a grid where all cells cost the same, then searches from both ends",
        |_| Box::new(Subgoal::default()),
    )
};

/// The search with its memory.
#[derive(Default)]
struct Subgoal {
    held: Held<SubgoalTable>,
    query: Query,
}

impl Solver for Subgoal {
    fn prepare(&mut self, view: &View<'_>, terms: &Terms<'_>) -> Result<(), PrepareError> {
        let View::Grid(grid) = view else { return Ok(()) };
        self.held.keep_up(view, |_| SubgoalTable::build(grid, terms).map(Arc::new))
    }

    fn prepared(&self) -> Option<Prepared> {
        self.held.share(&ALGORITHM)
    }

    fn adopt(&mut self, prepared: &Prepared) -> bool {
        self.held.adopt(prepared)
    }

    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        if let (View::Grid(view), Some(table)) = (view, self.held.table()) {
            self.query.begin(view, table, task);
        }
    }

    fn run(
        &mut self,
        view: &View<'_>,
        _task: &Task<'_>,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        let (View::Grid(view), Some(table)) = (view, self.held.table()) else { return End::Exhausted };
        match watcher {
            None => self.query.run(view, table, budget, &mut ()),
            Some(mut watcher) => self.query.run(view, table, budget, &mut watcher),
        }
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        if let (View::Grid(view), Some(table)) = (view, self.held.table()) {
            self.query.trace(view, table, to, nodes);
        }
    }

    fn closest(&self) -> Option<NodeId> {
        self.query.closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.query.visit(self.held.table()?, node)
    }

    fn stats(&self) -> Stats {
        self.query.stats()
    }
}
