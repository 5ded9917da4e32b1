//! Lines of sight, and the searches that use them: free by definition, never longer than A*, close to the optimum.

use crate::common::cases;
use crate::common::distance::closest_approach;
use crate::common::oracle::Oracle;
use crate::common::worlds::{Built, GridWorld, RADII, VoxelWorld, World, grid_world, voxel_world};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseError;
use surefoot::graph::Graph;
use surefoot::graph::Sight;
use surefoot::path::Path;
use surefoot::prelude::*;
use surefoot::smooth::smooth;
use surefoot::world::any::WorldKind;

const ALGORITHMS: [&str; 2] = ["theta", "lazy_theta"];

/// A map of one terrain without links.
fn level(mut world: GridWorld) -> GridWorld {
    world.terrain.iter_mut().for_each(|terrain| *terrain = u8::from(*terrain > 0));
    GridWorld { links: Vec::new(), ..world }
}

/// A level map with an agent that measures in lengths.
fn level_world() -> impl Strategy<Value = GridWorld> {
    grid_world().prop_map(level).prop_map(|world| {
        let agent = world.agent.with_metric(Metric::EUCLIDEAN);
        GridWorld { agent, ..world }
    })
}

/// The definition of a free line for a round agent, with fractions: each unit box of cell centres that the line passes, along as many axes
/// as the line goes, has only open corners.
fn is_free_round<const N: usize>(open: impl Fn([i32; N]) -> bool, a: [i32; N], b: [i32; N]) -> bool {
    let side = |axis: usize| i64::from(b[axis] - a[axis]);
    let moving: Vec<usize> = (0..N).filter(|&axis| side(axis) != 0).collect();
    let boxes: i64 = moving.iter().map(|&axis| side(axis).abs()).product();
    (0..boxes).all(|mut number| {
        // How far the near corner of the box is from the start, along each axis on which the line goes.
        let mut near = [0_i64; N];
        for &axis in &moving {
            near[axis] = number % side(axis).abs();
            number /= side(axis).abs();
        }
        // From `near / side` to `(near + 1) / side` of the line it is beside the box along an axis: each begins before each other ends.
        let passes = moving.iter().all(|&first| {
            moving
                .iter()
                .all(|&second| near[first] * side(second).abs() < (near[second] + 1) * side(first).abs())
        });
        !passes
            || (0..1_usize << moving.len()).all(|corner| {
                let mut cell = a;
                for (bit, &axis) in moving.iter().enumerate() {
                    let far = near[axis] + (corner >> bit & 1) as i64;
                    cell[axis] += (far * side(axis).signum()) as i32;
                }
                open(cell)
            })
    })
}

/// The definition of a free line for an agent without a radius, with fractions: `stands` says where the agent can stand.
fn is_free(moves: Moves, stands: impl Fn(Cell) -> bool, a: Cell, b: Cell) -> bool {
    let (dx, dy) = (i64::from(b.x - a.x), i64::from(b.y - a.y));
    let columns = || a.x.min(b.x)..=a.x.max(b.x);
    let rows = || a.y.min(b.y)..=a.y.max(b.y);
    // All in halves of a cell, with the start as the origin. From where to where along the line, in parts of `2 |d|`, a
    // coordinate is inside a cell; `None` if always or never.
    let inside = |d: i64, cell: i64| match d {
        0 => None,
        _ => Some([(2 * cell - 1) * d.signum(), (2 * cell + 1) * d.signum()])
            .map(|[p, q]| (p.min(q), p.max(q), 2 * d.abs())),
    };
    let passes = |cell: Cell| {
        let (cx, cy) = (i64::from(cell.x - a.x), i64::from(cell.y - a.y));
        let spans = [inside(dx, cx), inside(dy, cy), Some((0, 1, 1))];
        // Some part of the line is inside both ways: each span begins before each other ends.
        spans.iter().flatten().all(|&(begin, _, scale)| {
            spans.iter().flatten().all(|&(_, end, other)| begin * other < end * scale)
        })
    };
    let cells_are_open =
        rows().all(|y| columns().all(|x| !passes(Cell::new(x, y)) || stands(Cell::new(x, y))));
    let corners_are_open = rows().take(rows().count() - 1).all(|y| {
        columns().take(columns().count() - 1).all(|x| {
            // The corner of four cells, twice as large.
            let (px, py) = (i64::from(2 * (x - a.x) + 1), i64::from(2 * (y - a.y) + 1));
            if px * dy != py * dx {
                return true;
            }
            let four = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map(|(x, y)| Cell::new(x, y));
            let open = four.into_iter().filter(|&cell| !passes(cell) && stands(cell)).count();
            match moves {
                Moves::Four | Moves::Eight => open == 2,
                Moves::EightOne => open > 0,
                Moves::EightFree => true,
            }
        })
    });
    cells_are_open && corners_are_open
}

