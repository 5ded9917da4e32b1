//! The part of an agent that flies: its position, and what it has decided to do.
//!
//! It decides nothing itself. What it does is decided by a [`Mind`](super::mind::Mind), which may work on a copy of the body in another
//! thread: [`Body::show_to`] makes the copy, and [`Body::adopt`] checks and takes what was decided.

use crate::agent::Agent;
use crate::flight::evade::{can_leave, step_toward};
use crate::flight::spec::{FlightError, PilotSpec, State};
use crate::search::Why;
use crate::space::{Point, Voxel};
use crate::world::dynamic::DynamicWorld;
use crate::world::voxels::{VoxelView, Voxels};

/// The cells that agents fly through.
pub(super) trait Sky {
    /// Returns the cells as they are.
    fn voxels(&self) -> &Voxels;

    /// Returns whether a cell is solid even without obstacles.
    fn is_static(&self, cell: Voxel) -> bool;
}

impl Sky for DynamicWorld {
    fn voxels(&self) -> &Voxels {
        DynamicWorld::voxels(self)
    }

    fn is_static(&self, cell: Voxel) -> bool {
        DynamicWorld::is_static(self, cell)
    }
}

/// What a decision has changed of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Revised {
    Nothing,
    /// Its last point.
    End,
    All,
}

/// What an agent does instead of flying along its path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Detour {
    Nothing,
    Wait,
    /// It evades: first to one point, then to another.
    Refuge([Point; 2]),
}

/// An agent as it flies.
#[derive(Debug)]
pub(super) struct Body {
    pub agent: Agent,
    /// World units per unit of time.
    pub speed: f64,
    pub at: Point,
    pub goal: Point,
    /// Whether its position has been checked since it was placed.
    pub settled: bool,
    /// The nearest point to the goal where it can be.
    pub aim: Option<Point>,
    /// The points that its path leads to, and how many of them it has passed.
    pub path: Vec<Point>,
    pub passed: usize,
    pub revised: Revised,
    pub detour: Detour,
    /// Whether the plan does not hold: it has to plan even if nothing changes.
    pub halted: bool,
    pub arrived: bool,
    pub why: Option<Why>,
    pub travelled: f64,
}

impl Body {
    pub fn new(spec: &PilotSpec<'_>) -> Result<Body, FlightError> {
        check_speed(spec.speed)?;
        Ok(Body {
            agent: spec.agent,
            speed: spec.speed,
            at: spec.at,
            goal: spec.goal,
            settled: false,
            aim: None,
            path: Vec::new(),
            passed: 0,
            revised: Revised::Nothing,
            detour: Detour::Nothing,
            halted: false,
            arrived: false,
            why: None,
            travelled: 0.0,
        })
    }

    pub fn state(&self) -> State {
        match (self.detour, self.why) {
            _ if self.arrived => State::Arrived,
            (Detour::Refuge(_), _) => State::Evading,
            (_, Some(why)) => State::Stuck(why),
            (Detour::Wait, None) => State::Waiting,
            (Detour::Nothing, None) if self.path().is_empty() => State::Waiting,
            (Detour::Nothing, None) => State::Flying,
        }
    }

    /// The point that it evades to.
    pub fn refuge(&self) -> Option<Point> {
        if let Detour::Refuge([_, to]) = self.detour { Some(to) } else { None }
    }

    /// The points that it will fly to, in order.
    pub fn path(&self) -> &[Point] {
        &self.path[self.passed..]
    }

    pub fn set_speed(&mut self, speed: f64) -> Result<(), FlightError> {
        check_speed(speed)?;
        self.speed = speed;
        Ok(())
    }

    /// Sets its goal; whether that is another one.
    pub fn set_goal(&mut self, goal: Point) -> bool {
        let differs = self.goal != goal;
        if differs {
            (self.goal, self.aim, self.arrived) = (goal, None, false);
        }
        differs
    }

    /// Moves it to a point.
    pub fn place(&mut self, at: Point) {
        (self.at, self.settled, self.arrived, self.why) = (at, false, false, None);
        self.lose_path();
    }

    /// Forgets its path, which no longer begins where it is.
    pub fn lose_path(&mut self) {
        self.path.clear();
        (self.passed, self.revised) = (0, Revised::All);
    }

