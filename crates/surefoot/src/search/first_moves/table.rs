//! For every pair of cells, a first step of a cheapest path, in compressed rows.
//!
//! A row belongs to one source. It lists the targets in a fixed [order](super::order) as runs: from this target on, this
//! direction. Where several directions are equally good, the row takes the one that serves the most targets. This greedy choice
//! gives the fewest runs.

use std::sync::Arc;

use super::order::Order;
use crate::effort::unhindered;
use crate::id::NodeId;
use crate::parallel;
use crate::search::prepare::{
    FirstSteps, LoadError, PrepareError, PrepareOptions, Reader, Table, Ticker, Write,
};
use crate::world::grid::{Direction, GridView};

/// The table of one map and agent.
#[derive(Debug, PartialEq)]
pub(super) struct FirstMoves {
    /// By node number: the target's place in a row.
    ranks: Vec<u32>,
    /// By node number: where the source's row starts in `runs`; the next one's start is its end.
    starts: Vec<u32>,
    /// The first target's rank, then three bits for the direction. The first run of a row starts at rank 0.
    runs: Vec<u32>,
    targets: usize,
}

/// The bits of a direction in a run: a grid has at most 2^28 cells.
const DIRECTION_BITS: u32 = 3;
/// The number of rows in one piece of work.
const BLOCK: usize = 16;
/// The number of pieces of work that are done before their rows are stored and counted.
const BLOCKS_AT_ONCE: usize = 64;
/// The most rows that are tried to estimate the size of all, about how many cells are swept for it, and the least number of rows.
const SAMPLES: usize = 64;
const SAMPLED_CELLS: usize = 32 << 20;
const LEAST_SAMPLES: usize = 8;

impl FirstMoves {
    pub fn build(view: &GridView<'_>, options: &PrepareOptions<'_>) -> Result<FirstMoves, PrepareError> {
        let fixed = 8 * view.neighbours().len() as u64;
        check(fixed, options)?;
        // A row has one run at least.
        let cells = view.open_cells().count() as u64;
        check(fixed + 4 * cells, options)?;
        let ticker = Ticker::new(options, cells);
        let work = |cells| ticker.work(cells);
        let order = Order::of(view, work)?;
        let first_steps = FirstSteps::new(view, work)?;
        let row_of = |first_steps: &mut FirstSteps<'_>, source: u32, runs: &mut Vec<u32>| {
            push_row(first_steps.from(NodeId(source), work)?, &order.nodes, runs);
            work(cells)
        };

