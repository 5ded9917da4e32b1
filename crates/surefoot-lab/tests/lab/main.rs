//! The lab as its page sees it: a real server on a free port, spoken to over real sockets.

mod client;
mod crowds;
mod files;
mod flights;
mod live;
mod page;
mod prepared;
mod runs;
mod scenes;
mod session;
mod strain;
mod traces;
mod voxels;
