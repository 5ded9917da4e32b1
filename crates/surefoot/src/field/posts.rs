//! Where to go from each node: the signposts of a field, which follow from its costs alone.

use crate::agent::Moves;
use crate::field::table::{NO_BOUND, Table};
use crate::field::ways::{GridWays, Ways, for_each_bit};
use crate::field::word::Word;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::Direction;

/// Signposts of one kind of world.
pub(super) trait Posts<Y: Ways> {
    /// Makes room for as many nodes, none of which has a signpost.
    fn begin(&mut self, bound: usize);

    /// Sets up the signpost of one node.
    fn set_at(&mut self, ways: &Y, table: &Table<Y::Word>, node: NodeId);

    /// Sets up all signposts.
    fn set_all(&mut self, ways: &Y, table: &Table<Y::Word>) {
        (0..ways.bound() as u32).for_each(|node| self.set_at(ways, table, NodeId(node)));
    }

    /// Sets up the signposts of nodes whose costs changed, and of those from which an edge leads to one of them.
    fn set_around(&mut self, ways: &Y, table: &Table<Y::Word>, changed: &[NodeId]);
}

/// The cost of a node from which a path goes on: that of no goal at which it ends, and final.
fn going_on<W: Word>(table: &Table<W>, node: NodeId) -> Option<W> {
    table.cost(node).filter(|&cost| table.start(node) != Some(cost))
}

/// On grids: by node, the directions of all steps that are best, as a byte. It is 0 where only a link is.
#[derive(Clone, Debug, Default)]
pub(super) struct StepPosts(pub Vec<u8>);

impl StepPosts {
    /// The best steps from a node.
    #[inline]
    pub fn at(&self, node: NodeId) -> u8 {
        self.0.get(node.index()).copied().unwrap_or(0)
    }
}

impl StepPosts {
    /// Sets up all signposts of a grid whose open cells all cost the same, 64 cells at a time.
    fn set_rows<W: Word>(&mut self, ways: &GridWays<'_, W>, [straight, diagonal]: [W; 2], table: &Table<W>) {
        let (shape, moves) = (ways.view.shape(), ways.view.moves());
        let (costs, neighbours) = (&table.costs[..], ways.view.neighbours());
        for y in 0..shape.height() as i32 {
            let row = shape.node(Cell { x: 0, y }).index();
            let end = row + shape.width() as usize;
            for (first, &open) in (row..end).step_by(64).zip(ways.view.open_cells().row(y)) {
                let posts = &mut self.0[first..end.min(first + 64)];
                posts.fill(0);
                if open == 0 {
                    continue;
                }
                let here = &costs[first..first + posts.len()];
                for (direction, &offset) in ways.view.offsets().iter().enumerate() {
                    let beside = first.wrapping_add_signed(offset as isize);
                    let there = &costs[beside..beside + posts.len()];
                    let step = if direction < 4 { straight } else { diagonal };
                    for ((post, &here), &there) in posts.iter_mut().zip(here).zip(there) {
                        *post |= u8::from(there.leads_to(step, here)) << direction;
                    }
                }
                let mut around = [0; 64];
                match neighbours.slice(first..first + posts.len()) {
                    Some(row) => around[..row.len()].copy_from_slice(row),
                    None => (0..posts.len()).for_each(|index| around[index] = neighbours[first + index]),
                }
                for (post, &open) in posts.iter_mut().zip(&around) {
                    *post &= legal(moves, open);
                }
            }
        }
        for &(goal, start) in table.starts() {
            if table.costs[goal.index()] == start {
                self.0[goal.index()] = 0;
            }
        }
    }
}

/// The legal steps at a cell with certain open neighbours, as [`Rule::legal`](crate::world::grid::Rule::legal) has them in a table: without
/// a look at memory, it is computed for many cells at once.
#[inline]
fn legal(moves: Moves, open: u8) -> u8 {
    // By diagonal: whether the straight neighbours on its two sides are open.
    let one = open & 15;
    let other = one >> 1 | (one & 1) << 3;
    match moves {
        Moves::Four => one,
        Moves::Eight => one | open & (one & other) << 4,
        Moves::EightOne => one | open & (one | other) << 4,
        Moves::EightFree => open,
    }
}

impl<W: Word> Posts<GridWays<'_, W>> for StepPosts {
    fn begin(&mut self, bound: usize) {
        self.0.clear();
        self.0.resize(bound, 0);
    }

    fn set_at(&mut self, ways: &GridWays<'_, W>, table: &Table<W>, node: NodeId) {
        let mut steps = 0;
        if let Some(cost) = going_on(table, node) {
            for_each_bit(ways.view.legal_steps(node), |direction| {
                let to = ways.neighbour(node, direction);
                let through = table.costs[to.index()].plus(ways.step(node, to, direction));
                steps |= u8::from(through == Some(cost)) << direction;
            });
        }
        self.0[node.index()] = steps;
    }

    fn set_all(&mut self, ways: &GridWays<'_, W>, table: &Table<W>) {
        match ways.level() {
            Some(level) if table.bound == NO_BOUND => self.set_rows(ways, level, table),
            _ => (0..ways.bound() as u32).for_each(|node| self.set_at(ways, table, NodeId(node))),
        }
    }

    fn set_around(&mut self, ways: &GridWays<'_, W>, table: &Table<W>, changed: &[NodeId]) {
        for &node in changed {
            self.set_at(ways, table, node);
            (0..Direction::ALL.len())
                .for_each(|direction| self.set_at(ways, table, ways.neighbour(node, direction)));
        }
    }
}

/// Anywhere: by node, the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct NodePosts(pub Vec<NodeId>);

impl<Y: Ways> Posts<Y> for NodePosts {
    fn begin(&mut self, bound: usize) {
        self.0.clear();
        self.0.resize(bound, NodeId::NONE);
    }

    fn set_at(&mut self, ways: &Y, table: &Table<Y::Word>, node: NodeId) {
        let mut next = NodeId::NONE;
        if let Some(cost) = going_on(table, node) {
            ways.for_each_from(node, |to, step| {
                if next == NodeId::NONE && table.costs[to.index()].plus(step) == Some(cost) {
                    next = to;
                }
            });
        }
        self.0[node.index()] = next;
    }

    fn set_around(&mut self, ways: &Y, table: &Table<Y::Word>, changed: &[NodeId]) {
        for &node in changed {
            self.set_at(ways, table, node);
            if ways.stands(node) {
                ways.for_each_into(node, |from, _| self.set_at(ways, table, from));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::grid::Rule;

    #[test]
    fn computed_legal_steps_are_those_of_the_rules() {
        for (moves, open) in Moves::ALL.into_iter().flat_map(|moves| (0..=255).map(move |open| (moves, open)))
        {
            assert_eq!(legal(moves, open), Rule::of(moves).legal(open), "{moves} {open:08b}");
        }
    }
}
