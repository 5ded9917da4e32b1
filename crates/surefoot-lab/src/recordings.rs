//! Recorded flights (`.flight.json`, see `docs/formats.md`): from files, for the page.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use surefoot::prelude::*;
use surefoot::scene::{LAST_TICK, Scene};

use crate::limits::{self, RECORDED_TICKS};
use crate::scenery;

/// The version that is read.
const VERSION: u32 = 1;

/// A file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "surefoot")]
    _surefoot: String,
    version: u32,
    planner: String,
    seed: u64,
    run: u64,
    switches: Switches,
    evade: bool,
    from: u64,
    tick: u64,
    cause: String,
    hits: Vec<Hit>,
    positions: Vec<[f64; 3]>,
    scene: Box<RawValue>,
}

/// When blocks appear.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Switches {
    Timetable,
    Seed,
}

/// What was touched, as the file says.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Hit {
    tick: u64,
    what: String,
    kind: Kind,
    distance: f64,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Static,
    Moving,
    Appeared,
}

/// What the page is told of a flight.
#[derive(Serialize)]
pub struct Recording {
    planner: String,
    seed: u64,
    run: u64,
    evade: bool,
    holds_blocks: bool,
    from: u64,
    tick: u64,
    cause: String,
    hits: Vec<Hit>,
    /// In cells.
    positions: Vec<[f64; 3]>,
}

/// What tells a recorded flight from other JSON.
#[derive(Deserialize)]
struct Head {
    surefoot: Option<String>,
}

/// Whether a file is a recorded flight.
pub fn is_recording(bytes: &[u8]) -> bool {
    let head = bytes.trim_ascii_start().starts_with(b"{").then(|| serde_json::from_slice::<Head>(bytes));
    matches!(head, Some(Ok(head)) if head.surefoot.as_deref() == Some("flight"))
}

/// Reads a recorded flight and its scene within limits.
pub fn read(bytes: &[u8]) -> Result<(Recording, Scene), String> {
    let wrong = |error: serde_json::Error| format!("not a recorded flight: {error}");
    let document: Document = serde_json::from_slice(bytes).map_err(wrong)?;
    if document.version != VERSION {
        return Err(format!("found a recorded flight of version {}, expected {VERSION}", document.version));
    }
    let scene = scenery::read(document.scene.get().as_bytes()).map_err(|error| format!("scene: {error}"))?;
    let Document { from, tick, positions, .. } = &document;
    limits::check("positions", positions.len() as u64, RECORDED_TICKS)?;
    let Some(ticks) = (positions.len() as u64).checked_sub(1) else {
        return Err("positions: found none, expected at least that at the beginning".to_owned());
    };
    let Some(last) = from.checked_add(ticks).filter(|&last| last <= LAST_TICK) else {
        return Err(format!("from: found {from}, expected a flight that ends by tick {LAST_TICK}"));
    };
    let ticks = document.hits.iter().map(|hit| ("hits", hit.tick)).chain([("tick", *tick)]);
    for (field, tick) in ticks {
        if !(*from..=last).contains(&tick) {
            return Err(format!("{field}: found tick {tick}, expected one of the flight, {from} to {last}"));
        }
    }
    let cells = |&[x, y, z]: &[f64; 3]| scene.frame.in_cells(Point::new(x, y, z));
    let recording = Recording {
        positions: positions.iter().map(cells).collect(),
        planner: document.planner,
        seed: document.seed,
        run: document.run,
        evade: document.evade,
        holds_blocks: document.switches == Switches::Seed,
        from: document.from,
        tick: document.tick,
        cause: document.cause,
        hits: document.hits,
    };
    Ok((recording, scene))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLIGHT: &str = r#"{"surefoot":"flight","version":1,"planner":"astar","seed":0,"run":17,"switches":"seed","evade":true,
        "from":30,"tick":32,"cause":"touched obstacle 0 (bus), which moves, while flying",
        "hits":[{"tick":32,"what":"obstacle 0 (bus)","kind":"moving","distance":0.21}],
        "positions":[[-3,0,0.5],[-2.5,0,0.5],[-2,0,0.5]],
        "scene": {"surefoot": "scene", "version": 1, "size": [8, 6, 4], "origin": [-4, -3, 0], "cell_size": 0.5,
            "start": [-3, 0, 0.5], "goal": {"position": [-1, 0, 0.5]}, "obstacles": [{"sphere": 0.5, "position": [-2, -1, 1]}]}}"#;

    #[test]
    fn flights_are_read_in_cells() {
        assert!(
            is_recording(FLIGHT.as_bytes())
                && !is_recording(br#"{"surefoot": "scene"}"#)
                && !is_recording(b"[")
        );
        let (recording, scene) = read(FLIGHT.as_bytes()).unwrap();
        assert_eq!((recording.from, recording.tick, recording.holds_blocks), (30, 32, true));
        assert_eq!(recording.positions, [[2.0, 6.0, 1.0], [3.0, 6.0, 1.0], [4.0, 6.0, 1.0]]);
        assert_eq!(scene.obstacles.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (from, to, expected) in [
            (
                "\"version\":1,\"planner\"",
                "\"version\":2,\"planner\"",
                "found a recorded flight of version 2, expected 1",
            ),
            ("\"planner\":\"astar\",", "", "not a recorded flight: missing field `planner`"),
            (
                "\"seed\",\"evade\"",
                "\"often\",\"evade\"",
                "unknown variant `often`, expected `timetable` or `seed`",
            ),
            ("[[-3,0,0.5],[-2.5,0,0.5],[-2,0,0.5]]", "[]", "positions: found none"),
            ("[-2.5,0,0.5]", "[-2.5,0]", "not a recorded flight: invalid length 2"),
            (
                "\"tick\":32,\"cause\"",
                "\"tick\":33,\"cause\"",
                "tick: found tick 33, expected one of the flight, 30 to 32",
            ),
            ("[{\"tick\":32", "[{\"tick\":29", "hits: found tick 29"),
            ("\"from\":30", "\"from\":18446744073709551615", "from: found 18446744073709551615"),
            ("\"sphere\": 0.5", "\"sphere\": -1", "scene: "),
            ("[8, 6, 4]", "[4096, 4096, 2]", "are too many for the lab"),
        ] {
            assert!(FLIGHT.contains(from), "{from}");
            let error = read(FLIGHT.replacen(from, to, 1).as_bytes()).err().unwrap();
            assert!(error.contains(expected), "{error}");
        }
    }
}
