//! Waypoint graphs as seen by searches, planners, paths and subscriptions.

use crate::core::estimate::{Anchored, MANY_LINKS, Weight, WithSearch, seen_from};
use crate::core::expand::Expander;
use crate::core::heuristic::Heuristic;
use crate::core::outcome::Why;
use crate::cost::{Cost, Scale};
use crate::graph::{Located, Reversed};
use crate::id::NodeId;
use crate::world::any::{AgentKey, Numbering, Scratch};
use crate::world::changes::{Changes, Touched};
use crate::world::journal::Revision;
use crate::world::links::Link;
use crate::world::nearest::Reach;
use crate::world::paper::{Area, Chance, Chart, Place, Price};
use crate::world::space::{EstimateSpec, Measure, SearchSpace, WithTwoSides};
use crate::world::waypoints::estimate::GraphFlyer;
use crate::world::waypoints::{Edge, EdgeChange, EdgeKind, Waypoints};

impl Waypoints {
    /// The edge that a change is about.
    fn edge_of(&self, change: &EdgeChange) -> Option<&Edge> {
        self.edges().get(change.edge.0 as usize)
    }
}

impl SearchSpace for Waypoints {
    fn numbering(&self) -> Numbering {
        Numbering::Graph(self.node_count())
    }

    fn revision(&self) -> Revision {
        Waypoints::revision(self)
    }

    fn agent_key(&self) -> AgentKey {
        AgentKey::None
    }

    fn scale(&self) -> Scale {
        Waypoints::scale(self)
    }

    fn stands(&self, _node: NodeId) -> bool {
        true
    }

    fn reach(&self, from: NodeId, to: NodeId) -> Reach {
        self.reachable(from, to)
    }

    fn knows_reach(&self) -> bool {
        // What can be reached where edges lead one way takes as long to find out as a search.
        false
    }

    fn why_exhausted(&self, _start: NodeId, _goals: &[NodeId]) -> Why {
        Why::OneWay
    }

    fn instead(&self, start: NodeId, goal: NodeId) -> Option<NodeId> {
        self.nearest_reachable(start, self.positions()[goal.index()])
    }

    fn max_edge_cost(&self) -> Cost {
        Waypoints::max_edge_cost(self)
    }

    fn edges_cost_the_same(&self) -> bool {
        self.edges().windows(2).all(|pair| pair[0].cost == pair[1].cost)
    }

    fn has_triangles(&self) -> bool {
        self.open_links().nth(MANY_LINKS).is_none()
    }

    fn basis(&self) -> [u64; 2] {
        [self.road_scale().to_bits(), 0]
    }

    fn with_search<E: Expander, W: WithSearch>(
        &self,
        expander: &E,
        spec: &EstimateSpec<'_>,
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        let EstimateSpec { heuristic, weight, side, goals } = *spec;
        let links = self.open_links().map(|link| seen_from(side, link));
        let flyer = GraphFlyer::new(heuristic, self);
        then.go_on(expander, &Anchored::new(flyer, weight, goals, links, &mut scratch.points[0]))
    }

    fn with_two_sides<W: WithTwoSides>(
        &self,
        heuristic: Heuristic,
        (start, goals): (NodeId, &[NodeId]),
        scratch: &mut Scratch,
        then: W,
    ) -> W::Out {
        let [ahead, behind] = &mut scratch.points;
        let flyer = || GraphFlyer::new(heuristic, self);
        let to_goal = Anchored::new(flyer(), Weight::ONE, goals, self.open_links(), ahead);
        let reversed = self.open_links().map(Link::reversed);
        let from_start = Anchored::new(flyer(), Weight::ONE, &[start], reversed, behind);
        // Distances are rounded here, so estimates may fall by a unit too much.
        then.go_on(self, &Reversed(self), [&to_goal, &from_start], false)
    }

    fn fault_of_lines(&self) -> Option<&'static str> {
        Some("it does not support waypoint graphs")
    }

    fn measure(&self, nodes: &[NodeId], _lines: bool, jumps: &mut Vec<usize>) -> Measure {
        let mut sum = Measure::default();
        for (index, pair) in nodes.windows(2).enumerate() {
            let edge = self.cheapest_edge(pair[0], pair[1]);
            sum.units += edge.map_or(Cost::ZERO, |edge| edge.cost);
            if edge.is_some_and(|edge| edge.kind == EdgeKind::Road) {
                sum.length += self.position(pair[0]).distance(self.position(pair[1]));
            } else {
                jumps.push(index);
            }
        }
        Measure { cost: Waypoints::scale(self).cells(sum.units), ..sum }
    }

    fn edge_between(&self, from: NodeId, to: NodeId) -> Option<Cost> {
        self.contains(from).then(|| self.cheapest_edge(from, to)).flatten().map(|edge| edge.cost)
    }

    fn read_changes(&self, since: Revision, changes: &mut Changes) -> bool {
        changes.clear();
        let Some(recorded) = self.journal().since(since) else { return false };
        recorded.for_each(|change| changes.edge(change));
        true
    }

    fn touched_by(&self, changes: &Changes, _knows: impl Fn(NodeId) -> bool, touched: &mut Touched) -> bool {
        let edges = changes.edges().filter_map(|change| self.edge_of(change));
        touched.better.extend(edges.flat_map(|edge| [edge.from, edge.to]));
        touched.settle();
        self.has_new_links(changes)
    }

    fn chart(&self) -> Chart {
        Chart::of_points(self.positions())
    }

    fn place(&self, chart: &Chart, node: NodeId) -> Place {
        chart.place_of(self.position(node))
    }

    fn price(&self, chart: &Chart) -> Price {
        Price::Line(self.road_scale() * chart.unit)
    }

    fn for_each_link(&self, visit: impl FnMut(Link)) {
        self.open_links().for_each(visit);
    }

    fn for_each_suspect(&self, changes: &Changes, mut visit: impl FnMut(NodeId, i32)) {
        for edge in changes.edges().filter_map(|change| self.edge_of(change)) {
            visit(edge.from, 0);
        }
    }

    fn chances(&self, changes: &Changes, chart: &Chart, _doors: bool, chances: &mut Vec<Chance>) {
        chances.extend(changes.edges().filter_map(|change| {
            let edge = self.edge_of(change)?;
            let cost = change.new.filter(|new| change.old.is_none_or(|old| *new < old))?;
            let link = Link { from: edge.from, to: edge.to, cost };
            Some(Chance::of_link(link, |node| Area::from(self.place(chart, node))))
        }));
    }

    fn has_new_links(&self, changes: &Changes) -> bool {
        changes.edges().filter_map(|change| self.edge_of(change)).any(|edge| edge.kind == EdgeKind::Link)
    }
}
