//! Lines and points that are clear, from anywhere to anywhere: held against distances at many points along them.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use surefoot::graph::Sight;
use surefoot::prelude::*;

use crate::common::cases;
use crate::common::distance::distance_at;
use crate::common::worlds::{GridWorld, VoxelWorld, grid_world, voxel_world};

/// Points along each cell of a line.
const POINTS: f64 = 40.0;

/// What rounding may do to a distance, in cells.
const ROUNDING: f64 = 1e-6;

/// From 0 to 2.5 cells, with the distances between which nothing changes.
const RADII: [f64; 9] = [0.0, 0.05, 0.3, 0.45, 0.5, 0.7, 1.0, 1.5, 2.5];

/// Where cells lie: the usual frame, and one with an origin and a size of its own.
fn frames() -> impl Strategy<Value = Frame> {
    select(vec![Frame::default(), Frame::new(Point::new(-7.25, 13.5, 0.75), 1.6).unwrap()])
}

/// Shares of the size of a world along each axis, a little beyond it; many at centres, borders and corners of cells.
fn place() -> impl Strategy<Value = ([f64; 3], bool)> {
    ([-0.05..1.05, -0.05..1.05, -0.05..1.05_f64], any::<bool>())
}

/// A world of cells without the library: the agent's radius, and which cells are solid. The centre of cell `k` is at `k`.
struct Oracle<'a> {
    size: [f64; 3],
    radius: f64,
    /// 0 for a grid, which has neither floor nor ceiling.
    layers: i32,
    is_solid: &'a dyn Fn([i32; 3]) -> bool,
    /// Whether an agent can stand in the middle of each cell.
    stands: Vec<bool>,
}

impl Oracle<'_> {
    fn new(size: [u32; 3], radius: f64, layers: i32, is_solid: &dyn Fn([i32; 3]) -> bool) -> Oracle<'_> {
        let mut oracle = Oracle { size: size.map(f64::from), radius, layers, is_solid, stands: Vec::new() };
        let [width, height, depth] = size.map(|side| side as i32);
        let cells = (0..width * height * depth).map(|n| [n % width, n / width % height, n / width / height]);
        let stands = |cell: [i32; 3]| !is_solid(cell) && oracle.distance(cell.map(f64::from)) >= radius;
        oracle.stands = cells.map(stands).collect();
        oracle
    }

    /// A point of the world in cells; snapped to halves of a cell if asked for.
    fn point(&self, (shares, is_snapped): Pick) -> [f64; 3] {
        let at = [0, 1, 2].map(|axis| shares[axis] * self.size[axis] - 0.5);
        let at = if is_snapped { at.map(|part| (2.0 * part).round() / 2.0) } else { at };
        if self.layers == 0 { [at[0], at[1], 0.0] } else { at }
    }

    fn distance(&self, at: [f64; 3]) -> f64 {
        distance_at(at, self.radius.max(0.5), self.layers, &|cell| (self.is_solid)(cell))
    }

    /// Whether an agent can stand in the middle of a cell.
    fn stands(&self, [x, y, z]: [i32; 3]) -> bool {
        let [width, height, depth] = self.size.map(|side| side as i32);
        let is_inside = (0..width).contains(&x) && (0..height).contains(&y) && (0..depth).contains(&z);
        is_inside && self.stands[((z * height + y) * width + x) as usize]
    }

    /// Whether all cells are open to the agent whose centres are less than `reach` away along each axis.
    fn has_room(&self, at: [f64; 3], reach: f64) -> bool {
        let near = |part: f64| (part - reach).ceil() as i32..=(part + reach).floor() as i32;
        let layers = if self.layers == 0 { 0..=0 } else { near(at[2]) };
        layers.clone().all(|z| near(at[1]).all(|y| near(at[0]).all(|x| self.stands([x, y, z]))))
    }

    /// Checks what is said about a line. `cuts_corners` says that an agent without a radius may pass between cells that touch at a corner.
    fn check(
        &self,
        from: [f64; 3],
        to: [f64; 3],
        cuts_corners: bool,
        clear: bool,
    ) -> Result<(), TestCaseError> {
        let length = (0..3).map(|axis| (to[axis] - from[axis]).powi(2)).sum::<f64>().sqrt();
        let points = (length * POINTS).ceil().max(1.0);
        let mut places = (0..=points as u32).map(|point| {
            let share = f64::from(point) / points;
            [0, 1, 2].map(|axis| from[axis] + (to[axis] - from[axis]) * share)
        });
        if clear && self.radius > 0.0 {
            for at in places {
                let distance = self.distance(at);
                prop_assert!(
                    distance >= self.radius - ROUNDING,
                    "{at:?} is {distance} away, {from:?} {to:?}"
                );
            }
        } else if clear {
            for at in places {
                // A cell is entered if its middle is less than half a cell away along each axis.
                prop_assert!(self.has_room(at, 0.5 - ROUNDING), "{at:?} is in a wall, {from:?} {to:?}");
            }
        } else if !cuts_corners {
            // Something is in the way: a box of centres with a closed corner, or a closed cell, which some point comes close to.
            let reach = if self.radius > 0.0 { 1.0 } else { 0.5 } + 1.0 / POINTS;
            let in_the_way = places.any(|at| !self.has_room(at, reach));
            prop_assert!(in_the_way, "nothing in the way from {from:?} to {to:?}");
        }
        Ok(())
    }

    /// Checks the nearest clear point: the agent can be there, and none of many points nearer is clear.
    fn check_nearest(&self, to: [f64; 3], found: Option<[f64; 3]>) -> Result<(), TestCaseError> {
        let size = self.size.map(|side| side as i32);
        let layers = if self.layers == 0 { 0..1 } else { 0..size[2] };
        let mut cells = layers
            .flat_map(|z| (0..size[1]).flat_map(move |y| (0..size[0]).map(move |x| [x, y, z])))
            .filter(|&cell| self.stands(cell));
        let apart =
            |a: [f64; 3], b: [f64; 3]| (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt();
        let Some(found) = found else {
            prop_assert_eq!(cells.next(), None);
            return Ok(());
        };
        prop_assert!(self.radius == 0.0 || self.distance(found) >= self.radius - ROUNDING, "{:?}", found);
        prop_assert!(self.has_room(found, 0.5 - ROUNDING));
        // Nearer than any centre, than any point between two centres, and than any point between four.
        let distance = apart(to, found);
        for cell in cells {
            for (dy, dx) in [(0, 0), (0, 1), (1, 0), (1, 1), (1, -1)] {
                let there = [cell[0] + dx, cell[1] + dy, cell[2]];
                let beside = [[cell[0] + dx, cell[1], cell[2]], [cell[0], cell[1] + dy, cell[2]], there];
                if !beside.iter().all(|&cell| self.stands(cell)) {
                    continue;
                }
                for share in 0..=4 {
                    let part = f64::from(share) / 4.0;
                    let at = [0, 1, 2].map(|axis| {
                        let (low, high) = (f64::from(cell[axis]), f64::from(there[axis]));
                        low + (high - low) * part
                    });
                    prop_assert!(
                        distance <= apart(to, at) + ROUNDING,
                        "{:?} is nearer to {:?} than {:?}",
                        at,
                        to,
                        found
                    );
                }
            }
        }
        Ok(())
    }
}