/// The same in space: every cell that the line touches is open.
fn is_free_in_space(open: impl Fn(Voxel) -> bool, a: Voxel, b: Voxel) -> bool {
    let coordinates = |voxel: Voxel| [voxel.x, voxel.y, voxel.z].map(i64::from);
    let (from, to) = (coordinates(a), coordinates(b));
    let touches = |voxel: Voxel| {
        let cell = coordinates(voxel);
        // From where to where along the line, in parts of the third number, a coordinate is in the closed cell.
        let mut spans = vec![(0, 1, 1)];
        for axis in 0..3 {
            let (d, at) = (to[axis] - from[axis], cell[axis] - from[axis]);
            let (p, q) = ((2 * at - 1) * d.signum(), (2 * at + 1) * d.signum());
            if d != 0 {
                spans.push((p.min(q), p.max(q), 2 * d.abs()));
            }
        }
        let meets = |&(begin, _, scale): &(i64, i64, i64)| {
            spans.iter().all(|&(_, end, other)| begin * other <= end * scale)
        };
        spans.iter().all(meets)
    };
    let span = |p: i32, q: i32| p.min(q)..=p.max(q);
    span(a.z, b.z).all(|z| {
        span(a.y, b.y)
            .all(|y| span(a.x, b.x).map(|x| Voxel::new(x, y, z)).all(|voxel| !touches(voxel) || open(voxel)))
    })
}

