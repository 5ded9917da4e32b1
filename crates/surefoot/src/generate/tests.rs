use super::flood::{Flood, largest_region};
use super::*;
use crate::cost::Cost;
use crate::space::{Cell, Point};
use crate::world::grid::Terrain;
use crate::world::waypoints::{EdgeKind, Waypoints};

/// `#` wall, `.` floor, `4` grass, `w` water.
fn picture(grid: &Grid) -> String {
    let symbol = |cost: &u8| match cost {
        0 => '#',
        1 => '.',
        4 => '4',
        10 => 'w',
        _ => '?',
    };
    let terrain = grid.to_terrain();
    let rows = terrain.chunks(grid.width() as usize).map(|row| row.iter().map(symbol).collect::<String>());
    rows.collect::<Vec<_>>().join("\n")
}

/// FNV-1a.
fn hash(grid: &Grid) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    grid.to_terrain().iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

fn check(kind: Kind, hash_of_64: u64, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let found = picture(&generate(kind, 24, 11, 5).unwrap());
    assert_eq!(found, expected.join("\n"), "{kind} is now\n{found}\n");
    let found = hash(&generate(kind, 64, 64, 1).unwrap());
    assert_eq!(found, hash_of_64, "{kind} 64 x 64 is now {found:#x}");
}

#[test]
fn empty_stays_as_it_is() {
    check(
        Kind::Empty,
        0x1341_1b19_e515_7325,
        "
         ........................
         ........................
         ........................
         ........................
         ........................
         ........................
         ........................
         ........................
         ........................
         ........................
         ........................",
    );
}

#[test]
fn maze_stays_as_it_is() {
    check(
        Kind::Maze,
        0x3214_71ef_336a_1662,
        "
         ...#...........#.......#
         ##.#.###.#####.#####.###
         ...#.#.#.....#.....#...#
         .###.#.#####.#####.###.#
         ...#.......#.#...#.#...#
         ##.#.#######.#.#.#.#.###
         ...#.#.....#.#.#.#.#...#
         .###.#####.#.#.###.###.#
         .....#.#...#.#.....#...#
         .#####.#.###.#.#####.#.#
         .......#.....#.......#.#",
    );
}

#[test]
fn barnyard_stays_as_it_is() {
    check(
        Kind::Barnyard,
        0xf964_8182_11ec_ffa5,
        "
         ........................
         ........................
         .......#########........
         .......#................
         .......#................
         .......#................
         .......#................
         .......#................
         .......#########........
         ........................
         ........................",
    );
}

#[test]
fn enclosure_stays_as_it_is() {
    check(
        Kind::Enclosure,
        0x7b12_d114_db6e_61a2,
        "
         ........................
         .....############.......
         .....#..........#.......
         .....#..........#.......
         .....#..........#.......
         .....#..........#.......
         .....#..................
         .....#..........#.......
         .....#..........#.......
         .....############.......
         ........................",
    );
}

#[test]
fn labyrinth_stays_as_it_is() {
    check(
        Kind::Labyrinth,
        0x9727_7399_707f_ffe0,
        "
         ........................
         .#...#..................
         ........................
         ...##################...
         ...#................#...
         .#.#.#.#.#...#.#....#...
         ...#................#.#.
         .#.#######.##########...
         ........................
         ...#.....#.......#...#..
         ........................",
    );
}

#[test]
fn terrain_stays_as_it_is() {
    check(
        Kind::Terrain,
        0xbdaf_36e9_5c11_addc,
        "
         wwwwww.##4www..44#4444##
         wwwwww.444.ww...44#444#4
         ww.wwww.........4#4444#4
         ..wwwwwwwww444.44444444.
         4.www.wwwww4##444.4444..
         ...wwwwwww.4#4.4444444..
         ....wwwwww.......4.4#4..
         w..wwww......w....44#4.w
         .wwwwww..4.www..w.4444ww
         w..wwww.4....ww...4.44.w
         ...www.4.......44...4.ww",
    );
}

#[test]
fn rooms_stays_as_it_is() {
    check(
        Kind::Rooms,
        0xb0af_0078_10cf_e47d,
        "
         .......#................
         .......#...#............
         .......#...#............
         .......#...#............
         .......#...#............
         .......#...#............
         ...........#............
         .......#...#............
         .......#...#............
         .......#...#............
         .......#...#............",
    );
}

