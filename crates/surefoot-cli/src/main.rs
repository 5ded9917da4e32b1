//! The surefoot command: arguments to calls. Everything that computes is in the libraries.

mod args;
mod commands;
mod files;
mod output;
mod progress;

use clap::Parser;

/// The lab may run for days and now and then holds many large maps. This allocator gives their memory back to the system;
/// the usual one of Linux keeps it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    match args::Cli::try_parse() {
        Ok(cli) => output::finish(commands::run(&cli)),
        Err(error) => output::explain(&error),
    }
}
