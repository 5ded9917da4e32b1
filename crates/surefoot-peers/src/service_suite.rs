//! The suite `service`: very many path requests, with edits, cancellations and priorities in every tick. Every answer is checked.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use serde::Serialize;
use surefoot::frame::Mode;
use surefoot::generate::{Kind, generate_with_endpoints};
use surefoot::prelude::*;
use surefoot::service::{PathAnswer, PathService, RequestSpec, ServiceSpec, Ticket, Validity};
use surefoot::validate::{self, Claim};
use surefoot::world::journal::Revision;

use crate::report::{markdown, percentile};

/// The number of columns and rows of the map.
const SIDE: u32 = 512;

/// New requests in each tick, as long as the service takes them.
const PER_TICK: usize = 160;

/// Expanded nodes per tick.
const BUDGET: u64 = 12_000;

/// One of so many answers is compared with a search of the suite's own.
const COMPARED: u64 = 2000;

/// How many worlds are kept for the answers to come.
const KEPT: usize = 4000;

/// How many ticks a watched path is walked.
const WALK: u64 = 120;

/// How many ticks a wall stays, or an opening.
const STAY: u64 = 200;

/// A frame of 60 per second.
const FRAME: Duration = Duration::from_nanos(16_666_667);

/// What a run took, and what came of it.
#[derive(Debug, Serialize)]
pub struct Row {
    pub mode: &'static str,
    pub workers: usize,
    pub requests: u64,
    pub ticks: u64,
    /// How long a call of `tick` took.
    pub mean_us: f64,
    pub p50_us: f64,
    pub p99_us: f64,
    pub max_us: f64,
    /// The budget of a tick in expanded nodes, and the most that one took.
    pub budget: u64,
    pub most_expanded: u64,
    pub mean_expanded: f64,
    /// The number of ticks from the request to the answer.
    pub p50_wait: f64,
    pub max_wait: f64,
    pub answered: u64,
    pub cancelled: u64,
    /// Requests that the service had no room for; they were made again later.
    pub refused: u64,
    pub searches: u64,
    pub repeated: u64,
    pub current: u64,
    pub walkable: u64,
    pub past: u64,
    pub touched: u64,
    /// Answers that the judge or the search of the suite rejects.
    pub invalid: u64,
    /// Tickets that were answered twice or never.
    pub wrong_tickets: u64,
    /// A hash of all answers, and of the ticks in which they came.
    pub digest: String,
}

/// Random numbers (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// Runs the same requests without threads and with one to three, and some in real time. Returns whether nothing was wrong and all of the
/// former are the same.
pub fn run(requests: u64, paced: u64) -> Result<(Vec<Row>, bool)> {
    let mut rows = Vec::new();
    for workers in 0..=3 {
        rows.push(row(Mode::Deterministic, workers, requests, None)?);
    }
    let all_equal = rows.iter().all(|row| row.digest == rows[0].digest);
    for mode in [Mode::Deterministic, Mode::Eager] {
        rows.push(row(mode, 1, u64::MAX, Some(paced))?);
    }
    let all_right = rows.iter().all(|row| row.invalid == 0 && row.wrong_tickets == 0);
    Ok((rows, all_equal && all_right))
}

/// A ticket that is not answered yet.
#[derive(Clone, Copy)]
struct Asked {
    ticket: Ticket,
    ends: [Cell; 2],
    tick: u64,
    is_watched: bool,
}

/// What is asked, what is heard, and what it should be.
struct Soak {
    grid: Grid,
    /// What the grid was, from the oldest to the newest.
    past: VecDeque<(Revision, Grid)>,
    service: PathService,
    dice: Dice,
    /// Cells that will be what they were, and when.
    undone: VecDeque<(u64, Cell, Terrain)>,
    /// Tickets that are watched, and until when.
    watched: VecDeque<(u64, Ticket)>,
    /// By the number of the ticket less one.
    asked: Vec<Option<Asked>>,
    waits: Vec<f64>,
    row: Row,
    digest: u64,
}

