//! The best path of one agent around all others: safe interval path planning (M. Phillips, M. Likhachev, *SIPP: Safe Interval Path Planning for Dynamic
//! Environments*, ICRA 2011), on cells and with whole steps.
//!
//! A state is a cell and a [gap](Gap) in its traffic. Only the earliest arrival in it matters, because the agent can wait there.

use crate::cooperate::fields::Fields;
use crate::cooperate::floor::Way;
use crate::cooperate::stepper::Board;
use crate::cooperate::traffic::{FOREVER, Gap, Traffic};

/// No state.
const NONE: u32 = u32::MAX;

/// A gap that the agent can reach.
#[derive(Clone, Copy, Debug)]
struct State {
    cell: u32,
    gap: Gap,
    arrival: u32,
    parent: u32,
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    pub agent: u16,
    /// The latest time of arrival.
    pub latest: u32,
    /// How many states may be expanded.
    pub budget: u32,
}

/// The search, with its memory.
#[derive(Debug, Default)]
pub(super) struct Sipp {
    states: Vec<State>,
    /// By cost, beginning with the least: the states to expand.
    open: Vec<Vec<u32>>,
    known: Known,
    /// How many states the last search has expanded.
    pub expanded: u32,
}

impl Sipp {
    /// Finds the path on which an agent arrives as early as possible and can then stay. Writes its cells, step by step, to `path`, and returns whether there is
    /// one.
    pub fn plan(
        &mut self,
        board: &Board,
        fields: &mut Fields,
        traffic: &Traffic,
        query: Query,
        path: &mut Vec<u32>,
    ) -> bool {
        let agent = usize::from(query.agent);
        let [start, goal] = [board.starts[agent], board.goals[agent]];
        self.expanded = 0;
        // Until then, others pass the goal.
        let free_from = match traffic.stays(goal).last() {
            None => 0,
            Some(stay) if stay.until == FOREVER => return false,
            Some(stay) => stay.until + 1,
        };
        let least = fields.steps(&board.floor, agent, start).max(free_from);
        let Some(gap) = traffic.gap(start, 0).filter(|gap| gap.from == 0) else { return false };
        if least > query.latest {
            return false;
        }
        self.states.clear();
        self.known.clear();
        self.open.iter_mut().for_each(Vec::clear);
        let costs = (query.latest - least) as usize + 1;
        if self.open.len() < costs {
            self.open.resize_with(costs, Vec::new);
        }
        self.add(State { cell: start, gap, arrival: 0, parent: NONE }, 0);
        let mut at = 0;
        while at < costs {
            let Some(state) = self.open[at].pop() else {
                at += 1;
                continue;
            };
            let State { cell, gap, arrival, .. } = self.states[state as usize];
            if self.known.find(cell, gap.from) != Some(state) {
                continue;
            }
            if cell == goal && gap.until == FOREVER {
                self.write(state, path);
                return true;
            }
            self.expanded += 1;
            if self.expanded > query.budget {
                return false;
            }
            for way in board.floor.ways(cell) {
                let steps = fields.steps(&board.floor, agent, way.to);
                let earliest = (arrival + 1 + steps).max(least);
                if earliest > query.latest {
                    continue;
                }
                self.enter(traffic, state, way, |arrival| {
                    let cost = (arrival + steps).max(least);
                    (cost <= query.latest).then(|| (cost - least) as usize)
                });
            }
        }
        false
    }

    /// Reaches all gaps of a neighbour. `cost` says for an arrival where it goes in the open list.
    fn enter(&mut self, traffic: &Traffic, parent: u32, way: Way, cost: impl Fn(u32) -> Option<usize>) {
        let State { cell: from, gap, arrival: since, .. } = self.states[parent as usize];
        let last = gap.until.saturating_add(1);
        let mut next = traffic.gap(way.to, since + 1);
        while let Some(there) = next {
            let mut arrival = there.from.max(since + 1);
            if let Some(corners) = way.corners {
                match traffic.clear_pass(corners, arrival) {
                    Some(time) => arrival = time,
                    None => return,
                }
            }
            if arrival > last {
                return;
            }
            // The agent that leaves the neighbour when this one has to go may be the one that drives it away.
            let swaps = arrival == last
                && arrival == there.from
                && traffic
                    .agent_at(way.to, arrival - 1)
                    .is_some_and(|other| traffic.agent_at(from, arrival) == Some(other));
            if arrival <= there.until && !swaps {
                let Some(cost) = cost(arrival) else { return };
                let known = self.known.find(way.to, there.from);
                if known.is_none_or(|known| self.states[known as usize].arrival > arrival) {
                    self.add(State { cell: way.to, gap: there, arrival, parent }, cost);
                }
            }
            if there.until >= last {
                return;
            }
            next = traffic.gap_after(way.to, there.next + 1);
        }
    }

    fn add(&mut self, state: State, cost: usize) {
        let number = self.states.len() as u32;
        self.known.set(state.cell, state.gap.from, number);
        self.states.push(state);
        self.open[cost].push(number);
    }

    fn write(&self, mut state: u32, path: &mut Vec<u32>) {
        path.clear();
        let mut until = self.states[state as usize].arrival;
        while state != NONE {
            let State { cell, arrival, parent, .. } = self.states[state as usize];
            path.extend((arrival..=until).map(|_| cell));
            until = arrival.wrapping_sub(1);
            state = parent;
        }
        path.reverse();
    }
}

/// The best state of each gap: a hash table that is emptied by counting searches.
#[derive(Debug, Default)]
struct Known {
    /// The cell, the beginning of the gap, the number of the search and the state.
    slots: Vec<[u32; 4]>,
    search: u32,
    used: usize,
}

impl Known {
    fn clear(&mut self) {
        self.used = 0;
        self.search = self.search.wrapping_add(1);
        if self.search == 0 || self.slots.is_empty() {
            self.slots = vec![[0; 4]; self.slots.len().max(1024)];
            self.search = 1;
        }
    }

    /// The slot of a gap, or the empty one where it belongs.
    fn slot(&self, cell: u32, from: u32) -> usize {
        let key = u64::from(cell) << 32 | u64::from(from);
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mask = self.slots.len() - 1;
        let mut at = (hash ^ hash >> 32) as usize & mask;
        loop {
            let [there, begin, search, _] = self.slots[at];
            if search != self.search || (there, begin) == (cell, from) {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    fn find(&self, cell: u32, from: u32) -> Option<u32> {
        let [_, _, search, state] = self.slots[self.slot(cell, from)];
        (search == self.search).then_some(state)
    }

    fn set(&mut self, cell: u32, from: u32, state: u32) {
        let at = self.slot(cell, from);
        self.used += usize::from(self.slots[at][2] != self.search);
        self.slots[at] = [cell, from, self.search, state];
        if self.used * 2 > self.slots.len() {
            let larger = vec![[0; 4]; self.slots.len() * 2];
            for slot in std::mem::replace(&mut self.slots, larger) {
                if slot[2] == self.search {
                    let at = self.slot(slot[0], slot[1]);
                    self.slots[at] = slot;
                }
            }
        }
    }
}
