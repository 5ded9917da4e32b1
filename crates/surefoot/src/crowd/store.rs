//! The state of all units, one list for each property.

use super::route::Route;
use super::spec::{State, StuckReason, UnitId, UnitSpec};
use super::vector::Vec2;
use crate::id::NodeId;
use crate::replan::SubscriptionId;

/// No unit, order or jam.
pub(super) const NONE: u32 = u32::MAX;

/// What a unit is doing, as the crowd needs to know it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// There is no such unit.
    #[default]
    Gone,
    Idle,
    Waiting,
    Walking,
    InLink,
    Arrived,
    Stuck,
}

/// How far a unit has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The least distance that was left.
    pub least: f64,
    /// For how many seconds it has not become less.
    pub stalled: f64,
    /// The longest time without progress since the order.
    pub longest: f64,
}

impl Progress {
    pub const NEW: Progress = Progress { least: f64::INFINITY, stalled: 0.0, longest: 0.0 };

    /// Begins again, with another path.
    pub fn restart(&mut self) {
        self.least = f64::INFINITY;
    }
}

/// The state of all units, by number.
#[derive(Debug, Default)]
pub(super) struct Store {
    pub generation: Vec<u32>,
    pub mode: Vec<Mode>,
    pub reason: Vec<StuckReason>,
    pub at: Vec<Vec2>,
    pub velocity: Vec<Vec2>,
    pub wanted: Vec<Vec2>,
    pub radius: Vec<f64>,
    pub speed: Vec<f64>,
    pub acceleration: Vec<f64>,
    pub group: Vec<u32>,
    /// The agent that plans for it.
    pub class: Vec<u16>,
    pub order: Vec<u32>,
    /// Its own goal.
    pub place: Vec<NodeId>,
    pub route: Vec<Route>,
    pub progress: Vec<Progress>,
    pub subscription: Vec<Option<SubscriptionId>>,
    /// Whether it waits for a path.
    pub is_queued: Vec<bool>,
    pub planned_at: Vec<u64>,
    pub plans: Vec<u64>,
    /// The seconds left in a link, or until it tries again.
    pub timer: Vec<f64>,
    pub jam: Vec<u32>,
    /// How many jams it has been in lately; those that failed count twice.
    pub trouble: Vec<u8>,
    /// For how many seconds it has not been in a jam.
    pub calm: Vec<f64>,
    free: Vec<u32>,
}

impl Store {
    pub fn len(&self) -> usize {
        self.mode.len()
    }

    pub fn live(&self) -> usize {
        self.mode.len() - self.free.len()
    }

    pub fn add(&mut self, spec: &UnitSpec, class: u16) -> UnitId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.extend();
            self.mode.len() as u32 - 1
        });
        let unit = index as usize;
        self.mode[unit] = Mode::Idle;
        self.at[unit] = Vec2::new(spec.at[0], spec.at[1]);
        (self.velocity[unit], self.wanted[unit]) = (Vec2::ZERO, Vec2::ZERO);
        (self.radius[unit], self.speed[unit]) = (spec.radius, spec.speed);
        (self.acceleration[unit], self.group[unit]) = (spec.acceleration, spec.group);
        (self.class[unit], self.order[unit], self.place[unit]) = (class, NONE, NodeId::NONE);
        self.route[unit].clear();
        self.progress[unit] = Progress::NEW;
        (self.is_queued[unit], self.planned_at[unit], self.plans[unit]) = (false, 0, 0);
        (self.timer[unit], self.jam[unit]) = (0.0, NONE);
        (self.trouble[unit], self.calm[unit]) = (0, 0.0);
        UnitId { index, generation: self.generation[unit] }
    }

    fn extend(&mut self) {
        self.generation.push(0);
        self.mode.push(Mode::Gone);
        self.reason.push(StuckReason::Jammed);
        self.at.push(Vec2::ZERO);
        self.velocity.push(Vec2::ZERO);
        self.wanted.push(Vec2::ZERO);
        self.radius.push(0.0);
        self.speed.push(0.0);
        self.acceleration.push(0.0);
        self.group.push(0);
        self.class.push(0);
        self.order.push(NONE);
        self.place.push(NodeId::NONE);
        self.route.push(Route::default());
        self.progress.push(Progress::NEW);
        self.subscription.push(None);
        self.is_queued.push(false);
        self.planned_at.push(0);
        self.plans.push(0);
        self.timer.push(0.0);
        self.jam.push(NONE);
        self.trouble.push(0);
        self.calm.push(0.0);
    }

    pub fn remove(&mut self, unit: usize) {
        self.mode[unit] = Mode::Gone;
        self.generation[unit] = self.generation[unit].wrapping_add(1);
        self.free.push(unit as u32);
    }

    /// The number of a unit that exists.
    pub fn find(&self, id: UnitId) -> Option<usize> {
        let unit = id.index as usize;
        let exists = self.generation.get(unit) == Some(&id.generation) && self.mode[unit] != Mode::Gone;
        exists.then_some(unit)
    }

    pub fn id(&self, unit: usize) -> UnitId {
        UnitId { index: unit as u32, generation: self.generation[unit] }
    }

    pub fn state(&self, unit: usize) -> State {
        match self.mode[unit] {
            Mode::Gone | Mode::Idle => State::Idle,
            Mode::Waiting => State::Waiting,
            Mode::Walking => State::Walking,
            Mode::InLink => State::InLink,
            Mode::Arrived => State::Arrived,
            Mode::Stuck => State::Stuck(self.reason[unit]),
        }
    }
}
