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
    start: Result<NodeId, Why>,
    asked: &[Result<NodeId, Why>],
    goals: &mut Vec<NodeId>,
) -> Result<Admitted, Why> {
    on_world!(view, space => admit_in(space, start, asked, goals, |goal, start| connect(space, start, goal)))
}

/// Checks a query like [`admit`], but not whether the goals can be reached.
pub(crate) fn admit_unconnected(
    view: &View<'_>,
    start: Result<NodeId, Why>,
    asked: &[Result<NodeId, Why>],
    goals: &mut Vec<NodeId>,
) -> Result<Admitted, Why> {
    on_world!(view, space => {
        admit_in(space, start, asked, goals, |goal, _| stand_in(space, goal, AT_GOAL))
    })
}

fn admit_in(
    space: &impl SearchSpace,
    start: Result<NodeId, Why>,
    asked: &[Result<NodeId, Why>],
    goals: &mut Vec<NodeId>,
    accept: impl Fn(NodeId, NodeId) -> Result<(), Why>,
) -> Result<Admitted, Why> {
    goals.clear();
    let start = start?;
    stand_in(space, start, AT_START)?;
    let mut refused = if asked.is_empty() { Why::NoGoals } else { Why::WrongPlace };
    for &goal in asked {
        match goal.and_then(|goal| accept(goal, start).map(|()| goal)) {
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
        Why::NoGoals | Why::WrongPlace => 0,
        Why::GoalOutside => 1,
        Why::GoalBlocked => 2,
        Why::Disconnected => 3,
        Why::TooNarrow => 4,
        // Reasons that are not about goals end a query at once.
        _ => 5,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// Why an agent cannot stand at the start: because of a wall, or because it is too large.
pub(crate) const AT_START: [Why; 2] = [Why::StartBlocked, Why::StartTooNarrow];
/// Why an agent cannot stand at a goal.
pub(crate) const AT_GOAL: [Why; 2] = [Why::GoalBlocked, Why::TooNarrow];

/// Rejects a node where the agent cannot stand.
pub(crate) fn stand(view: &View<'_>, node: NodeId, reasons: [Why; 2]) -> Result<(), Why> {
    on_world!(view, space => stand_in(space, node, reasons))
}

fn stand_in(space: &impl SearchSpace, node: NodeId, [blocked, narrow]: [Why; 2]) -> Result<(), Why> {
    if space.stands(node) {
        Ok(())
    } else if space.stands_smallest(node) {
        Err(narrow)
    } else {
        Err(blocked)
    }
}

/// Rejects a goal where there is no place for the agent, or that components show to be unreachable.
fn connect(space: &impl SearchSpace, start: NodeId, goal: NodeId) -> Result<(), Why> {
    let reach = match stand_in(space, goal, AT_GOAL) {
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