        let mut runs = Vec::new();
        // No row is longer than the number of targets.
        if fixed + 4 * cells * cells > options.memory_limit {
            let samples = (SAMPLED_CELLS / order.nodes.len().max(1)).clamp(LEAST_SAMPLES, SAMPLES);
            let samples = samples.min(order.nodes.len());
            let rounds = samples.div_ceil(LEAST_SAMPLES);
            let sample = |first_steps: &mut FirstSteps<'_>, sample: usize| {
                let source = order.nodes[(2 * sample + 1) * order.nodes.len() / (2 * samples)];
                let mut row = Vec::new();
                row_of(first_steps, source, &mut row).map(|()| row.len() as u64)
            };
            let (mut total, mut tried) = (0, 0);
            for round in 0..rounds {
                let some = LEAST_SAMPLES.min(samples - tried);
                // Each round is spread over the whole map, since the first may be enough.
                let place = |number: usize| (number * rounds + round).min(samples - 1);
                let fresh = || first_steps.clone();
                let lengths = parallel::map(some, fresh, |memory, number| sample(memory, place(number)));
                total += lengths.into_iter().sum::<Result<u64, PrepareError>>()?;
                tried += some;
                let estimate = fixed + 4 * (total * cells / tried as u64);
                // Other rows would not make up for that much.
                if tried == samples || estimate / 2 > options.memory_limit {
                    check(estimate, options)?;
                }
            }
            runs.reserve((total * cells / samples.max(1) as u64) as usize);
        }

        // Sources by number, so that where a row ends is where the next one starts.
        let mut sources = order.nodes.clone();
        sources.sort_unstable();
        let mut lengths = vec![0; view.neighbours().len()];
        for sources in sources.chunks(BLOCK * BLOCKS_AT_ONCE) {
            let blocks: Vec<&[u32]> = sources.chunks(BLOCK).collect();
            let rows = parallel::map(
                blocks.len(),
                || first_steps.clone(),
                |first_steps, block| {
                    let (mut runs, mut ends) = (Vec::new(), [0; BLOCK]);
                    for (&source, end) in blocks[block].iter().zip(&mut ends) {
                        row_of(first_steps, source, &mut runs)?;
                        *end = runs.len();
                        ticker.tick()?;
                    }
                    Ok((runs, ends))
                },
            );
            for (sources, rows) in blocks.iter().zip(rows) {
                let (rows, ends) = rows?;
                let mut from = 0;
                for (&source, end) in sources.iter().zip(ends) {
                    lengths[source as usize] = (end - from) as u32;
                    from = end;
                }
                runs.extend(rows);
                check(fixed + 4 * runs.len() as u64, options)?;
            }
        }
        runs.shrink_to_fit();
        Ok(FirstMoves { targets: order.nodes.len(), ranks: order.ranks, starts: sums(&lengths), runs })
    }

    /// Returns the direction that the table has from an open cell to another. It means nothing if there is no path, or if the table
    /// was damaged.
    #[inline]
    pub fn direction(&self, from: NodeId, to: NodeId) -> Direction {
        self.direction_to_rank(from, self.ranks[to.index()])
    }

    /// Returns the same, for a target by its [rank](FirstMoves::rank).
    #[inline]
    pub fn direction_to_rank(&self, from: NodeId, rank: u32) -> Direction {
        let row = self.starts[from.index()] as usize..self.starts[from.index() + 1] as usize;
        let row = &self.runs[row];
        let after = row.partition_point(|run| run >> DIRECTION_BITS <= rank);
        let run = after.checked_sub(1).map_or(0, |index| row[index]);
        Direction::ALL[run as usize % Direction::ALL.len()]
    }

    /// Returns the position of a target in a row.
    #[inline]
    pub fn rank(&self, to: NodeId) -> u32 {
        self.ranks[to.index()]
    }

    /// Returns the number of cells that can be a target: no path has more.
    pub fn targets(&self) -> usize {
        self.targets
    }

    /// Reads back what [`Table::save`] wrote.
    pub fn load(view: &GridView<'_>, bytes: &[u8]) -> Result<Arc<dyn Table>, LoadError> {
        let mut reader = Reader(bytes);
        let (lengths, runs) = (reader.words()?, reader.words()?);
        reader.end()?;
        let Ok(order) = Order::of(view, unhindered);
        if lengths.len() != order.ranks.len() {
            return Err(LoadError::Damaged("it has the wrong number of rows"));
        }
        let total = lengths.iter().map(|&length| u64::from(length)).sum::<u64>();
        if total != runs.len() as u64 || total > u64::from(u32::MAX) {
            return Err(LoadError::Damaged("its rows have the wrong length"));
        }
        let mut rest = &runs[..];
        for (&length, &rank) in lengths.iter().zip(&order.ranks) {
            let (row, after) = rest.split_at(length as usize);
            rest = after;
            let ranks = |run: &u32| run >> DIRECTION_BITS;
            let begins = row.first().map(ranks) == (rank != Order::NONE).then_some(0);
            if !begins || !row.is_sorted_by(|a, b| ranks(a) < ranks(b)) {
                return Err(LoadError::Damaged("a row is not sorted"));
            }
        }
        let targets = order.nodes.len();
        Ok(Arc::new(FirstMoves { targets, ranks: order.ranks, starts: sums(&lengths), runs }))
    }
}

impl Table for FirstMoves {
    fn bytes(&self) -> usize {
        4 * (self.ranks.capacity() + self.starts.capacity() + self.runs.capacity())
    }

    fn save(&self, out: &mut Vec<u8>) {
        let lengths: Vec<u32> = self.starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        out.words(&lengths);
        out.words(&self.runs);
    }
}

