//! Graphs of one's own: every search that takes them answers as Dijkstra's algorithm over plain lists does.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::cases;
use crate::common::run::settings;
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::algorithms::ALGORITHMS;
use surefoot::closures;
use surefoot::graph::{Graph, ReverseGraph};
use surefoot::prelude::*;
use surefoot::replan::{PathChange, Planner, Subscriptions};
use surefoot::search::Promise;
use surefoot::validate::{self, Claim};
use surefoot::world::any::WorldKind;
use surefoot::world::journal::{Journal, Revision};

/// What is left to each node, as exact as one can know, in halves: consistent however edges change, as long as it is worked out anew.
#[derive(Clone, Debug)]
struct Listed {
    /// By node: where edges lead and what they cost.
    edges: Vec<Vec<(u32, u64)>>,
    /// By node: what is left to it from each node, halved.
    estimates: Option<Vec<Vec<u64>>>,
    journal: Journal<NodeId>,
    has_history: bool,
}

/// No way.
const NEVER: u64 = u64::MAX;

/// Dijkstra's algorithm, without a queue worth the name.
fn costs_from(edges: &[Vec<(u32, u64)>], start: usize) -> Vec<u64> {
    let mut costs = vec![NEVER; edges.len()];
    let mut settled = vec![false; edges.len()];
    costs[start] = 0;
    loop {
        let open = (0..edges.len()).filter(|&node| !settled[node] && costs[node] < NEVER);
        let Some(at) = open.min_by_key(|&node| costs[node]) else { return costs };
        settled[at] = true;
        for &(to, cost) in &edges[at] {
            costs[to as usize] = costs[to as usize].min(costs[at] + cost);
        }
    }
}

impl Listed {
    fn new(edges: Vec<Vec<(u32, u64)>>, estimates: bool, has_history: bool) -> Listed {
        let mut graph = Listed { edges, estimates: None, journal: Journal::with_capacity(3), has_history };
        if estimates {
            graph.estimates = Some(Vec::new());
            graph.learn();
        }
        graph
    }

    fn learn(&mut self) {
        if self.estimates.is_some() {
            let costs = (0..self.edges.len()).map(|start| costs_from(&self.edges, start));
            self.estimates = Some(costs.collect());
        }
    }

    fn set(&mut self, from: usize, edge: usize, cost: u64) {
        let (to, old) = &mut self.edges[from][edge];
        *old = cost;
        self.journal.record(NodeId(from as u32));
        self.journal.record(NodeId(*to));
        self.learn();
    }

    fn best(&self, start: NodeId, goals: &[NodeId]) -> Option<u64> {
        let costs = costs_from(&self.edges, start.index());
        goals.iter().map(|goal| costs[goal.index()]).min().filter(|&cost| cost < NEVER)
    }
}

impl Graph for Listed {
    fn node_bound(&self) -> usize {
        self.edges.len()
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for &(to, cost) in &self.edges[from.index()] {
            visit(NodeId(to), Cost::from_units(cost));
        }
    }
}

impl ReverseGraph for Listed {
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for (from, edges) in (0..).zip(&self.edges) {
            for &(_, cost) in edges.iter().filter(|edge| edge.0 == to.0) {
                visit(NodeId(from), Cost::from_units(cost));
            }
        }
    }
}

impl OwnGraph for Listed {
    fn estimate(&self, from: NodeId, to: NodeId) -> Cost {
        let known = self.estimates.as_ref().map_or(0, |known| known[from.index()][to.index()]);
        // Where there is no way, any estimate is admissible; it still has to fit.
        Cost::from_units(known.min(1 << 40) / 2)
    }

    fn long_edge(&self) -> Cost {
        Cost::from_units(9000)
    }

    fn revision(&self) -> Revision {
        if self.has_history { self.journal.now() } else { Revision::default() }
    }

    fn changed_since(&self, moment: Revision, nodes: &mut Vec<NodeId>) -> bool {
        let Some(changed) = self.journal.since(moment) else { return moment == self.revision() };
        nodes.extend(changed);
        true
    }
}

