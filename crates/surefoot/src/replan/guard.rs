//! When a repair is abandoned for a fresh search.
//!
//! Repairs are cheap on average, but expensive when much of the tree depends on what changed. So a repair may take about as long as
//! fresh searches have taken in this world lately. Beyond that, a fresh search answers, and the repair continues in parts with the
//! following replans. A repair that is abandoned again and again is suspended for a while: in that case fresh searches are simply
//! faster. Everything is counted in nodes, so that it is the same on every machine.

/// Visiting a node takes about this many times as long in a repair as in A*: measured on grids and in voxel worlds.
const NODES_OF_ASTAR: u64 = 5;

/// Where jump point search would answer instead, a repair may visit this fraction of the nodes of a tree from scratch.
const PART_BESIDE_JUMPS: u64 = 8;

/// A repair of up to this many nodes is never abandoned.
const FREE: u64 = 1000;

/// While a tree is built, a fresh search has to answer as well, so the tree gets this fraction of the time,
const PART_WHILE_BUILDING: u64 = 2;

/// or, with jump point search, which takes almost no time, this many nodes.
const BUILT_BESIDE_JUMPS: u64 = 400;

/// Repairs that have succeeded may fail as often before they are suspended, up to this many times.
const MOST_TRUST: u32 = 4;

/// The longest time for which a repair is suspended, in replans.
const LONGEST_REST: u32 = 32;

/// Limits the work of repairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Guard {
    /// The number of nodes that A* has needed for a path lately, at most.
    fresh: u64,
    /// The number of nodes of a tree from scratch.
    whole: Option<u64>,
    /// The number of nodes of the current tree since it began, if it has not been complete yet.
    building: Option<u64>,
    /// The number of nodes since a repair was abandoned.
    behind: u64,
    /// How many times repairs may be abandoned before they are suspended, because others have succeeded.
    trust: u32,
    /// How many times in a row repairs have been suspended.
    failures: u32,
    /// How many trees in a row became useless before they were complete.
    wasted: u32,
    /// For how many replans the repair is suspended.
    rest: u32,
    /// Whether jump point search would answer instead of the repair, as of when the tree began: counting jump points
    /// for each replan would take as long as most repairs.
    quick: bool,
}

impl Guard {
    /// Begins a tree from scratch, in a world where jumps are fast or not.
    pub fn begin(&mut self, quick: bool) {
        if self.building.replace(0).is_some() {
            self.wasted += 1;
            self.suspend(self.wasted);
        }
        self.behind = 0;
        self.quick = quick;
    }

    /// Suspends the repair for twice as many replans as the time before.
    fn suspend(&mut self, times: u32) {
        self.rest = (1 << (times - 1).min(31)).min(LONGEST_REST);
    }

    /// Returns whether jumps are fast in this world.
    pub fn quick(&self) -> bool {
        self.quick
    }

    /// Returns whether the repair should be skipped this time.
    pub fn rests(&mut self) -> bool {
        let rests = self.rest > 0;
        self.rest -= u32::from(rests);
        rests
    }

    /// Returns the maximum number of nodes that a repair may visit; `None` for the first tree. If the tree is rooted somewhere else
    /// than where the path begins, the repair may turn out to be useless.
    pub fn limit(&self, is_rooted: bool) -> Option<u64> {
        let whole = self.whole?;
        let beside = if self.quick { whole / PART_BESIDE_JUMPS } else { self.fresh / NODES_OF_ASTAR };
        let most = beside.max(FREE);
        Some(match self.building {
            Some(_) if self.quick => BUILT_BESIDE_JUMPS,
            Some(_) => most / PART_WHILE_BUILDING,
            None if self.quick && !is_rooted => FREE,
            None => most,
        })
    }

    /// Returns the number of nodes that may be touched or forgotten before a tree from scratch is cheaper.
    pub fn worth_keeping(&self) -> u64 {
        self.whole.unwrap_or(u64::MAX).max(FREE)
    }

    /// Records that a repair has expanded nodes.
    pub fn spent(&mut self, nodes: u64) {
        if let Some(building) = &mut self.building {
            *building += nodes;
        }
    }

