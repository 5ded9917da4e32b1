//! The layers of a waypoint graph: roads and nodes.

use super::layout::Drawing;
use super::legend::Sample;
use super::map::Map;
use super::marks;
use super::palette::{self, Colour};
use super::picture::Picture;
use super::shapes::{Shape, Spot, Stroke};
use crate::id::NodeId;
use crate::world::waypoints::{EdgeId, EdgeKind, Waypoints};

/// Returns the endpoints of the open edges of a kind, sorted, each pair once.
pub(crate) fn edges(graph: &Waypoints, kind: EdgeKind) -> Vec<(NodeId, NodeId)> {
    let open =
        (0..).map(EdgeId).zip(graph.edges()).filter(|(id, edge)| edge.kind == kind && !graph.is_closed(*id));
    let mut pairs: Vec<_> = open.map(|(_, edge)| (edge.from, edge.to)).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn node_radius(map: &Map<'_>) -> f32 {
    map.cell * 0.3
}

/// The roads, before anything else.
pub(crate) fn draw_roads(map: &Map<'_>, drawing: &mut Drawing) {
    let (mut both_ways, mut one_way) = (Vec::new(), Vec::new());
    for &(from, to) in map.roads.iter().filter(|(from, to)| from != to) {
        let (a, b) = (map.spot(from), map.spot(to));
        if map.roads.binary_search(&(to, from)).is_err() {
            one_way.push((a, b.towards(a, node_radius(map) + 1.0)));
        } else if from < to {
            both_ways.push(vec![a, b]);
        }
    }
    let stroke = Stroke::solid(palette::ROAD, (map.cell * 0.1).clamp(1.0, 2.0));
    let head = (map.cell * 0.4).clamp(4.0, 10.0);
    if !one_way.is_empty() {
        let sample = Sample::Marks(Box::new(move |from, to| marks::arrows(&[(from, to)], stroke, head)));
        drawing.add(marks::arrows(&one_way, stroke, head), "one-way road", sample);
    }
    if !both_ways.is_empty() {
        let line = move |from, to| vec![Shape::Lines { lines: vec![vec![from, to]], stroke }];
        let lines = [Shape::Lines { lines: both_ways, stroke }];
        drawing.add(lines, "road", Sample::Marks(Box::new(line)));
    }
}

/// How a node is painted.
#[derive(Clone, Copy)]
struct Look {
    label: &'static str,
    fill: Colour,
    rim: Colour,
}

/// The nodes, on top of what runs through them.
pub(crate) fn draw_nodes(picture: &Picture<'_>, graph: &Waypoints, map: &Map<'_>, drawing: &mut Drawing) {
    let looks = [
        Look { label: "node", fill: palette::PAGE, rim: palette::ROAD },
        Look {
            label: "closed",
            fill: palette::CLOSED.over(palette::PAGE),
            rim: palette::CLOSED_MARK.over(palette::PAGE),
        },
        Look { label: "open", fill: palette::SEARCH, rim: palette::INK },
    ];
    let mut looks_of_nodes = vec![0_usize; graph.node_count()];
    for (look, nodes) in [(1, picture.closed), (2, picture.open)] {
        for node in nodes {
            looks_of_nodes[node.index()] = look;
        }
    }
    let mut centres = [Vec::new(), Vec::new(), Vec::new()];
    for (number, look) in (0..).zip(looks_of_nodes) {
        centres[look].push(map.spot(NodeId(number)));
    }
    for (look, centres) in looks.into_iter().zip(centres) {
        if !centres.is_empty() {
            let radius = node_radius(map);
            let sample =
                move |from: Spot, to: Spot| vec![nodes(vec![from.middle(to)], radius.clamp(3.0, 6.0), look)];
            drawing.add([nodes(centres, radius, look)], look.label, Sample::Marks(Box::new(sample)));
        }
    }
}

fn nodes(centres: Vec<Spot>, radius: f32, look: Look) -> Shape {
    let rim = Stroke::solid(look.rim, (radius * 0.25).clamp(0.75, 2.0));
    Shape::Discs { centres, radius, fill: Some(look.fill), rim: Some(rim) }
}