/// Pieces of a map that are small enough to look at all pairs.
fn cut(world: GridWorld) -> GridWorld {
    let (width, height) = (world.width, world.height.min(320 / world.width).max(1));
    let terrain = world.terrain[..(width * height) as usize].to_vec();
    GridWorld { width, height, terrain, ..world }
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn sight_is_what_its_definition_says(world in level_world().prop_map(cut)) {
        let grid = world.grid();
        let view = grid.view(&world.agent);
        let open: Vec<Cell> = grid.cells().filter(|&cell| view.is_open(cell)).collect();
        for &a in &open {
            for &b in &open {
                let [from, to] = [a, b].map(|cell| grid.node(cell).unwrap());
                let free = if world.agent.radius() > 0.0 {
                    is_free_round(|[x, y]| view.is_open(Cell::new(x, y)), [a.x, a.y], [b.x, b.y])
                } else {
                    is_free(world.agent.moves(), |cell| view.is_open(cell), a, b)
                };
                prop_assert_eq!(view.sees(from, to), free, "from {:?} to {:?}", a, b);
            }
        }
    }

    #[test]
    fn leaps_are_lines_that_are_free_and_lead_back(world in level_world()) {
        let grid = world.grid();
        let view = grid.view(&world.agent);
        let mut leaps = Vec::new();
        for cell in grid.cells().filter(|&cell| view.is_open(cell)) {
            let node = grid.node(cell).unwrap();
            view.for_each_leap(node, |to| leaps.push((node, to)));
        }
        let set: std::collections::BTreeSet<_> = leaps.iter().copied().collect();
        prop_assert_eq!(set.len(), leaps.len());
        for &(from, to) in &leaps {
            let mut is_step = false;
            view.for_each_edge(from, |next, _| is_step |= next == to);
            prop_assert!(view.sees(from, to) && set.contains(&(to, from)) && !is_step, "{from:?} {to:?}");
        }
    }

    #[test]
    fn sight_in_space_is_what_its_definition_says(world in voxel_world()) {
        let voxels = world.voxels();
        let view = voxels.view(&world.agent);
        let open: Vec<Voxel> = world.cells().filter(|&voxel| view.is_open(voxel)).step_by(2).collect();
        for &a in &open {
            for &b in &open {
                let [from, to] = [a, b].map(|voxel| voxels.node(voxel).unwrap());
                let free = if world.agent.radius() > 0.0 {
                    let open = |[x, y, z]: [i32; 3]| view.is_open(Voxel::new(x, y, z));
                    is_free_round(open, [a.x, a.y, a.z], [b.x, b.y, b.z])
                } else {
                    is_free_in_space(|voxel| view.is_open(voxel), a, b)
                };
                prop_assert_eq!(view.sees(from, to), free, "from {:?} to {:?}", a, b);
            }
        }
    }

    /// Few cells are solid, so that lines reach far along each axis.
    #[test]
    fn long_lines_of_round_agents_are_what_their_definition_says(
        long in 50..190_i32, short in [1..6_i32, 1..6_i32], turn in 0..3_usize,
        solid in prop::collection::vec(any::<[u16; 3]>(), 0..4),
        ends in prop::collection::vec(any::<[[u16; 3]; 2]>(), 60),
    ) {
        let mut size = [long, short[0], short[1]];
        size.rotate_right(turn);
        let place = |at: [u16; 3]| {
            let [x, y, z] = std::array::from_fn(|axis| i32::from(at[axis]) % size[axis]);
            Voxel::new(x, y, z)
        };
        let voxels = Voxels::from_solid(size.map(|side| side as u32), solid.into_iter().map(place)).unwrap();
        let view = voxels.view(&Agent::new().with_radius(0.5).unwrap());
        for [a, b] in ends.into_iter().map(|ends| ends.map(place)) {
            if view.is_open(a) && view.is_open(b) {
                let open = |[x, y, z]: [i32; 3]| view.is_open(Voxel::new(x, y, z));
                let free = is_free_round(open, [a.x, a.y, a.z], [b.x, b.y, b.z]);
                let [from, to] = [a, b].map(|voxel| voxels.node(voxel).unwrap());
                prop_assert_eq!(view.sees(from, to), free, "from {:?} to {:?}", a, b);
            }
        }
    }

    #[test]
    fn steps_in_space_are_lines_that_are_free(world in voxel_world()) {
        let voxels = world.voxels();
        let view = voxels.view(&world.agent);
        for voxel in world.cells().filter(|&voxel| view.is_open(voxel)) {
            let node = voxels.node(voxel).unwrap();
            let mut wrong = None;
            view.for_each_edge(node, |to, cost| {
                if !view.sees(node, to) || view.line(node, to) != cost {
                    wrong = Some(to);
                }
            });
            prop_assert_eq!(wrong, None);
        }
    }

    #[test]
    fn steps_are_lines_that_are_free(world in level_world()) {
        let grid = world.grid();
        let view = grid.view(&world.agent);
        for cell in grid.cells().filter(|&cell| view.is_open(cell)) {
            let node = grid.node(cell).unwrap();
            let mut wrong = None;
            view.for_each_edge(node, |to, cost| {
                if !view.sees(node, to) || !view.sees(to, node) || view.line(node, to) != cost {
                    wrong = Some(to);
                }
            });
            prop_assert_eq!(wrong, None);
        }
    }
}

/// Everything that holds of a path found at any angle or smoothed, which is at most `most` long.
fn check_path(
    (world, built): (&World, &Built),
    [start, goal]: [NodeId; 2],
    path: &Path,
    most: f64,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(built.judge(start, &[goal], path), Ok(()), "{:?}", path);
    check_distance(world, path)?;
    prop_assert!(path.is_any_angle());
    // Diagonals in units are a little longer than they are, so a tie in units may be none.
    prop_assert!(path.length() <= most * (1.0 + 1e-7), "{path:?} is longer than {most}");
    Ok(())
}

