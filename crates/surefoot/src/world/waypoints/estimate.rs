//! Heuristics on waypoint graphs: straight-line distances at the cost of the cheapest road.

use crate::core::estimate::Flyer;
use crate::core::heuristic::Heuristic;
use crate::graph::Located;
use crate::id::NodeId;
use crate::space::Point;
use crate::world::waypoints::Waypoints;

/// Flies over a waypoint graph in straight lines.
pub(crate) struct GraphFlyer<'a> {
    graph: &'a Waypoints,
    scale: f64,
}

impl<'a> GraphFlyer<'a> {
    /// Straight lines at the cost of the cheapest road, or at nothing.
    pub fn new(heuristic: Heuristic, graph: &'a Waypoints) -> GraphFlyer<'a> {
        let scale = if heuristic == Heuristic::Zero { 0.0 } else { graph.road_scale() };
        GraphFlyer { graph, scale }
    }
}

/// Coordinates from least to most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointBox {
    least: Point,
    most: Point,
}

impl Flyer for GraphFlyer<'_> {
    type Place = PointBox;

    #[inline]
    fn place(&self, node: NodeId) -> PointBox {
        let position = self.graph.position(node);
        PointBox { least: position, most: position }
    }

    fn join(&self, a: PointBox, b: PointBox) -> PointBox {
        let (p, q, r, s) = (a.least, b.least, a.most, b.most);
        PointBox {
            least: Point::new(p.x.min(q.x), p.y.min(q.y), p.z.min(q.z)),
            most: Point::new(r.x.max(s.x), r.y.max(s.y), r.z.max(s.z)),
        }
    }

    #[inline]
    fn fly(&self, a: PointBox, b: PointBox) -> u64 {
        let gap = |a_least: f64, a_most: f64, b_least: f64, b_most: f64| {
            (b_least - a_most).max(a_least - b_most).max(0.0)
        };
        let gaps = Point::new(
            gap(a.least.x, a.most.x, b.least.x, b.most.x),
            gap(a.least.y, a.most.y, b.least.y, b.most.y),
            gap(a.least.z, a.most.z, b.least.z, b.most.z),
        );
        (gaps.distance(Point::default()) * self.scale) as u64
    }
}
