//! The surefoot command: arguments to calls. Everything that computes is in the libraries.

mod args;
mod commands;
mod files;
mod output;

use clap::Parser;

fn main() -> std::process::ExitCode {
    output::finish(commands::run(&args::Cli::parse()))
}
