//! The suite `subscriptions`: which of many paths does an edit touch, how fast is that known, and is it right.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use surefoot::generate::{Kind, generate};
use surefoot::path::Path;
use surefoot::prelude::{
    Agent, Cell, Cost, Grid, NodeId, Options, Pathfinder, PathfinderPool, Request, Terrain,
};
use surefoot::replan::{PathChange, SubscriptionId, Subscriptions, Touched};
use surefoot::validate::{self, Claim, Violation};

use crate::prepare_suite::view;
use crate::report::{percentile, rule, table};

/// The kinds of map that are generated.
const KINDS: [Kind; 2] = [Kind::Rooms, Kind::Caves];

/// Columns and rows of the generated maps.
const SIDE: u32 = 1024;

/// The seed of the maps.
const SEED: u64 = 1;

/// How many paths have to use a cell that is edited.
const USERS: u32 = 10;

/// The maximum distance of near goals, in columns and rows.
const NEAR: f64 = 64.0;

/// What came of one set of paths on one map; times in microseconds.
#[derive(Debug, Serialize)]
pub struct Row {
    pub map: String,
    pub goals: &'static str,
    pub paths: usize,
    pub mean_steps: f64,
    pub bytes: usize,
    pub subscribe_us: f64,
    pub replace_us: f64,
    pub edits: usize,
    /// A cell that at least ten paths use is closed.
    pub close: Answers,
    /// The touched have found other paths, and it is opened again.
    pub open: Answers,
    /// The time to check all paths from scratch.
    pub brute_force_us: f64,
    /// Paths about which subscriptions and brute force do not agree.
    pub mismatches: usize,
}

/// How fast edits of one kind are answered.
#[derive(Debug, Serialize)]
pub struct Answers {
    pub p50_us: f64,
    pub p99_us: f64,
    /// The median with the edit of the map itself.
    pub with_edit_p50_us: f64,
    /// Mean number of paths that are named.
    pub named: f64,
    /// Mean number of paths that have to be named.
    pub needed: f64,
}

#[derive(Default)]
struct Tally {
    times: Vec<f64>,
    with_edit: Vec<f64>,
    named: usize,
    needed: usize,
}

impl Tally {
    fn answers(mut self) -> Answers {
        let edits = self.times.len().max(1) as f64;
        self.times.sort_unstable_by(f64::total_cmp);
        self.with_edit.sort_unstable_by(f64::total_cmp);
        let of =
            |times: &[f64], hundredths| if times.is_empty() { 0.0 } else { percentile(times, hundredths) };
        Answers {
            p50_us: of(&self.times, 50),
            p99_us: of(&self.times, 99),
            with_edit_p50_us: of(&self.with_edit, 50),
            named: self.named as f64 / edits,
            needed: self.needed as f64 / edits,
        }
    }
}

/// Registers a number of paths on each map and edits a number of cells. Maps from files come after the generated ones.
pub fn run(files: Vec<(String, Grid)>, paths: usize, edits: usize) -> Result<Vec<Row>> {
    let generated =
        KINDS.iter().map(|&kind| Ok((format!("{kind} {SIDE}"), generate(kind, SIDE, SIDE, SEED)?)));
    let mut maps = generated.collect::<Result<Vec<_>>>()?;
    maps.extend(files);
    let progress = ProgressBar::new((maps.len() * 2 * edits) as u64);
    progress.set_style(ProgressStyle::with_template("{msg:30} {bar:40} {pos}/{len} edits, {eta} left")?);
    let mut rows = Vec::new();
    for (name, grid) in maps {
        for goals in ["far", "near"] {
            progress.set_message(format!("{name}, {goals} goals"));
            let row = Trial::new(grid.clone(), goals, paths)?.row(&name, goals, edits, &progress);
            rows.push(row.with_context(|| name.clone())?);
        }
    }
    progress.finish_and_clear();
    Ok(rows)
}

/// A map and the paths on it.
struct Trial {
    grid: Grid,
    subscriptions: Subscriptions,
    ids: Vec<SubscriptionId>,
    paths: Vec<Path>,
    finder: Pathfinder,
    subscribe: Duration,
    replace: Vec<f64>,
    brute_force: Vec<f64>,
    mismatches: usize,
}

