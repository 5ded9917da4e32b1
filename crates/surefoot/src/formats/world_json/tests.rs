use proptest::prelude::*;

use super::*;
use crate::cost::Cost;
use crate::space::{Cell, Frame, Point};
use crate::world::grid::{Grid, Terrain};
use crate::world::waypoints::{EdgeId, Waypoints};

fn message(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

fn grid(fields: &str) -> String {
    let head = r#"{"surefoot": "world", "version": 1, "kind": "grid", "width": 2, "height": 1,"#;
    format!("{head}\n{fields}}}")
}

fn graph(edges: &str) -> String {
    format!(
        r#"{{"surefoot": "world", "version": 1, "kind": "graph", "nodes": [[0, 0], [3, 4], [0, 0, 2]], "edges": [{edges}]}}"#
    )
}

fn read_graph(text: &str) -> Waypoints {
    match read(text.as_bytes()).unwrap() {
        World::Graph(graph) => graph,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_grid_keeps_everything() {
    let mut grid: Grid = ".#4\n...".parse().unwrap();
    grid.set(Cell::new(2, 1), Terrain::new(255)).unwrap();
    grid.set_frame(Frame::new(Point::new(-1.5, 0.1, 7.0), 0.3).unwrap());
    grid.add_link(Cell::new(0, 0), Cell::new(2, 1), Cost::from_units(1)).unwrap();
    grid.add_link(Cell::new(2, 1), Cell::new(0, 0), Cost::MAX_EDGE).unwrap();
    let text = write(&grid.clone().into()).unwrap();
    assert_eq!(
        text,
        r#"{
  "surefoot": "world",
  "version": 1,
  "kind": "grid",
  "width": 3,
  "height": 2,
  "origin": [-1.5, 0.1, 7.0],
  "cell_size": 0.3,
  "rows": [
    ".#4",
    "..(255)"
  ],
  "links": [
    {"from": [0, 0], "to": [2, 1], "cost": 4.2052144659377626e-5},
    {"from": [2, 1], "to": [0, 0], "cost": 180612.58599663584}
  ]
}
"#
    );
    let World::Grid(again) = read(text.as_bytes()).unwrap() else { panic!("a graph") };
    assert_eq!(again.to_terrain(), grid.to_terrain());
    assert_eq!(again.frame(), grid.frame());
    assert_eq!(again.links(), grid.links());
}

#[test]
fn a_graph_keeps_everything() {
    let text = graph(
        r#"{"from": 0, "to": 1, "two_way": true}, {"from": 2, "to": 0, "cost": 0.5, "kind": "link"},
           {"from": 1, "to": 2, "cost": 1.5, "kind": "road"}"#,
    );
    let graph = read_graph(&text);
    let units: Vec<u64> = graph.edges().iter().map(|edge| edge.cost.units()).collect();
    assert_eq!(units, [118_900, 118_900, 11_890, 35_670]);
    assert_eq!(graph.positions()[2], Point::new(0.0, 0.0, 2.0));
    let written = write(&graph.clone().into()).unwrap();
    let again = read_graph(&written);
    assert_eq!(again.edges(), graph.edges());
    assert_eq!(again.positions(), graph.positions());
}

#[test]
fn closed_edges_stay_closed_and_keep_their_cost() {
    let mut graph = read_graph(&graph(r#"{"from": 0, "to": 1, "cost": 2.5}, {"from": 1, "to": 0}"#));
    graph.set_edge(EdgeId(0), None).unwrap();
    let written = write(&graph.clone().into()).unwrap();
    assert!(
        written.contains(r#"{"from": 0, "to": 1, "cost": 2.5, "kind": "road", "closed": true}"#),
        "{written}"
    );
    let mut again = read_graph(&written);
    assert_eq!((again.is_closed(EdgeId(0)), again.is_closed(EdgeId(1))), (true, false));
    assert_eq!((again.edges(), again.digest()), (graph.edges(), graph.digest()));
    again.set_edge(EdgeId(0), Some(Cost::ONE)).unwrap();
    assert!(!again.is_closed(EdgeId(0)));
}

#[test]
fn wrong_json_is_named_with_its_place() {
    assert_eq!(
        message("{\n  \"surefoot\": \"wrold\"}"),
        "line 2, column 21: unknown variant `wrold`, expected `world`"
    );
    assert_eq!(message("{}"), "line 1, column 2: missing field `surefoot`");
    assert_eq!(
        message("{\"surefoot\": \"world\",\n"),
        "line 2, column 0: found the end of the file, expected the rest of the world (EOF while parsing a value)"
    );
    assert_eq!(message(&grid(r#""rows": [], "rows": []"#)), "line 2, column 18: duplicate field `rows`");
    assert!(
        message(&grid(r#""rowz": []"#))
            .starts_with("line 2, column 6: unknown field `rowz`, expected one of")
    );
    assert_eq!(message(&(grid(r#""rows": [".."]"#) + "x")), "line 2, column 16: trailing characters");
    assert_eq!(
        message(r#"{"surefoot": "world", "version": 2, "kind": "torus", "colour": 3}"#),
        "found version 2, expected version 1"
    );
    assert_eq!(
        message(&grid(r#""rows": [".."], "origin": [1]"#)),
        "line 2, column 29: invalid length 1, expected a point of two or three numbers"
    );
    assert_eq!(
        message(&grid(r#""rows": [".."], "origin": [1, 2, 3, 4]"#)),
        "line 2, column 38: invalid length 4, expected a point of two or three numbers"
    );
    assert_eq!(
        message(&grid(r#""rows": [".."], "cell_size": 1e999"#)),
        "line 2, column 34: number out of range"
    );
    assert_eq!(
        read(b"{\"surefoot\": \"\xff\"}").unwrap_err().to_string(),
        "line 1, column 15: found byte 0xff, expected UTF-8 text"
    );
}

#[test]
fn wrong_grids_are_named() {
    assert_eq!(message(&grid(r#""links": []"#)), "found no `rows`, expected the `rows` of a grid");
    assert_eq!(message(&grid(r#""nodes": []"#)), "found `nodes`, expected only fields of a grid");
    assert_eq!(message(&grid(r#""rows": ["..", ".."]"#)), "found 2 rows, expected 1");
    assert_eq!(message(&grid(r#""rows": ["."]"#)), "rows[0], column 2: row 0 has 1 cells, expected 2");
    assert_eq!(
        message(&grid(r#""rows": [".."], "cell_size": 0"#)),
        "found cell size 0.0, expected a positive number"
    );
    for (width, shown) in [("0", "0 x 1"), ("16385", "16385 x 1")] {
        let text = grid(r#""rows": [".."]"#).replace("\"width\": 2", &format!("\"width\": {width}"));
        assert_eq!(
            message(&text),
            format!("size {shown} is out of range: a grid has 1 to 16384 columns and rows")
        );
    }
    let links = |links: &str| message(&grid(&format!(r#""rows": [".."], "links": [{links}]"#)));
    assert_eq!(
        links(r#"{"from": [0, 0], "to": [1, 0], "cost": 1}, {"from": [0, 0], "to": [2, 0], "cost": 1}"#),
        "links[1]: cell 2,0 is outside the grid of 2 x 1"
    );
    assert_eq!(
        links(r#"{"from": [0, 0], "to": [1, 0], "cost": -1}"#),
        "links[0]: found cost -1.0, expected a positive cost of at most 180612.58599663584 cells"
    );
    let many = vec![r#"{"from": [0, 0], "to": [1, 0], "cost": 1}"#; Grid::MAX_LINKS + 1].join(",");
    assert_eq!(links(&many), "links[4096]: too many links: expected at most 4096");
}

#[test]
fn wrong_graphs_are_named() {
    assert_eq!(
        message(r#"{"surefoot": "world", "version": 1, "kind": "graph", "nodes": []}"#),
        "found no `edges`, expected the `edges` of a graph"
    );
    assert_eq!(
        message(&graph("").replace("\"kind\"", "\"rows\": [], \"kind\"")),
        "found `rows`, expected only fields of a graph"
    );
    assert_eq!(
        message(&graph(r#"{"from": 0, "to": 1, "two_way": true}, {"from": 0, "to": 3}"#)),
        "edges[1]: found node 3, expected one of the 3 nodes"
    );
    assert_eq!(
        message(&graph(r#"{"from": 0, "to": 1, "kind": "link"}"#)),
        "edges[0]: found no `cost`, expected the `cost` of a link"
    );
    assert_eq!(
        message(&graph(r#"{"from": 0, "to": 1, "cost": 0}"#)),
        "edges[0]: found cost 0.0, expected a positive cost of at most 180612.58599663584 cells"
    );
    assert_eq!(
        message(&graph(r#"{"from": 0, "to": 1}"#).replace("[3, 4]", "[3e5, 0]")),
        "edges[0]: edge 0: cost 300000 is out of range: expected more than 0 and at most 180612.58599663584 cells"
    );
    assert_eq!(
        message(&graph("").replace("[3, 4]", "[3e7, 0]")),
        "node 1: position (30000000, 0, 0) is not within 1000000 of the origin"
    );
}

proptest! {
    #[test]
    fn places_read_back_exactly(x in -1e6..1e6, y in -1e6..1e6, z in proptest::num::f64::NORMAL) {
        let mut grid = Grid::new(1, 1).unwrap();
        grid.set_frame(Frame::new(Point { x, y, z }, f64::abs(x) + 1e-9).unwrap());
        let World::Grid(again) = read(write(&grid.clone().into()).unwrap().as_bytes()).unwrap() else {
            panic!("a graph")
        };
        prop_assert_eq!(again.frame(), grid.frame());
    }
}

#[test]
fn voxel_worlds_survive_being_written_and_read() {
    use crate::space::Voxel;
    use crate::world::voxels::Voxels;
    for size in [[1, 1, 1], [3, 5, 7], [8, 2, 2], [17, 3, 4]] {
        let empty = Voxels::new(size[0], size[1], size[2]).unwrap();
        let solid = empty.cells().filter(|&Voxel { x, y, z }| (x * 7 + y * 5 + z * 3) % 4 == 0);
        let mut voxels = Voxels::from_solid(size, solid).unwrap();
        voxels.set_frame(Frame::new(Point::new(1.5, -2.0, 0.25), 0.5).unwrap());
        let text = write(&voxels.clone().into()).unwrap();
        let World::Voxels(again) = read(text.as_bytes()).unwrap() else { panic!("another kind of world") };
        assert_eq!((again.size(), again.frame()), (size, voxels.frame()));
        assert!(voxels.cells().all(|voxel| voxels.is_open(voxel) == again.is_open(voxel)));
    }
}

#[test]
fn the_bits_of_a_voxel_world_count_along_x_then_y_then_z() {
    use crate::space::Voxel;
    use crate::world::voxels::Voxels;
    let solid = [Voxel::new(1, 0, 0), Voxel::new(0, 1, 0), Voxel::new(0, 0, 1), Voxel::new(1, 2, 1)];
    let voxels = Voxels::from_solid([2, 3, 2], solid).unwrap();
    // Cells 1, 2, 6 and 11, the lowest bit first: bytes 0x46 and 0x08.
    let text = write(&voxels.into()).unwrap();
    assert!(text.contains(r#""solid": "Rgg=""#), "{text}");
    let World::Voxels(again) = read(text.as_bytes()).unwrap() else { panic!("another kind of world") };
    let found: Vec<Voxel> = again.cells().filter(|&voxel| !again.is_open(voxel)).collect();
    assert_eq!(found, solid);
}

#[test]
fn what_is_wrong_with_a_voxel_world_is_named() {
    let error = |rest: &str| {
        let text = format!(r#"{{"surefoot": "world", "version": 1, "kind": "voxel", {rest}}}"#);
        read(text.as_bytes()).unwrap_err().to_string()
    };
    let solid = |size: &str, solid: &str| error(&format!(r#""size": {size}, "solid": "{solid}""#));
    assert_eq!(solid("[2, 2, 2]", "AAA="), "found 2 bytes in `solid`, expected 1 for 2 x 2 x 2 cells");
    assert!(solid("[2, 2, 2]", "?").ends_with("expected bits in base64"), "{}", solid("[2, 2, 2]", "?"));
    assert!(solid("[0, 2, 2]", "").contains("out of range"));
    assert!(solid("[70000, 70000, 70000]", "").contains("out of range"));
    assert!(solid("[2, 2]", "").contains("invalid length"));
    assert_eq!(error(r#""size": [1, 1, 1]"#), "found no `solid`, expected the `solid` of a voxel world");
    let grid = r#"{"surefoot": "world", "version": 1, "kind": "grid", "width": 1, "height": 1, "rows": ["."], "solid": "AA=="}"#;
    assert_eq!(
        read(grid.as_bytes()).unwrap_err().to_string(),
        "found `solid`, expected only fields of a grid"
    );
}

/// Types of the reader have no place in messages.
#[test]
fn what_was_expected_is_named_as_files_have_it() {
    let edges =
        r#"{"surefoot": "world", "version": 1, "kind": "graph", "nodes": [[0, 0], [1, 0]], "edges": [7]}"#;
    assert_eq!(
        read(edges.as_bytes()).unwrap_err().to_string(),
        r#"line 1, column 91: invalid type: integer `7`, expected an edge, such as {"from":0,"to":5}"#
    );
    let grid = serde_json::from_str::<Grid>("3").unwrap_err().to_string();
    assert!(grid.starts_with("invalid type: integer `3`, expected a world, such as {"), "{grid}");
}
