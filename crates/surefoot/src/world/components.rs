//! Which cells are connected.

use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{BitPlane, Direction, Shape};

/// A label for every open cell; cells with different labels are not connected by steps.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    diagonal: bool,
    labels: Vec<u32>,
}

impl Components {
    /// Labels every open cell. `diagonal` says whether a diagonal step joins cells on its own.
    pub fn label(shape: &Shape, open: &BitPlane, diagonal: bool) -> Components {
        let mut components = Components { diagonal, labels: vec![0; shape.node_bound()] };
        let mut next = 0;
        let mut stack = Vec::new();
        for cell in shape.cells().filter(|&cell| open.contains(cell)) {
            if components.labels[shape.node(cell).index()] != 0 {
                continue;
            }
            next += 1;
            stack.push(cell);
            while let Some(cell) = stack.pop() {
                if std::mem::replace(&mut components.labels[shape.node(cell).index()], next) == next {
                    continue;
                }
                for direction in Direction::ALL.into_iter().take(if diagonal { 8 } else { 4 }) {
                    let (dx, dy) = direction.delta();
                    let near = cell.offset(dx, dy);
                    if open.contains(near) && components.labels[shape.node(near).index()] == 0 {
                        stack.push(near);
                    }
                }
            }
        }
        components
    }

    /// The label of a cell, 0 if it is not open. Equal labels: connected by steps.
    #[inline]
    pub fn of(&self, node: NodeId) -> u32 {
        self.labels[node.index()]
    }

    /// Follows a cell that opened; `open` has it already.
    pub fn opened(&mut self, shape: &Shape, open: &BitPlane, _cell: Cell) {
        *self = Components::label(shape, open, self.diagonal);
    }

    /// Follows a cell that closed; `open` lacks it already.
    pub fn closed(&mut self, shape: &Shape, open: &BitPlane, _cell: Cell) {
        *self = Components::label(shape, open, self.diagonal);
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.labels.len() * size_of::<u32>()
    }
}
