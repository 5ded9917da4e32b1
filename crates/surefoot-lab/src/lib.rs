//! The lab: a page in the browser where searches can be watched, and the server behind it.
//!
//! The page and the server talk as `docs/lab-protocol.md` says. The server listens on `127.0.0.1` only, answers nobody but
//! its own page, and writes nothing to disk. All searching happens here, away from the threads that serve the network:
//!
//! | module | what it says |
//! |---|---|
//! | `serve` | the routes, ports, signals, the end |
//! | `connections`, `stall` | how many connections there may be, and how long they may send or read nothing |
//! | `guard` | who may ask, and what browsers may do with the answers |
//! | `page` | the files of the page |
//! | `about`, `gallery`, `scene`, `files` | the HTTP calls |
//! | `protocol` | the messages |
//! | `cells` | the numbers of cells in binary messages |
//! | `session` | one socket: one world, up to four boards |
//! | `driver`, `run` | a search that takes turns with others, and what it does in each turn |
//! | `prepare`, `tables`, `sketch` | what algorithms work out before they search: made, kept, shown |
//! | `live`, `stage`, `debug` | units that walk while the page edits: their task, their ticks, what their planners know |
//! | `cast`, `flight`, `flyer`, `movement` | the same in space, among moving obstacles: who is live, their ticks, the agent of a board, what moved |
//! | `advice` | what a building would do, and where the choke cells are |
//! | `question`, `worlds`, `voxels`, `region` | queries and worlds from outside; what is cut off |
//! | `scenery` | scenes with moving obstacles |
//! | `limits`, `shared` | how large things may be; what all share |

mod about;
mod advice;
mod answer;
mod cast;
mod cells;
mod connections;
mod debug;
mod driver;
mod files;
mod flight;
mod flyer;
mod gallery;
mod guard;
mod limits;
mod live;
mod movement;
mod page;
mod prepare;
mod protocol;
mod question;
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
