//! The interface between worlds and everything that works with them.
//!
//! A world describes itself through [`SearchSpace`]: where an agent can be, what steps cost, the heuristic to a goal, what changed.
//! Searches, planners, paths and subscriptions use this trait and never depend on the kind of world. `on_world!` leads from a
//! [`View`](crate::world::any::View) to the trait.

use crate::core::estimate::{Estimate, Weight, WithSearch};
use crate::core::expand::{ArrivalSteps, Expander};
use crate::core::heuristic::Heuristic;
use crate::core::observe::Side;
use crate::core::outcome::Why;
use crate::cost::{Cost, Scale};
use crate::graph::{Graph, Located, ReverseGraph, Sight};
use crate::id::NodeId;
use crate::world::any::{AgentKey, Numbering, Scratch};
use crate::world::changes::{Changes, Touched};
use crate::world::journal::Revision;
use crate::world::nearest::Reach;
use crate::world::paper::{Area, Blocks, Chance, Chart, Place, Price};

/// The query behind a heuristic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EstimateSpec<'a> {
    pub heuristic: Heuristic,
    pub weight: Weight,
    /// A search that runs backwards estimates the cost from its goals.
    pub side: Side,
    pub goals: &'a [NodeId],
}

impl<'a> EstimateSpec<'a> {
    /// Creates a query for the cost to some goals, with the best heuristic available.
    pub fn best(side: Side, goals: &'a [NodeId]) -> EstimateSpec<'a> {
        EstimateSpec { heuristic: Heuristic::Best, weight: Weight::ONE, side, goals }
    }
}

/// Continues with both sides of a search: expanders forwards and backwards, and the heuristics to the goals and from the start.
pub(crate) trait WithTwoSides {
    /// The result.
    type Out;

    /// Continues. `exact` means that the heuristics are consistent to the last unit.
    fn go_on<F: Expander + Sync, B: Expander + Sync, H: Estimate + Sync>(
        self,
        forward: &F,
        backward: &B,
        estimates: [&H; 2],
        exact: bool,
    ) -> Self::Out;
}

/// Continues in worlds with or without lines of sight.
pub(crate) trait WithSight {
    /// The result.
    type Out;

    /// Continues in a world with lines of sight.
    fn go_on<S: SearchSpace + Sight>(self, space: &S) -> Self::Out;

    /// Continues in a world without lines of sight.
    fn without(self) -> Self::Out;
}

/// The sum of the steps of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measure {
    pub units: Cost,
    /// In cells, from the steps themselves.
    pub cost: f64,
    pub length: f64,
}

/// A world as seen by an agent. Each kind of world has one implementation, in its own folder. The default methods are correct for
/// every world whose [changes](Changes::nodes) are nodes.
pub(crate) trait SearchSpace: ReverseGraph + Located + Sized {
    // Which world, which moment, which agent.

    /// Returns which node numbers exist.
    fn numbering(&self) -> Numbering;

    /// Returns the current revision of the world.
    fn revision(&self) -> Revision;

    /// Returns the properties of the agent that decide about its paths.
    fn agent_key(&self) -> AgentKey;

    /// Returns the scale of costs.
    fn scale(&self) -> Scale;

    /// Returns the maximum number of units that a step counts per cell of its cost. Steps whose cost is not a whole number of units
    /// are rounded.
    fn most_units_a_cell(&self) -> f64 {
        self.scale().units_per_cell() as f64
    }

    // Where the agent can be.

    /// Returns whether the agent can be at a node. Edges are requested only where it can.
    fn stands(&self, node: NodeId) -> bool;

    /// Returns whether an agent that fits everywhere could be there.
    fn stands_smallest(&self, node: NodeId) -> bool {
        self.stands(node)
    }

    /// Returns whether the agent can get from one node to another, as far as that is known without a search.
    fn reach(&self, from: NodeId, to: NodeId) -> Reach;

    /// Returns whether [`reach`](SearchSpace::reach) is known at once. Otherwise the first call after an edit may take as long as a
    /// search.
    fn has_reach_at_hand(&self) -> bool {
        true
    }

    /// Computes now what [`reach`](SearchSpace::reach) needs, at any price. Where that is known or not depending on earlier searches, the results
    /// of searches in copies of a world that share their memory would depend on which of them comes first.
    fn make_reach(&self) {}

    /// Returns whether [`reach`](SearchSpace::reach) is faster than a search.
    fn knows_reach(&self) -> bool {
        true
    }

    /// Returns whether an agent that fits everywhere could get from one node to another where this one cannot.
    fn smaller_agent_could(&self, _from: NodeId, _to: NodeId) -> bool {
        false
    }

    /// Returns a node itself if the agent can be there, and otherwise the nearest node where it can, as far as the world knows
    /// distances.
    fn nearest_stand(&self, node: NodeId) -> Option<NodeId> {
        self.stands(node).then_some(node)
    }

    /// Returns why a search that has run out of nodes found none of its goals.
    fn why_exhausted(&self, start: NodeId, goals: &[NodeId]) -> Why;

    /// Returns the node nearest to a goal that can be reached instead of it.
    fn instead(&self, _start: NodeId, _goal: NodeId) -> Option<NodeId> {
        None
    }

    // How searches look at it.

    /// Returns the cost of the most expensive edge, or an approximation: it determines how finely open lists sort.
    fn max_edge_cost(&self) -> Cost;

    /// Returns whether edges can be traversed backwards.
    fn has_reverse_edges(&self) -> bool {
        true
    }

    /// Returns whether all edges cost the same.
    fn edges_cost_the_same(&self) -> bool {
        false
    }

    /// Explains in plain words why A* with a heuristic may miss the best path; `None` if it never does.
    fn fault_of(&self, _heuristic: Heuristic) -> Option<String> {
        None
    }