fn in_world(frame: &Frame, at: [f64; 3]) -> Point {
    frame.point_at(at.map(|part| part + 0.5))
}

/// A place to pick: shares of the sides of the world, and whether to round to halves of a cell.
type Pick = ([f64; 3], bool);

fn check_grid(world: &GridWorld, frame: Frame, places: &[(Pick, Pick)]) -> Result<(), TestCaseError> {
    let mut grid = world.grid();
    grid.set_frame(frame);
    let view = grid.view(&world.agent);
    let is_solid = |[x, y, _]: [i32; 3]| world.terrain_at(Cell::new(x, y)).is_none_or(|terrain| terrain == 0);
    let oracle = Oracle::new([world.width, world.height, 1], world.agent.radius(), 0, &is_solid);
    for &(from, to) in places {
        let (from, to) = (oracle.point(from), oracle.point(to));
        let [a, b] = [from, to].map(|at| in_world(&frame, at));
        let clear = view.is_clear(a, b);
        prop_assert_eq!(view.is_clear(b, a), clear, "{:?} {:?}", a, b);
        let cuts_corners = matches!(world.agent.moves(), Moves::EightOne | Moves::EightFree);
        oracle.check(from, to, cuts_corners, clear)?;
        let nearest = view.nearest_clear_point(a).map(|point| frame.in_cells(point));
        oracle.check_nearest(from, nearest.map(|[x, y, _]| [x - 0.5, y - 0.5, 0.0]))?;
    }
    Ok(())
}

