//! The solvers compared in voxel worlds: ours, and each library used as its documentation recommends.

use std::collections::HashSet;
use std::mem;

use anyhow::{Result, ensure};
use jps::GraphSearch;
use pathfinding::prelude::astar;
use surefoot::algorithms::ALGORITHMS;
use surefoot::prelude::{Agent, Algorithm, Cost, NodeId, Options, Pathfinder, Voxel, VoxelView, Voxels};
use surefoot::validate::{self, Claim};
use surefoot::world::any::WorldKind;

use crate::grid_suite::{TOLERANCE, Verdict};
use crate::voxel_suite::{Query, VoxelMap};

/// A solver for voxel worlds.
pub trait Solver {
    /// `library/algorithm`.
    fn name(&self) -> String;

    /// Returns whether to run it on a world.
    fn takes_on(&self, _voxels: &Voxels) -> bool {
        true
    }

    /// Whether its paths are meant to be as cheap as possible.
    fn is_exact(&self) -> bool {
        true
    }

    /// Builds what the library needs before the first query in a world.
    fn prepare(&mut self, _voxels: &Voxels) {}

    /// Searches, and keeps the path in whatever form the library returns it. Only this is timed.
    fn search(&mut self, view: VoxelView<'_>, query: &Query);

    /// The path that the last search found, cell by cell.
    fn path(&self, voxels: &Voxels) -> Option<Vec<Voxel>>;

    /// Returns the reported cost of that path, if it is exact.
    fn cost(&self) -> Option<(Cost, f64)> {
        None
    }
}

/// Returns all solvers, or those whose names contain one of the given texts; ours first.
pub fn all(only: &[String]) -> Result<Vec<Box<dyn Solver>>> {
    let ours = ALGORITHMS.iter().filter(|algorithm| {
        algorithm.worlds.contains(&WorldKind::Voxel)
            && (algorithm.optimal || algorithm.any_angle)
            && !is_left_out(algorithm)
    });
    let mut solvers = Vec::<Box<dyn Solver>>::new();
    for algorithm in ours {
        solvers.push(Box::new(Ours { finder: Pathfinder::new(algorithm, &Options::default())? }));
    }
    solvers.push(Box::new(Pathfinding::default()));
    solvers.push(Box::new(Jps::default()));
    if !only.is_empty() {
        solvers.retain(|solver| only.iter().any(|text| solver.name().contains(text.as_str())));
        ensure!(!solvers.is_empty(), "no solver's name contains {}", only.join(" or "));
    }
    Ok(solvers)
}

/// Remembers no cells; works on several threads; and incremental searches, which a single query does not show at their best.
fn is_left_out(algorithm: &Algorithm) -> bool {
    ["ida_star", "parallel_astar", "dijkstra"].contains(&algorithm.name) || algorithm.incremental
}

/// What the last answer of a solver is worth.
pub fn judge(solver: &dyn Solver, map: &VoxelMap, query: &Query) -> Verdict {
    let Some(cells) = solver.path(&map.voxels) else {
        return if query.optimum.is_none() { Verdict::Optimal } else { Verdict::Missed };
    };
    let nodes: Option<Vec<NodeId>> = cells.iter().map(|&voxel| map.voxels.node(voxel)).collect();
    let ends = (map.voxels.node(query.from), map.voxels.node(query.to));
    let (Some(nodes), (Some(start), Some(goal))) = (nodes, ends) else { return Verdict::Invalid };
    let (units, cost) = solver.cost().unwrap_or_else(|| sums(&cells));
    let any_angle = !solver.is_exact();
    let claim = Claim { start, goals: &[goal], nodes: &nodes, units, cost, length: cost, any_angle };
    if validate::voxel_path(&map.voxels, &Agent::default(), &claim).is_err() {
        return Verdict::Invalid;
    }
    let is_optimal = query.optimum.is_some_and(|optimum| cost <= optimum + TOLERANCE);
    if is_optimal { Verdict::Optimal } else { Verdict::Missed }
}

/// Steps along one, two and three axes, in 32 bits as `pathfinding` is fastest with.
const COSTS: [u32; 4] = [0, 192_070, 271_628, 332_675];

fn sums(cells: &[Voxel]) -> (Cost, f64) {
    let mut counts = [0_u64; 4];
    for pair in cells.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        counts[usize::from(a.x != b.x) + usize::from(a.y != b.y) + usize::from(a.z != b.z)] += 1;
    }
    let units = (1..4).map(|axes| counts[axes] * u64::from(COSTS[axes])).sum();
    (Cost::from_units(units), (1..4).map(|axes| counts[axes] as f64 * (axes as f64).sqrt()).sum())
}

/// A search of ours.
struct Ours {
    finder: Pathfinder,
}

impl Solver for Ours {
    fn name(&self) -> String {
        format!("surefoot/{}", self.finder.algorithm().name)
    }

    fn is_exact(&self) -> bool {
        self.finder.algorithm().optimal
    }

    fn search(&mut self, view: VoxelView<'_>, query: &Query) {
        // Whether there is a path is asked later.
        let _ = self.finder.find(view, query.from, query.to);
    }

