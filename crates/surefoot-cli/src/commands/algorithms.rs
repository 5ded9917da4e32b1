//! `surefoot algorithms`: the registry.

use anyhow::Result;
use serde::Serialize;
use surefoot::search::{ALGORITHMS, Algorithm};

use crate::args::AlgorithmsArgs;
use crate::output::{self, Answer};

/// An algorithm as JSON shows it.
#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "a list of properties, as the registry has it")]
struct Entry {
    name: &'static str,
    title: &'static str,
    worlds: Vec<&'static str>,
    weighted: bool,
    optimal: bool,
    any_angle: bool,
    incremental: bool,
    moving_target: bool,
    prepares: bool,
    summary: &'static str,
    queues: Vec<&'static str>,
    uses_heuristic: bool,
    uses_weight: bool,
}

impl From<&Algorithm> for Entry {
    fn from(algorithm: &Algorithm) -> Entry {
        Entry {
            name: algorithm.name,
            title: algorithm.title,
            worlds: algorithm.worlds.iter().map(|world| world.name()).collect(),
            weighted: algorithm.weighted,
            optimal: algorithm.optimal,
            any_angle: algorithm.any_angle,
            incremental: algorithm.incremental,
            moving_target: algorithm.moving_target,
            prepares: algorithm.prepares,
            summary: algorithm.summary,
            queues: algorithm.queues.iter().map(|queue| queue.name()).collect(),
            uses_heuristic: algorithm.uses_heuristic,
            uses_weight: algorithm.uses_weight,
        }
    }
}

impl Entry {
    /// The properties that it has, in words.
    fn properties(&self) -> String {
        let all = [
            (self.optimal, "optimal"),
            (self.weighted, "weighted"),
            (self.any_angle, "any angle"),
            (self.incremental, "incremental"),
            (self.moving_target, "moving target"),
            (self.prepares, "prepares"),
            (self.uses_heuristic, "takes a heuristic"),
            (self.uses_weight, "takes a weight"),
        ];
        all.into_iter().filter(|(has, _)| *has).map(|(_, word)| word).collect::<Vec<_>>().join(", ")
    }
}

pub fn run(args: &AlgorithmsArgs) -> Result<Answer> {
    let entries: Vec<Entry> = ALGORITHMS.iter().map(Entry::from).collect();
    if args.json {
        output::print_json(&entries)?;
    } else {
        output::print(listing(&entries).as_bytes())?;
    }
    Ok(Answer::Yes)
}

fn listing(entries: &[Entry]) -> String {
    let paragraph = |entry: &Entry| {
        let Entry { name, summary, .. } = entry;
        let worlds = format!("on {}; {}", entry.worlds.join(", "), entry.properties());
        let queues = match &entry.queues[..] {
            [] => String::new(),
            queues => format!("    open lists: {}\n", queues.join(", ")),
        };
        format!("{name}\n    {summary}\n    {worlds}\n{queues}")
    };
    entries.iter().map(paragraph).collect()
}
