//! A lower bound on the cost of a path between two places, whatever walls there are.
//!
//! Searches create a heuristic per query, which considers every link. Here thousands of paths are compared with one
//! place, so links are represented by two boxes around all their entrances and exits, and the world is
//! [projected](crate::world::paper) to 2D. This is a weaker bound, but takes only a few integer operations.

use crate::replan::subscriptions::sieve::Scale;
use crate::world::any::{View, on_world};
use crate::world::links::Link;
use crate::world::paper::{Area, Chart, Place, Price};
use crate::world::space::SearchSpace;

/// How much further a region reaches than it has to. Covers what rounding to whole units and whole columns loses, and steps
/// that lead past a place instead of over it.
const MARGIN: u64 = 8;

/// Boxes around all links.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Doors {
    entrances: Area,
    exits: Area,
    /// The cost of the cheapest link.
    least: u64,
}

/// Lower bounds on costs for all agents with the same view of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flight {
    price: Price,
    doors: Option<Doors>,
}

impl Flight {
    pub fn new(view: &View<'_>, chart: &Chart) -> Flight {
        on_world!(view, space => Flight { price: space.price(chart), doors: doors(space, chart) })
    }

    /// Returns the bounds after changes that did not involve links.
    #[must_use]
    pub fn after_changes(&self, view: &View<'_>, chart: &Chart) -> Flight {
        Flight { price: on_world!(view, space => space.price(chart)), ..*self }
    }

    pub fn has_doors(&self) -> bool {
        self.doors.is_some()
    }

    /// Returns the scale for costs as small numbers, if a quick test is enough to rule paths out.
    pub fn scale(&self) -> Option<Scale> {
        match (self.price, self.doors) {
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
        self.doors.map_or(direct, |doors| {
            direct.min(self.fly(from, &doors.entrances) + doors.least + self.fly(&doors.exits, to))
        })
    }

    #[inline]
    fn fly(&self, from: &Area, to: &Area) -> u64 {
        let (x, y) = from.gaps(to);
        match self.price {
            Price::Steps { straight, diagonal } => straight * x.abs_diff(y) + diagonal * x.min(y),
            Price::Line(price) => {
                // Places are somewhere in their columns and rows.
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
        // What is not spent on getting from one end to the other can be spent on going further, there and back.
        let spare = |a: i32, b: i32| (range - (a - b).abs()).max(0) / 2 + 1;
        let mut region = from.joined(to).grown(spare(from.left, to.left), spare(from.top, to.top));
        if let Some(doors) = self.doors {
            let entered = self.fly(&from, &doors.entrances) + doors.least;
            let left = self.fly(&doors.exits, &to) + doors.least;
            for (around, spent) in [(doors.exits, entered), (doors.entrances, left)] {
                if spent < budget {
                    let range = self.range(budget - spent)?;
                    region = region.joined(around.grown(range, range));
                }
            }
        }
        Some(region)
    }

    /// Returns how many columns or rows can be covered for a cost, and some more.
    fn range(&self, budget: u64) -> Option<i32> {
        let range = match self.price {
            Price::Steps { straight, .. } => (budget / straight) as f64,
            Price::Line(price) => budget as f64 / price,
        };
        let range = range + MARGIN as f64;
        (range < f64::from(i32::MAX / 4)).then_some(range as i32)
    }
}

/// The boxes around all links of a world, if it has links.
fn doors(space: &impl SearchSpace, chart: &Chart) -> Option<Doors> {
    let mut doors: Option<Doors> = None;
    space.for_each_link(|Link { from, to, cost }| {
        let [entrances, exits] = [from, to].map(|node| space.place(chart, node).into());
        let door = Doors { entrances, exits, least: cost.units() };
        doors = Some(doors.map_or(door, |doors| Doors {
            entrances: doors.entrances.joined(door.entrances),
            exits: doors.exits.joined(door.exits),
            least: doors.least.min(door.least),
        }));
    });
    doors
}
