//! The least that a way between two places can cost, whatever walls there are.
//!
//! Searches make an estimate for each query, which weighs every link. Here thousands of paths are asked about one place, so
//! links are taken into account as two boxes around all their entrances and exits: weaker, and in constant time.

use crate::agent::Moves;
use crate::cost::Cost;
use crate::graph::Located;
use crate::id::NodeId;
use crate::space::Point;
use crate::world::links::Link;
use crate::world::view::View;

/// A box around places: on grids in columns and rows, on graphs in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub least: Point,
    pub most: Point,
}

impl Area {
    /// The box around a node.
    pub fn of(view: &View<'_>, node: NodeId) -> Area {
        let place = match view {
            View::Grid(view) => {
                let cell = view.grid().cell(node);
                Point::flat(cell.x.into(), cell.y.into())
            }
            View::Graph(graph) => graph.position(node),
        };
        Area { least: place, most: place }
    }

    /// So much wider on every side, but for the height.
    #[must_use]
    pub fn grown(self, by: f64) -> Area {
        let Area { least, most } = self;
        Area {
            least: Point::new(least.x - by, least.y - by, least.z),
            most: Point::new(most.x + by, most.y + by, most.z),
        }
    }

    /// The box around two boxes.
    #[must_use]
    pub fn joined(self, other: Area) -> Area {
        let (a, b, c, d) = (self.least, other.least, self.most, other.most);
        Area {
            least: Point::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z)),
            most: Point::new(c.x.max(d.x), c.y.max(d.y), c.z.max(d.z)),
        }
    }

    /// How far apart two boxes are, along each axis.
    fn gaps(&self, other: &Area) -> Point {
        let gap = |a_least: f64, a_most: f64, b_least: f64, b_most: f64| {
            (b_least - a_most).max(a_least - b_most).max(0.0)
        };
        let (a, b, c, d) = (self.least, self.most, other.least, other.most);
        Point::new(gap(a.x, b.x, c.x, d.x), gap(a.y, b.y, c.y, d.y), gap(a.z, b.z, c.z, d.z))
    }
}

/// What flying costs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Price {
    /// For each straight and each diagonal step.
    Steps { straight: u64, diagonal: u64 },
    /// For a unit of distance.
    Line(f64),
}

/// Boxes around all links.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Doors {
    entrances: Area,
    exits: Area,
    /// What the cheapest costs.
    least: u64,
}

/// The least that a way costs to those who see the world as one agent does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flight {
    price: Price,
    doors: Option<Doors>,
}

impl Flight {
    pub fn new(view: &View<'_>) -> Flight {
        let doors = match view {
            View::Grid(grid) => doors(view, grid.grid().links().iter().copied()),
            View::Graph(graph) => doors(view, graph.open_links()),
        };
        Flight { price: price(view), doors }
    }

    /// The same after changes among which no link was.
    #[must_use]
    pub fn after_changes(&self, view: &View<'_>) -> Flight {
        Flight { price: price(view), ..*self }
    }

    pub fn has_doors(&self) -> bool {
        self.doors.is_some()
    }

    /// By how much a diagonal step is cheaper than two straight ones.
    pub fn saved_by_diagonal(&self) -> u64 {
        match self.price {
            Price::Steps { straight, diagonal } => 2 * straight - diagonal,
            Price::Line(_) => 0,
        }
    }

    /// The least that a way from a place to another costs.
    pub fn between(&self, from: &Area, to: &Area) -> u64 {
        let direct = self.fly(from, to);
        self.doors.map_or(direct, |doors| {
            direct.min(self.fly(from, &doors.entrances) + doors.least + self.fly(&doors.exits, to))
        })
    }

    fn fly(&self, from: &Area, to: &Area) -> u64 {
        let gaps = from.gaps(to);
        match self.price {
            Price::Steps { straight, diagonal } => {
                let (x, y) = (gaps.x as u64, gaps.y as u64);
                straight * x.abs_diff(y) + diagonal * x.min(y)
            }
            Price::Line(scale) => (gaps.distance(Point::default()) * scale) as u64,
        }
    }

    /// A box around all places through which a way between two places may cost less than `budget`; `None` if that may be
    /// anywhere.
    pub fn region(&self, from: &Area, to: &Area, budget: u64) -> Option<Area> {
        let mut region = from.joined(*to);
        let range = self.range(budget)?;
        // What is not spent on getting from one end to the other can be spent on going further, there and back.
        let spare = |a: f64, b: f64| ((range - (a - b).abs()) / 2.0).max(0.0);
        let (x, y) = (spare(from.least.x, to.least.x), spare(from.least.y, to.least.y));
        region.least = Point::new(region.least.x - x, region.least.y - y, region.least.z);
        region.most = Point::new(region.most.x + x, region.most.y + y, region.most.z);
        if let Some(doors) = self.doors {
            let entered = self.fly(from, &doors.entrances) + doors.least;
            let left = self.fly(&doors.exits, to) + doors.least;
            for (box_around, spent) in [(doors.exits, entered), (doors.entrances, left)] {
                if spent < budget {
                    region = region.joined(box_around.grown(self.range(budget - spent)?));
                }
            }
        }
        Some(region)
    }

    /// How far one may get in columns or rows, or along an axis, for so much and a little more.
    fn range(&self, budget: u64) -> Option<f64> {
        let price = match self.price {
            Price::Steps { straight, .. } => straight as f64,
            Price::Line(scale) => scale,
        };
        // Both halves of a way are rounded down to whole units.
        let range = (budget as f64 + 2.0) / price;
        range.is_finite().then_some(range)
    }
}

fn price(view: &View<'_>) -> Price {
    match view {
        View::Grid(view) => {
            let [straight, diagonal] = view.level_steps(view.grid().cheapest_terrain()).map(Cost::units);
            let two = 2 * straight;
            Price::Steps {
                straight,
                diagonal: if view.moves() == Moves::Four { two } else { diagonal.min(two) },
            }
        }
        View::Graph(graph) => Price::Line(graph.road_scale()),
    }
}

fn doors(view: &View<'_>, links: impl Iterator<Item = Link>) -> Option<Doors> {
    let door = |link: Link| Doors {
        entrances: Area::of(view, link.from),
        exits: Area::of(view, link.to),
        least: link.cost.units(),
    };
    links.map(door).reduce(|a, b| Doors {
        entrances: a.entrances.joined(b.entrances),
        exits: a.exits.joined(b.exits),
        least: a.least.min(b.least),
    })
}
