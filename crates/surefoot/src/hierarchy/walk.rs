//! Refines an abstract path to cells, one stretch at a time.
//!
//! A stretch leads from the current end of the path to the farthest waypoint for which a small window is enough, by the
//! best path within the window. Three quarters of it are kept. The next stretch begins there and looks further ahead.
//! So the path does not have to pass through the waypoints, and the small detours that they cause disappear. No stretch
//! is taken that is more expensive than the path along the waypoints, so the path never costs more than the abstract
//! one.
//!
//! In corridors there is nothing better to find, and the legs of the plan are followed as they are (see `corridor.rs`).

use std::collections::VecDeque;

use crate::hierarchy::layout::{Area, Layout};
use crate::id::NodeId;

/// How far stretches look ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reach {
    /// The longest side of a window before its margin is added, in cells.
    side: i32,
    /// The number of cells that are added to each side of a window.
    margin: i32,
}

/// Where windows find better paths than the waypoints.
const FAR: Reach = Reach { side: 64, margin: 8 };
/// Where they do not, as in mazes: one cluster of the lowest level at a time.
const NEAR: Reach = Reach { side: 16, margin: 0 };
/// The number of stretches without an improvement after which the next ones are short.
const PATIENCE: u32 = 4;
/// One in this many of these is long again, to see whether that has changed.
const PROBE: u32 = 16;

/// A place on the abstract path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waypoint {
    pub cell: NodeId,
    /// The cost from the waypoint before it.
    pub cost: u64,
}

/// What to search next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub area: Area,
    pub to: NodeId,
    /// Only a path that costs less is accepted.
    pub below: u64,
    /// The cost of the path along the waypoints.
    planned: u64,
    /// How many waypoints it covers.
    covers: usize,
    /// Whether to keep all of it.
    whole: bool,
}

/// The path so far, and what is known about the path ahead.
#[derive(Debug)]
pub(super) struct Walk {
    /// The cells that are final.
    pub path: Vec<NodeId>,
    /// Cells after these that are known to be a path to the next waypoints, with the cost of each step.
    tail: Vec<(NodeId, u64)>,
    /// Waypoints after the tail.
    ahead: VecDeque<Waypoint>,
    /// The first of these that is reached through a link.
    jump: Option<usize>,
    /// The number of stretches since one was better than the waypoints.
    vain: u32,
    /// The area that holds the tail and as many waypoints as a window has room for.
    area: Area,
    /// The number of these waypoints.
    covers: usize,
}

impl Default for Walk {
    fn default() -> Walk {
        Walk {
            path: Vec::new(),
            tail: Vec::new(),
            ahead: VecDeque::new(),
            jump: None,
            vain: 0,
            area: Area { left: 0, top: 0, right: 0, bottom: 0 },
            covers: 0,
        }
    }
}

impl Walk {
    pub fn begin(&mut self, start: NodeId, layout: &Layout) {
        self.path.clear();
        self.path.push(start);
        self.tail.clear();
        self.ahead.clear();
        (self.jump, self.vain) = (None, 0);
        self.cover(layout);
    }

    /// Returns the current end of the path.
    pub fn at(&self) -> NodeId {
        self.path.last().copied().unwrap_or(NodeId::NONE)
    }

    /// Returns the waypoints that have not been reached.
    pub fn ahead(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.ahead.iter().map(|waypoint| waypoint.cell)
    }

    pub fn is_over(&self) -> bool {
        self.tail.is_empty() && self.ahead.is_empty()
    }

    /// Returns whether more waypoints are needed to decide about the next stretch.
    pub fn wants_more(&self) -> bool {
        self.jump.is_none() && self.covers == self.ahead.len()
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
        self.cover_more(layout);
    }

    fn end_of_tail(&self) -> NodeId {
        self.tail.last().map_or_else(|| self.at(), |&(cell, _)| cell)
    }

