//! The result as JSON and as text.

use std::time::Duration;

use serde::Serialize;
use surefoot::graph::Located;
use surefoot::prelude::*;
use surefoot::search::Promise;

use super::{Checked, Solved};

/// The result as JSON.
#[derive(Serialize)]
pub struct Report {
    found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    algorithm: &'static str,
    /// For an algorithm that chooses another: the choice, and its reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<String>,
    /// Also set for a partial path, with `found` false.
    #[serde(flatten)]
    path: Option<PathReport>,
    expanded: u64,
    generated: u64,
    peak_open: u64,
    prepare_us: u64,
    search_us: u64,
    reopened: u64,
    scratch_bytes: u64,
    prepared_bytes: u64,
    optimal: bool,
    promise: String,
    #[serde(skip)]
    why: Option<Why>,
}

#[derive(Serialize)]
struct PathReport {
    cost: f64,
    length: f64,
    steps: usize,
    path: Places,
}

/// Cells as integers, or positions, without heights if the world is flat.
#[derive(Serialize)]
#[serde(untagged)]
enum Places {
    Cells(Vec<[i32; 2]>),
    Voxels(Vec<[i32; 3]>),
    Flat(Vec<[f64; 2]>),
    High(Vec<[f64; 3]>),
}

impl Places {
    fn of(view: &View<'_>, nodes: &[NodeId]) -> Places {
        let positions = || nodes.iter().map(|&node| view.position(node));
        match view {
            View::Grid(view) => {
                let cells = nodes.iter().map(|&node| view.grid().cell(node));
                Places::Cells(cells.map(|cell| [cell.x, cell.y]).collect())
            }
            View::Graph(graph) if graph.positions().iter().all(|point| point.z == 0.0) => {
                Places::Flat(positions().map(|point| [point.x, point.y]).collect())
            }
            View::Voxels(view) => {
                let cells = nodes.iter().map(|&node| view.voxels().voxel(node));
                Places::Voxels(cells.map(|voxel| [voxel.x, voxel.y, voxel.z]).collect())
            }
            _ => Places::High(positions().map(|point| [point.x, point.y, point.z]).collect()),
        }
    }

    fn to_texts(&self) -> Vec<String> {
        match self {
            Places::Cells(cells) => cells.iter().map(|[x, y]| format!("{x},{y}")).collect(),
            Places::Voxels(cells) => cells.iter().map(|[x, y, z]| format!("{x},{y},{z}")).collect(),
            Places::Flat(points) => points.iter().map(|[x, y]| format!("{x},{y}")).collect(),
            Places::High(points) => points.iter().map(|[x, y, z]| format!("{x},{y},{z}")).collect(),
        }
    }
}

impl Report {
    pub fn of(Checked(solved): &Checked<'_, '_>) -> Report {
        let Solved { view, finder, .. } = solved;
        let why = match finder.outcome() {
            Outcome::Found => None,
            Outcome::Unreachable(why) | Outcome::Partial(why) => Some(why),
            Outcome::Paused => Some(Why::Budget),
        };
        let path = finder.path();
        let promise = finder.promise(view);
        let stats = finder.stats();
        Report {
            found: why.is_none(),
            reason: why.map(Why::name),
            algorithm: finder.algorithm().name,
            chosen: finder.choice().map(|choice| choice.algorithm),
            because: finder.choice().map(|choice| choice.reason.to_string()),
            path: (!path.is_empty()).then(|| PathReport {
                cost: path.cost(),
                length: path.length(),
                steps: path.steps(),
                path: Places::of(view, path.nodes()),
            }),
            expanded: stats.expanded,
            generated: stats.generated,
            peak_open: stats.peak_open,
            prepare_us: in_micros(solved.prepared_in),
            search_us: in_micros(solved.searched_in),
            reopened: stats.reopened,
            scratch_bytes: stats.scratch_bytes,
            prepared_bytes: finder.prepared().map_or(0, |prepared| prepared.memory_bytes()),
            optimal: promise == Promise::Optimal,
            promise: match promise {
                Promise::Optimal => "optimal".to_owned(),
                Promise::Within(factor) => format!("at most {factor} times the optimum"),
                Promise::Nothing(reason) => format!("none: {reason}"),
            },
            why,
        }
    }

    pub fn to_text(&self, Checked(solved): &Checked<'_, '_>) -> String {
        let mut lines = Vec::new();
        match (&self.why, &self.path) {
            (None, _) => lines.push(("found", "yes".to_owned())),
            (Some(why), None) => lines.push(("found", format!("no: {why}"))),
            (Some(why), Some(_)) => {
                lines.push(("found", format!("no: {why}; the path leads as close as possible")));
            }
        }
        if let Some(path) = &self.path {
            lines.push(("cost", format!("{} (length {}, {} steps)", path.cost, path.length, path.steps)));
            let corners = Places::of(&solved.view, &solved.finder.path().corners(solved.view));
            lines.push(("path", shorten(&corners.to_texts()).join(" -> ")));
        }
        let effort = format!(
            "{} nodes, {} edges examined, at most {} nodes open, {} reopened",
            self.expanded, self.generated, self.peak_open, self.reopened
        );
        lines.push(("expanded", effort));
        lines
            .push(("time", format!("{} us, plus {} us to prepare the map", self.search_us, self.prepare_us)));
        if let (Some(chosen), Some(because)) = (self.chosen, &self.because) {
            lines.push(("chosen", format!("{chosen}: {because}")));
        }
        lines.push(("promise", format!("{} ({})", self.promise, self.algorithm)));
        let lines: Vec<String> = lines.iter().map(|(name, text)| format!("{name:<9} {text}\n")).collect();
        lines.concat()
    }
}

/// Omits the middle of a long list.
fn shorten(places: &[String]) -> Vec<String> {
    const SHOWN: usize = 8;
    if places.len() <= 2 * SHOWN {
        return places.to_vec();
    }
    let left_out = format!("({} more)", places.len() - 2 * SHOWN);
    [&places[..SHOWN], &[left_out], &places[places.len() - SHOWN..]].concat()
}

/// Rounds to the nearest microsecond.
fn in_micros(time: Duration) -> u64 {
    (time.as_nanos() as u64 + 500) / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_lose_their_middle() {
        let places: Vec<String> = (0..20).map(|place| place.to_string()).collect();
        let short = shorten(&places);
        assert_eq!((short.len(), short[8].as_str(), short[9].as_str()), (17, "(4 more)", "12"));
        assert_eq!(shorten(&places[..16]), &places[..16]);
    }

    #[test]
    fn times_are_rounded() {
        assert_eq!([499, 500, 1499].map(|nanos| in_micros(Duration::from_nanos(nanos))), [0, 1, 1]);
    }
}
