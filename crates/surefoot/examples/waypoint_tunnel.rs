//! A waypoint graph with one-way edges and a tunnel.
//!
//! Shows how to build the graph, that A* stays optimal although the tunnel is cheaper than its length, that there is no path
//! against a one-way edge, how to close an edge, and how to follow a path with jumps.
//!
//! `cargo run -p surefoot --example waypoint_tunnel`

use std::error::Error;

use surefoot::cost::Scale;
use surefoot::prelude::*;

const PLACES: [(&str, f64, f64); 6] = [
    ("harbour", 0.0, 0.0),
    ("market", 6.0, 2.0),
    ("mill", 12.0, 8.0),
    ("pass", 22.0, 14.0),
    ("mine", 4.0, 7.0),
    ("keep", 30.0, 6.0),
];

fn name(node: NodeId) -> &'static str {
    PLACES[node.index()].0
}

/// Prints the path from one place to another, or why there is none.
fn ask(finder: &mut Pathfinder, graph: &Waypoints, from: NodeId, to: NodeId) {
    print!("{:>8} to {:<8}", name(from), name(to));
    match finder.find(graph, from, to) {
        Ok(path) => {
            let places: Vec<&str> = path.nodes().iter().map(|&node| name(node)).collect();
            println!("costs {:6.2}: {}", path.cost(), places.join(" - "));
        }
        Err(why) => println!("no path: {why}"),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut builder = Waypoints::builder();
    let [harbour, market, mill, pass, mine, keep] = PLACES.map(|(_, x, y)| builder.node(Point::flat(x, y)));
    for (a, b) in [(harbour, market), (market, mill), (mill, pass), (market, mine)] {
        builder.road(a, b);
    }
    // Down from the pass to the keep on a slide, and down the river to the harbour: both one-way.
    let cells = |count| Scale::GRID.cost(count).ok_or("invalid cost");
    builder.one_way(pass, keep, cells(12.0)?, EdgeKind::Road);
    builder.one_way(mill, harbour, cells(12.0)?, EdgeKind::Road);
    // Under the mountain: 26 units of distance for a cost of 3.
    let tunnel = builder.one_way(mine, keep, cells(3.0)?, EdgeKind::Link);
    let mut graph = builder.build()?;

    let mut finder = Pathfinder::default();
    println!("A* on this graph guarantees: {:?}", finder.promise(&graph));
    ask(&mut finder, &graph, harbour, keep);
    ask(&mut finder, &graph, mill, harbour);
    ask(&mut finder, &graph, keep, harbour);

    println!("\nA cart travels from the harbour to the keep at 4 units per second:");
    let path = finder.find(&graph, harbour, keep)?;
    let mut cart = Follower::with_jumps(path.points(&graph), path.jumps());
    for second in 0..9 {
        let Point { x, y, .. } = cart.position();
        println!("  {second} s: at {x:5.2}, {y:5.2}, {:5.2} to go", cart.remaining());
        if cart.is_done() {
            break;
        }
        cart.advance(4.0);
    }

    println!("\nThe tunnel caves in:");
    graph.set_edge(tunnel, None)?;
    ask(&mut finder, &graph, harbour, keep);

    println!("\nIt is dug out again, but narrow: it costs 40.");
    graph.set_edge(tunnel, Some(cells(40.0)?))?;
    ask(&mut finder, &graph, harbour, keep);

    let lost = Point::flat(13.0, 13.0);
    let near = graph.nearest(lost).ok_or("the graph is empty")?;
    println!("\nThe place nearest to {}, {} is the {}.", lost.x, lost.y, name(near));
    ask(&mut finder, &graph, near, mine);
    Ok(())
}
