//! The world as a unit knows it that does not see far.

use std::collections::BTreeSet;

use crate::agent::Agent;
use crate::id::NodeId;
use crate::path::Path;
use crate::replan::subscriptions::{SubscriptionId, Subscriptions, Touched};
use crate::space::Cell;
use crate::world::grid::{Grid, GridChange, GridView, Terrain};
use crate::world::journal::Revision;

/// A map, and what may be wrong with it.
pub(super) struct Belief {
    grid: Grid,
    radius: f64,
    /// What happened in the world up to here is in the map or in `unseen`.
    heard: Revision,
    /// Cells that have changed where nobody looked.
    unseen: BTreeSet<NodeId>,
    /// From where the unit has looked since the world changed last.
    looked: Option<Cell>,
    subscriptions: Subscriptions,
    id: SubscriptionId,
    seen: Vec<(Cell, Terrain)>,
    touched: Vec<Touched>,
}

impl Belief {
    /// Knows the world as it is now.
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
        }
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The unit has another path.
    pub fn watch(&mut self, agent: &Agent, path: &Path) {
        if let Ok(view) = self.grid.view(agent) {
            self.subscriptions.replace(self.id, view, path);
        }
    }

    /// The unit has made so many steps of its path.
    pub fn advance(&mut self, steps: usize) {
        self.subscriptions.advance(self.id, steps);
    }

    /// Takes note of where the world has changed, and looks around from a cell. Says whether the unit's path is touched by what
    /// it saw.
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
        } else if let Some(changes) = grid.journal().since(self.heard) {
            for change in changes {
                match change {
                    GridChange::Terrain { node, .. } => {
                        self.unseen.insert(node);
                    }
                    GridChange::LinkAdded(link) => {
                        // There are as many links here as there, so there is room.
                        let _ = self.grid.add_link(grid.cell(link.from), grid.cell(link.to), link.cost);
                    }
                    GridChange::LinkRemoved(link) => {
                        self.grid.remove_link(link);
                    }
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

    /// Sees the cells around one as they are: those within the radius, and those that decide about the next step.
    fn see(&mut self, world: &GridView<'_>, from: Cell) {
        let grid = world.grid();
        let least = world.reach() + 1;
        let most = (self.radius.min(f64::from(Grid::MAX_SIDE)) as i32).max(least);
        let is_seen = |cell: Cell| {
            let (dx, dy) = (i64::from(cell.x - from.x), i64::from(cell.y - from.y));
            dx.abs().max(dy.abs()) <= i64::from(least)
                || (dx * dx + dy * dy) as f64 <= self.radius * self.radius
        };
        let last = |at: i32, side: u32| (at + most).min(side as i32 - 1);
        let (right, bottom) = (last(from.x, grid.width()), last(from.y, grid.height()));
        self.seen.clear();
        for y in (from.y - most).max(0)..=bottom {
            let ends = [(from.x - most).max(0), right].map(|x| grid.node(Cell::new(x, y)));
            let [Some(first), Some(end)] = ends else { continue };
            let changed = self.unseen.range(first..=end).map(|&node| grid.cell(node));
            self.seen.extend(
                changed.filter(|&cell| is_seen(cell)).filter_map(|cell| Some((cell, grid.terrain(cell)?))),
            );
        }
        for (cell, _) in &self.seen {
            if let Some(node) = grid.node(*cell) {
                self.unseen.remove(&node);
            }
        }
        // Cells of the world are cells of the map: the two are equally large.
        let _ = self.grid.set_many(self.seen.drain(..));
    }

    pub fn bytes(&self) -> usize {
        self.grid.bytes() + self.subscriptions.bytes() + self.unseen.len() * size_of::<NodeId>()
    }
}
