//! The lab: a page in the browser where searches can be watched, and the server behind it.
//!
//! `docs/lab-protocol.md` describes the protocol between the page and the server. The server listens on `127.0.0.1` only, rejects
//! requests from other sites, and writes nothing to disk. Searches run here, apart from the threads that serve the network:
//!
//! | module | contents |
//! |---|---|
//! | `serve` | routes, ports, signals, shutdown |
//! | `connections`, `stall` | limits on connections and on idle clients |
//! | `guard` | which requests are accepted, and what browsers may do with the answers |
//! | `page` | the files of the page |
//! | `about`, `gallery`, `scene`, `files` | the HTTP calls |
//! | `protocol` | the messages |
//! | `cells` | the numbers of cells in binary messages |
//! | `session` | one socket: one world, up to four boards |
//! | `driver`, `run` | a search in time slices, and what it does in each slice |
//! | `prepare`, `tables`, `sketch` | prepared maps: built, kept, shown |
//! | `live`, `stage`, `debug` | units that walk while the page edits: their task, their ticks, the state of their planners |
//! | `gathering`, `headcount` | a crowd on a grid, and what the page is told of it |
//! | `cast`, `flight`, `flyer`, `movement` | the same in voxel worlds with moving obstacles: the units, their ticks, the unit of a board, what moved |
//! | `advice` | effects of buildings, and choke cells |
//! | `question`, `worlds`, `voxels`, `region` | queries and worlds from clients; enclosed regions |
//! | `scenery` | scenes with moving obstacles |
//! | `limits`, `shared` | limits; state shared by all sessions |

mod about;
mod advice;
mod answer;
mod cast;
mod cells;
mod clocks;
mod connections;
mod debug;
mod driver;
mod files;
mod flight;
mod flyer;
mod gallery;
mod gathering;
mod guard;
mod headcount;
mod hits;
mod limits;
mod live;
mod movement;
mod page;
mod prepare;
mod protocol;
mod question;
mod recorded;
mod recordings;
mod region;
mod run;
mod scene;
mod scenery;
mod serve;
mod session;
mod shared;
mod sketch;
mod stage;
mod stall;
mod tables;
mod voxels;
mod worlds;

pub use connections::Patience;
pub use serve::{DEFAULT_PORT, LabError, Server, Settings, run};
