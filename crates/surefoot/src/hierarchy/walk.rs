//! An abstract path made of cells, a stretch at a time.
//!
//! A stretch leads from where the path has got to the farthest waypoint for which a small window will do, by the best way
//! there is in the window. Three quarters of it are kept; the next stretch begins there and looks further ahead. So the path does not
//! have to pass through the waypoints, and the small detours that they mean are gone. No stretch is taken that is
//! dearer than the way along the waypoints, so the path never costs more than the abstract one.

use std::collections::VecDeque;

use crate::hierarchy::layout::{Area, Layout};
use crate::id::NodeId;

/// The longest side of a window before its margin is added, in cells.
const REACH: i32 = 64;
/// So many cells are added to each side of a window.
const MARGIN: i32 = 8;

/// A place on the abstract path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waypoint {
    pub cell: NodeId,
    /// What it costs to come here from the waypoint before it.
    pub cost: u64,
}

/// What to search next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub area: Area,
    pub to: NodeId,
    /// Only a way that costs less will do.
    pub below: u64,
    /// How many waypoints it covers.
    covers: usize,
    /// Whether to keep all of it.
    whole: bool,
}

/// The path so far, and what is known of the way ahead.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The cells that are certain.
    pub path: Vec<NodeId>,
    /// Cells after these that are known to be a way to the next waypoints, with what each step costs.
    tail: Vec<(NodeId, u64)>,
    /// Waypoints after the tail.
    ahead: VecDeque<Waypoint>,
    /// The first of these that one jumps to through a link.
    jump: Option<usize>,
}

impl Walk {
    pub fn begin(&mut self, start: NodeId) {
        self.path.clear();
        self.path.push(start);
        self.tail.clear();
        self.ahead.clear();
        self.jump = None;
    }

    /// Where the path has got.
    pub fn at(&self) -> NodeId {
        self.path.last().copied().unwrap_or(NodeId::NONE)
    }

    /// The waypoints that have not been reached.
    pub fn ahead(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.ahead.iter().map(|waypoint| waypoint.cell)
    }

    pub fn is_over(&self) -> bool {
        self.tail.is_empty() && self.ahead.is_empty()
    }

    /// Whether more waypoints are needed to decide about the next stretch.
    pub fn wants_more(&self, layout: &Layout) -> bool {
        self.jump.is_none() && self.covered(layout).1 == self.ahead.len()
    }

    /// Adds a waypoint at the end.
    pub fn add(&mut self, waypoint: Waypoint, layout: &Layout) {
        let before = self.ahead.back().map_or_else(|| self.end_of_tail(), |last| last.cell);
        let (from, to) = (layout.shape().cell(before), layout.shape().cell(waypoint.cell));
        let near = from.x.abs_diff(to.x) <= 1 && from.y.abs_diff(to.y) <= 1;
        if !near && layout.part_of(0, from) != layout.part_of(0, to) {
            self.jump = Some(self.ahead.len());
        }
        self.ahead.push_back(waypoint);
    }

    fn end_of_tail(&self) -> NodeId {
        self.tail.last().map_or_else(|| self.at(), |&(cell, _)| cell)
    }

    /// The area that holds the tail and as many waypoints as a window has room for, and how many these are.
    fn covered(&self, layout: &Layout) -> (Area, usize) {
        let part = |cell: NodeId| layout.area(0, layout.part_of(0, layout.shape().cell(cell)));
        let tail = self.tail.iter().map(|&(cell, _)| Area::of(layout.shape().cell(cell)));
        let mut area = tail.fold(part(self.at()), Area::with);
        let limit = self.jump.unwrap_or(self.ahead.len());
        for (covers, waypoint) in self.ahead.iter().take(limit).enumerate() {
            let larger = area.with(part(waypoint.cell));
            if larger.side() > REACH {
                return (area, covers);
            }
            area = larger;
        }
        (area, limit)
    }

    /// What to search next. If there is nothing to search, the path has been made longer where that was possible.
    pub fn next(&mut self, layout: &Layout, no_more: bool) -> Option<Stretch> {
        let (area, covers) = self.covered(layout);
        let Some(last) = covers.checked_sub(1) else {
            if !self.fall_back()
                && let Some(waypoint) = self.ahead.pop_front()
            {
                self.path.push(waypoint.cell);
                self.jump = None;
            }
            return None;
        };
        let known: u64 = self.tail.iter().map(|&(_, cost)| cost).sum();
        let planned: u64 = self.ahead.iter().take(covers).map(|waypoint| waypoint.cost).sum();
        // From a waypoint on there is certainly a way in the window; from elsewhere it has to be worth it.
        let below = if self.tail.is_empty() { u64::MAX } else { known + planned + 1 };
        let whole = self.jump == Some(covers) || (no_more && covers == self.ahead.len());
        let area = area.grown(MARGIN, layout.shape());
        Some(Stretch { area, to: self.ahead[last].cell, below, covers, whole })
    }

    /// Keeps the way of a stretch, given as cells with what it costs to come there.
    pub fn take(&mut self, steps: impl ExactSizeIterator<Item = (NodeId, u64)>, stretch: &Stretch) {
        self.ahead.drain(..stretch.covers);
        self.jump = self.jump.map(|jump| jump - stretch.covers);
        self.tail.clear();
        let kept = if stretch.whole { steps.len() } else { (steps.len() * 3 / 4).max(1) + 1 };
        let mut cost_before = 0;
        // The first step is where the path is already.
        for (index, (cell, cost)) in steps.enumerate().skip(1) {
            if index < kept {
                self.path.push(cell);
            } else {
                self.tail.push((cell, cost - cost_before));
            }
            cost_before = cost;
        }
    }

    /// Goes along the tail to its end; `false` if there is none.
    pub fn fall_back(&mut self) -> bool {
        let any = !self.tail.is_empty();
        self.path.extend(self.tail.drain(..).map(|(cell, _)| cell));
        any
    }

    pub fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<NodeId>()
            + self.tail.capacity() * size_of::<(NodeId, u64)>()
            + self.ahead.capacity() * size_of::<Waypoint>()
    }
}
