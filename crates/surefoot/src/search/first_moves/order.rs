//! The order of targets in a row of the table.

use crate::id::NodeId;
use crate::world::grid::GridView;

/// Numbers the open cells as a depth-first walk meets them: neighbours in the order are mostly neighbours on the map, so that the
/// same step leads to many in a row.
pub(super) struct Order {
    /// By node number; [`Order::NONE`] for nodes that are not open.
    pub ranks: Vec<u32>,
    /// By rank: node numbers.
    pub nodes: Vec<u32>,
}

/// The number of cells that are processed between two checks whether to continue.
const CELLS_AT_ONCE: usize = 4096;

impl Order {
    pub const NONE: u32 = u32::MAX;

    /// See [`effort`](crate::effort) for `work`.
    pub fn of<E>(view: &GridView<'_>, work: impl Fn(u64) -> Result<(), E>) -> Result<Order, E> {
        let shape = view.shape();
        let mut order = Order { ranks: vec![Order::NONE; shape.node_bound()], nodes: Vec::new() };
        let mut stack = Vec::new();
        for (number, cell) in shape.cells().enumerate() {
            if number % CELLS_AT_ONCE == 0 {
                work(CELLS_AT_ONCE as u64)?;
            }
            if view.is_open(cell) {
                order.visit(shape.node(cell).index(), &mut stack);
            }
            let mut looks = 0;
            while let Some(&node) = stack.last() {
                looks += 1;
                if looks % CELLS_AT_ONCE == 0 {
                    work(CELLS_AT_ONCE as u64)?;
                }
                match order.unvisited_beside(view, node) {
                    Some(next) => order.visit(next, &mut stack),
                    None => drop(stack.pop()),
                }
            }
        }
        Ok(order)
    }

    fn visit(&mut self, node: usize, stack: &mut Vec<usize>) {
        if self.ranks[node] == Order::NONE {
            self.ranks[node] = self.nodes.len() as u32;
            self.nodes.push(node as u32);
            stack.push(node);
        }
    }

    fn unvisited_beside(&self, view: &GridView<'_>, node: usize) -> Option<usize> {
        let mut steps = view.legal_steps(NodeId(node as u32));
        while steps != 0 {
            let next = node.wrapping_add_signed(view.offsets()[steps.trailing_zeros() as usize] as isize);
            if self.ranks[next] == Order::NONE {
                return Some(next);
            }
            steps &= steps - 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::effort::unhindered;
    use crate::world::grid::Grid;

    #[test]
    fn every_open_cell_has_one_rank_and_nothing_else_has() {
        let grid: Grid = "
            ..#.
            .##.
            ..#."
            .parse()
            .unwrap();
        let view = grid.view(&Agent::default());
        let Ok(order) = Order::of(&view, unhindered);
        assert_eq!(order.nodes.len(), 8);
        for (rank, &node) in (0..).zip(&order.nodes) {
            assert_eq!(order.ranks[node as usize], rank);
        }
        assert_eq!(order.ranks.iter().filter(|&&rank| rank != Order::NONE).count(), 8);
    }
}