fn row(mode: Mode, workers: usize, requests: u64, paced: Option<u64>) -> Result<Row> {
    let grid = generate_with_endpoints(Kind::Rooms, SIDE, SIDE, 11)?.grid;
    let spec = ServiceSpec { mode, workers, capacity: 20_000, ..ServiceSpec::default() };
    let service = PathService::new(spec);
    ensure!(service.workers() == workers, "expected {workers} threads, got {}", service.workers());
    let row = Row {
        mode: match (mode, paced) {
            (Mode::Deterministic, None) => "deterministic",
            (Mode::Deterministic, Some(_)) => "deterministic, 60 a second",
            (Mode::Eager, _) => "eager, 60 a second",
        },
        workers,
        requests: 0,
        ticks: 0,
        mean_us: 0.0,
        p50_us: 0.0,
        p99_us: 0.0,
        max_us: 0.0,
        budget: BUDGET,
        most_expanded: 0,
        mean_expanded: 0.0,
        p50_wait: 0.0,
        max_wait: 0.0,
        answered: 0,
        cancelled: 0,
        refused: 0,
        searches: 0,
        repeated: 0,
        current: 0,
        walkable: 0,
        past: 0,
        touched: 0,
        invalid: 0,
        wrong_tickets: 0,
        digest: String::new(),
    };
    let mut soak = Soak {
        grid,
        past: VecDeque::new(),
        service,
        dice: Dice(7),
        undone: VecDeque::new(),
        watched: VecDeque::new(),
        asked: Vec::new(),
        waits: Vec::new(),
        row,
        digest: 0,
    };
    let (mut times, mut expanded) = (Vec::new(), 0);
    // Nothing is edited any more once all requests are made: then all have to be answered soon.
    while soak.row.requests < requests || soak.service.waiting() > 0 {
        if paced.is_some_and(|frames| soak.row.ticks == frames) {
            break;
        }
        if soak.row.requests < requests {
            soak.ask(requests)?;
            soak.edit()?;
        }
        let began = Instant::now();
        let report = soak.service.tick(soak.grid.view(&Agent::default()), BUDGET)?;
        times.push(began.elapsed().as_secs_f64() * 1e6);
        soak.row.ticks += 1;
        soak.row.most_expanded = soak.row.most_expanded.max(report.expanded);
        expanded += report.expanded;
        soak.row.searches += report.started as u64;
        soak.row.repeated += report.repeated as u64;
        soak.row.touched += soak.service.touched().len() as u64;
        soak.hear()?;
        if paced.is_some() {
            // A game draws meanwhile.
            std::thread::sleep(FRAME.saturating_sub(began.elapsed()));
        }
    }
    let Soak { mut row, mut waits, asked, digest, .. } = soak;
    if paced.is_none() {
        row.wrong_tickets += asked.iter().flatten().count() as u64;
        row.wrong_tickets += row.requests.abs_diff(row.answered + row.cancelled);
    }
    row.mean_us = times.iter().sum::<f64>() / times.len() as f64;
    row.mean_expanded = expanded as f64 / row.ticks as f64;
    times.sort_unstable_by(f64::total_cmp);
    waits.sort_unstable_by(f64::total_cmp);
    (row.p50_us, row.p99_us, row.max_us) =
        (percentile(&times, 50), percentile(&times, 99), percentile(&times, 100));
    (row.p50_wait, row.max_wait) = (percentile(&waits, 50), percentile(&waits, 100));
    row.digest = format!("{digest:016x}");
    Ok(row)
}

impl Soak {
    /// Makes requests, most of them for places close by, and cancels a few.
    fn ask(&mut self, requests: u64) -> Result<()> {
        for _ in 0..PER_TICK {
            if self.row.requests == requests {
                break;
            }
            let from = Cell::new(self.dice.below(SIDE.into()) as i32, self.dice.below(SIDE.into()) as i32);
            let reach = if self.dice.below(50) == 0 { 300 } else { 24 };
            let mut near = |at: i32| {
                (at + self.dice.below(2 * reach + 1) as i32 - reach as i32).clamp(0, SIDE as i32 - 1)
            };
            let to = Cell::new(near(from.x), near(from.y));
            let goals = [Place::Cell(to)];
            let priority = self.dice.below(4) as u8;
            let watch = self.dice.below(64) == 0;
            let request = RequestSpec { priority, watch, ..RequestSpec::new(from, &goals) };
            let Ok(ticket) = self.service.request(&request) else {
                self.row.refused += 1;
                continue;
            };
            self.row.requests += 1;
            ensure!(ticket.number() == self.row.requests, "ticket {ticket:?} out of order");
            self.asked.push(Some(Asked {
                ticket,
                ends: [from, to],
                tick: self.row.ticks,
                is_watched: watch,
            }));
            if self.dice.below(20) == 0 {
                let recent = self.asked.len().min(400) as u64;
                let at = self.asked.len() - 1 - self.dice.below(recent) as usize;
                if let Some(asked) = self.asked[at].take() {
                    self.service.cancel(asked.ticket)?;
                    self.row.cancelled += 1;
                }
            }
        }
        Ok(())
    }

