//! The queries whose instructions are counted.

use anyhow::{Context as _, Result, ensure};
use surefoot::generate::{Kind, SpaceKind, endpoints, endpoints_in_space, generate, generate_in_space};
use surefoot::prelude::*;
use surefoot::replan::Planner;

/// Columns and rows of the grids.
const SIDE: u32 = 160;
const SEED: u64 = 7;

/// Asks all queries, each in a call of [`counted_queries`] of its own, and prints their names in that order.
pub fn ask_all() -> Result<()> {
    on_grid("astar", Kind::Caves)?;
    on_grid("astar", Kind::Terrain)?;
    on_grid("bidirectional", Kind::Terrain)?;
    on_grid("jps", Kind::Rooms)?;
    on_grid("theta", Kind::Caves)?;
    on_grid("lazy_theta", Kind::Caves)?;
    on_grid("subgoal", Kind::Rooms)?;
    on_grid("hpa", Kind::Rooms)?;
    in_space("astar", SpaceKind::Boxes)?;
    in_space("jps3", SpaceKind::Boxes)?;
    repair("d_star_lite", Kind::Caves)?;
    sweep(Kind::Terrain)
}

/// Does the work that callgrind counts: it knows this function by its name.
#[inline(never)]
fn counted_queries(work: &mut dyn FnMut() -> Result<f64>) -> Result<f64> {
    // Something to do after the call, so that it is a call and not a jump, after which this function would be gone.
    std::hint::black_box(work())
}

/// Does the work once so that memory grows and maps are prepared, and once more to be counted.
fn count(name: &str, mut work: impl FnMut() -> Result<f64>) -> Result<()> {
    let first = work()?;
    let second = counted_queries(&mut work)?;
    ensure!(first.to_bits() == second.to_bits(), "{name}: cost {first}, then {second}");
    println!("{name}");
    Ok(())
}

fn on_grid(algorithm: &str, kind: Kind) -> Result<()> {
    let grid = generate(kind, SIDE, SIDE, SEED)?;
    let view = grid.view(&Agent::default());
    let queries: Vec<(Cell, Cell)> = (0..4).filter_map(|seed| endpoints(&grid, seed)).collect();
    let mut finder = Pathfinder::named(algorithm, &Options::default())?;
    count(&format!("{algorithm}/{kind}"), || {
        queries.iter().map(|&(start, goal)| Ok(finder.find(view, start, goal)?.cost())).sum()
    })
}

fn in_space(algorithm: &str, kind: SpaceKind) -> Result<()> {
    let voxels = generate_in_space(kind, [48, 48, 24], SEED)?;
    let view = voxels.view(&Agent::default());
    let (start, goal) = endpoints_in_space(&voxels).context("no path through the voxel world")?;
    let mut finder = Pathfinder::named(algorithm, &Options::default())?;
    count(&format!("{algorithm}/{kind}"), || Ok(finder.find(view, start, goal)?.cost()))
}

/// Walls come and go on the path: edits of the grid and repairs of the path.
fn repair(algorithm: &str, kind: Kind) -> Result<()> {
    let mut grid = generate(kind, SIDE, SIDE, SEED)?;
    let agent = Agent::default();
    let (start, goal) = endpoints(&grid, SEED).context("no path across the grid")?;
    let mut planner = Planner::named(algorithm, &Options::default())?;
    planner.move_start(grid.view(&agent), start);
    planner.move_goal(grid.view(&agent), goal);
    ensure!(planner.replan(grid.view(&agent), u64::MAX).is_found(), "no path to repair");
    let path: Vec<Cell> = planner.path().cells(&grid).collect();
    ensure!(path.len() > 16, "the path is too short for walls");
    count(&format!("{algorithm}/{kind}"), || {
        let mut cost = 0.0;
        for eighths in 1..8 {
            for terrain in [Terrain::WALL, Terrain::FLOOR] {
                grid.set(path[path.len() * eighths / 8], terrain)?;
                let _ = planner.replan(grid.view(&agent), u64::MAX);
                cost += planner.path().cost();
            }
        }
        Ok(cost)
    })
}

fn sweep(kind: Kind) -> Result<()> {
    let grid = generate(kind, SIDE, SIDE, SEED)?;
    let view = grid.view(&Agent::default());
    let (start, _) = endpoints(&grid, SEED).context("no open cells")?;
    let mut sweep = DistanceField::default();
    count(&format!("sweep/{kind}"), || {
        sweep.run(view, start, Range::Everything)?;
        Ok(sweep.reached().len() as f64)
    })
}
