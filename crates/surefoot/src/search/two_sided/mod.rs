//! Bidirectional A*: one search from the start, one backwards from the goals.
//!
//! After Nicholson, *Finding the Shortest Route between Two Points in a Network*, 1966, and Pijls and Post, *Yet Another
//! Bidirectional Algorithm for Finding the Shortest Path*, 2009 (NBA*). A side drops a node unexpanded when no path through it
//! can beat the best meeting so far: by its own estimate, or because the other side is finished with everything nearer to its own
//! root. It also drops a node that the other side is finished with.
//!
//! "Finished with" is defined so that it tolerates loosely sorted open lists and outdated information. From time to time, a side
//! announces below which key it has nothing left, its *floor*. Estimates are consistent, so a node whose key is below the floor
//! has its final cost, and no later step changes its record. That holds however old the floor is: an old one says less, but is
//! never wrong. So both sides can run at the same time, each against the last floor of the other, and whatever the timing of the
//! threads, they expand the same nodes.
//!
//! Why nothing is lost: take an optimal path, more expensive meetings so far, and a node of the path that a side takes at its
//! true cost. If the side drops the node, the other side's floor is above the node's key there. But below its floor it has
//! every node of optimal paths at true cost, so the meeting at this node had been counted.

mod half;
mod shared;

use crate::core::estimate::{Erased, Estimate};
use crate::core::expand::Expander;
use crate::core::heuristic::Heuristic;
use crate::core::kernel::End;
use crate::core::observe::{Observer, Side};
use crate::core::open::OpenList;
use crate::core::outcome::{Stats, Visit};
use crate::core::state::trace_back;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::parallel;
use crate::search::algorithm::{Options, Promise, promise_of_heuristic};
use crate::search::solver::{Run, Slice, Solver, Task};
use crate::world::any::{Scratch, View, on_world};
use crate::world::space::{SearchSpace, WithTwoSides};

use half::{Half, Way};
use shared::SharedRecords;

/// A search that is left to one side at a time announces its floor after this many expansions.
const TURN: u64 = 32;

/// A search on two threads synchronises after a part of the expansions so far, within bounds: what a side expands unnecessarily, not
/// knowing of the other, is such a part; what a round costs is a few microseconds.
const PART_OF_ALL: u64 = 16;
const SHORTEST_ROUND: u64 = 256;
const LONGEST_ROUND: u64 = 8192;

/// Shorter searches stay on their thread.
const ALONE: u64 = 4096;

/// When each side searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rhythm {
    /// The side with fewer open nodes, for a few nodes.
    InTurns,
    /// Both sides for many nodes, on two threads if the search is long.
    Together,
}

/// Both searches with their memory.
#[derive(Debug)]
pub(crate) struct TwoSided {
    rhythm: Rhythm,
    heuristic: Heuristic,
    halves: [Half; 2],
    /// The last announced floors.
    floors: [u64; 2],
    turn: Side,
    /// Expansions in a turn.
    round: u64,
    /// Expansions left in this one.
    left: u64,
    started: bool,
    scratch: Scratch,
}

/// What bidirectional search guarantees: it needs consistent heuristics.
pub(crate) fn promise(options: &Options, view: &View<'_>) -> Promise {
    let heuristic = options.heuristic.unwrap_or_default();
    match promise_of_heuristic(options, view) {
        Promise::Optimal if !on_world!(view, space => space.is_consistent(heuristic)) => {
            Promise::Nothing("bidirectional search needs a consistent heuristic".to_owned())
        }
        promise => promise,
    }
}

impl WithTwoSides for Run<'_, '_, TwoSided> {
    type Out = End;

    fn go_on<F: Expander + Sync, B: Expander + Sync, H: Estimate + Sync>(
        self,
        forward: &F,
        backward: &B,
        estimates: [&H; 2],
        exact: bool,
    ) -> End {
        let in_turns = self.search.rhythm == Rhythm::InTurns;
        // Where estimates are rounded, timing might matter after all.
        let pair = Pair { forward, backward, estimates, in_turns, threads: exact };
        self.search.run_pair(&pair, self.task, self.slice)
    }
}

/// What the sides walk on, and their estimates: of the path to a goal, and of the path from the start.
struct Pair<'a, F, B, H> {
    forward: &'a F,
    backward: &'a B,
    estimates: [&'a H; 2],
    in_turns: bool,
    /// Whether the sides may run at the same time.
    threads: bool,
}

