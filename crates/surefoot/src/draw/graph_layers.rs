//! The layers of a waypoint graph: roads and nodes.

use super::layout::{self, Drawing};
use super::legend::Sample;
use super::map::{Map, USUAL_SIDE};
use super::marks;
use super::palette::{self, Colour};
use super::picture::Picture;
use super::shapes::{Shape, Spot, Stroke};
use super::subject::Subject;
use crate::id::NodeId;
use crate::space::Point;
use crate::world::waypoints::{EdgeId, EdgeKind, Waypoints};

/// Pixels around a graph, for nodes at the edge and arcs that go round them.
const MARGIN: f64 = 32.0;

impl Subject for Waypoints {
    fn name(&self) -> String {
        format!("Graph of {} nodes", self.node_count())
    }

    fn contains(&self, node: NodeId) -> bool {
        Waypoints::contains(self, node)
    }

    fn marks(&self) -> Vec<NodeId> {
        (0..self.node_count() as u32).map(NodeId).collect()
    }

    fn map<'a>(&'a self, picture: &Picture<'a>) -> Map<'a> {
        let ((low_x, width), (low_y, height)) = (extent(self, |p| p.x), extent(self, |p| p.y));
        let longest = width.max(height);
        let usual = if longest > 1e-9 { f64::from(USUAL_SIDE) / longest } else { 1.0 };
        let scale = picture.cell_pixels.map_or(usual, f64::from);
        let pixels = |length: f64| (length * scale + 2.0 * MARGIN).ceil();
        let spacing = (pixels(width) * pixels(height) / self.node_count().max(1) as f64).sqrt();
        let cell = (spacing * 0.35).clamp(4.0, 28.0) as f32;
        Map {
            world: self,
            left: 0,
            top: 0,
            scale,
            low: (low_x - MARGIN / scale, low_y - MARGIN / scale),
            size: (pixels(width) as u64, pixels(height) as u64),
            cell,
            mark: cell,
            links: edges(self, EdgeKind::Link),
            roads: edges(self, EdgeKind::Road),
            space: None,
        }
    }

    fn centre(&self, _map: &Map<'_>, node: NodeId) -> (f64, f64) {
        let place = self.positions()[node.index()];
        (place.x, place.y)
    }

    fn are_joined(&self, map: &Map<'_>, from: NodeId, to: NodeId) -> bool {
        map.roads.binary_search(&(from, to)).is_ok()
    }

    fn draw_below(&self, _picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
        drawing.shapes.push(Shape::block(map.block(), palette::FLOOR));
        draw_roads(map, drawing);
        drawing.shapes.push(layout::frame(map.block()));
    }

    fn draw_above(&self, picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
        draw_nodes(picture, self, map, drawing);
    }
}

/// The least value of a coordinate, and how far it is to the largest.
fn extent(graph: &Waypoints, coordinate: fn(&Point) -> f64) -> (f64, f64) {
    let values = || graph.positions().iter().map(coordinate);
    let low = values().reduce(f64::min).unwrap_or(0.0);
    (low, values().reduce(f64::max).unwrap_or(0.0) - low)
}

/// Returns the endpoints of the open edges of a kind, sorted, each pair once.
fn edges(graph: &Waypoints, kind: EdgeKind) -> Vec<(NodeId, NodeId)> {
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
fn draw_roads(map: &Map<'_>, drawing: &mut Drawing) {
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
fn draw_nodes(picture: &Picture<'_>, graph: &Waypoints, map: &Map<'_>, drawing: &mut Drawing) {
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
