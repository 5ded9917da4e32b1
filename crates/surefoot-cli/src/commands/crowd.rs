//! `surefoot crowd`: a crowd without a window.

use anyhow::{Context, Result, bail};
use surefoot::crowd::Avoidance;
use surefoot::prelude::*;
use surefoot_experiments::crowd::{self, Mode, Plan, Report};

use crate::args::{AvoidArg, CrowdArgs, CrowdMode};
use crate::output::{self, Answer};
use crate::{files, progress};

pub fn run(args: &CrowdArgs) -> Result<Answer> {
    let (_, world) = files::read_world(&args.map, None)?;
    let View::Grid(view) = world.view(&Agent::default()) else {
        bail!("{}: expected a grid", args.map.display())
    };
    let plan = plan(args);
    let progress = progress::bar(plan.ticks, "{bar:40} {pos}/{len} ticks, {eta} left");
    let run = || crowd::run(view.grid(), &plan, &|| progress.inc(1));
    let report = match args.threads {
        Some(threads) => rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .with_context(|| format!("cannot start {threads} threads"))?
            .install(run),
        None => run(),
    };
    progress.finish_and_clear();
    let report = report.with_context(|| args.map.display().to_string())?;
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(human(&report).as_bytes())?;
    }
    Ok(Answer::Yes)
}

fn plan(args: &CrowdArgs) -> Plan {
    Plan {
        units: args.units,
        goals: args.goals,
        mode: match args.mode {
            CrowdMode::Astar => Mode::Astar,
            CrowdMode::Service => Mode::Service,
            CrowdMode::Field => Mode::Field,
        },
        avoidance: match args.avoid {
            AvoidArg::Orca => Avoidance::Orca,
            AvoidArg::Reserve => Avoidance::Reserve,
            AvoidArg::None => Avoidance::None,
        },
        resolve_jams: !args.no_jams,
        ticks: args.ticks,
        seed: args.seed,
    }
}

fn human(report: &Report) -> String {
    let Report { units, arrived, stuck, ticks, delay, jams, in_wall, worst_overlap, .. } = report;
    let times = &report.tick_us;
    format!(
        "{arrived} of {units} units arrived, {stuck} are stuck, after {ticks} ticks ({:.1} s)\n\
         delay {:.2} s on average, {:.2} s at most; longest wait {:.2} s\n\
         jams: {} found, {} resolved, {} without an arrangement\n\
         {in_wall} units in a wall, worst overlap {:.2}% of a radius\n\
         per tick {:.0} us on average, p99 {:.0} us, at most {:.0} us; {} plans expanded {} nodes\n\
         hash {}\n",
        *ticks as f64 / f64::from(crowd::TICKS_PER_SECOND),
        delay.mean,
        delay.worst,
        report.longest_wait,
        jams.found,
        jams.resolved,
        jams.failed,
        100.0 * worst_overlap,
        times.mean,
        times.p99,
        times.max,
        report.plans,
        report.expanded,
        report.hash
    )
}
