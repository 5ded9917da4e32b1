//! The path of a search that has ended, or that is given up.

use std::sync::PoisonError;

use super::{END, Meeting, Query, Unpacking};
use crate::core::observe::Side;
use crate::id::NodeId;
use crate::search::subgoal::graph::Via;
use crate::search::subgoal::table::SubgoalTable;
use crate::world::grid::{GridView, JumpGrid};

impl Query {
    /// Writes the cells from the start to a place; on to the goal if the sides met there.
    pub fn trace(&self, view: &GridView<'_>, table: &SubgoalTable, to: NodeId, nodes: &mut Vec<NodeId>) {
        let first = nodes.len();
        nodes.push(to);
        let meets = |there| self.meeting.is_some_and(|(_, meeting)| meeting == there);
        // A goal that the start saw, or the start itself: one scan leads there.
        let subgoal = table.places.number(to).filter(|_| !meets(Meeting::Goal(to)));
        match subgoal {
            Some(subgoal) => self.trace_side(view, table, Side::Forward, subgoal, nodes),
            None => add_leg(view, to, self.ends[0], Via::ScanFromThere, nodes),
        }
        nodes[first..].reverse();
        if let Some(subgoal) = subgoal
            && meets(Meeting::Subgoal(subgoal))
        {
            self.trace_side(view, table, Side::Backward, subgoal, nodes);
        }
    }

    /// Writes the cells after a subgoal's back to an endpoint.
    fn trace_side(
        &self,
        view: &GridView<'_>,
        table: &SubgoalTable,
        side: Side,
        subgoal: u32,
        nodes: &mut Vec<NodeId>,
    ) {
        let cell = |subgoal| table.hierarchy.cell(subgoal);
        let Unpacking { way, stack } = &mut *self.unpacking.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at = subgoal;
        while let Some(label) = self.label(at, side) {
            if label.from >= END {
                add_leg(view, cell(at), self.place_before(table, label.from), Via::ScanFromThere, nodes);
                return;
            }
            if let Some(hubs) = &table.hubs {
                hubs.way_up(&table.hierarchy, label.from, at, way);
            } else {
                let place = table.hierarchy.place_between(label.from, at);
                way.extend(place.map(|place| (label.from, place)));
            }
            for (keeper, place) in way.drain(..).rev() {
                table.hierarchy.unpack(keeper, place, stack, |from, to, via| {
                    add_leg(view, cell(from), cell(to), via, nodes);
                });
            }
            at = label.from;
        }
    }
}

/// Writes the cells of a scan after the first place up to the second; the first has been written.
fn add_leg(view: &GridView<'_>, from: NodeId, to: NodeId, via: Via, nodes: &mut Vec<NodeId>) {
    if via == Via::ScanFromHere {
        JumpGrid::for_each_cell(view, from, to, |cell| nodes.push(cell));
    } else if from != to {
        // From the other end it leads up to the place that has been written.
        nodes.pop();
        let first = nodes.len();
        JumpGrid::for_each_cell(view, to, from, |cell| nodes.push(cell));
        nodes[first..].reverse();
        nodes.push(to);
    }
}
