use std::fmt::Write as _;

use super::*;
use crate::digest::Digest;
use crate::obstacle::Rotation;

/// A layer of a world as text.
fn layer(world: &DynamicWorld, z: i32) -> String {
    let [x, y, _] = world.voxels().size().map(|cells| cells as i32);
    (0..y).fold(String::new(), |mut text, row| {
        let cell = |column| if world.voxels().is_open(Voxel::new(column, row, z)) { '.' } else { '#' };
        writeln!(text, "{}", (0..x).map(cell).collect::<String>()).unwrap();
        text
    })
}

fn bar(name: &str, half: [f64; 3], at: [f64; 3]) -> Mover {
    let shape = Shape::cuboid(Point::new(half[0], half[1], half[2])).unwrap();
    Mover::at_rest(name, shape, Pose::at(Point::new(at[0], at[1], at[2])).unwrap())
}

#[test]
fn things_turn_and_switch_while_others_stay() {
    let mut scene = Scene::new([7, 5, 1]);
    let wall = Shape::cuboid(Point::new(0.5, 0.5, 0.5)).unwrap();
    scene.fixtures.push(Fixture {
        name: "wall".into(),
        shape: wall,
        pose: Pose::at(Point::new(0.5, 0.5, 0.5)).unwrap(),
    });
    let mut turnstile = bar("turnstile", [1.5, 0.5, 0.5], [2.5, 2.5, 0.5]);
    turnstile.turn = Some(Turn::new(Point::new(0.0, 0.0, 1.0), 90.0).unwrap());
    let mut light = bar("light", [0.5, 2.5, 0.5], [5.5, 2.5, 0.5]);
    light.switch = Some(Switch::new(30, false).unwrap());
    scene.obstacles = vec![turnstile, light];
    let mut world = scene.world().unwrap();
    assert_eq!(layer(&world, 0), "#......\n.......\n.###...\n.......\n.......\n");
    scene.show(&mut world, 60).unwrap();
    assert_eq!(layer(&world, 0), "#......\n..#....\n..#....\n..#....\n.......\n", "off again, and turned");
    scene.show(&mut world, 30).unwrap();
    assert_eq!(layer(&world, 0).lines().next(), Some("#....#."), "any tick can be shown");
}

#[test]
fn what_never_moves_lies_in_the_frame_of_the_scene() {
    let mut scene = Scene::new([4, 3, 2]);
    scene.frame = Frame::new(Point::new(10.0, 0.0, -2.0), 2.0).unwrap();
    let Mover { name, shape, pose, .. } = bar("beam", [2.0, 1.0, 1.0], [14.0, 3.0, 1.0]);
    scene.fixtures.push(Fixture { name, shape, pose });
    let world = scene.world().unwrap();
    assert_eq!(layer(&world, 0), "....\n....\n....\n");
    assert_eq!(layer(&world, 1), "....\n.##.\n....\n");
    assert_eq!(*world.voxels().frame(), scene.frame);
}

#[test]
fn a_mover_turns_on_its_way() {
    let mut mover = bar("lift", [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]);
    let frame = |tick, z| Keyframe { tick, position: Point::new(0.0, 0.0, z), rotation: None };
    mover.travel =
        Some(Travel::Keyframes(Keyframes::new(vec![frame(0, 0.0), frame(120, 4.0)], false).unwrap()));
    mover.turn = Some(Turn::new(Point::new(0.0, 0.0, 1.0), 45.0).unwrap());
    let pose = mover.pose_at(60);
    assert_eq!(pose.position(), Point::new(0.0, 0.0, 2.0));
    let expected = Rotation::about(Point::new(0.0, 0.0, 1.0), 45.0).unwrap();
    assert!(
        pose.rotation().turn(Point::flat(1.0, 0.0)).distance(expected.turn(Point::flat(1.0, 0.0))) < 1e-15
    );
}

#[test]
fn goals_move_too() {
    let patrol = Patrol::new(vec![Point::flat(4.0, 0.0), Point::flat(0.0, 0.0)], 1.0, false).unwrap();
    let goal = Goal { position: Point::flat(4.0, 0.0), travel: Some(Travel::Patrol(patrol)) };
    assert_eq!(goal.position_at(180), Point::flat(1.0, 0.0));
}

#[test]
fn scenes_too_large_are_refused_before_memory_is() {
    let error = Scene::new([4096, 4096, 4096]).world().err().unwrap().to_string();
    assert!(error.starts_with("size 4096 x 4096 x 4096 is out of range"), "{error}");
    assert!(Scene::new([0, 4, 4]).world().is_err());
}

