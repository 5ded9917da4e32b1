use proptest::prelude::*;

use super::*;

const HEAD: &str = r#"{"surefoot": "scene", "version": 1, "size": [4, 5, 6], "start": [0, 0, 0],"#;

fn with(fields: &str) -> String {
    format!("{HEAD} \"goal\": {{\"position\": [1, 1, 1]}},\n{fields}}}")
}

fn message(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn it_is_written_for_people() {
    let text = with(
        r#""static": [{"name": "floor \"A\"", "box": [2, 2.5, 0.5], "position": [2, 2.5, 0.5]}],
        "obstacles": [
            {"sphere": 0.5, "position": [1, 1, 1], "patrol": {"points": [[1, 1, 1], [3, 1, 1]], "speed": 2}},
            {"box": [1, 0.2, 0.2], "position": [2, 2, 2], "turn": {"axis": [0, 0, 1], "degrees_per_second": -8},
             "switch": {"every": 0.5}}]"#,
    );
    let scene = read(text.as_bytes()).unwrap();
    let expected = r#"{
  "surefoot": "scene",
  "version": 1,
  "size": [4,5,6],
  "origin": [0.0,0.0,0.0],
  "cell_size": 1.0,
  "agent": {"radius":0.0,"speed":1.0},
  "start": [0.0,0.0,0.0],
  "goal": {"position":[1.0,1.0,1.0]},
  "static": [
    {"name":"floor \"A\"","box":[2.0,2.5,0.5],"position":[2.0,2.5,0.5]}
  ],
  "obstacles": [
    {"sphere":0.5,"position":[1.0,1.0,1.0],"patrol":{"points":[[1.0,1.0,1.0],[3.0,1.0,1.0]],"speed":2.0}},
    {"box":[1.0,0.2,0.2],"position":[2.0,2.0,2.0],"turn":{"axis":[0.0,0.0,1.0],"degrees_per_second":-8.0},"switch":{"every":0.5,"on":true}}
  ]
}
"#;
    assert_eq!(write(&scene), expected);
    assert_eq!(read(expected.as_bytes()), Ok(scene));
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        (
            with(r#""static": [{"position": [0, 0, 0]}]"#),
            "static[0]: found no shape, expected `box`, `sphere`, `capsule` or `polyhedron`",
        ),
        (
            with(r#""static": [{"sphere": 1, "box": [1, 1, 1], "position": [0, 0, 0]}]"#),
            "static[0]: found several shapes, expected one of `box`, `sphere`, `capsule` and `polyhedron`",
        ),
        (
            with(r#""static": [{"sphere": 1, "position": [0, 0, 0], "switch": {"every": 1}}]"#),
            "static[0]: found `switch`, expected only fields of a static shape",
        ),
        (
            with(
                r#""static": [{"sphere": 1, "position": [0, 0, 0], "patrol": {"points": [[0, 0, 0]], "speed": 1}}]"#,
            ),
            "static[0]: found `patrol`, expected only fields of a static shape",
        ),
        (
            with(r#""obstacles": [{"sphere": -1, "position": [0, 0, 0]}]"#),
            "obstacles[0]: radius is -1.0, expected a number from 0.000000001 to 1e9",
        ),
        (
            with(r#""obstacles": [{"sphere": 1, "position": [0, 0, 1e10]}]"#),
            "obstacles[0]: found position [0.0, 0.0, 10000000000.0], expected coordinates from -1e9 to 1e9",
        ),
        (
            with(r#""obstacles": [{"sphere": 1, "position": [0, 0, 0], "rotation": [0, 0, 0, 0]}]"#),
            "obstacles[0]: found rotation [0.0, 0.0, 0.0, 0.0], expected the four numbers of a unit quaternion, x, y, z, w",
        ),
        (
            with(r#""obstacles": [{"sphere": 1, "position": [0, 0, 0], "switch": {"every": 0}}]"#),
            "obstacles[0]: a switch interval of 0 ticks, expected 1 to 4294967296",
        ),
        (
            with(
                r#""obstacles": [{"sphere": 1, "position": [0, 0, 0], "patrol": {"points": [], "speed": 1}}]"#,
            ),
            "obstacles[0]: 0 points, expected 1 to 65536",
        ),
        (
            with(
                r#""obstacles": [{"sphere": 1, "position": [0, 0, 0], "keyframes": {"frames": [{"t": -1, "position": [0, 0, 0]}]}}]"#,
            ),
            "obstacles[0]: found `t` -1.0, expected seconds from 0 to 71582788.26666667",
        ),
        (
            with(r#""cell_size": 0"#),
            "found cell size 0.0 at 0.0, 0.0, 0.0, expected a cell size from 1e-6 to 1e6 and an origin within 1e9",
        ),
        (
            with(r#""cell_size": 1e7"#),
            "found cell size 10000000.0 at 0.0, 0.0, 0.0, expected a cell size from 1e-6 to 1e6 and an origin within 1e9",
        ),
        (with(r#""agent": {"speed": -4}"#), "found agent: speed -4.0, expected a number from 0 to 1e6"),
        (
            with(r#""walls": []"#),
            "line 2, column 7: unknown field `walls`, expected one of `surefoot`, `version`, `size`, `origin`, `cell_size`, `agent`, `start`, `goal`, `static`, `obstacles`",
        ),
        (
            with(r#""static": [{"box": [1, 1], "position": [0, 0, 0]}]"#),
            "line 2, column 25: invalid length 2, expected an array of length 3",
        ),
        (
            HEAD.to_owned(),
            "line 1, column 74: found the end of the file, expected the rest of the scene (EOF while parsing a value)",
        ),
        (
            HEAD.replace("\"version\": 1", "\"version\": 2") + "\"more\": 1}",
            "found version 2, expected version 1",
        ),
        (
            with("\"static\": []").replace("\"version\": 1", "\"version\": 2"),
            "found version 2, expected version 1",
        ),
        (
            with("\"static\": []").replace("[4, 5, 6]", "[4, 5, 5000]"),
            "size 4 x 5 x 5000 is out of range: a world has 1 to 4096 cells along each axis and at most 268435456 in all",
        ),
        (r#"{"surefoot": "world"}"#.into(), "found a world, expected a scene"),
    ];
    for (text, expected) in cases {
        assert_eq!(message(&text), expected, "{text}");
    }
}

#[test]
fn so_many_shapes_and_no_more() {
    assert_eq!(check_counts(MAX_FIXTURES, MAX_SOLIDS), Ok(()));
    let message = |fixtures, obstacles| check_counts(fixtures, obstacles).unwrap_err().to_string();
    assert_eq!(message(MAX_FIXTURES + 1, 0), "found 1048577 static shapes, expected at most 1048576");
    assert_eq!(message(0, MAX_SOLIDS + 1), "found 16384 obstacles, expected at most 16383");
}

#[cfg(not(feature = "hulls"))]
#[test]
fn polyhedra_need_faces() {
    let text = with(r#""static": [{"polyhedron": {"points": []}, "position": [0, 0, 0]}]"#);
    assert_eq!(
        message(&text),
        "static[0]: found no `faces`, expected the faces, or a build with the feature `hulls`"
    );
}

fn any_point() -> impl Strategy<Value = Point> {
    prop::array::uniform3(-1e3..1e3).prop_map(point)
}

fn any_rotation() -> impl Strategy<Value = Rotation> {
    let numbers =
        prop::array::uniform4(-1.0..1.0).prop_filter_map("zero", |[x, y, z, w]| Rotation::new(x, y, z, w));
    let angle =
        (any_point(), -1e4..1e4).prop_filter_map("no axis", |(axis, angle)| Rotation::about(axis, angle));
    prop_oneof![Just(Rotation::NONE), numbers, angle]
}

fn any_pose() -> impl Strategy<Value = Pose> {
    (any_point(), any_rotation()).prop_map(|(position, rotation)| Pose::new(position, rotation).unwrap())
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let faces: [&[u32]; 4] = [&[0, 2, 1], &[0, 1, 3], &[0, 3, 2], &[1, 2, 3]];
    prop_oneof![
        prop::array::uniform3(0.0..9.0).prop_map(|half| Shape::cuboid(point(half)).unwrap()),
        (0.1..9.0).prop_map(|radius| Shape::sphere(radius).unwrap()),
        (any_point(), any_point(), 0.1..9.0)
            .prop_map(|(from, to, radius)| Shape::capsule(from, to, radius).unwrap()),
        prop::array::uniform3(0.1..9.0).prop_map(move |[x, y, z]| {
            let corners = [[0.0; 3], [x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]].map(point);
            Shape::polyhedron(&corners, &faces).unwrap()
        }),
    ]
}

fn any_travel() -> impl Strategy<Value = Travel> {
    let patrol = (prop::collection::vec(any_point(), 1..4), 0.0..9.0, any::<bool>())
        .prop_map(|(points, speed, circle)| Travel::Patrol(Patrol::new(points, speed, circle).unwrap()));
    let frames =
        prop::collection::btree_map(0..10_000_u64, (any_point(), prop::option::of(any_rotation())), 1..4);
    let keyframes = (frames, any::<bool>()).prop_map(|(frames, repeat)| {
        let frames =
            frames.into_iter().map(|(tick, (position, rotation))| Keyframe { tick, position, rotation });
        Travel::Keyframes(Keyframes::new(frames.collect(), repeat).unwrap())
    });
    prop_oneof![patrol, keyframes]
}

fn any_mover() -> impl Strategy<Value = Mover> {
    let turn =
        (any_point(), -99.0..99.0).prop_filter_map("no axis", |(axis, speed)| Turn::new(axis, speed).ok());
    let switch = (1..10_000_u64, any::<bool>()).prop_map(|(every, on)| Switch::new(every, on).unwrap());
    let motion = (prop::option::of(any_travel()), prop::option::of(turn), prop::option::of(switch));
    (".{0,5}", any_shape(), any_pose(), motion).prop_map(|(name, shape, pose, (travel, turn, switch))| {
        Mover { name, shape, pose, travel, turn, switch }
    })
}

fn any_scene() -> impl Strategy<Value = Scene> {
    let fixture =
        (".{0,5}", any_shape(), any_pose()).prop_map(|(name, shape, pose)| Fixture { name, shape, pose });
    let goal = (any_point(), prop::option::of(any_travel()))
        .prop_map(|(position, travel)| Goal { position, travel });
    let frame =
        (any_point(), 1e-3..1e3).prop_map(|(origin, cell_size)| Frame::new(origin, cell_size).unwrap());
    let walker = (0.0..9.0, 0.0..9.0).prop_map(|(radius, speed)| Walker { radius, speed });
    let shapes = (prop::collection::vec(fixture, 0..4), prop::collection::vec(any_mover(), 0..4));
    (prop::array::uniform3(1..600_u32), frame, shapes, walker, any_point(), goal).prop_map(
        |(size, frame, (fixtures, obstacles), walker, start, goal)| Scene {
            size,
            frame,
            fixtures,
            obstacles,
            walker,
            start,
            goal,
        },
    )
}

proptest! {
    #![proptest_config(crate::random_cases::cases(256))]

    #[test]
    fn what_was_written_reads_back(scene in any_scene()) {
        prop_assert_eq!(read(write(&scene).as_bytes()), Ok(scene));
    }
}
