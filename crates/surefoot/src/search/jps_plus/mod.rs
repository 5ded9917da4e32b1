//! JPS+ with goal bounding (Harabor and Grastien, *Improving Jump Point Search*, ICAPS 2014; Rabin and Sturtevant, *Combining
//! Bounding Boxes and JPS to Prune Grid Pathfinding*, AAAI 2016).
//!
//! Jump point search with precomputed jumps, from every open cell in every direction. On maps that are small enough, each of them
//! has a box around all cells to which a cheapest path begins in that direction. A search follows only directions whose box holds
//! a goal, which leaves little but the path itself.

mod boxes;
mod jumps;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use jumps::{Goal, Jumps};
use table::JumpTable;

use crate::core::estimate::{Estimate, WithSearch};
use crate::core::expand::{Expander, START};
use crate::core::kernel::{End, Job};
use crate::core::observe::{Event, Observer, Side};
use crate::core::open::{Heap, OpenList};
use crate::core::outcome::Stats;
use crate::core::outcome::Visit;
use crate::core::record::Memory;
use crate::core::sparse::SparseRecords;
use crate::core::state::State;
use crate::id::NodeId;
use crate::search::algorithm::Algorithm;
use crate::search::astar;
use crate::search::jps;
use crate::search::prepare::{Held, PrepareError, PrepareOptions, Prepared};
use crate::search::solver::{Slice, Solver, Task};
use crate::world::any::{Scratch, View, WorldKind};
use crate::world::space::{EstimateSpec, SearchSpace};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    worlds: &[WorldKind::Grid],
    weighted: false,
    prepares: true,
    refusal: jps::ALGORITHM.refusal,
    load: Some(JumpTable::load),
    ..Algorithm::plain(
        "jps_plus",
        "JPS+ with goal bounding",
        "JPS+: jump point search with precomputed jumps, and goal bounding on small maps; for grids where all cells cost the same",
        |_| Box::new(JpsPlus::default()),
    )
};

/// The search with its memory.
#[derive(Default)]
struct JpsPlus {
    held: Held<JumpTable>,
    state: State<SparseRecords>,
    open: Heap,
    /// The places of the goals, sorted.
    goal_places: Vec<NodeId>,
    goals: Vec<Goal>,
    scratch: Scratch,
}

/// A run that lacks nothing but an estimate.
struct Run<'a, 'w> {
    state: &'a mut State<SparseRecords>,
    open: &'a mut Heap,
    jumps: Jumps<'a>,
    start: NodeId,
    goal_places: &'a [NodeId],
    slice: Slice<'w>,
}

impl WithSearch for Run<'_, '_> {
    type Out = End;

    fn go_on<E: Expander, H: Estimate>(self, _grid: &E, estimate: &H) -> End {
        let Run { state, open, jumps, start, goal_places, slice: Slice { budget, watcher } } = self;
        let estimate = &OfPlaces { table: jumps.table, estimate };
        let strategy = astar::STRATEGY;
        let job = Job { expander: &jumps, estimate, strategy, goals: goal_places, max_key: u64::MAX };
        let Some(observer) = watcher else { return state.run(open, &job, start, budget, None) };
        let mut translator = Translator { table: jumps.table, observer };
        state.run(open, &job, start, budget, Some(&mut translator))
    }
}

/// An estimate for nodes, asked about places.
struct OfPlaces<'a, H> {
    table: &'a JumpTable,
    estimate: &'a H,
}

impl<H: Estimate> Estimate for OfPlaces<'_, H> {
    #[inline]
    fn of(&self, place: NodeId) -> u64 {
        self.estimate.of(self.table.places[place.index()].node)
    }
}

/// Tells an observer of nodes what happens to places.
struct Translator<'a, 'w> {
    table: &'a JumpTable,
    observer: &'w mut dyn Observer,
}

impl Observer for Translator<'_, '_> {
    fn on(&mut self, event: &Event) {
        let (node, parent) = (self.table.node_of(event.node), self.table.node_of(event.parent));
        self.observer.on(&Event { node, parent, ..*event });
    }

    fn wants_pause(&mut self) -> bool {
        self.observer.wants_pause()
    }
}

impl Solver for JpsPlus {
    fn prepare(&mut self, view: &View<'_>, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
        let Some(grid) = view.as_grid() else { return Ok(()) };
        self.held.keep_up(view, |_| JumpTable::build(grid, options).map(Arc::new))
    }

    fn prepared(&self) -> Option<Prepared> {
        self.held.share(&ALGORITHM)
    }

    fn adopt(&mut self, prepared: &Prepared) -> bool {
        self.held.adopt(prepared)
    }

    fn begin(&mut self, _view: &View<'_>, task: &Task<'_>) {
        let Some(table) = self.held.table() else { return };
        self.state.begin_with(SparseRecords::begin);
        self.open.begin(0);
        self.goal_places.clear();
        self.goal_places.extend(task.goals.iter().filter_map(|&goal| table.number_of(goal)));
        self.goals.clear();
        self.goals.extend(self.goal_places.iter().map(|&place| Goal::new(table, place)));
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let (Some(view), Some(table)) = (view.as_grid(), self.held.table()) else { return End::Exhausted };
        let Some(start) = table.number_of(task.start) else { return End::Exhausted };
        let run = Run {
            state: &mut self.state,
            open: &mut self.open,
            jumps: Jumps { table, goals: &self.goals },
            start,
            goal_places: &self.goal_places,
            slice,
        };
        let spec = EstimateSpec::best(Side::Forward, task.goals);
        match view.with_search(view, &spec, &mut self.scratch, run) {
            End::Goal(place) => End::Goal(table.node_of(place)),
            end => end,
        }
    }

    fn trace_back(&self, _view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let Some(table) = self.held.table() else { return };
        let Some(mut at) = table.number_of(to) else { return };
        let records = self.state.records();
        let first = nodes.len();
        nodes.push(to);
        while let Some(record) = records.of(at)
            && record.arrival != START
        {
            let before = records.parent(records.find(at));
            table.walk_back(at, before, nodes);
            at = before;
        }
        nodes[first..].reverse();
    }

    fn closest(&self) -> Option<NodeId> {
        let place = self.state.closest()?;
        self.held.table().map(|table| table.node_of(place))
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        let table = self.held.table()?;
        let visit = self.state.visit(table.number_of(node)?)?;
        Some(Visit { parent: table.node_of(visit.parent), ..visit })
    }

    fn stats(&self) -> Stats {
        let goals =
            self.goals.capacity() * size_of::<Goal>() + self.goal_places.capacity() * size_of::<NodeId>();
        self.state.stats(self.open.bytes() + self.scratch.bytes() + goals)
    }
}