fn check_voxels(world: &VoxelWorld, frame: Frame, places: &[(Pick, Pick)]) -> Result<(), TestCaseError> {
    let mut voxels = world.voxels();
    voxels.set_frame(frame);
    let view = voxels.view(&world.agent);
    let is_solid = |[x, y, z]: [i32; 3]| world.is_solid(Voxel::new(x, y, z));
    let oracle = Oracle::new(world.size, world.agent.radius(), i32::MAX, &is_solid);
    for &(from, to) in places {
        let (from, to) = (oracle.point(from), oracle.point(to));
        let [a, b] = [from, to].map(|at| in_world(&frame, at));
        let clear = view.is_clear(a, b);
        prop_assert_eq!(view.is_clear(b, a), clear, "{:?} {:?}", a, b);
        oracle.check(from, to, false, clear)?;
        let nearest = view.nearest_clear_point(a).map(|point| frame.in_cells(point).map(|part| part - 0.5));
        oracle.check_nearest(from, nearest)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn lines_on_grids_keep_the_distance_and_no_more(
        mut world in grid_world(), radius in select(RADII.to_vec()), frame in frames(),
        places in vec((place(), place()), 4),
    ) {
        world.links.clear();
        world.agent = world.agent.with_radius(radius).unwrap();
        check_grid(&world, frame, &places)?;
    }

    #[test]
    fn lines_in_space_keep_the_distance_and_no_more(
        mut world in voxel_world(), radius in select(RADII.to_vec()), frame in frames(),
        places in vec((place(), place()), 4),
    ) {
        world.agent = world.agent.with_radius(radius).unwrap();
        check_voxels(&world, frame, &places)?;
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn between_centres_clear_lines_are_those_that_are_seen(
        mut world in voxel_world(), mut map in grid_world(), radius in select(RADII.to_vec()), frame in frames(),
    ) {
        world.agent = world.agent.with_radius(radius).unwrap();
        let mut voxels = world.voxels();
        voxels.set_frame(frame);
        let view = voxels.view(&world.agent);
        let open: Vec<Voxel> = world.cells().filter(|&cell| view.is_open(cell)).step_by(2).collect();
        for (&a, &b) in open.iter().flat_map(|a| open.iter().map(move |b| (a, b))) {
            let seen = view.sees(voxels.node(a).unwrap(), voxels.node(b).unwrap());
            prop_assert_eq!(view.is_clear(frame.voxel_centre(a), frame.voxel_centre(b)), seen, "from {:?} to {:?}", a, b);
        }
        map.agent = map.agent.with_radius(radius).unwrap();
        let mut grid = map.grid();
        grid.set_frame(frame);
        let view = grid.view(&map.agent);
        let open: Vec<Cell> = map.cells().filter(|&cell| view.is_open(cell)).step_by(3).collect();
        for (&a, &b) in open.iter().flat_map(|a| open.iter().map(move |b| (a, b))) {
            let seen = view.sees(grid.node(a).unwrap(), grid.node(b).unwrap());
            prop_assert_eq!(view.is_clear(frame.cell_centre(a), frame.cell_centre(b)), seen, "from {:?} to {:?}", a, b);
        }
    }
}

/// The longest lines that there can be, with all kinds of common divisors.
#[test]
fn long_lines_are_seen_alike() {
    let side = Grid::MAX_SIDE;
    let mut grid = Grid::new(side, 64).unwrap();
    for number in 0..400_u32 {
        let cell = Cell::new((number * 2_654_435 % side) as i32, (number * 40_503 % 64) as i32);
        grid.set(cell, Terrain::WALL).unwrap();
    }
    grid.set_frame(Frame::new(Point::flat(-31_000.0, 70_000.0), 3.7).unwrap());
    let mut seen = [0, 0];
    for radius in [0.0, 0.4] {
        let view = grid.view(&Agent::new().with_radius(radius).unwrap());
        let cells = (0..70_u32).map(|number| {
            let x = if number % 3 == 0 { side - 1 - number } else { number * 7_919 % side };
            Cell::new(x as i32, (number * 31 % 64) as i32)
        });
        let open: Vec<Cell> = cells.filter(|&cell| view.is_open(cell)).collect();
        for (&a, &b) in open.iter().flat_map(|a| open.iter().map(move |b| (a, b))) {
            let expected = view.sees(grid.node(a).unwrap(), grid.node(b).unwrap());
            let clear = view.is_clear(grid.frame().cell_centre(a), grid.frame().cell_centre(b));
            assert_eq!(clear, expected, "{a:?} {b:?}");
            seen[usize::from(clear)] += 1;
        }
    }
    assert!(seen.iter().all(|&lines| lines > 100), "{seen:?}");
}

#[test]
fn senseless_points_are_not_clear() {
    let voxels = Voxels::new(4, 4, 4).unwrap();
    let grid = Grid::new(4, 4).unwrap();
    let middle = Point::new(2.0, 2.0, 2.0);
    for radius in [0.0, 0.5] {
        let agent = Agent::new().with_radius(radius).unwrap();
        let (view, flat) = (voxels.view(&agent), grid.view(&agent));
        assert!(view.is_clear(middle, middle) && flat.is_clear(middle, middle));
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 4.5, -0.5, f64::MAX] {
            let beyond = Point { x, ..middle };
            for (a, b) in [(middle, beyond), (beyond, middle), (beyond, beyond)] {
                assert!(!view.is_clear(a, b) && !flat.is_clear(a, b), "{x}");
            }
            assert_eq!(view.nearest_clear_point(beyond).is_some(), x.is_finite());
            assert_eq!(flat.nearest_clear_point(beyond).is_some(), x.is_finite());
        }
    }
    let solid = Voxels::from_solid([3, 3, 3], Voxels::new(3, 3, 3).unwrap().cells()).unwrap();
    assert_eq!(solid.view(&Agent::default()).nearest_clear_point(middle), None);
}
