//! A navigation mesh as a user-defined graph: triangles are nodes, shared sides are edges, and the funnel algorithm (Lee and
//! Preparata, *Euclidean Shortest Paths in the Presence of Rectilinear Barriers*, 1984) straightens the path through them.
//!
//! Run it with `cargo run -p surefoot --example navmesh`.

use surefoot::graph::Graph;
use surefoot::prelude::*;

/// Corners, and triangles by the numbers of their corners, counter-clockwise.
struct NavMesh {
    corners: Vec<(f64, f64)>,
    triangles: Vec<[usize; 3]>,
}

impl NavMesh {
    fn centre(&self, node: NodeId) -> (f64, f64) {
        let corners = self.triangles[node.index()].map(|corner| self.corners[corner]);
        (corners.iter().map(|at| at.0).sum::<f64>() / 3.0, corners.iter().map(|at| at.1).sum::<f64>() / 3.0)
    }

    /// Returns the side that two triangles share: its left and right end, as seen when leaving the first triangle.
    fn side(&self, from: NodeId, to: NodeId) -> Option<[usize; 2]> {
        let [a, b, c] = self.triangles[from.index()];
        let beside = self.triangles[to.index()];
        [[b, a], [c, b], [a, c]].into_iter().find(|side| side.iter().all(|corner| beside.contains(corner)))
    }

    /// Returns the triangle that contains a point.
    fn find(&self, at: (f64, f64)) -> Option<NodeId> {
        let holds = |&[a, b, c]: &[usize; 3]| {
            [[a, b], [b, c], [c, a]].iter().all(|&[p, q]| turn(self.corners[p], self.corners[q], at) >= 0.0)
        };
        self.triangles.iter().position(holds).map(|number| NodeId(number as u32))
    }

    /// Returns the shortest path through a sequence of triangles: keeps the widest funnel with a view of the last side.
    fn pull(&self, nodes: &[NodeId], from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
        let sides = nodes.windows(2).filter_map(|pair| self.side(pair[0], pair[1]));
        let mut doors: Vec<[(f64, f64); 2]> =
            sides.map(|side| side.map(|corner| self.corners[corner])).collect();
        doors.push([to, to]);
        let (mut way, mut apex, mut at) = (vec![from], from, 0);
        // The left and the right side of the funnel, each with the door at which it ends.
        let mut funnel = [(from, 0); 2];
        'doors: while at < doors.len() {
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let next = doors[at][side];
                if sign * turn(apex, funnel[side].0, next) > 0.0 {
                    continue;
                }
                if apex != funnel[side].0 && sign * turn(apex, funnel[1 - side].0, next) <= 0.0 {
                    // It has crossed the other side: the path bends there.
                    (apex, at) = funnel[1 - side];
                    way.push(apex);
                    funnel = [(apex, at); 2];
                    at += 1;
                    continue 'doors;
                }
                funnel[side] = (next, at);
            }
            at += 1;
        }
        way.push(to);
        way.dedup();
        way
    }
}

/// Returns a positive number if `c` lies to the left of the line from `a` to `b`.
fn turn(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

impl Graph for NavMesh {
    fn node_bound(&self) -> usize {
        self.triangles.len()
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        let others = (0..self.triangles.len() as u32).map(NodeId).filter(|&to| to != from);
        for to in others.filter(|&to| self.side(from, to).is_some()) {
            let length = distance(self.centre(from), self.centre(to));
            visit(to, Cost::from_units((length * Cost::ONE.units() as f64).ceil() as u64));
        }
    }
}

impl OwnGraph for NavMesh {
    fn estimate(&self, from: NodeId, to: NodeId) -> Cost {
        Cost::from_units((distance(self.centre(from), self.centre(to)) * Cost::ONE.units() as f64) as u64)
    }
}

fn main() {
    // A hall around a block of rock: the ring between two squares, cut into eight triangles.
    let corners = [(0, 0), (10, 0), (10, 10), (0, 10), (3, 3), (7, 3), (7, 7), (3, 7)];
    let corners = corners.map(|(x, y)| (f64::from(x), f64::from(y))).to_vec();
    let triangles =
        vec![[0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]];
    let mesh = NavMesh { corners, triangles };
    let (from, to) = ((1.0, 2.0), (9.0, 8.5));
    let [start, goal] = [from, to].map(|at| mesh.find(at).unwrap());
    let view = OwnView::new(&mesh);
    let [astar, dijkstra] = ["astar", "dijkstra"].map(|name| {
        let mut finder = Pathfinder::named(name, &Options::default()).unwrap();
        finder.find(view, start, goal).unwrap().clone()
    });
    assert_eq!(astar.units(), dijkstra.units());
    let way = mesh.pull(astar.nodes(), from, to);
    let length: f64 = way.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
    println!("{} triangles, {:.2} long: {way:?}", astar.nodes().len(), length);
    // Around a corner of the rock and straight on: shorter than around the opposite corner.
    assert_eq!(way, [from, (3.0, 7.0), to]);
    assert!(length < distance(from, (7.0, 3.0)) + distance((7.0, 3.0), to));
}
