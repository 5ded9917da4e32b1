//! Costs on a grid whose open cells all cost the same: whole runs of cells at a time, without redundant steps.
//!
//! From a cell that was reached in a certain direction, only the steps that [rules](crate::world::grid::Rule) calls canonical are taken:
//! most cells are then reached once. A straight or diagonal run goes on from cell to cell without a queue until it meets a cell that is
//! known to be as cheap, or leaves the window of costs in hand; what branches off waits in a list. Costs only fall, and whatever
//! lowers one goes on from there, so the order within a window does not matter: the last one to lower the cost of a cell has its own
//! final cost, which is what the proof in `rules` needs. The window keeps runs from going far where another path is cheaper.

use crate::core::expand::Arrival;
use crate::field::table::{Overflow, Table};
use crate::field::ways::{GridWays, for_each_bit};
use crate::field::word::Word;
use crate::id::NodeId;
use crate::world::grid::UniformGrid;
use crate::world::pages::Values;

/// How many straight steps a window of costs is wide.
const WINDOW: u64 = 16;

/// Lists of cells that wait, each with the direction in which it was reached.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting {
    /// Those in the window, those that are being worked off, and those beyond.
    now: Vec<u32>,
    hand: Vec<u32>,
    later: Vec<u32>,
}

impl Waiting {
    pub fn bytes(&self) -> usize {
        (self.now.capacity() + self.hand.capacity() + self.later.capacity()) * size_of::<u32>()
    }
}

/// A cell that waits, as one number: cells have numbers below 2^29.
#[inline]
fn waiting(node: usize, direction: usize) -> u32 {
    (node as u32) << 3 | direction as u32
}

/// The costs of straight and diagonal steps, if a grid is of the kind on which runs find all costs.
pub(super) fn level_of<W: Word>(ways: &GridWays<'_, W>) -> Option<[W; 2]> {
    ways.level().filter(|_| UniformGrid::fault(&ways.view).is_none())
}

/// Computes all costs. The table has been begun.
pub(super) fn run<W: Word>(
    ways: &GridWays<'_, W>,
    level: [W; 2],
    table: &mut Table<W>,
    lists: &mut Waiting,
) -> Result<(), Overflow> {
    let mut steps = [level[0]; 8];
    steps[4..].fill(level[1]);
    let Waiting { now, hand, later } = lists;
    now.clear();
    hand.clear();
    later.clear();
    let goals = table.take_waiting();
    let mut sweep = Sweep {
        ways,
        neighbours: ways.view.neighbours(),
        steps,
        costs: &mut table.costs,
        now,
        later,
        end: W::UNREACHED,
    };
    let done = sweep.run(&goals, hand);
    table.give_back(goals);
    done
}

struct Sweep<'a, W> {
    ways: &'a GridWays<'a, W>,
    neighbours: Values<'a, u8>,
    steps: [W; 8],
    costs: &'a mut [W],
    now: &'a mut Vec<u32>,
    later: &'a mut Vec<u32>,
    /// Where the window ends.
    end: W,
}

impl<W: Word> Sweep<'_, W> {
    fn run(&mut self, goals: &[(W, NodeId)], hand: &mut Vec<u32>) -> Result<(), Overflow> {
        let width = self.steps[0].units() * WINDOW;
        let (mut begin, mut goals) = (0, goals.iter().peekable());
        loop {
            if self.later.is_empty() {
                let Some((cost, _)) = goals.peek() else { return Ok(()) };
                begin = begin.max(cost.units());
            }
            self.end =
                W::of(begin + width).filter(|end| end.plus(self.steps[4]).is_some()).ok_or(Overflow)?;
            let begin_word = W::of(begin).ok_or(Overflow)?;
            std::mem::swap(self.now, self.later);
            while let Some(&(cost, goal)) = goals.next_if(|(cost, _)| *cost < self.end) {
                if self.costs[goal.index()] == cost {
                    let legal = self.ways.view.legal_steps(goal);
                    for_each_bit(legal, |direction| self.branch(goal.index(), cost, direction));
                }
            }
            while !self.now.is_empty() {
                std::mem::swap(self.now, hand);
                for &entry in &*hand {
                    let (node, direction) = ((entry >> 3) as usize, (entry & 7) as usize);
                    let cost = self.costs[node];
                    // What is cheaper than the window has been lowered, and gone on from, since it was listed.
                    if cost >= begin_word {
                        self.follow(node, cost, direction);
                    }
                }
                hand.clear();
            }
            begin += width;
        }
    }

    /// Takes a step, and lists the cell it leads to.
    #[inline]
    fn branch(&mut self, from: usize, cost: W, direction: usize) {
        let next = from.wrapping_add_signed(self.ways.view.offsets()[direction] as isize);
        let sum = cost.plus_small(self.steps[direction]);
        if sum < self.costs[next] {
            self.costs[next] = sum;
            let list = if sum < self.end { &mut *self.now } else { &mut *self.later };
            list.push(waiting(next, direction));
        }
    }

    /// Goes on in the direction in which a cell was reached.
    #[inline]
    fn follow(&mut self, mut node: usize, mut cost: W, direction: usize) {
        let (offset, step) = (self.ways.view.offsets()[direction] as isize, self.steps[direction]);
        let (rule, bit) = (self.ways.view.rule(), 1 << direction);
        loop {
            let steps = rule.canonical(Arrival(direction as u8), self.neighbours[node]);
            for_each_bit(steps & !bit, |aside| self.branch(node, cost, aside));
            if steps & bit == 0 {
                return;
            }
            node = node.wrapping_add_signed(offset);
            cost = cost.plus_small(step);
            if cost >= self.costs[node] {
                return;
            }
            self.costs[node] = cost;
            if cost >= self.end {
                self.later.push(waiting(node, direction));
                return;
            }
        }
    }
}
