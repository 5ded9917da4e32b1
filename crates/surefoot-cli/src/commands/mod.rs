//! The commands, one file each.

mod algorithms;
mod bake;
mod completions;
mod convert;
mod cooperate;
mod crowd;
mod experiment;
mod generate;
mod lab;
mod man;
mod scenarios;
mod simulate;
mod solve;

use anyhow::Result;

use crate::args::{Cli, Command, LabArgs};
use crate::output::Answer;

/// Runs the command that the arguments select.
pub fn run(cli: &Cli) -> Result<Answer> {
    match &cli.command {
        None => lab::run(&LabArgs::default()),
        Some(Command::Lab(args)) => lab::run(args),
        Some(Command::Solve(args)) => solve::run(args),
        Some(Command::Scenarios(args)) => scenarios::run(args),
        Some(Command::Bake(args)) => bake::run(args),
        Some(Command::Simulate(args)) => simulate::run(args),
        Some(Command::Cooperate(args)) => cooperate::run(args),
        Some(Command::Crowd(args)) => crowd::run(args),
        Some(Command::Experiment(args)) => experiment::run(args),
        Some(Command::Algorithms(args)) => algorithms::run(args),
        Some(Command::Generate(args)) => generate::run(args),
        Some(Command::Convert(args)) => convert::run(args),
        Some(Command::Completions(args)) => completions::run(args),
        Some(Command::Man(args)) => man::run(args),
    }
}
