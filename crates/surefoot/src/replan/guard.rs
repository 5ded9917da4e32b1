//! When a repair is abandoned for a fresh search.
//!
//! Repairs are cheap on average, but expensive when much of the tree depends on what changed. So a repair may visit a
//! fraction of the nodes that the last tree from scratch took. Beyond that, a fresh search answers, and the repair
//! continues in parts with the following replans. A repair that is abandoned again and again is suspended for a while:
//! in that case fresh searches are simply faster. Everything is counted in nodes, so that it is the same on every
//! machine.

use crate::cost::Cost;

/// A repair may visit this fraction of the nodes that a tree from scratch takes: the first if jump point search would
/// answer instead, the second if it is A*. Visiting a node takes about five times as long in a repair as in A*; jumps
/// take a tenth of A*.
const PARTS: [u64; 2] = [8, 16];

/// A repair of up to this many nodes is never abandoned,
const FREE: u64 = 2000;

/// unless the root has moved or the tree has not been complete yet, so that most of it will have to be visited.
const FREE_WITHOUT_ROOTS: u64 = 400;

/// The longest time for which a repair is suspended, in replans.
const LONGEST_REST: u32 = 32;

/// Watches over the work of a search's repairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Guard {
    /// The number of nodes of a tree from scratch, and the cost of the path that it found.
    whole: Option<(u64, u64)>,
    /// The number of nodes of the current tree since it began, if it has not been complete yet.
    building: Option<u64>,
    /// The number of nodes since a repair was abandoned.
    behind: u64,
    /// For how many replans the repair is suspended.
    rest: u32,
    /// For how many replans it was suspended the last time.
    last_rest: u32,
    /// Whether jump point search would answer instead of the repair, as of when the tree began: counting jump points
    /// for each replan would take as long as most repairs.
    quick: bool,
    /// Whether the root has moved since the tree was complete.
    uprooted: bool,
}

impl Guard {
    /// Begins a tree from scratch, in a world where jumps are fast or not.
    pub fn begin(&mut self, quick: bool) {
        self.building = Some(0);
        self.behind = 0;
        self.quick = quick;
    }

    /// Returns whether jumps are fast in this world.
    pub fn quick(&self) -> bool {
        self.quick
    }

    /// Records that the root moves.
    pub fn uproot(&mut self) {
        self.uprooted = true;
    }

    /// Returns whether the repair should be skipped this time.
    pub fn rests(&mut self) -> bool {
        let rests = self.rest > 0;
        self.rest -= u32::from(rests);
        rests
    }

    /// Returns the maximum number of nodes that a repair may visit for a path that costs at least `least`; `None` for
    /// the first tree.
    pub fn limit(&self, least: Cost) -> Option<u64> {
        let (nodes, cost) = self.whole?;
        // A fresh search that is half as long takes half as much, at least.
        let share = u128::from(nodes) * u128::from(least.units()) / u128::from(cost.max(1));
        let free = if self.uprooted || self.building.is_some() { FREE_WITHOUT_ROOTS } else { FREE };
        Some((share.min(u128::from(nodes)) as u64 / PARTS[usize::from(!self.quick)]).max(free))
    }

    /// Records that a repair has visited `nodes` nodes.
    pub fn spent(&mut self, nodes: u64) {
        if let Some(building) = &mut self.building {
            *building += nodes;
        }
    }

    /// Records that a repair was abandoned after `nodes` nodes. Returns whether starting over is faster.
    pub fn gave_up(&mut self, nodes: u64) -> bool {
        self.behind += nodes;
        let whole = self.whole.map_or(u64::MAX, |(whole, _)| whole);
        self.building.is_none() && self.behind > whole
    }

    /// Suspends the repair for twice as long as the last time, because a query had to be answered by a fresh search.
    pub fn let_rest(&mut self) {
        self.last_rest = (2 * self.last_rest).clamp(1, LONGEST_REST);
        self.rest = self.last_rest;
    }

    /// Records that the tree is complete, with a path of this cost.
    pub fn complete(&mut self, cost: Cost) {
        if let Some(nodes) = self.building.take() {
            self.whole = Some((nodes, cost.units()));
        }
        (self.behind, self.rest) = (0, 0);
        // What succeeds only now and then is still left alone for long when it fails.
        self.last_rest /= 2;
        self.uprooted = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_may_take_a_part_of_what_a_tree_from_nothing_took() {
        let mut guard = Guard::default();
        guard.begin(true);
        assert_eq!(guard.limit(Cost::from_units(100)), None, "the first tree is never given up");
        guard.spent(8000 * PARTS[0]);
        guard.complete(Cost::from_units(100));
        assert_eq!(guard.limit(Cost::from_units(100)), Some(8000));
        assert_eq!(guard.limit(Cost::from_units(50)), Some(4000), "a shorter way is searched for sooner");
        assert_eq!(guard.limit(Cost::from_units(900)), Some(8000), "a longer one may be anything");
        assert_eq!(guard.limit(Cost::ZERO), Some(FREE));
        guard.uproot();
        assert_eq!(guard.limit(Cost::ZERO), Some(FREE_WITHOUT_ROOTS));
        guard.complete(Cost::from_units(100));
        assert_eq!(guard.limit(Cost::ZERO), Some(FREE), "the tree has roots again");
        guard.begin(false);
        assert_eq!(guard.limit(Cost::ZERO), Some(FREE_WITHOUT_ROOTS));
        assert!(guard.limit(Cost::from_units(100)) < Some(8000), "a slower search instead leaves less time");
    }

    #[test]
    fn a_repair_that_takes_longer_than_a_tree_from_nothing_ends_in_one() {
        let mut guard = Guard::default();
        guard.begin(true);
        guard.spent(1000);
        guard.complete(Cost::ONE);
        assert!(!guard.gave_up(600));
        assert!(guard.gave_up(600));
        guard.begin(true);
        assert!(!guard.gave_up(5000), "a tree from nothing is not started anew");
        guard.spent(5000 * PARTS[0]);
        guard.complete(Cost::ONE);
        assert_eq!(guard.limit(Cost::ONE), Some(5000));
        assert!(!guard.gave_up(38_000), "what was given up before a tree was ready does not count");
        guard.complete(Cost::ONE);
        assert!(!guard.gave_up(38_000), "nor before a repair was");
    }

    #[test]
    fn what_is_given_up_again_and_again_rests_longer_and_longer() {
        let mut guard = Guard::default();
        let mut rests = Vec::new();
        for _ in 0..8 {
            guard.let_rest();
            rests.push(std::iter::repeat_with(|| guard.rests()).take_while(|rests| *rests).count());
        }
        assert_eq!(rests, [1, 2, 4, 8, 16, 32, 32, 32]);
        guard.let_rest();
        guard.complete(Cost::ONE);
        assert!(!guard.rests());
        guard.let_rest();
        assert_eq!(guard.rest, 32, "one success is not forgotten failures");
        for _ in 0..6 {
            guard.complete(Cost::ONE);
        }
        guard.let_rest();
        assert_eq!(guard.rest, 1);
    }
}
