//! Following edits: only clusters that a change may have affected are rebuilt.

use crate::hierarchy::build::{Maker, joints};
use crate::hierarchy::layout::Area;
use crate::hierarchy::table::{Made, Table};
use crate::parallel;
use crate::search::prepare::{PrepareError, PrepareOptions, Ticker};
use crate::space::Cell;
use crate::world::changes::Changes;
use crate::world::grid::GridView;

/// The number of clusters from which on several workers are used.
const MANY_PARTS: usize = 16;

impl Table {
    /// Updates the table after some changes of the grid; `false` if rebuilding it is faster. After an error the table
    /// must not be used any more.
    pub fn follow(
        &mut self,
        view: &GridView<'_>,
        changes: &Changes,
        options: &PrepareOptions<'_>,
    ) -> Result<bool, PrepareError> {
        let mut touched = self.touched(view, changes);
        if touched.len() * 4 > self.layout.parts(0) && touched.len() > MANY_PARTS {
            return Ok(false);
        }
        let ticker = Ticker::new(options, touched.len() as u64);
        self.joints = joints(view, &self.layout);
        let mut maker = Maker::default();
        let base_part = |maker: &mut Maker, part: usize| {
            ticker.tick()?;
            maker.base_part(view, &self.layout, part, self.joints_at(part), &ticker)
        };
        let made: Vec<Result<Made, PrepareError>> = if touched.len() < MANY_PARTS {
            touched.iter().map(|&part| base_part(&mut maker, part)).collect()
        } else {
            parallel::map(touched.len(), Maker::default, |maker, index| base_part(maker, touched[index]))
        };
        for (&part, made) in touched.iter().zip(made) {
            self.levels[0].put(part, made?);
        }
        for level in 1..self.layout.levels() {
            for part in &mut touched {
                let first = self.layout.area(level - 1, *part);
                *part = self.layout.part_of(level, Cell::new(first.left, first.top));
            }
            touched.sort_unstable();
            touched.dedup();
            for &part in &touched {
                let made = maker.upper_part(view, self, level, part, &ticker)?;
                self.levels[level].put(part, made);
            }
        }
        Ok(true)
    }

    /// Returns the clusters of the lowest level that changes may have affected, sorted.
    fn touched(&self, view: &GridView<'_>, changes: &Changes) -> Vec<usize> {
        let (layout, shape) = (&self.layout, self.layout.shape());
        let mut touched = Vec::new();
        for change in changes.cells() {
            // What is one step away from a part decides about its entrances.
            let area = Area::of(shape.cell(change.node)).grown(view.reach_of(change), shape);
            touched.extend(layout.parts_in(0, area));
        }
        for (link, _) in changes.links() {
            touched.extend([link.from, link.to].map(|node| layout.part_of(0, shape.cell(node))));
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
}
