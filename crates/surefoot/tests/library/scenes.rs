//! The scene of the thesis from which the demands on moving obstacles come: its cells are those of the published maps, and stay
//! right while everything moves. The scene is not part of the project: `SUREFOOT_MAPS` names the folder, else `../shared/maps`.

use std::fs;

use surefoot::formats::{read_scene, scene_json, voxel_map};
use surefoot::obstacle::Voxeliser;
use surefoot::scene::Scene;
use surefoot::space::Voxel;
use surefoot::world::voxels::Voxels;

use crate::common::maps;

/// The bytes of a file of the scene, or `None` if it is not at hand.
fn bytes(name: &str) -> Option<Vec<u8>> {
    let path = maps().join("krafft").join(name);
    let found = fs::read(&path).ok();
    if found.is_none() {
        println!("SKIPPED: no {} (set SUREFOOT_MAPS)", path.display());
    }
    found
}

fn solid(voxels: &Voxels) -> Vec<Voxel> {
    voxels.cells().filter(|&cell| !voxels.is_open(cell)).collect()
}

/// The solid cells at a tick, from nothing.
fn brute_force(scene: &Scene, tick: u64) -> Vec<Voxel> {
    let mut voxels = scene.fixed_cells().expect("a small world");
    for mover in scene.obstacles.iter().filter(|mover| mover.is_active_at(tick)) {
        let mut voxeliser = Voxeliser::new(&mover.shape, scene.frame, scene.size, 0.0).expect("a shape");
        let mut cells = Vec::new();
        voxeliser.for_each_run(&mover.pose_at(tick), &mut |y, z, xs| {
            cells.extend(xs.map(|x| (Voxel::new(x as i32, y as i32, z as i32), true)));
        });
        voxels.set_many(cells).expect("cells of the world");
    }
    solid(&voxels)
}

#[test]
fn cells_are_those_of_the_published_maps() {
    let Some(scene) = bytes("scene.json") else { return };
    let scene = read_scene(&scene).expect("a scene");
    assert_eq!((scene.size, scene.fixtures.len(), scene.obstacles.len()), ([64, 56, 16], 41, 16));
    assert_eq!(scene_json::read(scene_json::write(&scene).as_bytes()).as_ref(), Ok(&scene));
    let world = scene.world().expect("a small world");
    let maps = [
        ("thesis_static.3dmap", scene.fixed_cells().expect("a small world")),
        ("thesis_t0.3dmap", world.voxels().clone()),
    ];
    for (name, ours) in maps {
        let Some(map) = bytes(name) else { continue };
        let map = solid(&voxel_map::read(&map).expect("a map"));
        let ours = solid(&ours);
        let extra: Vec<_> = ours.iter().filter(|cell| !map.contains(cell)).collect();
        let missing: Vec<_> = map.iter().filter(|cell| !ours.contains(cell)).collect();
        assert!(
            extra.is_empty() && missing.is_empty(),
            "{name} of {} cells: {extra:?} too many, {missing:?} missing",
            map.len()
        );
    }
}

/// `SUREFOOT_CASES=50` runs 10,000 frames.
#[test]
fn every_frame_equals_brute_force() {
    let Some(scene) = bytes("scene.json") else { return };
    let scene = read_scene(&scene).expect("a scene");
    let factor: u64 = std::env::var("SUREFOOT_CASES").map_or(1, |factor| factor.parse().expect("a number"));
    let mut world = scene.world().expect("a small world");
    let mut changed = 0;
    // A prime number of ticks apart, so that a short run sees all of the motion, too.
    let stride = if factor < 50 { 17 } else { 1 };
    for frame in 1..=200 * factor {
        let tick = frame * stride;
        scene.show(&mut world, tick).expect("a world of this scene");
        changed += world.changes().len();
        assert!(solid(world.voxels()) == brute_force(&scene, tick), "tick {tick}");
    }
    assert!(changed > 1000, "{changed} changes");
}
