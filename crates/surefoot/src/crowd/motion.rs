//! One tick of one unit: which velocity it takes, and how far it gets.

use super::jam::Held;
use super::near::{Neighbourhood, Other};
use super::orca::{self, Encounter, HalfPlane};
use super::spec::Avoidance;
use super::vector::Vec2;
use super::walls::{self, Contact, Walls};

/// For how many seconds a velocity has to be free of collisions with other units.
const AHEAD: f64 = 1.0;

/// In how many seconds a unit may come to a wall, at most as fast as that.
const TO_WALLS: f64 = 0.1;

/// In how many seconds units that overlap are to be separated.
const TO_SEPARATE: f64 = 0.1;

/// Which distance units keep from each other if they can, in cells.
const DISTANCE: f64 = 0.15;

/// How many neighbours a velocity takes into account.
const MOST_NEIGHBOURS: usize = 10;

/// What is left between circles that touch, so that rounding does not let them overlap.
const SLACK: f64 = 1e-7;

/// How far away neighbours matter, besides the radii.
pub(super) const SIGHT: f64 = 2.2;

/// The furthest that a unit goes at once, in cells.
pub(super) const LONGEST_MOVE: f64 = 0.4;

/// A unit that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    pub unit: u32,
    pub at: Vec2,
    pub velocity: Vec2,
    pub wanted: Vec2,
    pub radius: f64,
    /// What it can reach on this terrain.
    pub speed: f64,
    pub acceleration: f64,
    /// Whether it follows a common plan, and does not choose a velocity of its own.
    pub is_led: bool,
    /// Where it leaves the wall in which it is.
    pub refuge: Option<Vec2>,
}

/// Where a unit is after a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moved {
    pub at: Vec2,
    pub velocity: Vec2,
}

/// Lists that are filled anew for each unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    contacts: Vec<Contact>,
    planes: Vec<HalfPlane>,
    buffer: Vec<HalfPlane>,
    nearest: Vec<(f64, Encounter)>,
}

/// What all units move in.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub walls: Walls<'a>,
    pub near: &'a Neighbourhood,
    /// Cells that units without a common plan do not enter.
    pub held: Option<&'a Held>,
    pub avoidance: Avoidance,
    pub seconds: f64,
}

impl Surroundings<'_> {
    /// Moves a unit.
    pub fn step(&self, mover: &Mover, scratch: &mut Scratch) -> Moved {
        let Scratch { contacts, planes, buffer, nearest } = scratch;
        contacts.clear();
        planes.clear();
        nearest.clear();
        let seconds = self.seconds;
        let held = self.held.filter(|_| !mover.is_led);
        // A unit in a wall goes straight to where it can leave it.
        let is_buried = self.walls.around(mover.at, mover.radius, LONGEST_MOVE, held, contacts);
        if is_buried {
            contacts.clear();
        }
        let wall_count = contacts.len();
        let mut push = Vec2::ZERO;
        for contact in contacts.iter_mut() {
            contact.room -= SLACK;
            if contact.room < -SLACK {
                push += contact.normal * contact.room;
            }
        }
        if self.avoidance != Avoidance::None {
            self.near.for_each(mover.at, |other| {
                if other.unit != mover.unit {
                    self.meet(mover, other, contacts, nearest, &mut push);
                }
            });
        }
        let mut velocity = mover.wanted;
        if let Some(refuge) = mover.refuge.filter(|_| is_buried) {
            velocity = (refuge - mover.at).direction().map_or(Vec2::ZERO, |way| way * mover.speed);
        } else if !mover.is_led {
            if self.avoidance == Avoidance::Orca {
                for contact in contacts.iter().take(wall_count) {
                    let offset = -contact.room.max(0.0) / TO_WALLS;
                    if -offset < mover.speed {
                        planes.push(HalfPlane { normal: -contact.normal, offset });
                    }
                }
                let wall_planes = planes.len();
                let planned = nearest
                    .iter()
                    .filter_map(|(_, other)| orca::avoid(mover.velocity, other, AHEAD, TO_SEPARATE));
                planes.extend(planned);
                velocity = orca::choose(planes, wall_planes, velocity, mover.speed, buffer);
            }
            let change = velocity - mover.velocity;
            velocity = mover.velocity + change.at_most(mover.acceleration * seconds);
        }
        let push = push.at_most(LONGEST_MOVE / 8.0);
        let way = (velocity * seconds).at_most(LONGEST_MOVE - LONGEST_MOVE / 8.0) + push;
        let way = walls::limit(way, contacts);
        Moved { at: mover.at + way, velocity: way * (1.0 / seconds) }
    }

    /// Adds what a neighbour forbids.
    #[inline]
    fn meet(
        &self,
        mover: &Mover,
        other: &Other,
        contacts: &mut Vec<Contact>,
        nearest: &mut Vec<(f64, Encounter)>,
        push: &mut Vec2,
    ) {
        let to = other.at - mover.at;
        let radii = mover.radius + other.radius;
        let square = to.square();
        let sight = radii + SIGHT;
        if square > sight * sight {
            return;
        }
        let distance = square.sqrt();
        let gap = distance - radii;
        if gap < 2.0 * LONGEST_MOVE {
            // Each of the two may use half of what is between them, so that they cannot overlap whatever both do.
            let normal = if distance > 1e-9 { to * (1.0 / distance) } else { apart(mover.unit, other.unit) };
            contacts.push(Contact { normal, room: gap / 2.0 - SLACK });
            if gap < 0.0 {
                *push += normal * (gap / 2.0);
            }
        }
        if self.avoidance != Avoidance::Orca || mover.is_led {
            return;
        }
        if nearest.len() == MOST_NEIGHBOURS && nearest[MOST_NEIGHBOURS - 1].0 <= gap {
            return;
        }
        let share = if other.is_firm { 1.0 } else { 0.5 };
        let encounter = Encounter { to, velocity: other.velocity, radii: radii + DISTANCE, share };
        let place = nearest.partition_point(|(other, _)| *other <= gap);
        nearest.truncate(MOST_NEIGHBOURS - 1);
        nearest.insert(place.min(nearest.len()), (gap, encounter));
    }
}

/// A direction for two units in the same place: opposite for the two.
fn apart(unit: u32, other: u32) -> Vec2 {
    if unit < other { Vec2::new(1.0, 0.0) } else { Vec2::new(-1.0, 0.0) }
}
