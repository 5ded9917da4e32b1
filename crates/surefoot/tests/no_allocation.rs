//! A finder that has answered a question answers the next without allocating, and holds little memory.

use std::alloc::System;
use std::sync::{Mutex, PoisonError};

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use surefoot::field::{Extent, FlowField, Goal, Update};
use surefoot::flight::{Fleet, FlyerId, PilotSpec, State};
use surefoot::frame::Mode;
use surefoot::obstacle::{Pose, Rotation, Shape, Voxeliser};
use surefoot::prelude::*;
use surefoot::replan::Planner;
use surefoot::search::Queue;
use surefoot::service::{PathAnswer, PathService, RequestSpec, ServiceSpec};
use surefoot::world::dynamic::{DynamicWorld, ObstacleId};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A map with some walls: every seventh cell, and a bar across with gaps at both ends.
fn map(side: u32, terrain: impl Fn(u32, u32) -> u8) -> Grid {
    let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let is_wall = |x: u32, y: u32| (x * 3 + y * 5).is_multiple_of(7) && (x + y).is_multiple_of(3);
    let bar = |x: u32, y: u32| y == side / 2 && x > 1 && x < side - 2;
    let terrain = cells.map(|(x, y)| if is_wall(x, y) || bar(x, y) { 0 } else { terrain(x, y) });
    Grid::from_terrain(side, side, &terrain.collect::<Vec<u8>>()).unwrap()
}

/// The counters are shared by all threads, so only one test may run at a time.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn fields_are_computed_and_repaired_in_their_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let agent = Agent::default();
    for mut grid in [map(64, |_, _| 1), map(64, |x, y| 1 + ((x * y) % 9) as u8)] {
        let goals = [Goal::at(&grid, Cell::new(1, 1)).unwrap(), Goal::at(&grid, Cell::new(50, 62)).unwrap()];
        let far = grid.node(Cell::new(62, 2)).unwrap();
        let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).step_by(37).collect();
        let mut field = FlowField::default();
        for extent in [Extent::Everything, Extent::Within(Cost::ONE * 20), Extent::OnDemand] {
            // The same edits as later, so that the lists have grown.
            let mut allocations = [0; 3];
            for count in &mut allocations {
                for &cell in &cells {
                    for terrain in [Terrain::WALL, Terrain::FLOOR] {
                        grid.set(cell, terrain).unwrap();
                        let view = grid.view(&agent);
                        let region = Region::new(ALLOCATOR);
                        if cell == cells[0] || cell == cells[7] {
                            field.rebuild(view, &goals, extent).unwrap();
                        } else {
                            assert!(matches!(field.update(view), Ok(Update::Repaired(_) | Update::Rebuilt)));
                        }
                        field.settle(view, &[far]).unwrap();
                        let change = region.change();
                        *count += change.allocations + change.reallocations;
                    }
                }
            }
            // The test harness has a thread of its own that may allocate meanwhile; a field would do it every time.
            assert_eq!(allocations[1].min(allocations[2]), 0, "{extent:?}: {allocations:?}");
        }
    }
}

