//! Queries that need no search.

use crate::core::outcome::Why;
use crate::id::NodeId;
use crate::world::any::{View, on_world};
use crate::world::nearest::Reach;
use crate::world::space::SearchSpace;

/// Checks a query and keeps the goals worth searching for, sorted. Most impossible queries end here. If no goal can be reached,
/// the reason is that of the goal [nearest to success](nearer).
pub(crate) fn admit(
    view: &View<'_>,
    start: Option<NodeId>,
    asked: &[Option<NodeId>],
    goals: &mut Vec<NodeId>,
) -> Result<Admitted, Why> {
    on_world!(view, space => admit_in(space, start, asked, goals, |goal, start| connect(space, start, goal)))
}

/// Checks a query like [`admit`], but not whether the goals can be reached.
pub(crate) fn admit_unconnected(
    view: &View<'_>,
    start: Option<NodeId>,
    asked: &[Option<NodeId>],
    goals: &mut Vec<NodeId>,
) -> Result<Admitted, Why> {
    on_world!(view, space => {
        admit_in(space, start, asked, goals, |goal, _| stand_in(space, goal, Why::GoalBlocked))
    })
}

fn admit_in(
    space: &impl SearchSpace,
    start: Option<NodeId>,
    asked: &[Option<NodeId>],
    goals: &mut Vec<NodeId>,
    accept: impl Fn(NodeId, NodeId) -> Result<(), Why>,
) -> Result<Admitted, Why> {
    goals.clear();
    let start = start.ok_or(Why::StartOutside)?;
    stand_in(space, start, Why::StartBlocked)?;
    let mut refused = Why::GoalOutside;
    for &goal in asked {
        match goal.ok_or(Why::GoalOutside).and_then(|goal| accept(goal, start).map(|()| goal)) {
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

/// A query worth a search.
pub(crate) struct Admitted {
    pub start: NodeId,
    /// Why the goals that were left out cannot be reached.
    pub refused: Why,
}

/// Of the reasons why two goals cannot be reached, the one nearest to success: see [`Why`].
pub(crate) fn nearer(a: Why, b: Why) -> Why {
    let rank = |why| match why {
        Why::GoalOutside => 0,
        Why::GoalBlocked => 1,
        Why::Disconnected => 2,
        Why::TooNarrow => 3,
        // Reasons that are not about goals end a query at once.
        _ => 4,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// Rejects a node where the agent cannot stand.
pub(crate) fn stand(view: &View<'_>, node: NodeId, blocked: Why) -> Result<(), Why> {
    on_world!(view, space => stand_in(space, node, blocked))
}

fn stand_in(space: &impl SearchSpace, node: NodeId, blocked: Why) -> Result<(), Why> {
    if space.stands(node) {
        Ok(())
    } else if space.stands_smallest(node) {
        Err(Why::TooNarrow)
    } else {
        Err(blocked)
    }
}

/// Rejects a goal where there is no place for the agent, or that components show to be unreachable.
fn connect(space: &impl SearchSpace, start: NodeId, goal: NodeId) -> Result<(), Why> {
    let reach = match stand_in(space, goal, Why::GoalBlocked) {
        Ok(()) => space.reach(start, goal),
        Err(Why::TooNarrow) => Reach::Disconnected,
        Err(blocked) => return Err(blocked),
    };
    match reach {
        Reach::Connected => Ok(()),
        Reach::OneWay => Err(Why::OneWay),
        Reach::Disconnected if space.smaller_agent_could(start, goal) => Err(Why::TooNarrow),
        Reach::Disconnected => Err(Why::Disconnected),
    }
}
