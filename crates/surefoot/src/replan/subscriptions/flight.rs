//! The least that a way between two places can cost, whatever walls there are.
//!
//! Searches make an estimate for each query, which weighs every link. Here thousands of paths are asked about one place, so
//! links are taken into account as two boxes around all their entrances and exits, and graphs are seen from above on
//! graph paper: weaker, and a few integer operations.

use crate::agent::{Moves, Moves3};
use crate::cost::Cost;
use crate::graph::Located;
use crate::id::NodeId;
use crate::replan::subscriptions::sieve::Scale;
use crate::space::{Cell, Point, Voxel};
use crate::world::links::Link;
use crate::world::view::View;
use crate::world::voxels::cost_along;

/// The most columns and rows of the paper on which a graph is drawn.
const GRAPH_SIDE: f64 = 16_384.0;

/// How much further a region reaches than it has to. Covers what rounding to whole units and whole columns loses, and steps
/// that lead past a place instead of over it.
const MARGIN: u64 = 8;

/// A column and a row.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Place {
    pub x: u16,
    pub y: u16,
}

impl Place {
    /// That of a cell.
    pub fn of(cell: Cell) -> Place {
        Place { x: cell.x as u16, y: cell.y as u16 }
    }
}

/// Where the nodes of a world are in columns and rows: of a grid its own, of a graph those of a fine paper, of a
/// voxel world those seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Chart {
    origin: Point,
    unit: f64,
    pub columns: i32,
    pub rows: i32,
}

impl Chart {
    pub fn new(view: &View<'_>) -> Chart {
        match view {
            View::Grid(view) => {
                let (columns, rows) = (view.grid().width() as i32, view.grid().height() as i32);
                Chart { origin: Point::default(), unit: 1.0, columns, rows }
            }
            View::Voxels(view) => {
                let [columns, rows, _] = view.voxels().size().map(|side| side as i32);
                Chart { origin: Point::default(), unit: 1.0, columns, rows }
            }
            View::Graph(graph) => {
                let places = || graph.positions().iter();
                let origin = places().fold(Point::flat(f64::MAX, f64::MAX), |least, place| {
                    Point::flat(least.x.min(place.x), least.y.min(place.y))
                });
                let side = places()
                    .fold(0.0, |side: f64, place| side.max(place.x - origin.x).max(place.y - origin.y));
                let unit = (side / (GRAPH_SIDE - 1.0)).max(f64::MIN_POSITIVE);
                Chart { origin, unit, columns: GRAPH_SIDE as i32, rows: GRAPH_SIDE as i32 }
            }
        }
    }

    /// Where a node is.
    pub fn place(&self, view: &View<'_>, node: NodeId) -> Place {
        match view {
            View::Grid(view) => Place::of(view.grid().cell(node)),
            View::Voxels(view) => {
                let Voxel { x, y, .. } = view.voxels().voxel(node);
                Place { x: x as u16, y: y as u16 }
            }
            View::Graph(graph) => {
                let position = graph.position(node);
                let along =
                    |at: f64, origin: f64| (((at - origin) / self.unit) as u16).min(GRAPH_SIDE as u16 - 1);
                Place { x: along(position.x, self.origin.x), y: along(position.y, self.origin.y) }
            }
        }
    }
}

/// A box around places, in columns and rows, ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl From<Place> for Area {
    #[inline]
    fn from(place: Place) -> Area {
        let (x, y) = (i32::from(place.x), i32::from(place.y));
        Area { left: x, top: y, right: x, bottom: y }
    }
}

impl Area {
    /// So many columns and rows wider on every side.
    #[must_use]
    pub fn grown(self, columns: i32, rows: i32) -> Area {
        Area {
            left: self.left.saturating_sub(columns),
            top: self.top.saturating_sub(rows),
            right: self.right.saturating_add(columns),
            bottom: self.bottom.saturating_add(rows),
        }
    }

    /// The box around two boxes.
    #[must_use]
    pub fn joined(self, other: Area) -> Area {
        Area {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// How many columns and rows two boxes are apart.
    #[inline]
    fn gaps(&self, other: &Area) -> (u64, u64) {
        let columns = (other.left - self.right).max(self.left - other.right).max(0);
        let rows = (other.top - self.bottom).max(self.top - other.bottom).max(0);
        (columns as u64, rows as u64)
    }
}

/// What flying costs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Price {
    /// For each straight and each diagonal step.
    Steps { straight: u64, diagonal: u64 },
    /// For a line as long as a column is wide.
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
    pub fn new(view: &View<'_>, chart: &Chart) -> Flight {
        let doors = match view {
            View::Grid(grid) => doors(view, chart, grid.grid().links().iter().copied()),
            View::Graph(graph) => doors(view, chart, graph.open_links()),
            View::Voxels(_) => None,
        };
        Flight { price: price(view, chart), doors }
    }

    /// The same after changes among which no link was.
    #[must_use]
    pub fn after_changes(&self, view: &View<'_>, chart: &Chart) -> Flight {
        Flight { price: price(view, chart), ..*self }
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

    /// Prices as small numbers, if a quick look is enough to rule ways out.
    pub fn scale(&self) -> Option<Scale> {
        match (self.price, self.doors) {
            (Price::Steps { straight, diagonal }, None) => Scale::new(straight, diagonal),
            _ => None,
        }
    }

    /// What a path costs as a small number; the largest if that does not matter.
    pub fn limit(&self, budget: u64) -> i32 {
        self.scale().map_or(i32::MAX, |scale| scale.limit(budget))
    }

    /// The least that a way from a place to another costs.
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

    /// A box around all places through which a way between two places may cost less than `budget`; `None` if that may be
    /// anywhere.
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

    /// How many columns or rows one may get for so much, and some more.
    fn range(&self, budget: u64) -> Option<i32> {
        let range = match self.price {
            Price::Steps { straight, .. } => (budget / straight) as f64,
            Price::Line(price) => budget as f64 / price,
        };
        let range = range + MARGIN as f64;
        (range < f64::from(i32::MAX / 4)).then_some(range as i32)
    }
}

fn price(view: &View<'_>, chart: &Chart) -> Price {
    match view {
        View::Grid(view) => {
            let [straight, diagonal] = view.level_steps(view.grid().cheapest_terrain()).map(Cost::units);
            let two = 2 * straight;
            let diagonal = if view.moves() == Moves::Four { two } else { diagonal.min(two) };
            Price::Steps { straight, diagonal }
        }
        View::Graph(graph) => Price::Line(graph.road_scale() * chart.unit),
        // Seen from above, a way through space is no longer than it is.
        View::Voxels(view) => {
            let straight = cost_along(1).units();
            let diagonal = if view.moves() == Moves3::Six { 2 * straight } else { cost_along(2).units() };
            Price::Steps { straight, diagonal }
        }
    }
}

fn doors(view: &View<'_>, chart: &Chart, links: impl Iterator<Item = Link>) -> Option<Doors> {
    let door = |link: Link| Doors {
        entrances: chart.place(view, link.from).into(),
        exits: chart.place(view, link.to).into(),
        least: link.cost.units(),
    };
    links.map(door).reduce(|a, b| Doors {
        entrances: a.entrances.joined(b.entrances),
        exits: a.exits.joined(b.exits),
        least: a.least.min(b.least),
    })
}
