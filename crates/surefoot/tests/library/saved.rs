//! Values and worlds in serde: in a format for people (JSON) and in one that does not describe itself (postcard).

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::search::{Queue, Stats};
use surefoot::world::any::{World, WorldKind};
use surefoot::world::waypoints::{Edge, EdgeId};

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::worlds::{self, GridWorld, agent, grid_world};

/// The value after it was written and read, once as text and once as bytes.
fn reread<T: Serialize + DeserializeOwned>(value: &T) -> [T; 2] {
    let text = serde_json::to_string(value).unwrap();
    let bytes = postcard::to_stdvec(value).unwrap();
    [serde_json::from_str(&text).unwrap(), postcard::from_bytes(&bytes).unwrap()]
}

fn survives<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T) -> Result<(), TestCaseError> {
    for again in reread(value) {
        prop_assert_eq!(&again, value);
    }
    Ok(())
}

fn number() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
}

fn point() -> impl Strategy<Value = Point> {
    [number(), number(), number()].prop_map(Point::from)
}

fn frame() -> impl Strategy<Value = Frame> {
    (point(), 1e-9..1e9_f64).prop_map(|(origin, size)| Frame::new(origin, size).unwrap())
}

fn heuristic() -> impl Strategy<Value = Heuristic> {
    let weight = || 0.0..=Heuristic::MAX_WEIGHT;
    prop_oneof![
        select(&Heuristic::ALL[..]),
        (weight(), weight()).prop_map(|(straight, diagonal)| Heuristic::Custom { straight, diagonal }),
    ]
}

