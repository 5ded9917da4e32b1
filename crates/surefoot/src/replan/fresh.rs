//! A fresh search, which answers where a repair takes too long.
//!
//! Where jumps are fast, it is simply the search that suits the map. Elsewhere it is A*. As long as neither the world
//! nor the start changes, it continues where it was when the goal moves, with keys from the heuristic for the new goal.
//! This is correct for an A* that re-expands nodes when they become cheaper: every expanded node has updated its
//! neighbours, and all other nodes are still in the queue.

use crate::core::estimate::{Estimate, WithSearch};
use crate::core::expand::Expander;
use crate::core::kernel::{End, Job};
use crate::core::observe::Side;
use crate::core::open::{Buckets, Entry, OpenList};
use crate::core::state::{State, trace_back};
use crate::graph::Graph;
use crate::id::NodeId;
use crate::search::{Outcome, Pathfinder, Why, astar};
use crate::world::any::{Scratch, Vantage, View};
use crate::world::grid::GridView;
use crate::world::space::{EstimateSpec, SearchSpace};

/// A search from scratch, which reuses its A* tree when only the goal has moved.
#[derive(Default)]
pub(super) struct Fresh {
    finder: Pathfinder,
    state: State,
    open: Waiting,
    scratch: Scratch,
    /// The world and the start of the current A* tree.
    tree: Option<(Vantage, NodeId)>,
    /// Start and goal of the current query, if A* answers it.
    ends: Option<[NodeId; 2]>,
    /// The previous goal, if A* still has to adjust to the new one.
    moved_from: Option<NodeId>,
    nodes: Vec<NodeId>,
}

impl Fresh {
    /// Takes a query that has been accepted, in a world where jumps are fast or not.
    pub fn start(&mut self, view: &View<'_>, quick: bool, start: NodeId, goal: NodeId) {
        let (Some(grid), false) = (view.as_grid(), quick) else {
            (self.tree, self.ends) = (None, None);
            self.finder.start(view, start, &[goal]);
            return;
        };
        let tree = Some((view.vantage(), start));
        // A search that was paused for a previous goal can be continued like a finished one.
        self.moved_from = self.ends.filter(|_| self.tree == tree).map(|[_, before]| before);
        if self.moved_from.is_none() {
            self.state.begin(Graph::node_bound(grid), grid.pruned_steps());
            self.open.begin(spread(grid));
        }
        (self.tree, self.ends) = (tree, Some([start, goal]));
    }

    /// Continues until there is an answer or `budget` nodes have been expanded.
    pub fn resume(&mut self, view: &View<'_>, budget: u64) -> Outcome {
        let (Some(grid), Some(ends)) = (view.as_grid(), self.ends) else {
            return self.finder.resume(view, budget);
        };
        let Fresh { state, open, scratch, moved_from, nodes, .. } = self;
        let [_, goal] = ends;
        let (moved_from, spread) = (moved_from.take(), spread(grid));
        let run = Run { state, open, ends, moved_from, spread, budget };
        let end = grid.with_pruned(&EstimateSpec::best(Side::Forward, &[goal]), scratch, run);
        nodes.clear();
        match end {
            End::Paused => Outcome::Paused,
            End::Goal(_) => {
                trace_back(grid, |node| state.records().with_parent(node), goal, true, nodes);
                Outcome::Found
            }
            // Costs fit on every grid, and components ignore the direction of links.
            End::Exhausted | End::Overflow => Outcome::Unreachable(Why::OneWay),
        }
    }

    /// Returns the number of nodes expanded for all queries since A* or the finder started over.
    pub fn expanded(&self) -> u64 {
        if self.ends.is_some() { self.state.stats(0).expanded } else { self.finder.stats().expanded }
    }

    /// Returns the path that was found.
    pub fn path(&self) -> &[NodeId] {
        if self.ends.is_some() { &self.nodes } else { self.finder.path().nodes() }
    }

    pub fn bytes(&self) -> usize {
        let own = self.state.stats(self.open.bytes()).scratch_bytes as usize + self.scratch.bytes();
        own + self.nodes.capacity() * size_of::<NodeId>() + self.finder.stats().scratch_bytes as usize
    }
}

/// Returns the maximum amount by which a step raises keys.
fn spread(grid: &GridView<'_>) -> u64 {
    2 * grid.max_step_cost().units()
}

/// Everything a run needs except the expander and the heuristic.
struct Run<'a> {
    state: &'a mut State,
    open: &'a mut Waiting,
    ends: [NodeId; 2],
    moved_from: Option<NodeId>,
    spread: u64,
    budget: u64,
}

impl WithSearch for Run<'_> {
    type Out = End;

    fn go_on<E: Expander, H: Estimate>(self, expander: &E, estimate: &H) -> End {
        let [start, goal] = self.ends;
        if let Some(before) = self.moved_from {
            self.open.take_all();
            self.state.change_goal(before, goal);
            self.open.put_back(self.state, estimate, before, self.spread);
        }
        let goals = &[goal];
        let job = Job { expander, estimate, strategy: astar::STRATEGY, goals, max_key: u64::MAX };
        self.state.run(self.open, &job, start, self.budget, None)
    }
}

