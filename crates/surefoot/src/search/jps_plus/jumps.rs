//! Following jumps towards goals.

use super::table::{JumpTable, Ray};
use crate::core::expand::{Arrival, Expander};
use crate::cost::Cost;
use crate::id::NodeId;
use crate::space::Cell;

/// A goal and how far it is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    place: NodeId,
    cell: Cell,
    /// By straight direction: how many cells there are up to the wall.
    sight: [u16; 4],
}

impl Goal {
    pub fn new(table: &JumpTable, place: NodeId) -> Goal {
        Goal { place, cell: table.cell_of(place), sight: table.places[place.index()].sight }
    }

    /// How far the goal is straight ahead of a cell, if nothing is in between.
    #[inline]
    fn ahead(&self, from: Cell, ray: &Ray) -> Option<u32> {
        let ((dx, dy), across, down) = (ray.delta, self.cell.x - from.x, self.cell.y - from.y);
        let (along, beside) = (across * dx + down * dy, across * dy + down * dx);
        let sight = i32::from(self.sight[ray.direction.opposite() as usize % 4]);
        (beside == 0 && 0 < along && along <= sight).then_some(along as u32)
    }

    /// After how many steps a fan meets the row or the column of the goal with the goal ahead; none or fewer if never.
    #[inline]
    fn turn(&self, from: Cell, ray: &Ray) -> i32 {
        let ((dx, dy), across, down) = (ray.delta, self.cell.x - from.x, self.cell.y - from.y);
        if dy == 0 { across * dx } else { (across * dx).min(down * dy) }
    }
}

/// The jumps of a table towards goals.
pub(super) struct Jumps<'a> {
    pub table: &'a JumpTable,
    pub goals: &'a [Goal],
}

impl Jumps<'_> {
    /// The directions from a place that may begin a cheapest path to a goal, as a byte.
    #[inline]
    fn towards(&self, place: NodeId) -> u8 {
        let Some(boxes) = self.table.boxes.get(place.index()) else { return u8::MAX };
        match self.goals {
            [goal] => boxes.directions_to(goal.cell),
            goals => goals.iter().fold(0, |all, goal| all | boxes.directions_to(goal.cell)),
        }
    }

    /// Follows a straight line on which nothing but stops and goals matters. Whether the only goal was in sight.
    #[inline]
    fn follow_line(
        &self,
        ray: &Ray,
        from: NodeId,
        cell: Cell,
        emit: &mut impl FnMut(NodeId, Cost, Arrival),
    ) -> bool {
        let arrival = Arrival(ray.direction as u8);
        for goal in self.goals {
            if let Some(steps) = goal.ahead(cell, ray) {
                emit(goal.place, ray.step * u64::from(steps), arrival);
                if self.goals.len() == 1 {
                    return true;
                }
            }
        }
        let (place, slot) = (&self.table.places[from.index()], ray.direction as usize);
        if place.ends[slot] != NodeId::NONE {
            emit(place.ends[slot], ray.step * u64::from(place.steps[slot]), arrival);
        }
        false
    }

    /// Follows a line with possible turns at each of its cells, and emits the stops that the turns lead to. The line itself is continued
    /// here: none of its cells is queued unless a wall forces more turns than these. Whether the only goal was in sight.
    #[inline]
    fn follow_fan(
        &self,
        ray: &Ray,
        from: NodeId,
        cell: Cell,
        emit: &mut impl FnMut(NodeId, Cost, Arrival),
    ) -> bool {
        let (places, slot) = (&self.table.places, ray.direction as usize);
        let (mut at, mut steps) = (from, 0);
        loop {
            let next = steps + i32::from(places[at.index()].steps[slot]);
            for goal in self.goals {
                let turn = goal.turn(cell, ray);
                if steps < turn
                    && turn <= next
                    && self.emit_goal(goal, ray, cell, turn, emit)
                    && self.goals.len() == 1
                {
                    return true;
                }
            }
            (at, steps) = (places[at.index()].ends[slot], next);
            if at == NodeId::NONE {
                return false;
            }
            let (place, towards) = (&places[at.index()], self.towards(at));
            let along = ray.step * steps as u64;
            if place.stops & ray.direction.bit() != 0 {
                if towards != 0 {
                    emit(at, along, Arrival(ray.direction as u8));
                }
                return false;
            }
            for aside in ray.aside.into_iter().flatten() {
                let end = place.ends[aside as usize];
                if towards & aside.bit() != 0 && end != NodeId::NONE {
                    let off = u64::from(place.steps[aside as usize]);
                    emit(end, along + self.table.rays[aside as usize].step * off, Arrival(aside as u8));
                }
            }
            if towards & ray.direction.bit() == 0 {
                return false;
            }
        }
    }

    /// Emits a goal that is in sight where a fan meets its row or column.
    #[inline]
    fn emit_goal(
        &self,
        goal: &Goal,
        ray: &Ray,
        from: Cell,
        turn: i32,
        emit: &mut impl FnMut(NodeId, Cost, Arrival),
    ) -> bool {
        let at = from.offset(ray.delta.0 * turn, ray.delta.1 * turn);
        let along = ray.step * turn as u64;
        if at == goal.cell {
            emit(goal.place, along, Arrival(ray.direction as u8));
            return true;
        }
        let mut asides = ray.aside.into_iter().flatten().map(|aside| &self.table.rays[aside as usize]);
        let Some((aside, off)) = asides.find_map(|aside| Some((aside, goal.ahead(at, aside)?))) else {
            return false;
        };
        emit(goal.place, along + aside.step * u64::from(off), Arrival(aside.direction as u8));
        true
    }
}

impl Expander for Jumps<'_> {
    fn node_bound(&self) -> usize {
        self.table.places.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let place = &self.table.places[node.index()];
        let cell = self.table.shape.cell(place.node);
        let mut steps = self.table.canonical(place, arrival) & self.towards(node);
        while steps != 0 {
            let ray = &self.table.rays[steps.trailing_zeros() as usize % 8];
            steps &= steps - 1;
            let arrived = if ray.aside[0].is_some() {
                self.follow_fan(ray, node, cell, &mut emit)
            } else {
                self.follow_line(ray, node, cell, &mut emit)
            };
            // The goal is as far as in a world without walls: nothing beats that.
            if arrived {
                return;
            }
        }
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}
