//! The suite `voxel`: searches through the benchmark voxel worlds, ours and others', in turn, on one thread.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use pathfinding::prelude::astar;
use surefoot::formats::{scenario_in_space, voxel_map};
use surefoot::path::Path as Route;
use surefoot::prelude::{Agent, Algorithm, Cost, NodeId, Options, Pathfinder, Voxel, VoxelView, Voxels};
use surefoot::search::ALGORITHMS;
use surefoot::validate::{self, Claim};
use surefoot::world::view::WorldKind;

use crate::grid_suite::{Answer, MapRecord, Record, Verdict};
use crate::maps;

/// Scenario files print some optima with two decimals only.
const TOLERANCE: f64 = 0.01;

/// Remembers no cells; works on several threads; and searches that live, which a single question does not show at their best.
fn is_left_out(algorithm: &Algorithm) -> bool {
    ["ida_star", "parallel_astar", "dijkstra"].contains(&algorithm.name) || algorithm.incremental
}

/// A world with its queries.
pub struct VoxelMap {
    name: String,
    voxels: Voxels,
    queries: Vec<Query>,
}

/// One query.
#[derive(Clone, Copy)]
struct Query {
    from: Voxel,
    to: Voxel,
    /// `None` if there is no way.
    optimum: Option<f64>,
}

/// Every voxel map of a folder that has queries beside it, in subfolders too, in the order of their paths.
pub fn load_all(folder: &Path, every: NonZeroUsize) -> Result<Vec<VoxelMap>> {
    let load = |name: String, map: &Path, scenarios: &Path| load(name, map, scenarios, every);
    maps::load_pairs(folder, "3dmap", "3dscen", load)
}

fn load(name: String, map: &Path, scenarios: &Path, every: NonZeroUsize) -> Result<VoxelMap> {
    let read = |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
    let voxels = voxel_map::read(&read(map)?).with_context(|| map.display().to_string())?;
    let scenario =
        scenario_in_space::read(&read(scenarios)?).with_context(|| scenarios.display().to_string())?;
    let mut dijkstra = Pathfinder::named("dijkstra", &Options::default())?;
    let view = voxels.view(&Agent::default())?;
    // Counted from the end, as on grids.
    let chosen = scenario.queries.iter().rev().step_by(every.get()).rev();
    let queries = chosen.map(|query| {
        let (from, to) = (query.start, query.goal);
        let unknown = query.optimal == 0.0 && from != to;
        let optimum =
            if unknown { dijkstra.find(view, from, to).ok().map(Route::cost) } else { Some(query.optimal) };
        Query { from, to, optimum }
    });
    let queries = queries.collect();
    Ok(VoxelMap { name, voxels, queries })
}

/// Someone who finds paths through space.
enum Solver {
    Ours(Box<Pathfinder>),
    /// The crate `pathfinding`, as its documentation poses queries.
    Pathfinding(Option<Vec<[i32; 3]>>),
}

impl Solver {
    fn name(&self) -> String {
        match self {
            Solver::Ours(finder) => format!("surefoot/{}", finder.algorithm().name),
            Solver::Pathfinding(_) => "pathfinding/astar".to_owned(),
        }
    }

    fn is_exact(&self) -> bool {
        match self {
            Solver::Ours(finder) => finder.algorithm().optimal,
            Solver::Pathfinding(_) => true,
        }
    }

    /// Only this is timed.
    fn search(&mut self, view: VoxelView<'_>, open: &Cells, query: &Query) {
        match self {
            Solver::Ours(finder) => {
                let _ = finder.find(view, query.from, query.to);
            }
            Solver::Pathfinding(path) => {
                let [from, to] = [query.from, query.to].map(|voxel| [voxel.x, voxel.y, voxel.z]);
                let found = astar(&from, |at| open.successors(*at), |at| least_cost(*at, to), |at| *at == to);
                *path = found.map(|(path, _)| path);
            }
        }
    }

    fn judge(&self, map: &VoxelMap, query: &Query) -> Verdict {
        let nodes: Option<Vec<NodeId>> = match self {
            Solver::Ours(finder) => finder.outcome().is_found().then(|| finder.path().nodes().to_vec()),
            Solver::Pathfinding(path) => path.as_ref().and_then(|path| {
                path.iter().map(|&[x, y, z]| map.voxels.node(Voxel::new(x, y, z))).collect()
            }),
        };
        let Some(nodes) = nodes else {
            return if query.optimum.is_none() { Verdict::Optimal } else { Verdict::Missed };
        };
        let (Some(start), Some(goal)) = (map.voxels.node(query.from), map.voxels.node(query.to)) else {
            return Verdict::Invalid;
        };
        let (units, cost) = match self {
            Solver::Ours(finder) => (finder.path().units(), finder.path().cost()),
            Solver::Pathfinding(_) => sums(&map.voxels, &nodes),
        };
        let any_angle = !self.is_exact();
        let claim = Claim { start, goals: &[goal], nodes: &nodes, units, cost, length: cost, any_angle };
        if validate::voxel_path(&map.voxels, &Agent::default(), &claim).is_err() {
            return Verdict::Invalid;
        }
        let is_optimal = query.optimum.is_some_and(|optimum| cost <= optimum + TOLERANCE);
        if is_optimal { Verdict::Optimal } else { Verdict::Missed }
    }
}

/// Steps along one, two and three axes, in 32 bits as the peer is fastest with.
const COSTS: [u32; 4] = [0, 192_070, 271_628, 332_675];