    /// Returns whether a heuristic is consistent: no edge lowers it by more than the edge costs.
    fn is_consistent(&self, heuristic: Heuristic) -> bool {
        self.fault_of(heuristic).is_none()
    }

    /// Returns whether heuristics to different goals obey the triangle inequality: the distance of a node from one goal is at most
    /// its distance from another plus the distance between the two. Searches with a moving goal rely on it.
    fn has_triangles(&self) -> bool {
        false
    }

    /// Returns the numbers that heuristics are computed from, besides links: when these change, so do all estimates.
    fn basis(&self) -> [u64; 2] {
        [0; 2]
    }

    /// Builds a heuristic of the simplest sufficient type, and continues with it and with an expander for the world.
    fn with_search<E: Expander, W: WithSearch>(
        &self,
        expander: &E,
        spec: &EstimateSpec<'_>,
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out;

    /// Continues with a heuristic and without redundant steps, for searches that keep the cheapest paths.
    fn with_pruned<W: WithSearch>(&self, spec: &EstimateSpec<'_>, scratch: &mut Scratch, then: W) -> W::Out {
        self.with_search(self, spec, scratch, then)
    }

    /// By arrival, the step that it stands for, if redundant steps can be left out.
    fn pruned_steps(&self) -> Option<ArrivalSteps> {
        None
    }

    /// Continues with both sides of a search.
    fn with_two_sides<W: WithTwoSides>(
        &self,
        heuristic: Heuristic,
        ends: (NodeId, &[NodeId]),
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out;

    /// By arrival, the step that it stands for in searches from two sides.
    fn two_sided_steps(&self) -> Option<ArrivalSteps> {
        None
    }

    /// Returns whether a backward path may be straightened using its forward costs.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// Continues with or without lines of sight.
    fn with_sight<W: WithSight>(&self, then: W) -> W::Out {
        then.without()
    }

    /// Explains why straight lines have no cost here; `None` if they have one.
    fn fault_of_lines(&self) -> Option<&'static str>;

    // Paths.

    /// Adds up the steps of a path, or its straight lines, and collects the steps that are links.
    fn measure(&self, nodes: &[NodeId], _lines: bool, _jumps: &mut Vec<usize>) -> Measure {
        let steps = nodes.windows(2);
        let units = steps.clone().map(|pair| self.edge_between(pair[0], pair[1]).unwrap_or(Cost::ZERO)).sum();
        let distances = steps.map(|pair| self.position(pair[0]).distance(self.position(pair[1])));
        // User-defined graphs may place nodes nowhere, or infinitely far away.
        let length = distances.filter(|distance| distance.is_finite()).sum();
        Measure { units, cost: self.scale().cells(units), length }
    }

    /// Returns whether a path continues in the same direction at the second of three nodes. Links are not considered.
    fn goes_straight(&self, [before, at, after]: [NodeId; 3]) -> bool {
        Graph::straight_before(self, at, after).is_some_and(|(straight, _)| straight == before)
    }

    /// Returns the cost of the cheapest edge from a node to another; `None` if the agent cannot stand at the first or no edge leads
    /// there.
    fn edge_between(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        if !self.numbering().contains(from) || !self.stands(from) {
            return None;
        }
        let mut cheapest: Option<Cost> = None;
        self.for_each_edge(from, |next, cost| {
            if next == to {
                cheapest = Some(cheapest.map_or(cost, |known| known.min(cost)));
            }
        });
        cheapest
    }

    // Changes.

    /// Reads what changed since a revision; returns `false` if that is no longer known.
    fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool;

    /// Collects the nodes of which some edge, in or out, may have changed. Nodes may be left out if neither they nor any node at the
    /// other end of a changed edge is known to the planner. Returns whether heuristics lead elsewhere.
    fn touched_by(&self, changes: &Changes, _knows: impl Fn(NodeId) -> bool, touched: &mut Touched) -> bool {
        touched.better.extend(changes.nodes());
        touched.settle();
        // Heuristics may have changed with the edges.
        touched.len() > 0
    }

    // As subscriptions see it: in projection.

    /// How nodes are gathered in blocks.
    fn blocks(&self) -> Blocks {
        Blocks::Runs { nodes: self.node_bound() }
    }

    /// The projection.
    fn chart(&self) -> Chart {
        Chart::of_cells(1, 1)
    }

    /// Where a node is on it.
    fn place(&self, _chart: &Chart, _node: NodeId) -> Place {
        Place::default()
    }

    /// Returns the cost per distance on it, ignoring walls.
    fn price(&self, _chart: &Chart) -> Price {
        // Distances are not known, so every change may be a shortcut for every path.
        Price::Line(0.0)
    }

    /// Calls `visit` for every link, whether the agent can use it or not.
    fn for_each_link(&self, _visit: impl FnMut(crate::graph::Link)) {}

    /// Calls `visit(node, distance)` where changes may have changed what legs of a path cost: at nodes up to `distance`
    /// columns and rows away.
    fn for_each_suspect(&self, changes: &Changes, mut visit: impl FnMut(NodeId, i32)) {
        changes.nodes().iter().for_each(|&node| visit(node, 0));
    }

    /// Collects what may make paths cheaper. `doors` is whether there are links.
    fn chances(&self, changes: &Changes, _chart: &Chart, _doors: bool, chances: &mut Vec<Chance>) {
        if !changes.nodes().is_empty() {
            let anywhere = Area::from(Place::default());
            chances.push(Chance { from: anywhere, to: anywhere, extra: 0, toll: 0 });
        }
    }

    /// Returns whether links have changed.
    fn has_new_links(&self, changes: &Changes) -> bool {
        changes.has_links()
    }
}
