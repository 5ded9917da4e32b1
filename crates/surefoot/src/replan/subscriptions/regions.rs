//! Which paths may become cheaper through a place: for each path, a box around all places through which it may become cheaper.
//!
//! Boxes are kept in the squares of a hierarchical grid. Each box is stored once, on the level whose squares are just
//! as wide as the box or wider, in the square that contains its centre. So a box is found from any of its points in at
//! most four squares of its level, and moving it costs almost nothing.

use crate::replan::subscriptions::sieve::{Columns, Sieve};
use crate::world::paper::{Area, Chart, Place};

/// The maximum number of squares of the lowest level along the longer side of the world.
const FINEST: u32 = 64;

/// The data needed to decide whether a path may become cheaper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where the remaining path begins, and where it ends.
    pub ends: [Place; 2],
    pub owner: u32,
    /// Its cost; `u64::MAX` for a path that cannot be walked, wherever it ends.
    pub budget: u64,
    /// The same as a small number.
    pub limit: i32,
}

/// The location of an entry: the number of a list, and the position in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location {
    list: u32,
    at: u32,
}

/// Squares of one size.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The binary logarithm of their side.
    size: u32,
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
    columns: i32,
    rows: i32,
    levels: Vec<Level>,
    /// The last is for paths that any place may make cheaper.
    lists: Vec<Columns>,
}

impl Regions {
    pub fn new(chart: &Chart) -> Regions {
        let (columns, rows) = (chart.columns, chart.rows);
        let lowest = (columns.max(rows) as u32).div_ceil(FINEST).next_power_of_two().ilog2();
        let mut levels = Vec::new();
        let mut first = 0;
        for size in lowest.. {
            let (wide, high) = (((columns - 1) >> size) + 1, ((rows - 1) >> size) + 1);
            levels.push(Level { size, first, columns: wide, rows: high, entries: 0 });
            first += (wide * high) as u32;
            if wide.max(high) == 1 {
                break;
            }
        }
        Regions { columns, rows, levels, lists: vec![Columns::default(); first as usize + 1] }
    }

    /// Inserts an entry where it can be found from all of its region; `None` stands for everywhere.
    pub fn insert(&mut self, region: Option<Area>, entry: Entry) -> Location {
        let list = match region.map(|region| self.clipped(&region)) {
            Some(Area { left, top, right, bottom }) => {
                let side = (right - left).max(bottom - top) + 1;
                let number = self.levels.partition_point(|level| 1 << level.size < side);
                let level = &mut self.levels[number];
                level.entries += 1;
                let middle = |from: i32, to: i32| i32::midpoint(from, to) >> level.size;
                let (column, row) = (middle(left, right), middle(top, bottom));
                level.first + (row * level.columns + column) as u32
            }
            None => self.lists.len() as u32 - 1,
        };
        let entries = &mut self.lists[list as usize];
        entries.push(entry);
        Location { list, at: entries.len() as u32 - 1 }
    }

    /// Removes an entry. Another one may take over its location; returns the owner of that one.
    pub fn remove(&mut self, location: Location) -> Option<u32> {
        if !self.is_everywhere(location) {
            let level = self.levels.partition_point(|level| level.first <= location.list) - 1;
            self.levels[level].entries -= 1;
        }
        let entries = &mut self.lists[location.list as usize];
        entries.swap_remove(location.at as usize);
        entries.owner(location.at as usize)
    }

    /// Returns whether a path is tested for every change, like all paths that cannot be walked.
    pub fn is_everywhere(&self, location: Location) -> bool {
        location.list as usize + 1 == self.lists.len()
    }

    /// Replaces an entry by one whose region is no larger.
    pub fn set(&mut self, location: Location, entry: Entry) {
        self.lists[location.list as usize].set(location.at as usize, entry);
    }

    /// Visits all entries whose regions meet an area, and some others; a sieve may filter some out.
    pub fn near(&self, area: &Area, sieve: Option<&Sieve>, mut visit: impl FnMut(&Entry)) {
        let Area { left, top, right, bottom } = self.clipped(area);
        for level in self.levels.iter().filter(|level| level.entries > 0) {
            let half = (1 << level.size) / 2;
            let span = |from: i32, to: i32, count: i32| {
                ((from - half) >> level.size).max(0)..=((to + half) >> level.size).min(count - 1)
            };
            for row in span(top, bottom, level.rows) {
                for column in span(left, right, level.columns) {
                    let list = level.first + (row * level.columns + column) as u32;
                    self.lists[list as usize].visit(sieve, &mut visit);
                }
            }
        }
        self.lists.last().into_iter().for_each(|everywhere| everywhere.visit(sieve, &mut visit));
    }

    pub fn bytes(&self) -> usize {
        self.lists.iter().map(Columns::bytes).sum::<usize>()
            + self.lists.capacity() * size_of::<Columns>()
            + self.levels.capacity() * size_of::<Level>()
    }

    /// Returns the part of an area inside the covered range, or the edge nearest to it.
    fn clipped(&self, area: &Area) -> Area {
        let (column, row) = (|x: i32| x.clamp(0, self.columns - 1), |y: i32| y.clamp(0, self.rows - 1));
        Area {
            left: column(area.left),
            top: row(area.top),
            right: column(area.right),
            bottom: row(area.bottom),
        }
    }
}
