//! The part of a grid that is cut off.

use surefoot::prelude::*;

use crate::protocol::{Place, Region};
use crate::question::Question;

/// Regions of more pieces than this are not shown.
const MOST_RUNS: usize = 50_000;

/// The smaller of the parts around start and goal of a question that has no path; around the start alone if links lead
/// the wrong way. `None` if the agent cannot even stand there.
pub fn cut_off(view: &GridView<'_>, question: &Question, why: Why) -> Option<Region> {
    if !matches!(why, Why::Disconnected | Why::TooNarrow | Why::OneWay) {
        return None;
    }
    let stands = |place: &Place| {
        let node = place.node_in(&View::Grid(*view));
        node.filter(|&node| view.is_open_node(node))
    };
    let mut around_start = Flood::new(view, stands(&question.start));
    if why == Why::OneWay {
        while around_start.spread(|node, visit| view.for_each_edge(node, |next, _| visit(next))) {}
        return around_start.region("start", view.grid());
    }
    let mut around_goal = Flood::new(view, question.goals.iter().filter_map(stands));
    // In turns, so that the smaller one is known when it is full, however large the other one is.
    loop {
        if !around_start.spread(|node, visit| view.for_each_edge(node, |next, _| visit(next))) {
            return around_start.region("start", view.grid());
        }
        if !around_goal.spread(|node, visit| view.for_each_edge_into(node, |next, _| visit(next))) {
            return around_goal.region("goal", view.grid());
        }
    }
}

/// Nodes reached so far, and those whose neighbours have not been looked at.
struct Flood {
    reached: Vec<bool>,
    nodes: Vec<NodeId>,
    looked_at: usize,
}

impl Flood {
    fn new(view: &GridView<'_>, sources: impl IntoIterator<Item = NodeId>) -> Flood {
        let mut flood = Flood { reached: vec![false; view.node_bound()], nodes: Vec::new(), looked_at: 0 };
        sources.into_iter().for_each(|node| flood.reach(node));
        flood
    }

    fn reach(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.reached[node.index()], true) {
            self.nodes.push(node);
        }
    }

    /// Looks around at one more node; `false` if there is none left.
    fn spread(&mut self, neighbours: impl FnOnce(NodeId, &mut dyn FnMut(NodeId))) -> bool {
        let Some(&node) = self.nodes.get(self.looked_at) else { return false };
        self.looked_at += 1;
        neighbours(node, &mut |next| self.reach(next));
        true
    }

    fn region(mut self, of: &'static str, grid: &Grid) -> Option<Region> {
        self.nodes.sort_unstable();
        let mut runs: Vec<[i32; 3]> = Vec::new();
        for cell in self.nodes.iter().map(|&node| grid.cell(node)) {
            match runs.last_mut() {
                Some([x, y, n]) if *y == cell.y && *x + *n == cell.x => *n += 1,
                _ => runs.push([cell.x, cell.y, 1]),
            }
        }
        (1..=MOST_RUNS).contains(&runs.len()).then_some(Region { of, runs })
    }
}
