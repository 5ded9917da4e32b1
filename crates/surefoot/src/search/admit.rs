//! Questions that need no search.

use crate::id::NodeId;
use crate::search::outcome::Why;
use crate::world::nearest::{Reach, nearest_reachable, reachable};
use crate::world::view::View;
use crate::world::voxels::VoxelView;

/// Checks a question and keeps the goals worth searching for, sorted. Most impossible questions end here.
pub(crate) fn admit(
    view: &View<'_>,
    start: Option<NodeId>,
    asked: &[Option<NodeId>],
    goals: &mut Vec<NodeId>,
) -> Result<NodeId, Why> {
    goals.clear();
    let start = start.ok_or(Why::StartOutside)?;
    stand(view, start, Why::StartBlocked)?;
    // With several goals, any that can be reached will do; if none can, the first one's reason is given.
    let mut first_reason = Why::GoalOutside;
    for (index, &goal) in asked.iter().enumerate() {
        let verdict = goal.ok_or(Why::GoalOutside).and_then(|goal| {
            stand(view, goal, Why::GoalBlocked)?;
            connect(view, start, goal).map(|()| goal)
        });
        match verdict {
            Ok(goal) => goals.push(goal),
            Err(why) if index == 0 => first_reason = why,
            Err(_) => {}
        }
    }
    goals.sort_unstable();
    goals.dedup();
    if goals.is_empty() { Err(first_reason) } else { Ok(start) }
}

/// The node nearest to a goal that can be reached instead of it.
pub(crate) fn instead(view: &View<'_>, start: NodeId, goal: NodeId) -> Option<NodeId> {
    match view {
        View::Grid(view) => {
            let grid = view.grid();
            nearest_reachable(view, grid.cell(start), grid.cell(goal)).and_then(|cell| grid.node(cell))
        }
        View::Graph(graph) => graph.nearest_reachable(start, graph.positions()[goal.index()]),
        View::Voxels(view) => {
            let (voxels, components) = (view.voxels(), view.components()?);
            let label = components.of(voxels.voxel(start))?;
            components.nearest(view.shape(), label, voxels.voxel(goal)).and_then(|voxel| voxels.node(voxel))
        }
    }
}

/// Says no where the agent cannot stand.
pub(crate) fn stand(view: &View<'_>, node: NodeId, blocked: Why) -> Result<(), Why> {
    let (stands, open) = match view {
        View::Grid(view) => (view.is_open_node(node), view.of_smallest_agent().is_open_node(node)),
        View::Voxels(view) => (view.is_open_node(node), view.of_smallest_agent().is_open_node(node)),
        View::Graph(_) => (true, true),
    };
    match (stands, open) {
        (true, _) => Ok(()),
        (false, true) => Err(Why::TooNarrow),
        (false, false) => Err(blocked),
    }
}

/// Says no where components rule a path out.
fn connect(view: &View<'_>, start: NodeId, goal: NodeId) -> Result<(), Why> {
    let reach = match view {
        View::Grid(view) => reachable(view, start, goal),
        View::Graph(graph) => graph.reachable(start, goal),
        View::Voxels(view) => reachable_in_space(view, start, goal),
    };
    match reach {
        Reach::Connected => Ok(()),
        Reach::OneWay => Err(Why::OneWay),
        Reach::Disconnected => Err(match view {
            View::Grid(view) if reachable(&view.of_smallest_agent(), start, goal) == Reach::Connected => {
                Why::TooNarrow
            }
            View::Voxels(view)
                if reachable_in_space(&view.of_smallest_agent(), start, goal) == Reach::Connected =>
            {
                Why::TooNarrow
            }
            _ => Why::Disconnected,
        }),
    }
}

/// Whether components rule a path through space out. Where they are not known, only a search can tell.
fn reachable_in_space(view: &VoxelView<'_>, start: NodeId, goal: NodeId) -> Reach {
    let label = |node| view.components().map(|components| components.of(view.voxels().voxel(node)));
    if label(start) == label(goal) { Reach::Connected } else { Reach::Disconnected }
}
