//! Single large obstacles in the open: a barn, a yard, halls inside halls.

use crate::generate::canvas::{Bounds, Canvas};
use crate::generate::dice::Dice;
use crate::space::Cell;
use crate::world::grid::Terrain;

/// Start and goal, if the kind of map defines them.
pub(super) type Ends = Option<(Cell, Cell)>;

/// A barn around the middle: three walls and an open side. One starts before the open side and goes behind the barn.
pub(super) fn barnyard(width: u32, height: u32, dice: &mut Dice) -> (Canvas, Ends) {
    let mut canvas = Canvas::floor(width, height);
    let Some(barn) = boxed(width, height, |side| (side / 4, side / 4), dice) else { return (canvas, None) };
    canvas.set_frame(barn, Terrain::WALL);
    let open_side = dice.below(4);
    for along in 1..barn.side_length(open_side) - 1 {
        let (x, y) = barn.on_side(open_side, along);
        canvas.set(x, y, Terrain::FLOOR);
    }
    let ends = (before(&canvas, barn, open_side), before(&canvas, barn, opposite(open_side)));
    (canvas, Some(ends))
}

/// A yard somewhere, with a wall around it and one entrance. One starts on the wrong side and goes to its middle.
pub(super) fn enclosure(width: u32, height: u32, dice: &mut Dice) -> (Canvas, Ends) {
    let mut canvas = Canvas::floor(width, height);
    let Some(yard) = boxed(width, height, |side| (side / 6, side / 3), dice) else { return (canvas, None) };
    canvas.set_frame(yard, Terrain::WALL);
    let side = dice.below(4);
    let (x, y) = gap(yard, side, dice);
    canvas.set(x, y, Terrain::FLOOR);
    let ends = (before(&canvas, yard, opposite(side)), middle(yard));
    (canvas, Some(ends))
}

fn opposite(side: u32) -> u32 {
    (side + 2) % 4
}

fn middle(bounds: Bounds) -> Cell {
    Cell::new(
        i32::midpoint(bounds.left as i32, bounds.right as i32),
        i32::midpoint(bounds.top as i32, bounds.bottom as i32),
    )
}

/// A cell outside the middle of a side, halfway to the edge of the map.
fn before(canvas: &Canvas, bounds: Bounds, side: u32) -> Cell {
    let middle = middle(bounds);
    let beyond = |last: u32, size: u32| u32::midpoint(last + 1, size - 1) as i32;
    match side {
        0 => Cell { x: (bounds.left / 2) as i32, ..middle },
        1 => Cell { y: (bounds.top / 2) as i32, ..middle },
        2 => Cell { x: beyond(bounds.right, canvas.width), ..middle },
        _ => Cell { y: beyond(bounds.bottom, canvas.height), ..middle },
    }
}

/// A box with room inside and all around it; `None` if the map is too small. For a side of the map, `margins` is how far
/// the box is from its ends at least, and how much the two distances together may exceed that.
fn boxed(width: u32, height: u32, margins: impl Fn(u32) -> (u32, u32), dice: &mut Dice) -> Option<Bounds> {
    const SMALLEST_SIDE: u32 = 5;
    if width < SMALLEST_SIDE || height < SMALLEST_SIDE {
        return None;
    }
    let mut span = |side: u32| {
        let (margin, play) = margins(side);
        let first = margin.max(1) + dice.below(play / 2 + 1);
        let last = side - 1 - margin.max(1) - dice.below(play / 2 + 1);
        (first, last.max(first + 2))
    };
    let ((left, right), (top, bottom)) = (span(width), span(height));
    Some(Bounds { left, top, right, bottom })
}

/// A cell of a side that is not a corner.
fn gap(bounds: Bounds, side: u32, dice: &mut Dice) -> (u32, u32) {
    let along = dice.between(1, bounds.side_length(side) - 2);
    bounds.on_side(side, along)
}

/// Halls three cells wide: every fourth ring of cells, counted from the edge of the map, is a wall with one gap. Pillars
/// stand in the middle lane of a hall, never two side by side, so both other lanes and the path between them stay free.
pub(super) fn labyrinth(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::floor(width, height);
    let shortest = width.min(height);
    let ring =
        |depth: u32| Bounds { left: depth, top: depth, right: width - 1 - depth, bottom: height - 1 - depth };
    for depth in 0..shortest.div_ceil(2) {
        match depth % 4 {
            1 => pillars(&mut canvas, ring(depth), dice),
            // A wall needs something to go round: at least one cell inside.
            3 if 2 * depth + 3 <= shortest => {
                canvas.set_frame(ring(depth), Terrain::WALL);
                let side = dice.below(4);
                let (x, y) = gap(ring(depth), side, dice);
                canvas.set(x, y, Terrain::FLOOR);
            }
            _ => {}
        }
    }
    canvas
}

/// Pillars on some cells of a ring.
fn pillars(canvas: &mut Canvas, ring: Bounds, dice: &mut Dice) {
    const PERCENT: u32 = 40;
    for side in 0..4 {
        for along in 0..ring.side_length(side) {
            let (x, y) = ring.on_side(side, along);
            if (x + y).is_multiple_of(2) && dice.percent(PERCENT) {
                canvas.set(x, y, Terrain::WALL);
            }
        }
    }
}