impl Trial {
    fn new(grid: Grid, goals: &str, count: usize) -> Result<Trial> {
        let requests = requests(&grid, goals, count);
        let finder = Pathfinder::named("auto", &Options::default())?;
        let answers = PathfinderPool::new(finder.fork()).solve_many(view(&grid), &requests);
        let paths: Vec<Path> = answers.into_iter().flatten().collect();
        let mut subscriptions = Subscriptions::new();
        let began = Instant::now();
        let ids = paths.iter().map(|path| subscriptions.subscribe(view(&grid), path)).collect();
        let subscribe = began.elapsed();
        Ok(Trial {
            grid,
            subscriptions,
            ids,
            paths,
            finder,
            subscribe,
            replace: Vec::new(),
            brute_force: Vec::new(),
            mismatches: 0,
        })
    }

    fn row(mut self, map: &str, goals: &'static str, edits: usize, progress: &ProgressBar) -> Result<Row> {
        let cells = self.busy_cells(edits);
        let steps: usize = self.paths.iter().map(Path::steps).sum();
        let (mut close, mut open) = (Tally::default(), Tally::default());
        for &cell in &cells {
            self.try_cell(cell, &mut close, &mut open)?;
            progress.inc(1);
        }
        let mean = |times: &[f64]| times.iter().sum::<f64>() / times.len().max(1) as f64;
        Ok(Row {
            map: map.to_owned(),
            goals,
            paths: self.paths.len(),
            mean_steps: steps as f64 / self.paths.len().max(1) as f64,
            bytes: self.subscriptions.memory_bytes(),
            subscribe_us: self.subscribe.as_secs_f64() * 1e6 / self.paths.len().max(1) as f64,
            replace_us: mean(&self.replace),
            edits: cells.len(),
            close: close.answers(),
            open: open.answers(),
            brute_force_us: mean(&self.brute_force),
            mismatches: self.mismatches,
        })
    }

    /// Cells that enough paths use, spread over all of them.
    fn busy_cells(&self, count: usize) -> Vec<Cell> {
        let mut users = std::collections::BTreeMap::<NodeId, u32>::new();
        for node in self.paths.iter().flat_map(Path::nodes) {
            *users.entry(*node).or_default() += 1;
        }
        let busy: Vec<NodeId> =
            users.into_iter().filter(|(_, users)| *users >= USERS).map(|(node, _)| node).collect();
        let count = count.min(busy.len());
        (0..count).map(|number| self.grid.cell(busy[number * busy.len() / count])).collect()
    }

    /// Closes a cell, lets the touched find other paths, opens it, lets them have their paths back.
    fn try_cell(&mut self, cell: Cell, close: &mut Tally, open: &mut Tally) -> Result<()> {
        let terrain = self.grid.terrain(cell).context("a cell of the map")?;
        let touched = self.edit(cell, Terrain::WALL, close)?;
        let began = Instant::now();
        let costs: Vec<Option<Cost>> = self.paths.iter().map(|path| judged(&self.grid, path)).collect();
        self.brute_force.push(began.elapsed().as_secs_f64() * 1e6);
        for ((id, path), now) in self.ids.iter().zip(&self.paths).zip(&costs) {
            let expected = match *now {
                None => Some(PathChange::Broken),
                Some(now) => (now > path.units()).then_some(PathChange::CostIncreased),
            };
            close.needed += usize::from(expected.is_some());
            self.mismatches += usize::from(said(&touched, *id) != expected);
        }

        let mut longer = Vec::new();
        for (number, _) in costs.iter().enumerate().filter(|(_, cost)| cost.is_none()) {
            let (Some(&from), Some(&to)) =
                (self.paths[number].nodes().first(), self.paths[number].nodes().last())
            else {
                continue;
            };
            let detour = self.finder.find(view(&self.grid), from, to).cloned().unwrap_or_default();
            let began = Instant::now();
            self.subscriptions.replace(self.ids[number], view(&self.grid), &detour);
            self.replace.push(began.elapsed().as_secs_f64() * 1e6);
            if detour.is_empty() || detour.units() > self.paths[number].units() {
                longer.push(number);
            }
        }

        let touched = self.edit(cell, terrain, open)?;
        open.needed += longer.len();
        // Nothing breaks, and paths with a detour are reported.
        self.mismatches += touched.iter().filter(|touched| touched.change != PathChange::MayImprove).count();
        let silent = longer.iter().filter(|&&number| said(&touched, self.ids[number]).is_none());
        self.mismatches += silent.count();
        for number in (0..costs.len()).filter(|&number| costs[number].is_none()) {
            self.subscriptions.replace(self.ids[number], view(&self.grid), &self.paths[number]);
        }
        Ok(())
    }

