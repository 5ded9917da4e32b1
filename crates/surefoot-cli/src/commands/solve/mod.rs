//! `surefoot solve`: runs one query.

mod picture;
mod report;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use surefoot::formats::{Format, World};
use surefoot::prelude::*;
use surefoot::validate::{self, Claim, Violation};

use crate::args::{AgentArgs, Coordinates, SolveArgs, StepArgs};
use crate::files;
use crate::output::{self, Answer};
use crate::progress::preparing;

/// A query that has been run.
struct Solved<'a> {
    view: View<'a>,
    agent: Agent,
    finder: Pathfinder,
    /// The start and the goals, as far as they are in the world.
    from: Option<NodeId>,
    to: Vec<NodeId>,
    prepared_in: Duration,
    searched_in: Duration,
}

pub fn run(args: &SolveArgs) -> Result<Answer> {
    let finder = Pathfinder::new(args.search.algorithm, &args.search.options())?;
    let (format, world) = files::read_world(&args.map, args.image.palette.as_ref())?;
    if args.image.palette.is_some() && format != Format::Png {
        bail!("{}: found {format}, expected a PNG image because of --palette", args.map.display());
    }
    let solved = search(args, &world, finder)?;
    output::print(&respond(args, &world, &solved)?)?;
    Ok(solved.finder.outcome().is_found().into())
}

/// Writes the requested pictures and returns the text for standard output. A path that the validator rejects is an error and is
/// not shown.
fn respond(args: &SolveArgs, world: &World, solved: &Solved<'_>) -> Result<Vec<u8>> {
    let checked = solved.checked().with_context(|| {
        let (map, title) = (args.map.display(), solved.finder.algorithm().title);
        format!("{map}: {title} returned a path that the validator rejects")
    })?;
    picture::draw(args, world, &checked)?;
    let report = report::Report::of(&checked);
    if args.json { output::json(&report) } else { Ok(report.to_text(&checked).into_bytes()) }
}

/// A result whose path the validator has accepted. Reports and pictures are made from this type only.
struct Checked<'s, 'a>(&'s Solved<'a>);

impl<'a> Solved<'a> {
    /// Checks with the validator that the path is legal and has the claimed cost. A partial path may end anywhere.
    fn checked<'s>(&'s self) -> Result<Checked<'s, 'a>, Violation> {
        let (path, found) = (self.finder.path(), self.finder.outcome().is_found());
        if found || !path.is_empty() {
            let goals = if found { &self.to[..] } else { &path.nodes()[path.nodes().len() - 1..] };
            let claim = Claim::of(path, self.from.unwrap_or(NodeId::NONE), goals);
            validate::world_path(self.view, &self.agent, &claim)?;
        }
        Ok(Checked(self))
    }
}

fn search<'a>(args: &SolveArgs, world: &'a World, mut finder: Pathfinder) -> Result<Solved<'a>> {
    let from = place(args.from, world).context("--from")?;
    let to = args.to.iter().map(|&to| place(to, world)).collect::<Result<Vec<_>>>().context("--to")?;
    finder.set_partial(args.partial);
    let clock = Instant::now();
    let agent = agent(&args.map, &args.agent, &args.steps, world)?;
    let view = world.view(&agent);
    if let Some(file) = &args.prepared {
        adopt(&mut finder, &view, file)?;
    }
    preparing(args.memory.bytes(), |options| finder.prepare(view, options))
        .with_context(|| args.map.display().to_string())?;
    finder.start(view, from, &to);
    let prepared_in = clock.elapsed();
    // Once untimed, so that the second run allocates no memory.
    let _ = finder.resume(view, args.budget);
    let clock = Instant::now();
    finder.start(view, from, &to);
    let _ = finder.resume(view, args.budget);
    let _ = finder.give_up(view);
    let searched_in = clock.elapsed();
    let (from, to) = (from.node_in(&view), to.iter().filter_map(|to| to.node_in(&view)).collect());
    Ok(Solved { view, agent, finder, from, to, prepared_in, searched_in })
}

/// Loads a prepared map from a file.
fn adopt(finder: &mut Pathfinder, view: &View<'_>, file: &Path) -> Result<()> {
    let View::Grid(view) = view else { bail!("--prepared is for grids, but the map is not a grid") };
    let prepared = Prepared::from_bytes(&files::read_prepared(file)?, view);
    let prepared = prepared.with_context(|| file.display().to_string())?;
    let (found, expected) = (prepared.algorithm().name, finder.algorithm().name);
    if !finder.adopt(&prepared) {
        bail!("{}: found a map prepared for `{found}`, expected `{expected}`", file.display());
    }
    Ok(())
}

