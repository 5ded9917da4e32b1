//! `surefoot cooperate`: paths of many agents that do not collide.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use serde::Serialize;
use surefoot::cooperate::{CooperateError, Cooperation, Plan, Status, Task};
use surefoot::formats::scenario::{self, Scenario};
use surefoot::prelude::*;
use surefoot::validate::{self, JointClaim};

use crate::args::CooperateArgs;
use crate::output::{self, Answer};
use crate::{files, progress};

/// Iterations between two looks at the clock.
const SLICE: u64 = 20;

/// The result as JSON.
#[derive(Serialize)]
struct Report {
    solved: bool,
    agents: usize,
    /// Why there is no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    makespan: Option<usize>,
    sum_of_costs: Option<u64>,
    lower_bound: Option<u64>,
    first_ms: Option<f64>,
    first_sum_of_costs: Option<u64>,
    ms: f64,
    iterations: u64,
}

/// The first plan.
struct First {
    ms: f64,
    sum_of_costs: u64,
}

pub fn run(args: &CooperateArgs) -> Result<Answer> {
    let (_, world) = files::read_world(&args.map, None)?;
    let agent = Agent::new().with_moves(args.moves);
    let View::Grid(view) = world.view(&agent) else { bail!("{}: expected a grid", args.map.display()) };
    let lines = read_tasks(args, &view)?;
    let tasks: Vec<Task> = lines.iter().map(|line| line.task).collect();

    let clock = Instant::now();
    let mut cooperation = Cooperation::new(args.seed);
    cooperation
        .start(&view, &tasks)
        .map_err(|error| at_its_line(&error, &lines))
        .with_context(|| args.scen.display().to_string())?;
    let first = search(args, &mut cooperation, &view, clock);
    let ms = milliseconds(clock);

    if let Some(plan) = cooperation.plan() {
        let starts: Vec<NodeId> = tasks.iter().map(|task| task.start).collect();
        let goals: Vec<Option<NodeId>> = tasks.iter().map(|task| task.goal).collect();
        let sum_of_costs = plan.sum_of_costs();
        let claim = JointClaim { starts: &starts, goals: &goals, nodes: plan.nodes(), sum_of_costs };
        validate::joint_plan(view.grid(), &agent, &claim)?;
        if let Some(file) = &args.out {
            files::write(file, plan.to_text(view.grid()).as_bytes())?;
        }
    } else if let Some(file) = &args.out {
        output::warn(&format!("there is no plan: {} is not written", file.display()));
    }
    let report = report(&cooperation, tasks.len(), first.as_ref(), ms);
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(human(&report).as_bytes())?;
    }
    Ok(report.solved.into())
}

/// A line of the scenario file.
struct Line {
    task: Task,
    number: usize,
}

fn read_tasks(args: &CooperateArgs, view: &GridView<'_>) -> Result<Vec<Line>> {
    let bytes = surefoot_experiments::files::read(&args.scen)?;
    let scenarios = scenario::read(&bytes).map_err(|error| error.in_file(args.scen.display()))?;
    if scenarios.len() < args.agents {
        bail!(
            "{}: found {} scenario lines, expected at least {}, one for each agent",
            args.scen.display(),
            scenarios.len(),
            args.agents
        );
    }
    scenarios.iter().take(args.agents).map(|scenario| line(scenario, &args.scen, view.grid())).collect()
}

fn line(scenario: &Scenario, file: &Path, grid: &Grid) -> Result<Line> {
    let Scenario { width, height, line: number, .. } = *scenario;
    if (width, height) != (grid.width(), grid.height()) {
        bail!(
            "{}: line {number}: found a map of {width} x {height} cells, expected {} x {}",
            file.display(),
            grid.width(),
            grid.height()
        );
    }
    // The cells of a scenario are inside the map whose size it states.
    let node = |cell| grid.node(cell).context("a cell outside the map");
    Ok(Line { task: Task::new(node(scenario.start)?, node(scenario.goal)?), number })
}

/// Names the lines of the agents in an error.
fn at_its_line(error: &CooperateError, lines: &[Line]) -> anyhow::Error {
    match *error {
        CooperateError::Blocked { agent, end, cell } => {
            anyhow::anyhow!("line {}: the {end}, cell {},{}, is blocked", lines[agent].number, cell.x, cell.y)
        }
        CooperateError::Shared { first, second, end, cell } => anyhow::anyhow!(
            "lines {} and {} have the same {end}, cell {},{}",
            lines[first].number,
            lines[second].number,
            cell.x,
            cell.y
        ),
        _ => anyhow::anyhow!("{error}"),
    }
}

