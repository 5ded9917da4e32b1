//! `surefoot completions`: shell completion scripts.

use anyhow::Result;
use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::output::{self, Answer};

pub fn run(args: &CompletionsArgs) -> Result<Answer> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "surefoot", &mut script);
    output::print(&script)?;
    Ok(Answer::Yes)
}
