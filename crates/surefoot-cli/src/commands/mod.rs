//! One file a command.

mod algorithms;
mod completions;
mod convert;
mod generate;
mod man;
mod scenarios;
mod solve;

use anyhow::Result;
use clap::CommandFactory;

use crate::args::{Cli, Command};
use crate::output::{self, Answer};

/// Does what the arguments ask for.
pub fn run(cli: &Cli) -> Result<Answer> {
    match &cli.command {
        None => help(),
        Some(Command::Solve(args)) => solve::run(args),
        Some(Command::Scenarios(args)) => scenarios::run(args),
        Some(Command::Algorithms(args)) => algorithms::run(args),
        Some(Command::Generate(args)) => generate::run(args),
        Some(Command::Convert(args)) => convert::run(args),
        Some(Command::Completions(args)) => completions::run(args),
        Some(Command::Man(args)) => man::run(args),
    }
}

fn help() -> Result<Answer> {
    output::print(Cli::command().render_help().to_string().as_bytes())?;
    Ok(Answer::Yes)
}
