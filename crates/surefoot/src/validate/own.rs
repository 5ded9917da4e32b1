//! Paths on user-defined graphs.

use super::{Claim, Place, Sums, Violation};
use crate::cost::{Cost, Scale};
use crate::graph::{Graph, Located};
use crate::world::own::OwnView;

/// Checks a path on a user-defined graph: every step is an edge of the graph, and the totals are correct. Of parallel edges
/// the cheapest is assumed.
///
/// # Errors
/// Returns the first violation: nodes first, then endpoints, steps and totals.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::graph::Graph;
/// use surefoot::validate::{self, Claim, Violation};
/// struct Ring(u32);
/// impl Graph for Ring {
///     fn node_bound(&self) -> usize { self.0 as usize }
///     fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
///         visit(NodeId((from.0 + 1) % self.0), Cost::ONE);
///     }
/// }
/// impl OwnGraph for Ring {}
/// let (ring, start, goal) = (Ring(5), NodeId(4), NodeId(0));
/// let path = Claim { start, goals: &[goal], nodes: &[start, goal], units: Cost::ONE, cost: 1.0, length: 0.0, any_angle: false };
/// assert_eq!(validate::own_path(&OwnView::new(&ring), &path), Ok(()));
/// let back = Claim { start: goal, goals: &[start], nodes: &[goal, start], ..path };
/// let wrong_way = Violation::NoSuchEdge { step: 0, from: goal, to: start };
/// assert_eq!(validate::own_path(&OwnView::new(&ring), &back), Err(wrong_way));
/// ```
pub fn own_path(graph: &OwnView<'_>, claim: &Claim) -> Result<(), Violation> {
    let bound = graph.node_bound();
    if let Some(index) = claim.nodes.iter().position(|node| node.index() >= bound) {
        return Err(Violation::Outside { index, node: claim.nodes[index] });
    }
    claim.check_ends(Place::Node)?;
    let mut sums = Sums { units: Cost::ZERO, cost: 0.0, length: 0.0 };
    for (step, pair) in claim.nodes.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let mut costs = Vec::new();
        graph.for_each_edge(from, |next, cost| costs.extend((next == to).then_some(cost)));
        sums.units += costs.into_iter().min().ok_or(Violation::NoSuchEdge { step, from, to })?;
        let distance = graph.position(from).distance(graph.position(to));
        sums.length += if distance.is_finite() { distance } else { 0.0 };
    }
    sums.cost = Scale::GRID.cells(sums.units);
    claim.check_sums(&sums)
}
