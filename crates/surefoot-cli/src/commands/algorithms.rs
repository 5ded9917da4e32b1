//! `surefoot algorithms`: lists the registry.

use anyhow::Result;
use surefoot::algorithms::ALGORITHMS;
use surefoot::search::Algorithm;

use crate::args::AlgorithmsArgs;
use crate::output::{self, Answer};

/// Lists the properties of an algorithm.
fn properties(algorithm: &Algorithm) -> String {
    let all = [
        (algorithm.optimal, "optimal"),
        (algorithm.weighted, "weighted terrain"),
        (algorithm.any_angle, "any-angle paths"),
        (algorithm.incremental, "incremental"),
        (algorithm.moving_target, "moving target"),
        (algorithm.prepares, "prepares maps"),
        (algorithm.uses_heuristic, "uses a heuristic"),
        (algorithm.uses_weight, "supports a weight"),
    ];
    all.into_iter().filter(|(has, _)| *has).map(|(_, word)| word).collect::<Vec<_>>().join(", ")
}

pub fn run(args: &AlgorithmsArgs) -> Result<Answer> {
    if args.json {
        output::print_json(&ALGORITHMS)?;
    } else {
        output::print(listing().as_bytes())?;
    }
    Ok(Answer::Yes)
}

fn listing() -> String {
    let paragraph = |algorithm: &Algorithm| {
        let Algorithm { name, summary, .. } = algorithm;
        let worlds: Vec<&str> = algorithm.worlds.iter().map(|world| world.name()).collect();
        let worlds = format!("worlds: {}; {}", worlds.join(", "), properties(algorithm));
        let queues: Vec<&str> = algorithm.queues.iter().map(|queue| queue.name()).collect();
        let queues = match &queues[..] {
            [] => String::new(),
            queues => format!("    open lists: {}\n", queues.join(", ")),
        };
        format!("{name}\n    {summary}\n    {worlds}\n{queues}")
    };
    ALGORITHMS.iter().map(paragraph).collect()
}