/// Graphs of a few nodes to some dozens, with parallel edges, loops and nodes that lead nowhere; one of them has more edges than
/// are handed over at once.
fn listed() -> impl Strategy<Value = Listed> {
    (1..40_usize).prop_flat_map(|count| {
        let edge = (0..count as u32, prop_oneof![1..9_u64, 1..9000_u64]);
        let edges = vec(vec(edge.clone(), 0..5), count);
        (edges, vec(edge, 0..40), any::<bool>()).prop_map(|(mut edges, hub, estimates)| {
            edges[0].extend(hub);
            Listed::new(edges, estimates, false)
        })
    })
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn every_search_keeps_its_promise(
        graph in listed(), start: u16, goals in vec(any::<u16>(), 1..20), budget in 1..9_u64,
    ) {
        let node = |number: u16| NodeId(u32::from(number) % graph.edges.len() as u32);
        let (start, goals) = (node(start), goals.into_iter().map(node).collect::<Vec<_>>());
        let best = graph.best(start, &goals);
        for view in [OwnView::new(&graph), OwnView::two_way(&graph)] {
            for setting in settings(&[Heuristic::Best, Heuristic::Zero], 1.5) {
                let mut finder = setting.finder();
                let promise = finder.promise(view);
                finder.start(view, start, &goals);
                while finder.resume(view, budget) == Outcome::Paused {}
                if !setting.works_on(view.into()) {
                    prop_assert_eq!(finder.outcome(), Outcome::Unreachable(Why::NotApplicable));
                    continue;
                }
                let Some(best) = best else {
                    prop_assert!(!finder.outcome().is_found(), "{:?}", setting);
                    continue;
                };
                prop_assert_eq!(finder.outcome(), Outcome::Found, "{:?}", setting);
                let claim = Claim::of(finder.path(), start, &goals);
                prop_assert_eq!(validate::own_path(&view, &claim), Ok(()), "{:?}", setting);
                let units = claim.units.units();
                match promise {
                    Promise::Optimal => prop_assert_eq!(units, best, "{:?}", setting),
                    Promise::Within(factor) => prop_assert!(units as f64 <= best as f64 * (factor + 0.001)),
                    Promise::Nothing(_) => prop_assert!(units >= best),
                }
            }
        }
    }

    #[test]
    fn planners_follow_changes(
        graph in listed(),
        has_history: bool,
        script in vec((any::<u16>(), any::<u16>(), 0..4_u8, 1..9000_u64), 1..16),
    ) {
        let mut graph = Listed { has_history, ..graph };
        let count = graph.edges.len() as u32;
        let node = |number: u16| NodeId(u32::from(number) % count);
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.incremental) {
            let mut planner = Planner::new(algorithm, &Options::default()).unwrap();
            let (mut start, mut goal) = (NodeId(0), NodeId(count - 1));
            for &(from, edge, what, cost) in &script {
                let leaving = graph.edges[node(from).index()].len();
                match what {
                    0 => start = node(from),
                    1 => goal = node(from),
                    // A graph without a history must not change.
                    _ if leaving > 0 && has_history => graph.set(node(from).index(), usize::from(edge) % leaving, cost),
                    _ => {}
                }
                let view = OwnView::two_way(&graph);
                planner.move_start(view, start);
                planner.move_goal(view, goal);
                let outcome = planner.replan(view, u64::MAX);
                let best = graph.best(start, &[goal]);
                prop_assert_eq!(outcome.is_found(), best.is_some(), "{}", algorithm.name);
                if let Some(best) = best {
                    let claim = Claim::of(planner.path(), start, std::slice::from_ref(&goal));
                    prop_assert_eq!(validate::own_path(&view, &claim), Ok(()), "{}", algorithm.name);
                    prop_assert_eq!(claim.units.units(), best, "{}", algorithm.name);
                }
                prop_assert_eq!(planner.verify(view), Ok(()));
            }
        }
    }

    #[test]
    fn subscriptions_miss_nothing(
        graph in listed(), script in vec((any::<u16>(), any::<u16>(), 1..9000_u64), 1..12), start: u16, goal: u16,
    ) {
        let mut graph = Listed { has_history: true, ..graph };
        let count = graph.edges.len() as u32;
        let node = |number: u16| NodeId(u32::from(number) % count);
        let (start, goal) = (node(start), node(goal));
        let mut finder = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        let Ok(path) = finder.find(OwnView::new(&graph), start, goal).cloned() else { return Ok(()) };
        let mut subscriptions = Subscriptions::new();
        subscriptions.subscribe(OwnView::new(&graph), &path);
        let cost_of = |graph: &Listed, nodes: &[NodeId]| -> u64 {
            let step = |pair: &[NodeId]| {
                let edges = graph.edges[pair[0].index()].iter();
                edges.filter(|edge| edge.0 == pair[1].0).map(|edge| edge.1).min().unwrap()
            };
            nodes.windows(2).map(step).sum()
        };
        let mut before = path.units().units();
        for (from, edge, cost) in script {
            let leaving = graph.edges[node(from).index()].len();
            if leaving == 0 {
                continue;
            }
            graph.set(node(from).index(), usize::from(edge) % leaving, cost);
            let mut touched = Vec::new();
            subscriptions.changes(OwnView::new(&graph), &mut touched);
            let (now, best) = (cost_of(&graph, path.nodes()), graph.best(start, &[goal]).unwrap());
            let effect = touched.first().map(|touched| touched.change);
            if now > before {
                prop_assert_eq!(effect, Some(PathChange::CostIncreased));
            } else if best < now {
                prop_assert!(effect == Some(PathChange::MayImprove), "{:?}: {} to {}, {} is best", effect, before, now, best);
            }
            before = now;
        }
    }

    #[test]
    fn closures_answer_as_lists_do(graph in listed(), start: u16, goal: u16) {
        let count = graph.edges.len() as u32;
        let (start, goal) = (u32::from(start) % count, u32::from(goal) % count);
        let best = graph.best(NodeId(start), &[NodeId(goal)]);
        // Nodes of a type that numbers know nothing of.
        let name = |node: u32| (format!("node {node}"), node);
        let successors = |node: &(String, u32)| {
            graph.edges[node.1 as usize].iter().map(|&(to, cost)| (name(to), cost)).collect::<Vec<_>>()
        };
        let rest = |node: &(String, u32)| graph.estimate(NodeId(node.1), NodeId(goal)).units();
        let is_goal = |node: &(String, u32)| node.1 == goal;
        let found = [
            closures::astar(&name(start), successors, rest, is_goal),
            closures::dijkstra(&name(start), successors, is_goal),
        ];
        for found in found {
            prop_assert_eq!(found.as_ref().map(|(_, cost)| *cost), best);
            let Some((path, cost)) = found else { continue };
            prop_assert_eq!((path.first(), path.last()), (Some(&name(start)), Some(&name(goal))));
            let step = |pair: &[(String, u32)]| {
                let edges = graph.edges[pair[0].1 as usize].iter();
                edges.filter(|edge| edge.0 == pair[1].1).map(|edge| edge.1).min().unwrap()
            };
            prop_assert_eq!(path.windows(2).map(step).sum::<u64>(), cost);
        }
        let steps = |node: &(String, u32)| successors(node).into_iter().map(|(to, _)| to).collect::<Vec<_>>();
        let alike: Vec<_> = graph.edges.iter().map(|edges| edges.iter().map(|edge| (edge.0, 1)).collect()).collect();
        let fewest = costs_from(&alike, start as usize)[goal as usize];
        let path = closures::bfs(&name(start), steps, is_goal);
        prop_assert_eq!(path.map_or(NEVER, |path| path.len() as u64 - 1), fewest);
    }
}

