//! The surefoot command: arguments to calls. Everything that computes is in the libraries.

mod args;
mod commands;
mod files;
mod output;

use clap::Parser;

fn main() -> std::process::ExitCode {
    match args::Cli::try_parse() {
        Ok(cli) => output::finish(commands::run(&cli)),
        Err(error) => output::explain(&error),
    }
}
