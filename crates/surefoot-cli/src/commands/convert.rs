//! `surefoot convert`: converts between formats.

use std::path::Path;

use anyhow::{Context, Result, bail};
use surefoot::formats::{Format, scene_json};

use crate::args::ConvertArgs;
use crate::files;
use crate::output::{self, Answer};

pub fn run(args: &ConvertArgs) -> Result<Answer> {
    if is_scene(&args.output) {
        return convert_scene(args);
    }
    // Before the map is read, so that a wrong extension is reported at once.
    let to = files::format_of(&args.output)?;
    let palette = args.image.palette.as_ref();
    let (from, world) = files::read_world(&args.input, palette)?;
    if palette.is_some() && from != Format::Png && to != Format::Png {
        bail!(
            "--palette applies to PNG images, but neither {} nor {} is one",
            args.input.display(),
            args.output.display()
        );
    }
    files::write_world(&args.output, &world, palette)?;
    let size = world.extent();
    output::print(format!("wrote {}: {to}, {size}\n", args.output.display()).as_bytes())?;
    Ok(Answer::Yes)
}

/// Returns whether a file name is that of a scene.
fn is_scene(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().to_ascii_lowercase().ends_with(".scene.json"))
}

fn convert_scene(args: &ConvertArgs) -> Result<Answer> {
    if args.image.palette.is_some() {
        bail!(
            "--palette applies to PNG images, but neither {} nor {} is one",
            args.input.display(),
            args.output.display()
        );
    }
    let scene = files::read_scene(&args.input)
        .with_context(|| format!("cannot convert to the scene {}", args.output.display()))?;
    files::write(&args.output, scene_json::write(&scene).as_bytes())?;
    let ([x, y, z], fixed, moving) = (scene.size, scene.fixtures.len(), scene.obstacles.len());
    let name = args.output.display();
    output::print(
        format!("wrote {name}: a scene, {x} x {y} x {z} cells, {fixed} static shapes, {moving} obstacles\n")
            .as_bytes(),
    )?;
    Ok(Answer::Yes)
}
