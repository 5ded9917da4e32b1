//! How an agent leaves a place that is not safe.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::flight::safe_intervals::SafeIntervals;
use crate::flight::sipp::{all_on_leg, for_each_leg};
use crate::flight::timed_plan::Waypoint;
use crate::flight::to_go::{Durations, ticks_for};
use crate::graph::Located;
use crate::id::NodeId;
use crate::space::Point;
use crate::world::voxels::VoxelView;

/// How many places and times are looked at.
const MOST: usize = 100_000;

/// A cell, and when the agent is in its centre.
type Moment = (NodeId, u32);

/// Finds the route from a place that is not safe to one that is, on which the agent is exposed for the shortest time: Dijkstra's algorithm over cells and ticks.
#[derive(Debug, Default)]
pub(super) struct Escape {
    /// By cell and tick: for how long the agent was exposed, and where it came from.
    known: BTreeMap<Moment, (u32, Option<Moment>)>,
    /// Exposure, tick and cell.
    open: BinaryHeap<Reverse<(u32, u32, NodeId)>>,
    /// Where it is safe again.
    end: Option<Moment>,
}

impl Escape {
    /// Searches from a place and a tick on; returns when the agent is safe again, and for how many ticks it was not.
    pub fn run(
        &mut self,
        view: &VoxelView<'_>,
        safe: &SafeIntervals,
        durations: &Durations,
        at: Point,
        tick: u32,
        speed: f64,
    ) -> Option<(u32, u32)> {
        self.known.clear();
        self.open.clear();
        self.end = None;
        for_each_leg(view, at, |cell, node, length| {
            let arrival = tick.saturating_add(ticks_for(length, speed));
            let is_exposed =
                |tick: &u32| !all_on_leg(view, at, cell, |near| safe.is_safe(near, *tick, tick + 1));
            if arrival < safe.horizon() {
                let exposed = (tick..arrival).filter(is_exposed).count() as u32;
                self.offer((node, arrival), exposed, None);
            }
        });
        while let Some(Reverse((exposed, tick, node))) = self.open.pop() {
            if self.known[&(node, tick)].0 != exposed {
                continue;
            }
            if safe.is_safe(node, tick, tick + 1) {
                self.end = Some((node, tick));
                return Some((tick, exposed));
            }
            if self.known.len() > MOST {
                return None;
            }
            let mut go = |to: NodeId, lasts: u32| {
                let arrival = tick.saturating_add(lasts);
                if arrival < safe.horizon() {
                    let both_safe = |tick: u32| [node, to].iter().all(|&it| safe.is_safe(it, tick, tick + 1));
                    let more = (tick..arrival).filter(|&tick| !both_safe(tick)).count() as u32;
                    self.offer((to, arrival), exposed + more, Some((node, tick)));
                }
            };
            go(node, 1);
            view.for_each_of(view.legal_steps(node), node, |step, to| go(to, durations[step]));
        }
        None
    }

    fn offer(&mut self, moment: Moment, exposed: u32, from: Option<Moment>) {
        let known = self.known.entry(moment).or_insert((u32::MAX, None));
        if exposed < known.0 {
            *known = (exposed, from);
            self.open.push(Reverse((exposed, moment.1, moment.0)));
        }
    }

    /// Appends the route to a plan; returns the cell where it ends.
    pub fn write(
        &self,
        view: &VoxelView<'_>,
        safe: &SafeIntervals,
        waypoints: &mut Vec<Waypoint>,
    ) -> Option<NodeId> {
        let begin = waypoints.len();
        let mut moment = self.end;
        while let Some((node, tick)) = moment {
            waypoints.push(Waypoint { tick: safe.from() + u64::from(tick), at: view.position(node) });
            moment = self.known.get(&(node, tick)).and_then(|known| known.1);
        }
        waypoints[begin..].reverse();
        // An agent that is in the centre of a cell already does not have to go there, and it waits in one go.
        waypoints.dedup_by(|next, last| next.tick == last.tick);
        let mut kept = begin;
        for index in begin..waypoints.len() {
            if kept > begin
                && kept >= 2
                && waypoints[kept - 1].at == waypoints[index].at
                && waypoints[kept - 2].at == waypoints[index].at
            {
                waypoints[kept - 1].tick = waypoints[index].tick;
            } else {
                waypoints[kept] = waypoints[index];
                kept += 1;
            }
        }
        waypoints.truncate(kept);
        self.end.map(|(node, _)| node)
    }
}
