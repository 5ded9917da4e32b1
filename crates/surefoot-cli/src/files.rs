//! Reading maps and writing files.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use surefoot::formats::box_scene::{self, GoalMotion};
use surefoot::formats::image::{self, Palette};
use surefoot::formats::{self, Format, World};
use surefoot::scene::Scene;
use surefoot_experiments::files;

/// Reads a map of any format, and returns the format. The palette is for images.
pub fn read_world(path: &Path, palette: Option<&Palette>) -> Result<(Format, World)> {
    let bytes = files::read(path)?;
    let format = Format::sniff(&bytes);
    let world = match (format, palette) {
        (Some(Format::Png), Some(palette)) => image::read(&bytes, palette).map(World::Grid),
        _ => formats::read(&bytes),
    };
    let world = world.map_err(|error| error.in_file(path.display()))?;
    Ok((format.context("unknown format")?, world))
}

/// Reads a scene of any format.
pub fn read_scene(path: &Path) -> Result<Scene> {
    let bytes = files::read(path)?;
    Ok(formats::read_scene(&bytes).map_err(|error| error.in_file(path.display()))?)
}

/// Reads a box scene whose goal moves sideways.
pub fn read_sideways(path: &Path) -> Result<Scene> {
    let bytes = files::read(path)?;
    if !box_scene::is_one(&bytes) {
        bail!("{}: `--goal sideways` requires a box scene", path.display());
    }
    let scene = box_scene::read_with(&bytes, GoalMotion::Sideways);
    Ok(scene.map_err(|error| error.in_file(path.display()))?)
}

/// Reads a file that `bake` wrote.
pub fn read_prepared(path: &Path) -> Result<Vec<u8>> {
    Ok(files::read_at_most(path, MAX_PREPARED)?)
}

/// The maximum length of the file of a prepared map.
const MAX_PREPARED: usize = 4 << 30;

/// Writes a world in the format given by the extension.
pub fn write_world(path: &Path, world: &World, palette: Option<&Palette>) -> Result<()> {
    let format = format_of(path)?;
    let bytes = match (format, world, palette) {
        (Format::Png, World::Grid(grid), Some(palette)) => image::write(grid, palette),
        _ => formats::write(world, format),
    };
    write(path, &bytes.map_err(|error| error.in_file(path.display()))?)
}

/// Returns the format given by the extension.
pub fn format_of(path: &Path) -> Result<Format> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    Format::of_extension(&extension).with_context(|| {
        let name = path.display();
        format!(
            "{name}: unknown extension `{extension}`, expected .map, .3dmap, .txt, .grid, .png or .world.json"
        )
    })
}

/// Writes a file atomically: first under another name in the same folder.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = || format!("cannot write {}", path.display());
    // If the path is a symbolic link, its target is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if target.exists() && !target.is_file() {
        bail!("cannot write {}: expected a regular file or no file of that name", path.display());
    }
    let draft = draft_name(&target).with_context(failed)?;
    let written = OpenOptions::new().write(true).create_new(true).open(&draft).and_then(|mut file| {
        file.write_all(bytes)?;
        drop(file);
        fs::rename(&draft, &target)
    });
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written.with_context(failed)
}

/// Returns a hidden name in the same folder, unique to this process.
fn draft_name(target: &Path) -> Result<PathBuf> {
    let name = target.file_name().context("expected a file name")?;
    let draft = format!(".{}.{}.part", name.to_string_lossy(), std::process::id());
    Ok(target.with_file_name(draft))
}
