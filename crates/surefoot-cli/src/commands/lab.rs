//! `surefoot lab`: the lab in the browser.

use anyhow::Result;
use surefoot_lab::Settings;

use crate::args::LabArgs;
use crate::output::{self, Answer};

pub fn run(args: &LabArgs) -> Result<Answer> {
    let settings = Settings { port: args.port, page: args.page.clone(), ..Settings::default() };
    surefoot_lab::run(&settings, |url| {
        // Whoever does not read where the lab is may still find it open.
        let _ = output::print(format!("lab: {url}\n").as_bytes());
        if !args.no_open && open::that_detached(url).is_err() {
            output::warn(&format!("no browser could be opened: open {url} yourself"));
        }
    })?;
    Ok(Answer::Yes)
}
