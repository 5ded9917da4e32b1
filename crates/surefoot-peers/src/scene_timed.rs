//! Time-aware planning in the suite `scene`: how long a forecast of a minute takes, and a plan among obstacles whose motions are known.

use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use surefoot::flight::{Ending, SafeIntervals, Sipp, TIMED_HORIZON, TimedQuery};
use surefoot::prelude::Agent;
use surefoot::scene::Scene;

use crate::report::{markdown, percentile};
use crate::scene_planners::{RADIUS, with_moving_goal};

/// How many ticks lie between the beginnings of two flights.
const APART: u64 = 97;

/// What forecasts and plans took.
#[derive(Debug, Serialize)]
pub struct Row {
    pub scene: String,
    pub goal: &'static str,
    pub plans: usize,
    pub forecast_mean_ms: f64,
    pub forecast_max_ms: f64,
    /// The first plan, which computes the distances to the goal.
    pub first_us: f64,
    /// The others.
    pub mean_us: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub max_us: f64,
    pub expanded_mean: f64,
    pub arrival_mean_ticks: f64,
    /// How many plans do not lead to the goal, or expose the agent.
    pub mismatches: usize,
}

/// Plans the flight of the scene's agent from many moments on, with the goal at rest and with a moving one.
pub fn run(name: &str, scene: &Scene, plans: u64) -> Result<Vec<Row>> {
    let moving = with_moving_goal(scene)?;
    [("rest", scene), ("moving", &moving)]
        .map(|(goal, scene)| row(name, goal, scene, plans))
        .into_iter()
        .collect()
}

fn row(name: &str, goal: &'static str, scene: &Scene, plans: u64) -> Result<Row> {
    let agent = Agent::new().with_radius(RADIUS)?;
    let walls = scene.fixed_cells()?;
    let view = walls.view(&agent);
    let at = view.nearest_clear_point(scene.start).context("expected a place for the agent")?;
    let mut sipp = Sipp::default();
    let (mut forecasts, mut times) = (Vec::new(), Vec::new());
    let (mut expanded, mut ticks, mut mismatches) = (0, 0, 0);
    for tick in (0..=plans).map(|number| number * APART) {
        let began = Instant::now();
        let safe = SafeIntervals::of_scene(scene, &agent, tick, TIMED_HORIZON)?;
        forecasts.push(began.elapsed().as_secs_f64() * 1e3);
        let query = TimedQuery { at, tick, speed: scene.walker.speed, goal: &scene.goal, budget: u64::MAX };
        let began = Instant::now();
        let plan = sipp.plan(&view, &safe, &query);
        times.push(began.elapsed().as_secs_f64() * 1e6);
        expanded += plan.expanded();
        ticks += plan.end_tick() - tick;
        mismatches += usize::from(plan.ending() != Ending::Goal || plan.exposed() > 0);
    }
    let first_us = times.remove(0);
    let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len().max(1) as f64;
    let mean_us = mean(&times);
    times.sort_unstable_by(f64::total_cmp);
    Ok(Row {
        scene: name.to_owned(),
        goal,
        plans: times.len(),
        forecast_mean_ms: mean(&forecasts),
        forecast_max_ms: forecasts.iter().copied().fold(0.0, f64::max),
        first_us,
        mean_us,
        p50_us: percentile(&times, 50),
        p99_us: percentile(&times, 99),
        max_us: percentile(&times, 100),
        expanded_mean: expanded as f64 / (plans + 1) as f64,
        arrival_mean_ticks: ticks as f64 / (plans + 1) as f64,
        mismatches,
    })
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| scene",
        "goal",
        "plans",
        "forecast ms",
        "max ms",
        "first us",
        "mean us",
        "p50 us",
        "p99 us",
        "max us",
        "expanded",
        "arrival",
        "not safe |",
    ];
    let line = |row: &Row| {
        [
            format!("| {}", row.scene),
            row.goal.to_owned(),
            row.plans.to_string(),
            format!("{:.1}", row.forecast_mean_ms),
            format!("{:.1}", row.forecast_max_ms),
            format!("{:.1}", row.first_us),
            format!("{:.1}", row.mean_us),
            format!("{:.1}", row.p50_us),
            format!("{:.1}", row.p99_us),
            format!("{:.1}", row.max_us),
            format!("{:.0}", row.expanded_mean),
            format!("{:.0}", row.arrival_mean_ticks),
            format!("{} |", row.mismatches),
        ]
    };
    markdown(header, rows.iter().map(line))
}

#[cfg(test)]
mod tests {
    use surefoot::obstacle::{Pose, Shape};
    use surefoot::prelude::Point;
    use surefoot::scene::{Mover, Switch};

    use super::*;

    #[test]
    fn plans_lead_through_a_gate() {
        let mut scene = Scene::new([12, 5, 3]);
        let gate = Shape::cuboid(Point::new(0.5, 2.5, 1.5)).unwrap();
        let gate = Mover::at_rest("gate", gate, Pose::at(Point::new(6.5, 2.5, 1.5)).unwrap());
        scene.obstacles.push(Mover { switch: Some(Switch::new(300, true).unwrap()), ..gate });
        scene.walker.speed = 4.0;
        let rows = run("gate", &scene, 4).unwrap();
        assert!(rows.iter().all(|row| row.plans == 4 && row.mismatches == 0 && row.mean_us <= row.max_us));
        assert!(rows[0].arrival_mean_ticks > 170.0 && text(&rows).contains("| moving"), "{rows:?}");
    }
}
