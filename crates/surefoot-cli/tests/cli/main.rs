//! The command as its users see it: arguments in; exit code, standard output, standard error and files out.

mod bake;
mod common;
mod cooperate;
mod crowd;
mod experiment;
#[cfg(unix)]
mod lab;
mod scenarios;
mod shell;
mod simulate;
mod solve;
mod worlds;
