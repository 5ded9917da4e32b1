//! A repair on any world, with the estimate that fits.

use crate::graph::Reversed;
use crate::id::NodeId;
use crate::replan::nodes::Node;
use crate::replan::repair::Repair;
use crate::replan::tree::{Edges, Tree};
use crate::replan::way::Way;
use crate::search::estimate::{
    AnchorBuffer, CellBox, Estimate, PointBox, Weight, WithEstimate, cheapest_steps, with_graph_estimate,
    with_grid_estimate,
};
use crate::search::estimate_in_space::{VoxelBox, with_voxel_estimate};
use crate::search::heuristic::Heuristic;
use crate::search::observe::Side;
use crate::world::view::View;

/// Something to do with a repair, whatever the world is.
pub(super) trait Errand {
    /// What comes of it.
    type Out;

    /// Does it.
    fn run<T: Tree, H: Estimate>(self, tree: &T, estimate: &H) -> Self::Out;
}

/// Memory for estimates.
#[derive(Clone, Debug, Default)]
pub(super) struct Guide {
    cells: AnchorBuffer<CellBox>,
    points: AnchorBuffer<PointBox>,
    voxels: AnchorBuffer<VoxelBox>,
}

/// What an estimate is made of besides links: when it changes, so do all estimates.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Basis {
    steps: [u64; 2],
    scale: f64,
}

impl Basis {
    pub fn of(view: &View<'_>) -> Basis {
        match view {
            View::Grid(view) => Basis { steps: cheapest_steps(view), scale: 0.0 },
            View::Graph(graph) => Basis { steps: [0; 2], scale: graph.road_scale() },
            View::Voxels(_) => Basis::default(),
        }
    }
}

/// An errand on its way to an estimate.
struct Carrier<'a, T, E> {
    tree: &'a T,
    errand: E,
}

impl<T: Tree, E: Errand> WithEstimate for Carrier<'_, T, E> {
    type Out = E::Out;

    fn go_on<H: Estimate>(self, estimate: &H) -> E::Out {
        self.errand.run(self.tree, estimate)
    }
}

impl Guide {
    /// Does an errand in a world where ways lead from a side towards some targets.
    pub fn run<E: Errand>(&mut self, view: &View<'_>, side: Side, targets: &[NodeId], errand: E) -> E::Out {
        let (heuristic, weight) = (Heuristic::Best, Weight::ONE);
        match (view, side) {
            (View::Grid(view), Side::Forward) => {
                let carrier = Carrier { tree: &Edges(view), errand };
                with_grid_estimate(heuristic, weight, view, side, targets, &mut self.cells, carrier)
            }
            (View::Grid(view), Side::Backward) => {
                let carrier = Carrier { tree: &Edges(&Reversed(view)), errand };
                with_grid_estimate(heuristic, weight, view, side, targets, &mut self.cells, carrier)
            }
            (View::Graph(graph), Side::Forward) => {
                let carrier = Carrier { tree: &Edges(*graph), errand };
                with_graph_estimate(heuristic, weight, graph, side, targets, &mut self.points, carrier)
            }
            (View::Graph(graph), Side::Backward) => {
                let carrier = Carrier { tree: &Edges(&Reversed(*graph)), errand };
                with_graph_estimate(heuristic, weight, graph, side, targets, &mut self.points, carrier)
            }
            // In space every step can be taken back, so both sides are the same.
            (View::Voxels(view), _) => {
                let carrier = Carrier { tree: &Edges(view), errand };
                with_voxel_estimate(heuristic, weight, view, targets, &mut self.voxels, carrier)
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.cells.bytes() + self.points.bytes() + self.voxels.bytes()
    }
}

/// Writes down a way that a repair knows, from the start to the goal. `from` is where it ends, as seen from the root.
pub(super) fn trace(view: &View<'_>, side: Side, repair: &Repair, from: NodeId, nodes: &mut Vec<NodeId>) {
    let first = nodes.len();
    let to_the_end = |_: NodeId, _: &Node| false;
    match (view, side) {
        (View::Grid(view), Side::Forward) => repair.trace(&Edges(view), from, nodes, to_the_end),
        (View::Grid(view), Side::Backward) => {
            repair.trace(&Edges(&Reversed(view)), from, nodes, to_the_end);
        }
        (View::Graph(graph), Side::Forward) => repair.trace(&Edges(*graph), from, nodes, to_the_end),
        (View::Graph(graph), Side::Backward) => {
            repair.trace(&Edges(&Reversed(*graph)), from, nodes, to_the_end);
        }
        (View::Voxels(view), _) => repair.trace(&Edges(view), from, nodes, to_the_end),
    }
    if side == Side::Forward {
        nodes[first..].reverse();
    }
}

/// Brings a way in step with a repair, and writes it down from the start to the goal.
pub(super) fn retrace(
    view: &View<'_>,
    side: Side,
    repair: &mut Repair,
    target: NodeId,
    way: &mut Way,
    nodes: &mut Vec<NodeId>,
) {
    match (view, side) {
        (View::Grid(view), Side::Forward) => repair.retrace(&Edges(view), target, way),
        (View::Grid(view), Side::Backward) => repair.retrace(&Edges(&Reversed(view)), target, way),
        (View::Graph(graph), Side::Forward) => repair.retrace(&Edges(*graph), target, way),
        (View::Graph(graph), Side::Backward) => repair.retrace(&Edges(&Reversed(*graph)), target, way),
        (View::Voxels(view), _) => repair.retrace(&Edges(view), target, way),
    }
    match side {
        Side::Forward => nodes.extend(way.nodes()),
        Side::Backward => nodes.extend(way.nodes().iter().rev()),
    }
}
