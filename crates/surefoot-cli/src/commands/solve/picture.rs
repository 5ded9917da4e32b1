//! Draws the search.

use anyhow::{Context, Result};
use surefoot::draw::Picture;
use surefoot::formats::World;
use surefoot::prelude::*;

use super::{Checked, Solved};
use crate::args::SolveArgs;
use crate::files;

/// Writes the requested pictures.
pub fn draw(args: &SolveArgs, world: &World, Checked(solved): &Checked<'_, '_>) -> Result<()> {
    if args.svg.is_none() && args.png.is_none() {
        return Ok(());
    }
    let finder = &solved.finder;
    let visited = |closed: bool| -> Vec<NodeId> {
        let is = |node: &NodeId| finder.visit(*node).is_some_and(|visit| visit.closed == closed);
        Picture::marks(world).into_iter().filter(is).collect()
    };
    let (closed, open) = (visited(true), visited(false));
    let title = title(solved);
    let mut picture = Picture::of_world(world).closed(&closed).open(&open).path(finder.path().nodes());
    picture = picture.goals(&solved.to).legend(true).title(&title);
    if let Some(start) = solved.from {
        picture = picture.start(start);
    }
    if let Some(path) = &args.svg {
        files::write(path, picture.to_svg().context("--svg")?.as_bytes())?;
    }
    if let Some(path) = &args.png {
        files::write(path, &picture.to_png().context("--png")?)?;
    }
    Ok(())
}

fn title(solved: &Solved<'_>) -> String {
    let finder = &solved.finder;
    let title = finder.algorithm().title;
    let expanded = finder.stats().expanded;
    match finder.outcome() {
        Outcome::Found => format!("{title}: cost {:.2}, {expanded} nodes expanded", finder.path().cost()),
        _ => format!("{title}: no path, {expanded} nodes expanded"),
    }
}