/// Rejects a size above the limit, or above what numbers of 32 bits can count.
fn check(bytes: u64, options: &PrepareOptions<'_>) -> Result<(), PrepareError> {
    let limit = options.memory_limit.min(4 * u64::from(u32::MAX));
    if bytes > limit {
        return Err(PrepareError::TooLarge { algorithm: super::ALGORITHM.title, estimate: bytes, limit });
    }
    Ok(())
}

/// The sums of all numbers before each, and of all.
fn sums(numbers: &[u32]) -> Vec<u32> {
    let mut sums = Vec::with_capacity(numbers.len() + 1);
    let mut sum = 0;
    sums.push(sum);
    sums.extend(numbers.iter().map(|number| {
        sum += number;
        sum
    }));
    sums
}

/// Writes the runs of a row: as long as one direction is good for all targets so far, the run continues. Targets that cannot be
/// reached, and the source, go with any.
fn push_row(firsts: &[u8], targets: &[u32], runs: &mut Vec<u32>) {
    let mut run = |start: u32, good: u8| runs.push(start << DIRECTION_BITS | good.trailing_zeros());
    let (mut start, mut good) = (0, u8::MAX);
    for (rank, &target) in (0..).zip(targets) {
        let firsts = match firsts[target as usize] {
            0 => u8::MAX,
            firsts => firsts,
        };
        if good & firsts == 0 {
            run(start, good);
            (start, good) = (rank, u8::MAX);
        }
        good &= firsts;
    }
    run(start, good);
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::agent::Agent;
    use crate::generate::{Kind, generate};
    use crate::world::grid::Grid;

    fn build(grid: &Grid, options: &PrepareOptions<'_>) -> Result<FirstMoves, PrepareError> {
        FirstMoves::build(&grid.view(&Agent::default()), options)
    }

    #[test]
    fn one_direction_serves_as_many_targets_as_it_can() {
        let (north, east, south) = (Direction::North.bit(), Direction::East.bit(), Direction::South.bit());
        let firsts = [0, north | east, east, 0, east | south, south, 0, south | north];
        let mut runs = Vec::new();
        push_row(&firsts, &[1, 2, 3, 4, 5, 6, 7], &mut runs);
        let run = |start: u32, direction| start << DIRECTION_BITS | direction as u32;
        assert_eq!(runs, [run(0, Direction::East), run(4, Direction::South)]);
    }

    #[test]
    fn an_empty_field_takes_few_runs() {
        let table = build(&Grid::new(40, 40).unwrap(), &PrepareOptions::default()).unwrap();
        assert!(table.runs.len() < 1600 * 120, "{} runs", table.runs.len());
    }

    #[test]
    fn a_refusal_comes_with_an_estimate_close_to_the_truth() {
        for kind in [Kind::Rooms, Kind::Caves, Kind::Maze] {
            let grid = generate(kind, 56, 48, 5).unwrap();
            let truth = build(&grid, &PrepareOptions::default()).unwrap().bytes() as u64;
            let options = PrepareOptions { memory_limit: truth / 3, ..PrepareOptions::default() };
            let Err(PrepareError::TooLarge { estimate, limit, .. }) = build(&grid, &options) else {
                panic!("{kind:?} was not refused");
            };
            assert_eq!(limit, truth / 3);
            assert!((truth / 2..=2 * truth).contains(&estimate), "{kind:?}: {estimate}, really {truth}");
            let enough = PrepareOptions { memory_limit: 2 * truth, ..PrepareOptions::default() };
            assert!(build(&grid, &enough).is_ok());
        }
    }

    #[test]
    fn the_preparation_can_be_ended_and_hears_of_every_step() {
        let grid = Grid::new(50, 50).unwrap();
        let progress = |done, total| {
            assert!(done <= total && total == 2500);
            if done > 1000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = PrepareOptions { progress: &progress, ..PrepareOptions::default() };
        assert_eq!(build(&grid, &options), Err(PrepareError::Cancelled));
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn any_number_of_threads_makes_the_same_table() {
        let grid = generate(Kind::Caves, 60, 60, 1).unwrap();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| build(&grid, &PrepareOptions::default()).unwrap())
        };
        let alone = with(1);
        assert!(alone == with(2) && alone == with(5));
    }
}
