//! `surefoot generate`: maps from a seed.

use anyhow::{Context, Result};
use surefoot::formats::World;
use surefoot::generate::{Scene, scene};

use crate::args::GenerateArgs;
use crate::files;
use crate::output::{self, Answer};

pub fn run(args: &GenerateArgs) -> Result<Answer> {
    // Before the map is made: a wrong name needs no patience.
    files::format_of(&args.out)?;
    let Scene { grid, ends } =
        scene(args.kind, args.size.width, args.size.height, args.seed).context("--size")?;
    let (out, kind, seed) = (args.out.display(), args.kind, args.seed);
    let (width, height, open) = (grid.width(), grid.height(), grid.open_cells());
    let all = width as usize * height as usize;
    let made = format!("wrote {out}: {kind}, {width} x {height}, seed {seed}, {open} of {all} cells open\n");
    let hint = ends.map_or(String::new(), |(from, to)| {
        format!("try: surefoot solve --map {out} --from {},{} --to {},{}\n", from.x, from.y, to.x, to.y)
    });
    files::write_world(&args.out, &World::Grid(grid), None)?;
    output::print((made + &hint).as_bytes())?;
    Ok(Answer::Yes)
}
