//! Whether a map is better left to jump point search.
//!
//! A query scans from both endpoints for the first subgoals and takes them one by one. In the open, where corners are many and
//! walls stand far apart, thousands are in sight, while jump point search passes few of them. So before a map is prepared any
//! further, some sample queries are tried, the same ones every time: how many subgoals are in sight of their endpoints, and how
//! much does jump point search examine?

use crate::core::expand::{Expander, START};
use crate::core::kernel::End;
use crate::id::NodeId;
use crate::search::algorithm::Options;
use crate::search::jps;
use crate::search::prepare::{LoadError, PrepareError, Reader, Ticker, Write};
use crate::search::solver::{Choice, Reason, Slice, Task};
use crate::space::Cell;
use crate::world::any::View;
use crate::world::grid::{BitPlane, GridView, JumpGrid, JumpPlanes};
use crate::world::nearest::{Reach, reachable};

/// The number of cells from which scans are counted, and of pairs of them between which jump point search is tried.
const CELLS: usize = 64;

/// Where fewer subgoals are in sight of both endpoints, in the mean, scanning costs too little to matter.
const FEW_IN_SIGHT: u64 = 32;

/// Jump point search answers if it examines fewer jumps than this per subgoal in sight. On public maps both are equally fast at
/// four to five.
const JUMPS_PER_SUBGOAL: u64 = 3;

/// Jump point search expands this many places between two checks whether to continue, which takes about as long as
/// `MOST_JUMPS_AT_ONCE` jumps.
const EXPANSIONS_AT_ONCE: u64 = 1000;
const MOST_JUMPS_AT_ONCE: u64 = 1 << 14;

/// The result of the sample queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Trial {
    questions: u64,
    /// Subgoals in sight of their endpoints.
    in_sight: u64,
    /// Jumps that jump point search looked at, or as many as are enough to know.
    jumps: u64,
}

impl Trial {
    /// Tries the sample queries.
    pub fn of(view: &GridView<'_>, planes: &JumpPlanes, ticker: &Ticker<'_>) -> Result<Trial, PrepareError> {
        let cells = spread_cells(view.open_cells(), CELLS);
        let nodes: Vec<NodeId> = cells.iter().map(|&cell| view.shape().node(cell)).collect();
        let mut trial = Trial { questions: 0, in_sight: 0, jumps: 0 };
        let Some(scans) = JumpGrid::over(*view, planes, &[]) else { return Ok(trial) };
        let mut in_sight = Vec::with_capacity(nodes.len());
        for &node in &nodes {
            let mut count = 0;
            scans.expand(node, START, |_, _, _| count += 1);
            ticker.work(64 + count)?;
            in_sight.push(count);
        }
        let mean = in_sight.iter().sum::<u64>() * 2 / nodes.len().max(1) as u64;
        if mean < FEW_IN_SIGHT {
            return Ok(trial);
        }
        view.make_ready_for_jumps(|cells| ticker.work(cells))?;
        let pairs = (0..nodes.len()).map(|first| (first, (first + nodes.len() / 2) % nodes.len()));
        let joined = |&(first, second): &(usize, usize)| {
            reachable(view, nodes[first], nodes[second]) == Reach::Connected
        };
        let pairs: Vec<(usize, usize)> = pairs.filter(joined).collect();
        trial.questions = pairs.len() as u64;
        trial.in_sight = pairs.iter().map(|&(first, second)| in_sight[first] + in_sight[second]).sum();
        let any = View::from(view);
        let mut jumps = (jps::ALGORITHM.solver)(&Options::default());
        for (first, second) in pairs {
            let task = Task { start: nodes[first], goals: &[nodes[second]] };
            jumps.begin(&any, &task);
            loop {
                let end = jumps.run(&any, &task, Slice::unwatched(EXPANSIONS_AT_ONCE));
                let generated = jumps.stats().generated;
                ticker.work(generated.min(MOST_JUMPS_AT_ONCE))?;
                if end != End::Paused || !trial.with_jumps(generated).is_for_jumps() {
                    trial = trial.with_jumps(generated);
                    break;
                }
            }
            if !trial.is_for_jumps() {
                break;
            }
        }
        Ok(trial)
    }

    /// The same after some more jumps.
    fn with_jumps(self, more: u64) -> Trial {
        Trial { jumps: self.jumps + more, ..self }
    }

    /// Returns whether jump point search answers faster, as far as the sample queries tell.
    pub fn is_for_jumps(&self) -> bool {
        self.in_sight * JUMPS_PER_SUBGOAL > self.jumps && self.in_sight >= self.questions * FEW_IN_SIGHT
    }

    /// Returns the choice of jump point search, with its reason.
    pub fn choice(&self) -> Choice {
        let mean = |count: u64| count as f64 / self.questions.max(1) as f64;
        let reason = Reason::InSight { subgoals: mean(self.in_sight), jumps: mean(self.jumps) };
        Choice { algorithm: jps::ALGORITHM.name, reason }
    }

    pub fn save(&self, out: &mut Vec<u8>) {
        for number in [self.questions, self.in_sight, self.jumps] {
            out.number(number);
        }
    }

    pub fn load(mut reader: Reader<'_>) -> Result<Trial, LoadError> {
        let trial =
            Trial { questions: reader.number()?, in_sight: reader.number()?, jumps: reader.number()? };
        reader.end().map(|()| trial)
    }
}

/// Some open cells all over a map, always the same.
fn spread_cells(open: &BitPlane, count: usize) -> Vec<Cell> {
    let total = open.count() as u64;
    // Multiples of the golden ratio are spread evenly, and do not fall into columns as those of simple fractions would.
    let rank = |number: usize| {
        let fraction = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        (fraction * total) >> 32
    };
    let mut ranks: Vec<(u64, usize)> = (0..count.min(usize::try_from(total).unwrap_or(count)))
        .map(|number| (rank(number), number))
        .collect();
    ranks.sort_unstable();
    let mut cells = vec![Cell::new(0, 0); ranks.len()];
    let (mut before, mut next) = (0, 0);
    for y in 0..open.height() as i32 {
        for (word, &bits) in open.row(y).iter().enumerate() {
            let here = u64::from(bits.count_ones());
            while let Some(&(rank, number)) = ranks.get(next)
                && rank < before + here
            {
                let mut bits = bits;
                (before..rank).for_each(|_| bits &= bits - 1);
                cells[number] = Cell::new(word as i32 * 64 + bits.trailing_zeros() as i32, y);
                next += 1;
            }
            before += here;
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::random_maps;

    proptest! {
        #[test]
        fn cells_to_try_are_open_and_as_many_as_there_can_be(open in random_maps::plane(), count in 0..90_usize) {
            let cells = spread_cells(&open, count);
            prop_assert_eq!(cells.len(), count.min(open.count()));
            prop_assert!(cells.iter().all(|&cell| open.contains(cell)));
        }
    }

    #[test]
    fn cells_to_try_are_spread_over_the_map() {
        let mut open = BitPlane::new(256, 256);
        (0..256).for_each(|y| (0..256).for_each(|x| open.set(Cell::new(x, y), true)));
        let cells = spread_cells(&open, 64);
        // Of 16 squares none is left out.
        for square in 0..16 {
            let inside = |cell: &&Cell| cell.x / 64 == square % 4 && cell.y / 64 == square / 4;
            assert!((1..=10).contains(&cells.iter().filter(inside).count()), "{square}");
        }
    }
}
