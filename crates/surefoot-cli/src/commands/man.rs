//! `surefoot man`: manual pages.

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man;

use crate::args::{Cli, ManArgs};
use crate::output::{self, Answer};

pub fn run(args: &ManArgs) -> Result<Answer> {
    let command = Cli::command().disable_help_subcommand(true);
    if let Some(folder) = &args.out {
        let failed = || format!("cannot write manual pages into {}", folder.display());
        std::fs::create_dir_all(folder).with_context(failed)?;
        clap_mangen::generate_to(command, folder).with_context(failed)?;
    } else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        output::print(&page)?;
    }
    Ok(Answer::Yes)
}
