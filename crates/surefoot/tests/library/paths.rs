//! What a path says of itself.

use crate::common::cases;
use crate::common::oracle::Oracle;
use crate::common::worlds::{GridWorld, RawLink, World, grid_world, voxel_world};
use proptest::prelude::*;
use surefoot::prelude::*;

/// The cells of a straight line in steps from one cell to another, both included.
fn line(from: Cell, to: Cell) -> Vec<Cell> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steps = dx.abs().max(dy.abs());
    (0..=steps).map(|step| from.offset(dx.signum() * step, dy.signum() * step)).collect()
}

proptest! {
    #![proptest_config(cases(2000))]

    /// Whoever draws or walks a path by its corners passes no wall, and comes where the path does.
    #[test]
    fn between_corners_there_is_a_line_that_can_be_walked_or_a_link(world in grid_world(), ends: [u16; 2]) {
        let oracle = Oracle::of_grid(&world);
        let on_foot = Oracle::of_grid(&GridWorld { links: Vec::new(), ..world.clone() });
        let Some((start, goal)) = oracle.some_ends(ends[0], ends[1]) else { return Ok(()) };
        let grid = world.grid();
        let view = grid.view(&world.agent);
        let node = |cell| grid.node(cell).unwrap();
        let mut finder = Pathfinder::named("dijkstra", &Options::default()).unwrap();
        let Ok(path) = finder.find(view, start, goal) else { return Ok(()) };
        let corners: Vec<Cell> = path.corners(view).into_iter().map(|node| grid.cell(node)).collect();
        let cells: Vec<Cell> = path.cells(&grid).collect();
        let mut drawn = vec![corners[0]];
        for pair in corners.windows(2) {
            let is_link = world.links.iter().any(|&RawLink { from, to, .. }| [from, to] == [pair[0], pair[1]]);
            let straight = line(pair[0], pair[1]);
            let walked = straight.last() == Some(&pair[1])
                && straight.windows(2).all(|step| {
                    on_foot.edges[node(step[0]).index()].iter().any(|(to, _)| *to == node(step[1]))
                });
            prop_assert!(walked || is_link, "{pair:?} of {corners:?}");
            drawn.extend(if walked { straight[1..].to_vec() } else { vec![pair[1]] });
        }
        // A link between places that a line joins, too, may be drawn as either.
        let passes = |cell: &Cell| drawn.contains(cell);
        prop_assert!(cells.iter().all(passes), "{corners:?} leave out a part of {cells:?}");
        for &jump in path.jumps() {
            let ends = [cells[jump], cells[jump + 1]];
            prop_assert!(corners.windows(2).any(|pair| pair == ends), "{corners:?} leave out the link {ends:?}");
        }
    }

    #[test]
    fn in_space_a_line_at_any_angle_turns_at_its_corners(world in voxel_world(), ends: [u16; 2]) {
        let oracle = Oracle::of_voxels(&world);
        let Some((start, goal)) = oracle.some_ends(ends[0], ends[1]) else { return Ok(()) };
        let built = World::Voxels(world.clone()).build();
        let voxels = world.voxels();
        for algorithm in ["theta", "lazy_theta", "dijkstra"] {
            let mut finder = Pathfinder::named(algorithm, &Options::default()).unwrap();
            let Ok(path) = finder.find(built.view(), start, goal) else { return Ok(()) };
            let corners = path.corners(built.view());
            let place = |node: NodeId| {
                let Voxel { x, y, z } = voxels.voxel(node);
                Point::new(f64::from(x), f64::from(y), f64::from(z))
            };
            let length: f64 = corners.windows(2).map(|pair| place(pair[0]).distance(place(pair[1]))).sum();
            prop_assert!((length - path.length()).abs() < 1e-9, "{corners:?} of {path:?}");
        }
    }
}

#[test]
fn both_ends_of_a_link_in_line_with_the_path_are_corners() {
    let mut grid = Grid::new(4, 1).unwrap();
    grid.add_link(Cell::new(1, 0), Cell::new(2, 0), Cost::from_units(5)).unwrap();
    let view = grid.view(&Agent::default());
    let mut finder = Pathfinder::default();
    let path = finder.find(view, Cell::new(0, 0), Cell::new(3, 0)).unwrap();
    let corners: Vec<i32> = path.corners(view).into_iter().map(|node| grid.cell(node).x).collect();
    assert_eq!((corners, path.jumps()), (vec![0, 1, 2, 3], &[1][..]));
}
