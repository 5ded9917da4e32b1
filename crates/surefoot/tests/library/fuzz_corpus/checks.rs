//! What must hold for any bytes: reading does not panic, and what reads can be written and reads back equal. Called by the
//! fuzz targets and, over the corpus, by an ordinary test.

#![allow(dead_code)] // Each fuzz target calls one of these.

use surefoot::formats::image::Palette;
use surefoot::formats::{
    FormatError, World, benchmark_map, image, read_scene, scenario, scenario_in_space, scene_json, text_grid,
    voxel_map, world_json,
};
use surefoot::world::grid::Grid;

/// Maps larger than this are read but not written: a small file can stand for a large map.
const MOST_CELLS: u64 = 1 << 20;

pub fn benchmark_map(bytes: &[u8]) {
    grid(bytes, benchmark_map::read, benchmark_map::write);
}

pub fn text_grid(bytes: &[u8]) {
    grid(bytes, text_grid::read, text_grid::write);
}

pub fn image(bytes: &[u8]) {
    let palette = Palette::default();
    grid(bytes, |bytes| image::read(bytes, &palette), |grid| image::write(grid, &palette));
}

pub fn scenario(bytes: &[u8]) {
    if let Ok(mut queries) = scenario::read(bytes) {
        let again = scenario::read(scenario::write(&queries).as_bytes()).expect("what was written reads");
        // Empty lines are not written.
        for (line, query) in (2..).zip(&mut queries) {
            query.line = line;
        }
        assert_eq!(again, queries);
    }
}

pub fn world_json(bytes: &[u8]) {
    match world_json::read(bytes) {
        Ok(World::Grid(grid)) if small(&grid) => {
            let World::Grid(again) = rewritten(&World::Grid(grid.clone())) else {
                panic!("a grid became a graph")
            };
            assert_same(&grid, &again);
        }
        Ok(World::Graph(graph)) => {
            let World::Graph(again) = rewritten(&World::Graph(graph.clone())) else {
                panic!("a graph became a grid")
            };
            assert_eq!(graph.positions(), again.positions());
            assert_eq!(graph.edges(), again.edges());
        }
        Ok(world @ World::Voxels(_)) => assert_eq!(world.digest(), rewritten(&world).digest()),
        Ok(_) | Err(_) => {}
    }
}

pub fn voxel_map(bytes: &[u8]) {
    match voxel_map::read(bytes) {
        Ok(voxels) if voxels.size().into_iter().map(u64::from).product::<u64>() <= MOST_CELLS => {
            let written = voxel_map::write(&voxels);
            let again = voxel_map::read(&written).expect("what was written reads");
            assert_eq!((voxels.size(), written), (again.size(), voxel_map::write(&again)));
        }
        Ok(_) => {}
        Err(error) => assert!(error.to_string().len() < 400, "a message as long as the file: {error}"),
    }
    if let Err(error) = scenario_in_space::read(bytes) {
        assert!(error.to_string().len() < 400, "a message as long as the file: {error}");
    }
}

pub fn scene_json(bytes: &[u8]) {
    match read_scene(bytes) {
        Ok(scene) => {
            let again = scene_json::read(scene_json::write(&scene).as_bytes());
            assert_eq!(again.as_ref(), Ok(&scene), "what was written reads");
            let cells: u64 = scene.size.into_iter().map(u64::from).product();
            if cells <= 1 << 12 && scene.fixtures.len() + scene.obstacles.len() <= 64 {
                let mut world = scene.world().expect("what reads can be built");
                for tick in [1, 59, 1 << 20, u64::MAX] {
                    scene.show(&mut world, tick).expect("obstacles of this scene");
                }
            }
        }
        Err(error) => assert!(error.to_string().len() < 400, "a message as long as the file: {error}"),
    }
}

fn rewritten(world: &World) -> World {
    let text = world_json::write(world).expect("what reads can be written");
    world_json::read(text.as_bytes()).expect("what was written reads")
}

fn grid(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<Grid, FormatError>,
    write: impl Fn(&Grid) -> Result<Vec<u8>, FormatError>,
) {
    match read(bytes) {
        Ok(grid) if small(&grid) => {
            let written = write(&grid).expect("what reads can be written");
            assert_same(&grid, &read(&written).expect("what was written reads"));
        }
        Ok(_) => {}
        Err(error) => assert!(error.to_string().len() < 400, "a message as long as the file: {error}"),
    }
}

fn small(grid: &Grid) -> bool {
    u64::from(grid.width()) * u64::from(grid.height()) <= MOST_CELLS
}

fn assert_same(one: &Grid, other: &Grid) {
    assert_eq!((one.width(), one.height()), (other.width(), other.height()));
    assert_eq!(one.to_terrain(), other.to_terrain());
    assert_eq!(one.frame(), other.frame());
    assert_eq!(one.links(), other.links());
}