#[test]
fn caves_stays_as_it_is() {
    check(
        Kind::Caves,
        0xddca_2028_a4cf_ffd6,
        "
         ##############.#########
         ##......#####...########
         #...............########
         #...............########
         #...............########
         #..............#########
         ##............##########
         ###....#################
         ####..##################
         ########################
         ########################",
    );
}

#[test]
fn random_stays_as_it_is() {
    check(
        Kind::Random,
        0x3cdb_c6e2_90d0_0b61,
        "
         #.##...#..........#..#..
         #...#.#...##......#..##.
         ....#......#.#.###...#..
         ##......#.##.#...#####.#
         ..................#.#..#
         .....#.....#...##..#...#
         #.#.........###...##....
         #.#..#.#...#........#...
         .#.....###.#..#.#..##..#
         #.#...##..#.##..##.###..
         ..##....#..##......#....",
    );
}

#[test]
fn every_size_works_and_is_connected() {
    for kind in Kind::ALL {
        for (width, height) in (1..=17).flat_map(|width| (1..=17).map(move |height| (width, height))) {
            for seed in 0..4 {
                let grid = generate(kind, width, height, seed).unwrap();
                let connected = !matches!(kind, Kind::Random | Kind::Terrain);
                if connected {
                    let (_, reached) = largest_region(width, &grid.to_terrain()).unwrap();
                    assert_eq!(reached, grid.open_cells(), "{kind} {width} x {height} seed {seed}\n{grid:?}");
                }
            }
        }
    }
}

#[test]
fn mazes_have_one_way_between_any_two_cells() {
    for (width, height, seed) in [(1, 1, 1), (2, 9, 1), (10, 10, 2), (31, 21, 3)] {
        let grid = generate(Kind::Maze, width, height, seed).unwrap();
        // Connected (see above) with one passage less than rooms: a tree.
        let rooms = (width.div_ceil(2) * height.div_ceil(2)) as usize;
        assert_eq!(grid.open_cells(), 2 * rooms - 1);
    }
}

#[test]
fn yards_have_one_entrance() {
    for seed in 0..50 {
        let grid = generate(Kind::Enclosure, 20, 15, seed).unwrap();
        let closes = |cell: &Cell| {
            let mut closed = grid.clone();
            closed.set(*cell, Terrain::WALL).unwrap();
            let (_, reached) = largest_region(20, &closed.to_terrain()).unwrap();
            reached < closed.open_cells()
        };
        let cuts = grid.cells().filter(|cell| grid.is_open(*cell)).filter(closes).count();
        // The gap itself, and the cells in front of it and behind it.
        assert_eq!(cuts, 3, "seed {seed}\n{grid:?}");
    }
}

#[test]
fn the_share_of_walls_is_as_asked() {
    let open = |percent| random(200, 200, 1, percent).unwrap().open_cells();
    assert_eq!((open(0), open(100)), (40_000, 0));
    assert!((19_500..20_500).contains(&open(50)));
    assert_eq!(random(1, 1, 1, 101).unwrap_err().to_string(), "101% walls, expected 0% to 100%");
}

#[test]
fn names_and_sizes_are_checked() {
    for kind in Kind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    assert_eq!(
        "maize".parse::<Kind>().unwrap_err().to_string(),
        "unknown kind of map `maize`: expected empty, maze, barnyard, enclosure, labyrinth, terrain, rooms, caves or random"
    );
    assert_eq!(
        generate(Kind::Maze, 16_385, 1, 1).unwrap_err().to_string(),
        "size 16385 x 1 is out of range: a grid has 1 to 16384 columns and rows"
    );
}

#[test]
fn endpoints_of_a_maze_are_as_far_apart_as_any_two_cells() {
    for seed in 0..8 {
        let grid = generate(Kind::Maze, 13, 9, seed).unwrap();
        let terrain = grid.to_terrain();
        let steps = |from: Cell, to: Cell| distance(&grid, from, to);
        let open: Vec<Cell> = grid.cells().filter(|cell| grid.is_open(*cell)).collect();
        let longest = open.iter().flat_map(|&a| open.iter().map(move |&b| (a, b)));
        let longest = longest.map(|(a, b)| steps(a, b)).max().unwrap();
        let (start, goal) = endpoints(&grid, seed).unwrap();
        assert_eq!(steps(start, goal), longest);
        assert_eq!(Flood::new(13, &terrain).from(0).count, open.len());
    }
}

