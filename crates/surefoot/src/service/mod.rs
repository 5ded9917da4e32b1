//! Path requests: tickets in, answers out, a fixed amount of work per tick, while the world changes.
//!
//! A game has more requests than time. It makes them when they come up ([`request`](PathService::request)) and gets a [`Ticket`] for each; once
//! per frame it calls [`tick`](PathService::tick) with the world and a budget in expanded nodes; and it takes answers when they are there
//! ([`next_into`](PathService::next_into), [`take`](PathService::take)), in the order of the tickets. Searches that take longer than a tick go on in the next one.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::service::{PathAnswer, PathService, RequestSpec, ServiceSpec, Validity};
//!
//! let mut grid = Grid::new(60, 40).unwrap();
//! let mut service = PathService::new(ServiceSpec { workers: 1, ..ServiceSpec::default() });
//! let goals = [Place::Cell(Cell::new(59, 39))];
//! let ticket = service.request(&RequestSpec { priority: 1, ..RequestSpec::new(Cell::new(0, 0), &goals) }).unwrap();
//!
//! let (mut answer, mut frames) = (PathAnswer::default(), 0);
//! while !service.take_into(ticket, &mut answer).unwrap() {
//!     // Something is built far from the path in every frame. The search is not disturbed.
//!     grid.set(Cell::new(frames, 39), Terrain::WALL).unwrap();
//!     service.tick(grid.view(&Agent::default()), 20).unwrap();
//!     frames += 1;
//! }
//! assert!(answer.outcome.is_found() && answer.path.steps() == 59);
//! assert_eq!((answer.validity, answer.revision), (Validity::Current, grid.revision()));
//! ```
//!
//! # Edits
//! A search has a copy of the world as it was when it began, which shares its memory, and finishes there, whatever happens in the meantime. Its
//! answer is then judged by the [journal](crate::world::journal) of what has changed since: if nothing has touched the path, and nothing can have made a cheaper
//! one, it is the answer for the world as it is now ([`Validity::Current`]). Otherwise the search is repeated, at most
//! [so often](ServiceSpec::repeats). After that, the answer is delivered for what it is: a path that can still be walked
//! ([`Validity::Walkable`]), or the answer for an older [revision](PathAnswer::revision) ([`Validity::Past`]). So every ticket is answered, even if something changes everywhere in every
//! tick.
//!
//! A ticket that is to be [watched](RequestSpec::watch) is reported when a change [touches](PathService::touched) its path later.
//!
//! # Order
//! The higher the priority, the sooner. A level of priority is worth a number of ticks of waiting, so a request is overtaken only by those
//! that come at most that much later, and none waits for ever. A search that has begun is set aside for one that is more urgent.
//!
//! Requests that ask the same share one search, as long as it has not ended.
//!
//! # Determinism
//! The budget is divided among [lanes](ServiceSpec::lanes), and worker threads carry lanes. Which search is in which lane depends on the requests and on the
//! counts of nodes alone. So in [`Mode::Deterministic`](crate::frame::Mode::Deterministic), all answers, and the ticks in which they come, are the same with any number of threads, none
//! included.
//!
//! # Bounds
//! There are at most [`capacity`](ServiceSpec::capacity) tickets; more are refused with an error. Each lane has memory for two searches per
//! algorithm, so a search is never set aside twice. A tick expands at most its budget. Not counted are the first look at a world by an agent of another size, what an
//! algorithm prepares, and, in voxel worlds that have changed, finding out which cells are connected; and starting a search counts as eight nodes.
//!
//! Once warm, neither requests nor answers allocate: tickets, works and paths reuse memory. A tick after a change does, for a copy of the
//! world that shares its memory.

mod book;
mod lane;
mod path_service;
mod spec;

pub use path_service::PathService;
pub use spec::{
    PathAnswer, RequestError, RequestSpec, ServiceSpec, TickError, TickReport, Ticket, TicketError,
    TouchedTicket, Validity,
};
