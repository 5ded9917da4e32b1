//! Road networks.

use crate::generate::dice::Dice;
use crate::graph::Graph;
use crate::id::NodeId;
use crate::space::Point;
use crate::world::disjoint_sets::{first, join};
use crate::world::waypoints::{EdgeKind, WaypointError, Waypoints};

/// How far apart places are about, in world units.
const SPACING: f64 = 4.0;
/// The percentage of roads that exist although connectivity does not depend on them.
const SPARE_PERCENT: u32 = 35;
/// The percentage of those that are one-way.
const ONE_WAY_PERCENT: u32 = 30;

/// Generates a road network: nodes in loose columns and rows, connected to some of their neighbours, some of them by one-way roads.
/// Every node can be reached from every other. The same arguments always give the same network.
///
/// ```
/// let graph = surefoot::generate::network(20, 10, 1).unwrap();
/// assert_eq!(graph.node_count(), 200);
/// ```
pub fn network(columns: u32, rows: u32, seed: u64) -> Result<Waypoints, WaypointError> {
    if u64::from(columns) * u64::from(rows) > Waypoints::MAX_COUNT as u64 {
        return Err(WaypointError::TooMany { what: "nodes" });
    }
    let mut dice = Dice::new(seed);
    let mut builder = Waypoints::builder();
    let mut neighbours = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            // In eighths of the spacing: exact in floats.
            let mut place = |index: u32| f64::from(8 * index + dice.below(7)) / 8.0 * SPACING;
            let (x, y) = (place(column), place(row));
            let here = builder.node(Point::flat(x, y));
            let (right, below) = (NodeId(here.0 + 1), NodeId(here.0 + columns));
            let (has_right, has_below) = (column + 1 < columns, row + 1 < rows);
            if has_right {
                neighbours.push((here, right));
            }
            if has_below {
                neighbours.push((here, below));
            }
            if has_right && has_below {
                // One of the two diagonals, so that roads do not cross.
                let falling = dice.percent(50);
                neighbours.push(if falling { (here, NodeId(below.0 + 1)) } else { (right, below) });
            }
        }
    }
    shuffle(&mut neighbours, &mut dice);
    // Roads that join what nothing has joined before are always there, and lead both ways.
    let mut sets: Vec<u32> = (0..columns * rows).collect();
    for (a, b) in neighbours {
        if first(&mut sets, a.0) != first(&mut sets, b.0) {
            join(&mut sets, a.0, b.0);
            builder.road(a, b);
        } else if dice.percent(SPARE_PERCENT) {
            if dice.percent(ONE_WAY_PERCENT) {
                let length = builder.length(a, b);
                builder.one_way(a, b, length, EdgeKind::Road);
            } else {
                builder.road(a, b);
            }
        }
    }
    builder.build()
}

/// Returns the first node with an edge that leads to another node, and one of the nodes that are the most edges away from it; `None`
/// if no edge leads to another node.
///
/// ```
/// use surefoot::generate::{endpoints_in_graph, network};
/// let graph = network(20, 10, 1).unwrap();
/// let (start, goal) = endpoints_in_graph(&graph).unwrap();
/// assert_ne!(start, goal);
/// ```
pub fn endpoints_in_graph(graph: &Waypoints) -> Option<(NodeId, NodeId)> {
    let mut reached = vec![false; graph.node_count()];
    for start in (0..graph.node_count() as u32).map(NodeId) {
        reached[start.index()] = true;
        let mut nodes = vec![start];
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            next += 1;
            graph.for_each_edge(node, |to, _| {
                if !std::mem::replace(&mut reached[to.index()], true) {
                    nodes.push(to);
                }
            });
        }
        if let &[first, .., last] = &nodes[..] {
            return Some((first, last));
        }
        reached[start.index()] = false;
    }
    None
}

fn shuffle<T>(list: &mut [T], dice: &mut Dice) {
    for last in (1..list.len()).rev() {
        list.swap(last, dice.below(last as u32 + 1) as usize);
    }
}
