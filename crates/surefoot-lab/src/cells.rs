//! The numbers by which binary messages name cells: along x, then y, then z. Nodes of graphs keep their own.

use surefoot::prelude::*;
use surefoot::search::observe::Trace;
use surefoot::search::observe::{Event, Observer};

/// Returns the number of a node.
pub fn number(view: &View<'_>, node: NodeId) -> u32 {
    match view {
        View::Grid(view) => on_grid(view.grid(), view.grid().cell(node)),
        View::Voxels(view) => in_space(view.voxels(), view.voxels().voxel(node)),
        _ => node.0,
    }
}

/// Returns the number of a cell of a grid.
pub fn on_grid(grid: &Grid, Cell { x, y }: Cell) -> u32 {
    y as u32 * grid.width() + x as u32
}

/// Returns the number of a cell of a voxel world.
pub fn in_space(voxels: &Voxels, Voxel { x, y, z }: Voxel) -> u32 {
    let [width, depth, _] = voxels.size();
    (z as u32 * depth + y as u32) * width + x as u32
}

/// Records a search in a view, with the numbers of cells in place of those of nodes.
pub struct InCells<'a> {
    pub view: View<'a>,
    pub trace: &'a mut Trace,
}

impl Observer for InCells<'_> {
    fn on(&mut self, event: &Event) {
        let [node, parent] = [event.node, event.parent]
            .map(|node| if node == NodeId::NONE { node } else { NodeId(number(&self.view, node)) });
        self.trace.on(&Event { node, parent, ..*event });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_along_rows_and_then_layers() {
        let agent = Agent::default();
        let grid = Grid::new(5, 3).unwrap();
        let view = View::from(grid.view(&agent));
        let numbers = grid.cells().map(|cell| number(&view, grid.node(cell).unwrap()));
        assert!(numbers.eq(0..15));
        let voxels = Voxels::new(4, 3, 2).unwrap();
        let view = View::from(voxels.view(&agent));
        let cells = (0..2).flat_map(|z| (0..3).flat_map(move |y| (0..4).map(move |x| Voxel::new(x, y, z))));
        assert!(cells.map(|cell| number(&view, voxels.node(cell).unwrap())).eq(0..24));
        let mut builder = Waypoints::builder();
        let nodes = [0.0, 1.0].map(|x| builder.node(Point::flat(x, 0.0)));
        let graph = builder.build().unwrap();
        assert_eq!(nodes.map(|node| number(&View::from(&graph), node)), [0, 1]);
    }
}
