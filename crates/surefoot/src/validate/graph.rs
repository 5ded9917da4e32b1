//! Paths on waypoint graphs.

use std::collections::BTreeMap;

use super::{Claim, Place, Sums, Violation};
use crate::cost::{Cost, Scale};
use crate::id::NodeId;
use crate::world::waypoints::{EdgeId, EdgeKind, Waypoints};

/// Checks a path on a waypoint graph: every step is an open edge, and the totals are correct.
///
/// Of parallel edges the cheapest is assumed; of a road and a link with the same cost, the road.
///
/// # Errors
/// Returns the first violation: nodes first, then endpoints, steps and totals.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::validate::{self, Claim, Violation};
/// let mut builder = Waypoints::builder();
/// let start = builder.node(Point::flat(0.0, 0.0));
/// let goal = builder.node(Point::flat(3.0, 4.0));
/// builder.one_way(start, goal, Cost::ONE, EdgeKind::Road);
/// let graph = builder.build().unwrap();
/// let path = Claim { start, goals: &[goal], nodes: &[start, goal], units: Cost::ONE, cost: 1.0, length: 5.0, any_angle: false };
/// assert_eq!(validate::graph_path(&graph, &path), Ok(()));
/// let back = Claim { start: goal, goals: &[start], nodes: &[goal, start], ..path };
/// let wrong_way = Violation::NoSuchEdge { step: 0, from: goal, to: start };
/// assert_eq!(validate::graph_path(&graph, &back), Err(wrong_way));
/// ```
pub fn graph_path(graph: &Waypoints, claim: &Claim) -> Result<(), Violation> {
    let positions = graph.positions();
    if let Some(index) = claim.nodes.iter().position(|node| node.index() >= positions.len()) {
        return Err(Violation::Outside { index, node: claim.nodes[index] });
    }
    claim.check_ends(Place::Node)?;
    let edges = cheapest_edges(graph, claim.nodes);
    let mut sums = Sums { units: Cost::ZERO, cost: 0.0, length: 0.0 };
    for (step, pair) in claim.nodes.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let (cost, is_link) = edges[&(from, to)].ok_or(Violation::NoSuchEdge { step, from, to })?;
        sums.units += cost;
        if !is_link {
            sums.length += positions[from.index()].distance(positions[to.index()]);
        }
    }
    sums.cost = Scale::GRID.cells(sums.units);
    claim.check_sums(&sums)
}

