//! Who may profit from a place: for each path, a box around all places through which it may become cheaper.
//!
//! Boxes are kept in square lists of a hierarchical grid: each box in one list, on the level whose squares are just as wide as the
//! box or wider, by the square that its middle is in. So a box is found from any of its points in at most four squares of
//! its level, and to put it elsewhere costs nothing worth mentioning.

use crate::id::NodeId;
use crate::replan::subscriptions::flight::Area;
use crate::space::Point;
use crate::world::view::View;

/// The squares of the lowest level have sides of two to the power of this.
const LOWEST: u32 = 5;
/// The most columns and rows into which the places of a graph are sorted.
const GRAPH_SIDE: f64 = 1024.0;

/// What has to be known of a path to say whether it may become cheaper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where what is left of it begins, and where it ends; none for a path that cannot be walked.
    pub ends: Option<(NodeId, NodeId)>,
    /// What it costs; `u64::MAX` for a path that cannot be walked.
    pub budget: u64,
    pub owner: u32,
}

/// Where an entry is: the number of a list, and its place there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    list: u32,
    at: u32,
}

/// Squares of one size.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The first of its lists.
    first: u32,
    columns: i32,
    rows: i32,
    /// How many entries there are.
    entries: u32,
}

/// All entries.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    origin: Point,
    /// How wide a column is.
    unit: f64,
    columns: i32,
    rows: i32,
    levels: Vec<Level>,
    /// The last is for paths that any place may make cheaper.
    lists: Vec<Vec<Entry>>,
}

impl Regions {
    pub fn new(view: &View<'_>) -> Regions {
        let (origin, unit, columns, rows) = match view {
            View::Grid(view) => {
                (Point::default(), 1.0, view.grid().width() as i32, view.grid().height() as i32)
            }
            View::Graph(graph) => {
                let places = (0..graph.node_count() as u32).map(|node| Area::of(view, NodeId(node)));
                let all = places
                    .reduce(Area::joined)
                    .unwrap_or_else(|| Area { least: Point::default(), most: Point::default() });
                let (wide, high) = (all.most.x - all.least.x, all.most.y - all.least.y);
                let unit = (wide.max(high) / GRAPH_SIDE).max(f64::MIN_POSITIVE);
                (all.least, unit, (wide / unit) as i32 + 1, (high / unit) as i32 + 1)
            }
        };
        let mut levels = Vec::new();
        let mut first = 0;
        for level in LOWEST.. {
            let (wide, high) = (((columns - 1) >> level) + 1, ((rows - 1) >> level) + 1);
            levels.push(Level { first, columns: wide, rows: high, entries: 0 });
            first += (wide * high) as u32;
            if wide.max(high) == 1 {
                break;
            }
        }
        Regions { origin, unit, columns, rows, levels, lists: vec![Vec::new(); first as usize + 1] }
    }

    /// Puts an entry where it can be found from all of its region; `None` stands for everywhere.
    pub fn insert(&mut self, region: Option<Area>, entry: Entry) -> Location {
        let list = match region {
            Some(region) => {
                let (left, top) = self.cell(region.least, -1.0);
                let (right, bottom) = self.cell(region.most, 1.0);
                let side = (right - left).max(bottom - top) as u32 + 1;
                let number = side.next_power_of_two().ilog2().max(LOWEST) - LOWEST;
                let size = number + LOWEST;
                let level = &mut self.levels[number as usize];
                level.entries += 1;
                let (column, row) = ((left + right) / 2 >> size, (top + bottom) / 2 >> size);
                level.first + (row * level.columns + column) as u32
            }
            None => self.lists.len() as u32 - 1,
        };
        let entries = &mut self.lists[list as usize];
        entries.push(entry);
        Location { list, at: entries.len() as u32 - 1 }
    }

    /// Takes an entry away. Another one may get its location: whose that is.
    pub fn remove(&mut self, location: Location) -> Option<u32> {
        if location.list as usize + 1 < self.lists.len() {
            let level = self.levels.partition_point(|level| level.first <= location.list) - 1;
            self.levels[level].entries -= 1;
        }
        let entries = &mut self.lists[location.list as usize];
        entries.swap_remove(location.at as usize);
        entries.get(location.at as usize).map(|entry| entry.owner)
    }

    /// An entry, to change what does not make its region larger.
    pub fn entry(&mut self, location: Location) -> &mut Entry {
        &mut self.lists[location.list as usize][location.at as usize]
    }

    /// Visits all entries whose regions meet an area, and some others.
    pub fn near(&self, area: &Area, mut visit: impl FnMut(&Entry)) {
        let ((left, top), (right, bottom)) = (self.cell(area.least, -1.0), self.cell(area.most, 1.0));
        for (size, level) in (LOWEST..).zip(&self.levels).filter(|(_, level)| level.entries > 0) {
            let half = 1 << (size - 1);
            let span = |from: i32, to: i32, count: i32| {
                ((from - half) >> size).max(0)..=((to + half) >> size).min(count - 1)
            };
            for row in span(top, bottom, level.rows) {
                for column in span(left, right, level.columns) {
                    let list = level.first + (row * level.columns + column) as u32;
                    self.lists[list as usize].iter().for_each(&mut visit);
                }
            }
        }
        self.lists.last().into_iter().flatten().for_each(visit);
    }

    /// Along a curve that keeps neighbours together: a number for a place.
    pub fn order(&self, place: Point) -> u64 {
        let (x, y) = self.cell(place, 0.0);
        (0..32).fold(0, |all, bit| {
            all | (x as u64 >> bit & 1) << (2 * bit) | (y as u64 >> bit & 1) << (2 * bit + 1)
        })
    }

    pub fn bytes(&self) -> usize {
        let entries: usize = self.lists.iter().map(Vec::capacity).sum();
        entries * size_of::<Entry>()
            + self.lists.capacity() * size_of::<Vec<Entry>>()
            + self.levels.capacity() * size_of::<Level>()
    }

    /// The column and row of a place, some columns and rows further; of places outside the nearest.
    fn cell(&self, place: Point, further: f64) -> (i32, i32) {
        let along = |at: f64, origin: f64, count: i32| {
            (((at - origin) / self.unit + further).floor() as i32).clamp(0, count - 1)
        };
        (along(place.x, self.origin.x, self.columns), along(place.y, self.origin.y, self.rows))
    }
}
