//! Following edits: only parts that a change can have touched are made anew.

use crate::hierarchy::build::{BasePart, Maker, joints};
use crate::hierarchy::layout::Area;
use crate::hierarchy::table::Table;
use crate::parallel;
use crate::space::Cell;
use crate::world::grid::{GridChange, GridView};

/// From so many parts on it is worth asking other threads.
const MANY_PARTS: usize = 16;

impl Table {
    /// Brings the table in step with the grid after some changes; `false` if making it anew is quicker.
    pub fn follow(&mut self, view: &GridView<'_>, changes: impl Iterator<Item = GridChange>) -> bool {
        let mut touched = self.touched(view, changes);
        if touched.len() * 4 > self.layout.parts(0) && touched.len() > MANY_PARTS {
            return false;
        }
        self.joints = joints(view, &self.layout);
        let mut maker = Maker::default();
        let made: Vec<BasePart> = if touched.len() < MANY_PARTS {
            let make = |&part: &usize| maker.base_part(view, &self.layout, part, self.joints_at(part));
            touched.iter().map(make).collect()
        } else {
            parallel::map(touched.len(), Maker::default, |maker, index| {
                let part = touched[index];
                maker.base_part(view, &self.layout, part, self.joints_at(part))
            })
        };
        // From the last part to the first, so that what is moved has its place already.
        for (&part, base) in touched.iter().zip(made).rev() {
            self.put(part, base);
        }
        for level in 1..self.layout.levels() {
            for part in &mut touched {
                let first = self.layout.area(level - 1, *part);
                *part = self.layout.part_of(level, Cell::new(first.left, first.top));
            }
            touched.sort_unstable();
            touched.dedup();
            for &part in &touched {
                self.levels[level][part] = maker.upper_part(view, self, level, part);
            }
        }
        true
    }

    /// The parts of the lowest level that changes can have touched, sorted.
    fn touched(&self, view: &GridView<'_>, changes: impl Iterator<Item = GridChange>) -> Vec<usize> {
        // A wall that comes or goes changes where the agent can stand up to here.
        let reach = view.reach();
        let (layout, shape) = (&self.layout, self.layout.shape());
        let mut touched = Vec::new();
        for change in changes {
            // What is one step away from a part decides about its entrances.
            let around =
                |node, distance| layout.parts_in(0, Area::of(shape.cell(node)).grown(distance + 1, shape));
            match change {
                GridChange::Terrain { node, old, new } if old.is_wall() != new.is_wall() => {
                    touched.extend(around(node, reach));
                }
                GridChange::Terrain { node, .. } => touched.extend(around(node, 0)),
                GridChange::LinkAdded(link) | GridChange::LinkRemoved(link) => {
                    touched.extend([link.from, link.to].map(|node| layout.part_of(0, shape.cell(node))));
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        // A link can be used only if the agent can stand at both ends.
        let mut linked = Vec::new();
        for link in view.grid().links() {
            let [from, to] = [link.from, link.to].map(|node| layout.part_of(0, shape.cell(node)));
            if touched.binary_search(&from).is_ok() || touched.binary_search(&to).is_ok() {
                linked.extend([from, to]);
            }
        }
        if !linked.is_empty() {
            touched.append(&mut linked);
            touched.sort_unstable();
            touched.dedup();
        }
        touched
    }

    /// Puts a part of the lowest level in place of the old one.
    fn put(&mut self, part: usize, base: BasePart) {
        let old = self.nodes_of(part);
        let range = old.start as usize..old.end as usize;
        let (before, now) = (range.len() as u32, base.cells.len() as u32);
        self.cells.splice(range.clone(), base.cells);
        self.sides.splice(range, base.sides);
        if before != now {
            for first in &mut self.first[part + 1..] {
                *first = *first - before + now;
            }
        }
        self.levels[0][part] = base.part;
    }
}