    fn edit(&mut self, cell: Cell, terrain: Terrain, tally: &mut Tally) -> Result<Vec<Touched>> {
        let mut touched = Vec::with_capacity(self.ids.len());
        let began = Instant::now();
        self.grid.set(cell, terrain)?;
        let edited = began.elapsed();
        self.subscriptions.changes(view(&self.grid), &mut touched);
        let all = began.elapsed();
        tally.times.push(all.saturating_sub(edited).as_secs_f64() * 1e6);
        tally.with_edit.push(all.as_secs_f64() * 1e6);
        tally.named += touched.len();
        Ok(touched)
    }
}

fn said(touched: &[Touched], id: SubscriptionId) -> Option<PathChange> {
    touched.binary_search_by_key(&id, |touched| touched.id).ok().map(|at| touched[at].change)
}

/// What a path costs now by the judge; `None` if it cannot be walked.
fn judged(grid: &Grid, path: &Path) -> Option<Cost> {
    let nodes = path.nodes();
    let (start, goals) = (*nodes.first()?, &nodes[nodes.len() - 1..]);
    match validate::grid_path(grid, &Agent::default(), &Claim::of(path, start, goals)) {
        Ok(()) => Some(path.units()),
        Err(Violation::WrongUnits { found, .. }) => Some(found),
        Err(_) => None,
    }
}

/// Pairs of cells spread over the map without a pattern.
fn requests(grid: &Grid, goals: &str, count: usize) -> Vec<Request<NodeId>> {
    let open: Vec<NodeId> =
        grid.cells().filter(|&cell| grid.is_open(cell)).filter_map(|cell| grid.node(cell)).collect();
    let pick = |share: f64| open[((share * open.len() as f64) as usize).min(open.len() - 1)];
    let request = |number: usize| {
        // Multiples of irrational numbers.
        let share = |step: f64| ((number + 1) as f64 * step).fract();
        let from = pick(share(0.618_033_988_75));
        let to = if goals == "far" {
            pick(share(0.414_213_562_37))
        } else {
            let cell = grid.cell(from);
            let offset = |step: f64| ((share(step) * 2.0 - 1.0) * NEAR) as i32;
            let near = cell.offset(offset(0.732_050_807_57), offset(0.236_067_977_5));
            grid.node(near).filter(|_| grid.is_open(near)).unwrap_or(from)
        };
        Request { from, to }
    };
    if open.is_empty() { Vec::new() } else { (0..count).map(request).collect() }
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| map, goals",
        "paths",
        "steps",
        "MB",
        "subscribe us",
        "replace us",
        "edits",
        "close us",
        "p99",
        "with edit",
        "named",
        "open us",
        "p99",
        "with edit",
        "named",
        "needed",
        "brute force us",
        "mismatches |",
    ];
    let line = |row: &Row| {
        let answers = |answers: &Answers| {
            [answers.p50_us, answers.p99_us, answers.with_edit_p50_us, answers.named]
                .map(|x| format!("{x:.1}"))
        };
        let mut line = vec![
            format!("| {}, {}", row.map, row.goals),
            row.paths.to_string(),
            format!("{:.0}", row.mean_steps),
            format!("{:.1}", row.bytes as f64 / 1e6),
            format!("{:.1}", row.subscribe_us),
            format!("{:.1}", row.replace_us),
            row.edits.to_string(),
        ];
        line.extend(answers(&row.close));
        line.extend(answers(&row.open));
        line.extend([
            format!("{:.1}", row.open.needed),
            format!("{:.0}", row.brute_force_us),
            format!("{} |", row.mismatches),
        ]);
        line
    };
    let mut lines = vec![header.map(str::to_owned).to_vec(), rule(header.len())];
    lines.extend(rows.iter().map(line));
    table(&lines, " | ")
}
