//! What can be wrong with a question to a field.

use crate::cost::Cost;
use crate::field::goal::Goal;
use crate::id::NodeId;

/// Why a [`FlowField`](super::FlowField) cannot be built, updated or used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// A goal is not a node of the world.
    #[error("goal {0:?} is not a node of the world")]
    GoalOutside(NodeId),
    /// The starting value of a goal is too large.
    #[error("found a starting value of {0:?} at a goal, expected at most {max:?}", max = Goal::MAX_COST)]
    GoalCost(Cost),
    /// The edges of a user-defined graph cannot be traversed backwards: see [`OwnView::two_way`](crate::world::own::OwnView::two_way).
    #[error("the graph cannot be traversed backwards, which fields need")]
    NoWayBack,
    /// The field has not been built.
    #[error("the field has not been built")]
    NotBuilt,
    /// The world has been edited since the field was computed, or it is another world. [Update](super::FlowField::update) the field.
    #[error("the field was computed for another world, or the world has been edited since")]
    WorldChanged,
    /// The world has other nodes than that of the field.
    #[error("the field was computed for a world with other nodes")]
    OtherWorld,
    /// The view belongs to another agent than the field.
    #[error("the field was computed for another agent")]
    AgentChanged,
    /// A field that leads away from something depends on the field it was made from, and is made again instead of updated.
    #[error("a field that leads away is made again from the field that leads there")]
    LeadsAway,
    /// The factor of a field that leads away is not a number from 1 to 16.
    #[error("found a factor that is not a number from 1 to 16")]
    BadFactor,
    /// The goals cannot be reached from the node, or the field does not extend so far.
    #[error("no goal can be reached from the node within the range of the field")]
    NotReached,
}
