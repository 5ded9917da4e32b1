//! Hierarchical search: see [`hierarchy`](crate::hierarchy).

use crate::core::kernel::End;
use crate::core::observe::Observer;
use crate::core::outcome::Stats;
use crate::core::outcome::Visit;
use crate::hierarchy::{Account, Query, Table, keep_up, load};
use crate::id::NodeId;
use crate::search::algorithm::{Algorithm, Promise};
use crate::search::prepare::{Held, PrepareError, PrepareOptions, Prepared};
use crate::search::solver::{Slice, Solver, Task};
use crate::world::any::{View, WorldKind};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Grid],
    optimal: false,
    prepares: true,
    promise: |_, _| {
        Promise::Nothing("near-optimal: planned over transitions between clusters of the map".to_owned())
    },
    load: Some(load),
    ..Algorithm::plain(
        "hpa",
        "Hierarchical search",
        "Hierarchical search: plans over the clusters of a prepared map, then refines the plan to cells; near-optimal, for large maps that change",
        |_| Box::<Hpa>::default(),
    )
};

/// The search with its memory.
#[derive(Default)]
struct Hpa {
    table: Held<Table>,
    query: Query,
    stats: Stats,
}

impl Solver for Hpa {
    fn prepare(&mut self, view: &View<'_>, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
        view.as_grid().map_or(Ok(()), |view| keep_up(&mut self.table, view, options))
    }

    fn prepared(&self) -> Option<Prepared> {
        self.table.share(&ALGORITHM)
    }

    fn adopt(&mut self, prepared: &Prepared) -> bool {
        self.table.adopt(prepared)
    }

    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        let (Some(view), Some(table)) = (view.as_grid(), self.table.table()) else { return };
        self.stats = Stats::default();
        self.query.begin(view, table, task.start, task.goals);
    }

    fn run(&mut self, view: &View<'_>, _task: &Task<'_>, slice: Slice<'_>) -> End {
        let (Some(view), Some(table)) = (view.as_grid(), self.table.table()) else { return End::Exhausted };
        let watcher = slice.watcher.map(|watcher| watcher as &mut dyn Observer);
        let mut account = Account { left: slice.budget, stats: &mut self.stats, watcher };
        self.query.run(view, table, usize::MAX, &mut account)
    }

    fn trace_back(&self, _view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let path = self.query.path();
        let end = path.iter().rposition(|&node| node == to).map_or(0, |last| last + 1);
        nodes.extend(&path[..end]);
    }

    fn closest(&self) -> Option<NodeId> {
        self.query.path().last().copied()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.query.visit(self.table.table()?, node)
    }

    fn stats(&self) -> Stats {
        Stats { scratch_bytes: self.query.bytes() as u64, ..self.stats }
    }
}