fn sums(voxels: &Voxels, nodes: &[NodeId]) -> (Cost, f64) {
    let mut counts = [0_u64; 4];
    for pair in nodes.windows(2) {
        let (a, b) = (voxels.voxel(pair[0]), voxels.voxel(pair[1]));
        counts[usize::from(a.x != b.x) + usize::from(a.y != b.y) + usize::from(a.z != b.z)] += 1;
    }
    let units = (1..4).map(|axes| counts[axes] * u64::from(COSTS[axes])).sum();
    (Cost::from_units(units), (1..4).map(|axes| counts[axes] as f64 * (axes as f64).sqrt()).sum())
}

fn least_cost(a: [i32; 3], b: [i32; 3]) -> u32 {
    let mut apart = [0, 1, 2].map(|axis| a[axis].abs_diff(b[axis]));
    apart.sort_unstable();
    let [near, middle, far] = apart;
    COSTS[1] * (far - middle) + COSTS[2] * (middle - near) + COSTS[3] * near
}

/// What is open, as plain as the peer's documentation would have it, with a border of walls.
struct Cells {
    open: Vec<bool>,
    row: usize,
    layer: usize,
}

impl Cells {
    fn of(voxels: &Voxels) -> Cells {
        let [x, y, z] = voxels.size().map(|side| side as usize + 2);
        let mut cells = Cells { open: vec![false; x * y * z], row: x, layer: x * y };
        for voxel in voxels.cells().filter(|&voxel| voxels.is_open(voxel)) {
            let at = cells.index([voxel.x, voxel.y, voxel.z]);
            cells.open[at] = true;
        }
        cells
    }

    fn index(&self, [x, y, z]: [i32; 3]) -> usize {
        (z + 1) as usize * self.layer + (y + 1) as usize * self.row + (x + 1) as usize
    }

    fn successors(&self, at @ [x, y, z]: [i32; 3]) -> Vec<([i32; 3], u32)> {
        let mut next = Vec::with_capacity(26);
        for [dx, dy, dz] in (0..27).map(|step| [step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1]) {
            let axes = [dx, dy, dz].iter().filter(|&&delta| delta != 0).count();
            let boxed = (1..8).all(|corner| {
                let cell = [x + dx * (corner & 1), y + dy * (corner >> 1 & 1), z + dz * (corner >> 2)];
                cell == at || self.open[self.index(cell)]
            });
            if axes > 0 && boxed {
                next.push(([x + dx, y + dy, z + dz], COSTS[axes]));
            }
        }
        next
    }
}

fn solvers(only: &[String]) -> Result<Vec<Solver>> {
    let ours = ALGORITHMS.iter().filter(|algorithm| {
        algorithm.worlds.contains(&WorldKind::Voxel)
            && (algorithm.optimal || algorithm.any_angle)
            && !is_left_out(algorithm)
    });
    let mut solvers: Vec<Solver> = ours
        .map(|algorithm| Ok(Solver::Ours(Box::new(Pathfinder::new(algorithm, &Options::default())?))))
        .collect::<Result<_>>()?;
    solvers.push(Solver::Pathfinding(None));
    if !only.is_empty() {
        solvers.retain(|solver| only.iter().any(|text| solver.name().contains(text.as_str())));
        ensure!(!solvers.is_empty(), "no solver's name contains {}", only.join(" or "));
    }
    Ok(solvers)
}

/// Runs all solvers on all maps, in turns; the fastest of all rounds counts.
pub fn run(maps: &[VoxelMap], only: &[String], rounds: NonZeroUsize) -> Result<Vec<Record>> {
    let mut solvers = solvers(only)?;
    let queries: usize = maps.iter().map(|map| map.queries.len()).sum();
    let progress = ProgressBar::new((queries * rounds.get() * solvers.len()) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:20} {bar:40} {pos}/{len} queries, {eta} left")?);
    let record = |solver: &Solver| Record {
        solver: solver.name(),
        exact: solver.is_exact(),
        prepare: Duration::ZERO,
        prepared_bytes: 0,
        maps: Vec::new(),
    };
    let mut records: Vec<Record> = solvers.iter().map(record).collect();
    for map in maps.iter().filter(|map| !map.queries.is_empty()) {
        progress.set_message(map.name.clone());
        let view = map.voxels.view(&Agent::default())?;
        let peers = solvers.iter().any(|solver| matches!(solver, Solver::Pathfinding(_)));
        let cells = if peers { Cells::of(&map.voxels) } else { Cells { open: Vec::new(), row: 0, layer: 0 } };
        for (solver, record) in solvers.iter_mut().zip(&mut records) {
            let began = Instant::now();
            solver.search(view, &cells, &map.queries[0]);
            record.prepare += began.elapsed();
            record.maps.push(MapRecord { map: map.name.clone(), answers: Vec::new() });
        }
        for round in 0..rounds.get() {
            let count = solvers.len();
            for turn in 0..count {
                let index = if round % 2 == 0 { turn } else { count - 1 - turn };
                let (solver, record) = (&mut solvers[index], &mut records[index]);
                let Some(MapRecord { answers, .. }) = record.maps.last_mut() else { continue };
                for (number, query) in map.queries.iter().enumerate() {
                    let began = Instant::now();
                    solver.search(view, &cells, query);
                    let time = began.elapsed();
                    let verdict = solver.judge(map, query);
                    match answers.get_mut(number) {
                        None => answers.push(Answer { time, verdict }),
                        Some(answer) => {
                            answer.time = answer.time.min(time);
                            answer.verdict = answer.verdict.max(verdict);
                        }
                    }
                    progress.inc(1);
                }
            }
        }
    }
    progress.finish_and_clear();
    Ok(records)
}
