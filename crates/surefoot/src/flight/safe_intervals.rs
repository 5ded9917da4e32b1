//! When each cell is safe from moving obstacles.

use std::fmt;
use std::ops::Range;

use crate::agent::Agent;
use crate::flight::shadows::{Motion, Shadows};
use crate::id::NodeId;
use crate::scene::Scene;
use crate::space::{Frame, Voxel};
use crate::world::dynamic::DynamicError;
use crate::world::voxels::{Shape, Voxels};

/// The list of a cell that no obstacle comes near: it is always safe.
const ALWAYS: u32 = u32::MAX;

/// The end of a list.
const END: u32 = u32::MAX - 1;

/// The end of an interval that has not come to an end.
const OPEN: u32 = u32::MAX;

/// The times at which an agent in a cell touches no moving obstacle, for all cells and as far ahead as is known.
///
/// An interval is a range of ticks. From its start to its end, at and between ticks, every obstacle is at least the agent's radius away from every
/// point of the cell. An agent whose centre stays in the cell is therefore safe during that time, wherever in the cell it is. A line between the centres of two
/// neighbouring cells is safe while both cells are. Cells that never move do not count here; the
/// [view](crate::world::voxels::Voxels::view) of the world knows about them.
///
/// Beyond the horizon nothing is known, and nothing counts as safe. [`extend_to`](SafeIntervals::extend_to) moves the horizon.
///
/// ```
/// use surefoot::flight::SafeIntervals;
/// use surefoot::obstacle::{Pose, Shape};
/// use surefoot::prelude::*;
/// use surefoot::scene::{Mover, Scene, Switch};
///
/// // A gate that is closed for a second and then open for a second.
/// let mut scene = Scene::new([9, 3, 3]);
/// let gate = Shape::cuboid(Point::new(0.5, 1.5, 1.5)).unwrap();
/// let gate = Mover::at_rest("gate", gate, Pose::at(Point::new(4.5, 1.5, 1.5)).unwrap());
/// scene.obstacles.push(Mover { switch: Some(Switch::new(60, true).unwrap()), ..gate });
///
/// let safe = SafeIntervals::of_scene(&scene, &Agent::default(), 0, 300).unwrap();
/// let (gate, beside) = (Voxel::new(4, 1, 1), Voxel::new(3, 1, 1));
/// assert_eq!(safe.safe_until(gate, 30), None);
/// assert_eq!(safe.safe_until(gate, 60), Some(119), "after that it may close at any moment");
/// assert_eq!(safe.safe_until(beside, 30), Some(300), "as far as is known");
/// assert_eq!(safe.intervals(gate).collect::<Vec<_>>(), [60..119, 180..239]);
/// ```
#[derive(Clone)]
pub struct SafeIntervals {
    frame: Frame,
    numbers: Shape,
    shadows: Shadows,
    /// The first tick. All others are counted from it.
    from: u64,
    /// The last tick that has been looked at.
    until: u64,
    /// By node: the first and the last interval of the cell.
    lists: Vec<[u32; 2]>,
    intervals: Vec<Interval>,
}

/// A time in which a cell is safe.
#[derive(Clone, Copy, Debug)]
struct Interval {
    start: u32,
    end: u32,
    next: u32,
    node: NodeId,
}

impl fmt::Debug for SafeIntervals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SafeIntervals")
            .field("ticks", &(self.from..self.until))
            .field("intervals", &self.intervals.len())
            .finish_non_exhaustive()
    }
}

impl SafeIntervals {
    /// The most ticks from the first one to the horizon: half a year.
    pub const MOST_TICKS: u32 = 1 << 30;

    /// Computes when cells are safe from the obstacles of a scene, for `ticks` ticks from a start tick. Radii are in cells.
    pub fn of_scene(
        scene: &Scene,
        agent: &Agent,
        from: u64,
        ticks: u32,
    ) -> Result<SafeIntervals, DynamicError> {
        let motions = scene.obstacles.iter().map(|mover| Motion::Known(mover.clone()));
        SafeIntervals::of_motions(scene.frame, scene.size, agent, motions, from, ticks)
    }

