//! What a change may affect: which legs to measure again, and where paths may have become cheaper.

use crate::replan::subscriptions::lower_bound::LowerBound;
use crate::replan::subscriptions::sieve::Sieve;
use crate::world::any::{View, on_world};
use crate::world::changes::Changes;
use crate::world::paper::{Area, Chance, Chart, Place};
use crate::world::space::SearchSpace;

/// The maximum number of places that are tested one by one for whether they make paths cheaper. If there are more, boxes around
/// several are tested.
const MANY_CHANCES: usize = 32;

impl Chance {
    /// Returns the area in which to look for paths that may become cheaper.
    pub(super) fn place(&self) -> Area {
        // Diagonal steps past a cell that has opened lead from one neighbour to another.
        self.from.grown(1, 1)
    }

    /// Returns a lower bound on the cost of a path that uses it.
    #[inline]
    pub(super) fn least(&self, bound: &LowerBound, [start, goal]: [Place; 2]) -> u64 {
        let before = bound.between(&start.into(), &self.from);
        let after = bound.between(&self.to, &goal.into());
        let toll = if before == 0 || after == 0 { 0 } else { self.toll };
        (before + after + toll).saturating_add_signed(self.extra)
    }

    /// Returns a quick test for paths that may use it, if there is one.
    pub(super) fn sieve(&self, bound: &LowerBound) -> Option<Sieve> {
        bound.scale().map(|scale| scale.sieve(&self.from, &self.to, self.extra))
    }

    /// Returns a chance that is at least as good as either of two.
    fn joined(self, other: Chance) -> Chance {
        Chance {
            from: self.from.joined(other.from),
            to: self.to.joined(other.to),
            extra: self.extra.min(other.extra),
            toll: self.toll.min(other.toll),
        }
    }
}

/// Collects the nodes whose legs may have changed, by block: `(block, nodes)`, each block once.
pub(super) fn suspects_into(changes: &Changes, view: &View<'_>, suspects: &mut Vec<(u32, u64)>) {
    suspects.clear();
    on_world!(view, space => {
        let blocks = space.blocks();
        space.for_each_suspect(changes, |node, distance| {
            blocks.around(node, distance, |block, nodes| suspects.push((block, nodes)));
        });
    });
    suspects.sort_unstable();
    suspects.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 |= later.1;
        }
        same
    });
}

/// Collects what may make paths cheaper. A path that has become cheaper uses at least one of these, so the lower bound on
/// the cost through each of them decides.
pub(super) fn chances_into(
    changes: &Changes,
    view: &View<'_>,
    chart: &Chart,
    bound: &LowerBound,
    chances: &mut Vec<Chance>,
) {
    chances.clear();
    on_world!(view, space => space.chances(changes, chart, bound.has_links(), chances));
    if chances.len() > MANY_CHANCES {
        chances.sort_unstable_by_key(|chance| along_a_curve(&chance.from));
        let (size, mut boxes) = (chances.len().div_ceil(MANY_CHANCES), 0);
        for first in (0..chances.len()).step_by(size) {
            let end = (first + size).min(chances.len());
            chances[boxes] = chances[first..end].iter().copied().fold(chances[first], Chance::joined);
            boxes += 1;
        }
        chances.truncate(boxes);
    }
}

/// Returns the position of a place on a space-filling curve, which keeps neighbours together.
fn along_a_curve(area: &Area) -> u64 {
    let spread = |at: i32, bit: u32| (at as u64 >> bit & 1) << (2 * bit);
    (0..16).fold(0, |all, bit| all | spread(area.left.max(0), bit) | spread(area.top.max(0), bit) << 1)
}
