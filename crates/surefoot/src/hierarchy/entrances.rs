//! Where a path can cross from one cluster of a map to the next.
//!
//! Along the border between two clusters, a stretch of cells that are open on both sides is an entrance. A narrow
//! entrance has one transition, a wide one has one at each end, and either may have another where the terrain is
//! cheapest.
//!
//! No connection is lost. The cells of an entrance are neighbours on each side, so a step across at one of them can be
//! replaced by a step across at another. A diagonal step across a border that has an open cell beside it can be
//! replaced by two straight ones, one of which crosses inside an entrance. A diagonal step between two walls (rule
//! `8-free`) is a transition of its own.

use crate::agent::Moves;
use crate::hierarchy::layout::Area;
use crate::space::Cell;
use crate::world::grid::{Direction, GridView};

/// From this width on an entrance has a transition at both ends.
const WIDE: usize = 6;

/// By cell of a cluster, row by row: the directions in which there is a transition, as bits.
pub(super) type Sides = [u8; 256];

/// Returns the transitions of a cluster of the lowest level.
pub(super) fn transitions(view: &GridView<'_>, area: Area) -> Sides {
    let mut sides = [0; 256];
    let slot = |cell: Cell| ((cell.y - area.top) * 16 + cell.x - area.left) as usize;
    for direction in [Direction::North, Direction::East, Direction::South, Direction::West] {
        for_each_transition(view, area, direction, |cell| sides[slot(cell)] |= direction.bit());
    }
    if view.moves() == Moves::EightFree {
        for_each_squeeze(view, area, |cell, direction| sides[slot(cell)] |= direction.bit());
    }
    sides
}

/// Returns the cells along one side of an area, in the order of their numbers.
fn border(area: Area, direction: Direction) -> impl Iterator<Item = Cell> {
    let border = match direction {
        Direction::North => Area { bottom: area.top + 1, ..area },
        Direction::South => Area { top: area.bottom - 1, ..area },
        Direction::West => Area { right: area.left + 1, ..area },
        _ => Area { left: area.right - 1, ..area },
    };
    border.cells()
}

/// Calls `visit` for each cell of a border with a transition. Both clusters beside a border get the same transitions.
fn for_each_transition(view: &GridView<'_>, area: Area, direction: Direction, mut visit: impl FnMut(Cell)) {
    let (dx, dy) = direction.delta();
    let price = |cell: Cell| {
        let terrain = |cell| view.grid().terrain(cell).map_or(0, |terrain| u32::from(terrain.cost()));
        terrain(cell) + terrain(cell.offset(dx, dy))
    };
    let mut run = [(Cell::new(0, 0), 0); 16];
    let mut length = 0;
    for cell in border(area, direction).map(Some).chain([None]) {
        if let Some(cell) = cell
            && view.is_open(cell)
            && view.is_open(cell.offset(dx, dy))
        {
            run[length] = (cell, price(cell));
            length += 1;
            continue;
        }
        let entrance = &run[..std::mem::take(&mut length)];
        let (Some(&(first, first_price)), Some(&(last, last_price))) = (entrance.first(), entrance.last())
        else {
            continue;
        };
        let from_middle = |at: usize| (2 * at + 1).abs_diff(entrance.len());
        let cheapest =
            entrance.iter().enumerate().min_by_key(|&(at, &(_, price))| (price, from_middle(at), at));
        let wide = entrance.len() >= WIDE;
        if wide {
            visit(first);
            visit(last);
        }
        if let Some((_, &(cell, price))) = cheapest
            && (!wide || price < first_price.min(last_price))
        {
            visit(cell);
        }
    }
}

/// Calls `visit` for each diagonal step out of an area that passes between two walls.
fn for_each_squeeze(view: &GridView<'_>, area: Area, mut visit: impl FnMut(Cell, Direction)) {
    for cell in area.cells() {
        let inner =
            cell.x > area.left && cell.x + 1 < area.right && cell.y > area.top && cell.y + 1 < area.bottom;
        if inner || !view.is_open(cell) {
            continue;
        }
        for direction in Direction::ALL.into_iter().filter(|direction| direction.is_diagonal()) {
            let (dx, dy) = direction.delta();
            let to = cell.offset(dx, dy);
            let walls = !view.is_open(cell.offset(dx, 0)) && !view.is_open(cell.offset(0, dy));
            if !area.contains(to) && walls && view.is_open(to) {
                visit(cell, direction);
            }
        }
    }
}
