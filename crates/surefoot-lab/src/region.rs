//! The part of a grid or a voxel world that is cut off.

use surefoot::graph::{Graph, ReverseGraph};
use surefoot::prelude::*;

use crate::protocol::{Region, Runs};
use crate::question::Question;

/// Regions of more pieces than this are not shown.
const MOST_RUNS: usize = 50_000;

/// The smaller of the parts around start and goal of a question that has no path; around the start alone if links lead
/// the wrong way. `None` if the agent cannot even stand there, and on graphs.
pub fn cut_off(view: &View<'_>, question: &Question, why: Why) -> Option<Region> {
    if !matches!(why, Why::Disconnected | Why::TooNarrow | Why::OneWay) {
        return None;
    }
    let ends = |is_open: &dyn Fn(NodeId) -> bool| {
        let stands = |place: &Place| place.node_in(view).filter(|&node| is_open(node));
        [stands(&question.start).into_iter().collect(), question.goals.iter().filter_map(stands).collect()]
    };
    let (of, runs) = match view {
        View::Grid(view) => {
            let (of, nodes) = smaller(view, ends(&|node| view.is_open_node(node)), why);
            let cells = nodes.into_iter().map(|node| view.grid().cell(node));
            (of, Runs::Flat(runs_of(cells.map(|cell| [cell.x, cell.y, 1]))))
        }
        View::Voxels(view) => {
            let (of, nodes) = smaller(view, ends(&|node| view.is_open_node(node)), why);
            let cells = nodes.into_iter().map(|node| view.voxels().voxel(node));
            (of, Runs::Space(runs_of(cells.map(|cell| [cell.x, cell.y, cell.z, 1]))))
        }
        _ => return None,
    };
    (1..=MOST_RUNS).contains(&runs.len()).then_some(Region { of, runs })
}

/// The nodes of the smaller part, in the order of their numbers, and which end it is around.
fn smaller(
    graph: &impl ReverseGraph,
    [start, goals]: [Vec<NodeId>; 2],
    why: Why,
) -> (&'static str, Vec<NodeId>) {
    let mut around_start = Flood::new(graph, start);
    if why == Why::OneWay {
        while around_start.spread(|node, visit| graph.for_each_edge(node, |next, _| visit(next))) {}
        return ("start", around_start.sorted());
    }
    let mut around_goal = Flood::new(graph, goals);
    // In turns, so that the smaller one is known when it is full, however large the other one is.
    loop {
        if !around_start.spread(|node, visit| graph.for_each_edge(node, |next, _| visit(next))) {
            return ("start", around_start.sorted());
        }
        if !around_goal.spread(|node, visit| graph.for_each_edge_into(node, |next, _| visit(next))) {
            return ("goal", around_goal.sorted());
        }
    }
}

/// Runs of one cell each, joined along rows. A run begins with its column and ends with its length.
fn runs_of<const N: usize>(cells: impl Iterator<Item = [i32; N]>) -> Vec<[i32; N]> {
    let mut runs: Vec<[i32; N]> = Vec::new();
    for cell in cells {
        match runs.last_mut() {
            Some(last) if last[1..N - 1] == cell[1..N - 1] && last[0] + last[N - 1] == cell[0] => {
                last[N - 1] += 1;
            }
            _ => runs.push(cell),
        }
    }
    runs
}

/// Nodes reached so far, and those whose neighbours have not been looked at.
struct Flood {
    reached: Vec<bool>,
    nodes: Vec<NodeId>,
    looked_at: usize,
}

impl Flood {
    fn new(graph: &impl Graph, sources: Vec<NodeId>) -> Flood {
        let mut flood = Flood { reached: vec![false; graph.node_bound()], nodes: Vec::new(), looked_at: 0 };
        for node in sources {
            flood.reach(node);
        }
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

    fn sorted(mut self) -> Vec<NodeId> {
        self.nodes.sort_unstable();
        self.nodes
    }
}