/// An open list that keeps all entries when a search ends.
#[derive(Debug, Default)]
struct Waiting {
    buckets: Box<Buckets>,
    /// Entries that were popped and were too expensive for the goal at that time.
    aside: Vec<Entry>,
}

impl Waiting {
    /// Sets all entries aside.
    fn take_all(&mut self) {
        while let Some(entry) = self.buckets.pop(u64::MAX) {
            self.aside.push(entry);
        }
    }

    /// Puts back the entries that still matter, with keys from a heuristic, and the previous goal, which was not
    /// expanded.
    fn put_back(&mut self, state: &State, estimate: &impl Estimate, before: NodeId, spread: u64) {
        self.buckets.begin(spread);
        let known = |node: NodeId| state.records().of(node).filter(|record| !record.closed);
        let entries = self.aside.drain(..).filter(|entry| entry.node != before);
        for (node, g) in entries.map(|entry| (entry.node, Some(entry.g))).chain([(before, None)]) {
            if let Some(record) = known(node).filter(|record| g.is_none_or(|g| g == record.g as u32)) {
                let key = record.g + estimate.of(node);
                self.buckets.push(Entry { key, g: record.g as u32, node });
            }
        }
    }
}

impl OpenList for Waiting {
    fn begin(&mut self, spread: u64) {
        self.aside.clear();
        self.buckets.begin(spread);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for the buckets: called once for each node")]
    fn push(&mut self, entry: Entry) {
        self.buckets.push(entry);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for the buckets: called once for each node")]
    fn push_next(&mut self, entry: Entry) {
        self.buckets.push_next(entry);
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for the buckets: called once for each node")]
    fn pop(&mut self, bound: u64) -> Option<Entry> {
        loop {
            let entry = self.buckets.pop(u64::MAX)?;
            if entry.key < bound {
                return Some(entry);
            }
            self.aside.push(entry);
            if self.buckets.floor() >= bound {
                return None;
            }
        }
    }

    fn len(&self) -> usize {
        self.buckets.len() + self.aside.len()
    }

    fn bytes(&self) -> usize {
        self.buckets.bytes() + self.aside.capacity() * size_of::<Entry>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::{Agent, Moves};
    use crate::path::Path;
    use crate::search::Options;
    use crate::space::Cell;
    use crate::world::grid::{Grid, Terrain};

    const SIDE: u32 = 12;

    proptest! {
        /// Moves of both ends, edits and searches that are left before they end, in any order.
        #[test]
        fn answers_equal_those_of_a_search_from_scratch(
            terrain in prop::collection::vec(prop_oneof![1 => Just(0_u8), 3 => 1..4_u8], (SIDE * SIDE) as usize),
            max_terrain in 1..4_u8,
            moves in prop::sample::select(Moves::ALL.to_vec()),
            steps in prop::collection::vec((0..9_u8, any::<u32>(), 1..40_u64), 1..40),
        ) {
            let terrain: Vec<u8> = terrain.iter().map(|&cost| cost.min(max_terrain)).collect();
            let mut grid = Grid::from_terrain(SIDE, SIDE, &terrain).unwrap();
            let agent = Agent::new().with_moves(moves);
            let cell = |number: u32| Cell::new((number % SIDE) as i32, (number / SIDE % SIDE) as i32);
            let mut truth = Pathfinder::named("dijkstra", &Options::default()).unwrap();
            let (mut fresh, mut ends) = (Fresh::default(), [cell(0), cell(SIDE * SIDE - 1)]);
            for (kind, number, budget) in steps {
                match kind {
                    0 => grid.set(cell(number), Terrain::new(u8::from(number % 2 == 0))).unwrap(),
                    1 => ends[0] = cell(number),
                    _ => ends[1] = cell(number),
                }
                let view = View::from(grid.view(&agent));
                let Ok(best) = truth.find(view, ends[0], ends[1]) else { continue };
                let [start, goal] = ends.map(|end| grid.node(end).unwrap());
                fresh.start(&view, kind == 2, start, goal);
                let mut outcome = fresh.resume(&view, budget);
                while outcome == Outcome::Paused && kind != 3 {
                    outcome = fresh.resume(&view, budget);
                }
                if outcome == Outcome::Found {
                    let mut path = Path::default();
                    path.rewrite(&view, |nodes| nodes.extend(fresh.path()));
                    prop_assert_eq!((path.nodes().first(), path.nodes().last()), (Some(&start), Some(&goal)));
                    prop_assert_eq!(path.units(), best.units());
                }
                prop_assert!(outcome == Outcome::Found || kind == 3);
            }
        }
    }
}