/// The number is the same on every machine, in every build.
#[test]
fn every_machine_sees_the_same_cells() {
    let mut scene = Scene::new([24, 20, 16]);
    scene.frame = Frame::new(Point::new(-3.0, 0.7, 0.1), 0.9).unwrap();
    let shapes = [
        Shape::cuboid(Point::new(3.0, 0.4, 2.0)).unwrap(),
        Shape::sphere(2.2).unwrap(),
        Shape::capsule(Point::new(-2.0, 0.0, 1.0), Point::new(2.5, 1.0, 0.0), 0.8).unwrap(),
    ];
    for (number, shape) in (0..).zip(shapes.iter().cycle().take(12)) {
        let at = |factor: f64| (f64::from(number) * factor).fract();
        let place = |a: f64, b: f64, c: f64| Point::new(20.0 * at(a), 18.0 * at(b), 14.0 * at(c));
        let rotation = Rotation::about(Point::new(at(0.3), 1.0, at(0.7)), 77.0 * f64::from(number)).unwrap();
        let pose = Pose::new(place(0.37, 0.61, 0.73), rotation).unwrap();
        let mut mover = Mover::at_rest("", shape.clone(), pose);
        let patrol = Patrol::new(vec![place(0.41, 0.13, 0.29), place(0.91, 0.53, 0.17)], 1.7, false).unwrap();
        mover.travel = Some(Travel::Patrol(patrol));
        mover.turn = Some(Turn::new(Point::new(1.0, at(0.2), 0.5), 31.0).unwrap());
        scene.obstacles.push(mover);
    }
    let mut world = scene.world().unwrap();
    let mut digest = Digest::default();
    for tick in 1..400 {
        scene.show(&mut world, tick).unwrap();
        let mut changes = world.changes().to_vec();
        changes.sort_unstable();
        for (cell, solid) in changes {
            for word in [cell.x, cell.y, cell.z, i32::from(solid)] {
                digest.word(word as u64);
            }
        }
    }
    assert_eq!(digest.finish(), 8_201_652_751_035_144_465);
}

/// A door that waits for agents, against its rule: it is closed if it is due and was closed before, or no agent is in its room.
#[test]
fn doors_do_not_close_on_agents() {
    let mut scene = Scene::new([12, 12, 4]);
    let turned = Rotation::about(Point::new(0.0, 0.0, 1.0), 30.0).unwrap();
    let pose = Pose::new(Point::new(6.0, 6.0, 2.0), turned).unwrap();
    let door = Mover::at_rest("door", Shape::cuboid(Point::new(1.0, 0.5, 2.0)).unwrap(), pose);
    let room = Point::new(2.0, 1.5, 3.0);
    let switch = Switch::new(20, true).unwrap().with_room(room).unwrap();
    scene.obstacles.push(Mover { switch: Some(switch), ..door });
    let mut world = scene.world().unwrap();
    let (mut was_closed, mut waited) = (true, 0);
    for tick in 0..2000 {
        let angle = Rotation::about(Point::new(0.0, 0.0, 1.0), tick as f64 * 1.7).unwrap();
        let out = angle.turn(Point::new((tick % 97) as f64 / 24.0, 0.0, 0.0));
        let agent = Point::new(6.0 + out.x, 6.0 + out.y, 2.0);
        scene.show_around(&mut world, tick, agent).unwrap();
        // The inverse rotation.
        let local = Rotation::about(Point::new(0.0, 0.0, 1.0), -30.0).unwrap().turn(out);
        let is_inside = local.x.abs() <= room.x && local.y.abs() <= room.y;
        let is_due = (tick / 20) % 2 == 0;
        let expected = is_due && (was_closed || !is_inside);
        waited += u32::from(is_due && !expected);
        was_closed = world.is_active(ObstacleId(0)).unwrap();
        assert_eq!(was_closed, expected, "tick {tick}");
    }
    assert!(waited > 50, "{waited}");
    assert!(Switch::new(20, true).unwrap().with_room(Point::new(1.0, -1.0, 1.0)).is_err());
}

/// Between two ticks a pose lies between theirs, and at the ticks it is theirs.
#[test]
fn poses_between_ticks_lie_between() {
    let bus = Mover::at_rest("bus", Shape::sphere(1.0).unwrap(), Pose::default());
    let stops = vec![Point::flat(3.0, 0.0), Point::flat(3.0, 9.0)];
    let frame = |tick, x| Keyframe { tick, position: Point::flat(x, 0.0), rotation: None };
    let movers = [
        Mover { travel: Some(Travel::Patrol(Patrol::new(stops, 5.0, false).unwrap())), ..bus.clone() },
        Mover {
            travel: Some(Travel::Keyframes(
                Keyframes::new(vec![frame(0, 0.0), frame(7, 4.0)], true).unwrap(),
            )),
            turn: Some(Turn::new(Point::new(0.0, 0.0, 1.0), 90.0).unwrap()),
            ..bus
        },
    ];
    for mover in &movers {
        for tick in 0..500 {
            assert_eq!(mover.pose_after(tick, 0.0), mover.pose_at(tick));
            let [from, to] = [tick, tick + 1].map(|tick| mover.pose_at(tick).position());
            let between = mover.pose_after(tick, 0.5).position();
            // A corner of a patrol, or the start of a new round, may lie between.
            let is_straight = between.distance(from.toward(to, 0.5)) < 1e-9;
            assert!(
                is_straight || (tick + 1) % 7 == 0 || between.distance(from) <= 5.0 / 120.0 + 1e-9,
                "{tick}"
            );
            let turned = mover.pose_after(tick, 0.5).rotation().turn(Point::flat(1.0, 0.0));
            let middle =
                [tick, tick + 1].map(|tick| mover.pose_at(tick).rotation().turn(Point::flat(1.0, 0.0)));
            assert!(turned.distance(middle[0].toward(middle[1], 0.5)) < 1e-3);
        }
    }
}
