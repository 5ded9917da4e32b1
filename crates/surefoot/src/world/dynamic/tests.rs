//! After every frame, the cells are those that voxelising everything from scratch gives.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::obstacle::Rotation;
use crate::space::{Frame, Point};

const SIZE: [u32; 3] = [12, 9, 7];

fn random_shape() -> impl Strategy<Value = Shape> {
    let half = prop::array::uniform3(0.1..2.5);
    prop_oneof![
        2 => half.prop_map(|[x, y, z]| Shape::cuboid(Point::new(x, y, z)).unwrap()),
        1 => (0.2..2.5).prop_map(|radius| Shape::sphere(radius).unwrap()),
        1 => (0.2..1.5, -3.0..3.0)
            .prop_map(|(radius, x)| Shape::capsule(Point::new(x, 1.0, 0.0), Point::new(0.0, 0.0, 2.0), radius).unwrap()),
    ]
}

/// Often in the world, sometimes outside, sometimes turned.
fn random_pose() -> impl Strategy<Value = Pose> {
    let turn = prop_oneof![Just(0.0), -180.0..180.0];
    (-4.0..16.0, -4.0..13.0, -4.0..11.0, turn, -1.0..1.0).prop_map(|(x, y, z, degrees, tilt)| {
        let rotation = Rotation::about(Point::new(tilt, 0.5, 1.0), degrees).unwrap();
        Pose::new(Point::new(x, y, z), rotation).unwrap()
    })
}

#[derive(Clone, Debug)]
enum Step {
    Move(usize, Pose),
    Nudge(usize, f64),
    Switch(usize, bool),
    Static(Voxel, bool),
    Add(Shape, Pose),
}

fn random_cell() -> impl Strategy<Value = Voxel> {
    let [x, y, z] = SIZE.map(|cells| cells as i32);
    (0..x, 0..y, 0..z).prop_map(|(x, y, z)| Voxel::new(x, y, z))
}

fn random_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (any::<usize>(), random_pose()).prop_map(|(id, pose)| Step::Move(id, pose)),
        3 => (any::<usize>(), -0.3..0.3).prop_map(|(id, by)| Step::Nudge(id, by)),
        2 => (any::<usize>(), any::<bool>()).prop_map(|(id, on)| Step::Switch(id, on)),
        1 => (random_cell(), any::<bool>()).prop_map(|(cell, solid)| Step::Static(cell, solid)),
        1 => (random_shape(), random_pose()).prop_map(|(shape, pose)| Step::Add(shape, pose)),
    ]
}

/// Voxelises everything from nothing.
fn expected(world: &DynamicWorld, fixed: &BTreeSet<Voxel>) -> BTreeSet<Voxel> {
    let mut solid = fixed.clone();
    for id in (0..world.obstacle_count() as u32).map(ObstacleId) {
        if world.is_active(id).unwrap() {
            let voxels = world.voxels();
            let mut voxeliser =
                Voxeliser::new(world.shape(id).unwrap(), *voxels.frame(), voxels.size(), world.inflation)
                    .unwrap();
            voxeliser.for_each_run(&world.pose(id).unwrap(), &mut |y, z, xs| {
                solid.extend(xs.map(|x| Voxel::new(x as i32, y as i32, z as i32)));
            });
        }
    }
    solid
}

fn solid_cells(voxels: &Voxels) -> BTreeSet<Voxel> {
    voxels.cells().filter(|&cell| !voxels.is_open(cell)).collect()
}

