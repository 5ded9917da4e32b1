//! A search between two calls: what it has found, and how its path is reconstructed.

use crate::core::estimate::Estimate;
use crate::core::expand::{Arrival, ArrivalSteps, Expander, START};
use crate::core::id::NodeId;
use crate::core::kernel::{End, Job, Progress};
use crate::core::observe::Observer;
use crate::core::open::OpenList;
use crate::core::outcome::{Stats, Visit};
use crate::core::record::{Memory, Record, Records};

/// Runs a job of a search, compiled once without an observer and once for any observer. Observed runs are slow anyway, so they are not
/// compiled for every estimate.
/// A macro, so that a search is one call away from the loop.
macro_rules! run_job {
    ($state:expr, $open:expr, $job:expr, $start:expr, $budget:expr, $watcher:expr) => {
        match $watcher {
            None => $crate::core::state::run_observed!($state, $open, $job, $start, $budget, &mut ()),
            Some(mut watcher) => {
                let estimate = $crate::core::estimate::Erased($job.estimate);
                let job = $job.led_by(&estimate);
                $crate::core::state::run_observed!($state, $open, &job, $start, $budget, &mut watcher)
            }
        }
    };
}
pub(crate) use run_job;

/// Runs a job of a search like [`run_job`], compiled once for all estimates.
macro_rules! run_erased_job {
    ($state:expr, $open:expr, $job:expr, $start:expr, $budget:expr, $watcher:expr) => {{
        let estimate = $crate::core::estimate::Erased($job.estimate);
        let job = $job.led_by(&estimate);
        match $watcher {
            None => $crate::core::state::run_observed!($state, $open, &job, $start, $budget, &mut ()),
            Some(mut watcher) => {
                $crate::core::state::run_observed!($state, $open, &job, $start, $budget, &mut watcher)
            }
        }
    }};
}
pub(crate) use run_erased_job;

/// Opens the start of a job, unless that has been done, and runs it.
macro_rules! run_observed {
    ($state:expr, $open:expr, $job:expr, $start:expr, $budget:expr, $observer:expr) => {{
        let (progress, records) = $state.opened($job, $start, $open, $observer);
        $job.run(progress, records, $open, $budget, $observer)
    }};
}
pub(crate) use run_observed;

/// Everything but the open list that a search keeps between two runs.
#[derive(Debug, Default)]
pub(crate) struct State<M = Records> {
    started: bool,
    progress: Progress,
    records: M,
}

impl State {
    /// Forgets the last search.
    pub fn begin(&mut self, bound: usize, steps: Option<ArrivalSteps>) {
        self.begin_with(|records| records.begin(bound, steps));
    }
}

impl<M: Memory> State<M> {
    /// Forgets the last search. `begin` makes the records do the same.
    pub fn begin_with(&mut self, begin: impl FnOnce(&mut M)) {
        self.started = false;
        self.progress = Progress::default();
        begin(&mut self.records);
    }

    pub fn records(&self) -> &M {
        &self.records
    }

    /// Returns the expanded node that seems closest to a goal, or the best goal so far.
    pub fn closest(&self) -> Option<NodeId> {
        let Progress { best, closest, .. } = self.progress;
        best.map(|(goal, _)| goal).or(closest.map(|(_, node)| node))
    }

    /// Returns what is known about a node.
    pub fn visit(&self, node: NodeId) -> Option<Visit> {
        let record = self.records.of(node)?;
        let parent = self.records.parent(self.records.find(node));
        Some(record.visit(parent))
    }

    /// Continues the search for another goal; the previous one is open again. Keys in the open list are still those for the
    /// goal before. Only for strategies that expand nodes again.
    pub fn change_goal(&mut self, before: NodeId, goal: NodeId) {
        if let Some(record) = self.records.of(before).filter(|record| record.closed) {
            let at = self.records.find(before);
            let parent = self.records.parent(at);
            self.records.write(at, record.g, parent, record.arrival);
        }
        let reached = self.records.of(goal).filter(|record| record.closed);
        self.progress.best = reached.map(|record| (goal, record.g));
        self.progress.closest = None;
    }

    /// Returns the statistics; `other_bytes` are held beside the records.
    pub fn stats(&self, other_bytes: usize) -> Stats {
        let bytes = self.records.bytes() + other_bytes;
        Stats { scratch_bytes: bytes as u64, ..self.progress.stats }
    }

    /// What the loop works on. Opens the start first if nothing has been.
    #[inline]
    pub fn opened<E: Expander, H: Estimate>(
        &mut self,
        job: &Job<'_, E, H>,
        start: NodeId,
        open: &mut impl OpenList,
        observer: &mut impl Observer,
    ) -> (&mut Progress, &mut M) {
        if !self.started {
            self.started = true;
            job.open_start(start, &mut self.records, open, observer);
        }
        (&mut self.progress, &mut self.records)
    }

    /// Runs a job: see [`run_job`].
    pub fn run<E: Expander, H: Estimate, Q: OpenList>(
        &mut self,
        open: &mut Q,
        job: &Job<'_, E, H>,
        start: NodeId,
        budget: u64,
        watcher: Option<&mut dyn Observer>,
    ) -> End {
        run_job!(self, open, job, start, budget, watcher)
    }
}

/// Writes the nodes from the start to `to`. `known` gives the record of a node and its parent, if it has been reached.
///
/// Where several paths to a node cost the same, the records hold the one found first. With `straighten`, the path that keeps
/// the direction of the next step is taken instead, if it costs the same: paths turn less, and the search pays nothing
/// for it.
pub(crate) fn trace_back<E: Expander>(
    expander: &E,
    known: impl Fn(NodeId) -> Option<(Record, NodeId)>,
    to: NodeId,
    straighten: bool,
    nodes: &mut Vec<NodeId>,
) {
    let first = nodes.len();
    nodes.push(to);
    let mut at = to;
    let mut next = None;
    while let Some((record, parent)) = known(at)
        && record.arrival != START
    {
        let straight = next
            .filter(|_| straighten)
            .and_then(|next| expander.straight_before(at, next))
            .filter(|(before, cost)| {
                known(*before).is_some_and(|(before, _)| before.g + cost.units() == record.g)
            });
        let before = straight.map_or(parent, |(before, _)| before);
        nodes.push(before);
        (next, at) = (Some(at), before);
    }
    nodes[first..].reverse();
}

/// Appends the cells of a path made of jumps from the start to a node that the search has reached. `back` appends those of one jump,
/// given its ends and the arrival at the second: from the cell before the second end back to the first end.
pub(crate) fn trace_jumps(
    records: &impl Memory,
    to: NodeId,
    nodes: &mut Vec<NodeId>,
    mut back: impl FnMut(NodeId, NodeId, Arrival, &mut Vec<NodeId>),
) {
    let first = nodes.len();
    nodes.push(to);
    let mut at = to;
    while let Some(record) = records.of(at)
        && record.arrival != START
    {
        let before = records.parent(records.find(at));
        back(before, at, record.arrival, nodes);
        at = before;
    }
    nodes[first..].reverse();
}