impl<F: Expander, B: Expander, H: Estimate> Pair<'_, F, B, H> {
    /// Returns the same sides with other estimates.
    fn led_by<'b, O>(&'b self, estimates: [&'b O; 2]) -> Pair<'b, F, B, O> {
        let Pair { forward, backward, in_turns, threads, .. } = *self;
        Pair { forward, backward, estimates, in_turns, threads }
    }

    fn forward<'h>(&'h self, theirs: &'h SharedRecords, their_floor: u64) -> Way<'h, F, H> {
        let ([ahead, behind], they_rest) = (self.estimates, self.in_turns);
        Way { side: Side::Forward, expander: self.forward, ahead, behind, theirs, their_floor, they_rest }
    }

    fn backward<'h>(&'h self, theirs: &'h SharedRecords, their_floor: u64) -> Way<'h, B, H> {
        let ([behind, ahead], they_rest) = (self.estimates, self.in_turns);
        Way { side: Side::Backward, expander: self.backward, ahead, behind, theirs, their_floor, they_rest }
    }
}

impl TwoSided {
    pub fn new(rhythm: Rhythm, heuristic: Heuristic) -> TwoSided {
        TwoSided {
            rhythm,
            heuristic,
            halves: Default::default(),
            floors: [0; 2],
            turn: Side::Forward,
            round: 0,
            left: 0,
            started: false,
            scratch: Scratch::default(),
        }
    }

    fn expanded(&self) -> u64 {
        self.halves.iter().map(|half| half.own.stats.expanded).sum()
    }

    fn run_pair<F: Expander + Sync, B: Expander + Sync, H: Estimate + Sync>(
        &mut self,
        pair: &Pair<'_, F, B, H>,
        task: &Task<'_>,
        slice: Slice<'_>,
    ) -> End {
        let Slice { mut budget, watcher } = slice;
        if let Some(mut watcher) = watcher {
            // Slow anyway: not worth compiling for every estimate.
            let estimates = pair.estimates.map(|estimate| Erased(estimate));
            let pair = &pair.led_by(estimates.each_ref());
            self.open_roots(pair, task, &mut watcher);
            return self.run_alone(pair, &mut budget, u64::MAX, &mut watcher).unwrap_or(End::Paused);
        }
        self.open_roots(pair, task, &mut ());
        let threads = self.rhythm == Rhythm::Together && pair.threads && parallel::threads() > 1;
        let alone = if threads { ALONE } else { u64::MAX };
        match self.run_alone(pair, &mut budget, alone, &mut ()) {
            Some(end) => end,
            None => parallel::enter(|| self.run_together(pair, budget)),
        }
    }

    fn open_roots<F: Expander, B: Expander, H: Estimate>(
        &mut self,
        pair: &Pair<'_, F, B, H>,
        task: &Task<'_>,
        observer: &mut impl Observer,
    ) {
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        let [forward, backward] = &mut self.halves;
        pair.forward(&backward.records, 0).open(task.start, &forward.records, &mut forward.own, observer);
        let way = pair.backward(&forward.records, 0);
        for &goal in task.goals {
            way.open(goal, &backward.records, &mut backward.own, observer);
        }
        self.begin_round();
    }

    /// Continues with the sides in turns. `None` if more than `until` nodes have been expanded and the budget allows
    /// a round of both.
    fn run_alone<F: Expander, B: Expander, H: Estimate>(
        &mut self,
        pair: &Pair<'_, F, B, H>,
        budget: &mut u64,
        until: u64,
        observer: &mut impl Observer,
    ) -> Option<End> {
        loop {
            if *budget == 0 {
                return Some(End::Paused);
            }
            let is_new_round = self.turn == Side::Forward && self.left == self.round;
            if is_new_round && *budget >= 2 * self.round && self.expanded() >= until {
                return None;
            }
            let (before, limit) = (self.expanded(), self.left.min(*budget));
            let [forward, backward] = &mut self.halves;
            let wants_pause = match self.turn {
                Side::Forward => pair.forward(&backward.records, self.floors[1]).run(
                    &forward.records,
                    &mut forward.own,
                    limit,
                    observer,
                ),
                Side::Backward => pair.backward(&forward.records, self.floors[0]).run(
                    &backward.records,
                    &mut backward.own,
                    limit,
                    observer,
                ),
            };
            let used = self.expanded() - before;
            *budget -= used;
            self.left -= used;
            if (self.left == 0 || self.halves[self.turn as usize].own.done)
                && let Some(end) = self.end_turn()
            {
                return Some(end);
            }
            if wants_pause {
                return Some(End::Paused);
            }
        }
    }

    /// Continues with both sides in parallel, from the beginning of a round, as long as the budget allows whole rounds.
    fn run_together<F: Expander + Sync, B: Expander + Sync, H: Estimate + Sync>(
        &mut self,
        pair: &Pair<'_, F, B, H>,
        mut budget: u64,
    ) -> End {
        while budget >= 2 * self.round {
            let (before, round, floors) = (self.expanded(), self.round, self.floors);
            let [Half { records: ahead, own: first }, Half { records: behind, own: second }] =
                &mut self.halves;
            let (ahead, behind) = (&*ahead, &*behind);
            parallel::join(
                || _ = pair.forward(behind, floors[1]).run(ahead, first, round, &mut ()),
                || _ = pair.backward(ahead, floors[0]).run(behind, second, round, &mut ()),
            );
            budget -= self.expanded() - before;
            if let Some(end) = self.end_round() {
                return end;
            }
        }
        self.run_alone(pair, &mut budget, u64::MAX, &mut ()).unwrap_or(End::Paused)
    }