/// No point of a path is closer to a solid cell than the agent's radius.
fn check_distance(world: &World, path: &Path) -> Result<(), TestCaseError> {
    let radius = match world {
        World::Grid(world) => world.agent.radius(),
        World::Voxels(world) => world.agent.radius(),
        World::Graph(_) => 0.0,
    };
    if radius > 0.0 {
        let closest = closest_approach(world, path.nodes());
        prop_assert!(closest >= radius - 1e-9, "{closest} from a solid cell, radius {radius}: {path:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(2500))]

    #[test]
    fn steps_keep_the_distance_of_the_radius(
        world in prop_oneof![level_world().prop_map(World::Grid), voxel_world().prop_map(World::Voxels)],
        start: u16,
        goal: u16,
    ) {
        let (built, oracle) = (world.build(), Oracle::of(&world));
        let Some((start, goal)) = oracle.some_ends(start, goal) else { return Ok(()) };
        for algorithm in ["astar", "jps", "jps3", "dijkstra", "d_star_lite"] {
            let mut finder = Pathfinder::named(algorithm, &Options::default()).unwrap();
            if let Ok(path) = finder.find(built.view(), start, goal) {
                prop_assert_eq!(built.judge(start, &[goal], path), Ok(()), "{}", algorithm);
                check_distance(&world, path)?;
            }
        }
    }

    #[test]
    fn no_path_is_longer_than_that_of_astar_and_all_are_valid(
        world in level_world(), radius in select(RADII.to_vec()), start: u16, goal: u16,
    ) {
        let agent = world.agent.with_radius(radius).unwrap();
        check_searches(&World::Grid(GridWorld { agent, ..world }), [start, goal], 1.0)?;
    }

    #[test]
    fn no_path_in_space_is_longer_than_that_of_astar_and_all_are_valid(
        world in voxel_world(), radius in select(RADII.to_vec()), start: u16, goal: u16,
    ) {
        let agent = world.agent.with_radius(radius).unwrap();
        check_searches(&World::Voxels(VoxelWorld { agent, ..world }), [start, goal], 1.0)?;
    }

    #[test]
    fn a_weight_keeps_within_its_factor(
        world in prop_oneof![level_world().prop_map(World::Grid), voxel_world().prop_map(World::Voxels)],
        start: u16,
        goal: u16,
        weight in 1.0..3.0,
    ) {
        check_searches(&world, [start, goal], weight)?;
    }
}

/// Asks for a path between two places by random numbers, and compares with A*.
fn check_searches(world: &World, ends: [u16; 2], weight: f64) -> Result<(), TestCaseError> {
    let (built, oracle) = (world.build(), Oracle::of(world));
    let Some((start, goal)) = oracle.some_ends(ends[0], ends[1]) else { return Ok(()) };
    let (view, ends) = (built.view(), [start, goal]);
    let mut astar = Pathfinder::named("astar", &Options::default()).unwrap();
    let steps = astar.find(view, start, goal).cloned();
    for algorithm in ALGORITHMS {
        let options = Options { weight: Some(weight), ..Options::default() };
        let mut finder = Pathfinder::named(algorithm, &options).unwrap();
        match (finder.find(view, start, goal).cloned(), &steps) {
            (Ok(path), Ok(steps)) => {
                // In space the lazy search leaves out steps, so that it may miss what A* finds.
                let compares = !(algorithm == "lazy_theta" && matches!(view, View::Voxels(_)));
                let most = if compares { steps.length() * weight } else { f64::INFINITY };
                check_path((world, &built), ends, &path, most * if weight > 1.0 { 1.001 } else { 1.0 })?;
                prop_assert!(
                    !compares || weight > 1.0 || path.units() <= steps.units(),
                    "{algorithm}: {path:?}"
                );
                prop_assert!(finder.visit(goal).unwrap().g >= path.units());
                check_path((world, &built), ends, &smooth(view, &path), path.length())?;
            }
            (found, steps) => prop_assert_eq!(found.err(), steps.as_ref().err().copied()),
        }
    }
    if let Ok(steps) = steps {
        check_path((world, &built), ends, &smooth(view, &steps), steps.length())?;
    }
    Ok(())
}

/// Numbers that look random (Steele, Lea, Flood, *Fast Splittable Pseudorandom Number Generators*, 2014).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(bound)) as u32
    }
}

/// The lengths of the shortest ways from a cell to all others, in straight lines between the middles of open cells: Dijkstra over
/// everything that is in sight of each other.
fn shortest(moves: Moves, grid: &GridView<'_>, open: &[Cell], start: usize) -> Vec<f64> {
    let mut lengths = vec![f64::INFINITY; open.len()];
    let mut settled = vec![false; open.len()];
    lengths[start] = 0.0;
    while let Some(at) = (0..open.len())
        .filter(|&at| !settled[at] && lengths[at].is_finite())
        .min_by(|&a, &b| lengths[a].total_cmp(&lengths[b]))
    {
        settled[at] = true;
        for to in (0..open.len()).filter(|&to| !settled[to]).collect::<Vec<_>>() {
            let line = f64::from(open[at].x - open[to].x).hypot(f64::from(open[at].y - open[to].y));
            if lengths[at] + line < lengths[to]
                && is_free(moves, |cell| grid.is_open(cell), open[at], open[to])
            {
                lengths[to] = lengths[at] + line;
            }
        }
    }
    lengths
}

