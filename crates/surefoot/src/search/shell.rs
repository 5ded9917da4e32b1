//! The common part of all searches with their own way of traversing a world: jump point searches and any-angle searches.
//!
//! All of them are A* over the bucket queue. They differ in how they traverse the world, what they store per node, and how the
//! path between two nodes is reconstructed: see [`Walk`].

use std::fmt::Debug;

use crate::core::estimate::{Erased, Estimate, Weight, WithSearch};
use crate::core::expand::Expander;
use crate::core::heuristic::Heuristic;
use crate::core::kernel::{End, Job};
use crate::core::observe::Side;
use crate::core::open::{Buckets, OpenList};
use crate::core::outcome::{Stats, Visit};
use crate::core::record::Memory;
use crate::core::state::{State, run_job};
use crate::id::NodeId;
use crate::search::astar;
use crate::search::solver::{Slice, Solver, Task};
use crate::world::any::{Scratch, View};
use crate::world::space::{EstimateSpec, SearchSpace};

/// How a search traverses a world.
pub(crate) trait Walk: Debug + Send + Sync {
    /// What it stores per node.
    type Memory: Memory + Debug + Default + Send + Sync;

    /// Prepares for a query and forgets the last one; returns the maximum amount by which a step raises keys.
    fn begin(&mut self, view: &View<'_>, task: &Task<'_>, memory: &mut Self::Memory) -> u64;

    /// Continues with an expander for the world.
    fn go_on(&mut self, view: &View<'_>, traversal: Traversal<'_, '_, Self::Memory>) -> End;

    /// Writes the nodes from the start to a node that has been reached.
    fn trace_back(&self, view: &View<'_>, memory: &Self::Memory, to: NodeId, nodes: &mut Vec<NodeId>);

    /// Returns the bytes of memory held.
    fn bytes(&self) -> usize {
        0
    }
}

/// A search with its memory.
#[derive(Debug)]
pub(crate) struct Shell<W: Walk> {
    heuristic: Heuristic,
    weight: Weight,
    walk: W,
    state: State<W::Memory>,
    open: Box<Buckets>,
    scratch: Scratch,
}

impl<W: Walk> Shell<W> {
    pub fn new(walk: W, heuristic: Heuristic, weight: Weight) -> Shell<W> {
        let (state, open, scratch) = (State::default(), Box::default(), Scratch::default());
        Shell { heuristic, weight, walk, state, open, scratch }
    }
}

/// Everything a run needs except the traversal and the heuristic.
struct Run<'a, 'w, M> {
    state: &'a mut State<M>,
    open: &'a mut Buckets,
    task: &'a Task<'a>,
    slice: Slice<'w>,
}

impl<M: Memory> WithSearch for Run<'_, '_, M> {
    type Out = End;

    fn go_on<E: Expander, H: Estimate>(self, expander: &E, estimate: &H) -> End {
        let (strategy, goals) = (astar::STRATEGY, self.task.goals);
        let job = Job { expander, estimate, strategy, goals, max_key: u64::MAX };
        run_job!(self.state, self.open, &job, self.task.start, self.slice.budget, self.slice.watcher)
    }
}

/// A run that is compiled for estimates that count steps, and once for all others.
struct Jumping<'a, 'w, M>(Run<'a, 'w, M>);

impl<M: Memory> WithSearch for Jumping<'_, '_, M> {
    type Out = End;

    fn go_on<E: Expander, H: Estimate>(self, expander: &E, estimate: &H) -> End {
        if H::COUNTS_STEPS {
            self.0.go_on(expander, estimate)
        } else {
            self.0.go_on(expander, &Erased(estimate))
        }
    }
}

/// Everything a run needs except the traversal.
pub(crate) struct Traversal<'a, 'w, M> {
    spec: EstimateSpec<'a>,
    scratch: &'a mut Scratch,
    run: Run<'a, 'w, M>,
}

impl<'a, M: Memory> Traversal<'a, '_, M> {
    /// Returns the goals of the query.
    pub fn goals(&self) -> &'a [NodeId] {
        self.spec.goals
    }

    /// Continues in a world with an expander.
    pub fn run<S: SearchSpace, E: Expander>(self, space: &S, expander: &E) -> End {
        space.with_search(expander, &self.spec, self.scratch, self.run)
    }

    /// Continues like [`run`](Traversal::run) with an expander whose jumps take much longer than an estimate.
    pub fn run_jumps<S: SearchSpace, E: Expander>(self, space: &S, expander: &E) -> End {
        space.with_search(expander, &self.spec, self.scratch, Jumping(self.run))
    }
}

impl<W: Walk> Solver for Shell<W> {
    fn begin(&mut self, view: &View<'_>, task: &Task<'_>) {
        let (walk, mut spread) = (&mut self.walk, 0);
        self.state.begin_with(|memory| spread = walk.begin(view, task, memory));
        self.open.begin(spread);
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let Shell { heuristic, weight, ref mut walk, ref mut state, ref mut open, ref mut scratch } = *self;
        let spec = EstimateSpec { heuristic, weight, side: Side::Forward, goals: task.goals };
        walk.go_on(view, Traversal { spec, scratch, run: Run { state, open, task, slice } })
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        self.walk.trace_back(view, self.state.records(), to, nodes);
    }

    fn closest(&self) -> Option<NodeId> {
        self.state.closest()
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        self.state.visit(node)
    }

    fn stats(&self) -> Stats {
        self.state.stats(self.open.bytes() + self.scratch.bytes() + self.walk.bytes())
    }
}
