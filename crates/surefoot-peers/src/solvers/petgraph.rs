//! The crate `petgraph`: A* on a graph that is built once for a map.

use petgraph::algo::astar;
use petgraph::csr::Csr;
use surefoot::graph::Graph;
use surefoot::prelude::{Agent, Cell, Cost, Grid};

use super::{Prepared, Solver, octile};
use crate::maps::Query;

/// `petgraph::algo::astar` on a `Csr`, petgraph's graph for fast iteration over the edges of a node.
pub struct Astar;

impl Solver for Astar {
    fn name(&self) -> &'static str {
        "petgraph/astar"
    }

    fn prepare<'a>(&'a mut self, grid: &Grid, _first: Query) -> Box<dyn Prepared + 'a> {
        let view = grid.view(&Agent::default());
        let number = |cell: Cell| cell.y as u32 * grid.width() + cell.x as u32;
        let mut edges = Vec::new();
        for cell in grid.cells().filter(|&cell| grid.is_open(cell)) {
            let node = grid.node(cell).expect("a cell of the grid");
            let first = edges.len();
            view.for_each_edge(node, |to, cost: Cost| {
                edges.push((number(cell), number(grid.cell(to)), cost.units() as u32));
            });
            edges[first..].sort_unstable();
        }
        let mut graph = Csr::from_sorted_edges(&edges).expect("the edges are sorted");
        while graph.node_count() < grid.width() as usize * grid.height() as usize {
            graph.add_node(());
        }
        Box::new(OnMap { graph, width: grid.width(), path: None })
    }
}

struct OnMap {
    graph: Csr<(), u32>,
    width: u32,
    path: Option<Vec<u32>>,
}

impl Prepared for OnMap {
    fn search(&mut self, from: Cell, to: Cell) {
        let node = |cell: Cell| cell.y as u32 * self.width + cell.x as u32;
        let goal = node(to);
        let (goal_x, goal_y) = (to.x as u32, to.y as u32);
        let found = astar(
            &self.graph,
            node(from),
            |node| node == goal,
            |edge| *edge.weight(),
            |node| octile((node % self.width).abs_diff(goal_x), (node / self.width).abs_diff(goal_y)),
        );
        self.path = found.map(|(_, path)| path);
    }

    fn take_path(&mut self) -> Option<Vec<Cell>> {
        let path = self.path.take()?;
        Some(
            path.into_iter()
                .map(|node| Cell::new((node % self.width) as i32, (node / self.width) as i32))
                .collect(),
        )
    }
}
