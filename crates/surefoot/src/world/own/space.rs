//! What a graph of one's own answers to searches, planners, paths and subscriptions.

use crate::core::estimate::{Estimate, Weight, WithSearch};
use crate::core::expand::Expander;
use crate::core::heuristic::Heuristic;
use crate::core::observe::Side;
use crate::core::outcome::Why;
use crate::cost::{Cost, Scale};
use crate::graph::{Graph, Located, Reversed};
use crate::id::NodeId;
use crate::world::any::{AgentKey, Numbering, Scratch};
use crate::world::changes::Changes;
use crate::world::journal::Revision;
use crate::world::links::Link;
use crate::world::nearest::Reach;
use crate::world::own::OwnView;
use crate::world::paper::{Area, Blocks, Chance, Chart, Place, Price};
use crate::world::space::{Asked, Measure, SearchSpace, WithTwoSides};

/// More goals than this are not asked one by one: nothing is known of what is left then.
const MANY_GOALS: usize = 16;

/// The graph's own estimate, to the nearest of some goals.
struct OwnEstimate<'a> {
    view: OwnView<'a>,
    weight: Weight,
    side: Side,
    goals: &'a [NodeId],
}

impl<'a> OwnEstimate<'a> {
    fn new(view: OwnView<'a>, heuristic: Heuristic, weight: Weight, side: Side, goals: &'a [NodeId]) -> Self {
        let is_blind = heuristic == Heuristic::Zero || goals.len() > MANY_GOALS;
        OwnEstimate { view, weight, side, goals: if is_blind { &[] } else { goals } }
    }
}

impl Estimate for OwnEstimate<'_> {
    #[inline]
    fn of(&self, node: NodeId) -> u64 {
        let between = |goal| match self.side {
            Side::Forward => self.view.graph.estimate_between(node, goal),
            Side::Backward => self.view.graph.estimate_between(goal, node),
        };
        let least = self.goals.iter().map(|&goal| between(goal).units()).min().unwrap_or(0);
        // Sums of estimates and costs have to fit, whatever the graph says.
        self.weight.times(least).min(u64::MAX / 4)
    }
}

impl SearchSpace for OwnView<'_> {
    fn numbering(&self) -> Numbering {
        Numbering::Graph(self.bound)
    }

    fn revision(&self) -> Revision {
        self.graph.moment()
    }

    fn agent_key(&self) -> AgentKey {
        // Graphs without a history are told apart by where they are.
        let no_history = self.graph.moment() == Revision::default();
        let address = std::ptr::from_ref(self.graph).cast::<()>().addr();
        AgentKey::OnOwn { address: if no_history { address } else { 0 }, two_way: self.back.is_some() }
    }

    fn scale(&self) -> Scale {
        Scale::GRID
    }

    fn stands(&self, node: NodeId) -> bool {
        self.graph.stands_at(node)
    }

    fn stands_smallest(&self, node: NodeId) -> bool {
        self.graph.stands_at(node)
    }

    fn reach(&self, _from: NodeId, _to: NodeId) -> Reach {
        // Only a search can tell.
        Reach::Connected
    }

    fn knows_reach(&self) -> bool {
        true
    }

    fn smaller_agent_could(&self, _from: NodeId, _to: NodeId) -> bool {
        false
    }

    fn why_exhausted(&self, _start: NodeId, _goals: &[NodeId]) -> Why {
        Why::Disconnected
    }

    fn instead(&self, _start: NodeId, _goal: NodeId) -> Option<NodeId> {
        None
    }

    fn dearest_edge(&self) -> Cost {
        self.graph.dearest().clamp(Cost::from_units(1), Cost::MAX_EDGE)
    }

    fn has_reverse_edges(&self) -> bool {
        self.back.is_some()
    }

    fn edges_cost_the_same(&self) -> bool {
        false
    }

    fn fault_of(&self, _heuristic: Heuristic) -> Option<String> {
        None
    }

    fn is_consistent(&self, _heuristic: Heuristic) -> bool {
        true
    }

    fn has_triangles(&self) -> bool {
        // Consistent estimates are asked for, and no more than that.
        false
    }

    fn basis(&self) -> [u64; 2] {
        [0; 2]
    }

    fn with_search<E: Expander, W: WithSearch>(
        &self,
        expander: &E,
        asked: &Asked<'_>,
        _scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        let Asked { heuristic, weight, side, goals } = *asked;
        then.go_on(expander, &OwnEstimate::new(*self, heuristic, weight, side, goals))
    }

    fn with_two_sides<W: WithTwoSides>(
        &self,
        heuristic: Heuristic,
        (start, goals): (NodeId, &[NodeId]),
        _scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        let estimate = |side, goals| OwnEstimate::new(*self, heuristic, Weight::ONE, side, goals);
        let start = [start];
        let estimates = [&estimate(Side::Forward, goals), &estimate(Side::Backward, &start)];
        then.go_on(self, &Reversed(self), estimates, false)
    }

    fn fault_of_lines(&self) -> Option<&'static str> {
        Some("it does not work on graphs of one's own")
    }

    fn measure(&self, nodes: &[NodeId], _lines: bool, _jumps: &mut Vec<usize>) -> Measure {
        let steps = nodes.windows(2);
        let units = steps.clone().map(|pair| self.edge_between(pair[0], pair[1]).unwrap_or(Cost::ZERO)).sum();
        let length = steps.map(|pair| self.position(pair[0]).distance(self.position(pair[1]))).sum();
        Measure { units, cost: Scale::GRID.cells(units), length }
    }

    fn goes_straight(&self, [before, at, after]: [NodeId; 3]) -> bool {
        Graph::straight_before(self, at, after).is_some_and(|(straight, _)| straight == before)
    }

    fn edge_between(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        if from.index() >= self.bound || !self.graph.stands_at(from) {
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

    fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool {
        changes.clear();
        self.graph.changes(since, changes.nodes_mut())
    }

    fn touched_by(&self, changes: &Changes, touched: &mut Vec<NodeId>) -> bool {
        touched.extend(changes.nodes().iter().filter(|node| node.index() < self.bound));
        touched.sort_unstable();
        touched.dedup();
        // What the graph estimates may have changed with its edges.
        !touched.is_empty()
    }

    fn blocks(&self) -> Blocks {
        Blocks::Runs { nodes: self.bound }
    }

    fn chart(&self) -> Chart {
        Chart::of_cells(1, 1)
    }

    fn place(&self, _chart: &Chart, _node: NodeId) -> Place {
        Place::default()
    }

    fn price(&self, _chart: &Chart) -> Price {
        // Nothing is known of distances, so that every change may be a shortcut for every path.
        Price::Line(0.0)
    }

    fn for_each_link(&self, _visit: impl FnMut(Link)) {}

    fn for_each_suspect(&self, changes: &Changes, mut visit: impl FnMut(NodeId, i32)) {
        changes.nodes().iter().for_each(|&node| visit(node, 0));
    }

    fn chances(&self, changes: &Changes, _chart: &Chart, _doors: bool, chances: &mut Vec<Chance>) {
        if !changes.nodes().is_empty() {
            let anywhere = Area::from(Place::default());
            chances.push(Chance { from: anywhere, to: anywhere, extra: 0, toll: 0 });
        }
    }
}
