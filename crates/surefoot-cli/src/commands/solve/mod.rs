//! `surefoot solve`: one query.

mod picture;
mod report;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use surefoot::formats::{Format, World};
use surefoot::prelude::*;

use crate::args::{AgentArgs, Coordinates, SolveArgs, StepArgs};
use crate::files;
use crate::output::{self, Answer};
use crate::progress::preparing;

/// A query that has been run.
struct Solved<'a> {
    view: View<'a>,
    finder: Pathfinder,
    /// Where the path starts and may end, as far as these are in the world.
    from: Option<NodeId>,
    to: Vec<NodeId>,
    prepared_in: Duration,
    searched_in: Duration,
}

pub fn run(args: &SolveArgs) -> Result<Answer> {
    let finder = Pathfinder::new(args.search.algorithm, &args.search.options())?;
    let (format, world) = files::read_world(&args.map, args.image.palette.as_ref())?;
    if args.image.palette.is_some() && format != Format::Png {
        bail!("{}: found {format}, expected a PNG because of --palette", args.map.display());
    }
    let solved = search(args, &world, finder)?;
    if args.svg.is_some() || args.png.is_some() {
        picture::draw(args, &world, &solved)?;
    }
    let report = report::Report::of(&solved);
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(report.to_text(&solved).as_bytes())?;
    }
    Ok(solved.finder.outcome().is_found().into())
}

fn search<'a>(args: &SolveArgs, world: &'a World, mut finder: Pathfinder) -> Result<Solved<'a>> {
    let from = place(args.from, world).context("--from")?;
    let to = args.to.iter().map(|&to| place(to, world)).collect::<Result<Vec<_>>>().context("--to")?;
    finder.set_partial(args.partial);
    let clock = Instant::now();
    let view = view(&args.map, &args.agent, &args.steps, world)?;
    if let Some(file) = &args.prepared {
        adopt(&mut finder, &view, file)?;
    }
    preparing(args.memory.bytes(), |terms| finder.prepare(view, terms))
        .with_context(|| args.map.display().to_string())?;
    finder.start(view, from, &to);
    let prepared_in = clock.elapsed();
    // Once untimed: the second run finds its memory ready.
    finder.resume(view, args.budget);
    let clock = Instant::now();
    finder.start(view, from, &to);
    finder.resume(view, args.budget);
    finder.give_up(view);
    let searched_in = clock.elapsed();
    let (from, to) = (from.node_in(&view), to.iter().filter_map(|to| to.node_in(&view)).collect());
    Ok(Solved { view, finder, from, to, prepared_in, searched_in })
}

/// Takes over what has been prepared and saved.
fn adopt(finder: &mut Pathfinder, view: &View<'_>, file: &Path) -> Result<()> {
    let View::Grid(view) = view else { bail!("--prepared is for grids") };
    let prepared = Prepared::from_bytes(&files::read_prepared(file)?, view);
    let prepared = prepared.with_context(|| file.display().to_string())?;
    let (found, expected) = (prepared.algorithm().name, finder.algorithm().name);
    if !finder.adopt(&prepared) {
        bail!("{}: found what was prepared for {found}, expected {expected}", file.display());
    }
    Ok(())
}

/// A world as the agent of the arguments sees it.
pub(super) fn view<'a>(
    map: &Path,
    agent: &AgentArgs,
    steps: &StepArgs,
    world: &'a World,
) -> Result<View<'a>> {
    match world {
        World::Grid(grid) => {
            agent.check(true, map)?;
            let agent = Agent {
                metric: steps.metric.unwrap_or_default(),
                terrain: steps.terrain_rule.unwrap_or_default(),
                ..agent.agent()
            };
            Ok(grid.view(&agent).context("--radius")?.into())
        }
        World::Graph(graph) => {
            let given = [
                (agent.moves.is_some(), "--moves"),
                (agent.radius.is_some(), "--radius"),
                (steps.metric.is_some(), "--metric"),
                (steps.terrain_rule.is_some(), "--terrain-rule"),
            ];
            if let Some((_, option)) = given.into_iter().find(|(given, _)| *given) {
                bail!("{option} is for grids, but {} is a waypoint graph", map.display());
            }
            Ok(graph.into())
        }
        World::Voxels(voxels) => {
            let given =
                [(steps.metric.is_some(), "--metric"), (steps.terrain_rule.is_some(), "--terrain-rule")];
            if let Some((_, option)) = given.into_iter().find(|(given, _)| *given) {
                bail!("{option} is for grids, but {} is a voxel world", map.display());
            }
            agent.check(false, map)?;
            Ok(voxels.view(&agent.agent()).context("--radius")?.into())
        }
    }
}

/// A place in a world: a cell, a point near a node of a graph.
#[derive(Clone, Copy)]
enum Place {
    Cell(Cell),
    Point(Point),
    Voxel(Voxel),
}

impl Spot for Place {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match self {
            Place::Cell(cell) => cell.node_in(view),
            Place::Point(point) => point.node_in(view),
            Place::Voxel(voxel) => voxel.node_in(view),
        }
    }
}

fn place(typed: Coordinates, world: &World) -> Result<Place> {
    let Coordinates { x, y, z } = typed;
    match (world, z) {
        (World::Voxels(_), None) => {
            bail!("found two coordinates, expected column, row and layer: the map is a voxel world")
        }
        (World::Voxels(_), Some(z)) if [x, y, z].iter().any(|number| number.fract() != 0.0) => {
            bail!("found {x},{y},{z}, expected whole numbers: a cell's column, row and layer")
        }
        (World::Voxels(_), Some(z)) => Ok(Place::Voxel(Voxel::new(x as i32, y as i32, z as i32))),
        (World::Graph(_), z) => Ok(Place::Point(Point::new(x, y, z.unwrap_or(0.0)))),
        (World::Grid(_), Some(_)) => {
            bail!("found three coordinates, expected column and row: the map is flat")
        }
        (World::Grid(_), None) if x.fract() != 0.0 || y.fract() != 0.0 => {
            bail!("found {x},{y}, expected whole numbers: a cell's column and row")
        }
        // Numbers too large for a cell become the largest, which is outside every map, too.
        (World::Grid(_), None) => Ok(Place::Cell(Cell::new(x as i32, y as i32))),
    }
}
