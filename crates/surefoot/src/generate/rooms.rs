//! Rooms with doors, by dividing the house again and again.

use crate::generate::canvas::{Bounds, Canvas};
use crate::generate::dice::Dice;
use crate::world::grid::Terrain;

/// The narrowest room.
const NARROWEST: u32 = 3;
/// Rooms wider than this are always divided.
const WIDEST: u32 = 12;
/// How often a room that is narrow enough is divided anyway, in percent.
const DIVIDE_PERCENT: u32 = 40;
/// How many cells of a dividing wall there are to a door.
const WALL_TO_A_DOOR: u32 = 24;

/// Divides the map by walls in odd columns and rows, with doors in even ones: a later wall never ends in front of a door.
pub(super) fn divide(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let mut canvas = Canvas::floor(width, height);
    let mut rooms = vec![Bounds { left: 0, top: 0, right: width - 1, bottom: height - 1 }];
    while let Some(room) = rooms.pop() {
        let (wide, high) = (room.side_length(1), room.side_length(0));
        let upright = wide > high || (wide == high && dice.percent(50));
        let (first, last) = if upright { (room.left, room.right) } else { (room.top, room.bottom) };
        let keep = wide.max(high) <= WIDEST && !dice.percent(DIVIDE_PERCENT);
        let Some(at) = (if keep { None } else { odd_between(first + NARROWEST, last, dice) }) else {
            continue;
        };
        let (wall, before, after) = if upright {
            (
                Bounds { left: at, right: at, ..room },
                Bounds { right: at - 1, ..room },
                Bounds { left: at + 1, ..room },
            )
        } else {
            (
                Bounds { top: at, bottom: at, ..room },
                Bounds { bottom: at - 1, ..room },
                Bounds { top: at + 1, ..room },
            )
        };
        canvas.set_frame(wall, Terrain::WALL);
        let along = u32::from(!upright);
        let length = wall.side_length(along);
        for _ in 0..=length / WALL_TO_A_DOOR {
            // Walls start in even columns and rows, so even steps lead to even ones.
            let (x, y) = wall.on_side(along, 2 * dice.below(length.div_ceil(2)));
            canvas.set(x, y, Terrain::FLOOR);
        }
        rooms.extend([before, after]);
    }
    canvas
}

/// An odd number that leaves a room on both sides.
fn odd_between(least: u32, last: u32, dice: &mut Dice) -> Option<u32> {
    let (least, most) = (least | 1, last.checked_sub(NARROWEST)?);
    (least <= most).then(|| least + 2 * dice.below((most - least) / 2 + 1))
}
