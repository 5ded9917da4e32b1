//! Where someone is in or between cells.

use crate::follow::Follower;
use crate::space::{Cell, Frame, Point};
use crate::world::grid::GridView;

/// A distance that counts as none, in cells: what is left of a step then is done, and what is left of a tick begins none. So time
/// in many pieces leads where it leads in one, whatever is lost by rounding.
const NOTHING: f64 = 1e-9;

/// Someone in the middle of a cell, or on a step from one to another.
#[derive(Clone, Debug)]
pub(super) struct Stride {
    /// The cell that was left; the present one if no step is under way.
    from: Cell,
    /// The cell ahead.
    to: Cell,
    walk: Follower,
    /// What counts as no distance, in world units.
    nothing: f64,
}

impl Stride {
    /// In the middle of a cell.
    pub fn standing(frame: &Frame, cell: Cell) -> Stride {
        let walk = Follower::new([frame.centre(cell)]);
        Stride { from: cell, to: cell, walk, nothing: NOTHING * frame.cell_size() }
    }

    /// The cell from which a way goes on: the one ahead while a step is under way.
    pub fn cell(&self) -> Cell {
        self.to
    }

    pub fn position(&self) -> Point {
        self.walk.position()
    }

    pub fn is_standing(&self) -> bool {
        self.walk.is_done()
    }

    /// Whether a distance is enough to begin a step.
    pub fn is_enough(&self, distance: f64) -> bool {
        distance > self.nothing
    }

    /// Begins a step. A jump is over at once.
    pub fn begin(&mut self, frame: &Frame, to: Cell, jump: bool) {
        self.from = self.to;
        self.to = to;
        self.nothing = NOTHING * frame.cell_size();
        let jumps: &[usize] = if jump { &[0] } else { &[] };
        self.walk.reset_with_jumps([self.from, to].map(|cell| frame.centre(cell)), jumps);
        if self.walk.is_done() {
            self.from = to;
        }
    }

    /// Walks on, at most to the middle of the cell ahead, and says how far that was.
    pub fn advance(&mut self, distance: f64) -> f64 {
        let before = self.walk.remaining();
        self.walk.advance(distance);
        let left = self.walk.remaining();
        if left > self.nothing {
            return before - left;
        }
        self.walk.advance(left);
        self.from = self.to;
        before
    }

    /// Whether the step under way has stopped being legal, so that it has to be taken back.
    pub fn is_broken(&self, view: &GridView<'_>) -> bool {
        self.from != self.to
            && !is_legal(view, self.from, self.to)
            && (view.is_open(self.from) || !view.is_open(self.to))
    }

    /// Goes back to the cell that was left.
    pub fn turn_back(&mut self, frame: &Frame) {
        self.to = self.from;
        self.walk.reset([self.walk.position(), frame.centre(self.from)]);
    }
}

/// Whether one can get from a cell to another by a step or a link, provided one can stand on the first.
pub(super) fn is_legal(view: &GridView<'_>, from: Cell, to: Cell) -> bool {
    let (Some(from), Some(to)) = (view.grid().node(from), view.grid().node(to)) else { return false };
    view.step_between(from, to).is_some() || view.links_leaving(from).any(|link| link.to == to)
}
