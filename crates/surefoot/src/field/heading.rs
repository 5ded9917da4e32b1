//! Where to walk from any position on a grid, not only from the centres of cells.

use crate::field::flow_field::{FlowField, StepKind};
use crate::id::NodeId;
use crate::space::{Cell, Point};
use crate::world::grid::Direction;

/// A vector of columns and rows.
type Vector = [f64; 2];

/// Which way to walk from a position: see [`FlowField::heading`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading {
    /// The direction, of length 1; 0 at a position to be left by a link from its cell's centre or at a goal's centre.
    pub direction: [f64; 2],
    /// A point in that direction, up to which the straight line is free for the agent. From there on ask again.
    pub aim: Point,
    /// What leads there.
    pub kind: HeadingKind,
}

/// What a [`Heading`] follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingKind {
    /// The directions of the cells around.
    Flow,
    /// A free line to a goal.
    Line,
    /// The centre of this cell is the goal.
    Goal,
    /// From the centre of this cell, a link leads on to a node.
    Link(NodeId),
    /// The agent cannot stand in this cell, and gets out.
    Escape,
}

/// How far beside the line between two centres an agent with a radius may still walk along it, in cells.
const ON_LINE: f64 = 1.0 / 16.0;

/// The same past a corner that is cut.
const ON_CUT: f64 = 1.0 / 64.0;

/// Where less room than this is left before cells that are not all open, the direction of the own cell is followed.
const LITTLE_ROOM: f64 = 0.25;

/// Directions that cancel out to less than this have no common one, and ones with a smaller product do not agree.
const LEAST_AGREEMENT: f64 = 0.5;

impl FlowField {
    /// Returns which way to walk from a position on a grid. `None` outside the grid, where no goal can be reached, and in worlds of other
    /// kinds.
    ///
    /// Between four cells where the agent can stand, the direction changes gradually with the position. Near a wall it is that of the
    /// cell. Near a goal to which the line is free, it is that of the line. The straight line from the position to the
    /// [aim](Heading::aim) never leads into a wall, nor past a corner that the agent must not cut, if the agent can be at the position. Agents
    /// that may cut corners pass them within 1/64 of a cell, and agents with a radius may come 1/16 of a cell closer to a wall than that.
    ///
    /// ```
    /// use surefoot::field::{FlowField, Goal};
    /// use surefoot::prelude::*;
    /// let grid = Grid::new(40, 40).unwrap();
    /// let goal = Goal::at(&grid, Cell::new(30, 20)).unwrap();
    /// let field = FlowField::of(grid.view(&Agent::default()), &[goal]).unwrap();
    /// let mut at = Point::flat(3.2, 7.9);
    /// for _ in 0..200 {
    ///     let heading = field.heading(at).unwrap();
    ///     let step = at.distance(heading.aim).min(0.2); // a step a tick, not beyond the aim
    ///     let [x, y] = heading.direction;
    ///     at = Point::flat(at.x + x * step, at.y + y * step);
    /// }
    /// assert!(at.distance(Point::flat(30.5, 20.5)) < 1e-9);
    /// ```
    pub fn heading(&self, position: Point) -> Option<Heading> {
        let site = self.site()?;
        let cell = site.frame.cell_at(position);
        if !site.shape.contains(cell) {
            return None;
        }
        let [x, y, _] = site.frame.in_cells(position);
        let at = [x - 0.5, y - 0.5];
        let node = site.shape.node(cell);
        let place = Place { field: self, at, cell, position };
        let Some(step) = self.step(node) else {
            return self.reaches(node).then(|| place.towards(centre(cell), HeadingKind::Goal));
        };
        let next = site.shape.cell(step.to);
        match step.kind {
            StepKind::Escape => Some(place.towards(centre(next), HeadingKind::Escape)),
            StepKind::Link => Some(place.towards(centre(cell), HeadingKind::Link(step.to))),
            // Corners are cut on the line between centres, whatever other cells say.
            StepKind::Walk if place.cuts(next) => Some(place.along_step(next)),
            StepKind::Walk => Some(place.along_flow().unwrap_or_else(|| place.along_step(next))),
        }
    }
}

/// The centre of a cell, in coordinates in which the centre of cell `k` is `k`.
fn centre(cell: Cell) -> Vector {
    [f64::from(cell.x), f64::from(cell.y)]
}

fn length([x, y]: Vector) -> f64 {
    (x * x + y * y).sqrt()
}

/// A position with its cell.
struct Place<'a> {
    field: &'a FlowField,
    /// In coordinates in which the centre of cell `k` is `k`.
    at: Vector,
    cell: Cell,
    position: Point,
}

