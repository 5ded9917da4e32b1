//! Graphs of one's own that lie, panic, grow or are shaped oddly: right answers where the graph is sound, and never a panic or an endless
//! search where it is not.

use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::cases;
use crate::common::run::settings;
use proptest::collection::vec;
use proptest::prelude::*;
use surefoot::algorithms::ALGORITHMS;
use surefoot::closures;
use surefoot::graph::{Graph, ReverseGraph};
use surefoot::prelude::*;
use surefoot::replan::{Planner, Subscriptions};
use surefoot::validate::{self, Claim};
use surefoot::world::any::WorldKind;
use surefoot::world::journal::Revision;

/// A graph that says what it is told to say.
#[derive(Clone, Debug, Default)]
struct Odd {
    edges: Vec<Vec<(u32, u64)>>,
    /// What it says of edges that lead into a node; `None`: the truth.
    back: Option<Vec<Vec<(u32, u64)>>>,
    /// By node, in whichever direction.
    estimates: Vec<u64>,
    blocked: Vec<bool>,
    revision: Revision,
    /// What it says has changed.
    changed: Option<Vec<u32>>,
    long_edge: u64,
    /// Whether it names nodes as lying straight ahead from which no edge may lead.
    bends: bool,
}

impl Graph for Odd {
    fn node_bound(&self) -> usize {
        self.edges.len()
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        self.edges[from.index()].iter().for_each(|&(to, cost)| visit(NodeId(to), Cost::from_units(cost)));
    }

    fn straight_before(&self, at: NodeId, next: NodeId) -> Option<(NodeId, Cost)> {
        let any = u64::from(at.0) * 31 + u64::from(next.0) * 7;
        let cost = self.edges[at.index()].first().map_or(1, |edge| edge.1);
        self.bends.then_some((NodeId((any % (self.edges.len() as u64 + 2)) as u32), Cost::from_units(cost)))
    }
}

impl ReverseGraph for Odd {
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        if let Some(back) = &self.back {
            back[to.index()].iter().for_each(|&(from, cost)| visit(NodeId(from), Cost::from_units(cost)));
            return;
        }
        for (from, edges) in (0..).zip(&self.edges) {
            let into = edges.iter().filter(|edge| edge.0 == to.0);
            into.for_each(|edge| visit(NodeId(from), Cost::from_units(edge.1)));
        }
    }
}

impl OwnGraph for Odd {
    fn estimate(&self, from: NodeId, _to: NodeId) -> Cost {
        Cost::from_units(self.estimates.get(from.index()).copied().unwrap_or(0))
    }

    fn stands(&self, node: NodeId) -> bool {
        !self.blocked.get(node.index()).is_some_and(|&blocked| blocked)
    }

    fn long_edge(&self) -> Cost {
        Cost::from_units(self.long_edge)
    }

    fn revision(&self) -> Revision {
        self.revision
    }

    fn changed_since(&self, _moment: Revision, nodes: &mut Vec<NodeId>) -> bool {
        let Some(changed) = &self.changed else { return false };
        nodes.extend(changed.iter().copied().map(NodeId));
        true
    }
}

impl Odd {
    fn of(edges: Vec<Vec<(u32, u64)>>) -> Odd {
        Odd { edges, long_edge: 100, ..Odd::default() }
    }

    /// What the cheapest way costs, by rounds over all edges (Bellman and Ford) without those that no search may use.
    fn best(&self, start: u32, goal: u32) -> Option<u64> {
        let stands = |node: u32| self.stands(NodeId(node));
        let count = self.edges.len();
        let mut costs = vec![None; count];
        *costs.get_mut(start as usize).filter(|_| stands(start))? = Some(0_u64);
        for _ in 0..count {
            for (from, edges) in self.edges.iter().enumerate() {
                for &(to, cost) in edges {
                    let usable =
                        (to as usize) < count && stands(to) && (1..=Cost::MAX_EDGE.units()).contains(&cost);
                    if let Some(so_far) = costs[from].filter(|_| usable) {
                        let known = &mut costs[to as usize];
                        *known = Some(known.map_or(so_far + cost, |known: u64| known.min(so_far + cost)));
                    }
                }
            }
        }
        costs.get(goal as usize).copied().flatten()
    }
}

/// Costs and numbers at the ends of what is allowed, and beyond.
fn cost() -> impl Strategy<Value = u64> {
    let most = Cost::MAX_EDGE.units();
    prop_oneof![6 => 1..50_u64, 1 => Just(0), 1 => most - 1..=most + 1, 1 => Just(u64::MAX)]
}

