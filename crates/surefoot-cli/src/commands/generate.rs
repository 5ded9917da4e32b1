//! `surefoot generate`: maps from a seed.

use anyhow::{Context, Result};
use surefoot::formats::World;
use surefoot::generate::{endpoints, generate};

use crate::args::GenerateArgs;
use crate::files;
use crate::output::{self, Answer};

pub fn run(args: &GenerateArgs) -> Result<Answer> {
    // Before the map is made: a wrong name needs no patience.
    files::format_of(&args.out)?;
    let grid = generate(args.kind, args.size.width, args.size.height, args.seed).context("--size")?;
    let out = args.out.display();
    let (open, all) = (grid.open_cells(), u64::from(grid.width()) * u64::from(grid.height()));
    let mut text = format!(
        "wrote {out}: {}, {} x {}, seed {}, {open} of {all} cells open\n",
        args.kind,
        grid.width(),
        grid.height(),
        args.seed
    );
    if let Some((from, to)) = endpoints(&grid, args.seed) {
        text +=
            &format!("try: surefoot solve --map {out} --from {},{} --to {},{}\n", from.x, from.y, to.x, to.y);
    }
    files::write_world(&args.out, &World::Grid(grid), None)?;
    output::print(text.as_bytes())?;
    Ok(Answer::Yes)
}