impl Place<'_> {
    fn towards(&self, aim: Vector, kind: HeadingKind) -> Heading {
        let way = [aim[0] - self.at[0], aim[1] - self.at[1]];
        let far = length(way);
        let direction = if far > 0.0 { way.map(|part| part / far) } else { [0.0; 2] };
        let point = self.field.site().map(|site| site.frame.point_at([aim[0] + 0.5, aim[1] + 0.5, 0.0]));
        let aim = point.map_or(self.position, |point| Point { z: self.position.z, ..point });
        Heading { direction, aim, kind }
    }

    /// Whether the agent can be everywhere between the centres of four cells, of which the one with the lowest numbers is given.
    fn is_free(&self, base: Cell) -> bool {
        [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().all(|(dx, dy)| self.stands(base.offset(dx, dy)))
    }

    fn stands(&self, cell: Cell) -> bool {
        self.field
            .site()
            .is_some_and(|site| site.shape.contains(cell) && !self.field.is_wall(site.shape.node(cell)))
    }

    /// Whether the step to a neighbour cuts a corner.
    fn cuts(&self, next: Cell) -> bool {
        let sides = [Cell { x: next.x, y: self.cell.y }, Cell { x: self.cell.x, y: next.y }];
        !sides.into_iter().all(|side| self.stands(side))
    }

    /// The direction of a free line, or one between those of the four cells around.
    fn along_flow(&self) -> Option<Heading> {
        let site = self.field.site()?;
        let base = Cell { x: self.at[0].floor() as i32, y: self.at[1].floor() as i32 };
        if !self.is_free(base) {
            return None;
        }
        let share = [self.at[0] - f64::from(base.x), self.at[1] - f64::from(base.y)];
        let (mut sum, mut total) = ([0.0; 2], 0.0);
        let mut in_sight = None;
        for (corner, (dx, dy)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate() {
            let node = site.shape.node(base.offset(dx, dy));
            let goal = self.field.sights().goal(node);
            in_sight = if corner == 0 || in_sight == goal { goal } else { None };
            let weight = (if dx == 1 { share[0] } else { 1.0 - share[0] })
                * (if dy == 1 { share[1] } else { 1.0 - share[1] });
            let Some(way) = direction_of(self.field.steps(node)) else { continue };
            sum = [sum[0] + weight * way[0], sum[1] + weight * way[1]];
            total += weight;
        }
        if let Some(at) = in_sight.and_then(|goal| self.field.goals().get(goal)?.at) {
            return Some(self.towards(centre(site.shape.cell(at)), HeadingKind::Line));
        }
        let far = length(sum);
        if far < LEAST_AGREEMENT * total || total < LEAST_AGREEMENT {
            return None;
        }
        let way = sum.map(|part| part / far);
        // Never against the direction of the own cell: it leads on from every position in it.
        let own = direction_of(self.field.steps(site.shape.node(self.cell)))?;
        if way[0] * own[0] + way[1] * own[1] < LEAST_AGREEMENT {
            return None;
        }
        // Where the line leaves the square of centres, and what lies beyond.
        let (mut exit, mut beyond) = (f64::INFINITY, base);
        for (axis, &part) in way.iter().enumerate() {
            let room = if part > 0.0 { 1.0 - share[axis] } else { share[axis] };
            let when = if part == 0.0 { f64::INFINITY } else { room / part.abs() };
            if when < exit {
                let step = if part > 0.0 { 1 } else { -1 };
                beyond = if axis == 0 { base.offset(step, 0) } else { base.offset(0, step) };
                exit = when;
            }
        }
        if exit >= LITTLE_ROOM {
            let aim = [self.at[0] + way[0] * exit, self.at[1] + way[1] * exit];
            return Some(self.towards(aim, HeadingKind::Flow));
        }
        if !self.is_free(beyond) {
            return None;
        }
        // On into the next square, to a point in its middle at most.
        let on = exit + LITTLE_ROOM;
        let least = [0, 1].map(|axis| f64::from([base.x.min(beyond.x), base.y.min(beyond.y)][axis]));
        let most = [0, 1].map(|axis| f64::from([base.x.max(beyond.x), base.y.max(beyond.y)][axis]) + 1.0);
        let aim = [0, 1].map(|axis| (self.at[axis] + way[axis] * on).clamp(least[axis], most[axis]));
        Some(self.towards(aim, HeadingKind::Flow))
    }

    /// The direction of the own cell: to the line between its centre and the next one, or the square between them, and then to the
    /// next centre. Every distance to a wall that counts grows on the way there, or stays above what it is at a centre.
    fn along_step(&self, next: Cell) -> Heading {
        let (here, there) = (centre(self.cell), centre(next));
        let on: Vector = std::array::from_fn(|axis| {
            self.at[axis].clamp(here[axis].min(there[axis]), here[axis].max(there[axis]))
        });
        if self.cuts(next) {
            // A corner is cut, exactly on the line between the centres.
            let [dx, dy] = [0, 1].map(|axis| (self.at[axis] - here[axis]) * (there[axis] - here[axis]));
            let aim = if (dx - dy).abs() <= ON_CUT && dx >= -ON_CUT { there } else { here };
            return self.towards(aim, HeadingKind::Flow);
        }
        let is_round = self.field.site().is_some_and(|site| site.is_round);
        if !is_round {
            // Nothing but open cells lies between.
            return self.towards(there, HeadingKind::Flow);
        }
        let aside = length([on[0] - self.at[0], on[1] - self.at[1]]);
        self.towards(if aside <= ON_LINE { there } else { on }, HeadingKind::Flow)
    }
}

/// The direction of the best steps: between two that are next to each other, otherwise the first.
fn direction_of(steps: u8) -> Option<Vector> {
    let first = *Direction::ALL.get(steps.trailing_zeros() as usize)?;
    let others = steps & (steps - 1);
    let unit = |direction: Direction| {
        let (dx, dy) = direction.delta();
        let far = if direction.is_diagonal() { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
        [f64::from(dx) * far, f64::from(dy) * far]
    };
    let [x, y] = unit(first);
    let second = others.is_power_of_two().then(|| Direction::ALL[others.trailing_zeros() as usize % 8]);
    let Some([also_x, also_y]) = second.map(unit).filter(|&[also_x, also_y]| x * also_x + y * also_y > 0.5)
    else {
        return Some([x, y]);
    };
    let between = [x + also_x, y + also_y];
    let far = length(between);
    Some(between.map(|part| part / far))
}