fn edges(count: usize) -> impl Strategy<Value = Vec<Vec<(u32, u64)>>> {
    let node = prop_oneof![12 => 0..count as u32, 1 => count as u32..count as u32 + 3, 1 => Just(u32::MAX)];
    vec(vec((node, cost()), 0..5), count)
}

/// A graph and another version of it, both with anything at all as estimates, and lies in all that can be lied about.
fn liars() -> impl Strategy<Value = (Odd, Odd)> {
    (1..14_usize).prop_flat_map(|count| (liar(count), liar(count)))
}

fn liar(count: usize) -> impl Strategy<Value = Odd> {
    let estimates = vec(prop_oneof![0..200_u64, Just(u64::MAX)], count);
    let back = prop::option::of(edges(count));
    let changed = prop::option::of(vec(0..count as u32 + 200, 0..6));
    let blocked = vec(prop::bool::weighted(0.1), count);
    (edges(count), back, estimates, blocked, changed, cost(), any::<bool>()).prop_map(
        |(edges, back, estimates, blocked, changed, long_edge, bends)| {
            let revision = Revision::default();
            Odd { edges, back, estimates, blocked, revision, changed, long_edge, bends }
        },
    )
}

/// Another moment than all before.
fn now() -> Revision {
    surefoot::world::journal::Journal::<()>::with_capacity(1).now()
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn lies_lead_to_no_panic_and_forward_searches_find_what_there_is(
        (graph, _) in liars(), start: u8, goal: u8, budget in 1..9_u64,
    ) {
        let count = graph.edges.len() as u32;
        let (start, goal) = (u32::from(start) % count, u32::from(goal) % count);
        let stand = [start, goal].iter().all(|&node| graph.stands(NodeId(node)));
        let best = graph.best(start, goal).filter(|_| stand);
        for view in [OwnView::new(&graph), OwnView::two_way(&graph)] {
            for setting in settings(&[Heuristic::Best, Heuristic::Zero], 1.5) {
                let mut finder = setting.finder();
                finder.start(view, NodeId(start), &[NodeId(goal)]);
                let _ = finder.resume(view, 0);
                prop_assert_eq!(finder.stats().expanded, 0, "{:?}", setting);
                let mut slices = 0;
                while finder.resume(view, budget) == Outcome::Paused {
                    slices += 1;
                    prop_assert!(slices < 1_000_000, "{:?} does not end", setting);
                }
                let goes_back = setting.algorithm.incremental || ["bidirectional", "parallel_astar"].contains(&setting.algorithm.name);
                if !setting.works_on(view.into()) || goes_back && graph.back.is_some() {
                    continue;
                }
                prop_assert_eq!(finder.outcome().is_found(), best.is_some(), "{:?}", setting);
                let Some(best) = best else { continue };
                let goals = [NodeId(goal)];
                let claim = Claim::of(finder.path(), NodeId(start), &goals);
                prop_assert_eq!(validate::own_path(&view, &claim), Ok(()), "{:?}", setting);
                prop_assert!(claim.units.units() >= best);
                if setting.options.heuristic == Some(Heuristic::Zero) && setting.algorithm.optimal {
                    prop_assert_eq!(claim.units.units(), best, "{:?}", setting);
                }
            }
        }
    }

    #[test]
    fn planners_and_subscriptions_outlive_lies(
        (one, other) in liars(), script in vec((any::<u8>(), any::<u8>(), any::<bool>(), any::<bool>()), 1..12),
    ) {
        let mut versions = [one, other];
        for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.incremental) {
            let mut planner = Planner::new(algorithm, &Options::default()).unwrap();
            let mut subscriptions = Subscriptions::new();
            for &(start, goal, which, changes) in &script {
                let graph = &mut versions[usize::from(which)];
                if changes {
                    graph.revision = now();
                }
                let count = graph.edges.len() as u32;
                let view = OwnView::two_way(graph);
                planner.move_start(view, NodeId(u32::from(start) % (count + 1)));
                planner.move_goal(view, NodeId(u32::from(goal) % count));
                let mut slices = 0;
                while planner.replan(view, 5) == Outcome::Paused {
                    slices += 1;
                    prop_assert!(slices < 100_000, "{} does not end", algorithm.name);
                }
                subscriptions.subscribe(view, planner.path());
                subscriptions.changes(view, &mut Vec::new());
            }
        }
    }

    /// A journal that is honest, on a graph whose nodes come and go.
    #[test]
    fn graphs_may_grow_and_shrink(script in vec((edges(9), 1..9_usize, any::<u8>(), any::<u8>(), any::<bool>()), 1..9)) {
        for has_history in [true, false] {
            for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.takes(WorldKind::Own)) {
                let mut finder = Pathfinder::new(algorithm, &Options::default()).unwrap();
                let mut planner = Planner::new(algorithm, &Options::default()).ok();
                let mut graph = Odd::of(Vec::new());
                for (edges, count, start, goal, resumes) in &script {
                    // The next version stands where the last one stood.
                    let known = graph.edges.len() == *count;
                    if !known {
                        graph.edges = edges[..*count].to_vec();
                    }
                    graph.changed = Some((0..*count as u32).collect());
                    if has_history {
                        graph.revision = now();
                    }
                    let view = OwnView::two_way(&graph);
                    let (start, goal) = (u32::from(*start) % *count as u32, u32::from(*goal) % *count as u32);
                    if *resumes && !known {
                        // What was paused in another graph does not go on.
                        prop_assert!(finder.resume(view, 1) != Outcome::Found, "{}", algorithm.name);
                    }
                    let best = graph.best(start, goal);
                    let found = finder.find(view, NodeId(start), NodeId(goal)).map(|path| path.units().units());
                    prop_assert_eq!(found.is_ok(), best.is_some(), "{}", algorithm.name);
                    finder.start(view, NodeId(start), &[NodeId(goal)]);
                    let Some(planner) = &mut planner else { continue };
                    planner.move_start(view, NodeId(start));
                    planner.move_goal(view, NodeId(goal));
                    let _ = planner.replan(view, u64::MAX);
                    let units = planner.outcome().is_found().then(|| planner.path().units().units());
                    prop_assert_eq!(units, best, "{}", algorithm.name);
                }
            }
        }
    }

    /// Zero is a cost like any other to closures, and estimates need not be consistent.
    #[test]
    fn closures_take_steps_for_nothing_and_estimates_that_leap(
        edges in vec(vec((0..12_u32, 0..6_u32), 0..5), 12), part in vec(0..=4_u32, 12), goal in 0..12_u32,
    ) {
        let mut left = [u32::MAX; 12];
        left[goal as usize] = 0;
        for _ in 0..12 {
            for (from, edges) in edges.iter().enumerate() {
                for &(to, cost) in edges {
                    left[from] = left[from].min(left[to as usize].saturating_add(cost));
                }
            }
        }
        for start in 0..12_u32 {
            let successors = |&node: &Same| edges[node.0 as usize].iter().map(|&(to, cost)| (Same(to), cost));
            // Never more than is left, and otherwise anything.
            let estimate = |&node: &Same| left[node.0 as usize].min(1000) / 4 * part[node.0 as usize];
            let best = Some(left[start as usize]).filter(|&cost| cost < u32::MAX);
            let found = closures::astar(&Same(start), successors, estimate, |&node| node.0 == goal);
            prop_assert_eq!(found.as_ref().map(|found| found.1), best);
            if let Some((path, cost)) = found {
                let step = |pair: &[Same]| {
                    let edges = edges[pair[0].0 as usize].iter();
                    edges.filter(|edge| edge.0 == pair[1].0).map(|edge| edge.1).min().unwrap()
                };
                prop_assert_eq!(path.windows(2).map(step).sum::<u32>(), cost);
                prop_assert_eq!((path[0], path[path.len() - 1]), (Same(start), Same(goal)));
            }
            let never = closures::dijkstra(&Same(start), successors, |_| false);
            prop_assert_eq!(never, None);
        }
    }
}