/// How much longer than the shortest path at any angle paths are, on average over small maps with few walls (5 to 14 % of the cells), with
/// more (20 to 29 %) and with many (35 to 44 %).
#[test]
fn paths_are_close_to_the_shortest_at_any_angle() {
    for (moves, share) in Moves::ALL.into_iter().flat_map(|moves| [5, 20, 35].map(|share| (moves, share))) {
        let mut numbers = Numbers(6);
        let (mut sums, mut worst, mut queries) = ([0.0; 4], [1.0_f64; 4], 0.0);
        for _ in 0..40 {
            let (width, height) = (8 + numbers.below(9), 8 + numbers.below(9));
            let share = share + numbers.below(10);
            let terrain: Vec<u8> =
                (0..width * height).map(|_| u8::from(numbers.below(100) >= share)).collect();
            let grid = Grid::from_terrain(width, height, &terrain).unwrap();
            let view = grid.view(&Agent::new().with_moves(moves));
            let open: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
            let start = numbers.below(open.len() as u32) as usize;
            let lengths = shortest(moves, &view, &open, start);
            let mut finders = ["theta", "lazy_theta", "astar"]
                .map(|name| Pathfinder::named(name, &Options::default()).unwrap());
            for (goal, optimum) in open.iter().zip(lengths).filter(|(_, optimum)| optimum.is_normal()) {
                let [theta, lazy, astar] =
                    finders.each_mut().map(|finder| finder.find(view, open[start], *goal).unwrap());
                let found = [theta.length(), lazy.length(), smooth(view, astar).length(), astar.length()];
                for (index, ratio) in found.map(|length| length / optimum).into_iter().enumerate() {
                    assert!(
                        ratio > 1.0 - 1e-9,
                        "a path from {start} to {goal:?} is shorter than the shortest"
                    );
                    sums[index] += ratio;
                    worst[index] = worst[index].max(ratio);
                }
                queries += 1.0;
            }
        }
        let means = sums.map(|sum| sum / queries);
        println!(
            "{queries} queries with rule {moves} on maps with {share} % walls and more: theta, lazy_theta, astar \
             smoothed, astar: mean {means:.4?}, worst {worst:.3?}"
        );
        assert!(queries > 1500.0 && means[0] <= 1.005 && means[1] <= 1.01, "{means:?}");
        assert!(means[2] < means[3]);
    }
}

/// How often paths that the lazy search finds in space, in jumps, are longer than those of A*, and how long they are compared with those
/// of Theta*.
#[test]
fn lazy_paths_in_space_are_seldom_longer_than_those_of_astar() {
    for share in [3, 12, 25, 40] {
        let mut numbers = Numbers(7);
        let (mut sums, mut longer, mut worst, mut queries) = ([0.0; 3], 0, 1.0_f64, 0);
        for _ in 0..60 {
            let [x, y, z] = [0; 3].map(|_| 5 + numbers.below(12));
            let cells = (0..x * y * z).map(|index| (index % x, index / x % y, index / x / y));
            let solid = cells.filter(|_| numbers.below(100) < share);
            let solid: Vec<Voxel> = solid.map(|(x, y, z)| Voxel::new(x as i32, y as i32, z as i32)).collect();
            let voxels = Voxels::from_solid([x, y, z], solid).unwrap();
            let view = voxels.view(&Agent::default());
            let mut finders = ["astar", "theta", "lazy_theta"]
                .map(|name| Pathfinder::named(name, &Options::default()).unwrap());
            for _ in 0..60 {
                let [from, to] = [0; 2]
                    .map(|_| [x, y, z].map(|side| numbers.below(side) as i32))
                    .map(|[x, y, z]| Voxel::new(x, y, z));
                let found = finders.each_mut().map(|finder| finder.find(view, from, to).map(Path::length));
                let [Ok(astar), Ok(theta), Ok(lazy)] = found else {
                    assert!(found.iter().all(Result::is_err), "{found:?}");
                    continue;
                };
                queries += 1;
                longer += u32::from(lazy > astar * (1.0 + 1e-7));
                worst = worst.max(lazy / astar.max(1.0));
                sums.iter_mut().zip([astar, theta, lazy]).for_each(|(sum, length)| *sum += length);
            }
        }
        let [astar, theta, lazy] = sums;
        println!(
            "{queries} queries in worlds with {share} % solid cells: lazy_theta longer than astar {longer} times, at most {worst:.4} times \
             as long; all in all astar {:.4}, lazy_theta {:.4} times as long as theta",
            astar / theta,
            lazy / theta
        );
        assert!(
            queries > 500
                && lazy < astar
                && lazy < 1.02 * theta
                && f64::from(longer) < 0.02 * f64::from(queries)
        );
    }
}

