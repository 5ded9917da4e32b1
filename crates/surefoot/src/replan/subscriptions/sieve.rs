//! A quick test of many paths: which of them may become cheaper through a place?
//!
//! Whether the cost over a place, ignoring walls, is below the cost of a path is tested for thousands of paths at once,
//! most of which fail. The test uses small integers, 1024 for a straight step, rounded so that a rejection is never
//! wrong. Columns of such numbers are compared several at a time.

use crate::replan::subscriptions::regions::Entry;
use crate::world::paper::{Area, Place};

/// A straight step.
const STEP: u64 = 1024;

/// The number of paths that are tested before those that pass are examined further.
const ROUND: usize = 64;

/// Costs as small numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// The cost of a straight step.
    straight: u64,
    /// The extra cost of a diagonal step, as a small number.
    corner: u16,
}

impl Scale {
    pub fn new(straight: u64, diagonal: u64) -> Option<Scale> {
        let corner =
            (u128::from(diagonal.checked_sub(straight)?) * u128::from(STEP)).checked_div(straight.into())?;
        Some(Scale { straight, corner: corner.try_into().ok()? })
    }

    /// Returns a cost as a small number, rounded up.
    pub fn limit(&self, price: u64) -> i32 {
        let small = (u128::from(price) * u128::from(STEP)).div_ceil(self.straight.into());
        small.try_into().unwrap_or(i32::MAX)
    }

    /// Creates a test for paths that lead to a box and continue from another, with an extra cost between the two.
    pub fn sieve(&self, from: &Area, to: &Area, extra: i64) -> Sieve {
        let small = (i128::from(extra) * i128::from(STEP)).div_euclid(self.straight.into());
        // More than that makes no difference: paths over the largest map are shorter.
        let most = i128::from(i32::MAX / 4);
        Sieve {
            boxes: [from, to].map(Corners::of),
            corner: self.corner,
            extra: small.clamp(-most, most) as i32,
        }
    }
}

/// A box with the small coordinates of places.
#[derive(Clone, Copy, Debug)]
struct Corners {
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
}

impl Corners {
    fn of(area: &Area) -> Corners {
        let small = |at: i32| at.clamp(0, u16::MAX.into()) as u16;
        let Area { left, top, right, bottom } = *area;
        Corners { left: small(left), top: small(top), right: small(right), bottom: small(bottom) }
    }

    /// Returns a lower bound on the cost from a place to here, or back, ignoring walls.
    #[inline]
    fn cost_from(self, x: u16, y: u16, corner: u16) -> u32 {
        // One of the two is zero.
        let columns = self.left.saturating_sub(x) + x.saturating_sub(self.right);
        let rows = self.top.saturating_sub(y) + y.saturating_sub(self.bottom);
        let more = columns.saturating_sub(rows);
        let (most, least) = (rows + more, columns - more);
        u32::from(most) * STEP as u32 + u32::from(least) * u32::from(corner)
    }
}

/// A test for many paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sieve {
    boxes: [Corners; 2],
    corner: u16,
    extra: i32,
}

/// Entries in columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Columns and rows of the starts and of the goals.
    ends: [Vec<u16>; 4],
    /// The costs of the paths, as small numbers.
    limits: Vec<i32>,
    /// Owners and the costs of their paths.
    owners: Vec<(u32, u64)>,
}

impl Columns {
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    pub fn push(&mut self, entry: Entry) {
        for (column, at) in self.ends.iter_mut().zip(coordinates(&entry)) {
            column.push(at);
        }
        self.limits.push(entry.limit);
        self.owners.push((entry.owner, entry.budget));
    }

    pub fn swap_remove(&mut self, at: usize) {
        for column in &mut self.ends {
            column.swap_remove(at);
        }
        self.limits.swap_remove(at);
        self.owners.swap_remove(at);
    }

    pub fn get(&self, at: usize) -> Entry {
        let place = |x: usize| Place { x: self.ends[x][at], y: self.ends[x + 1][at] };
        let (owner, budget) = self.owners[at];
        Entry { ends: [place(0), place(2)], owner, budget, limit: self.limits[at] }
    }

    pub fn set(&mut self, at: usize, entry: Entry) {
        for (column, to) in self.ends.iter_mut().zip(coordinates(&entry)) {
            column[at] = to;
        }
        self.limits[at] = entry.limit;
        self.owners[at] = (entry.owner, entry.budget);
    }

    pub fn owner(&self, at: usize) -> Option<u32> {
        self.owners.get(at).map(|&(owner, _)| owner)
    }

