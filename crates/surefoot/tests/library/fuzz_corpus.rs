//! Replays the fuzzing corpus with the fuzzers' own checks.

use std::fs;
use std::path::{Path, PathBuf};

use surefoot::formats;

mod checks;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = corpus().join(target);
    let mut count = 0;
    for entry in fs::read_dir(&folder).expect("the corpus is part of the project") {
        let path = entry.expect("a readable folder").path();
        println!("{}", path.display());
        check(&fs::read(&path).expect("a readable file"));
        count += 1;
    }
    assert!(count >= 6, "only {count} files in {}", folder.display());
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

#[test]
fn benchmark_map() {
    replay("benchmark_map", checks::benchmark_map);
}

#[test]
fn voxel_map() {
    replay("voxel_map", checks::voxel_map);
}

#[test]
fn scenario() {
    replay("scenario", checks::scenario);
}

#[test]
fn text_grid() {
    replay("text_grid", checks::text_grid);
}

#[test]
fn image() {
    replay("image", checks::image);
}

#[test]
fn world_json() {
    replay("world_json", checks::world_json);
}

#[test]
fn scene_json() {
    replay("scene_json", checks::scene_json);
}

/// A file is called `ok-...` if it reads, `bad-...` if it does not.
#[test]
fn names_say_what_reads() {
    for target in ["benchmark_map", "text_grid", "image", "world_json", "scene_json", "scenario"] {
        for entry in fs::read_dir(corpus().join(target)).expect("the corpus is part of the project") {
            let path = entry.expect("a readable folder").path();
            let bytes = fs::read(&path).expect("a readable file");
            let error = match target {
                "scenario" => formats::scenario::read(&bytes).err(),
                "scene_json" => formats::read_scene(&bytes).err(),
                _ => formats::read(&bytes).err(),
            };
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            assert_eq!(name.starts_with("ok-"), error.is_none(), "{target}/{name}: {error:?}");
            assert_eq!(name.starts_with("bad-"), error.is_some(), "{target}/{name}");
        }
    }
}
