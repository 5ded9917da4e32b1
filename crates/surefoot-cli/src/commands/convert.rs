//! `surefoot convert`: from one format to another.

use anyhow::{Result, bail};
use surefoot::formats::{Format, World};

use crate::args::ConvertArgs;
use crate::files;
use crate::output::{self, Answer};

pub fn run(args: &ConvertArgs) -> Result<Answer> {
    // Before the map is read: a wrong name needs no patience.
    let to = files::format_of(&args.output)?;
    let palette = args.image.palette.as_ref();
    let (from, world) = files::read_world(&args.input, palette)?;
    if palette.is_some() && from != Format::Png && to != Format::Png {
        bail!(
            "--palette: found no PNG among {} and {}, expected one",
            args.input.display(),
            args.output.display()
        );
    }
    files::write_world(&args.output, &world, palette)?;
    let size = match &world {
        World::Grid(grid) => format!("{} x {} cells", grid.width(), grid.height()),
        World::Graph(graph) => format!("{} nodes, {} edges", graph.node_count(), graph.edges().len()),
        World::Voxels(voxels) => {
            let [x, y, z] = voxels.size();
            format!("{x} x {y} x {z} cells")
        }
    };
    output::print(format!("wrote {}: {to}, {size}\n", args.output.display()).as_bytes())?;
    Ok(Answer::Yes)
}