proptest! {
    /// Costs of one byte, signed or not: the cheapest path whose cost fits, or none.
    #[test]
    fn closures_leave_out_what_costs_too_much(
        edges in vec(vec((0..8_u8, 0..=255_u8), 0..4), 8), weights in vec(0..=255_u8, 8), goal in 0..8_u8,
    ) {
        let least = |limit: u64, cost: &dyn Fn(u8) -> u64, start: u8| {
            let mut costs = [u64::MAX; 8];
            costs[start as usize] = 0;
            for _ in 0..8 {
                for (from, edges) in edges.iter().enumerate() {
                    for &(to, step) in edges {
                        let through = costs[from].saturating_add(cost(step));
                        costs[to as usize] = costs[to as usize].min(through);
                    }
                }
            }
            Some(costs[goal as usize]).filter(|&cost| cost <= limit)
        };
        for start in 0..8_u8 {
            let steps = |&node: &u8| edges[node as usize].clone();
            let expected = least(255, &u64::from, start);
            let found = closures::dijkstra(&start, steps, |&node| node == goal);
            prop_assert_eq!(found.map(|(_, cost)| u64::from(cost)), expected);
            // Of nodes that lead nowhere, a heuristic may say anything.
            let rest = |&node: &u8| {
                if least(u64::MAX - 1, &u64::from, node).is_none() { weights[node as usize] } else { 0 }
            };
            let found = closures::astar(&start, steps, rest, |&node| node == goal);
            prop_assert_eq!(found.map(|(_, cost)| u64::from(cost)), expected);
            // Half of them are negative.
            let steps = |&node: &u8| edges[node as usize].iter().map(|&(to, cost)| (to, cost as i8)).collect::<Vec<_>>();
            let expected = least(127, &|cost| u64::from((cost as i8).max(0) as u8), start);
            let found = closures::dijkstra(&start, steps, |&node| node == goal);
            prop_assert_eq!(found.map(|(_, cost)| cost as u64), expected);
        }
    }
}

