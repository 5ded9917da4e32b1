//! The world as known to a unit with a limited sensing range.

use std::collections::BTreeSet;

use crate::agent::Agent;
use crate::id::NodeId;
use crate::path::Path;
use crate::replan::subscriptions::{SubscriptionId, Subscriptions, Touched};
use crate::space::Cell;
use crate::world::changes::Changes;
use crate::world::grid::{Grid, GridView, Terrain};
use crate::world::journal::Revision;

/// A map, and the places where it may be wrong.
pub(super) struct Belief {
    grid: Grid,
    radius: f64,
    /// What happened in the world up to here is in the map or in `unseen`.
    heard: Revision,
    /// Cells that have changed out of sight.
    unseen: BTreeSet<NodeId>,
    /// From where the unit has looked since the world changed last.
    looked: Option<Cell>,
    subscriptions: Subscriptions,
    id: SubscriptionId,
    seen: Vec<(Cell, Terrain)>,
    touched: Vec<Touched>,
    changes: Changes,
}

impl Belief {
    /// Creates a belief that matches the world as it is now.
    pub fn of(grid: &Grid, view: &GridView<'_>, radius: f64) -> Belief {
        let mut subscriptions = Subscriptions::new();
        let id = subscriptions.subscribe(view, &Path::default());
        Belief {
            grid: grid.clone(),
            radius,
            heard: grid.revision(),
            unseen: BTreeSet::new(),
            looked: None,
            subscriptions,
            id,
            seen: Vec::new(),
            touched: Vec::new(),
            changes: Changes::default(),
        }
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Watches another path of the unit.
    pub fn watch(&mut self, agent: &Agent, path: &Path) {
        self.subscriptions.replace(self.id, self.grid.view(agent), path);
    }

    /// Records that the unit has made `steps` steps along its path.
    pub fn advance(&mut self, steps: usize) {
        self.subscriptions.advance(self.id, steps);
    }

    /// Takes note of where the world has changed, and looks around from a cell. Returns whether what the unit saw
    /// affects its path.
    pub fn look(&mut self, world: &GridView<'_>, from: Cell) -> bool {
        let grid = world.grid();
        if self.heard != grid.revision() {
            self.listen(grid);
        } else if self.looked == Some(from) {
            return false;
        }
        self.looked = Some(from);
        if !self.unseen.is_empty() {
            self.see(world, from);
        }
        self.subscriptions.changes(world.policy().view(&self.grid), &mut self.touched);
        !self.touched.is_empty()
    }

    /// Takes note of changes. Links are known at once.
    fn listen(&mut self, grid: &Grid) {
        if (grid.width(), grid.height()) != (self.grid.width(), self.grid.height()) {
            self.grid = grid.clone();
            self.unseen.clear();
        } else if grid.read_changes(self.heard, &mut self.changes) {
            self.unseen.extend(self.changes.cells().iter().map(|change| change.node));
            for &(link, more) in self.changes.links() {
                if more > 0 {
                    // There are as many links here as there, so there is room.
                    let _ = self.grid.add_link(grid.cell(link.from), grid.cell(link.to), link.cost);
                } else {
                    self.grid.remove_link(link);
                }
            }
        } else {
            let differs = |cell: &Cell| grid.terrain(*cell) != self.grid.terrain(*cell);
            self.unseen = grid.cells().filter(differs).filter_map(|cell| grid.node(cell)).collect();
            for link in self.grid.links().to_vec() {
                self.grid.remove_link(link);
            }
            for link in grid.links() {
                let _ = self.grid.add_link(grid.cell(link.from), grid.cell(link.to), link.cost);
            }
        }
        self.heard = grid.revision();
    }

    /// Updates the cells around one: those within the radius, and those that determine whether the next step is legal.
    /// These are the adjacent ones, and those at the far ends of links.
    fn see(&mut self, world: &GridView<'_>, from: Cell) {
        let grid = world.grid();
        let (reach, radius) = (world.reach(), self.radius.min(f64::from(Grid::MAX_SIDE)));
        self.seen.clear();
        self.see_around(grid, from, reach + 1, radius);
        let entrance = grid.node(from);
        for link in grid.links().iter().filter(|link| Some(link.from) == entrance) {
            self.see_around(grid, grid.cell(link.to), reach, 0.0);
        }
        for (cell, _) in &self.seen {
            if let Some(node) = grid.node(*cell) {
                self.unseen.remove(&node);
            }
        }
        // Cells of the world are cells of the map: the two are equally large.
        let _ = self.grid.set_many(self.seen.drain(..));
    }

    /// Updates the cells at most `square` columns and rows away, and those within a radius.
    fn see_around(&mut self, grid: &Grid, from: Cell, square: i32, radius: f64) {
        let most = square.max(radius as i32);
        let is_seen = |cell: Cell| {
            let (dx, dy) = (i64::from(cell.x - from.x), i64::from(cell.y - from.y));
            dx.abs().max(dy.abs()) <= i64::from(square) || (dx * dx + dy * dy) as f64 <= radius * radius
        };
        let last = |at: i32, side: u32| at.saturating_add(most).min(side as i32 - 1);
        let first = |at: i32| at.saturating_sub(most).max(0);
        let (right, bottom) = (last(from.x, grid.width()), last(from.y, grid.height()));
        for y in first(from.y)..=bottom {
            let ends = [first(from.x), right].map(|x| grid.node(Cell::new(x, y)));
            let [Some(start), Some(end)] = ends else { continue };
            // A unit outside the grid may have nothing in sight.
            let row = (start <= end).then(|| self.unseen.range(start..=end)).into_iter().flatten();
            let changed = row.map(|&node| grid.cell(node)).filter(|&cell| is_seen(cell));
            self.seen.extend(changed.filter_map(|cell| Some((cell, grid.terrain(cell)?))));
        }
    }

    pub fn bytes(&self) -> usize {
        self.grid.memory_bytes() + self.subscriptions.memory_bytes() + self.unseen.len() * size_of::<NodeId>()
    }
}
