//! Statistics of all flights.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use surefoot::flight::State;
use surefoot::scene::Scene;
use surefoot::validate::{Contact, Hit, Solid};

use super::Plan;
use super::run::Flown;
use super::trace::trace;
use crate::statistics::{mean, percentile};

/// What flights gave. Serialised, its fields are those of the command line's JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name of the algorithm.
    pub planner: &'static str,
    /// The number of flights.
    pub runs: usize,
    /// The number of flights that reached the goal.
    pub reached: usize,
    /// The number of flights with at least one hit.
    pub collided: usize,
    /// The number of flights that did not reach the goal in time.
    pub timed_out: usize,
    /// The mean distance travelled by those that reached the goal, in world units; 0 if none did.
    pub travelled_mean: f64,
    /// The time to move obstacles and to update cells, per tick.
    pub update_us: Times,
    /// The time to plan, per tick: what the agent thinks.
    pub plan_us: Times,
    /// The time of a whole tick: to update, to predict, to plan, to fly.
    pub frame_us: Times,
    /// The mean number of nodes expanded per flight.
    pub expanded_mean: f64,
    /// The number of flights that reached the goal without a hit.
    pub clean: usize,
    /// What was hit, in all flights.
    pub hits: Hits,
    /// The share of replans answered by a fresh search: all of them, unless the algorithm is incremental.
    pub fresh_share: f64,
    /// The flights that are not clean.
    pub failures: Vec<Failure>,
    /// The first of them, as a file.
    #[serde(skip)]
    pub trace: Option<String>,
}

/// Times in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize)]
pub struct Times {
    /// The mean.
    pub mean: f64,
    /// The 99th percentile, by nearest rank.
    pub p99: f64,
    /// The longest.
    pub max: f64,
}

/// Contacts by what was touched. A contact counts once, however long it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Hits {
    /// Shapes that never move.
    #[serde(rename = "static")]
    pub fixed: usize,
    /// Obstacles that move.
    pub moving: usize,
    /// Obstacles that appear and disappear.
    pub appeared: usize,
}

/// A flight that is not clean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The number of the flight, from 0.
    pub run: usize,
    /// The tick of the scene at which it began.
    pub from: u64,
    /// The tick of the first hit, or of the end.
    pub tick: u64,
    /// What happened.
    pub cause: String,
}

impl Report {
    /// Returns each cause of a failure and how often it occurs, the most frequent first.
    pub fn causes(&self) -> Vec<(&str, usize)> {
        let mut counts = BTreeMap::new();
        for failure in &self.failures {
            *counts.entry(failure.cause.as_str()).or_insert(0) += 1;
        }
        let mut causes: Vec<(&str, usize)> = counts.into_iter().collect();
        causes.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        causes
    }
}

/// Flights so far.
#[derive(Default)]
pub(super) struct Sums {
    flights: Vec<Flown>,
    clocks: Vec<[Duration; 3]>,
    /// The first flight that is not clean keeps its places.
    failed: Option<usize>,
}

impl Sums {
    /// Adds a flight.
    pub fn add(&mut self, number: usize, mut flown: Flown) {
        self.clocks.append(&mut flown.clocks);
        if !flown.is_clean() && self.failed.is_none() {
            self.failed = Some(number);
        } else {
            flown.places = Vec::new();
        }
        self.flights.push(flown);
    }

    /// Sums up.
    pub fn report(&self, scene: &Scene, plan: &Plan) -> Report {
        let count = |is: &dyn Fn(&Flown) -> bool| self.flights.iter().filter(|flown| is(flown)).count();
        let sum = |of: &dyn Fn(&Flown) -> u64| self.flights.iter().map(of).sum::<u64>() as f64;
        let travelled: Vec<f64> =
            self.flights.iter().filter(|flown| flown.reached).map(|flown| flown.travelled).collect();
        let hits = |hit: Hit| self.contacts().filter(|contact| contact.hit == hit).count();
        let times = |clock: usize| Times::of(self.clocks.iter().map(|clocks| clocks[clock]));
        let failed = self.flights.iter().enumerate().filter(|(_, flown)| !flown.is_clean());
        let failures: Vec<Failure> = failed.map(|(run, flown)| failure(scene, run, flown)).collect();
        let trace = self.failed.map(|run| trace(scene, plan, &self.flights[run], &failures[0]));
        Report {
            planner: plan.planner,
            runs: self.flights.len(),
            reached: travelled.len(),
            collided: count(&|flown| !flown.contacts.is_empty()),
            timed_out: count(&|flown| !flown.reached),
            travelled_mean: mean(&travelled).unwrap_or(0.0),
            update_us: times(0),
            plan_us: times(1),
            frame_us: times(2),
            expanded_mean: sum(&|flown| flown.work.expanded) / self.flights.len().max(1) as f64,
            clean: count(&Flown::is_clean),
            hits: Hits { fixed: hits(Hit::Static), moving: hits(Hit::Moving), appeared: hits(Hit::Appeared) },
            fresh_share: sum(&|flown| flown.work.fresh) / sum(&|flown| flown.work.replans).max(1.0),
            failures,
            trace,
        }
    }

    fn contacts(&self) -> impl Iterator<Item = &Contact> {
        self.flights.iter().flat_map(|flown| &flown.contacts).map(|(contact, _)| contact)
    }
}

impl Times {
    fn of(times: impl Iterator<Item = Duration>) -> Times {
        let mut times: Vec<f64> = times.map(|time| time.as_secs_f64() * 1e6).collect();
        times.sort_unstable_by(f64::total_cmp);
        let mean = mean(&times).unwrap_or(0.0);
        let max = times.last().copied().unwrap_or(0.0);
        Times { mean, p99: percentile(&times, 99).unwrap_or(0.0), max }
    }
}

fn failure(scene: &Scene, run: usize, flown: &Flown) -> Failure {
    let (tick, cause) = match flown.contacts.first() {
        Some((contact, state)) => {
            let what = match contact.hit {
                Hit::Static => "which never moves",
                Hit::Moving => "which moves",
                Hit::Appeared => "which appears and disappears",
            };
            (contact.tick, format!("touched {}, {what}, while {}", name(scene, contact.solid), doing(*state)))
        }
        None => (flown.last, format!("did not arrive in time: {}", doing(flown.state))),
    };
    Failure { run, from: flown.from, tick, cause }
}

/// What a shape is called.
pub(super) fn name(scene: &Scene, solid: Solid) -> String {
    let (kind, index, name) = match solid {
        Solid::Fixture(index) => ("shape", index, &scene.fixtures[index].name),
        Solid::Obstacle(index) => ("obstacle", index, &scene.obstacles[index].name),
    };
    if name.is_empty() { format!("{kind} {index}") } else { format!("{kind} {index} ({name})") }
}

fn doing(state: State) -> String {
    match state {
        State::Stuck(why) => format!("stuck ({})", why.name()),
        state => state.name().to_owned(),
    }
}
