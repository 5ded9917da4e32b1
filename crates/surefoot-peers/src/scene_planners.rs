//! Planners in the suite `scene`: how long a path takes to replan while obstacles move, compared with a fresh A* on the same queries.

use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use surefoot::prelude::{Agent, Options, Outcome, Pathfinder, Point, Voxel};
use surefoot::replan::Planner;
use surefoot::scene::{Goal, Patrol, Scene, TICKS_PER_SECOND, Travel};
use surefoot::validate::{self, Claim};
use surefoot::world::dynamic::DynamicWorld;

use crate::report::{markdown, percentile};

/// The radius of the agent.
pub const RADIUS: f64 = 0.45;
/// How fast a goal moves that the scene leaves at rest, in world units per second, and how far.
const GOAL_SPEED: f64 = 2.0;
const GOAL_DISTANCE: f64 = 23.49;

/// What one planner took in a scene. The ratios are of the planner to a fresh A*, so below 1 is better.
#[derive(Debug, Serialize)]
pub struct Row {
    pub scene: String,
    pub goal: &'static str,
    pub planner: String,
    pub replans: usize,
    pub mean_us: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub max_us: f64,
    pub total_ratio: f64,
    pub p99_ratio: f64,
    /// The share of the replans that a fresh search answered.
    pub fresh_share: f64,
    pub expanded_mean: f64,
    pub touched_mean: f64,
    /// The mean time of bringing the world in step with the obstacles, and of this planner's answer.
    pub update_and_plan_us: f64,
    pub mismatches: usize,
}

/// A search or a planner with a world of its own, so that nothing that another one has computed about the world serves it.
struct Contestant {
    name: String,
    brain: Brain,
    world: DynamicWorld,
    update_us: f64,
    times: Vec<f64>,
    fresh: usize,
    expanded: u64,
    touched: u64,
    mismatches: usize,
}

enum Brain {
    Fresh(Box<Pathfinder>),
    Planner { algorithm: &'static str, guarded: bool, planner: Box<Planner> },
}

/// Replans in the scene for a number of frames, with the goal at rest and with a moving one.
pub fn run(name: &str, scene: &Scene, frames: u64) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (goal, planners) in [
        ("rest", &[("d_star_lite", true), ("d_star_lite", false)][..]),
        ("moving", &[("mt_d_star_lite", true), ("mt_d_star_lite", false), ("d_star_lite", true)]),
    ] {
        let mut scene = with_moving_goal(scene)?;
        if goal == "rest" {
            scene.goal.travel = None;
        }
        let mut contest = Contest::new(&scene, planners)?;
        contest.play(&scene, frames)?;
        rows.extend(contest.rows(name, goal));
    }
    Ok(rows)
}

/// The scene with a goal that goes up and down, unless it moves already.
pub fn with_moving_goal(scene: &Scene) -> Result<Scene> {
    let mut scene = scene.clone();
    if scene.goal.travel.is_none() {
        let Point { x, y, z } = scene.goal.position;
        let ends = vec![scene.goal.position, Point::new(x, y + GOAL_DISTANCE, z)];
        let travel = Some(Travel::Patrol(Patrol::new(ends, GOAL_SPEED, false)?));
        scene.goal = Goal { travel, ..scene.goal };
    }
    Ok(scene)
}

/// Everything that answers the same questions.
struct Contest {
    agent: Agent,
    contestants: Vec<Contestant>,
    /// Moves by whole cells along the path of A*.
    at: Voxel,
    goal: Voxel,
    /// The ticks that a cell takes.
    ticks_per_cell: u64,
}