/// Returns the agent that the arguments describe. Rejects options that this kind of world does not support.
pub(super) fn agent(map: &Path, agent: &AgentArgs, steps: &StepArgs, world: &World) -> Result<Agent> {
    match world {
        World::Grid(_) => {
            agent.check(true, map)?;
            let terrain_rule = steps.terrain_rule.unwrap_or_default();
            Ok(agent.agent()?.with_metric(steps.metric.unwrap_or_default()).with_terrain_rule(terrain_rule))
        }
        World::Graph(_) => {
            let given = [
                (agent.moves.is_some(), "--moves"),
                (agent.radius.is_some(), "--radius"),
                (steps.metric.is_some(), "--metric"),
                (steps.terrain_rule.is_some(), "--terrain-rule"),
            ];
            if let Some((_, option)) = given.into_iter().find(|(given, _)| *given) {
                bail!("{option} is for grids, but {} is a waypoint graph", map.display());
            }
            Ok(Agent::default())
        }
        World::Voxels(_) => {
            let given =
                [(steps.metric.is_some(), "--metric"), (steps.terrain_rule.is_some(), "--terrain-rule")];
            if let Some((_, option)) = given.into_iter().find(|(given, _)| *given) {
                bail!("{option} is for grids, but {} is a voxel world", map.display());
            }
            agent.check(false, map)?;
            agent.agent()
        }
        _ => Ok(Agent::default()),
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
        (World::Grid(_), Some(_)) => {
            bail!("found three coordinates, expected column and row: the map is a grid")
        }
        (World::Grid(_), None) if x.fract() != 0.0 || y.fract() != 0.0 => {
            bail!("found {x},{y}, expected whole numbers: a cell's column and row")
        }
        // Numbers too large for a cell saturate, which is outside every map, too.
        (World::Grid(_), None) => Ok(Place::Cell(Cell::new(x as i32, y as i32))),
        (_, z) => Ok(Place::Point(Point::new(x, y, z.unwrap_or(0.0)))),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::{Cli, Command};

    /// The arguments of a query from one corner to the other, with more of them appended.
    fn args(more: &[&str]) -> SolveArgs {
        let line = ["surefoot", "solve", "--map", "test.map", "--from", "0,0", "--to", "4,2"];
        match Cli::try_parse_from(line.iter().chain(more)).unwrap().command {
            Some(Command::Solve(args)) => args,
            _ => unreachable!("the line says solve"),
        }
    }

    /// Reports the result of a search in `world` as if it were about `claimed` and another agent.
    fn told_of<'a>(
        algorithm: &str,
        world: &'a World,
        claimed: &'a World,
        [start, goal]: [NodeId; 2],
        agent: Agent,
    ) -> Solved<'a> {
        let mut finder = Pathfinder::named(algorithm, &Options::default()).unwrap();
        finder.find(world.view(&Agent::default()), start, goal).unwrap();
        Solved {
            view: claimed.view(&agent),
            agent,
            finder,
            from: Some(start),
            to: vec![goal],
            prepared_in: Duration::ZERO,
            searched_in: Duration::ZERO,
        }
    }

    fn grid(map: &str) -> World {
        World::Grid(map.parse().unwrap())
    }

    fn corners(world: &World) -> [NodeId; 2] {
        match world {
            World::Grid(grid) => [Cell::new(0, 0), Cell::new(4, 2)].map(|cell| grid.node(cell).unwrap()),
            World::Voxels(voxels) => {
                [Voxel::new(0, 0, 0), Voxel::new(4, 2, 0)].map(|voxel| voxels.node(voxel).unwrap())
            }
            _ => [NodeId(0), NodeId(1)],
        }
    }

    fn road(cost: Cost) -> World {
        let mut builder = Waypoints::builder();
        let ends = [0.0, 2.0].map(|x| builder.node(Point::flat(x, 0.0)));
        builder.one_way(ends[0], ends[1], cost, EdgeKind::Road);
        World::Graph(builder.build().unwrap())
    }

    fn space(solid: bool) -> World {
        let mut voxels = Voxels::new(5, 3, 1).unwrap();
        if solid {
            for y in 0..3 {
                voxels.set(Voxel::new(2, y, 0), true).unwrap();
            }
        }
        World::Voxels(voxels)
    }

    /// Every output format rejects an invalid path with a reason, and writes no file.
    #[test]
    fn a_wrong_path_is_never_shown() {
        let floor = ".....\n.....\n.....";
        let plain = Agent::default();
        let folder = std::env::temp_dir().join(format!("surefoot-wrong-path-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [svg, png] = ["a.svg", "a.png"].map(|name| folder.join(name).display().to_string());
        let cases = vec![
            ("astar", grid(floor), grid("..#..\n..#..\n..#.."), plain, "is on the wall at cell 2,"),
            ("theta", grid(floor), grid("..#..\n..#..\n..#.."), plain, "step 0 from cell 0,0 to cell 4,2"),
            ("astar", grid(floor), grid("..4..\n..4..\n..4.."), plain, "the path costs "),
            ("astar", grid(floor), grid(floor), plain.with_moves(Moves::Four), "is diagonal"),
            ("astar", grid(floor), grid(floor), plain.with_radius(0.7).unwrap(), "the agent needs 0.7"),
            ("astar", road(Cost::ONE), road(Cost::ONE + Cost::ONE), plain, "the path costs "),
            ("astar", space(false), space(true), plain, "is on the wall at cell 2,"),
        ];
        for (algorithm, world, claimed, agent, expected) in cases {
            let solved = told_of(algorithm, &world, &claimed, corners(&world), agent);
            for more in [&[][..], &["--json"], &["--svg", &svg], &["--json", "--png", &png]] {
                let refused = respond(&args(more), &claimed, &solved).map(String::from_utf8).unwrap_err();
                assert!(refused.is::<Violation>(), "{refused:#}");
                let told = format!("{refused:#}");
                assert!(told.contains("validator rejects") && told.contains(expected), "{more:?}: {told}");
            }
            // The same answer about the world that it was found in is shown.
            let honest = told_of(algorithm, &world, &world, corners(&world), plain);
            assert!(!respond(&args(&[]), &world, &honest).unwrap().is_empty());
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "no picture was written");
        std::fs::remove_dir(&folder).unwrap();
    }
}