/// Returns, for each step of a path, the cost of its cheapest open edge and whether that is a link. Makes one pass over
/// all edges: the graph's own lists of edges by node are among the things that may have made the path wrong.
fn cheapest_edges(graph: &Waypoints, nodes: &[NodeId]) -> BTreeMap<(NodeId, NodeId), Option<(Cost, bool)>> {
    let mut cheapest: BTreeMap<_, _> = nodes.windows(2).map(|pair| ((pair[0], pair[1]), None)).collect();
    for (id, edge) in (0..).map(EdgeId).zip(graph.edges()) {
        if let Some(best) = cheapest.get_mut(&(edge.from, edge.to))
            && !graph.is_closed(id)
        {
            let this = (edge.cost, edge.kind == EdgeKind::Link);
            *best = Some(best.map_or(this, |best| this.min(best)));
        }
    }
    cheapest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::Graph;
    use crate::space::Point;

    /// A road of 3 cells a-b, an expensive and a cheap link and a road beside each other b-c, a closed road c-a.
    fn triangle() -> (Waypoints, [NodeId; 3]) {
        let mut builder = Waypoints::builder();
        let nodes = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)].map(|(x, y)| builder.node(Point::flat(x, y)));
        let [a, b, c] = nodes;
        builder.road(a, b);
        builder.one_way(b, c, Cost::from_units(900), EdgeKind::Link);
        builder.one_way(b, c, Cost::from_units(700), EdgeKind::Link);
        builder.one_way(b, c, Cost::from_units(800), EdgeKind::Road);
        let closed = builder.one_way(c, a, Cost::ONE, EdgeKind::Road);
        let mut graph = builder.build().unwrap();
        graph.set_edge(closed, None).unwrap();
        (graph, nodes)
    }

    #[test]
    fn every_mistake_is_reported() {
        let (graph, nodes) = triangle();
        let [a, b, c] = nodes;
        let units = Cost::from_units(3 * 23_780 + 700);
        let cost = Scale::GRID.cells(units);
        let claim =
            Claim { start: a, goals: &[c], nodes: &nodes, units, cost, length: 3.0, any_angle: false };
        let judge = |claim: Claim| graph_path(&graph, &claim);
        assert_eq!(judge(claim), Ok(()));
        assert_eq!(judge(Claim { nodes: &[], ..claim }), Err(Violation::Empty));
        let wrong_start = Violation::WrongStart { found: Place::Node(a), expected: Place::Node(b) };
        assert_eq!(judge(Claim { start: b, ..claim }), Err(wrong_start));
        let wrong_end = Violation::WrongEnd { found: Place::Node(b) };
        assert_eq!(judge(Claim { nodes: &nodes[..2], ..claim }), Err(wrong_end));
        let outside = Violation::Outside { index: 1, node: NodeId(3) };
        assert_eq!(judge(Claim { nodes: &[a, NodeId(3), c], ..claim }), Err(outside));
        let no_edge = Violation::NoSuchEdge { step: 0, from: a, to: c };
        assert_eq!(judge(Claim { nodes: &[a, c], ..claim }), Err(no_edge));
        let closed = Violation::NoSuchEdge { step: 2, from: c, to: a };
        assert_eq!(judge(Claim { nodes: &[a, b, c, a, b, c], ..claim }), Err(closed));
        let wrong = Violation::WrongUnits { claimed: Cost::ONE, found: units };
        assert_eq!(judge(Claim { units: Cost::ONE, ..claim }), Err(wrong));
        let wrong = Violation::WrongCost { claimed: 3.0, found: cost };
        assert_eq!(judge(Claim { cost: 3.0, ..claim }), Err(wrong));
        let wrong = Violation::WrongLength { claimed: 7.0, found: 3.0 };
        assert_eq!(judge(Claim { length: 7.0, ..claim }), Err(wrong));
    }

    #[test]
    fn standing_still_costs_nothing() {
        let (graph, [a, ..]) = triangle();
        let claim = Claim {
            start: a,
            goals: &[a],
            nodes: &[a],
            units: Cost::ZERO,
            cost: 0.0,
            length: 0.0,
            any_angle: false,
        };
        assert_eq!(graph_path(&graph, &claim), Ok(()));
        let wrong = Violation::WrongCost { claimed: 1e-12, found: 0.0 };
        assert_eq!(graph_path(&graph, &Claim { cost: 1e-12, ..claim }), Err(wrong));
    }

    proptest! {
        #[test]
        fn walks_along_open_edges_pass_and_others_do_not(
            edges in prop::collection::vec((0..6_u32, 0..6_u32, 1..50_u64, any::<bool>(), any::<bool>()), 1..25),
            choices in prop::collection::vec(any::<usize>(), 0..10),
            (at, node) in (any::<usize>(), 0..7_u32),
        ) {
            let mut builder = Waypoints::builder();
            for x in 0..6_u8 {
                builder.node(Point::flat(f64::from(x), f64::from(x * x)));
            }
            for &(from, to, cost, link, _) in &edges {
                let kind = if link { EdgeKind::Link } else { EdgeKind::Road };
                builder.one_way(NodeId(from), NodeId(to), Cost::from_units(cost), kind);
            }
            let mut graph = builder.build().unwrap();
            for (id, _) in (0..).map(EdgeId).zip(&edges).filter(|(_, edge)| edge.4) {
                graph.set_edge(id, None).unwrap();
            }
            // By the definition, from the raw list: units and length of the cheapest open edge.
            let step = |from: NodeId, to: NodeId| {
                let open = edges.iter().filter(|edge| (edge.0, edge.1) == (from.0, to.0) && !edge.4);
                let best = open.min_by_key(|edge| (edge.2, edge.3))?;
                let distance = graph.positions()[from.index()].distance(graph.positions()[to.index()]);
                Some((best.2, if best.3 { 0.0 } else { distance }))
            };
            let sums = |nodes: &[NodeId]| {
                nodes.windows(2).try_fold((0, 0.0), |sum, pair| {
                    step(pair[0], pair[1]).map(|(units, length)| (sum.0 + units, sum.1 + length))
                })
            };
            let mut walk = vec![NodeId(0)];
            for choice in choices {
                let mut next = Vec::new();
                graph.for_each_edge(walk[walk.len() - 1], |node, _| next.push(node));
                if !next.is_empty() {
                    walk.push(next[choice % next.len()]);
                }
            }
            let goals = [walk[walk.len() - 1]];
            let judge = |nodes: &[NodeId], (units, length)| {
                let units = Cost::from_units(units);
                let claim = Claim { start: NodeId(0), goals: &goals, nodes, units, cost: Scale::GRID.cells(units), length, any_angle: false };
                graph_path(&graph, &claim)
            };
            prop_assert_eq!(judge(&walk, sums(&walk).unwrap()), Ok(()));

            let at = at % walk.len();
            let mut spoilt = walk.clone();
            spoilt[at] = NodeId(node);
            let right_ends = spoilt[0] == NodeId(0) && spoilt[walk.len() - 1] == goals[0];
            let legal = right_ends && node < 6 && sums(&spoilt).is_some();
            let found = sums(&spoilt).unwrap_or_default();
            let verdict = judge(&spoilt, found);
            prop_assert_eq!(verdict.is_ok(), legal, "{:?}", spoilt);
            prop_assert!(!verdict.is_err_and(|wrong| wrong.is_about_sums()));
            let (units, length) = sums(&walk).unwrap();
            prop_assert!(judge(&walk, (units + 1, length)).is_err_and(|wrong| wrong.is_about_sums()));
        }
    }
}