/// Searches until there is a plan, and improves it if there is a limit. Returns when the first plan was found.
fn search(
    args: &CooperateArgs,
    cooperation: &mut Cooperation,
    view: &GridView<'_>,
    clock: Instant,
) -> Option<First> {
    let improves = args.seconds.is_some() || args.iterations.is_some();
    let most = args.iterations.unwrap_or(u64::MAX);
    let seconds = args.seconds.unwrap_or(Duration::MAX);
    let bar = bar(args);
    let mut first: Option<First> = None;
    while cooperation.iterations() < most && clock.elapsed() < seconds {
        let slice = SLICE.min(most - cooperation.iterations());
        let status = cooperation.resume(view, slice);
        if let (None, Some(plan)) = (&first, cooperation.plan()) {
            first = Some(First { ms: milliseconds(clock), sum_of_costs: plan.sum_of_costs() });
        }
        show(&bar, args, cooperation, clock);
        if status.is_final() || (first.is_some() && !improves) {
            break;
        }
    }
    bar.finish_and_clear();
    first
}

/// A bar that fills with the seconds, else with the iterations. Without a limit there is nothing to fill it.
fn bar(args: &CooperateArgs) -> ProgressBar {
    match (args.seconds, args.iterations) {
        (Some(seconds), _) => progress::bar(seconds.as_millis() as u64, "{bar:40} {eta} left, {msg}"),
        (None, Some(most)) => progress::bar(most, "{bar:40} {pos}/{len} iterations, {eta} left, {msg}"),
        (None, None) => progress::bar(0, "{pos} iterations, {msg}"),
    }
}

fn show(bar: &ProgressBar, args: &CooperateArgs, cooperation: &Cooperation, clock: Instant) {
    if bar.is_hidden() {
        return;
    }
    let done = args.seconds.map_or(cooperation.iterations(), |_| clock.elapsed().as_millis() as u64);
    bar.set_position(done);
    let sum = cooperation.plan().map(Plan::sum_of_costs);
    bar.set_message(sum.map_or_else(|| "no plan yet".to_owned(), |sum| format!("sum of costs {sum}")));
}

fn milliseconds(clock: Instant) -> f64 {
    clock.elapsed().as_secs_f64() * 1e3
}

fn report(cooperation: &Cooperation, agents: usize, first: Option<&First>, ms: f64) -> Report {
    let plan = cooperation.plan();
    let reason = match cooperation.status() {
        _ if plan.is_some() => None,
        Status::Impossible => Some("impossible"),
        Status::OutOfMemory => Some("memory"),
        Status::TooFar => Some("too_far"),
        _ => Some("budget"),
    };
    Report {
        solved: plan.is_some(),
        agents,
        reason,
        makespan: plan.map(Plan::makespan),
        sum_of_costs: plan.map(Plan::sum_of_costs),
        lower_bound: plan.map(|_| cooperation.lower_bound()),
        first_ms: first.map(|first| first.ms),
        first_sum_of_costs: first.map(|first| first.sum_of_costs),
        ms,
        iterations: cooperation.iterations(),
    }
}

fn human(report: &Report) -> String {
    let Report { agents, ms, iterations, .. } = report;
    let effort = format!("{ms:.1} ms, {iterations} iterations");
    let (Some(makespan), Some(sum), Some(bound), Some(first), Some(first_ms)) = (
        report.makespan,
        report.sum_of_costs,
        report.lower_bound,
        report.first_sum_of_costs,
        report.first_ms,
    ) else {
        let why = match report.reason {
            Some("impossible") => "there is no plan",
            Some("memory") => "no plan found within the memory limit",
            Some("too_far") => "no plan found: a goal is too far away",
            _ => "no plan found within the limits",
        };
        return format!("{agents} agents: {why} ({effort})\n");
    };
    let ratio = sum as f64 / bound.max(1) as f64;
    format!(
        "{agents} agents: sum of costs {sum}, {ratio:.3} times the lower bound {bound}; all at their goals after {makespan} steps ({effort})\n\
         first plan after {first_ms:.1} ms: sum of costs {first}\n"
    )
}