    /// Builds and demolishes a few walls, and restores what was there before a while later.
    fn edit(&mut self) -> Result<()> {
        for _ in 0..=self.dice.below(4) {
            let cell = Cell::new(self.dice.below(SIDE.into()) as i32, self.dice.below(SIDE.into()) as i32);
            let terrain = if self.grid.is_open(cell) { Terrain::WALL } else { Terrain::FLOOR };
            let before = if self.grid.is_open(cell) { Terrain::FLOOR } else { Terrain::WALL };
            self.undone.push_back((self.row.ticks + STAY, cell, before));
            self.grid.set(cell, terrain)?;
        }
        let now = self.row.ticks;
        while let Some((_, cell, before)) = self.undone.pop_front_if(|undone| undone.0 <= now) {
            self.grid.set(cell, before)?;
        }
        while let Some((_, ticket)) = self.watched.pop_front_if(|watched| watched.0 <= now) {
            self.service.cancel(ticket)?;
        }
        Ok(())
    }

    /// Takes all answers, and checks them.
    fn hear(&mut self) -> Result<()> {
        if self.past.back().is_none_or(|(revision, _)| *revision != self.grid.revision()) {
            self.past.push_back((self.grid.revision(), self.grid.clone()));
            if self.past.len() > KEPT {
                self.past.pop_front();
            }
        }
        let mut answer = PathAnswer::default();
        while let Some(ticket) = self.service.next_into(&mut answer) {
            let Some(asked) = self.asked[ticket.number() as usize - 1].take() else {
                self.row.wrong_tickets += 1;
                continue;
            };
            self.row.answered += 1;
            self.waits.push((self.row.ticks - asked.tick) as f64);
            match answer.validity {
                Validity::Current => self.row.current += 1,
                Validity::Walkable => self.row.walkable += 1,
                Validity::Past => self.row.past += 1,
            }
            let Some(at) = self.past.iter().rposition(|(revision, _)| *revision == answer.revision) else {
                bail!("ticket {} is answered for a world of which nothing is known", ticket.number());
            };
            let is_compared = ticket.number().is_multiple_of(COMPARED);
            self.row.invalid += u64::from(!is_right(&self.past[at].1, asked.ends, &answer, is_compared));
            let age = (self.past.len() - at) as u64;
            let words = [ticket.number(), self.row.ticks, age, answer.expanded, answer.validity as u64];
            let nodes = answer.path.nodes().iter().map(|node| u64::from(node.0));
            for word in words.into_iter().chain(nodes) {
                self.digest = (self.digest.rotate_left(5) ^ word).wrapping_mul(0x0100_0000_01b3);
            }
            if asked.is_watched {
                self.watched.push_back((self.row.ticks + WALK, ticket));
            }
        }
        Ok(())
    }
}

/// Whether an answer is right in a world.
fn is_right(grid: &Grid, [from, to]: [Cell; 2], answer: &PathAnswer, is_compared: bool) -> bool {
    let ends = [from, to].map(|cell| grid.node(cell).unwrap_or(NodeId::NONE));
    let is_valid = match answer.outcome {
        Outcome::Found => {
            let claim = Claim::of(&answer.path, ends[0], &ends[1..]);
            validate::grid_path(grid, &Agent::default(), &claim).is_ok()
        }
        Outcome::Unreachable(_) => answer.path.is_empty(),
        Outcome::Paused | Outcome::Partial(_) => false,
    };
    let found = answer.outcome.is_found().then(|| answer.path.units().units());
    is_valid && (!is_compared || found == cheapest(grid, from, to))
}

