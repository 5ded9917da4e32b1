//! Paths: which units need one, and searches within the budget of a tick.

use crate::crowd::Crowd;
use crate::crowd::crowd::Asked;
use crate::crowd::spec::{Event, Goal, Guidance, StuckReason};
use crate::crowd::store::Mode;
use crate::crowd::walls::Walls;
use crate::field;
use crate::id::NodeId;
use crate::path::Path;
use crate::search::{Outcome, Why};
use crate::world::any::View;
use crate::world::grid::{Grid, GridView};

/// After so many changes of the world during a search, it is finished at once: edits must not keep a unit from ever getting a path.
const MOST_RESTARTS: u32 = 3;

/// How many stops of a new path a unit may leave out at its beginning, because it has walked on in the meantime.
const LATE: u32 = 8;

impl Crowd {
    /// Reads what has happened to the world since the last tick, and lets those units plan that it concerns.
    pub(super) fn follow_edits(&mut self, grid: &Grid) {
        let now = grid.revision();
        if self.seen == Some(now) {
            return;
        }
        let known = self.seen.is_some_and(|seen| grid.read_changes(seen, &mut self.changes));
        let is_new = self.seen.is_none();
        self.seen = Some(now);
        let mut touched = std::mem::take(&mut self.touched);
        self.subscriptions.changes(grid.view(&self.agent), &mut touched);
        for touched in &touched {
            let owner = self.owners.get(touched.id.index()).copied();
            if let Some(unit) = owner.filter(|&unit| self.units.mode[unit as usize] != Mode::Gone) {
                self.enqueue(unit as usize);
            }
        }
        self.touched = touched;
        if is_new {
            return;
        }
        let changes = std::mem::take(&mut self.changes);
        let closed = changes.cells().iter().filter(|change| change.new.is_wall()).map(|change| change.node);
        for node in closed {
            if let Some(unit) = self.places.owner(node) {
                self.move_place(grid, unit as usize);
            }
        }
        if !known {
            // Anything may have changed.
            for unit in 0..self.units.len() {
                let place = self.units.place[unit];
                if place != NodeId::NONE && !grid.is_open(grid.cell(place)) {
                    self.move_place(grid, unit);
                }
                if matches!(self.units.mode[unit], Mode::Walking | Mode::Waiting | Mode::Stuck) {
                    self.enqueue(unit);
                }
            }
        }
        self.changes = changes;
        self.jams.world_changed(grid, &mut self.units);
    }

    fn move_place(&mut self, grid: &Grid, unit: usize) {
        self.give_other_place(grid, unit);
        if self.units.mode[unit] == Mode::Arrived {
            self.units.mode[unit] = Mode::Walking;
            self.units.route[unit].clear();
        }
        self.enqueue(unit);
    }

    /// Searches for paths until the budget is used up.
    pub(super) fn plan(&mut self, grid: &Grid) {
        let mut left = self.budget.unwrap_or(u64::MAX);
        while left > 0
            && let Some(&unit) = self.queue.front()
        {
            let index = unit as usize;
            if !self.units.is_queued[index] || self.units.mode[index] == Mode::InLink {
                self.units.is_queued[index] = false;
                self.queue.pop_front();
                continue;
            }
            let view = self.view(grid, index);
            let (from, to) = (self.cell_of(grid, &view, index), self.units.place[index]);
            let from = from.and_then(|cell| grid.node(cell)).unwrap_or(NodeId::NONE);
            let expanded = self.plan_by_field(grid, &view, index, [from, to]);
            if let Some(expanded) = expanded {
                left = left.saturating_sub(expanded.max(1));
                self.queue.pop_front();
                self.units.is_queued[index] = false;
                self.conclude(grid, index, Outcome::Found, expanded);
                continue;
            }
            // A search under way is finished even if the unit has moved on.
            let goes_on = self.asked.filter(|asked| asked.unit == unit && asked.to == to);
            if goes_on.is_none() {
                self.asked = Some(Asked { unit, from, to });
                self.restarts = 0;
                self.finder.start(view, from, &[to]);
            }
            let budget = if self.restarts > MOST_RESTARTS { u64::MAX } else { left };
            let before = self.finder.stats().expanded;
            let mut outcome = self.finder.resume(view, budget);
            if outcome == Outcome::Unreachable(Why::WorldChanged) {
                self.restarts += 1;
                self.asked = Some(Asked { unit, from, to });
                self.finder.start(view, from, &[to]);
                let budget = if self.restarts > MOST_RESTARTS { u64::MAX } else { left };
                outcome = self.finder.resume(view, budget);
            }
            let expanded = self.finder.stats().expanded;
            left = left.saturating_sub(expanded.saturating_sub(before).max(1));
            if outcome == Outcome::Paused {
                break;
            }
            self.queue.pop_front();
            self.units.is_queued[index] = false;
            self.asked = None;
            self.planned.copy_from(self.finder.path());
            self.conclude(grid, index, outcome, expanded);
        }
    }

