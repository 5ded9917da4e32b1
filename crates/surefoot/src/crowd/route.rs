//! Following a path.

use super::vector::Vec2;
use super::walls::Walls;
use crate::id::NodeId;
use crate::path::Path;

/// Between two stops on a straight part of a path are at most so many steps.
const STRIDE: usize = 6;

/// A stop counts as passed when its middle is nearer than this.
const PASSED: f64 = 0.3;

/// A cell that a path leads through.
#[derive(Clone, Copy, Debug)]
struct Stop {
    node: NodeId,
    /// The length of the path from here on.
    rest: f64,
    /// How many steps of the path lead here.
    step: u32,
    /// Whether the step here is a link.
    by_link: bool,
}

/// The stops of a path, and which is the next one.
#[derive(Debug, Default)]
pub(super) struct Route {
    stops: Vec<Stop>,
    next: u32,
}

/// Where a unit is on its path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walker {
    pub at: Vec2,
    pub radius: f64,
    /// Whether it looks ahead in this tick.
    pub looks: bool,
    /// From which distance on it may leave out a stop if it sees the one after it: a path over costly terrain is not to be cut short.
    pub shortcut: f64,
}

/// Where a unit has to go next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead {
    /// The next place to walk to.
    pub to: Vec2,
    /// The number of the stop.
    pub next: u32,
    /// How far it is from there to the end of the path.
    pub rest: f64,
    /// Whether the path goes on from there.
    pub goes_on: bool,
    /// Whether the path is out of sight.
    pub is_lost: bool,
}

impl Route {
    pub fn clear(&mut self) {
        self.stops.clear();
        self.next = 0;
    }

    /// Takes over a path.
    pub fn set(&mut self, path: &Path, walls: &Walls<'_>) {
        self.clear();
        let nodes = path.nodes();
        let middle = |index: usize| walls.middle(nodes[index]);
        let is_link = |step: usize| path.jumps().binary_search(&step).is_ok();
        let mut last = 0;
        for index in 0..nodes.len() {
            let by_link = index > 0 && is_link(index - 1);
            let is_kept = index == 0
                || index + 1 == nodes.len()
                || by_link
                || is_link(index)
                || path.is_any_angle()
                || {
                    let (before, after) =
                        (middle(index) - middle(index - 1), middle(index + 1) - middle(index));
                    before != after || index - last >= STRIDE
                };
            if is_kept {
                last = index;
                self.stops.push(Stop { node: nodes[index], rest: 0.0, step: index as u32, by_link });
            }
        }
        let mut rest = 0.0;
        for index in (1..self.stops.len()).rev() {
            let Stop { node, by_link, .. } = self.stops[index];
            if !by_link {
                rest += (walls.middle(node) - walls.middle(self.stops[index - 1].node)).length();
            }
            self.stops[index - 1].rest = rest;
        }
    }

    /// Leaves out stops at the beginning of a new path, at most some, if a later one is in sight.
    pub fn skip(&mut self, at: Vec2, radius: f64, walls: &Walls<'_>, most: u32) {
        let last = self.stops.len().saturating_sub(1) as u32;
        let first_link = (0..last).find(|&stop| self.is_entrance(stop as usize)).unwrap_or(last);
        let sees = |stop: &u32| walls.sees(at, walls.middle(self.stops[*stop as usize].node), radius);
        self.next = (1..=first_link.min(most)).rev().find(sees).unwrap_or(0);
    }

    /// Goes on at the last of the next stops that is in sight. Returns whether there is one.
    pub fn rejoin(&mut self, at: Vec2, radius: f64, walls: &Walls<'_>) -> bool {
        const FURTHEST: u32 = 24;
        let last = self.stops.len().saturating_sub(1) as u32;
        let first_link = (self.next..last).find(|&stop| self.is_entrance(stop as usize)).unwrap_or(last);
        let sees = |stop: &u32| walls.sees(at, walls.middle(self.stops[*stop as usize].node), radius);
        let found = (self.next..=first_link.min(self.next + FURTHEST))
            .rev()
            .filter(|_| !self.stops.is_empty())
            .find(sees);
        self.next = found.unwrap_or(self.next);
        found.is_some()
    }

    /// How many steps of the path are behind the unit.
    pub fn steps_done(&self) -> usize {
        self.next
            .checked_sub(1)
            .and_then(|last| self.stops.get(last as usize))
            .map_or(0, |stop| stop.step as usize)
    }

    pub fn set_next(&mut self, next: u32) {
        self.next = next;
    }

    /// The link at the next stop, if the path goes on through one.
    pub fn link_ahead(&self) -> Option<[NodeId; 2]> {
        let (at, to) = (self.stops.get(self.next as usize)?, self.stops.get(self.next as usize + 1)?);
        to.by_link.then_some([at.node, to.node])
    }

    /// The stop after the next one becomes the next.
    pub fn pass_link(&mut self) {
        self.next += 1;
    }

    /// The stops ahead.
    pub fn ahead(&self) -> impl Iterator<Item = NodeId> {
        self.stops.iter().skip(self.next as usize).map(|stop| stop.node)
    }

    /// Whether the stop with this number is the start of a link.
    fn is_entrance(&self, stop: usize) -> bool {
        self.stops.get(stop + 1).is_some_and(|next| next.by_link)
    }

    /// Returns where a unit has to go.
    pub fn lead(&self, walker: &Walker, walls: &Walls<'_>) -> Option<Lead> {
        let last = self.stops.len().checked_sub(1)?;
        let mut next = (self.next as usize).min(last);
        let middle = |stop: usize| walls.middle(self.stops[stop].node);
        let mut is_lost = false;
        while next < last && !self.is_entrance(next) && (middle(next) - walker.at).length() < PASSED {
            next += 1;
        }
        if walker.looks {
            let sees = |stop: usize| walls.sees(walker.at, middle(stop), walker.radius);
            let begin = next;
            let may_skip =
                |stop: usize| (middle(stop) - walker.at).length() < walker.shortcut && sees(stop + 1);
            while next < last && next < begin + 3 && !self.is_entrance(next) && may_skip(next) {
                next += 1;
            }
            if next == begin && !sees(next) {
                if next > 0 && !self.stops[next].by_link && sees(next - 1) {
                    next -= 1;
                } else {
                    is_lost = true;
                }
            }
        }
        Some(Lead {
            to: middle(next),
            next: next as u32,
            rest: self.stops[next].rest,
            goes_on: next < last,
            is_lost,
        })
    }

    pub fn bytes(&self) -> usize {
        self.stops.capacity() * size_of::<Stop>()
    }
}
