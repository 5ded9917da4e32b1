//! `surefoot solve`: one query.

mod picture;
mod report;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use surefoot::formats::{Format, World};
use surefoot::prelude::*;

use crate::args::{Coordinates, SolveArgs};
use crate::files;
use crate::output::{self, Answer};

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
    let algorithm = args.search.algorithm;
    if let Some(reason) = algorithm.refusal(solved.view) {
        bail!("{}: {} cannot be used on this map: {reason}", args.map.display(), algorithm.name);
    }
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
    let view = view(args, world)?;
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

fn view<'a>(args: &SolveArgs, world: &'a World) -> Result<View<'a>> {
    match world {
        World::Grid(grid) => {
            let agent = Agent {
                metric: args.steps.metric.unwrap_or_default(),
                terrain: args.steps.terrain_rule.unwrap_or_default(),
                ..args.agent.agent()
            };
            Ok(grid.view(&agent).context("--radius")?.into())
        }
        World::Graph(graph) => {
            let given = [
                (args.agent.moves.is_some(), "--moves"),
                (args.agent.radius.is_some(), "--radius"),
                (args.steps.metric.is_some(), "--metric"),
                (args.steps.terrain_rule.is_some(), "--terrain-rule"),
            ];
            if let Some((_, option)) = given.into_iter().find(|(given, _)| *given) {
                bail!("{option} is for grids, but {} is a waypoint graph", args.map.display());
            }
            Ok(graph.into())
        }
    }
}

/// A place in a world: a cell of a grid, a point near a node of a graph.
#[derive(Clone, Copy)]
enum Place {
    Cell(Cell),
    Point(Point),
}

impl Spot for Place {
    fn node_in(self, view: &View<'_>) -> Option<NodeId> {
        match self {
            Place::Cell(cell) => cell.node_in(view),
            Place::Point(point) => point.node_in(view),
        }
    }
}

fn place(typed: Coordinates, world: &World) -> Result<Place> {
    let Coordinates { x, y, z } = typed;
    match (world, z) {
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