proptest! {
    #![proptest_config(crate::random_cases::cases(256))]

    #[test]
    fn every_frame_equals_brute_force(
        walls in prop::collection::btree_set(random_cell(), 0..20),
        frames in prop::collection::vec(prop::collection::vec(random_step(), 0..6), 1..12),
        inflation in prop_oneof![Just(0.0), 0.0..1.0],
    ) {
        let mut fixed = walls;
        let mut voxels = Voxels::from_solid(SIZE, fixed.iter().copied()).unwrap();
        voxels.set_frame(Frame::new(Point::new(0.5, -1.0, 0.0), 1.25).unwrap());
        let mut world = DynamicWorld::inflated(voxels, inflation).unwrap();
        for steps in frames {
            for step in steps {
                let some = |id: usize| (world.obstacle_count() > 0).then(|| ObstacleId((id % world.obstacle_count()) as u32));
                match step {
                    Step::Move(id, pose) => if let Some(id) = some(id) {
                        world.set_pose(id, pose).unwrap();
                        prop_assert_eq!(world.pose(id), Ok(pose));
                    },
                    Step::Nudge(id, by) => if let Some(id) = some(id) {
                        let pose = world.pose(id).unwrap();
                        let Point { x, y, z } = pose.position();
                        let moved = Pose::new(Point::new(x + by, y - by, z + by / 2.0), pose.rotation()).unwrap();
                        world.set_pose(id, moved).unwrap();
                    },
                    Step::Switch(id, on) => if let Some(id) = some(id) { world.set_active(id, on).unwrap(); },
                    Step::Static(cell, solid) => {
                        world.set_static(cell, solid).unwrap();
                        if solid { fixed.insert(cell); } else { fixed.remove(&cell); }
                    }
                    Step::Add(shape, pose) => { world.add(shape, pose).unwrap(); }
                }
            }
            let before = solid_cells(world.voxels());
            let start = world.voxels().revision();
            let changes = world.update().to_vec();
            let after = solid_cells(world.voxels());
            prop_assert_eq!(&after, &expected(&world, &fixed));
            let changed: BTreeSet<Voxel> = before.symmetric_difference(&after).copied().collect();
            prop_assert_eq!(changes.len(), changed.len());
            prop_assert!(changes.iter().all(|(cell, solid)| changed.contains(cell) && after.contains(cell) == *solid));
            let journal = world.voxels().journal().since(start).unwrap();
            prop_assert_eq!(journal.len(), changes.len(), "the journal has each change once");
        }
    }
}

/// A cloud of boxes, enough for several threads.
fn crowd(count: u32) -> DynamicWorld {
    let mut world = DynamicWorld::new(Voxels::new(64, 64, 32).unwrap());
    for number in 0..count {
        let part = |factor: u32| f64::from(number * factor % 97) / 97.0;
        let shape = Shape::cuboid(Point::new(0.3 + part(31), 0.3 + part(41), 0.3 + part(59))).unwrap();
        world.add(shape, crowd_pose(number, 0)).unwrap();
    }
    world
}

fn crowd_pose(number: u32, frame: u32) -> Pose {
    let part = |factor: u32| f64::from((number * factor + frame) % 997) / 997.0;
    let rotation = Rotation::about(Point::new(1.0, 2.0, 3.0), f64::from(frame) + 360.0 * part(7)).unwrap();
    Pose::new(Point::new(70.0 * part(577), 70.0 * part(677), 40.0 * part(877)), rotation).unwrap()
}

#[test]
fn many_at_once_are_the_same_as_one_after_the_other() {
    let (mut together, mut apart) = (crowd(1000), crowd(1000));
    for frame in 1..5 {
        for id in (0..1000).map(ObstacleId) {
            together.set_pose(id, crowd_pose(id.0, frame)).unwrap();
            apart.set_pose(id, crowd_pose(id.0, frame)).unwrap();
        }
        // What one thread does.
        apart.obstacles.iter_mut().for_each(Obstacle::voxelise);
        for obstacle in &mut apart.obstacles {
            apart.coverage.replace(&obstacle.runs, &obstacle.next);
            obstacle.runs.clone_from(&obstacle.next);
            obstacle.stale = false;
        }
        let expected: Vec<_> = apart.coverage.changes().collect();
        assert_eq!(together.update(), expected);
        assert!(expected.len() > 100);
    }
}

#[test]
fn wrong_questions_have_answers() {
    let mut world = crowd(2);
    let error = world.set_active(ObstacleId(2), true).unwrap_err().to_string();
    assert_eq!(error, "obstacle 2 does not exist: there are 2, numbered from 0");
    let error = world.set_static(Voxel::new(64, 0, 0), true).unwrap_err().to_string();
    assert_eq!(error, "cell 64,0,0 is outside the world of 64 x 64 x 32");
    let error = DynamicWorld::inflated(Voxels::new(2, 2, 2).unwrap(), -1.0).err().unwrap().to_string();
    assert_eq!(error, "inflation is -1.0, expected a number from 0 to 1e9");
    let ball = Shape::sphere(1.0).unwrap();
    while world.add(ball.clone(), Pose::default()).is_ok() {}
    assert_eq!(world.obstacle_count(), MAX_SOLIDS);
}

#[test]
fn obstacles_reach_farther_by_their_inflation() {
    let mut world = DynamicWorld::inflated(Voxels::new(7, 1, 1).unwrap(), 0.8).unwrap();
    world.add(Shape::sphere(0.4).unwrap(), Pose::at(Point::new(3.5, 0.5, 0.5)).unwrap()).unwrap();
    let solid: Vec<i32> = world.update().iter().map(|(cell, _)| cell.x).collect();
    assert_eq!(solid, [2, 3, 4]);
}
