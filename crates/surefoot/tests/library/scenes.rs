//! The scene of the thesis from which the demands on moving obstacles come: its cells are those of the published maps, and stay
//! right while everything moves. The scene is not part of the project: `SUREFOOT_MAPS` names the folder, else `../shared/maps`.

use std::fs;

use surefoot::formats::box_scene::{self, GoalMotion};
use surefoot::formats::{read_scene, scene_json, voxel_map};
use surefoot::obstacle::{Kind, Voxeliser};
use surefoot::scene::Scene;
use surefoot::space::{Point, Voxel};
use surefoot::world::voxels::Voxels;

use crate::common::{maps, scaled};

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
    let mut scene = read_scene(&scene).expect("a scene");
    assert_eq!((scene.size, scene.fixtures.len(), scene.obstacles.len()), ([64, 56, 16], 44, 16));
    assert_eq!(scene_json::read(scene_json::write(&scene).as_bytes()).as_ref(), Ok(&scene));
    // The published maps are without the balls.
    scene.fixtures.retain(|fixture| matches!(fixture.shape.kind(), Kind::Cuboid { .. }));
    assert_eq!(scene.fixtures.len(), 41);
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

/// What `docs/formats.md` says of facts that the file leaves out.
#[test]
fn facts_that_the_file_leaves_out_are_added() {
    let Some(bytes) = bytes("scene.json") else { return };
    let [up, sideways] = [GoalMotion::Vertical, GoalMotion::Sideways]
        .map(|motion| box_scene::read_with(&bytes, motion).expect("a scene"));
    assert_eq!(
        (up.walker.radius, up.walker.speed, up.goal.position),
        (0.45, 4.0, Point::new(57.1, -4.0, -1.7))
    );
    let range = |scene: &Scene, part: fn(Point) -> f64| {
        let places = (0..3600).map(|tick| part(scene.goal.position_at(tick)));
        places.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], at| [least.min(at), most.max(at)])
    };
    let is_near = |found: [f64; 2], least: f64, most: f64| {
        (found[0] - least).abs() < 0.05 && (found[1] - most).abs() < 0.05
    };
    assert!(is_near(range(&up, |at| at.y), -4.0, 19.49) && is_near(range(&up, |at| at.z), -1.7, -1.7));
    assert!(
        is_near(range(&sideways, |at| at.z), -4.25, 2.5) && is_near(range(&sideways, |at| at.y), -4.0, -4.0)
    );
    let step = up.goal.position_at(100).distance(up.goal.position_at(160));
    assert!((step - 2.0).abs() < 1e-9, "2 units per second, not {step}");
    let balls: Vec<f64> = up
        .fixtures
        .iter()
        .filter_map(|fixture| match fixture.shape.kind() {
            Kind::Sphere { radius } => Some(2.0 * radius),
            _ => None,
        })
        .collect();
    assert_eq!(balls, [6.594_331; 3]);
    let switches: Vec<_> = up.obstacles.iter().filter_map(|mover| mover.switch).collect();
    assert_eq!(switches.iter().map(surefoot::scene::Switch::every).collect::<Vec<_>>(), [420, 180, 300]);
    assert_eq!(
        switches.iter().map(|switch| switch.room().is_some()).collect::<Vec<_>>(),
        [true, true, false]
    );
}

/// `SUREFOOT_CASES=50` runs 10,000 frames.
#[test]
fn every_frame_equals_brute_force() {
    let Some(scene) = bytes("scene.json") else { return };
    let scene = read_scene(&scene).expect("a scene");
    let frames = u64::from(scaled(200));
    let mut world = scene.world().expect("a small world");
    let mut changed = 0;
    // A prime number of ticks apart, so that a short run sees all of the motion, too.
    let stride = if frames < 10_000 { 17 } else { 1 };
    for frame in 1..=frames {
        let tick = frame * stride;
        scene.show(&mut world, tick).expect("a world of this scene");
        changed += world.changes().len() as u64;
        assert!(solid(world.voxels()) == brute_force(&scene, tick), "tick {tick}");
    }
    assert!(changed > 5 * frames, "{changed} changes");
}
