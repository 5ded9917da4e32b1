//! Our searches on a graph that is not ours: the trait form and the closure form, on the same floor as the peers.

use surefoot::closures;
use surefoot::graph::Graph;
use surefoot::prelude::{Cell, Cost, Grid, NodeId, Options, OwnGraph, OwnView, Pathfinder};

use super::floor::Floor;
use super::{Prepared, Solver, octile};
use crate::maps::Query;

impl Graph for Floor {
    fn node_bound(&self) -> usize {
        self.len()
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let (column, row) = (from.index() % self.stride, from.index() / self.stride);
        for (dx, dy, cost) in self.moves(column, row).into_iter().flatten() {
            let to = from.0.wrapping_add_signed(dy * self.stride as i32 + dx);
            visit(NodeId(to), Cost::from_units(cost.into()));
        }
    }
}

impl OwnGraph for Floor {
    fn estimate(&self, from: NodeId, to: NodeId) -> Cost {
        let place = |node: NodeId| (node.0 % self.stride as u32, node.0 / self.stride as u32);
        let ((x, y), (to_x, to_y)) = (place(from), place(to));
        Cost::from_units(octile(x.abs_diff(to_x), y.abs_diff(to_y)).into())
    }
}

/// `astar` of our registry on a type that implements `OwnGraph`.
pub struct TraitForm;

impl Solver for TraitForm {
    fn name(&self) -> &'static str {
        "surefoot/own_graph"
    }

    fn prepare<'a>(&'a mut self, grid: &Grid, _first: Query) -> Box<dyn Prepared + 'a> {
        let finder = Pathfinder::named("astar", &Options::default()).expect("A* is always there");
        Box::new(OnFloor { floor: Floor::of(grid), finder })
    }
}

struct OnFloor {
    floor: Floor,
    finder: Pathfinder,
}

impl Prepared for OnFloor {
    fn search(&mut self, from: Cell, to: Cell) {
        let node = |cell: Cell| NodeId(self.floor.index(cell.x as usize + 1, cell.y as usize + 1) as u32);
        // The answer stays in the finder.
        let _ = self.finder.find(OwnView::new(&self.floor), node(from), node(to));
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let stride = self.floor.stride as u32;
        let cell = |node: &NodeId| Cell::new((node.0 % stride) as i32 - 1, (node.0 / stride) as i32 - 1);
        let found = self.finder.outcome().is_found();
        found.then(|| self.finder.path().nodes().iter().map(cell).collect())
    }
}

/// `closures::astar`, called as in the documentation of `pathfinding`.
pub struct ClosureForm;

impl Solver for ClosureForm {
    fn name(&self) -> &'static str {
        "surefoot/closures"
    }

    fn prepare<'a>(&'a mut self, grid: &Grid, _first: Query) -> Box<dyn Prepared + 'a> {
        Box::new(WithClosures { floor: Floor::of(grid), path: None })
    }
}

struct WithClosures {
    floor: Floor,
    /// Columns and rows, both from 1.
    path: Option<Vec<(i32, i32)>>,
}

impl Prepared for WithClosures {
    fn search(&mut self, from: Cell, to: Cell) {
        let (start, goal) = ((from.x + 1, from.y + 1), (to.x + 1, to.y + 1));
        let successors = |&(x, y): &(i32, i32)| -> Vec<((i32, i32), u32)> {
            let moves = self.floor.moves(x as usize, y as usize).into_iter().flatten();
            moves.map(|(dx, dy, cost)| ((x + dx, y + dy), cost)).collect()
        };
        let found = closures::astar(
            &start,
            successors,
            |&(x, y)| octile(x.abs_diff(goal.0), y.abs_diff(goal.1)),
            |&pair| pair == goal,
        );
        self.path = found.map(|(path, _)| path);
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let path = self.path.take()?;
        Some(path.into_iter().map(|(x, y)| Cell::new(x - 1, y - 1)).collect())
    }
}
