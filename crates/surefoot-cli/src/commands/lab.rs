//! `surefoot lab`: serves the lab.

use anyhow::Result;
use surefoot_lab::Settings;

use crate::args::LabArgs;
use crate::output::{self, Answer};

pub fn run(args: &LabArgs) -> Result<Answer> {
    let settings = Settings { port: args.port, page: args.page.clone(), ..Settings::default() };
    surefoot_lab::run(&settings, |url| {
        // The lab is of use even if its address cannot be printed.
        let _ = output::print(format!("lab: {url}\n").as_bytes());
        if !args.no_open && open::that_detached(url).is_err() {
            output::warn(&format!("cannot open a browser: open {url} yourself"));
        }
    })?;
    Ok(Answer::Yes)
}
