//! The nearest cell that an agent can stand on, and whether it can be reached.
//!
//! Components tell which cells are connected by steps, in both directions. Links between components are one-way and few, so
//! reachability takes a short walk over links and never a flood fill of the map.
//!
//! ```
//! use surefoot::prelude::*;
//! use surefoot::world::nearest::{nearest_open, nearest_reachable};
//! let grid: Grid = "
//!     ..#.
//!     ..##".parse().unwrap();
//! let view = grid.view(&Agent::default());
//! assert_eq!(nearest_open(&view, Point::flat(3.5, 1.9)), Some(Cell::new(3, 0)));
//! assert_eq!(nearest_reachable(&view, Cell::new(0, 0), Cell::new(3, 1)), Some(Cell::new(1, 1)));
//! ```

use std::ops::Add;

use crate::id::NodeId;
use crate::space::{Cell, Point};
use crate::world::components::{Components, Extent};
use crate::world::grid::{BitPlane, GridView};
use crate::world::links::Link;

/// Whether one node can be reached from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// There is a path.
    Connected,
    /// There would be a path if one-way edges could be used backwards.
    OneWay,
    /// There is no path in either direction.
    Disconnected,
}

/// Returns the cell nearest to a world point on which the agent can stand. Distance is measured in a straight line from the point to
/// the centre of the cell; ties go to the smallest row, then to the smallest column. `None` if there is no such cell or the point is
/// not finite.
///
/// ```
/// use surefoot::{prelude::*, world::nearest::nearest_open};
/// let grid: Grid = "
///     ..#
///     .##
///     .##".parse().unwrap();
/// let view = grid.view(&Agent::default());
/// assert_eq!(nearest_open(&view, Point::flat(2.9, 0.1)), Some(Cell::new(1, 0)));
/// assert_eq!(nearest_open(&view, Point::flat(0.5, 99.0)), Some(Cell::new(0, 2)));
/// ```
pub fn nearest_open(view: &GridView<'_>, to: Point) -> Option<Cell> {
    let (origin, cell_size) = (view.grid().frame().origin(), view.grid().frame().cell_size());
    // In cells, from the middle of cell (0, 0).
    let (x, y) = ((to.x - origin.x) / cell_size - 0.5, (to.y - origin.y) / cell_size - 0.5);
    let squared = |offset: f64| offset * offset;
    (x.is_finite() && y.is_finite()).then_some(())?;
    nearest_where(
        view.open_cells(),
        (Cell::new(0, 0), Cell::new(view.grid().width() as i32, view.grid().height() as i32)),
        Cell { x: x.floor() as i32, y: y.floor() as i32 },
        |column| squared(f64::from(column) - x),
        |row| squared(f64::from(row) - y),
        |_| true,
    )
}

/// Returns the cell nearest to `to` that can be reached from `from`. Distance is measured in a straight line between the centres;
/// ties go to the smallest row, then to the smallest column. The result is `to` itself if it can be reached; `to` may lie outside
/// the grid. `None` if the agent cannot stand on `from`.
///
/// ```
/// use surefoot::{prelude::*, world::nearest::nearest_reachable};
/// let mut grid: Grid = "
///     ..#..
///     ..#..".parse().unwrap();
/// let (here, there) = (Cell::new(0, 0), Cell::new(4, 1));
/// assert_eq!(nearest_reachable(&grid.view(&Agent::default()), here, there), Some(Cell::new(1, 1)));
/// grid.add_link(here, Cell::new(3, 0), Cost::ONE).unwrap();
/// assert_eq!(nearest_reachable(&grid.view(&Agent::default()), here, there), Some(there));
/// ```
pub fn nearest_reachable(view: &GridView<'_>, from: Cell, to: Cell) -> Option<Cell> {
    let components = view.components();
    let label = components.of(view.grid().node(from)?);
    if label == 0 {
        return None;
    }
    let reached = reached_labels(&linked_labels(components, view.grid().links()), label);
    let extents = reached.iter().map(|&label| components.extent(label));
    let extent = extents.fold(components.extent(label), Extent::with);
    let label_of = |cell| components.of(view.shape().node(cell));
    let squared = |a: i32, b: i32| u64::from(a.abs_diff(b)).pow(2);
    nearest_where(
        view.open_cells(),
        (extent.min, extent.max),
        to,
        |column| squared(column, to.x),
        |row| squared(row, to.y),
        |cell| label_of(cell) == label || reached.binary_search(&label_of(cell)).is_ok(),
    )
}