/// What the cheapest path costs, by Dijkstra's algorithm from the definition of a step: no corner is cut.
fn cheapest(grid: &Grid, from: Cell, to: Cell) -> Option<u64> {
    let number = |cell: Cell| cell.y as usize * SIDE as usize + cell.x as usize;
    let mut costs = vec![u64::MAX; (SIDE * SIDE) as usize];
    if !grid.is_open(from) || !grid.is_open(to) {
        return None;
    }
    costs[number(from)] = 0;
    let mut open = BinaryHeap::from([Reverse((0, from.x, from.y))]);
    while let Some(Reverse((cost, x, y))) = open.pop() {
        let at = Cell::new(x, y);
        if at == to {
            return Some(cost);
        }
        if cost > costs[number(at)] {
            continue;
        }
        for (dx, dy) in
            (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|&step| step != (0, 0))
        {
            let next = at.offset(dx, dy);
            let passes =
                [next, at.offset(dx, 0), at.offset(0, dy)].into_iter().all(|cell| grid.is_open(cell));
            let sum = cost + if dx == 0 || dy == 0 { Cost::ONE } else { Cost::DIAGONAL }.units();
            if passes && sum < costs[number(next)] {
                costs[number(next)] = sum;
                open.push(Reverse((sum, next.x, next.y)));
            }
        }
    }
    None
}

/// A table for people, also valid as a table of a Markdown document.
pub fn text(rows: &[Row]) -> String {
    let header = [
        "| mode",
        "workers",
        "requests",
        "ticks",
        "mean us",
        "p50 us",
        "p99 us",
        "max us",
        "expanded",
        "most",
        "budget",
        "wait p50",
        "wait max",
        "answered",
        "cancelled",
        "refused",
        "searches",
        "repeated",
        "current",
        "walkable",
        "past",
        "touched",
        "invalid",
        "wrong tickets",
        "digest |",
    ];
    let line = |row: &Row| {
        [
            format!("| {}", row.mode),
            row.workers.to_string(),
            row.requests.to_string(),
            row.ticks.to_string(),
            format!("{:.0}", row.mean_us),
            format!("{:.0}", row.p50_us),
            format!("{:.0}", row.p99_us),
            format!("{:.0}", row.max_us),
            format!("{:.0}", row.mean_expanded),
            row.most_expanded.to_string(),
            row.budget.to_string(),
            format!("{:.0}", row.p50_wait),
            format!("{:.0}", row.max_wait),
            row.answered.to_string(),
            row.cancelled.to_string(),
            row.refused.to_string(),
            row.searches.to_string(),
            row.repeated.to_string(),
            row.current.to_string(),
            row.walkable.to_string(),
            row.past.to_string(),
            row.touched.to_string(),
            row.invalid.to_string(),
            row.wrong_tickets.to_string(),
            format!("{} |", row.digest),
        ]
    };
    markdown(header, rows.iter().map(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_is_right_and_the_same_with_any_number_of_threads() {
        let rows: Vec<Row> =
            [0, 2].map(|workers| row(Mode::Deterministic, workers, 3000, None).unwrap()).into();
        assert_eq!(rows[0].digest, rows[1].digest);
        for row in &rows {
            assert_eq!((row.invalid, row.wrong_tickets, row.answered + row.cancelled), (0, 0, 3000));
            assert!(row.most_expanded <= BUDGET && row.cancelled > 50 && row.current > 2500);
        }
        let text = text(&rows);
        assert!(text.lines().count() == 4, "{text}");
    }

    #[test]
    fn wrong_answers_are_noticed() {
        let mut grid = Grid::new(SIDE, SIDE).unwrap();
        let ends = [Cell::new(0, 0), Cell::new(5, 0)];
        let path =
            Pathfinder::default().find(grid.view(&Agent::default()), ends[0], ends[1]).unwrap().clone();
        let answer = PathAnswer { outcome: Outcome::Found, path, ..PathAnswer::default() };
        assert!(is_right(&grid, ends, &answer, true));
        assert!(!is_right(&grid, [ends[0], Cell::new(6, 0)], &answer, false));
        let nothing =
            PathAnswer { outcome: Outcome::Unreachable(Why::Disconnected), ..PathAnswer::default() };
        assert!(!is_right(&grid, ends, &nothing, true));
        grid.set(Cell::new(3, 0), Terrain::WALL).unwrap();
        assert!(!is_right(&grid, ends, &answer, false));
    }
}
