//! `surefoot generate`: generates maps from a seed.

use anyhow::{Context, Result, bail};
use surefoot::formats::World;
use surefoot::generate::{self, GeneratedMap, Kind, SpaceKind, generate_with_endpoints};

use crate::args::{GenerateArgs, Size};
use crate::files;
use crate::output::{self, Answer};

pub fn run(args: &GenerateArgs) -> Result<Answer> {
    // Before the map is generated, so that a wrong extension is reported at once.
    files::format_of(&args.out)?;
    let Size { width, height, depth } = args.size;
    let (world, text) = match depth {
        None => flat(args, width, height)?,
        Some(depth) => in_space(args, [width, height, depth])?,
    };
    files::write_world(&args.out, &world, None)?;
    output::print(text.as_bytes())?;
    Ok(Answer::Yes)
}

fn flat(args: &GenerateArgs, width: u32, height: u32) -> Result<(World, String)> {
    let Ok(kind) = args.kind.parse::<Kind>() else {
        bail!("`{}` is a kind of voxel world: expected --size WxHxD, for example 64x48x16", args.kind);
    };
    let GeneratedMap { grid, endpoints, .. } =
        generate_with_endpoints(kind, width, height, args.seed).context("--size")?;
    let (out, seed, open) = (args.out.display(), args.seed, grid.open_cells());
    let all = width as usize * height as usize;
    let made = format!("wrote {out}: {kind}, {width} x {height}, seed {seed}, {open} of {all} cells open\n");
    let hint = endpoints.map_or(String::new(), |(from, to)| {
        format!("try: surefoot solve --map {out} --from {},{} --to {},{}\n", from.x, from.y, to.x, to.y)
    });
    Ok((World::Grid(grid), made + &hint))
}

fn in_space(args: &GenerateArgs, size @ [x, y, z]: [u32; 3]) -> Result<(World, String)> {
    let kind: SpaceKind = args.kind.parse().context("--size has layers")?;
    let voxels = generate::generate_in_space(kind, size, args.seed).context("--size")?;
    let (out, seed, open) = (args.out.display(), args.seed, voxels.open_cells());
    let all: u64 = size.iter().map(|&side| u64::from(side)).product();
    let made = format!("wrote {out}: {kind}, {x} x {y} x {z}, seed {seed}, {open} of {all} cells open\n");
    let hint = generate::endpoints_in_space(&voxels).map_or(String::new(), |(from, to)| {
        let place = |voxel: surefoot::space::Voxel| format!("{},{},{}", voxel.x, voxel.y, voxel.z);
        format!("try: surefoot solve --map {out} --from {} --to {}\n", place(from), place(to))
    });
    Ok((World::Voxels(voxels), made + &hint))
}