    /// The same for any motions.
    pub(super) fn of_motions(
        frame: Frame,
        size: [u32; 3],
        agent: &Agent,
        motions: impl IntoIterator<Item = Motion>,
        from: u64,
        ticks: u32,
    ) -> Result<SafeIntervals, DynamicError> {
        // Rejects sizes out of range before memory is asked for.
        let [x, y, z] = size;
        Voxels::new(x, y, z)?;
        let numbers = Shape::new(size);
        let mut shadows = Shadows::new(frame, size, agent.radius() * frame.cell_size());
        for motion in motions {
            shadows.add(motion)?;
        }
        let lists = vec![[ALWAYS; 2]; numbers.node_bound()];
        let mut safe =
            SafeIntervals { frame, numbers, shadows, from, until: from, lists, intervals: Vec::new() };
        safe.look_at(from);
        safe.extend_to(from.saturating_add(u64::from(ticks)));
        Ok(safe)
    }

    /// Moves the horizon to a later tick, at most [`MOST_TICKS`](SafeIntervals::MOST_TICKS) after the first one.
    pub fn extend_to(&mut self, tick: u64) {
        let last = tick.min(self.from.saturating_add(u64::from(SafeIntervals::MOST_TICKS)));
        let before = self.intervals.len();
        while self.until < last {
            self.until += 1;
            self.look_at(self.until);
        }
        if self.intervals.len() - before > before / 4 {
            self.put_in_order();
        }
    }

    /// Puts the intervals of each cell side by side, without empty ones: searches look at one after the other.
    fn put_in_order(&mut self) {
        let mut ordered = Vec::with_capacity(self.intervals.len());
        for list in self.lists.iter_mut().filter(|list| list[0] != ALWAYS) {
            let mut next = std::mem::replace(list, [END; 2])[0];
            while let Some(&interval) = self.intervals.get(next as usize) {
                next = interval.next;
                if interval.start < interval.end {
                    let number = ordered.len() as u32;
                    ordered.push(Interval { next: number + 1, ..interval });
                    *list = [if list[0] == END { number } else { list[0] }, number];
                }
            }
            if list[0] != END
                && let Some(last) = ordered.last_mut()
            {
                last.next = END;
            }
        }
        self.intervals = ordered;
    }

    /// Notes which cells become covered at a tick, and which free.
    fn look_at(&mut self, tick: u64) {
        let SafeIntervals { numbers, shadows, from, lists, intervals, .. } = self;
        let tick = (tick - *from) as u32;
        for (cell, is_covered) in shadows.show(*from + u64::from(tick)) {
            let node = numbers.node(cell);
            let list = &mut lists[node.index()];
            if is_covered {
                end(intervals, list, node, tick.saturating_sub(1));
            } else {
                begin(intervals, list, node, tick);
            }
        }
    }

    /// Returns the first tick.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// Returns the horizon: the last tick about which something is known.
    pub fn until(&self) -> u64 {
        self.until
    }

    /// Returns the frame that places the cells in space.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Returns how long an agent that is in a cell at a tick can stay there: until a tick, at most until the horizon. `None` if the cell is not
    /// safe then, not in the world, or if the tick is before the first one or not before the horizon.
    pub fn safe_until(&self, cell: Voxel, tick: u64) -> Option<u64> {
        self.intervals(cell).find(|interval| interval.contains(&tick)).map(|interval| interval.end)
    }