    /// Follows the field of a unit's order to near the goal, and searches for the rest of the path, to the place of the unit. Returns the number of expanded nodes, or `None`
    /// if the unit is not guided by a field, or if its place has to be searched for from where it is.
    fn plan_by_field(
        &mut self,
        grid: &Grid,
        view: &GridView<'_>,
        unit: usize,
        [from, to]: [NodeId; 2],
    ) -> Option<u64> {
        let order = self.orders.get(self.units.order[unit] as usize)?;
        let (Goal::Cell(goal), Guidance::Field) = (order.goal, order.guidance) else { return None };
        let field = self.fields.get(*view, &[field::Goal::at(grid, goal)?]).ok()?;
        // A place that others cannot be reached through is not on the way to the goal.
        let near = field.cost(to)?;
        let mut nodes = std::mem::take(&mut self.lead);
        nodes.clear();
        nodes.extend(field.trace(from).take_while(|&node| field.cost(node) > Some(near + near)));
        let turn = nodes.last().and_then(|&last| field.next(last)).filter(|_| !nodes.is_empty());
        let mut expanded = None;
        if let Some(turn) = turn {
            self.finder.start(*view, turn, &[to]);
            if self.finder.resume(*view, u64::MAX).is_found() && !self.finder.path().is_any_angle() {
                expanded = Some(self.finder.stats().expanded);
                let rest = self.finder.path().nodes();
                self.planned.rewrite(&View::from(*view), |path| path.extend(nodes.iter().chain(rest)));
            }
            // Another search may have been under way.
            self.asked = None;
        }
        self.lead = nodes;
        expanded
    }

    /// Takes over the result of a search.
    fn conclude(&mut self, grid: &Grid, unit: usize, outcome: Outcome, expanded: u64) {
        let walls = Walls::new(grid);
        self.stats.plans += 1;
        self.stats.expanded += expanded;
        self.units.planned_at[unit] = self.stats.ticks;
        self.units.plans[unit] += 1;
        self.events.push(Event::Planned { id: self.units.id(unit), expanded });
        if let Outcome::Unreachable(why) = outcome {
            self.units.route[unit].clear();
            self.subscribe(grid, unit, false);
            self.become_stuck(unit, StuckReason::NoPath(why));
            return;
        }
        let route = &mut self.units.route[unit];
        route.set(&self.planned, &walls);
        route.skip(self.units.at[unit], self.units.radius[unit], &walls, LATE);
        self.units.progress[unit].restart();
        if matches!(self.units.mode[unit], Mode::Waiting | Mode::Stuck | Mode::Idle | Mode::Arrived) {
            self.units.mode[unit] = Mode::Walking;
        }
        self.subscribe(grid, unit, true);
    }

