//! `surefoot simulate`: flights through a scene.

use anyhow::{Context, Result, bail};
use surefoot::scene::Scene;
use surefoot_experiments::simulate::{self, Hits, Plan, Report, Switches, Times};

use crate::args::{GoalArg, SimulateArgs, SwitchesArg};
use crate::output::{self, Answer};
use crate::{files, progress};

pub fn run(args: &SimulateArgs) -> Result<Answer> {
    let scene = match args.goal {
        GoalArg::Rest | GoalArg::Moving => files::read_scene(&args.scene)?,
        GoalArg::Sideways => files::read_sideways(&args.scene)?,
    };
    let plan = plan(args, &scene)?;
    let progress = progress::bar(plan.runs as u64, "{bar:40} {pos}/{len} flights, {eta} left");
    let report = simulate::run(&scene, &plan, &|| progress.inc(1));
    progress.finish_and_clear();
    let report = report.with_context(|| args.scene.display().to_string())?;
    match (&args.trace, &report.trace) {
        (Some(file), Some(trace)) => files::write(file, trace.as_bytes())?,
        (Some(file), None) => {
            output::warn(&format!("all flights are clean: {} is not written", file.display()));
        }
        (None, _) => {}
    }
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(human(&report).as_bytes())?;
    }
    Ok(Answer::Yes)
}

fn plan(args: &SimulateArgs, scene: &Scene) -> Result<Plan> {
    let goal_moves = args.goal != GoalArg::Rest;
    if goal_moves && scene.goal.travel.is_none() {
        bail!("{}: the goal does not move, expected a `patrol` or `keyframes`", args.scene.display());
    }
    Ok(Plan {
        planner: args.planner,
        runs: args.runs,
        seed: args.seed,
        frames: args.frames,
        radius: args.radius.unwrap_or(scene.walker.radius),
        evade: !args.no_evade,
        goal_moves,
        switches: match args.switches {
            SwitchesArg::Timetable => Switches::Timetable,
            SwitchesArg::Seed => Switches::Seed,
        },
    })
}

fn human(report: &Report) -> String {
    let Report { planner, runs, clean, reached, collided, timed_out, .. } = report;
    let mut text = format!(
        "{planner}: {clean} of {runs} flights are clean; {reached} reached the goal, {collided} touched something, {timed_out} did not arrive in time\n"
    );
    let row = |name: &str, times: &Times| {
        let us = |time: f64| format!("{time:.1}");
        vec![name.to_owned(), us(times.mean), us(times.p99), us(times.max)]
    };
    let titles = ["per tick", "mean us", "p99 us", "max us"].map(str::to_owned).to_vec();
    text += &output::table(&[
        titles,
        row("update", &report.update_us),
        row("plan", &report.plan_us),
        row("all", &report.frame_us),
    ]);
    let Hits { fixed, moving, appeared } = report.hits;
    let mut lines = vec![
        format!(
            "travelled {:.2} on average, {:.0} nodes expanded per flight, {:.1}% of plans by a fresh search",
            report.travelled_mean,
            report.expanded_mean,
            100.0 * report.fresh_share
        ),
        format!("hits: {fixed} static, {moving} moving, {appeared} appeared"),
    ];
    for (cause, count) in report.causes() {
        let first = report.failures.iter().find(|failure| failure.cause == cause);
        let first = first.map_or(String::new(), |it| {
            format!(" (first: run {} from tick {}, tick {})", it.run, it.from, it.tick)
        });
        lines.push(format!("{count} x {cause}{first}"));
    }
    text + &lines.join("\n") + "\n"
}
