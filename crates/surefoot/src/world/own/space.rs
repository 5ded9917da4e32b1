//! User-defined graphs as seen by searches, planners, paths and subscriptions.

use crate::core::estimate::{Estimate, Weight, WithSearch};
use crate::core::expand::Expander;
use crate::core::heuristic::Heuristic;
use crate::core::observe::Side;
use crate::core::outcome::Why;
use crate::cost::{Cost, Scale};
use crate::graph::Reversed;
use crate::id::NodeId;
use crate::world::any::{AgentKey, Numbering, Scratch};
use crate::world::changes::Changes;
use crate::world::journal::Revision;
use crate::world::nearest::Reach;
use crate::world::own::OwnView;
use crate::world::space::{EstimateSpec, SearchSpace, WithTwoSides};

/// With more goals than this, the heuristic is 0.
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
        // Sums of estimates and costs have to fit, whatever the graph returns.
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
        // Graphs without a history are identified by their address. No search or plan outlives a change of the number of nodes.
        let no_history = self.graph.moment() == Revision::default();
        let address = std::ptr::from_ref(self.graph).cast::<()>().addr();
        let address = if no_history { address } else { 0 };
        AgentKey::OnOwn { address, nodes: self.bound, two_way: self.back.is_some() }
    }

    fn scale(&self) -> Scale {
        Scale::GRID
    }

    fn stands(&self, node: NodeId) -> bool {
        self.graph.stands_at(node)
    }

    fn reach(&self, _from: NodeId, _to: NodeId) -> Reach {
        // Not known without a search.
        Reach::Connected
    }

    fn why_exhausted(&self, _start: NodeId, _goals: &[NodeId]) -> Why {
        Why::Disconnected
    }

    fn max_edge_cost(&self) -> Cost {
        self.graph.max_edge_cost().clamp(Cost::from_units(1), Cost::MAX_EDGE)
    }

    fn has_reverse_edges(&self) -> bool {
        self.back.is_some()
    }

    fn with_search<E: Expander, W: WithSearch>(
        &self,
        expander: &E,
        spec: &EstimateSpec<'_>,
        _scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        let EstimateSpec { heuristic, weight, side, goals } = *spec;
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
        Some("it does not support user-defined graphs")
    }

    fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool {
        changes.clear();
        if since == self.graph.moment() {
            // Nothing changed, regardless of the history of the graph: a planner that always starts over would never finish.
            return true;
        }
        let is_known = self.graph.changes(since, changes.nodes_mut());
        changes.nodes_mut().retain(|node| node.index() < self.bound);
        is_known
    }
}