/// Whether one node of a grid can be reached from another, links included. Nodes on which the agent cannot stand are
/// connected with nothing.
pub(crate) fn reachable(view: &GridView<'_>, from: NodeId, to: NodeId) -> Reach {
    if view.are_connected_nearby(from, to) {
        return Reach::Connected;
    }
    reachable_within(view.components(), view.grid().links(), from, to)
}

/// Whether one node can be reached from another, given components and the links between them.
pub(crate) fn reachable_within(components: &Components, links: &[Link], from: NodeId, to: NodeId) -> Reach {
    let (from, to) = (components.of(from), components.of(to));
    if from == 0 || to == 0 {
        return Reach::Disconnected;
    }
    if from == to {
        return Reach::Connected;
    }
    let mut linked = linked_labels(components, links);
    if reached_labels(&linked, from).binary_search(&to).is_ok() {
        return Reach::Connected;
    }
    linked.extend_from_within(..);
    let half = linked.len() / 2;
    linked[half..].iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
    linked.sort_unstable();
    if reached_labels(&linked, from).binary_search(&to).is_ok() { Reach::OneWay } else { Reach::Disconnected }
}

/// Returns the pairs of different components that links lead between, sorted. Links that start or end on a cell where the agent
/// cannot stand are left out.
fn linked_labels(components: &Components, links: &[Link]) -> Vec<(u32, u32)> {
    let pairs = links.iter().map(|link| (components.of(link.from), components.of(link.to)));
    let mut linked: Vec<(u32, u32)> =
        pairs.filter(|&(from, to)| from != to && from != 0 && to != 0).collect();
    linked.sort_unstable();
    linked.dedup();
    linked
}

/// The components that sorted pairs lead to from one, sorted; with itself, unless there are no pairs at all.
fn reached_labels(linked: &[(u32, u32)], from: u32) -> Vec<u32> {
    if linked.is_empty() {
        return Vec::new();
    }
    let mut reached = vec![from];
    // By the first pair of each component.
    let mut walked = vec![false; linked.len()];
    let mut next = 0;
    while let Some(&label) = reached.get(next) {
        next += 1;
        let first = linked.partition_point(|&(from, _)| from < label);
        let mut leaving = linked[first..].iter().take_while(|&&(from, _)| from == label).peekable();
        if leaving.peek().is_some() && !std::mem::replace(&mut walked[first], true) {
            reached.extend(leaving.map(|&(_, to)| to));
        }
    }
    reached.sort_unstable();
    reached.dedup();
    reached
}

