//! Questions that need no search.

use crate::id::NodeId;
use crate::search::outcome::Why;
use crate::world::nearest::{Reach, nearest_reachable, reachable};
use crate::world::view::View;
use crate::world::voxels::{Components, VoxelView};

/// Checks a question and keeps the goals worth searching for, sorted. Most impossible questions end here. If no goal can be
/// reached, the reason is that of the goal [nearest to success](nearer).
pub(crate) fn admit(
    view: &View<'_>,
    start: Option<NodeId>,
    asked: &[Option<NodeId>],
    goals: &mut Vec<NodeId>,
) -> Result<Admitted, Why> {
    goals.clear();
    let start = start.ok_or(Why::StartOutside)?;
    stand(view, start, Why::StartBlocked)?;
    let mut refused = Why::GoalOutside;
    for &goal in asked {
        match goal.ok_or(Why::GoalOutside).and_then(|goal| connect(view, start, goal).map(|()| goal)) {
            Ok(goal) => goals.push(goal),
            Err(why) => refused = nearer(refused, why),
        }
    }
    goals.sort_unstable();
    goals.dedup();
    // Nothing is nearer than where one stands, however a search rounds its costs.
    if goals.contains(&start) {
        goals.clear();
        goals.push(start);
    }
    if goals.is_empty() { Err(refused) } else { Ok(Admitted { start, refused }) }
}

/// A question worth a search.
pub(crate) struct Admitted {
    pub start: NodeId,
    /// Why the goals that were left out cannot be reached.
    pub refused: Why,
}

/// Why a search that has run out of nodes found none of its goals. Components rule out nearly all such searches, but those of
/// a large voxel world may be unknown, and they do not see which way edges lead.
pub(crate) fn exhausted(view: &View<'_>, start: NodeId, goals: &[NodeId]) -> Why {
    match view {
        View::Grid(_) | View::Graph(_) => Why::OneWay,
        View::Voxels(_) if goals.iter().any(|&goal| a_smaller_agent_could(view, start, goal)) => {
            Why::TooNarrow
        }
        View::Voxels(_) => Why::Disconnected,
    }
}

/// Of the reasons why two goals cannot be reached, the one nearest to success: see [`Why`].
pub(crate) fn nearer(a: Why, b: Why) -> Why {
    let rank = |why| match why {
        Why::GoalOutside => 0,
        Why::GoalBlocked => 1,
        Why::Disconnected => 2,
        Why::TooNarrow => 3,
        // Reasons that are not about goals end a question at once.
        _ => 4,
    };
    if rank(b) > rank(a) { b } else { a }
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

/// Says no where there is no place for the agent at the goal, or where components rule a path out.
fn connect(view: &View<'_>, start: NodeId, goal: NodeId) -> Result<(), Why> {
    let reach = match stand(view, goal, Why::GoalBlocked) {
        Ok(()) => reach(view, start, goal),
        Err(Why::TooNarrow) => Reach::Disconnected,
        Err(blocked) => return Err(blocked),
    };
    match reach {
        Reach::Connected => Ok(()),
        Reach::OneWay => Err(Why::OneWay),
        Reach::Disconnected if a_smaller_agent_could(view, start, goal) => Err(Why::TooNarrow),
        Reach::Disconnected => Err(Why::Disconnected),
    }
}

/// Whether the agent can get from one node to another on which it can stand.
fn reach(view: &View<'_>, start: NodeId, goal: NodeId) -> Reach {
    match view {
        View::Grid(view) => reachable(view, start, goal),
        View::Graph(graph) => graph.reachable(start, goal),
        // Where components are not known, only a search can tell.
        View::Voxels(view) => match view.components() {
            Some(components) => reachable_in_space(view, components, start, goal),
            None => Reach::Connected,
        },
    }
}

/// Whether an agent that fits everywhere could get from one node to another.
fn a_smaller_agent_could(view: &View<'_>, start: NodeId, goal: NodeId) -> bool {
    let reach = match view {
        View::Grid(view) => reachable(&view.of_smallest_agent(), start, goal),
        View::Graph(_) => return false,
        View::Voxels(view) if view.fits_everywhere() => return false,
        View::Voxels(view) => {
            let small = view.of_smallest_agent();
            reachable_in_space(&small, small.components_at_any_price(), start, goal)
        }
    };
    reach == Reach::Connected
}

fn reachable_in_space(view: &VoxelView<'_>, components: &Components, start: NodeId, goal: NodeId) -> Reach {
    let label = |node| components.of(view.voxels().voxel(node));
    if label(start).is_some() && label(start) == label(goal) { Reach::Connected } else { Reach::Disconnected }
}
