//! A lower bound on the cost of a path between two places, ignoring walls.
//!
//! Searches create a heuristic per query, which considers every link. Here thousands of paths are compared with one
//! place, so links are represented by two boxes around all their entrances and exits, and the world is
//! [projected](crate::world::paper) to 2D. This is a weaker bound, but takes only a few integer operations.

use crate::replan::subscriptions::sieve::Scale;
use crate::world::any::{View, on_world};
use crate::world::links::Link;
use crate::world::paper::{Area, Chart, Place, Price};
use crate::world::space::SearchSpace;

/// The margin of a region. Covers rounding to whole units and whole columns, and steps that lead past a place instead of over it.
const MARGIN: u64 = 8;

/// Boxes around all links.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LinkBoxes {
    entrances: Area,
    exits: Area,
    /// The cost of the cheapest link.
    least: u64,
}

/// Lower bounds on costs for all agents with the same view of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LowerBound {
    price: Price,
    links: Option<LinkBoxes>,
}

impl LowerBound {
    pub fn new(view: &View<'_>, chart: &Chart) -> LowerBound {
        on_world!(view, space => LowerBound { price: space.price(chart), links: links(space, chart) })
    }

    /// Returns the bounds after changes that did not involve links.
    #[must_use]
    pub fn after_changes(&self, view: &View<'_>, chart: &Chart) -> LowerBound {
        LowerBound { price: on_world!(view, space => space.price(chart)), ..*self }
    }

    pub fn has_links(&self) -> bool {
        self.links.is_some()
    }

    /// Returns the scale for costs as small numbers, if a quick test is enough to rule paths out.
    pub fn scale(&self) -> Option<Scale> {
        match (self.price, self.links) {
            (Price::Steps { straight, diagonal }, None) => Scale::new(straight, diagonal),
            _ => None,
        }
    }

    /// Returns the cost of a path as a small number; the largest if that does not matter.
    pub fn limit(&self, budget: u64) -> i32 {
        self.scale().map_or(i32::MAX, |scale| scale.limit(budget))
    }

    /// Returns a lower bound on the cost of a path between two places.
    #[inline]
    pub fn between(&self, from: &Area, to: &Area) -> u64 {
        let direct = self.fly(from, to);
        self.links.map_or(direct, |links| {
            direct.min(self.fly(from, &links.entrances) + links.least + self.fly(&links.exits, to))
        })
    }

    #[inline]
    fn fly(&self, from: &Area, to: &Area) -> u64 {
        let (x, y) = from.gaps(to);
        match self.price {
            Price::Steps { straight, diagonal } => straight * x.abs_diff(y) + diagonal * x.min(y),
            Price::Line(price) => {
                // A place may be anywhere in its column and row.
                let (x, y) = (x.saturating_sub(1), y.saturating_sub(1));
                (((x * x + y * y) as f64).sqrt() * price) as u64
            }
        }
    }

    /// Returns a box around all places through which a path between two places may cost less than `budget`; `None` if
    /// that may be anywhere.
    pub fn region(&self, ends: [Place; 2], budget: u64) -> Option<Area> {
        let [from, to] = ends.map(Area::from);
        let range = self.range(budget)?;
        // The budget that is left after the direct path can be used for a detour, there and back.
        let spare = |a: i32, b: i32| (range - (a - b).abs()).max(0) / 2 + 1;
        let mut region = from.joined(to).grown(spare(from.left, to.left), spare(from.top, to.top));
        if let Some(links) = self.links {
            let entered = self.fly(&from, &links.entrances) + links.least;
            let left = self.fly(&links.exits, &to) + links.least;
            for (around, spent) in [(links.exits, entered), (links.entrances, left)] {
                if spent < budget {
                    let range = self.range(budget - spent)?;
                    region = region.joined(around.grown(range, range));
                }
            }
        }
        Some(region)
    }

    /// Returns how many columns or rows can be covered for a cost, plus a margin.
    fn range(&self, budget: u64) -> Option<i32> {
        let range = match self.price {
            Price::Steps { straight, .. } => (budget / straight) as f64,
            Price::Line(price) => budget as f64 / price,
        };
        let range = range + MARGIN as f64;
        (range < f64::from(i32::MAX / 4)).then_some(range as i32)
    }
}

/// Returns the boxes around all links of a world, if it has links.
fn links(space: &impl SearchSpace, chart: &Chart) -> Option<LinkBoxes> {
    let mut links: Option<LinkBoxes> = None;
    space.for_each_link(|Link { from, to, cost }| {
        let [entrances, exits] = [from, to].map(|node| space.place(chart, node).into());
        let one = LinkBoxes { entrances, exits, least: cost.units() };
        links = Some(links.map_or(one, |links| LinkBoxes {
            entrances: links.entrances.joined(one.entrances),
            exits: links.exits.joined(one.exits),
            least: links.least.min(one.least),
        }));
    });
    links
}