#[test]
fn the_list_says_which_searches_take_them() {
    let graph = Listed::new(vec![vec![(1, 5)], vec![]], false, false);
    for algorithm in ALGORITHMS {
        let takes = algorithm.takes(WorldKind::Own);
        assert_eq!(algorithm.refusal(OwnView::two_way(&graph)).is_none(), takes, "{}", algorithm.name);
        let refusal = algorithm.refusal(OwnView::new(&graph));
        let needs_both =
            algorithm.incremental || ["bidirectional", "parallel_astar"].contains(&algorithm.name);
        assert_eq!(refusal.is_none(), takes && !needs_both, "{}: {refusal:?}", algorithm.name);
    }
}

#[test]
fn a_paused_search_goes_on_in_no_other_graph() {
    let row =
        |count: u32| Listed::new((1..=count).map(|next| vec![(next % count, 5)]).collect(), false, false);
    let (long, short) = (row(50), row(3));
    let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
    finder.start(OwnView::new(&long), NodeId(0), &[NodeId(40)]);
    assert_eq!(finder.resume(OwnView::new(&long), 5), Outcome::Paused);
    assert_eq!(finder.resume(OwnView::new(&short), 5), Outcome::Unreachable(Why::WorldChanged));
    let mut changing = Listed { has_history: true, ..row(50) };
    finder.start(OwnView::new(&changing), NodeId(0), &[NodeId(40)]);
    assert_eq!(finder.resume(OwnView::new(&changing), 5), Outcome::Paused);
    let moved = Box::new(changing.clone());
    assert_eq!(finder.resume(OwnView::new(&*moved), 5), Outcome::Paused, "it is the same graph, elsewhere");
    changing.set(20, 0, 7);
    assert_eq!(finder.resume(OwnView::new(&changing), 5), Outcome::Unreachable(Why::WorldChanged));
}

/// Says things that no graph should.
struct Liar(AtomicUsize);

impl Graph for Liar {
    fn node_bound(&self) -> usize {
        4
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.0.fetch_add(1, Ordering::Relaxed);
        visit(NodeId(4), Cost::ONE);
        visit(NodeId::NONE, Cost::ONE);
        visit(NodeId(3), Cost::ZERO);
        visit(NodeId(3), Cost::MAX);
        visit(NodeId((from.0 + 1) % 4), Cost::ONE);
    }
}

impl ReverseGraph for Liar {
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        visit(NodeId(99), Cost::ONE);
        visit(NodeId((to.0 + 3) % 4), Cost::ONE);
    }
}

impl OwnGraph for Liar {
    fn estimate(&self, _from: NodeId, _to: NodeId) -> Cost {
        Cost::MAX
    }

    fn long_edge(&self) -> Cost {
        Cost::ZERO
    }
}

#[test]
fn edges_that_cannot_be_are_left_out_and_estimates_may_be_anything() {
    let liar = Liar(AtomicUsize::new(0));
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.takes(WorldKind::Own)) {
        let mut finder = Pathfinder::new(algorithm, &Options::default()).unwrap();
        let found = finder.find(OwnView::two_way(&liar), NodeId(0), NodeId(3));
        let nodes = found.map(|path| path.nodes().to_vec());
        assert_eq!(nodes, Ok([0, 1, 2, 3].map(NodeId).to_vec()), "{}", algorithm.name);
        for (from, to) in [(NodeId(4), NodeId(0)), (NodeId(0), NodeId::NONE)] {
            assert!(finder.find(OwnView::two_way(&liar), from, to).is_err(), "{}", algorithm.name);
        }
    }
    assert!(liar.0.load(Ordering::Relaxed) > 0);
}
