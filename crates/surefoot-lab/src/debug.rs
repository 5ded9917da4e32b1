//! The state of the planner of a live unit, as bytes for the page.

use bytes::Bytes;
use surefoot::cost::Scale;
use surefoot::prelude::*;
use surefoot::replan::{NodeState, Standing};
use surefoot::unit::{UnitId, Units};

use crate::cells;
use crate::limits::NODES_TOLD;

/// The kind of the message.
const KIND: u8 = 3;
/// Stands for no parent.
const NO_CELL: u32 = u32::MAX;
const QUEUED: u32 = 1 << 2;
const UNKNOWN: u32 = 1 << 3;

/// Nodes of which a planner has learnt something since the page was last told.
pub struct Changes {
    board: u8,
    live: u32,
    /// Whether all that was told before is void.
    void: bool,
    /// Whether the next report covers every node that is known.
    all: bool,
    nodes: Vec<NodeId>,
    /// How many of these are sorted, each once.
    tidy: usize,
}

impl Changes {
    pub fn new(board: u8, live: u32) -> Changes {
        Changes { board, live, void: true, all: false, nodes: Vec::new(), tidy: 0 }
    }

    /// For a planner that is already under way: the first report covers everything it knows.
    pub fn from_now_on(board: u8, live: u32) -> Changes {
        Changes { all: true, ..Changes::new(board, live) }
    }

    /// Takes note of what a tick has changed.
    pub fn note(&mut self, restarted: bool, nodes: &[NodeId]) {
        if restarted {
            // What was known before means nothing; what is known now was written down after that.
            self.nodes.clear();
            (self.void, self.tidy) = (true, 0);
        }
        self.nodes.extend(nodes);
        // Many ticks without a report must not fill the memory.
        if self.nodes.len() > 2 * self.tidy + NODES_TOLD {
            self.tidy_up();
        }
    }

    fn tidy_up(&mut self) {
        self.nodes.sort_unstable();
        self.nodes.dedup();
        self.tidy = self.nodes.len();
    }

    /// Adds what changed as messages, several if it is much.
    pub fn take_into(&mut self, grid: &Grid, units: &mut Units, id: UnitId, messages: &mut Vec<Bytes>) {
        if std::mem::take(&mut self.all) {
            let nodes = grid.cells().filter_map(|cell| grid.node(cell));
            self.nodes = nodes.filter(|&node| units.node_state(grid, id, node).is_some()).collect();
        }
        self.tidy_up();
        self.tidy = 0;
        let nodes = std::mem::take(&mut self.nodes);
        for part in nodes.chunks(NODES_TOLD) {
            let void = std::mem::take(&mut self.void);
            let mut bytes = vec![KIND, self.board, u8::from(void), 0];
            bytes.extend(self.live.to_le_bytes());
            bytes.extend((part.len() as u32).to_le_bytes());
            for &node in part {
                let state = units.node_state(grid, id, node);
                bytes.extend(entry(grid, node, state).into_iter().flatten());
            }
            messages.push(bytes.into());
        }
    }
}

/// A node: its cell, its parent's, bits, and four costs.
fn entry(grid: &Grid, node: NodeId, state: Option<NodeState>) -> [[u8; 4]; 7] {
    let index = |node: NodeId| cells::on_grid(grid, grid.cell(node));
    let cost =
        |cost: Option<Cost>| cost.map_or(f32::INFINITY, |cost| Scale::GRID.cells(cost) as f32).to_le_bytes();
    let Some(state) = state else {
        let [none, infinite] = [NO_CELL.to_le_bytes(), cost(None)];
        return [
            index(node).to_le_bytes(),
            none,
            UNKNOWN.to_le_bytes(),
            infinite,
            infinite,
            infinite,
            infinite,
        ];
    };
    let parent = if state.parent == NodeId::NONE { NO_CELL } else { index(state.parent) };
    let standing = match state.standing() {
        Standing::Consistent => 0,
        Standing::Over => 1,
        Standing::Under => 2,
    };
    let bits: u32 = standing | if state.queued { QUEUED } else { 0 };
    let [through, to] = [0, 1].map(|part| cost(state.key.map(|key| key[part])));
    [
        index(node).to_le_bytes(),
        parent.to_le_bytes(),
        bits.to_le_bytes(),
        cost(state.g),
        cost(state.rhs),
        through,
        to,
    ]
}

#[cfg(test)]
mod tests {
    use surefoot::unit::{Target, UnitSpec};

    use super::*;

    #[test]
    fn nodes_are_laid_out_as_the_protocol_says() {
        let grid: Grid = "...\n...".parse().unwrap();
        let mut units = Units::new();
        let spec = UnitSpec::new(Cell::new(0, 0), Target::Cell(Cell::new(2, 0)));
        let id = units.add(&grid, &spec).unwrap();
        assert!(units.set_logging(id, true));
        units.tick(&grid, 0.0);
        let mut changes = Changes::new(2, 258);
        changes.note(true, units.get(id).unwrap().changed());
        let mut messages = Vec::new();
        changes.take_into(&grid, &mut units, id, &mut messages);
        let bytes = &messages[0];
        assert_eq!(bytes[..8], [3, 2, 1, 0, 2, 1, 0, 0]);
        let words: Vec<u32> =
            bytes[8..].chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words[0] as usize, (words.len() - 1) / 7);
        let goal = words[1..].chunks(7).find(|node| node[0] == 2).unwrap();
        assert_eq!(goal[1..4], [NO_CELL, 0, 0f32.to_bits()], "no parent, consistent, g 0");
        let beside = words[1..].chunks(7).find(|node| node[0] == 1).unwrap();
        assert_eq!((beside[1], beside[4]), (2, 1f32.to_bits()), "the goal is its parent, rhs 1");
        messages.clear();
        changes.take_into(&grid, &mut units, id, &mut messages);
        assert!(messages.is_empty(), "nothing new");
    }
}
