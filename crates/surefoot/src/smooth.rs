//! Path smoothing.
//!
//! Paths of steps turn by the directions of the grid. [`smooth`] pulls such a path straight wherever the agent can see.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::smooth::smooth;
//! let grid: Grid = "
//!     .......
//!     ...#...
//!     .......".parse().unwrap();
//! let view = grid.view(&Agent::default());
//! let mut finder = Pathfinder::default();
//! let path = finder.find(view, Cell::new(0, 1), Cell::new(6, 2)).unwrap();
//! let smoothed = smooth(view, path);
//! assert!(smoothed.steps() < path.steps() && smoothed.length() <= path.length());
//! ```

use crate::graph::Sight;
use crate::id::NodeId;
use crate::path::Path;
use crate::world::any::{View, on_world};
use crate::world::space::{SearchSpace, WithSight};

/// Returns a smoothed path with fewer and wider turns: an any-angle path that is never longer.
///
/// First, the path goes straight from node to node as far as there is line of sight. Then each of its turns moves to a
/// neighbouring node as long as that makes the path shorter. Where lines have no cost of their own, the path stays as it is: on
/// waypoint graphs, and on grids with links or with terrain whose cost varies. So does a path that is not valid in this view: one
/// from another world or for a smaller agent, or one through a wall that has been built since.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::smooth::smooth;
/// let grid = Grid::new(9, 4).unwrap();
/// let view = grid.view(&Agent::default());
/// let mut finder = Pathfinder::default();
/// let path = finder.find(&view, Cell::new(0, 0), Cell::new(8, 3)).unwrap();
/// let straight = smooth(&view, path);
/// assert_eq!((path.steps(), straight.steps()), (8, 1));
/// assert!(straight.is_any_angle() && straight.length() < path.length());
/// ```
#[must_use]
pub fn smooth<'a>(view: impl Into<View<'a>>, path: &Path) -> Path {
    let view = view.into();
    let mut smoothed = Path::default();
    let has_lines = on_world!(&view, space => space.fault_of_lines()).is_none();
    let numbers = view.numbering();
    let mut nodes = path.nodes().to_vec();
    let is_here = nodes.iter().all(|&node| numbers.contains(node));
    if has_lines && is_here && on_world!(&view, space => space.with_sight(Straighten(&mut nodes))) {
        smoothed.rewrite_lines(&view, |smoothed| smoothed.append(&mut nodes));
    } else {
        smoothed.clone_from(path);
    }
    smoothed
}

/// Pulls nodes straight in a world with lines of sight; `false` if there are none, or if a node does not see the next.
struct Straighten<'a>(&'a mut Vec<NodeId>);

impl WithSight for Straighten<'_> {
    type Out = bool;

    fn go_on<S: SearchSpace + Sight>(self, space: &S) -> bool {
        let leads_on = self.0.windows(2).all(|pair| space.sees(pair[0], pair[1]));
        if leads_on {
            straighten(space, self.0);
        }
        leads_on
    }

    fn without(self) -> bool {
        false
    }
}

/// Pulls a path straight; nodes next to each other have to be in sight of each other.
pub(crate) fn straighten(view: &impl Sight, nodes: &mut Vec<NodeId>) {
    pull(view, nodes);
    tighten(view, nodes);
}

/// Leaves out the nodes that are not needed: from each node that stays, the next is one after which sight ends.
fn pull(view: &impl Sight, nodes: &mut Vec<NodeId>) {
    let (mut kept, mut at) = (1, 0);
    while at + 1 < nodes.len() {
        // In strides that double up to the first place out of sight, then in halves of them.
        let (mut seen, mut stride, mut grows) = (at + 1, 1, true);
        while stride > 0 {
            let ahead = nodes.get(seen + stride).is_some_and(|&ahead| view.sees(nodes[at], ahead));
            grows &= ahead;
            seen += if ahead { stride } else { 0 };
            stride = if grows { stride * 2 } else { stride / 2 };
        }
        nodes[kept] = nodes[seen];
        (kept, at) = (kept + 1, seen);
    }
    nodes.truncate(kept);
}

/// Moves the turns to neighbouring nodes until no move makes the path shorter. Each does by a unit at least, so that ends.
fn tighten(view: &impl Sight, nodes: &mut Vec<NodeId>) {
    let mut moved = true;
    while moved {
        moved = false;
        let mut turn = 1;
        while turn + 1 < nodes.len() {
            let [before, at, after] = [nodes[turn - 1], nodes[turn], nodes[turn + 1]];
            if view.sees(before, after) {
                nodes.remove(turn);
                moved = true;
                continue;
            }
            let through = |node| view.line(before, node) + view.line(node, after);
            let (mut best, mut least) = (at, through(at));
            view.for_each_edge(at, |node, _| {
                if through(node) < least && view.sees(before, node) && view.sees(node, after) {
                    (best, least) = (node, through(node));
                }
            });
            moved |= best != at;
            nodes[turn] = best;
            turn += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Agent;
    use crate::search::Pathfinder;
    use crate::space::{Cell, Voxel};
    use crate::world::grid::{Grid, Terrain};
    use crate::world::voxels::Voxels;

    #[test]
    fn what_is_no_path_in_a_view_stays_as_it_is() {
        let mut grid = Grid::new(40, 9).unwrap();
        let agent = Agent::default();
        let ends = (Cell::new(2, 2), Cell::new(37, 6));
        let path = Pathfinder::default().find(grid.view(&agent), ends.0, ends.1).unwrap().clone();
        assert_eq!(smooth(grid.view(&agent), &path).steps(), 1);
        let small = Grid::new(3, 3).unwrap();
        assert_eq!(smooth(small.view(&agent), &path), path);
        let space = Voxels::new(3, 2, 2).unwrap();
        assert_eq!(smooth(space.view(&agent), &path), path);
        grid.set_many((0..9).map(|y| (Cell::new(20, y), Terrain::WALL))).unwrap();
        assert_eq!(smooth(grid.view(&agent), &path), path);

        let voxels = Voxels::from_solid([9, 3, 3], [Voxel::new(4, 1, 1)]).unwrap();
        let ends = (Voxel::new(0, 1, 1), Voxel::new(8, 1, 1));
        let path = Pathfinder::default().find(voxels.view(&agent), ends.0, ends.1).unwrap().clone();
        let wide = agent.with_radius(1.2).unwrap();
        assert_eq!(smooth(voxels.view(&wide), &path), path);
    }

    #[test]
    fn turns_move_to_the_corners() {
        let grid: Grid = ".....\n.....\n..#..\n..#..\n..#..\n..#..".parse().unwrap();
        let view = grid.view(&Agent::default());
        let nodes = |cells: [(i32, i32); 4]| cells.map(|(x, y)| grid.node(Cell::new(x, y)).unwrap());
        let mut way = nodes([(1, 5), (1, 0), (3, 0), (3, 5)]).to_vec();
        straighten(&view, &mut way);
        assert_eq!(way, nodes([(1, 5), (1, 1), (3, 1), (3, 5)]));
    }
}