#[test]
fn where_lines_have_no_price_the_searches_refuse_and_smoothing_changes_nothing() {
    let meadow: Grid = "..4\n...".parse().unwrap();
    let mut tunnel = Grid::new(9, 9).unwrap();
    tunnel.add_link(Cell::new(0, 0), Cell::new(8, 8), Cost::ONE).unwrap();
    for grid in [meadow, tunnel] {
        let view = grid.view(&Agent::default());
        for algorithm in ALGORITHMS {
            let mut finder = Pathfinder::named(algorithm, &Options::default()).unwrap();
            let refused = finder.find(view, Cell::new(0, 0), Cell::new(2, 1)).err();
            assert_eq!(refused, Some(Why::NotApplicable));
        }
        let mut finder = Pathfinder::default();
        let path = finder.find(view, Cell::new(0, 1), Cell::new(2, 0)).unwrap();
        assert_eq!(smooth(view, path), *path);
    }
}

/// One solid cell beside a long line, which passes it at less than a tenth of a cell.
#[test]
fn a_round_agent_goes_around_a_cell_that_a_thin_one_grazes() {
    let voxels = Voxels::from_solid([12, 3, 3], [Voxel::new(7, 0, 1)]).unwrap();
    let mut grid = Grid::new(12, 3).unwrap();
    grid.set(Cell::new(7, 0), Terrain::WALL).unwrap();
    for algorithm in ALGORITHMS {
        let mut finder = Pathfinder::named(algorithm, &Options::default()).unwrap();
        for (radius, steps) in [(0.0, 1), (0.1, 2), (0.5, 2)] {
            let agent = Agent::new().with_radius(radius).unwrap();
            let (from, to) = (Voxel::new(0, 0, 1), Voxel::new(11, 1, 1));
            let path = finder.find(voxels.view(&agent), from, to).unwrap();
            assert_eq!(path.steps(), steps, "{algorithm} in space, radius {radius}");
            let (from, to) = (Cell::new(0, 0), Cell::new(11, 1));
            let path = finder.find(grid.view(&agent), from, to).unwrap();
            assert_eq!(path.steps(), steps, "{algorithm} on a grid, radius {radius}");
        }
    }
}

/// A diagonal step past a solid corner, by every search that can be asked on a grid.
#[test]
fn round_agents_never_cut_corners() {
    let grid: Grid = ".#\n..".parse().unwrap();
    let (from, to) = (Cell::new(0, 0), Cell::new(1, 1));
    let exact = surefoot::algorithms::ALGORITHMS
        .iter()
        .filter(|it| it.optimal && it.worlds.contains(&WorldKind::Grid));
    for (algorithm, moves) in
        exact.flat_map(|it| [Moves::EightOne, Moves::EightFree].map(|moves| (it, moves)))
    {
        let steps = |radius: f64| {
            let view = grid.view(&Agent::new().with_moves(moves).with_radius(radius).unwrap());
            let mut finder = Pathfinder::named(algorithm.name, &Options::default()).unwrap();
            finder.find(view, from, to).map(Path::steps)
        };
        assert_eq!((steps(0.0), steps(0.2)), (Ok(1), Ok(2)), "{} {moves}", algorithm.name);
    }
    let gap: Grid = ".#\n#.".parse().unwrap();
    let view =
        |radius: f64| gap.view(&Agent::new().with_moves(Moves::EightFree).with_radius(radius).unwrap());
    let mut finder = Pathfinder::default();
    assert_eq!(finder.find(view(0.0), from, to).map(Path::steps), Ok(1));
    assert_eq!(finder.find(view(0.3), from, to).err(), Some(Why::TooNarrow));
}