#[test]
fn closures_find_paths_near_the_maximum_of_their_cost_type() {
    let corridor = |&at: &u32| [(at + 1, i32::MAX / 4), (at + 1, i32::MAX / 4 + 1)];
    let rest = |&at: &u32| if at == 9 { i32::MAX } else { 1 };
    let found = closures::astar(&0, corridor, rest, |&at| at == 4);
    assert_eq!(found, Some((vec![0, 1, 2, 3, 4], i32::MAX / 4 * 4)));
    assert_eq!(closures::astar(&0, corridor, rest, |&at| at == 5), None);
    // A heuristic at the maximum, as of a dead end: the path through it still has a cost that fits.
    let dead_end = |&at: &u32| if at == 0 { i32::MAX } else { i32::MAX - 1 };
    let found = closures::astar(&0, |&at| [(at + 1, 5)], dead_end, |&at| at == 3);
    assert_eq!(found, Some((vec![0, 1, 2, 3], 15)));
}

/// All nodes have the same hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Same(u32);

impl Hash for Same {
    fn hash<H: Hasher>(&self, _state: &mut H) {}
}

/// A row of nodes whose estimate panics once, when it has been asked a number of times.
struct Fuse {
    count: u32,
    left: AtomicU32,
}

impl Graph for Fuse {
    fn node_bound(&self) -> usize {
        self.count as usize
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        // Against the order of numbers as well, and each third step at a price.
        for to in [from.0.wrapping_sub(1), from.0 + 1, from.0 + 3] {
            visit(NodeId(to), Cost::from_units(if to % 3 == 0 { 7 } else { 4 }));
        }
    }
}

impl ReverseGraph for Fuse {
    fn for_each_edge_into(&self, to: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        for from in [to.0.wrapping_sub(3), to.0.wrapping_sub(1), to.0 + 1] {
            visit(NodeId(from), Cost::from_units(if to.0.is_multiple_of(3) { 7 } else { 4 }));
        }
    }
}

impl OwnGraph for Fuse {
    fn estimate(&self, from: NodeId, to: NodeId) -> Cost {
        assert_ne!(self.left.fetch_sub(1, Ordering::Relaxed), 1, "the fuse has blown");
        Cost::from_units(u64::from(from.0.abs_diff(to.0)))
    }
}

#[test]
fn searches_start_afresh_after_a_graph_has_panicked() {
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.takes(WorldKind::Own)) {
        for fuse in [1, 2, 5, 11, 30, 50] {
            let graph = Fuse { count: 40, left: AtomicU32::new(0) };
            let view = OwnView::two_way(&graph);
            let mut finder = Pathfinder::new(algorithm, &Options::default()).unwrap();
            let right = finder.find(view, NodeId(2), NodeId(33)).unwrap().units();
            graph.left.store(fuse, Ordering::Relaxed);
            let blown = catch_unwind(AssertUnwindSafe(|| finder.find(view, NodeId(2), NodeId(33)).is_ok()));
            graph.left.store(0, Ordering::Relaxed);
            if blown.is_err() {
                assert_ne!(finder.outcome(), Outcome::Paused, "{}: half done", algorithm.name);
            }
            assert_eq!(
                finder.find(view, NodeId(2), NodeId(33)).unwrap().units(),
                right,
                "{}",
                algorithm.name
            );
            let Ok(mut planner) = Planner::new(algorithm, &Options::default()) else { continue };
            let mut replan = |start, goal| {
                planner.move_start(view, NodeId(start));
                planner.move_goal(view, NodeId(goal));
                let _ = planner.replan(view, u64::MAX);
                planner.path().units()
            };
            replan(0, 30);
            graph.left.store(fuse, Ordering::Relaxed);
            let _ = catch_unwind(AssertUnwindSafe(|| replan(1, 32)));
            graph.left.store(0, Ordering::Relaxed);
            assert_eq!(replan(2, 33), right, "{}", algorithm.name);
        }
    }
}