    /// Flies for a time, as decided. It stops before a box of cell centres that has closed since.
    pub fn fly(&mut self, sky: &impl Sky, time: f64) {
        let view = sky.voxels().view(&self.agent);
        // `max` turns what is not a number into 0.
        let mut left = (self.speed * time).max(0.0);
        if self.arrived || !self.settled || self.detour == Detour::Wait {
            return;
        }
        if let Detour::Refuge(stops) = self.detour {
            let caught = !view.is_clear(self.at, self.at);
            for stop in stops {
                let to = step_toward(self.at, stop, left);
                let may_go = if caught {
                    can_leave(sky, &view, &self.agent, self.at, to)
                } else {
                    view.is_clear(self.at, to)
                };
                if !may_go {
                    return;
                }
                left -= self.go(to);
            }
            return;
        }
        while left > 0.0
            && let Some(&next) = self.path.get(self.passed)
        {
            let to = step_toward(self.at, next, left);
            if !view.is_clear(self.at, to) {
                (self.halted, self.detour) = (true, Detour::Wait);
                return;
            }
            left -= self.go(to);
            // What rounding leaves over would not move it any more.
            if to != next {
                break;
            }
            self.passed += 1;
        }
        self.arrived = self.path().is_empty() && self.why.is_none() && self.aim == Some(self.at);
    }

    /// Goes to a point; returns how far that is.
    fn go(&mut self, to: Point) -> f64 {
        let flown = self.at.distance(to);
        self.travelled += flown;
        self.at = to;
        flown
    }

    /// Makes a copy for a mind that works while this one flies on.
    pub fn show_to(&mut self, copy: &mut Body) {
        let mut path = std::mem::take(&mut copy.path);
        path.clear();
        path.extend_from_slice(self.path());
        *copy = Body { path, passed: 0, revised: Revised::Nothing, ..*self };
        // It is told this once: it will have planned when it answers, or the answer is refused.
        self.halted = false;
    }

    /// Takes what was decided for a [copy](Body::show_to) of it, which has not flown since then, `from` where the copy was. Returns `false` if
    /// that does not hold in the cells as they are now: then nothing changes, and it has to plan again.
    pub fn adopt(&mut self, decided: &mut Body, from: Point, voxels: &Voxels) -> bool {
        let view = voxels.view(&self.agent);
        let is_good = self.take(decided, from, &view);
        self.halted |= !is_good;
        is_good
    }

    fn take(&mut self, decided: &mut Body, mut from: Point, view: &VoxelView<'_>) -> bool {
        if !self.settled && decided.settled {
            // It has been moved to where it can be.
            from = decided.at;
            if !view.is_clear(from, from) {
                return false;
            }
        }
        let at = if self.settled { self.at } else { decided.at };
        let is_caught = !view.is_clear(at, at);
        let is_clear = |line: [Point; 2]| view.is_clear(line[0], line[1]);
        // Where a cell has closed around it, each step is checked by its own rule.
        if let Detour::Refuge([via, to]) = decided.detour
            && !is_caught
            && !(is_clear([at, via]) && is_clear([via, to]))
        {
            return false;
        }
        match decided.revised {
            Revised::Nothing => {}
            Revised::End => {
                let Some(&end) = decided.path().last() else { return false };
                let before = self.path().iter().rev().nth(1).copied().unwrap_or(at);
                if !is_clear([before, end]) {
                    return false;
                }
                if !self.path().is_empty() {
                    self.path.pop();
                }
                self.path.push(end);
            }
            Revised::All => {
                join(at, from, decided, view);
                if !legs(at, decided.path()).all(is_clear) {
                    return false;
                }
                std::mem::swap(&mut self.path, &mut decided.path);
                self.passed = decided.passed;
            }
        }
        (self.at, self.settled, self.aim) = (at, decided.settled, decided.aim);
        (self.detour, self.why) = (decided.detour, decided.why);
        true
    }
}

/// Lets a path that begins at one point begin at another, to which the agent has flown meanwhile.
fn join(at: Point, from: Point, decided: &mut Body, view: &VoxelView<'_>) {
    let Some(&first) = decided.path().first() else { return };
    if at == from {
        return;
    }
    if decided.path().get(1).is_some_and(|&second| view.is_clear(at, second)) {
        decided.passed += 1;
    } else if !view.is_clear(at, first) && view.is_clear(at, from) {
        // Back to where it was.
        decided.path.insert(decided.passed, from);
    }
}

/// The straight lines of a path, from where the agent is.
pub(super) fn legs(at: Point, path: &[Point]) -> impl Iterator<Item = [Point; 2]> + '_ {
    let first = path.first().map(|&first| [at, first]);
    first.into_iter().chain(path.windows(2).map(|pair| [pair[0], pair[1]]))
}

fn check_speed(speed: f64) -> Result<(), FlightError> {
    if speed >= 0.0 && speed.is_finite() { Ok(()) } else { Err(FlightError::Speed(speed)) }
}
