//! Reads every public benchmark map that is at hand: the folder named by `SUREFOOT_MAPS`, else `../shared/maps`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use surefoot::formats::{self, Format, World, scenario};

use crate::common::maps;

/// The files below a folder with a certain ending, or `None` if there are no maps here.
fn files(ending: &str) -> Option<Vec<PathBuf>> {
    let root = maps();
    let mut found = Vec::new();
    let mut folders = vec![root.join("grid")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    if found.is_empty() {
        println!("SKIPPED: no benchmark maps in {} (set SUREFOOT_MAPS)", root.display());
        return None;
    }
    Some(found)
}

#[test]
fn every_map_reads_and_survives_being_written() {
    for path in files(".map").into_iter().flatten() {
        let bytes = fs::read(&path).expect("a readable file");
        let world = formats::read(&bytes).unwrap_or_else(|error| panic!("{}", error.in_file(path.display())));
        let World::Grid(grid) = &world else { panic!("{} is no grid", path.display()) };
        let cells = bytes.iter().filter(|byte| b".GS@OTW".contains(byte)).count();
        assert_eq!(grid.width() as usize * grid.height() as usize, cells, "{}", path.display());
        let mut formats_of_grids = vec![Format::BenchmarkMap, Format::TextGrid];
        if cfg!(feature = "json") {
            formats_of_grids.push(Format::WorldJson);
        }
        if cfg!(feature = "png") {
            formats_of_grids.push(Format::Png);
        }
        for format in formats_of_grids {
            let written = formats::write(&world, format).expect("every format has floor and walls");
            assert_eq!(Format::sniff(&written), Some(format));
            let World::Grid(again) = formats::read(&written).expect("what was written reads") else {
                panic!("no grid")
            };
            assert!(again.to_terrain() == grid.to_terrain(), "{} as {format}", path.display());
        }
    }
}

#[test]
fn every_scenario_fits_its_map() {
    let mut sizes = BTreeMap::new();
    for path in files(".scen").into_iter().flatten() {
        let queries = scenario::read(&fs::read(&path).expect("a readable file"))
            .unwrap_or_else(|error| panic!("{}", error.in_file(path.display())));
        assert!(!queries.is_empty());
        let map = path.with_extension("");
        let (width, height) = *sizes.entry(map.clone()).or_insert_with(|| {
            match formats::read(&fs::read(&map).expect("a map beside its scenarios")) {
                Ok(World::Grid(grid)) => (grid.width(), grid.height()),
                other => panic!("{}: {other:?}", map.display()),
            }
        });
        for query in queries {
            assert_eq!((query.width, query.height), (width, height), "{}:{}", path.display(), query.line);
        }
    }
}