#[test]
fn the_empty_graph_and_the_smallest() {
    let (empty, one) = (Odd::of(vec![]), Odd::of(vec![vec![(0, 5), (0, 7)]]));
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.takes(WorldKind::Own)) {
        let mut finder = Pathfinder::new(algorithm, &Options::default()).unwrap();
        let nowhere = finder.find(OwnView::two_way(&empty), NodeId(0), NodeId(0)).err();
        assert_eq!(nowhere, Some(Why::StartOutside), "{}", algorithm.name);
        let path = finder.find(OwnView::two_way(&one), NodeId(0), NodeId(0)).unwrap();
        assert_eq!((path.nodes(), path.units()), (&[NodeId(0)][..], Cost::ZERO), "{}", algorithm.name);
    }
    let stay = closures::astar(&7, |_| [(7, 1), (8, 1)], |_| 0, |&node| node == 7);
    assert_eq!(stay, Some((vec![7], 0)));
}

/// A row of nodes at any positions.
struct Row(Vec<Point>);

impl Graph for Row {
    fn node_bound(&self) -> usize {
        self.0.len()
    }

    fn for_each_edge(&self, from: NodeId, mut visit: impl FnMut(NodeId, Cost)) {
        visit(NodeId(from.0 + 1), Cost::ONE);
    }
}

impl OwnGraph for Row {
    fn position(&self, node: NodeId) -> Point {
        self.0[node.index()]
    }
}

#[test]
fn positions_that_are_nowhere_add_nothing_to_the_length() {
    let [nan, far, inf] = [f64::NAN, f64::MAX, f64::INFINITY];
    let xs = [0.0, 1.0, nan, 2.0, 4.0, inf, -inf, far, -far, 5.0, 8.0];
    let row = Row(xs.map(|x| Point::flat(x, 0.0)).to_vec());
    let (view, goal) = (OwnView::new(&row), NodeId(10));
    let mut finder = Pathfinder::default();
    let path = finder.find(view, NodeId(0), goal).unwrap();
    assert_eq!((path.steps(), path.length()), (10, 1.0 + 2.0 + 3.0));
    let claim = Claim::of(path, NodeId(0), std::slice::from_ref(&goal));
    assert_eq!(validate::world_path(view, &Agent::default(), &claim), Ok(()));
}

/// Says that it has as many nodes as there are numbers, and more.
struct Endless;

impl Graph for Endless {
    fn node_bound(&self) -> usize {
        usize::MAX
    }

    fn for_each_edge(&self, _from: NodeId, _visit: impl FnMut(NodeId, Cost)) {}
}

impl OwnGraph for Endless {}

#[test]
fn no_node_has_the_number_of_none() {
    let view = View::from(OwnView::new(&Endless));
    assert_eq!(Place::Node(NodeId::NONE).node_in(&view), None);
    assert_eq!(Place::Node(NodeId(u32::MAX - 1)).node_in(&view), Some(NodeId(u32::MAX - 1)));
}

/// While repairs rest, the planner does not look at the graph. A graph without a history that has been another meanwhile is noticed all the same.
#[test]
fn a_graph_that_changes_while_repairs_rest_is_not_mistaken_for_the_one_before() {
    let none = || vec![Vec::new(); 9];
    let mut second = none();
    second[0] = vec![(2_u32, 4_294_967_294_u64)];
    let mut planner = Planner::named("mt_d_star_lite", &Options::default()).unwrap();
    let mut graph = Odd::of(Vec::new());
    for (edges, start, goal) in
        [(&none()[..2], 1, 0), (&second[..5], 0, 3), (&none()[..1], 0, 0), (&none()[..5], 0, 2)]
    {
        graph.edges = edges.to_vec();
        let view = OwnView::two_way(&graph);
        planner.move_start(view, NodeId(start));
        planner.move_goal(view, NodeId(goal));
        assert_eq!(planner.replan(view, u64::MAX).is_found(), graph.best(start, goal).is_some());
    }
}
