//! A graph that the game has already: star systems and jump lanes that depend on the ship's fuel tank.
//!
//! Shows `OwnGraph` on the game's own data, with an estimate, without copying anything, and a puzzle solved through closures.
//!
//! `cargo run -p surefoot --example own_graph`

use std::error::Error;

use surefoot::closures;
use surefoot::graph::Graph;
use surefoot::prelude::*;

struct Star {
    name: &'static str,
    at: Point,
}

/// The galaxy as one ship sees it: it can jump as far as its tank allows, and a jump costs its length.
struct Galaxy<'a> {
    stars: &'a [Star],
    tank: f64,
}

impl Galaxy<'_> {
    fn length(&self, from: NodeId, to: NodeId) -> f64 {
        self.stars[from.index()].at.distance(self.stars[to.index()].at)
    }
}

impl Graph for Galaxy<'_> {
    fn node_bound(&self) -> usize {
        self.stars.len()
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for to in (0..self.stars.len() as u32).map(NodeId) {
            let length = self.length(from, to);
            if to != from && length <= self.tank {
                visit(to, Cost::from_units((length * Cost::ONE.units() as f64).ceil() as u64));
            }
        }
    }
}

impl OwnGraph for Galaxy<'_> {
    /// No chain of jumps is shorter than the straight line.
    fn estimate(&self, from: NodeId, to: NodeId) -> Cost {
        Cost::from_units((self.length(from, to) * Cost::ONE.units() as f64) as u64)
    }

    fn position(&self, node: NodeId) -> Point {
        self.stars[node.index()].at
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let stars = [("Sol", 0.0, 0.0), ("Vega", 4.0, 3.0), ("Altair", 6.0, -1.0), ("Deneb", 10.0, 1.0)]
        .map(|(name, x, y)| Star { name, at: Point::flat(x, y) });
    let mut finder = Pathfinder::default();
    for (tank, expected) in [(20.0, "Sol Deneb"), (6.5, "Sol Altair Deneb"), (6.0, "Sol Vega Altair Deneb")] {
        let galaxy = Galaxy { stars: &stars, tank };
        let path = finder.find(OwnView::new(&galaxy), NodeId(0), NodeId(3))?;
        let names: Vec<&str> = path.nodes().iter().map(|node| stars[node.index()].name).collect();
        println!("tank {tank}: {names:?}, {:.2} light years", path.cost());
        assert_eq!(names.join(" "), expected);
    }

    // Nodes need not be numbers: how to measure four litres with jugs of three and five.
    let (small, large) = (3_u32, 5_u32);
    let pours = |&(a, b): &(u32, u32)| {
        let (to_large, to_small) = (a.min(large - b), b.min(small - a));
        [(small, b), (a, large), (0, b), (a, 0), (a - to_large, b + to_large), (a + to_small, b - to_small)]
    };
    let steps = closures::bfs(&(0, 0), pours, |&(_, b)| b == 4).ok_or("it cannot be done")?;
    println!("four litres after {} pours: {steps:?}", steps.len() - 1);
    assert_eq!(steps.len() - 1, 6);
    Ok(())
}
