//! A target that wanders or flees.

use std::fmt;

use crate::agent::Agent;
use crate::cost::Cost;
use crate::generate::dice::Dice;
use crate::search::{DistanceField, Range};
use crate::space::{Cell, Point};
use crate::unit::spec::{UnitError, check_speed};
use crate::unit::stride::{Passage, Stride, passage};
use crate::world::grid::{Direction, Grid, GridView};
use crate::world::journal::Revision;

/// How far away pursuers matter to a fleeing roamer, in straight steps.
const ALARM: f64 = 24.0;
/// In this many of 100 cases a wandering roamer goes straight on.
const STRAIGHT_ON: u32 = 85;

/// What a [`Roamer`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Habit {
    /// Stays where it was placed.
    Stay,
    /// Wanders around.
    Wander,
    /// Walks away from its pursuers, as long as that increases the distance.
    Flee,
}

/// A target that decides in every cell where to go next, without a plan. Its steps follow the same rules as those of
/// [units](crate::unit::Units). The result depends only on the calls and the seed.
///
/// ```
/// use surefoot::prelude::*;
/// use surefoot::unit::{Habit, Roamer};
/// let grid = Grid::new(30, 3).unwrap();
/// let mut thief = Roamer::new(&grid, Cell::new(5, 1), Habit::Flee, 4.0, &Agent::default(), 1).unwrap();
/// for _ in 0..60 {
///     thief.tick(&grid, 1.0 / 60.0, &[Cell::new(2, 1)]);
/// }
/// assert_eq!(thief.cell().x, 9);
/// ```
pub struct Roamer {
    stride: Stride,
    habit: Habit,
    speed: f64,
    agent: Agent,
    dice: Dice,
    heading: Option<Direction>,
    field: DistanceField,
    /// The world and the pursuers when it last decided to stay.
    content: Option<(Revision, Vec<Cell>)>,
}

impl fmt::Debug for Roamer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Roamer")
            .field("cell", &self.cell())
            .field("habit", &self.habit)
            .finish_non_exhaustive()
    }
}

impl Roamer {
    /// The maximum number of steps that one tick begins.
    pub const MAX_STEPS: usize = 256;

    /// Creates a roamer in a cell, with a speed in world units per unit of time.
    pub fn new(
        grid: &Grid,
        at: Cell,
        habit: Habit,
        speed: f64,
        agent: &Agent,
        seed: u64,
    ) -> Result<Roamer, UnitError> {
        check_speed(speed)?;
        Ok(Roamer {
            stride: Stride::standing(grid.frame(), at),
            habit,
            speed,
            agent: *agent,
            dice: Dice::new(seed),
            heading: None,
            field: DistanceField::default(),
            content: None,
        })
    }

    /// Returns its position in world coordinates.
    pub fn position(&self) -> Point {
        self.stride.position()
    }

    /// Returns the cell that it stands on, or the one that the step under way leads to.
    pub fn cell(&self) -> Cell {
        self.stride.cell()
    }

    /// Moves it to the centre of a cell.
    pub fn place(&mut self, grid: &Grid, cell: Cell) {
        self.stride = Stride::standing(grid.frame(), cell);
        (self.heading, self.content) = (None, None);
    }

    /// Advances time. A fleeing roamer flees from the cells of the pursuers.
    ///
    /// One tick begins at most [`Roamer::MAX_STEPS`] steps, so that it takes bounded time. Any time left over is lost.
    /// A time that is negative or NaN counts as zero.
    pub fn tick(&mut self, grid: &Grid, time: f64, pursuers: &[Cell]) {
        let view = grid.view(&self.agent);
        if !self.stride.is_standing() && self.stride.is_broken(&view) {
            self.stride.turn_back(grid.frame());
        }
        // `max` turns what is not a number into 0.
        let mut left = (self.speed * time).max(0.0);
        for begun in 0.. {
            if !self.stride.is_standing() {
                left -= self.stride.advance(left);
                if !self.stride.is_standing() {
                    return;
                }
            }
            if begun == Roamer::MAX_STEPS || !self.stride.is_enough(left) {
                return;
            }
            let step = self.decide(&view, pursuers);
            self.heading = step.or(self.heading);
            let Some(direction) = step else { return };
            self.stride.begin(grid.frame(), beside(self.stride.cell(), direction), Passage::Step);
        }
    }

    /// Returns the next step, if there is one to make.
    fn decide(&mut self, view: &GridView<'_>, pursuers: &[Cell]) -> Option<Direction> {
        let here = self.stride.cell();
        if !view.is_open(here) {
            return None;
        }
        let mut steps = Direction::ALL.to_vec();
        // On foot only: a link joins two cells, not what lies between them.
        steps.retain(|&direction| passage(view, here, beside(here, direction)) == Some(Passage::Step));
        match self.habit {
            Habit::Stay => None,
            Habit::Wander => {
                let ahead = self.heading.filter(|heading| steps.contains(heading));
                let goes_on = self.dice.below(100) < STRAIGHT_ON;
                let other = self.dice.below(steps.len() as u32) as usize;
                ahead.filter(|_| goes_on).or_else(|| steps.get(other).copied())
            }
            Habit::Flee => self.flee(view, here, &steps, pursuers),
        }
    }

    /// Returns the step that leads furthest away from the nearest pursuer: first by walking distance, then by
    /// straight-line distance. `None` if it is best to stay.
    fn flee(
        &mut self,
        view: &GridView<'_>,
        here: Cell,
        steps: &[Direction],
        pursuers: &[Cell],
    ) -> Option<Direction> {
        let now = view.grid().revision();
        let is_known = |(moment, known): &(Revision, Vec<Cell>)| *moment == now && known == pursuers;
        if self.content.as_ref().is_some_and(is_known) {
            return None;
        }
        let alarm = Range::Within(ALARM * self.agent.metric().straight_cells());
        let choices = || steps.iter().map(|&step| (Some(step), beside(here, step)));
        let mut best: Vec<(Cost, i64)> = vec![(Cost::MAX, i64::MAX); steps.len() + 1];
        for &pursuer in pursuers {
            let swept = self.field.run(*view, pursuer, alarm).is_ok();
            for ((on_foot, flown), (_, cell)) in
                best.iter_mut().zip([(None, here)].into_iter().chain(choices()))
            {
                let reached = view.grid().node(cell).filter(|_| swept).and_then(|node| self.field.cost(node));
                *on_foot = reached.unwrap_or(Cost::MAX).min(*on_foot);
                *flown = square(cell, pursuer).min(*flown);
            }
        }
        let (stays, goes) = best.split_first()?;
        let heading = self.heading;
        // Of equals the one straight ahead, then the first: `max_by_key` would take the last.
        let ranked = steps.iter().zip(goes).rev();
        let (&step, &value) = ranked.max_by_key(|(step, value)| (**value, heading == Some(**step)))?;
        let alarmed = stays.0 < Cost::MAX && value > *stays;
        self.content = (!alarmed).then(|| (now, pursuers.to_vec()));
        alarmed.then_some(step)
    }
}

fn beside(cell: Cell, direction: Direction) -> Cell {
    let (dx, dy) = direction.delta();
    cell.offset(dx, dy)
}

/// Returns the square of the distance between two cells.
fn square(a: Cell, b: Cell) -> i64 {
    let (dx, dy) = (i64::from(a.x) - i64::from(b.x), i64::from(a.y) - i64::from(b.y));
    dx.saturating_mul(dx).saturating_add(dy.saturating_mul(dy))
}