const REASONS: [Why; 15] = [
    Why::StartOutside,
    Why::GoalOutside,
    Why::NoGoals,
    Why::WrongPlace,
    Why::StartBlocked,
    Why::StartTooNarrow,
    Why::GoalBlocked,
    Why::Disconnected,
    Why::OneWay,
    Why::TooNarrow,
    Why::Budget,
    Why::CostOverflow,
    Why::NotApplicable,
    Why::NotPrepared,
    Why::WorldChanged,
];

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn places_survive(cell: [i32; 2], voxel: [i32; 3], node: u32, point in point(), frame in frame()) {
        let (cell, voxel, node) = (Cell::from(cell), Voxel::from(voxel), NodeId(node));
        survives(&cell)?;
        survives(&voxel)?;
        survives(&node)?;
        survives(&point)?;
        survives(&frame)?;
        for place in [cell.into(), voxel.into(), node.into(), point.into()] {
            survives::<Place>(&place)?;
        }
    }

    #[test]
    fn costs_and_edges_survive(units: u64, cost in 1..=u64::from(u32::MAX), ends: [u32; 2], terrain: u8, is_link: bool) {
        survives(&Cost::from_units(units))?;
        survives(&Terrain::new(terrain))?;
        let ([from, to], cost) = (ends.map(NodeId), Cost::from_units(cost));
        survives(&Link { from, to, cost })?;
        survives(&Edge { from, to, cost, kind: if is_link { EdgeKind::Link } else { EdgeKind::Road } })?;
        survives(&EdgeId(ends[0]))?;
    }

    #[test]
    fn agents_and_options_survive(
        agent in agent(),
        metric in (Metric::MIN..=Metric::MAX, 0.0..1.0),
        heuristic in proptest::option::of(heuristic()),
        weight in proptest::option::of(1.0..=1000.0),
        queue in proptest::option::of(select(&Queue::ALL[..])),
    ) {
        let (straight, more) = metric;
        let metric = Metric::new(straight, straight + more * (Metric::MAX - straight)).unwrap();
        survives(&agent.with_metric(metric))?;
        survives(&Options { heuristic, weight, queue })?;
    }

    #[test]
    fn results_survive(counts in vec(any::<u64>(), 5), why in select(&REASONS[..])) {
        for outcome in [Outcome::Found, Outcome::Paused, Outcome::Unreachable(why), Outcome::Partial(why)] {
            survives(&outcome)?;
        }
        let mut stats = Stats::default();
        [stats.expanded, stats.generated, stats.reopened, stats.peak_open, stats.scratch_bytes] =
            counts.try_into().unwrap();
        survives(&stats)?;
        // The names are those of commands.
        prop_assert_eq!(serde_json::to_string(&why).unwrap(), format!("\"{}\"", why.name()));
    }

    #[test]
    fn paths_survive(world in grid_world(), ends: [u16; 2], by_lines: bool) {
        let Some((start, goal)) = Oracle::of_grid(&world).some_ends(ends[0], ends[1]) else { return Ok(()) };
        let grid = world.grid();
        let name = if by_lines { "theta" } else { "dijkstra" };
        let mut finder = Pathfinder::named(name, &Options::default()).unwrap();
        if let Ok(path) = finder.find(grid.view(&world.agent), start, goal) {
            survives(path)?;
        }
        survives(&Path::default())?;
    }

    #[test]
    fn worlds_survive(world in worlds::world(), frame in frame()) {
        let world = match world {
            worlds::World::Grid(world) => World::from(framed(&world, frame)),
            worlds::World::Graph(world) => World::from(world.graph()),
            worlds::World::Voxels(world) => {
                let mut voxels = world.voxels();
                voxels.set_frame(frame);
                World::from(voxels)
            }
        };
        for again in reread(&world) {
            prop_assert_eq!(again.digest(), world.digest());
            prop_assert_eq!(again.kind(), world.kind());
        }
    }

    /// A world file is a world in serde, and the other way round.
    #[cfg(feature = "json")]
    #[test]
    fn files_are_the_same_documents(world in worlds::world()) {
        let world = match world {
            worlds::World::Grid(world) => World::from(world.grid()),
            worlds::World::Graph(world) => World::from(world.graph()),
            worlds::World::Voxels(world) => World::from(world.voxels()),
        };
        let text = serde_json::to_string(&world).unwrap();
        let file = surefoot::formats::world_json::write(&world).unwrap();
        prop_assert_eq!(surefoot::formats::read(text.as_bytes()).unwrap().digest(), world.digest());
        prop_assert_eq!(serde_json::from_str::<World>(&file).unwrap().digest(), world.digest());
        let values = [&text, &file].map(|text| serde_json::from_str::<serde_json::Value>(text).unwrap());
        prop_assert_eq!(&values[0], &values[1]);
    }

    /// Bytes that were damaged give an error or another valid world, and never a panic.
    #[test]
    fn damaged_bytes_are_refused_or_valid(world in grid_world(), at: u16, byte: u8, cut: u16) {
        let bytes = postcard::to_stdvec(&world.grid()).unwrap();
        let mut damaged = bytes.clone();
        damaged[usize::from(at) % bytes.len()] = byte;
        for bytes in [&damaged[..], &bytes[..usize::from(cut) % bytes.len()]] {
            if let Ok(grid) = postcard::from_bytes::<Grid>(bytes) {
                prop_assert_eq!(grid.to_terrain().len(), grid.width() as usize * grid.height() as usize);
                prop_assert!(grid.links().iter().all(|link| grid.contains(grid.cell(link.to))));
            }
        }
    }
}

fn framed(world: &GridWorld, frame: Frame) -> Grid {
    let mut grid = world.grid();
    grid.set_frame(frame);
    grid
}

macro_rules! is {
    ($value:expr, $text:expr) => {
        assert_eq!(serde_json::to_string(&$value).unwrap(), $text);
    };
}