#[test]
fn the_second_query_allocates_nothing_and_memory_stays_small() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let uniform = map(64, |_, _| 1);
    let weighted = map(64, |x, y| 1 + ((x * y) % 9) as u8);
    let mut linked = uniform.clone();
    linked.add_link(Cell::new(3, 3), Cell::new(60, 60), Cost::ONE).unwrap();
    linked.add_link(Cell::new(60, 3), Cell::new(3, 61), Cost::ONE).unwrap();
    let settings = [
        ("astar", Some(Queue::Buckets)),
        ("astar", Some(Queue::Heap)),
        ("jps", None),
        ("jps_plus", None),
        ("subgoal", None),
        ("first_moves", None),
        ("hpa", None),
        ("weighted_astar", None),
        ("theta", None),
        ("lazy_theta", None),
        ("dijkstra", None),
        ("bidirectional", None),
        // Short of the length from which it takes a second thread: handing over to it may allocate.
        ("parallel_astar", None),
        ("greedy", None),
        ("ida_star", None),
        ("lpa_star", None),
        ("d_star_lite", None),
        ("bfs", None),
        ("dfs", None),
    ];
    let open = |grid: &Grid| grid.cells().filter(|&cell| grid.is_open(cell)).collect::<Vec<Cell>>();
    let mut faults = Vec::new();
    for (name, grid) in [("uniform", &uniform), ("weighted", &weighted), ("with links", &linked)] {
        let view = grid.view(&Agent::default());
        let cells = open(grid);
        let (start, goal) = (cells[5], cells[cells.len() - 5]);
        let several = [cells[cells.len() / 2], goal, cells[cells.len() - 70]];
        for (algorithm, queue) in settings {
            let options = Options { queue, ..Options::default() };
            let mut finder = Pathfinder::named(algorithm, &options).unwrap();
            if finder.algorithm().refusal(view).is_some() {
                continue;
            }
            finder.find(view, start, goal).unwrap();
            finder.find_nearest(view, start, &several).unwrap();
            // The test harness has a thread of its own that may allocate meanwhile; a search would do it every time.
            let changes = std::array::from_fn::<_, 3, _>(|_| {
                let region = Region::new(ALLOCATOR);
                finder.find(view, start, goal).unwrap();
                finder.find_nearest(view, start, &several).unwrap();
                region.change()
            });
            if changes.iter().all(|change| change.allocations + change.reallocations > 0) {
                faults.push(format!("{algorithm} {queue:?} on {name}: {changes:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));

    // A planner that has seen a wall come and go has all the memory it needs for the next time.
    for algorithm in ["lpa_star", "d_star_lite", "basic_mt_d_star_lite", "mt_d_star_lite"] {
        let (mut grid, agent) = (uniform.clone(), Agent::default());
        let cells = open(&grid);
        let ends = [cells[5], cells[cells.len() - 5]];
        let mut planner = Planner::named(algorithm, &Options::default()).unwrap();
        planner.move_goal(grid.view(&agent), ends[1]);
        let mut allocations = Vec::new();
        for round in 0..12 {
            let wall =
                grid.cell(planner.path().nodes().get(9).copied().unwrap_or(grid.node(ends[0]).unwrap()));
            if wall != ends[0] {
                let terrain = if round % 2 == 0 { Terrain::WALL } else { Terrain::FLOOR };
                grid.set(wall, terrain).unwrap();
            }
            let view = grid.view(&agent);
            planner.move_start(view, cells[5 + round % 2]);
            let region = Region::new(ALLOCATOR);
            let _ = planner.replan(view, u64::MAX);
            allocations.push(region.change().allocations);
        }
        // As above, someone else may allocate now and then.
        let late = &allocations[6..];
        assert!(late.iter().filter(|count| **count > 0).count() < 3, "{algorithm}: {allocations:?}");
    }

    voxelisers_reuse_their_memory();
    clones_share_memory();

    // The counter counts.
    let region = Region::new(ALLOCATOR);
    let kept = vec![1_u8; 4000];
    assert!(region.change().bytes_allocated >= kept.len());

    let large = map(512, |_, _| 1);
    let view = large.view(&Agent::default());
    let cells = open(&large);
    let mut finder = Pathfinder::named("astar", &Options::default()).unwrap();
    finder.find(view, cells[0], cells[cells.len() - 1]).unwrap();
    let bytes = finder.stats().scratch_bytes;
    assert!(bytes > 0 && bytes <= 16 * 512 * 512, "{bytes} bytes");
    let region = Region::new(ALLOCATOR);
    drop(finder);
    let freed = region.change().bytes_deallocated as u64;
    assert!(freed >= bytes && freed <= bytes + bytes / 8 + 65_536, "says {bytes}, frees {freed}");
}

/// A shape that has been turned once is turned again in the same memory.
fn voxelisers_reuse_their_memory() {
    let shapes = [
        Shape::cuboid(Point::new(3.0, 2.0, 1.0)),
        Shape::capsule(Point::default(), Point::flat(4.0, 1.0), 1.0),
    ];
    for shape in shapes.map(Result::unwrap) {
        let mut voxeliser = Voxeliser::new(&shape, Frame::default(), [20, 20, 20], 0.5).unwrap();
        let mut allocations = Vec::new();
        for degrees in 0..60 {
            let rotation = Rotation::about(Point::new(1.0, 2.0, 3.0), f64::from(degrees)).unwrap();
            let pose = Pose::new(Point::new(10.0, 9.5, 9.0), rotation).unwrap();
            let region = Region::new(ALLOCATOR);
            let mut cells = 0;
            voxeliser.for_each_run(&pose, &mut |_, _, xs| cells += xs.len());
            allocations.push(region.change().allocations);
            assert!(cells > 20);
        }
        let late = &allocations[30..];
        assert!(late.iter().filter(|count| **count > 0).count() < 5, "{:?}: {allocations:?}", shape.kind());
    }
}

/// Agents that have flown to and fro among a block and a gate for a while do so without allocating, with any number of threads. The journal of
/// the workers' world needs the most time: it grows to 65,536 changes.
#[test]
fn fleets_reuse_their_memory() {
    const PERIOD: usize = 400;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for workers in [0, 1, 2] {
        let mut world = DynamicWorld::new(Voxels::new(60, 12, 12).unwrap());
        let at = |x: f64| Pose::at(Point::new(x, 6.0, 6.0)).unwrap();
        let shapes = [Point::new(1.0, 5.0, 5.0), Point::new(1.0, 3.0, 3.0), Point::new(1.0, 6.0, 6.0)];
        let [block, gate, wall] =
            shapes.map(|half| world.add(Shape::cuboid(half).unwrap(), at(8.0)).unwrap());
        let mut fleet = Fleet::new(world, Mode::Deterministic, workers);
        let ends = [Point::new(1.5, 2.5, 1.5), Point::new(38.5, 9.5, 10.5)];
        for (algorithm, radius) in
            [("d_star_lite", 0.45), ("mt_d_star_lite", 0.45), ("lazy_theta", 0.8), ("astar", 0.45)]
        {
            let agent = Agent::new().with_radius(radius).unwrap();
            let spec = PilotSpec { agent, algorithm, speed: 20.0, ..PilotSpec::new(ends[0], ends[1]) };
            fleet.add(&spec).unwrap();
        }
        let mut is_back = [false; 4];
        let (mut changed, mut taken, mut allocations) = (0, 0, Vec::new());
        for frame in 0..6 * PERIOD {
            let phase = frame % PERIOD;
            let share = phase.min(PERIOD - phase) as f64 / PERIOD as f64;
            let region = Region::new(ALLOCATOR);
            set_pose(&mut fleet, block, at(10.0 + 20.0 * share));
            set_pose(&mut fleet, gate, at(30.0));
            fleet.set_active(gate, frame % 40 < 20);
            // Behind everything; it fills the journal.
            set_pose(&mut fleet, wall, at(50.0));
            fleet.set_active(wall, frame % 8 < 4);
            let report = fleet.tick(1.0 / 60.0);
            for (number, is_back) in (0..).zip(&mut is_back) {
                if fleet.get(FlyerId(number)).unwrap().state() == State::Arrived {
                    *is_back = !*is_back;
                    fleet.set_goal(FlyerId(number), ends[usize::from(!*is_back)]);
                }
            }
            allocations.push(region.change().allocations);
            changed += if frame < 5 * PERIOD { report.changed } else { 0 };
            taken += report.taken;
        }
        assert!(changed > 5 << 14 && taken > 4 * 4 * PERIOD, "{changed} {taken}");
        let late = &allocations[5 * PERIOD..];
        // As above, someone else may allocate now and then.
        let count = late.iter().filter(|count| **count > 0).count();
        assert!(count < 3, "{workers} workers: {count} of {} frames, {late:?}", late.len());
    }
}

fn set_pose(fleet: &mut Fleet, id: ObstacleId, pose: Pose) {
    assert!(fleet.set_pose(id, pose));
}

/// The bytes that are allocated meanwhile; the least of three times, since another thread may allocate something.
fn allocated(mut work: impl FnMut()) -> usize {
    let times = std::array::from_fn::<_, 3, _>(|_| {
        let region = Region::new(ALLOCATOR);
        work();
        region.change().bytes_allocated
    });
    times.into_iter().min().unwrap()
}

/// A clone of a world with a long history takes little, and so does the first edit of either.
fn clones_share_memory() {
    const LITTLE: usize = 16 << 10;
    let edits = 30_000;
    let (mut grid, mut voxels) = (map(256, |_, _| 1), Voxels::new(64, 64, 64).unwrap());
    let mut builder = Waypoints::builder();
    let nodes: Vec<NodeId> = (0..2000).map(|x| builder.node(Point::flat(f64::from(x), 0.0))).collect();
    let roads: Vec<_> =
        nodes.windows(2).map(|pair| builder.one_way(pair[0], pair[1], Cost::ONE, EdgeKind::Road)).collect();
    let mut graph = builder.build().unwrap();
    for edit in 0..edits {
        let cost = Some(Cost::from_units(30_000 + edit % 2));
        graph.set_edge(roads[edit as usize / 2 % roads.len()], cost).unwrap();
        let cell = Cell::new(edit as i32 / 2 % 256, 200);
        grid.set(cell, Terrain::new(1 + (edit % 2) as u8)).unwrap();
        voxels.set(Voxel::new(edit as i32 / 2 % 64, 9, 9), edit % 2 == 0).unwrap();
    }
    let all: Vec<_> = grid.cells().filter(|cell| cell.y == 200).map(|cell| (cell, Terrain::FLOOR)).collect();
    grid.set_many(all).unwrap();
    for (name, bytes) in [
        ("grid", allocated(|| drop(grid.clone()))),
        ("voxels", allocated(|| drop(voxels.clone()))),
        ("waypoints", allocated(|| drop(graph.clone()))),
    ] {
        assert!(bytes < LITTLE, "a clone of {name} takes {bytes} bytes");
    }

    // The first edit of a copy takes a few pages of each list: cells, neighbours, components and the planes of jumps.
    let side = 1_000;
    let grid = Grid::new(side, side).unwrap();
    let view = grid.view(&Agent::default());
    let ends = [Cell::new(255, 255), Cell::new(250, 255)];
    Pathfinder::named("jps", &Options::default()).unwrap().find(view, ends[0], ends[1]).unwrap();
    let cells = side as usize * side as usize;
    assert!(grid.memory_bytes() > 10 * cells);
    let bytes = allocated(|| grid.clone().set(Cell::new(200, 200), Terrain::WALL).unwrap());
    assert!(bytes < cells / 2, "the first edit of a clone takes {bytes} bytes");
}

/// A service that has answered requests for a while answers others without allocating, with any number of threads.
#[test]
fn services_reuse_their_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let grid = map(64, |x, y| u8::from((x + 3 * y) % 11 != 0));
    let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_open(cell)).collect();
    for workers in [0, 2] {
        let mut service = PathService::new(ServiceSpec { workers, ..ServiceSpec::default() });
        let (mut answer, mut allocations, mut answered) = (PathAnswer::default(), Vec::new(), 0);
        for tick in 0..600_usize {
            let region = Region::new(ALLOCATOR);
            for number in 0..12 {
                let [from, to] =
                    [7, 13].map(|prime| cells[(tick % 50 * 311 + number / 2 * prime * 29) % cells.len()]);
                let goals = [Place::Cell(to)];
                let priority = (number % 3) as u8;
                let request = RequestSpec { priority, watch: number == 5, ..RequestSpec::new(from, &goals) };
                let ticket = service.request(&request).unwrap();
                if number == 9 {
                    service.cancel(ticket).unwrap();
                }
            }
            service.tick(grid.view(&Agent::default()), 4000).unwrap();
            while let Some(ticket) = service.next_into(&mut answer) {
                answered += 1;
                // Only those that are watched are left.
                let _ = service.cancel(ticket);
            }
            allocations.push(region.change().allocations);
        }
        assert!(answered > 6000, "{answered}");
        let late = &allocations[300..];
        // As above, someone else may allocate now and then.
        let count = late.iter().filter(|count| **count > 0).count();
        assert!(count < 3, "{workers} workers: {count} of {} ticks, {late:?}", late.len());
    }
}
