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
use crate::world::changes::Changes;
use crate::world::journal::Revision;
use crate::world::nearest::Reach;
use crate::world::paper::{Area, Blocks, Chance, Chart, Place, Price};

/// The question behind an estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub heuristic: Heuristic,
    pub weight: Weight,
    /// A search that runs backwards estimates the way from its goals.
    pub side: Side,
    pub goals: &'a [NodeId],
}

impl<'a> Asked<'a> {
    /// The way to some goals, by the best estimate there is.
    pub fn best(side: Side, goals: &'a [NodeId]) -> Asked<'a> {
        Asked { heuristic: Heuristic::Best, weight: Weight::ONE, side, goals }
    }
}

/// Goes on with both sides of a search: ways to walk forward and backward, and the estimates to the goals and from the start.
pub(crate) trait WithTwoSides {
    /// What comes of it.
    type Out;

    /// Goes on. `exact` says that estimates are consistent to the last unit.
    fn go_on<F: Expander + Sync, B: Expander + Sync, H: Estimate + Sync>(
        self,
        forward: &F,
        backward: &B,
        estimates: [&H; 2],
        exact: bool,
    ) -> Self::Out;
}

/// Goes on where one can go in straight lines.
pub(crate) trait WithSight {
    /// What comes of it.
    type Out;

    /// Goes on in a world with lines of sight.
    fn go_on<S: SearchSpace + Sight>(self, space: &S) -> Self::Out;

    /// Goes on in a world without.
    fn without(self) -> Self::Out;
}

/// What the steps of a path add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measure {
    pub units: Cost,
    /// In cells, from the steps themselves.
    pub cost: f64,
    pub length: f64,
}

/// A world as an agent sees it. Each kind of world has one implementation, in its own folder. What a kind of world does not answer, it
/// does not know: the defaults are right for every world whose [changes](Changes::nodes) are nodes.
pub(crate) trait SearchSpace: ReverseGraph + Located + Sized {
    // Which world, which moment, which agent.

    /// Which node numbers there are.
    fn numbering(&self) -> Numbering;

    /// The present moment of the world's history.
    fn revision(&self) -> Revision;

    /// What of the agent decides about its paths.
    fn agent_key(&self) -> AgentKey;

    /// The scale of costs.
    fn scale(&self) -> Scale;

    /// How many units a step counts for each cell that it costs, at most. Steps whose cost is no whole number of units are rounded.
    fn most_units_a_cell(&self) -> f64 {
        self.scale().units_per_cell() as f64
    }

    // Where the agent can be.

    /// Whether the agent can be at a node. Edges are asked for only where it can.
    fn stands(&self, node: NodeId) -> bool;

    /// Whether an agent that fits everywhere could be there.
    fn stands_smallest(&self, node: NodeId) -> bool {
        self.stands(node)
    }

    /// Whether the agent can get from one node to another, as far as that is known without a search.
    fn reach(&self, from: NodeId, to: NodeId) -> Reach;

    /// Whether [`reach`](SearchSpace::reach) is quicker than a search.
    fn knows_reach(&self) -> bool {
        true
    }

    /// Whether an agent that fits everywhere could get from one node to another, where this one cannot.
    fn smaller_agent_could(&self, _from: NodeId, _to: NodeId) -> bool {
        false
    }

    /// Why a search that has run out of nodes found none of its goals.
    fn why_exhausted(&self, start: NodeId, goals: &[NodeId]) -> Why;

    /// The node nearest to a goal that can be reached instead of it.
    fn instead(&self, _start: NodeId, _goal: NodeId) -> Option<NodeId> {
        None
    }

    // How searches look at it.

    /// Returns the cost of the most expensive edge, or an approximation: it determines how finely open lists sort.
    fn dearest_edge(&self) -> Cost;

    /// Whether edges can be walked backwards.
    fn has_reverse_edges(&self) -> bool {
        true
    }

    /// Whether all edges cost the same.
    fn edges_cost_the_same(&self) -> bool {
        false
    }

    /// Why A* with a heuristic may miss the best path, in plain words; `None` if it never does.
    fn fault_of(&self, _heuristic: Heuristic) -> Option<String> {
        None
    }

    /// Whether a heuristic falls by no more than an edge costs.
    fn is_consistent(&self, heuristic: Heuristic) -> bool {
        self.fault_of(heuristic).is_none()
    }