    /// Visits all entries that pass the sieve, or all entries without one.
    pub fn visit(&self, sieve: Option<&Sieve>, visit: &mut impl FnMut(&Entry)) {
        let Some(sieve) = sieve else {
            (0..self.len()).for_each(|at| visit(&self.get(at)));
            return;
        };
        let mut passed = [0_u8; ROUND];
        let mut found = [0_u8; ROUND];
        for first in (0..self.len()).step_by(ROUND) {
            let round = first..(first + ROUND).min(self.len());
            sieve.test(
                self.ends.each_ref().map(|column| &column[round.clone()]),
                &self.limits[round],
                &mut passed,
            );
            let count = (self.len() - first).min(ROUND);
            // Branchless, because which of them pass is unpredictable.
            let mut next = 0;
            for (number, &passes) in (0_u8..).zip(&passed[..count]) {
                found[next % ROUND] = number;
                next += usize::from(passes);
            }
            for &number in &found[..next] {
                visit(&self.get(first + usize::from(number)));
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.owners.capacity() * size_of::<(u32, u64)>()
            + self.limits.capacity() * size_of::<i32>()
            + self.ends.iter().map(Vec::capacity).sum::<usize>() * size_of::<u16>()
    }
}

fn coordinates(entry: &Entry) -> [u16; 4] {
    let [start, goal] = entry.ends;
    [start.x, start.y, goal.x, goal.y]
}

impl Sieve {
    /// Writes 1 for each path that may become cheaper, else 0.
    #[inline]
    fn test(&self, ends: [&[u16]; 4], limits: &[i32], passed: &mut [u8; ROUND]) {
        let Sieve { boxes: [from, to], corner, extra } = *self;
        let [start_x, start_y, goal_x, goal_y] = ends;
        let starts = start_x.iter().zip(start_y);
        let goals = goal_x.iter().zip(goal_y);
        let paths = starts.zip(goals).zip(limits).zip(passed);
        for ((((&start_x, &start_y), (&goal_x, &goal_y)), &limit), passes) in paths {
            let least = from.cost_from(start_x, start_y, corner) + to.cost_from(goal_x, goal_y, corner);
            *passes = u8::from((least as i32) + extra < limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(ends: [u16; 4], owner: u32, budget: u64, scale: &Scale) -> Entry {
        let [a, b, c, d] = ends;
        Entry {
            ends: [Place { x: a, y: b }, Place { x: c, y: d }],
            owner,
            budget,
            limit: scale.limit(budget),
        }
    }

    proptest! {
        #[test]
        fn all_paths_that_may_become_cheaper_pass_and_few_others(
            paths in prop::collection::vec((any::<[u16; 4]>(), 0..400_u64), 1..200),
            corner in any::<[u16; 2]>(), size in 0..9_i32, extra in -50_000..90_000_i64,
        ) {
            let (straight, diagonal) = (23_780, 33_630);
            let scale = Scale::new(straight, diagonal).unwrap();
            let [left, top] = corner.map(i32::from);
            let area = Area { left, top, right: left + size, bottom: top + size };
            let fly = |x: u16, y: u16| {
                let dx = (left - i32::from(x)).max(i32::from(x) - area.right).max(0) as u64;
                let dy = (top - i32::from(y)).max(i32::from(y) - area.bottom).max(0) as u64;
                straight * dx.abs_diff(dy) + diagonal * dx.min(dy)
            };
            let least = |ends: [u16; 4]| (fly(ends[0], ends[1]) + fly(ends[2], ends[3])) as i64 + extra;
            let mut columns = Columns::default();
            for (owner, &(ends, spare)) in (0..).zip(&paths) {
                // Budgets near the threshold, by units or by hundreds of them.
                let budget = (least(ends) + (spare as i64 - 200) * [1, 100][owner as usize % 2]).max(0) as u64;
                columns.push(entry(ends, owner, budget, &scale));
            }
            let mut passed = Vec::new();
            columns.visit(Some(&scale.sieve(&area, &area, extra)), &mut |entry| passed.push(entry.owner));
            for at in 0..columns.len() {
                let Entry { ends: [start, goal], owner, budget, .. } = columns.get(at);
                let least = least([start.x, start.y, goal.x, goal.y]);
                let passes = passed.contains(&owner);
                prop_assert!(passes || least >= budget as i64, "{least} {budget}");
                // A hundredth of a step on a path of a hundred.
                prop_assert!(!passes || least < budget as i64 + 100 + least.abs() / 1000, "{least} {budget}");
            }
        }
    }

    #[test]
    fn a_path_that_gains_one_unit_passes() {
        let scale = Scale::new(23_780, 33_630).unwrap();
        let place = Area { left: 3, top: 0, right: 3, bottom: 0 };
        for (extra, budget) in [(0, 9 * 23_780 + 1), (-1, 9 * 23_780), (1, 9 * 23_780 + 2)] {
            let (mut columns, mut passed) = (Columns::default(), 0);
            columns.push(entry([0, 0, 9, 0], 0, budget, &scale));
            columns.visit(Some(&scale.sieve(&place, &place, extra)), &mut |_| passed += 1);
            assert_eq!(passed, 1, "{extra}");
        }
    }

    #[test]
    fn entries_keep_together() {
        let scale = Scale::new(10, 14).unwrap();
        let mut columns = Columns::default();
        for owner in 0..3 {
            columns.push(entry([owner as u16; 4], owner, 100, &scale));
        }
        columns.swap_remove(0);
        columns.set(1, entry([9; 4], 1, u64::MAX, &scale));
        let (mut all, mut owners) = (Vec::new(), Vec::new());
        columns.visit(None, &mut |entry| all.push((entry.owner, entry.ends[0].x)));
        assert_eq!(all, [(2, 2), (1, 9)]);
        let far = Area { left: 60_000, top: 0, right: 60_000, bottom: 0 };
        columns.visit(Some(&scale.sieve(&far, &far, 0)), &mut |entry| owners.push(entry.owner));
        assert_eq!(owners, [1], "whose path cannot be walked is always told");
        let border = Area { left: -4, top: -4, right: 2, bottom: 70_000 };
        columns.visit(Some(&scale.sieve(&border, &border, 0)), &mut |entry| owners.push(entry.owner));
        assert_eq!(owners, [1, 2, 1], "a place may reach beyond the map");
    }
}