    /// Returns the times at which a cell is safe, in order. A cell outside the world is never safe.
    pub fn intervals(&self, cell: Voxel) -> impl Iterator<Item = Range<u64>> + '_ {
        let node = self.numbers.contains(cell).then(|| self.numbers.node(cell));
        let states = node.into_iter().flat_map(|node| self.states(node));
        states.map(|(_, times)| self.from + u64::from(times.start)..self.from + u64::from(times.end))
    }

    /// The number of cells along each axis.
    pub(super) fn size(&self) -> [u32; 3] {
        self.numbers.size()
    }

    /// The horizon, counted from the first tick.
    pub(super) fn horizon(&self) -> u32 {
        (self.until - self.from) as u32
    }

    /// The numbers of all intervals are below this.
    pub(super) fn state_bound(&self) -> usize {
        self.lists.len() + self.intervals.len()
    }

    /// The cell of an interval.
    pub(super) fn node_of(&self, state: u32) -> NodeId {
        match (state as usize).checked_sub(self.lists.len()) {
            None => NodeId(state),
            Some(interval) => self.intervals[interval].node,
        }
    }

    /// The times at which a cell is safe, in order and counted from the first tick, with their numbers.
    pub(super) fn states(&self, node: NodeId) -> impl Iterator<Item = (u32, Range<u32>)> + '_ {
        let horizon = self.horizon();
        let first = self.lists[node.index()][0];
        let always = (first == ALWAYS && horizon > 0).then_some((node.0, 0..horizon));
        let mut next = first;
        let listed = std::iter::from_fn(move || {
            let interval = self.intervals.get(next as usize)?;
            let number = next + self.lists.len() as u32;
            next = interval.next;
            Some((number, interval.start..interval.end.min(horizon)))
        });
        always.into_iter().chain(listed.filter(|(_, times)| !times.is_empty()))
    }

    /// The same for searches: calls `visit` until it returns `false`. Some of the intervals may be empty.
    #[inline]
    pub(super) fn for_each_state(&self, node: NodeId, mut visit: impl FnMut(u32, Range<u32>) -> bool) {
        let horizon = self.horizon();
        let mut next = self.lists[node.index()][0];
        if next == ALWAYS {
            visit(node.0, 0..horizon);
            return;
        }
        while let Some(interval) = self.intervals.get(next as usize) {
            if !visit(next + self.lists.len() as u32, interval.start..interval.end.min(horizon)) {
                return;
            }
            next = interval.next;
        }
    }

    /// Whether a cell is safe from a tick to another, counted from the first one.
    pub(super) fn is_safe(&self, node: NodeId, from: u32, to: u32) -> bool {
        self.states(node).any(|(_, times)| times.start <= from && to <= times.end)
    }

    /// Takes a time from the intervals of a cell.
    fn close(&mut self, node: NodeId, times: Range<u32>) {
        let list = &mut self.lists[node.index()];
        if list[0] == ALWAYS {
            *list = [END; 2];
            begin(&mut self.intervals, list, node, 0);
        }
        let mut at = list[0];
        while let Some(&Interval { start, end, next, .. }) = self.intervals.get(at as usize) {
            if start < times.end && times.start < end {
                let rest = self.intervals.len() as u32;
                let is_split = times.end < end;
                self.intervals[at as usize].end = times.start.max(start);
                if is_split {
                    self.intervals[at as usize].next = rest;
                    self.intervals.push(Interval { start: times.end, end, next, node });
                    if self.lists[node.index()][1] == at {
                        self.lists[node.index()][1] = rest;
                    }
                }
            }
            at = next;
        }
    }

    /// Removes the times at which other obstacles cover cells, for a number of ticks from a start tick.
    pub(super) fn avoid(
        &mut self,
        agent: &Agent,
        motions: impl IntoIterator<Item = Motion>,
        from: u64,
        ticks: u32,
    ) -> Result<(), DynamicError> {
        let others = SafeIntervals::of_motions(self.frame, self.numbers.size(), agent, motions, from, ticks)?;
        let shift = from.saturating_sub(self.from) as u32;
        for node in (0..others.lists.len() as u32).map(NodeId) {
            if others.lists[node.index()][0] == ALWAYS {
                continue;
            }
            let mut closed = 0;
            for (_, times) in others.states(node) {
                if closed < times.start {
                    self.close(node, shift + closed..shift + times.start);
                }
                closed = times.end;
            }
            if closed < others.horizon() {
                self.close(node, shift + closed..shift + others.horizon());
            }
        }
        Ok(())
    }
}

/// Begins an interval at the end of a list.
fn begin(intervals: &mut Vec<Interval>, list: &mut [u32; 2], node: NodeId, start: u32) {
    let number = intervals.len() as u32;
    intervals.push(Interval { start, end: OPEN, next: END, node });
    if let Some(last) = intervals.get_mut(list[1] as usize) {
        last.next = number;
    } else {
        list[0] = number;
    }
    list[1] = number;
}

/// Ends the last interval of a list.
fn end(intervals: &mut Vec<Interval>, list: &mut [u32; 2], node: NodeId, end: u32) {
    if list[0] == ALWAYS {
        *list = [END; 2];
        begin(intervals, list, node, 0);
    }
    if let Some(last) = intervals.get_mut(list[1] as usize) {
        last.end = end;
    }
}
