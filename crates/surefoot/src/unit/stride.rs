//! Positions in and between cells.

use crate::follow::Follower;
use crate::id::NodeId;
use crate::space::{Cell, Frame, Point};
use crate::world::grid::GridView;

/// A distance that counts as zero, in cells: a step with so little left is complete, and a tick with so little left
/// begins none. So splitting time into many pieces gives the same result as one piece, whatever is lost by rounding.
const NOTHING: f64 = 1e-9;

/// A position at the centre of a cell, or on a step from one cell to another.
#[derive(Clone, Debug)]
pub(super) struct Stride {
    /// The cell that was left; the current one if no step is under way.
    from: Cell,
    /// The cell ahead.
    to: Cell,
    walk: Follower,
    /// The distance that counts as zero, in world units.
    nothing: f64,
}

impl Stride {
    /// Creates a stride that stands at the centre of a cell.
    pub fn standing(frame: &Frame, cell: Cell) -> Stride {
        let walk = Follower::new([frame.cell_centre(cell)]);
        Stride { from: cell, to: cell, walk, nothing: NOTHING * frame.cell_size() }
    }

    /// Returns the cell from which a path continues: the one ahead while a step is under way.
    pub fn cell(&self) -> Cell {
        self.to
    }

    pub fn position(&self) -> Point {
        self.walk.position()
    }

    pub fn is_standing(&self) -> bool {
        self.walk.is_done()
    }

    /// Returns whether a distance is enough to begin a step.
    pub fn is_enough(&self, distance: f64) -> bool {
        distance > self.nothing
    }

    /// Begins a step. A step through a link is complete at once.
    pub fn begin(&mut self, frame: &Frame, to: Cell, passage: Passage) {
        self.from = self.to;
        self.to = to;
        self.nothing = NOTHING * frame.cell_size();
        let jumps: &[usize] = if passage == Passage::Link { &[0] } else { &[] };
        self.walk.reset_with_jumps([self.from, to].map(|cell| frame.cell_centre(cell)), jumps);
        if self.walk.is_done() {
            self.from = to;
        }
    }

    /// Walks on, at most to the centre of the cell ahead. Returns the distance walked.
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

    /// Returns whether the step under way is no longer legal and has to be reversed. A link between the same cells does
    /// not help a step that is already being walked.
    pub fn is_broken(&self, view: &GridView<'_>) -> bool {
        self.from != self.to
            && passage(view, self.from, self.to) != Some(Passage::Step)
            && (view.is_open(self.from) || !view.is_open(self.to))
    }

    /// Turns back to the cell that was left.
    pub fn turn_back(&mut self, frame: &Frame) {
        self.to = self.from;
        self.walk.reset([self.walk.position(), frame.cell_centre(self.from)]);
    }
}

/// How a unit gets from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// On foot.
    Step,
    /// Through a link, without walking.
    Link,
}

/// Returns how a unit gets from one cell to another, provided that it can stand on the first: on foot if the step is
/// legal, else through a link.
pub(super) fn passage(view: &GridView<'_>, from: Cell, to: Cell) -> Option<Passage> {
    let (from, to) = (view.grid().node(from)?, view.grid().node(to)?);
    if view.step_between(from, to).is_some() {
        return Some(Passage::Step);
    }
    has_link(view, from, to).then_some(Passage::Link)
}

/// Returns whether a link leads from one cell to another.
pub(super) fn link_leads(view: &GridView<'_>, from: Cell, to: Cell) -> bool {
    let ends = view.grid().node(from).zip(view.grid().node(to));
    ends.is_some_and(|(from, to)| has_link(view, from, to))
}

fn has_link(view: &GridView<'_>, from: NodeId, to: NodeId) -> bool {
    view.links_leaving(from).any(|link| link.to == to)
}
