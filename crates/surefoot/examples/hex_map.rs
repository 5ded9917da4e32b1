//! A map of hexagons as a user-defined graph: a heuristic, edges in both directions, and a list of changes for a planner.
//!
//! ```sh
//! cargo run -p surefoot --example hex_map
//! ```

use surefoot::graph::{Graph, ReverseGraph};
use surefoot::prelude::*;
use surefoot::replan::Planner;
use surefoot::world::journal::{Journal, Revision};

/// Hexagons in rows, odd rows half a hexagon to the right.
struct HexMap {
    columns: i32,
    rows: i32,
    /// The cost of entering each node, in whole steps; 0 is water that cannot be crossed.
    terrain: Vec<u8>,
    journal: Journal<NodeId>,
}

impl HexMap {
    fn new(columns: i32, rows: i32) -> HexMap {
        let terrain = vec![1; (columns * rows) as usize];
        HexMap { columns, rows, terrain, journal: Journal::with_capacity(4096) }
    }

    fn node(&self, column: i32, row: i32) -> Option<NodeId> {
        let inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        inside.then(|| NodeId((row * self.columns + column) as u32))
    }

    fn place(&self, node: NodeId) -> (i32, i32) {
        (node.0 as i32 % self.columns, node.0 as i32 / self.columns)
    }

    fn neighbours(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let (column, row) = self.place(node);
        let aside = row & 1;
        let around = [(-1, 0), (1, 0), (aside - 1, -1), (aside, -1), (aside - 1, 1), (aside, 1)];
        around.into_iter().filter_map(move |(dx, dy)| self.node(column + dx, row + dy))
    }

    fn set(&mut self, node: NodeId, terrain: u8) {
        self.terrain[node.index()] = terrain;
        // Edges into and out of the hexagon have changed; the latter are edges into its neighbours.
        let changed: Vec<NodeId> = self.neighbours(node).chain([node]).collect();
        for node in changed {
            self.journal.record(node);
        }
    }

    fn entering(&self, node: NodeId) -> Cost {
        Cost::ONE * u64::from(self.terrain[node.index()])
    }
}

impl Graph for HexMap {
    fn node_bound(&self) -> usize {
        self.terrain.len()
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.neighbours(from).filter(|&to| self.stands(to)).for_each(|to| visit(to, self.entering(to)));
    }
}

impl ReverseGraph for HexMap {
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.neighbours(to).filter(|&from| self.stands(from)).for_each(|from| visit(from, self.entering(to)));
    }
}

impl OwnGraph for HexMap {
    /// The number of steps between the two on open ground.
    fn estimate(&self, from: NodeId, to: NodeId) -> Cost {
        let axial = |node| {
            let (column, row) = self.place(node);
            (column - (row - (row & 1)) / 2, row)
        };
        let ((q, r), (to_q, to_r)) = (axial(from), axial(to));
        let (dq, dr) = (to_q - q, to_r - r);
        Cost::ONE * u64::from(dq.abs().max(dr.abs()).max((dq + dr).abs()).unsigned_abs())
    }

    fn stands(&self, node: NodeId) -> bool {
        self.terrain[node.index()] > 0
    }

    fn revision(&self) -> Revision {
        self.journal.now()
    }

    fn changed_since(&self, moment: Revision, nodes: &mut Vec<NodeId>) -> bool {
        self.journal.since(moment).map(|changed| nodes.extend(changed)).is_some()
    }
}

fn main() {
    let mut map = HexMap::new(40, 30);
    let (start, goal) = (map.node(2, 2).unwrap(), map.node(37, 27).unwrap());
    let mut planner = Planner::named("d_star_lite", &Options::default()).unwrap();
    let mut truth = Pathfinder::named("dijkstra", &Options::default()).unwrap();
    // A river rises, hexagon by hexagon, until only a ford is left.
    for row in 0..29 {
        let river = map.node(20, row).unwrap();
        map.set(river, if row == 4 { 3 } else { 0 });
        let view = OwnView::two_way(&map);
        planner.move_start(view, start);
        planner.move_goal(view, goal);
        assert_eq!(planner.replan(view, u64::MAX), Outcome::Found);
        let best = truth.find(view, start, goal).unwrap().units();
        assert_eq!(planner.path().units(), best, "row {row}");
        println!(
            "river to row {row:2}: {:4.1} steps, {} nodes expanded",
            planner.path().cost(),
            planner.last().expanded
        );
    }
}
