//! A uniform grid crossed in jumps from stop to stop.

use crate::core::expand::{Arrival, Expander, START};
use crate::core::sparse::MAX_G;
use crate::cost::Cost;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::direction::Direction;
use crate::world::grid::jumps::{Crossing, Flags, JumpPlanes, Stops};
use crate::world::grid::rules::{BY_CORRIDOR, fan};
use crate::world::grid::uniform::UniformGrid;
use crate::world::grid::view::GridView;

/// A goal and the open cells around it in its row and its column: from any of them it is in sight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GoalLines {
    node: NodeId,
    cell: Cell,
    /// First and last column in its row.
    row: (i32, i32),
    /// First and last row in its column.
    column: (i32, i32),
}

/// First and last coordinate of the open cells around one of a line.
fn open_around(line: &[u64], at: i32) -> (i32, i32) {
    let is_open = |at: i32| line[at as usize / 64] >> (at % 64) & 1 == 1;
    let mut first = at;
    while first > 0 && is_open(first - 1) {
        first -= 1;
    }
    // The line ends in a zero bit.
    let mut last = at;
    while is_open(last + 1) {
        last += 1;
    }
    (first, last)
}

/// What is needed to follow the lines that leave a cell in one direction.
#[derive(Clone, Copy)]
struct Ray {
    direction: Direction,
    delta: (i32, i32),
    offset: i32,
    step: Cost,
    /// Whether the line has to stop.
    stops: Flags,
    /// The directions in which to look aside at every cell.
    aside: [Option<Direction>; 2],
    /// Whether looking aside leads to anything.
    leads: Flags,
}

/// The maximum number of straight legs of a jump through a corridor: a search has to be able to pause.
const MOST_LEGS: u32 = 256;

/// The jumps of a [`GridView`] over a uniform grid.
pub(crate) struct JumpGrid<'a> {
    uniform: UniformGrid<'a>,
    view: GridView<'a>,
    planes: &'a JumpPlanes,
    goals: &'a [GoalLines],
    rays: [Ray; 8],
    /// Whether a jump continues around the turns of a corridor.
    turns: bool,
    /// What the planes know of single cells.
    crossings: &'a [Crossing],
    /// Whether that is up to date.
    is_as_built: bool,
}

/// The refusal of a map on which the sum of all steps would not fit.
pub(crate) const STEPS_TOO_EXPENSIVE: &str = "its steps are too expensive for a map of this size";

impl<'a> JumpGrid<'a> {
    /// Why jumps are not possible, if they are not: see [`UniformGrid::of`]; and no path may cost more than a search can hold.
    pub fn fault(view: &GridView<'_>) -> Option<&'static str> {
        UniformGrid::fault(view).or_else(|| {
            let highest = view.max_step_cost().units().checked_mul(view.shape().node_bound() as u64);
            highest.is_none_or(|cost| cost > MAX_G).then_some(STEPS_TOO_EXPENSIVE)
        })
    }

    /// The lines on which goals are in sight.
    pub fn goal_lines(view: &GridView<'_>, goals: &[NodeId], lines: &mut Vec<GoalLines>) {
        JumpGrid::goal_lines_over(view, view.jump_planes(), goals, lines);
    }

    /// The same with planes of the caller.
    pub fn goal_lines_over(
        view: &GridView<'_>,
        planes: &JumpPlanes,
        goals: &[NodeId],
        lines: &mut Vec<GoalLines>,
    ) {
        let columns = planes.columns();
        lines.clear();
        lines.extend(goals.iter().map(|&node| {
            let cell = view.shape().cell(node);
            let row = open_around(view.open_cells().row(cell.y), cell.x);
            GoalLines { node, cell, row, column: open_around(columns.row(cell.x), cell.y) }
        }));
    }

    /// The jumps of a view to which they apply, towards goals prepared by [`JumpGrid::goal_lines`]. Where there is one way on
    /// at a stop, the jump takes it: one cannot stop in a corridor.
    pub fn of(view: GridView<'a>, goals: &'a [GoalLines]) -> Option<JumpGrid<'a>> {
        Some(JumpGrid { turns: true, ..JumpGrid::over(view, view.jump_planes(), goals)? })
    }