    /// Whether estimates to different targets obey the triangle inequality: what a node is from one target is at most what it is from
    /// another and what the two are apart. Searches whose target moves lean on it.
    fn has_triangles(&self) -> bool {
        false
    }

    /// Numbers of which estimates are made, besides links: when these change, so do all estimates.
    fn basis(&self) -> [u64; 2] {
        [0; 2]
    }

    /// Makes an estimate, the simplest type that will do, and goes on with it and with a way to walk the world.
    fn with_search<E: Expander, W: WithSearch>(
        &self,
        expander: &E,
        asked: &Asked<'_>,
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out;

    /// Goes on with an estimate and without pointless steps, for searches that keep the cheapest ways.
    fn with_pruned<W: WithSearch>(&self, asked: &Asked<'_>, scratch: &mut Scratch, then: W) -> W::Out {
        self.with_search(self, asked, scratch, then)
    }

    /// By arrival, the step that it stands for, if pointless steps can be left out.
    fn pruned_steps(&self) -> Option<ArrivalSteps> {
        None
    }

    /// Goes on with both sides of a search.
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

    /// Whether a way backwards may be made straight by what it costs forwards.
    fn is_symmetric(&self) -> bool {
        false
    }

    /// Goes on where one can go in straight lines.
    fn with_sight<W: WithSight>(&self, then: W) -> W::Out {
        then.without()
    }

    /// Why straight lines have no price here, if they have none.
    fn fault_of_lines(&self) -> Option<&'static str>;

    // Paths.

    /// Adds up the steps of a path, or its straight lines, and collects the steps that are links.
    fn measure(&self, nodes: &[NodeId], _lines: bool, _jumps: &mut Vec<usize>) -> Measure {
        let steps = nodes.windows(2);
        let units = steps.clone().map(|pair| self.edge_between(pair[0], pair[1]).unwrap_or(Cost::ZERO)).sum();
        let length = steps.map(|pair| self.position(pair[0]).distance(self.position(pair[1]))).sum();
        Measure { units, cost: self.scale().cells(units), length }
    }

    /// Whether a path goes on in the same direction at its second of three nodes. Links are not asked about.
    fn goes_straight(&self, [before, at, after]: [NodeId; 3]) -> bool {
        Graph::straight_before(self, at, after).is_some_and(|(straight, _)| straight == before)
    }

    /// What the cheapest edge from a node to another costs; `None` if the agent cannot stand at the first or no edge leads there.
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

    /// Reads what changed since a moment; `false` if that is not known any more.
    fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool;

    /// Collects every node of which some edge, in or out, may have changed, sorted. Says whether estimates lead elsewhere.
    fn touched_by(&self, changes: &Changes, touched: &mut Vec<NodeId>) -> bool {
        touched.extend(changes.nodes());
        touched.sort_unstable();
        touched.dedup();
        // What is estimated may have changed with the edges.
        !touched.is_empty()
    }

    // As subscriptions see it: on paper.

    /// How nodes are gathered in blocks.
    fn blocks(&self) -> Blocks {
        Blocks::Runs { nodes: self.node_bound() }
    }

    /// The paper.
    fn chart(&self) -> Chart {
        Chart::of_cells(1, 1)
    }

    /// Where a node is on it.
    fn place(&self, _chart: &Chart, _node: NodeId) -> Place {
        Place::default()
    }

    /// What flying over it costs.
    fn price(&self, _chart: &Chart) -> Price {
        // Nothing is known of distances, so that every change may be a shortcut for every path.
        Price::Line(0.0)
    }

    /// Calls `visit` for every link, whether the agent can use it or not.
    fn for_each_link(&self, _visit: impl FnMut(crate::graph::Link)) {}

    /// Calls `visit(node, distance)` where changes may have changed what legs of a path cost: at nodes up to `distance`
    /// columns and rows away.
    fn for_each_suspect(&self, changes: &Changes, mut visit: impl FnMut(NodeId, i32)) {
        changes.nodes().iter().for_each(|&node| visit(node, 0));
    }

    /// Collects what may make paths cheaper. `doors` says whether there are links.
    fn chances(&self, changes: &Changes, _chart: &Chart, _doors: bool, chances: &mut Vec<Chance>) {
        if !changes.nodes().is_empty() {
            let anywhere = Area::from(Place::default());
            chances.push(Chance { from: anywhere, to: anywhere, extra: 0, toll: 0 });
        }
    }

    /// Whether links are not what they were.
    fn has_new_links(&self, changes: &Changes) -> bool {
        changes.has_links()
    }
}