/// The nearest accepted cell of a plane, ties by row, then column; all of them lie in a box. A cell's distance is the sum of a part for its column
/// and one for its row; both grow with the distance from a place that lies between `pivot` and the next column or row.
fn nearest_where<D: Copy + PartialOrd + Add<Output = D>>(
    open: &BitPlane,
    (min, max): (Cell, Cell),
    pivot: Cell,
    column_part: impl Fn(i32) -> D,
    row_part: impl Fn(i32) -> D,
    accept: impl Fn(Cell) -> bool,
) -> Option<Cell> {
    let left = pivot.x.clamp(min.x - 1, max.x - 1);
    let mut above = pivot.y.clamp(min.y - 1, max.y - 1);
    let mut below = above + 1;
    let mut best: Option<(D, Cell)> = None;
    while above >= min.y || below < max.y {
        let go_up = below >= max.y || above >= min.y && row_part(above) <= row_part(below);
        let y = if go_up { above } else { below };
        (above, below) = if go_up { (above - 1, below) } else { (above, below + 1) };
        if best.is_some_and(|(least, _)| row_part(y) > least) {
            break;
        }
        let distance = |x: i32| column_part(x) + row_part(y);
        for to_left in [true, false] {
            let worth_it =
                |&x: &i32| (min.x..max.x).contains(&x) && best.is_none_or(|(least, _)| distance(x) <= least);
            let accepted = |&x: &i32| accept(Cell { x, y });
            let found = if to_left {
                bits_down(open.row(y), left).take_while(worth_it).find(accepted)
            } else {
                bits_up(open.row(y), left + 1).take_while(worth_it).find(accepted)
            };
            let Some(x) = found else { continue };
            let wins = |(least, cell): (D, Cell)| distance(x) < least || (y, x) < (cell.y, cell.x);
            if best.is_none_or(wins) {
                best = Some((distance(x), Cell { x, y }));
            }
        }
    }
    best.map(|(_, cell)| cell)
}

/// The set bits of a row from column `from` on, in ascending order.
fn bits_up(row: &[u64], from: i32) -> impl Iterator<Item = i32> + '_ {
    let first = from as usize / 64;
    (first..row.len()).flat_map(move |word| {
        let mut bits = row[word] & if word == first { !0 << (from % 64) } else { !0 };
        std::iter::from_fn(move || {
            let bit = (bits != 0).then(|| bits.trailing_zeros())?;
            bits &= bits - 1;
            Some(word as i32 * 64 + bit as i32)
        })
    })
}