    /// Planes of a view in which a line stops at every stop, whatever its direction.
    pub fn planes_with_stops_any_way<E>(
        view: &GridView<'_>,
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<JumpPlanes, E> {
        let (open, neighbours) = (view.open_cells(), view.layer().neighbours());
        JumpPlanes::build(view.shape(), (view.moves(), Stops::AnyWay), open, neighbours, work)
    }

    /// The cells at which lines over such planes stop, in the order of their numbers.
    pub fn stops_any_way<E>(
        view: &GridView<'_>,
        work: impl Fn(u64) -> Result<(), E>,
    ) -> Result<Vec<NodeId>, E> {
        let (rule, moves, shape) = (view.rule(), view.moves(), view.shape());
        let (open, neighbours) = (view.open_cells(), view.layer().neighbours());
        let forces: [bool; 256] = std::array::from_fn(|byte| rule.forces(moves, byte as u8));
        let mut stops = Vec::new();
        for y in 0..shape.height() as i32 {
            let row = (0..shape.width() as i32).map(|x| Cell { x, y }).filter(|&cell| open.contains(cell));
            let nodes = row.map(|cell| shape.node(cell));
            stops.extend(nodes.filter(|node| forces[usize::from(neighbours[node.index()])]));
            work(shape.width().into())?;
        }
        Ok(stops)
    }

    /// The jumps of a view to which they apply, with planes of the caller and without turns.
    pub fn over(view: GridView<'a>, planes: &'a JumpPlanes, goals: &'a [GoalLines]) -> Option<JumpGrid<'a>> {
        let uniform = UniformGrid::of(view)?;
        let rays = Direction::ALL.map(|direction| {
            let aside = fan(view.moves(), direction);
            let leads =
                aside.into_iter().flatten().fold(Flags::default(), |all, to| all.or(Flags::leads(to)));
            Ray {
                direction,
                delta: direction.delta(),
                offset: view.offsets()[direction as usize],
                step: uniform.step_cost(direction),
                stops: Flags::stops(direction),
                aside,
                leads,
            }
        });
        Some(JumpGrid {
            uniform,
            view,
            planes,
            goals,
            rays,
            turns: false,
            crossings: planes.crossings(),
            is_as_built: planes.is_as_built(),
        })
    }

    /// Calls `visit` with the cells between two ends of a jump, and with the second end: first the fanning part, then the
    /// straight one.
    pub fn for_each_cell(view: &GridView<'_>, from: NodeId, to: NodeId, mut visit: impl FnMut(NodeId)) {
        let (mut at, end) = (view.shape().cell(from), view.shape().cell(to));
        while at != end {
            let (dx, dy) = ((end.x - at.x).signum(), (end.y - at.y).signum());
            let both = view.moves().has_diagonals();
            at = if dx != 0 { at.offset(dx, if both { dy } else { 0 }) } else { at.offset(0, dy) };
            visit(view.shape().node(at));
        }
    }

    /// Calls `visit` with the cells of a jump through a corridor from its second end, which it leaves out, back to the first.
    /// `arrival` is that at the second end; `false` if it means that the jump had no turns.
    pub fn for_each_cell_back(
        view: &GridView<'_>,
        from: NodeId,
        to: NodeId,
        arrival: Arrival,
        mut visit: impl FnMut(NodeId),
    ) -> bool {
        if arrival.0 & BY_CORRIDOR == 0 {
            return false;
        }
        let mut ahead = Direction::ALL[usize::from(arrival.0 % BY_CORRIDOR)];
        let mut at = to;
        while at != from {
            let legal = view.rule().legal(view.neighbours()[at.index()]);
            // Where there is no path straight back, the corridor turns: besides the way ahead there is one other.
            if at != to && legal & ahead.opposite().bit() == 0 {
                let others = legal & !ahead.bit();
                let Some(&back) = Direction::ALL.get(others.trailing_zeros() as usize) else { break };
                ahead = back.opposite();
            }
            at = NodeId(at.0.wrapping_add_signed(view.offsets()[ahead.opposite() as usize]));
            visit(at);
        }
        true
    }

    /// The next stop in a straight direction, which has to exist.
    #[inline]
    fn stop(&self, node: NodeId, cell: Cell, direction: Direction) -> (NodeId, u32) {
        let steps = self.planes.distance(cell, direction);
        let offset = self.rays[direction as usize].offset;
        (NodeId(node.0.wrapping_add_signed(offset * steps as i32)), steps)
    }

    /// Whether a line in a straight direction meets a stop before a wall.
    #[inline]
    fn leads(&self, node: NodeId, cell: Cell, direction: Direction) -> bool {
        if self.is_as_built {
            self.crossings[node.index()].has(Flags::leads(direction))
        } else {
            self.planes.leads(cell, direction)
        }
    }

    /// Follows a straight line on which nothing but stops and goals matters, and the corridor beyond its end, if there is one.
    #[inline]
    fn follow_line(
        &self,
        ray: &Ray,
        origin: NodeId,
        cell: Cell,
        most_legs: u32,
        emit: &mut impl FnMut(NodeId, Cost, Arrival),
    ) {
        let (mut ray, mut cell, mut at, mut along) = (ray, cell, origin, Cost::ZERO);
        let mut arrival = Arrival(ray.direction as u8);
        for legs_left in (0..most_legs).rev() {
            for goal in self.goals {
                if let Some(steps) = goal.in_sight(cell, ray.delta) {
                    emit(goal.node, along + ray.step * u64::from(steps), arrival);
                }
            }
            if !self.leads(at, cell, ray.direction) {
                return;
            }
            let (stop, steps) = self.stop(at, cell, ray.direction);
            along += ray.step * u64::from(steps);
            let on = if legs_left > 0 { self.only_line_on(stop, ray.direction) } else { None };
            let Some(next) = on else { return emit(stop, along, arrival) };
            // Around a corridor that is closed in itself.
            if stop == origin {
                return;
            }
            cell = cell.offset(ray.delta.0 * steps as i32, ray.delta.1 * steps as i32);
            (ray, at, arrival) = (next, stop, Arrival(next.direction as u8 | BY_CORRIDOR));
        }
    }

    /// Returns the only straight line that leads on from a stop, if it is in a corridor.
    #[inline]
    fn only_line_on(&self, stop: NodeId, direction: Direction) -> Option<&Ray> {
        if !self.uniform.is_corridor(stop) {
            return None;
        }
        let steps = self.uniform.canonical(stop, Arrival(direction as u8));
        let ray = &self.rays[steps.trailing_zeros() as usize % 8];
        (steps.is_power_of_two() && ray.aside[0].is_none()).then_some(ray)
    }

    /// Follows a line with possible turns at each of its cells, and emits the stops that the turns lead to. The line itself is continued
    /// here: none of its cells is queued unless a wall forces more turns than these.
    #[inline]
    fn follow_fan(&self, ray: &Ray, node: NodeId, cell: Cell, emit: &mut impl FnMut(NodeId, Cost, Arrival)) {
        let crossings = self.crossings;
        let (mut at, mut steps) = (node, 0);
        loop {
            let span = crossings[at.index()].span(ray.direction);
            if span == 0 {
                break;
            }
            at = NodeId(at.0.wrapping_add_signed(ray.offset * span as i32));
            steps += span;
            #[cfg(test)]
            tests::count_landing();
            let here = crossings[at.index()];
            let along = ray.step * u64::from(steps);
            if here.has(ray.stops) {
                emit(at, along, Arrival(ray.direction as u8));
                break;
            }
            if !here.has(ray.leads) {
                continue;
            }
            let cell = cell.offset(ray.delta.0 * steps as i32, ray.delta.1 * steps as i32);
            for aside in ray.aside.into_iter().flatten() {
                if here.has(Flags::leads(aside)) {
                    let (stop, off) = self.stop(at, cell, aside);
                    let straight = self.rays[aside as usize].step * u64::from(off);
                    emit(stop, along + straight, Arrival(aside as u8));
                }
            }
        }
        for goal in self.goals {
            self.emit_goal(goal, ray, cell, steps as i32, emit);
        }
    }

    /// The same, going from mark to mark, because some cells have changed since the planes were built.
    #[inline(never)]
    fn follow_marked_fan(
        &self,
        ray: &Ray,
        node: NodeId,
        cell: Cell,
        emit: &mut impl FnMut(NodeId, Cost, Arrival),
    ) {
        let crossings = self.crossings;
        let (mut at, mut here, mut steps) = (node, cell, 0);
        let mut marks = self.planes.marks_near(here);
        loop {
            let span = if marks.has_row(here) {
                u32::from(self.uniform.canonical(at, START) & ray.direction.bit() != 0)
            } else {
                crossings[at.index()].span(ray.direction).min(marks.steps(here, ray.delta, ray.aside))
            };
            if span == 0 {
                break;
            }
            at = NodeId(at.0.wrapping_add_signed(ray.offset * span as i32));
            here = here.offset(ray.delta.0 * span as i32, ray.delta.1 * span as i32);
            steps += span;
            #[cfg(test)]
            tests::count_landing();
            marks = self.planes.marks_near(here);
            let along = ray.step * u64::from(steps);
            let stops = if marks.has_row(here) {
                self.planes.stops_among(self.view.neighbours()[at.index()])
            } else {
                crossings[at.index()]
            };
            if stops.has(ray.stops) {
                emit(at, along, Arrival(ray.direction as u8));
                break;
            }
            for aside in ray.aside.into_iter().flatten() {
                if self.planes.leads(here, aside) {
                    let (stop, off) = self.stop(at, here, aside);
                    let straight = self.rays[aside as usize].step * u64::from(off);
                    emit(stop, along + straight, Arrival(aside as u8));
                }
            }
        }
        for goal in self.goals {
            self.emit_goal(goal, ray, cell, steps as i32, emit);
        }
    }

    /// Emits a goal that is in sight from one of the cells of a fan.
    fn emit_goal(
        &self,
        goal: &GoalLines,
        ray: &Ray,
        from: Cell,
        length: i32,
        emit: &mut impl FnMut(NodeId, Cost, Arrival),
    ) {
        let (dx, dy) = ray.delta;
        // The cells of the fan that lie in the goal's column and in its row.
        let crossings = [(goal.cell.x - from.x) * dx, (goal.cell.y - from.y) * dy];
        for steps in crossings.into_iter().filter(|steps| (1..=length).contains(steps)) {
            let at = from.offset(dx * steps, dy * steps);
            let along = ray.step * steps as u64;
            if at == goal.cell {
                emit(goal.node, along, Arrival(ray.direction as u8));
                return;
            }
            for aside in ray.aside.into_iter().flatten() {
                if let Some(off) = goal.in_sight(at, aside.delta()) {
                    let straight = self.rays[aside as usize].step * u64::from(off);
                    emit(goal.node, along + straight, Arrival(aside as u8));
                }
            }
        }
    }
}

impl GoalLines {
    /// How far the goal is straight ahead of a cell, if nothing is in between.
    #[inline]
    fn in_sight(&self, from: Cell, (dx, dy): (i32, i32)) -> Option<u32> {
        let (across, down) = (self.cell.x - from.x, self.cell.y - from.y);
        let within = |(first, last): (i32, i32), at| (first..=last).contains(&at);
        let ahead = if dy == 0 {
            down == 0 && across * dx > 0 && within(self.row, from.x)
        } else {
            across == 0 && down * dy > 0 && within(self.column, from.y)
        };
        ahead.then(|| across.unsigned_abs() + down.unsigned_abs())
    }
}

impl Expander for JumpGrid<'_> {
    fn node_bound(&self) -> usize {
        self.crossings.len()
    }

    #[inline]
    fn expand(&self, node: NodeId, arrival: Arrival, mut emit: impl FnMut(NodeId, Cost, Arrival)) {
        let cell = self.view.shape().cell(node);
        let mut steps = self.uniform.canonical(node, arrival);
        // From a start, which need not be a stop, the first stop comes first: a jump that comes around to it ends there.
        let most_legs = if self.turns && arrival != START { MOST_LEGS } else { 1 };
        while steps != 0 {
            let ray = &self.rays[steps.trailing_zeros() as usize % 8];
            steps &= steps - 1;
            match ray.aside[0] {
                None => self.follow_line(ray, node, cell, most_legs, &mut emit),
                Some(_) if self.is_as_built => self.follow_fan(ray, node, cell, &mut emit),
                Some(_) => self.follow_marked_fan(ray, node, cell, &mut emit),
            }
        }
    }

    #[inline]
    fn is_corridor(&self, node: NodeId) -> bool {
        self.uniform.is_corridor(node)
    }

    fn straight_before(&self, _at: NodeId, _next: NodeId) -> Option<(NodeId, Cost)> {
        None
    }
}

#[cfg(test)]
mod tests;