/// Steps between two cells, by trying every step until nothing gets nearer.
fn distance(grid: &Grid, from: Cell, to: Cell) -> u32 {
    let mut reached = std::collections::BTreeMap::from([(from, 0)]);
    let mut frontier = vec![from];
    while let Some(cell) = frontier.pop() {
        for near in [cell.offset(1, 0), cell.offset(-1, 0), cell.offset(0, 1), cell.offset(0, -1)] {
            let steps = reached[&cell] + 1;
            if grid.is_open(near) && reached.get(&near).is_none_or(|&known| known > steps) {
                reached.insert(near, steps);
                frontier.push(near);
            }
        }
    }
    reached[&to]
}

#[test]
fn endpoints_need_two_connected_cells() {
    let none: Grid = "#.#\n.#.".parse().unwrap();
    assert_eq!(endpoints(&none, 1), None);
    let pair: Grid = "#.#\n..#".parse().unwrap();
    let (start, goal) = endpoints(&pair, 1).unwrap();
    assert_eq!(distance(&pair, start, goal), 2);
}

#[test]
fn the_way_behind_the_barn_leads_around_it_and_the_way_into_the_yard_through_the_gap() {
    use crate::prelude::{Agent, Pathfinder};
    for kind in [Kind::Barnyard, Kind::Enclosure] {
        for seed in 0..50 {
            let (width, height) = (9 + seed as u32 % 30, 40 - seed as u32 % 30);
            let GeneratedMap { grid, endpoints: ends } =
                generate_with_endpoints(kind, width, height, seed).unwrap();
            assert_eq!(hash(&grid), hash(&generate(kind, width, height, seed).unwrap()));
            let (start, goal) = ends.unwrap();
            let view = grid.view(&Agent::default());
            let cost = Pathfinder::default().find(view, start, goal).unwrap().cost();
            let straight = start.x.abs_diff(goal.x).max(start.y.abs_diff(goal.y));
            assert!(cost > f64::from(straight) + 1.0, "{kind} {seed}: {cost} from {start:?} to {goal:?}");
        }
    }
    let GeneratedMap { grid, endpoints: ends } = generate_with_endpoints(Kind::Maze, 31, 21, 3).unwrap();
    assert_eq!(ends, endpoints(&grid, 3));
    assert!(generate_with_endpoints(Kind::Empty, 1, 1, 0).unwrap().endpoints.is_none());
}

#[test]
fn ends_in_a_graph_are_as_many_edges_apart_as_any() {
    let mut builder = Waypoints::builder();
    let nodes = [0.0, 1.0, 2.0, 3.0].map(|x| builder.node(Point::flat(x, 0.0)));
    assert_eq!(endpoints_in_graph(&builder.clone().build().unwrap()), None);
    // No edge leads away from the first node.
    builder.one_way(nodes[2], nodes[0], Cost::ONE, EdgeKind::Road);
    assert_eq!(endpoints_in_graph(&builder.clone().build().unwrap()), Some((nodes[2], nodes[0])));
    builder.one_way(nodes[1], nodes[2], Cost::ONE, EdgeKind::Road);
    assert_eq!(endpoints_in_graph(&builder.build().unwrap()), Some((nodes[1], nodes[0])));
}

#[test]
fn every_place_of_a_network_can_be_reached_from_every_other() {
    use crate::id::NodeId;
    use crate::prelude::Pathfinder;
    let graph = network(7, 5, 1).unwrap();
    let nodes = || (0..graph.node_count() as u32).map(NodeId);
    let mut finder = Pathfinder::default();
    assert!(nodes().all(|from| nodes().all(|to| finder.find(&graph, from, to).is_ok())));
    let one_way =
        |from: NodeId, to: NodeId| !graph.edges().iter().any(|edge| (edge.from, edge.to) == (to, from));
    assert!(graph.edges().iter().any(|edge| one_way(edge.from, edge.to)));
    assert_eq!(graph.edges(), network(7, 5, 1).unwrap().edges());
    assert!(network(0, 5, 1).unwrap().edges().is_empty());
    assert!(network(1 << 20, 1 << 20, 1).is_err());
}