#[test]
fn the_text_of_values_does_not_change() {
    is!(Cell::new(3, -4), "[3,-4]");
    is!(Voxel::new(3, -4, 5), "[3,-4,5]");
    is!(Point::flat(0.5, -2.0), r#"{"x":0.5,"y":-2.0,"z":0.0}"#);
    is!(Frame::default(), r#"{"origin":{"x":0.0,"y":0.0,"z":0.0},"cell_size":1.0}"#);
    is!((NodeId(7), Cost::ONE, Terrain::GRASS, EdgeId(3)), "[7,23780,4,3]");
    is!(Link { from: NodeId(1), to: NodeId(2), cost: Cost::ONE }, r#"{"from":1,"to":2,"cost":23780}"#);
    is!((Moves::EightOne, VoxelMoves::Six, TerrainRule::Add, Queue::Heap), r#"["8-one","6","add","heap"]"#);
    is!([Heuristic::Best, Heuristic::Custom { straight: 1.0, diagonal: 1.4 }], r#"["best","custom:1,1.4"]"#);
    is!(
        Agent::new().with_radius(1.5).unwrap(),
        r#"{"moves":"8","voxel_moves":"26","radius":1.5,"metric":{"straight":1.0,"diagonal":1.4142135623730951},"terrain_rule":"mean"}"#
    );
    is!(Options::default(), r#"{"heuristic":null,"weight":null,"queue":null}"#);
    is!(
        [Outcome::Found, Outcome::Unreachable(Why::TooNarrow), Outcome::Partial(Why::OneWay)],
        r#"["found",{"unreachable":"too_narrow"},{"partial":"one_way"}]"#
    );
    is!(Stats::default(), r#"{"expanded":0,"generated":0,"reopened":0,"peak_open":0,"scratch_bytes":0}"#);
    is!(WorldKind::Voxel, r#""voxel""#);
    is!(Path::default(), r#"{"nodes":[],"units":0,"cost":0.0,"length":0.0,"jumps":[],"any_angle":false}"#);
}

#[test]
fn the_text_of_worlds_does_not_change() {
    let mut grid: Grid = ".#4\n...".parse().unwrap();
    grid.add_link(Cell::new(0, 0), Cell::new(2, 1), Cost::ONE).unwrap();
    assert_eq!(
        serde_json::to_string(&grid).unwrap(),
        r#"{"surefoot":"world","version":1,"kind":"grid","width":3,"height":2,"origin":[0.0,0.0,0.0],"cell_size":1.0,"#
            .to_owned()
            + r#""rows":[".#4","..."],"links":[{"from":[0,0],"to":[2,1],"cost":1.0}]}"#
    );
    let mut builder = Waypoints::builder();
    let [a, b] = [Point::flat(0.0, 0.0), Point::new(3.0, 4.0, 1.0)].map(|point| builder.node(point));
    let bridge = builder.one_way(a, b, Cost::ONE, EdgeKind::Road);
    builder.one_way(b, a, Cost::ONE, EdgeKind::Link);
    let mut graph = builder.build().unwrap();
    graph.set_edge(bridge, None).unwrap();
    assert_eq!(
        serde_json::to_string(&graph).unwrap(),
        r#"{"surefoot":"world","version":1,"kind":"graph","nodes":[[0.0,0.0],[3.0,4.0,1.0]],"edges":["#
            .to_owned()
            + r#"{"from":0,"to":1,"cost":1.0,"kind":"road","closed":true},{"from":1,"to":0,"cost":1.0,"kind":"link"}]}"#
    );
    let voxels = Voxels::from_solid([2, 3, 2], [Voxel::new(1, 0, 0), Voxel::new(0, 1, 0)]).unwrap();
    assert_eq!(
        serde_json::to_string(&voxels).unwrap(),
        r#"{"surefoot":"world","version":1,"kind":"voxel","size":[2,3,2],"origin":[0.0,0.0,0.0],"cell_size":1.0,"#
            .to_owned()
            + r#""solid":"BgA="}"#
    );
}

#[test]
fn what_is_left_out_is_as_usual() {
    assert_eq!(serde_json::from_str::<Agent>("{}").unwrap(), Agent::default());
    let agent = serde_json::from_str::<Agent>(r#"{"radius": 0.4, "moves": "4"}"#).unwrap();
    assert_eq!(agent, Agent::new().with_moves(Moves::Four).with_radius(0.4).unwrap());
    assert_eq!(serde_json::from_str::<Options>("{}").unwrap(), Options::default());
    assert_eq!(serde_json::from_str::<Point>(r#"{"x": 1, "y": 2}"#).unwrap(), Point::flat(1.0, 2.0));
    assert_eq!(serde_json::from_str::<Stats>("{}").unwrap(), Stats::default());
}

/// The message for a text that is not such a value.
fn refusal<T: DeserializeOwned + Debug>(text: &str) -> String {
    let message = serde_json::from_str::<T>(text).unwrap_err().to_string();
    message.split(" at line ").next().unwrap().to_owned()
}

#[test]
fn what_is_not_a_value_is_refused_by_name() {
    assert_eq!(refusal::<Agent>(r#"{"radius": -1}"#), "radius -1 is not between 0 and 1024 cells");
    assert_eq!(refusal::<Agent>(r#"{"radius": 1e9}"#), "radius 1000000000 is not between 0 and 1024 cells");
    assert_eq!(
        refusal::<Agent>(r#"{"raduis": 1}"#),
        "unknown field `raduis`, expected one of `moves`, `voxel_moves`, `radius`, `metric`, `terrain_rule`"
    );
    assert_eq!(
        refusal::<Agent>(r#"{"moves": "5"}"#),
        "unknown movement rule `5`: expected 4, 8, 8-one or 8-free"
    );
    assert_eq!(
        refusal::<Metric>(r#"{"straight": 2, "diagonal": 1}"#),
        "found steps of 2.0 and 1.0, expected 0.01 to 500, the diagonal not below the straight step"
    );
    assert_eq!(refusal::<Options>(r#"{"weight": 0.5}"#), "weight 0.5 is not between 1 and 1000");
    assert!(refusal::<Options>(r#"{"heuristic": "custom:1,101"}"#).starts_with("unknown heuristic"));
    assert_eq!(
        refusal::<Frame>(r#"{"origin": {"x": 0, "y": 0}, "cell_size": 0}"#),
        "found the origin 0.0,0.0,0.0 and the cell size 0.0, expected finite numbers and a positive size"
    );
    assert_eq!(
        refusal::<Link>(r#"{"from": 1, "to": 2, "cost": 0}"#),
        "found a cost of 0 units, expected 1 to 4294967295"
    );
    assert!(refusal::<Terrain>("256").starts_with("invalid value"));
    assert!(refusal::<Cell>("[1]").starts_with("invalid length"));
    assert!(refusal::<Why>(r#""tired""#).starts_with("unknown variant `tired`"));
}

#[test]
fn what_is_not_a_path_is_refused_by_name() {
    let path = |nodes: &str, cost: &str, jumps: &str| {
        refusal::<Path>(&format!(
            r#"{{"nodes": {nodes}, "units": 1, "cost": {cost}, "length": 1.0, "jumps": {jumps}, "any_angle": false}}"#
        ))
    };
    assert_eq!(path("[1, 4294967295]", "1", "[]"), "nodes[1]: found no node, expected one");
    assert_eq!(path("[1, 2]", "-1", "[]"), "`cost`: found -1.0, expected a finite number from 0");
    assert_eq!(path("[1, 2]", "1", "[1]"), "found the jumps [1], expected rising numbers below 1");
    assert_eq!(path("[1, 2, 3]", "1", "[1, 0]"), "found the jumps [1, 0], expected rising numbers below 2");
    assert_eq!(path("[1, 2, 3]", "1", "[1, 1]"), "found the jumps [1, 1], expected rising numbers below 2");
    assert_eq!(path("[7]", "1", "[]"), "found a cost of 1.0 and a length of 1.0 without a step, expected 0");
    assert_eq!(path("[]", "1", "[]"), "found a cost of 1.0 and a length of 1.0 without a step, expected 0");
}

/// A packed world as bytes may have it.
#[derive(Serialize)]
enum Raw {
    Grid { width: u32, height: u32, frame: Frame, terrain: Vec<u8>, links: Vec<(Cell, Cell, Cost)> },
    Graph { positions: Vec<Point>, edges: Vec<(u32, u32, u64, u32)>, closed: Vec<u32> },
    Voxels { size: [u32; 3], frame: Frame, solid: Vec<u8> },
}

#[test]
fn what_is_not_a_world_is_refused_by_name() {
    let grid = serde_json::to_string(&Grid::new(2, 1).unwrap()).unwrap();
    assert_eq!(refusal::<Voxels>(&grid), "found a world of kind `grid`, expected Voxels");
    assert_eq!(
        refusal::<Grid>(&grid.replace(r#""width":2"#, r#""width":0"#)),
        "size 0 x 1 is out of range: a grid has 1 to 16384 columns and rows"
    );
    assert_eq!(
        refusal::<Grid>(
            &grid
                .replace(r#"[".."]"#, r#"[".."],"links":[{"from":[0,0],"to":[2,0],"cost":1}]"#)
                .replace(r#","links":[]"#, "")
        ),
        "links[0]: cell 2,0 is outside the grid of 2 x 1"
    );
    assert_eq!(
        refusal::<Grid>(&grid.replace(r#""version":1"#, r#""version":2"#)),
        "found version 2, expected version 1"
    );

    // The same, packed: whatever the bytes say is checked.
    let is_refused = |version: u32, world: Raw| {
        let bytes = postcard::to_stdvec(&(version, world)).unwrap();
        postcard::from_bytes::<World>(&bytes).is_err()
    };
    let [inside, outside] = [Cell::new(1, 0), Cell::new(2, 0)];
    let grid = |terrain: usize, to: Cell, cost: Cost| Raw::Grid {
        width: 2,
        height: 1,
        frame: Frame::default(),
        terrain: vec![1; terrain],
        links: vec![(inside, to, cost)],
    };
    assert!(!is_refused(1, grid(2, inside, Cost::ONE)));
    assert!(is_refused(2, grid(2, inside, Cost::ONE)));
    assert!(is_refused(1, grid(3, inside, Cost::ONE)));
    assert!(is_refused(1, grid(2, outside, Cost::ONE)));
    assert!(is_refused(1, grid(2, inside, Cost::ZERO)));
    let graph = |x: f64, to: u32, cost: u64, closed: u32| Raw::Graph {
        positions: vec![Point::flat(x, 0.0); 2],
        edges: vec![(0, to, cost, 0)],
        closed: vec![closed],
    };
    assert!(!is_refused(1, graph(1.0, 1, 1, 0)));
    assert!(is_refused(1, graph(f64::NAN, 1, 1, 0)));
    assert!(is_refused(1, graph(1.0, 2, 1, 0)));
    assert!(is_refused(1, graph(1.0, 1, 0, 0)));
    assert!(is_refused(1, graph(1.0, 1, 1, 1)));
    let voxels = |side: u32, bytes: usize| Raw::Voxels {
        size: [side, 1, 1],
        frame: Frame::default(),
        solid: vec![0; bytes],
    };
    assert!(!is_refused(1, voxels(8, 1)));
    assert!(is_refused(1, voxels(0, 0)));
    assert!(is_refused(1, voxels(9, 1)));
    assert!(is_refused(1, voxels(8, 2)));
    assert!(is_refused(1, voxels(5000, 625)));
}

/// Long rows are written in runs, so that an empty map of any size stays small.
#[test]
fn open_ground_takes_little_room() {
    let grid = Grid::new(1000, 1000).unwrap();
    assert!(serde_json::to_string(&grid).unwrap().len() < 20_000);
}

/// A path through a larger graph has nodes that this one does not have.
#[test]
fn the_points_of_a_path_of_another_graph_can_be_asked_for() {
    let mut builder = Waypoints::builder();
    let [a, b] = [0.0, 3.0].map(|x| builder.node(Point::flat(x, 0.0)));
    builder.road(a, b);
    let graph = builder.build().unwrap();
    let mut finder = Pathfinder::default();
    let path = finder.find(&graph, a, b).unwrap();
    let text = serde_json::to_string(path).unwrap();
    let foreign: Path =
        serde_json::from_str(&text.replacen("\"nodes\":[0", "\"nodes\":[4000000000", 1)).unwrap();
    assert_eq!(foreign.nodes()[0].0, 4_000_000_000);
    assert_eq!(foreign.points(&graph), [Point::default(), Point::new(3.0, 0.0, 0.0)]);
}
