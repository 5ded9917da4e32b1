//! Cooperative path finding: many agents from their starts to their goals at the same time, without collisions.
//!
//! One agent fits into a cell. In each step every agent waits or moves to a neighbouring cell; two agents may not change places. With the rule
//! [`Moves::Eight`](crate::agent::Moves::Eight), a diagonal step may not pass a cell in which another agent is before or after it, so that two diagonal steps never cross either.
//!
//! [`Cooperation`] finds a plan and then improves it, for as long as it is given a budget.
//!
//! ```
//! use surefoot::cooperate::{Cooperation, Status, Task};
//! use surefoot::prelude::*;
//! use surefoot::validate::{self, JointClaim};
//!
//! let grid: Grid = ".......\n###.###".parse().unwrap(); // a corridor with one place to pass
//! let agent = Agent::new().with_moves(Moves::Four);
//! let view = grid.view(&agent);
//! let [west, east] = [0, 6].map(|x| grid.node(Cell::new(x, 0)).unwrap());
//! let tasks = [Task::new(west, east), Task::new(east, west)];
//!
//! let mut cooperation = Cooperation::default();
//! cooperation.start(&view, &tasks).unwrap();
//! while !cooperation.resume(&view, 100).is_final() {} // 100 iterations a frame, whatever the machine
//! assert_eq!(cooperation.status(), Status::Finished);
//!
//! let plan = cooperation.plan().unwrap();
//! // One of them steps aside, which takes two steps, and the other waits for one.
//! assert_eq!((plan.sum_of_costs(), cooperation.lower_bound()), (15, 12));
//! let (starts, goals) = ([west, east], [Some(east), Some(west)]);
//! let claim = JointClaim { starts: &starts, goals: &goals, nodes: plan.nodes(), sum_of_costs: plan.sum_of_costs() };
//! assert_eq!(validate::joint_plan(&grid, &agent, &claim), Ok(()));
//! ```

mod cooperation;
mod draws;
mod fields;
mod floor;
mod guide;
mod plan;
mod refine;
mod search;
mod sipp;
mod stepper;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod traffic;

pub use cooperation::{Cooperation, Status};
pub use plan::Plan;
pub use task::{CooperateError, End, Task};