    fn path(&self, voxels: &Voxels) -> Option<Vec<Voxel>> {
        let cells = self.finder.path().nodes().iter().map(|&node| voxels.voxel(node));
        self.finder.outcome().is_found().then(|| cells.collect())
    }

    fn cost(&self) -> Option<(Cost, f64)> {
        let path = self.finder.path();
        Some((path.units(), path.cost()))
    }
}

/// The crate `pathfinding`, as its documentation poses queries.
#[derive(Default)]
struct Pathfinding {
    cells: Cells,
    path: Option<Vec<[i32; 3]>>,
}

impl Solver for Pathfinding {
    fn name(&self) -> String {
        "pathfinding/astar".to_owned()
    }

    fn prepare(&mut self, voxels: &Voxels) {
        self.cells = Cells::of(voxels);
    }

    fn search(&mut self, _view: VoxelView<'_>, query: &Query) {
        let [from, to] = [query.from, query.to].map(|voxel| [voxel.x, voxel.y, voxel.z]);
        let next = |at: &[i32; 3]| self.cells.successors(*at);
        self.path = astar(&from, next, |at| least_cost(*at, to), |at| *at == to).map(|(path, _)| path);
    }

    fn path(&self, _voxels: &Voxels) -> Option<Vec<Voxel>> {
        Some(self.path.as_ref()?.iter().map(|&[x, y, z]| Voxel::new(x, y, z)).collect())
    }
}

fn least_cost(a: [i32; 3], b: [i32; 3]) -> u32 {
    let mut apart = [0, 1, 2].map(|axis| a[axis].abs_diff(b[axis]));
    apart.sort_unstable();
    let [near, middle, far] = apart;
    COSTS[1] * (far - middle) + COSTS[2] * (middle - near) + COSTS[3] * near
}

/// What is open, as plain as the documentation of `pathfinding` would have it, with a border of walls.
#[derive(Default)]
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

/// The crate `jps`. It cuts corners, so most of its paths break the rule that all others obey: its costs cannot be
/// compared.
#[derive(Default)]
struct Jps {
    search: GraphSearch,
    found: bool,
}

impl Jps {
    /// In larger worlds a query takes seconds.
    const MOST_CELLS: u64 = 1 << 17;
}

impl Solver for Jps {
    fn name(&self) -> String {
        "jps/jps".to_owned()
    }

    fn takes_on(&self, voxels: &Voxels) -> bool {
        voxels.size().iter().map(|&side| u64::from(side)).product::<u64>() <= Jps::MOST_CELLS
    }

    fn prepare(&mut self, voxels: &Voxels) {
        let walls: HashSet<_> =
            voxels.cells().filter(|&cell| !voxels.is_open(cell)).map(|Voxel { x, y, z }| (x, y, z)).collect();
        let [x, y, z] = voxels.size().map(|side| [0, side as i32]);
        self.search = GraphSearch::new_v1(None, walls, x, y, z, 1.0);
    }

    fn search(&mut self, _view: VoxelView<'_>, query: &Query) {
        let GraphSearch { xbound, ybound, zbound, .. } = self.search;
        let walls = mem::take(&mut self.search.omap_);
        // It remembers what it visited, so each query takes a new one.
        self.search = GraphSearch::new_v1(None, walls, xbound, ybound, zbound, 1.0);
        let [from, to] = [query.from, query.to].map(|Voxel { x, y, z }| (x, y, z));
        self.found = self.search.plan(from, to, true, -1);
    }

    /// Its path are the places between which it jumps.
    fn path(&self, _voxels: &Voxels) -> Option<Vec<Voxel>> {
        if !self.found {
            return None;
        }
        let mut places = self.search.path_.iter().map(|state| Voxel::new(state.x, state.y, state.z));
        let mut cells = vec![places.next()?];
        for place in places {
            while let Some(&at) = cells.last().filter(|&&at| at != place) {
                let [dx, dy, dz] = [place.x - at.x, place.y - at.y, place.z - at.z].map(i32::signum);
                cells.push(at.offset(dx, dy, dz));
            }
        }
        Some(cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_solvers_are_run_and_judged_alike() {
        let wall = (0..6).flat_map(|y| (0..8).map(move |z| Voxel::new(4, y, z)));
        let voxels = Voxels::from_solid([8, 8, 8], wall).unwrap();
        let view = voxels.view(&Agent::default());
        let [from, to] = [Voxel::new(0, 0, 0), Voxel::new(7, 0, 7)];
        let optimum = Pathfinder::named("dijkstra", &Options::default())
            .unwrap()
            .find(view, from, to)
            .ok()
            .map(surefoot::path::Path::cost);
        let query = Query { from, to, optimum };
        let map = VoxelMap { name: String::new(), voxels: voxels.clone(), queries: vec![query] };
        for mut solver in all(&[]).unwrap() {
            solver.prepare(&voxels);
            for _ in 0..2 {
                solver.search(view, &query);
                let expected = match solver.name().as_str() {
                    "jps/jps" => Verdict::Invalid,
                    _ => Verdict::Optimal,
                };
                assert_eq!(judge(&*solver, &map, &query), expected, "{}", solver.name());
            }
            let cheaper = Query { optimum: Some(1.0), ..query };
            assert_ne!(judge(&*solver, &map, &cheaper), Verdict::Optimal, "{}", solver.name());
        }
    }
}
