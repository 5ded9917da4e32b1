//! The work of a frame on other threads: changes and questions go out, results come back later.
//!
//! A game has a few milliseconds per frame, and no plan may hold it up. Whatever thinks for the game therefore has a world of its own: in
//! each frame it takes in what has changed, and then answers questions, each with a budget in expanded nodes. The game keeps its own copy of
//! the cells, and replays the list of changed cells into it. A [`Fleet`](crate::flight::Fleet) is built on this, and a
//! [`PathService`](crate::service::PathService).
//!
//! | file | contents |
//! |---|---|
//! | `rounds.rs` | worker threads that let a world follow changes and then do tasks in it |
//!
//! Everything moves between threads through channels and belongs to one of them at a time. There is no lock, and nothing waits for a clock.
//! Without threads, the caller does the work itself: see [`Mode`] for what that means for results.
//!
//! ```
//! use surefoot::flight::Fleet;
//! use surefoot::frame::Mode;
//! use surefoot::prelude::*;
//! use surefoot::world::dynamic::DynamicWorld;
//!
//! let hall = DynamicWorld::new(Voxels::new(20, 10, 5).unwrap());
//! let fleet = Fleet::new(hall, Mode::Eager, 1);
//! assert!(fleet.workers() <= 1, "a system may have no threads");
//! ```

mod rounds;

pub(crate) use rounds::{Report, Rounds, Stage};

/// When the results of work on other threads are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The results of a frame are used in the next one, which waits for them if it has to. Everything that happens is the same on every machine
    /// and with any number of threads, as lockstep games and replays need it.
    Deterministic,
    /// Results are used as soon as they are there. No frame ever waits.
    #[default]
    Eager,
}