    fn reach(&self) -> Reach {
        if self.vain < PATIENCE || self.vain.is_multiple_of(PROBE) { FAR } else { NEAR }
    }

    /// Recomputes what fits a window from here.
    fn cover(&mut self, layout: &Layout) {
        let tail = self.tail.iter().map(|&(cell, _)| Area::of(layout.shape().cell(cell)));
        self.area = tail.fold(part_around(self.at(), layout), Area::with);
        self.covers = 0;
        self.cover_more(layout);
    }

    /// Extends what fits a window from here.
    fn cover_more(&mut self, layout: &Layout) {
        let limit = self.jump.unwrap_or(self.ahead.len());
        while self.covers < limit {
            let larger = self.area.with(part_around(self.ahead[self.covers].cell, layout));
            if larger.side() > self.reach().side {
                break;
            }
            (self.area, self.covers) = (larger, self.covers + 1);
        }
    }

    /// Returns what to search next. If there is nothing to search, the path has been extended where that was possible.
    pub fn next(&mut self, layout: &Layout, no_more: bool) -> Option<Stretch> {
        let covers = self.covers;
        let Some(last) = covers.checked_sub(1) else {
            if !self.fall_back(layout)
                && let Some(waypoint) = self.ahead.pop_front()
            {
                // A link, or a step into the next part.
                self.path.push(waypoint.cell);
                self.jump = self.jump.and_then(|jump| jump.checked_sub(1));
                self.cover(layout);
            }
            return None;
        };
        let known: u64 = self.tail.iter().map(|&(_, cost)| cost).sum();
        let planned: u64 = self.ahead.iter().take(covers).map(|waypoint| waypoint.cost).sum();
        let planned = known + planned;
        // From a waypoint on there is certainly a path in the window; from elsewhere the path has to be an improvement.
        let below = if self.tail.is_empty() { u64::MAX } else { planned + 1 };
        let whole = self.jump == Some(covers) || (no_more && covers == self.ahead.len());
        let area = self.area.grown(self.reach().margin, layout.shape());
        Some(Stretch { area, to: self.ahead[last].cell, below, planned, covers, whole })
    }

    /// Keeps the path of a stretch, given as cells with the cost of reaching each.
    pub fn take(
        &mut self,
        steps: impl ExactSizeIterator<Item = (NodeId, u64)>,
        stretch: &Stretch,
        layout: &Layout,
    ) {
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
        self.vain = if cost_before < stretch.planned { 0 } else { self.vain + 1 };
        self.cover(layout);
    }

    /// Returns the number of stretches since one was better than the waypoints.
    pub fn vain(&self) -> u32 {
        self.vain
    }

    /// Removes the last waypoint ahead, with the place before it.
    pub fn take_back(&mut self) -> Option<(NodeId, Waypoint)> {
        let last = self.ahead.pop_back()?;
        self.jump = None;
        Some((self.ahead.back().map_or_else(|| self.end_of_tail(), |before| before.cell), last))
    }

    /// Follows final cells. There must not be any waypoints ahead.
    pub fn follow(&mut self, cells: &[NodeId], layout: &Layout) {
        self.path.extend(cells);
        self.cover(layout);
    }

    /// Follows the tail to its end; `false` if there is none.
    pub fn fall_back(&mut self, layout: &Layout) -> bool {
        if self.tail.is_empty() {
            return false;
        }
        self.path.extend(self.tail.drain(..).map(|(cell, _)| cell));
        self.cover(layout);
        true
    }

    pub fn bytes(&self) -> usize {
        self.path.capacity() * size_of::<NodeId>()
            + self.tail.capacity() * size_of::<(NodeId, u64)>()
            + self.ahead.capacity() * size_of::<Waypoint>()
    }
}

/// Returns the cluster of the lowest level around a cell.
fn part_around(cell: NodeId, layout: &Layout) -> Area {
    layout.area(0, layout.part_of(0, layout.shape().cell(cell)))
}