/// The set bits of a row from column `from` (or -1) back to the first, in descending order.
fn bits_down(row: &[u64], from: i32) -> impl Iterator<Item = i32> + '_ {
    let end = (from + 1) as usize;
    (0..end.div_ceil(64)).rev().flat_map(move |word| {
        let mut bits = row[word] & if word == end / 64 { !(!0 << (end % 64)) } else { !0 };
        std::iter::from_fn(move || {
            let bit = bits.checked_ilog2()?;
            bits ^= 1 << bit;
            Some(word as i32 * 64 + bit as i32)
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::{Agent, Moves};
    use crate::cost::Cost;
    use crate::graph::{Graph, ReverseGraph};
    use crate::space::Frame;
    use crate::world::grid::Grid;
    use crate::world::random_maps;

    fn grid_of(open: &BitPlane, links: &[(u32, u32)]) -> Grid {
        let (width, height) = (open.width(), open.height());
        let terrain: Vec<u8> = (0..width * height)
            .map(|index| u8::from(open.contains(random_maps::pick(open, index))))
            .collect();
        let mut grid = Grid::from_terrain(width, height, &terrain).unwrap();
        for &(from, to) in links {
            let (from, to) = (random_maps::pick(open, from), random_maps::pick(open, to));
            grid.add_link(from, to, Cost::ONE).unwrap();
        }
        grid
    }

    #[test]
    fn a_component_without_links_hides_no_other() {
        assert_eq!(reached_labels(&[(1, 2), (1, 5), (5, 7)], 1), [1, 2, 5, 7]);
        assert_eq!(reached_labels(&[(1, 2), (2, 1)], 2), [1, 2]);
    }

    /// What can be reached edge by edge, forwards only or in both directions.
    fn flood(view: &GridView<'_>, from: NodeId, both_ways: bool) -> Vec<bool> {
        let mut reached = vec![false; view.node_bound()];
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            if view.is_open_node(node) && !std::mem::replace(&mut reached[node.index()], true) {
                view.for_each_edge(node, |to, _| stack.push(to));
                if both_ways {
                    view.for_each_edge_into(node, |from, _| stack.push(from));
                }
            }
        }
        reached
    }

    fn links() -> impl Strategy<Value = Vec<(u32, u32)>> {
        prop::collection::vec(any::<(u32, u32)>(), 0..8)
    }

    fn agent() -> impl Strategy<Value = Agent> {
        (prop::sample::select(Moves::ALL.to_vec()), prop_oneof![Just(0.0), 0.5..1.6])
            .prop_map(|(moves, radius)| Agent::new().with_moves(moves).with_radius(radius).unwrap())
    }

    proptest! {
        #[test]
        fn reach_is_what_a_flood_over_edges_finds(
            open in random_maps::plane(), links in links(), agent in agent(), from: u32, to: u32,
        ) {
            let grid = grid_of(&open, &links);
            let view = grid.view(&agent);
            let node = |number| grid.node(random_maps::pick(&open, number)).unwrap();
            let mut pairs = vec![(node(from), node(to))];
            pairs.extend(grid.links().iter().flat_map(|link| [(link.from, link.to), (link.to, link.from)]));
            for (from, to) in pairs {
                let expected = if flood(&view, from, false)[to.index()] {
                    Reach::Connected
                } else if flood(&view, from, true)[to.index()] {
                    Reach::OneWay
                } else {
                    Reach::Disconnected
                };
                prop_assert_eq!(reachable(&view, from, to), expected, "{:?} to {:?}", from, to);
            }
        }

        #[test]
        fn the_nearest_reachable_cell_is_the_best_of_a_flood(
            open in random_maps::plane(), links in links(), agent in agent(),
            from: u32, x in -20..220, y in -20..50,
        ) {
            let grid = grid_of(&open, &links);
            let view = grid.view(&agent);
            let (from, to) = (random_maps::pick(&open, from), Cell { x, y });
            let reached = flood(&view, grid.node(from).unwrap(), false);
            let cells = grid.cells().filter(|&cell| reached[grid.node(cell).unwrap().index()]);
            let expected = cells.min_by_key(|cell| ((cell.x - x).pow(2) + (cell.y - y).pow(2), cell.y, cell.x));
            prop_assert_eq!(nearest_reachable(&view, from, to), expected);
        }

        #[test]
        fn the_nearest_open_cell_is_the_best_of_all(
            open in random_maps::plane(), agent in agent(),
            // Halves and quarters of a cell: ties are common, and exact.
            x in -80..900_i32, y in -80..200_i32,
        ) {
            let mut grid = grid_of(&open, &[]);
            grid.set_frame(Frame::new(Point::flat(3.0, -2.0), 0.5).unwrap());
            let view = grid.view(&agent);
            let to = Point::flat(3.0 + f64::from(x) / 8.0, f64::from(y) / 8.0 - 2.0);
            let quarters = |cell: Cell| (4 * cell.x + 2 - x).pow(2) + (4 * cell.y + 2 - y).pow(2);
            let cells = grid.cells().filter(|&cell| view.is_open(cell));
            let expected = cells.min_by_key(|&cell| (quarters(cell), cell.y, cell.x));
            prop_assert_eq!(nearest_open(&view, to), expected);
        }
    }

    #[test]
    fn extreme_places_are_answered_or_refused() {
        let grid: Grid = "..\n#.".parse().unwrap();
        let view = grid.view(&Agent::default());
        assert_eq!(nearest_open(&view, Point::flat(f64::NAN, 0.0)), None);
        assert_eq!(nearest_open(&view, Point::flat(0.0, f64::NEG_INFINITY)), None);
        assert_eq!(nearest_open(&view, Point::flat(0.0, 1e12)), Some(Cell::new(1, 1)));
        let from = Cell::new(0, 0);
        assert_eq!(nearest_reachable(&view, from, Cell::new(i32::MAX, i32::MAX)), Some(Cell::new(1, 1)));
        assert_eq!(nearest_reachable(&view, from, Cell::new(i32::MIN, i32::MIN)), Some(from));
        for blocked in [Cell::new(0, 1), Cell::new(-1, 0), Cell::new(i32::MAX, 0)] {
            assert_eq!(nearest_reachable(&view, blocked, from), None);
        }
    }
}