    /// Registers the path of a unit, so that edits that touch it are reported.
    fn subscribe(&mut self, grid: &Grid, unit: usize, has_path: bool) {
        let empty = Path::default();
        // Lines at any angle are looked at while they are walked.
        let path = if has_path { &self.planned } else { &empty };
        if path.is_any_angle() {
            if let Some(id) = self.units.subscription[unit].take() {
                self.subscriptions.unsubscribe(id);
            }
            return;
        }
        let view = self.view(grid, unit);
        if let Some(id) = self.units.subscription[unit] {
            self.subscriptions.replace(id, view, path);
            return;
        }
        let id = self.subscriptions.subscribe(view, path);
        if self.owners.len() <= id.index() {
            self.owners.resize(id.index() + 1, u32::MAX);
        }
        self.owners[id.index()] = unit as u32;
        self.units.subscription[unit] = Some(id);
    }

    /// A unit cannot go on.
    pub(super) fn become_stuck(&mut self, unit: usize, reason: StuckReason) {
        if self.units.mode[unit] == Mode::InLink {
            return;
        }
        let is_new = self.units.mode[unit] != Mode::Stuck || self.units.reason[unit] != reason;
        self.units.mode[unit] = Mode::Stuck;
        self.units.reason[unit] = reason;
        if is_new {
            self.events.push(Event::Stuck(self.units.id(unit), reason));
        }
    }

    /// Lets units that follow others plan when their targets have moved.
    pub(super) fn chase(&mut self, grid: &Grid) {
        if !self.orders.iter().any(|order| order.members > 0 && matches!(order.goal, Goal::Unit { .. })) {
            return;
        }
        let walls = Walls::new(grid);
        for unit in 0..self.units.len() {
            let order = self.units.order[unit] as usize;
            let Some(Goal::Unit { id, begin, end }) = self.orders.get(order).map(|order| order.goal) else {
                continue;
            };
            if matches!(self.units.mode[unit], Mode::Gone | Mode::InLink) {
                continue;
            }
            let Some(target) = self.units.find(id) else {
                self.units.route[unit].clear();
                self.units.is_queued[unit] = false;
                self.become_stuck(unit, StuckReason::TargetGone);
                continue;
            };
            let distance = (self.units.at[target] - self.units.at[unit]).length();
            let was_there = self.units.mode[unit] == Mode::Arrived;
            if distance <= end || (was_there && distance <= 2.0 * end) {
                self.units.route[unit].clear();
                self.units.is_queued[unit] = false;
                self.arrive(unit);
                continue;
            }
            if distance > begin {
                self.units.route[unit].clear();
                self.units.is_queued[unit] = false;
                self.units.mode[unit] = Mode::Waiting;
                continue;
            }
            let view = self.view(grid, target);
            let goal = self.cell_of(grid, &view, target).and_then(|cell| grid.node(cell));
            let Some(goal) = goal else { continue };
            // A new path when the target is elsewhere by a part of the distance: far away, that is rarely.
            let old = self.place_of(&walls, unit);
            let moved = old.map_or(f64::INFINITY, |old| (walls.middle(goal) - old).length());
            let is_under_way = matches!(self.units.mode[unit], Mode::Walking | Mode::Stuck);
            let is_old = self.units.place[unit] != goal || self.units.mode[unit] != Mode::Walking;
            if is_old && (moved > 0.1 * distance || !is_under_way) {
                self.units.place[unit] = goal;
                if self.units.mode[unit] == Mode::Arrived {
                    self.units.mode[unit] = Mode::Waiting;
                }
                self.enqueue(unit);
            }
        }
    }

    /// A unit is where it has to be.
    pub(super) fn arrive(&mut self, unit: usize) {
        if self.units.mode[unit] != Mode::Arrived {
            self.units.mode[unit] = Mode::Arrived;
            self.events.push(Event::Arrived(self.units.id(unit)));
        }
        self.units.progress[unit].stalled = 0.0;
    }
}
