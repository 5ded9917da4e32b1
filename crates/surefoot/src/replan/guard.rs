//! When a repair is given up for a fresh search.
//!
//! Repairs are cheap on average and dear when much of the tree hangs on what changed. So a repair may expand a part of what a
//! tree from nothing took when there was last one; beyond that, a fresh search answers, and the repair goes on a part at
//! a time with the questions to come. Everything is counted in expansions, so that it is the same on every machine.

use crate::cost::Cost;

/// A repair may expand this part of what a tree from nothing takes. An expansion of a repair takes about four times as long
/// as one of A*, so this is about half the time of a fresh A*.
const PART: u64 = 8;

/// A repair of so many expansions is never given up.
const FREE: u64 = 64;

/// Watches over the expansions of a search's repairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Guard {
    /// What a tree from nothing took, and what the way cost that it found.
    whole: Option<(u64, u64)>,
    /// Expansions of the present tree since it began, if it has not been complete yet.
    building: Option<u64>,
    /// Expansions since a repair was given up.
    behind: u64,
}

impl Guard {
    /// A tree begins from nothing.
    pub fn begin(&mut self) {
        self.building = Some(0);
        self.behind = 0;
    }

    /// The most expansions of a repair on a way that costs at least so much; none for the first tree.
    pub fn limit(&self, least: Cost) -> Option<u64> {
        let (expanded, cost) = self.whole?;
        // A fresh search that is half as long takes half as much, at least.
        let share = u128::from(expanded) * u128::from(least.units()) / u128::from(cost.max(1));
        Some((share.min(u128::from(expanded)) as u64 / PART).max(FREE))
    }

    /// A repair has expanded so many nodes.
    pub fn spent(&mut self, expanded: u64) {
        if let Some(building) = &mut self.building {
            *building += expanded;
        }
    }

    /// A repair was given up after so many expansions. Says whether starting anew is the shorter way.
    pub fn gave_up(&mut self, expanded: u64) -> bool {
        self.behind += expanded;
        let whole = self.whole.map_or(u64::MAX, |(whole, _)| whole);
        self.building.is_none() && self.behind > whole
    }

    /// The tree is complete, with a way of this cost.
    pub fn complete(&mut self, cost: Cost) {
        if let Some(expanded) = self.building.take() {
            self.whole = Some((expanded, cost.units()));
        }
        self.behind = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repairs_may_take_a_part_of_what_a_tree_from_nothing_took() {
        let mut guard = Guard::default();
        guard.begin();
        assert_eq!(guard.limit(Cost::from_units(100)), None, "the first tree is never given up");
        guard.spent(8000 * PART);
        guard.complete(Cost::from_units(100));
        assert_eq!(guard.limit(Cost::from_units(100)), Some(8000));
        assert_eq!(guard.limit(Cost::from_units(50)), Some(4000), "a shorter way is searched for sooner");
        assert_eq!(guard.limit(Cost::from_units(900)), Some(8000), "a longer one may be anything");
        assert_eq!(guard.limit(Cost::ZERO), Some(FREE));
    }

    #[test]
    fn a_repair_that_takes_longer_than_a_tree_from_nothing_ends_in_one() {
        let mut guard = Guard::default();
        guard.begin();
        guard.spent(1000);
        guard.complete(Cost::ONE);
        assert!(!guard.gave_up(600));
        assert!(guard.gave_up(600));
        guard.begin();
        assert!(!guard.gave_up(5000), "a tree from nothing is not started anew");
        guard.spent(500);
        guard.complete(Cost::ONE);
        assert_eq!(guard.limit(Cost::ONE), Some(FREE.max(500 / PART)));
    }
}