    /// After a turn, the other side has its own or the round is over.
    fn end_turn(&mut self) -> Option<End> {
        if self.rhythm == Rhythm::Together && self.turn == Side::Forward {
            (self.turn, self.left) = (Side::Backward, self.round);
            return None;
        }
        self.end_round()
    }

    /// Both sides announce their floors and meetings. When one of them has no nodes left, the best meeting is optimal.
    fn end_round(&mut self) -> Option<End> {
        self.floors = [0, 1].map(|side: usize| self.halves[side].own.open.floor());
        let [forward, backward] = &mut self.halves;
        let (forward, backward) = (&mut forward.own, &mut backward.own);
        if forward.best <= backward.best {
            (backward.best, backward.meeting) = (forward.best, forward.meeting);
        } else {
            (forward.best, forward.meeting) = (backward.best, backward.meeting);
        }
        if forward.done || backward.done {
            return Some(match forward.meeting {
                Some(node) => End::Goal(node),
                None if forward.overflowed || backward.overflowed => End::Overflow,
                None => End::Exhausted,
            });
        }
        self.begin_round();
        None
    }

    fn begin_round(&mut self) {
        (self.turn, self.round) = match self.rhythm {
            // The side with fewer open nodes has the easier job.
            Rhythm::InTurns if self.halves[0].own.open.len() > self.halves[1].own.open.len() => {
                (Side::Backward, TURN)
            }
            Rhythm::InTurns => (Side::Forward, TURN),
            Rhythm::Together => {
                (Side::Forward, (self.expanded() / PART_OF_ALL).clamp(SHORTEST_ROUND, LONGEST_ROUND))
            }
        };
        self.left = self.round;
    }
}

impl Solver for TwoSided {
    fn begin(&mut self, view: &View<'_>, _task: &Task<'_>) {
        on_world!(view, space => {
            let (bound, steps) = (Graph::node_bound(space), space.two_sided_steps());
            for half in &mut self.halves {
                half.begin(bound, steps, 2 * SearchSpace::max_edge_cost(space).units());
            }
        });
        (self.floors, self.started) = ([0; 2], false);
    }

    fn run(&mut self, view: &View<'_>, task: &Task<'_>, slice: Slice<'_>) -> End {
        let (heuristic, ends) = (self.heuristic, (task.start, task.goals));
        Run { search: self, task, slice }.with_scratch(
            |search| &mut search.scratch,
            |run, scratch| on_world!(view, space => space.with_two_sides(heuristic, ends, scratch, run)),
        )
    }

    fn trace_back(&self, view: &View<'_>, to: NodeId, nodes: &mut Vec<NodeId>) {
        let [forward, backward] = &self.halves;
        let before = |node| forward.records.with_parent(node);
        let after = |node| backward.records.with_parent(node);
        on_world!(view, space => {
            trace_back(space, before, to, true, nodes);
            // Where steps cost the same both ways, this half can be straightened as well.
            append_reversed(nodes, |nodes| trace_back(space, after, to, space.is_symmetric(), nodes));
        });
    }

    fn closest(&self) -> Option<NodeId> {
        self.halves[0].own.closest.map(|(_, node)| node)
    }

    fn visit(&self, node: NodeId) -> Option<Visit> {
        let known = self.halves.iter().filter_map(|half| half.records.with_parent(node));
        let (record, parent) = known.max_by_key(|(record, _)| record.closed)?;
        Some(record.visit(parent))
    }

    fn stats(&self) -> Stats {
        let [forward, backward] = self.halves.each_ref().map(|half| half.own.stats);
        let halves: usize = self.halves.iter().map(Half::bytes).sum();
        Stats {
            expanded: forward.expanded + backward.expanded,
            generated: forward.generated + backward.generated,
            reopened: forward.reopened + backward.reopened,
            // The sides need not have had their most at the same time.
            peak_open: forward.peak_open + backward.peak_open,
            scratch_bytes: (halves + self.scratch.bytes()) as u64,
        }
    }
}

/// Adds the second half of a path, which is written from its end to the last node that is there already.
fn append_reversed(nodes: &mut Vec<NodeId>, write: impl FnOnce(&mut Vec<NodeId>)) {
    nodes.pop();
    let first = nodes.len();
    write(nodes);
    nodes[first..].reverse();
}
