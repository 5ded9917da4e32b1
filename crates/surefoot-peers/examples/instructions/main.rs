//! Counts the instructions of representative queries with valgrind's callgrind and compares them with a committed baseline.
//!
//! ```sh
//! CARGO_INCREMENTAL=0 cargo test --workspace --no-run    # as `./check` builds it
//! target/debug/examples/instructions                     # compares
//! target/debug/examples/instructions --rewrite           # accepts the present counts
//! ```
//!
//! Times differ from run to run and from machine to machine; these counts do not. They depend on the compiler and its settings,
//! so build this program as above, not by itself. A baseline of another compiler is not compared. Exit codes: 0 if the counts
//! are those of the baseline, 1 if not, 2 after an error, 3 if the baseline is of another compiler.

mod baseline;
mod callgrind;
mod queries;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use crate::baseline::{Baseline, Verdict};

/// Counts the instructions of representative queries and compares them with the baseline.
#[derive(Parser)]
struct Arguments {
    /// Writes the counts to the baseline instead of comparing them
    #[arg(long)]
    rewrite: bool,
    /// Asks the queries and nothing else: what is run under callgrind
    #[arg(long, hide = true)]
    ask: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.ask {
        queries::ask_all()?;
        return Ok(ExitCode::SUCCESS);
    }
    let present = Baseline { settings: baseline::settings()?, counts: callgrind::count()? };
    if arguments.rewrite {
        present.write()?;
        println!("{} counts written to {}", present.counts.len(), baseline::file().display());
        return Ok(ExitCode::SUCCESS);
    }
    let committed = Baseline::read()?;
    print!("{}", present.table(&committed));
    Ok(match present.verdict(&committed) {
        Verdict::Same => ExitCode::SUCCESS,
        Verdict::Different(names) => {
            println!(
                "more than {} % from the baseline: {}. If that is intended: target/debug/examples/instructions --rewrite",
                baseline::TOLERANCE_PERCENT,
                names.join(", ")
            );
            ExitCode::from(1)
        }
        Verdict::NotComparable => {
            println!("not compared: the baseline is of {}, this is {}", committed.settings, present.settings);
            ExitCode::from(3)
        }
    })
}
