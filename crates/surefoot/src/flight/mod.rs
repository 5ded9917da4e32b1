//! Agents that fly through a voxel world with moving obstacles. There is no clock: time passes only in calls that
//! advance it.
//!
//! | file | contents |
//! |---|---|
//! | `pilot.rs` | one agent: its mind and its body on one thread |
//! | `fleet.rs` | many agents, once per frame, whose minds are on other threads |
//! | `body.rs` | the position, path and state of an agent, and how it flies |
//! | `mind.rs` | how an agent decides what to do |
//! | `present.rs` | the cells as a fleet knows them |
//! | `spec.rs` | the specification of an agent, and its states |
//! | `forecast.rs` | where moving obstacles will be in half a second |
//! | `evade.rs` | where an agent goes to evade them |
//! | `timed_pilot.rs` | an agent that knows how obstacles move, and follows a plan in space and time |
//! | `sipp.rs` | the search for such a plan |
//! | `timed_plan.rs` | what that search is asked, and what it answers |
//! | `to_go.rs` | its heuristic, and when a goal is where |
//! | `escape.rs` | how an agent leaves a place that is not safe |
//! | `safe_intervals.rs` | when each cell is safe from obstacles |
//! | `shadows.rs` | which cells obstacles cover at a tick |
//!
//! # Where an agent is
//! An agent can be anywhere between cells. It is never in a unit box of cell centres that has a closed corner, unless
//! an obstacle has closed one around it (see [`VoxelView::is_clear`](crate::world::voxels::VoxelView::is_clear)). So an
//! agent with a radius stays at least that radius away from all solid cells that do not move. A start or a goal where
//! it cannot be is replaced by the nearest point where it can.
//!
//! # When an agent plans
//! It plans from its position when cells have changed or its goal is in another cell. It keeps its current path, unless
//! that is broken or the new one is 2 % shorter. The flight ends at the goal: the agent does not plan again until it is
//! given another goal.
//!
//! # When an agent evades
//! A [`Forecast`] predicts which cells obstacles will close in the next half second, from how they moved last or from the
//! description of a scene, which also tells when obstacles appear. If the path leads to a place where
//! a cell will be closed, the agent waits where it is or evades to a place nearby, whichever stays open longest. If a
//! cell around it is already closed, it leaves, and keeps away from solid cells that do not move.
//!
//! # Agents in a game
//! A game has little time per frame. A [`Fleet`] is called once per frame, moves all its agents, and leaves it to other threads to keep up with
//! the obstacles and to plan.
//!
//! # Agents that know how obstacles move
//! If the motions of obstacles are known, as in a [scene](crate::scene), a [`TimedPilot`] plans in space and time instead (see [`Sipp`]). It waits before it
//! would have to evade, and touches nothing. Its planner is called `sipp` in simulations. It is not in the list of [algorithms](crate::algorithms), because it
//! needs motions, not only a world.
//!
//! ```
//! use surefoot::flight::{Forecast, Pilot, PilotSpec, State};
//! use surefoot::obstacle::{Pose, Shape};
//! use surefoot::prelude::*;
//! use surefoot::world::dynamic::DynamicWorld;
//!
//! // A hall with a wall. The gap in the middle is closed by a block.
//! let wall = (0..5).map(|y| Voxel::new(6, y, 0)).filter(|cell| cell.y != 2);
//! let mut hall = DynamicWorld::new(Voxels::from_solid([12, 5, 1], wall).unwrap());
//! let block = Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap();
//! let block = hall.add(block, Pose::at(Point::new(6.5, 2.5, 0.5)).unwrap()).unwrap();
//! hall.update();
//!
//! let spec = PilotSpec { speed: 4.0, ..PilotSpec::new(Point::new(0.5, 0.5, 0.5), Point::new(11.25, 2.5, 0.5)) };
//! let mut drone = Pilot::new(&spec).unwrap();
//! let forecast = Forecast::new();
//! drone.tick(&hall, &forecast, 0.1);
//! assert_eq!(drone.state(), State::Stuck(Why::Disconnected));
//!
//! hall.set_active(block, false).unwrap();
//! hall.update();
//! for _ in 0..40 {
//!     drone.tick(&hall, &forecast, 0.1);
//! }
//! assert_eq!((drone.state(), drone.position()), (State::Arrived, Point::new(11.25, 2.5, 0.5)));
//! ```

mod body;
mod escape;
mod evade;
mod fleet;
mod forecast;
mod mind;
mod pilot;
mod present;
mod safe_intervals;
mod shadows;
mod sipp;
mod spec;
mod timed_pilot;
mod timed_plan;
mod to_go;

pub use fleet::{DEFAULT_BUDGET, Fleet, Flyer, FlyerId, FrameReport};
pub use forecast::{Forecast, HORIZON};
pub use pilot::Pilot;
pub use safe_intervals::SafeIntervals;
pub use sipp::Sipp;
pub use spec::{FlightError, PilotSpec, State};
pub use timed_pilot::{STRANGER_HORIZON, TIMED_HORIZON, TimedFlightError, TimedPilot, TimedSpec};
pub use timed_plan::{Ending, TimedPlan, TimedQuery, Waypoint};
