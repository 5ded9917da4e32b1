//! `surefoot bake`: saves prepared maps.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde::Serialize;
use surefoot::prelude::*;

use crate::args::BakeArgs;
use crate::commands::solve;
use crate::files;
use crate::output::{self, Answer};
use crate::progress::preparing;

/// The result as JSON.
#[derive(Serialize)]
struct Baked {
    algorithm: &'static str,
    prepare_ms: f64,
    prepared_bytes: u64,
    file_bytes: usize,
}

pub fn run(args: &BakeArgs) -> Result<Answer> {
    let algorithm = args.algorithm;
    if !algorithm.prepares {
        bail!("{} does not prepare maps: expected one of {}", algorithm.title, preparing_names());
    }
    let (_, world) = files::read_world(&args.map, args.image.palette.as_ref())?;
    let agent = solve::agent(&args.map, &args.agent, &args.steps, &world)?;
    let view = world.view(&agent);
    let mut finder = Pathfinder::new(algorithm, &Options::default())?;
    let clock = Instant::now();
    preparing(args.memory.bytes(), |options| finder.prepare(view, options))
        .with_context(|| args.map.display().to_string())?;
    let prepare_ms = clock.elapsed().as_secs_f64() * 1e3;
    let View::Grid(view) = view else { bail!("{}: expected a grid", args.map.display()) };
    let prepared = finder.prepared().context("the algorithm prepared nothing")?;
    let bytes = prepared.to_bytes(&view).context("the map changed while it was prepared")?;
    files::write(&args.out, &bytes)?;
    let baked = Baked {
        algorithm: algorithm.name,
        prepare_ms,
        prepared_bytes: prepared.memory_bytes(),
        file_bytes: bytes.len(),
    };
    if args.json {
        output::print_json(&baked)?;
    } else {
        let (out, length, held) = (args.out.display(), bytes.len(), baked.prepared_bytes);
        let text = format!(
            "wrote {out}: {}, {length} bytes ({held} in memory), {prepare_ms:.1} ms\n",
            algorithm.name
        );
        output::print(text.as_bytes())?;
    }
    Ok(Answer::Yes)
}

fn preparing_names() -> String {
    let names = surefoot::algorithms::ALGORITHMS.iter().filter(|algorithm| algorithm.prepares);
    names.map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", ")
}