impl Contest {
    fn new(scene: &Scene, planners: &[(&'static str, bool)]) -> Result<Contest> {
        let agent = Agent::new().with_radius(RADIUS / scene.frame.cell_size())?;
        let contestant = |name: String, brain| -> Result<Contestant> {
            let world = scene.world()?;
            let (times, fresh, expanded, touched, mismatches) = (Vec::new(), 0, 0, 0, 0);
            Ok(Contestant { name, brain, world, update_us: 0.0, times, fresh, expanded, touched, mismatches })
        };
        let astar = Pathfinder::named("astar", &Options::default())?;
        let mut contestants = vec![contestant("astar".into(), Brain::Fresh(Box::new(astar)))?];
        for &(algorithm, guarded) in planners {
            let planner = Box::new(new_planner(algorithm, guarded)?);
            let name = algorithm.to_owned() + if guarded { "" } else { "/unguarded" };
            contestants.push(contestant(name, Brain::Planner { algorithm, guarded, planner })?);
        }
        let ticks_per_cell =
            (scene.frame.cell_size() / scene.walker.speed * f64::from(TICKS_PER_SECOND)).ceil();
        Ok(Contest {
            agent,
            contestants,
            at: scene.frame.voxel_at(scene.start),
            goal: scene.frame.voxel_at(scene.goal.position),
            ticks_per_cell: (ticks_per_cell as u64).max(1),
        })
    }

    /// Flies from the start to the goal again and again.
    fn play(&mut self, scene: &Scene, frames: u64) -> Result<()> {
        let mut is_first = true;
        let mut since_step = 0;
        for tick in 0..frames {
            for contestant in &mut self.contestants {
                let began = Instant::now();
                scene.show(&mut contestant.world, tick)?;
                contestant.update_us += began.elapsed().as_secs_f64() * 1e6;
            }
            let before = (self.at, self.goal);
            self.goal = scene.frame.voxel_at(scene.goal.position_at(tick));
            since_step += 1;
            if since_step >= self.ticks_per_cell {
                since_step = 0;
                self.step();
            }
            let is_open = |cell| self.contestants[0].world.voxels().view(&self.agent).is_open(cell);
            let [is_caught, can_ask] = [!is_open(self.at), is_open(scene.frame.voxel_at(scene.start))];
            if self.at == self.goal || is_caught {
                // It has arrived, or an obstacle has caught it: the next flight.
                (self.at, is_first) = (scene.frame.voxel_at(scene.start), true);
                self.forget()?;
                if !can_ask {
                    continue;
                }
            }
            let world = &self.contestants[0].world;
            let asks = is_first || before != (self.at, self.goal) || !world.changes().is_empty();
            if asks && world.voxels().view(&self.agent).is_open(self.goal) {
                self.ask(is_first, tick);
                is_first = false;
            }
        }
        Ok(())
    }

    /// Advances by one cell along the path of A*, if that is open.
    fn step(&mut self) {
        let Contestant { brain: Brain::Fresh(astar), world, .. } = &self.contestants[0] else { return };
        let voxels = world.voxels();
        let nodes = astar.path().nodes();
        let next =
            nodes.iter().position(|&node| voxels.voxel(node) == self.at).and_then(|at| nodes.get(at + 1));
        if let Some(&next) = next
            && voxels.view(&self.agent).is_open(voxels.voxel(next))
        {
            self.at = voxels.voxel(next);
        }
    }

    /// Gives every planner a new memory.
    fn forget(&mut self) -> Result<()> {
        for contestant in &mut self.contestants {
            if let Brain::Planner { algorithm, guarded, planner } = &mut contestant.brain {
                **planner = new_planner(algorithm, *guarded)?;
            }
        }
        Ok(())
    }

    /// Runs all of them, each one first in turn. First plans are not counted.
    fn ask(&mut self, is_first: bool, tick: u64) {
        let count = self.contestants.len();
        let mut answers = vec![None; count];
        for turn in 0..count {
            let number = (turn + tick as usize) % count;
            let contestant = &mut self.contestants[number];
            answers[number] = contestant.answer(&self.agent, [self.at, self.goal], is_first);
        }
        if !is_first {
            for (contestant, answer) in self.contestants.iter_mut().zip(&answers) {
                contestant.mismatches += usize::from(*answer != answers[0]);
            }
        }
    }

    fn rows(&self, scene: &str, goal: &'static str) -> Vec<Row> {
        let sorted = |contestant: &Contestant| {
            let mut times = contestant.times.clone();
            times.sort_unstable_by(f64::total_cmp);
            times
        };
        let astar = sorted(&self.contestants[0]);
        let total: f64 = astar.iter().sum();
        let row = |contestant: &Contestant| {
            let times = sorted(contestant);
            let replans = times.len().max(1) as f64;
            let sum: f64 = times.iter().sum();
            Row {
                scene: scene.to_owned(),
                goal,
                planner: contestant.name.clone(),
                replans: times.len(),
                mean_us: sum / replans,
                p50_us: percentile(&times, 50),
                p99_us: percentile(&times, 99),
                max_us: percentile(&times, 100),
                total_ratio: sum / total,
                p99_ratio: percentile(&times, 99) / percentile(&astar, 99),
                fresh_share: contestant.fresh as f64 / replans,
                expanded_mean: contestant.expanded as f64 / replans,
                touched_mean: contestant.touched as f64 / replans,
                update_and_plan_us: (sum + contestant.update_us) / replans,
                mismatches: contestant.mismatches,
            }
        };
        let measured = self.contestants.iter().filter(|contestant| !contestant.times.is_empty());
        measured.map(row).collect()
    }
}

impl Contestant {
    /// Answers, and returns the cost of the path, if there is a valid one.
    fn answer(&mut self, agent: &Agent, [at, goal]: [Voxel; 2], is_first: bool) -> Option<u64> {
        let view = self.world.voxels().view(agent);
        let began = Instant::now();
        let (path, expanded, touched, fresh) = match &mut self.brain {
            Brain::Fresh(astar) => {
                // What it returns is read below.
                let found = astar.find(view, at, goal).is_ok();
                let expanded = astar.stats().expanded;
                (found.then_some(astar.path()), expanded, 0, true)
            }
            Brain::Planner { planner, .. } => {
                planner.move_start(view, at);
                planner.move_goal(view, goal);
                let outcome = planner.replan(view, u64::MAX);
                let last = planner.last();
                let expanded = last.expanded + last.fresh.unwrap_or(0);
                let path = (outcome == Outcome::Found).then(|| planner.path());
                (path, expanded, last.touched, last.fresh.is_some())
            }
        };
        let us = began.elapsed().as_secs_f64() * 1e6;
        let ends = [at, goal].map(|end| self.world.voxels().node(end));
        let answer = path.and_then(|path| {
            let [Some(start), Some(goal)] = ends else { return None };
            let claim = Claim::of(path, start, std::slice::from_ref(&goal));
            validate::world_path(view, agent, &claim).is_ok().then(|| path.units().units())
        });
        if !is_first {
            self.times.push(us);
            self.fresh += usize::from(fresh);
            self.expanded += expanded;
            self.touched += touched;
        }
        answer
    }
}

fn new_planner(algorithm: &str, guarded: bool) -> Result<Planner> {
    let mut planner = Planner::named(algorithm, &Options::default()).context("expected a planner")?;
    planner.set_guarded(guarded);
    Ok(planner)
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| scene",
        "goal",
        "planner",
        "replans",
        "mean us",
        "p50 us",
        "p99 us",
        "max us",
        "of A*",
        "p99 of A*",
        "fresh",
        "expanded",
        "touched",
        "with update us",
        "wrong |",
    ];
    let line = |row: &Row| {
        [
            format!("| {}", row.scene),
            row.goal.to_owned(),
            row.planner.clone(),
            row.replans.to_string(),
            format!("{:.1}", row.mean_us),
            format!("{:.1}", row.p50_us),
            format!("{:.1}", row.p99_us),
            format!("{:.1}", row.max_us),
            format!("{:.2}", row.total_ratio),
            format!("{:.2}", row.p99_ratio),
            format!("{:.0} %", 100.0 * row.fresh_share),
            format!("{:.0}", row.expanded_mean),
            format!("{:.0}", row.touched_mean),
            format!("{:.1}", row.update_and_plan_us),
            format!("{} |", row.mismatches),
        ]
    };
    markdown(header, rows.iter().map(line))
}