    /// Records how many nodes a fresh search has expanded.
    pub fn searched(&mut self, nodes: u64) {
        // The recent maximum.
        self.fresh = nodes.max(self.fresh - self.fresh / 64);
    }

    /// Records that a repair was abandoned after `nodes` nodes. Returns whether starting over is faster.
    pub fn gave_up(&mut self, nodes: u64) -> bool {
        self.behind += nodes;
        self.building.is_none() && self.behind > self.worth_keeping()
    }

    /// Suspends the repair if it has been abandoned often, twice as long each time. A tree that is being built goes on: only one
    /// that is started over before it is complete was of no use.
    pub fn let_rest(&mut self) {
        if self.building.is_some() {
            return;
        }
        if self.trust > 0 {
            self.trust -= 1;
            return;
        }
        self.failures += 1;
        self.suspend(self.failures);
    }

    /// Records that the tree is complete.
    pub fn complete(&mut self) {
        match self.building.take() {
            Some(nodes) => self.whole = Some(nodes),
            None => self.trust = (self.trust + 1).min(MOST_TRUST),
        }
        (self.behind, self.rest) = (0, 0);
        // Repairs that rarely succeed are still suspended for long when they fail.
        (self.failures, self.wasted) = (self.failures / 2, self.wasted / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a guard for a world in which a tree from scratch has `whole` nodes.
    fn guard(whole: u64) -> Guard {
        let mut guard = Guard::default();
        guard.begin(false);
        assert_eq!(guard.limit(true), None, "the first tree is never given up");
        guard.spent(whole);
        guard.complete();
        guard
    }

    #[test]
    fn repairs_may_take_as_long_as_fresh_searches_did() {
        let mut guard = guard(50_000);
        assert_eq!(guard.limit(true), Some(FREE));
        guard.searched(64_000);
        assert_eq!(guard.limit(true), Some(12_800));
        guard.searched(200);
        assert_eq!(guard.limit(true), Some(12_600), "expensive queries are remembered for a while");
        (0..400).for_each(|_| guard.searched(200));
        assert_eq!(guard.limit(true), Some(FREE), "little is free");
        guard.begin(true);
        assert_eq!(guard.limit(true), Some(400), "a fresh search answers while a tree is built");
        guard.spent(80_000);
        guard.complete();
        assert_eq!(guard.limit(true), Some(10_000), "beside jumps");
    }

    #[test]
    fn a_repair_that_takes_longer_than_a_tree_from_scratch_ends_in_one() {
        let mut guard = guard(3000);
        assert!(!guard.gave_up(1600));
        assert!(guard.gave_up(1600));
        guard.begin(true);
        assert!(!guard.gave_up(5000), "a tree from nothing is not started anew");
        guard.spent(40_000);
        guard.complete();
        assert!(!guard.gave_up(38_000), "what was given up before a tree was ready does not count");
        guard.complete();
        assert!(!guard.gave_up(38_000), "nor before a repair was");
        assert_eq!([guard.worth_keeping(), Guard::default().worth_keeping()], [40_000, u64::MAX]);
    }

    #[test]
    fn repairs_abandoned_repeatedly_are_suspended_longer_and_longer() {
        let mut guard = guard(3000);
        let mut rests = |times: usize| -> Vec<usize> {
            let count = |guard: &mut Guard| {
                guard.let_rest();
                std::iter::repeat_with(|| guard.rests()).take_while(|rests| *rests).count()
            };
            let rests = (0..times).map(|_| count(&mut guard)).collect();
            (0..3).for_each(|_| guard.complete());
            rests
        };
        assert_eq!(rests(7), [1, 2, 4, 8, 16, 32, 32]);
        assert_eq!(rests(5), [0, 0, 0, 1, 2], "what has succeeded is trusted, and failures are forgotten");
    }

    #[test]
    fn trees_that_are_never_complete_are_started_less_and_less_often() {
        let mut guard = guard(3000);
        let mut rests = Vec::new();
        for _ in 0..6 {
            guard.begin(false);
            guard.let_rest();
            rests.push(std::iter::repeat_with(|| guard.rests()).take_while(|rests| *rests).count());
        }
        assert_eq!(rests, [0, 1, 2, 4, 8, 16]);
        guard.complete();
        guard.begin(false);
        assert!(!guard.rests(), "the tree before was complete");
    }
}
