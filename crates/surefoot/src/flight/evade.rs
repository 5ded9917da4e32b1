//! Where an agent goes to evade obstacles.

use std::cmp::Ordering;

use crate::agent::Agent;
use crate::flight::body::Sky;
use crate::flight::forecast::{Forecast, MOMENTS, time_of};
use crate::space::{Point, Voxel};
use crate::world::clear::Span;
use crate::world::dynamic::DynamicWorld;
use crate::world::voxels::VoxelView;

/// The largest distance at which an agent looks for a place to evade to, in cells along each axis.
const FARTHEST: i32 = 3;

/// What an agent knows about its surroundings in the next half second.
pub(super) struct Outlook<'a> {
    pub world: &'a DynamicWorld,
    pub view: VoxelView<'a>,
    pub forecast: &'a Forecast,
    pub agent: Agent,
    /// World units per unit of time.
    pub speed: f64,
    /// The numbers of the obstacles that can come near the agent.
    pub near: &'a [u32],
}

/// How far from an agent obstacles matter to it, in cells: as far as it gets within the horizon or looks for a place to evade to.
pub(super) fn sight(agent: &Agent, cells_ahead: i32) -> i32 {
    cells_ahead.max(FARTHEST) + reach_of(agent) + 2
}

/// How far an agent gets within the horizon, in cells.
pub(super) fn cells_ahead(speed: f64, cell_size: f64) -> i32 {
    (speed * time_of(MOMENTS - 1) / cell_size).ceil().min(1e6) as i32
}

/// How safe a course is in the next half second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Exposure {
    /// At how many moments a cell around the agent is closed.
    closed: usize,
    /// How many moments before the last the first of them is.
    early: usize,
}

impl Exposure {
    pub fn is_none(self) -> bool {
        self.closed == 0
    }
}

impl Outlook<'_> {
    /// Returns the exposure of an agent whose place at each moment is given.
    pub fn exposure(&self, place_at: impl Fn(f64) -> Point) -> Exposure {
        let mut exposure = Exposure { closed: 0, early: 0 };
        for moment in 0..MOMENTS {
            let place = place_at(self.speed * time_of(moment));
            let is_closed = |cell: Voxel| self.will_be_closed(moment, cell);
            if any_cell(self.view.cells_around(place), is_closed) {
                exposure.closed += 1;
                exposure.early = exposure.early.max(MOMENTS - moment);
            }
        }
        exposure
    }

    /// Returns whether a cell will be closed to the agent at a moment. A cell that is closed now is not assumed to
    /// open.
    fn will_be_closed(&self, moment: usize, cell: Voxel) -> bool {
        !self.view.is_open(cell)
            || any_near(&self.agent, cell, |near| self.forecast.covers(self.near, moment, near))
    }

    /// Returns the place to evade to: of the places that the agent can reach, the one around which cells stay open
    /// longest. Among equals, the one with the shortest detour to where the agent was going wins. If no place is
    /// better, it is the current one.
    ///
    /// The agent goes straight there, or first to the centre of a cell around it. If a cell around it is already
    /// closed, it has to leave. It then takes the shortest line out, and keeps away from solid cells that do not move.
    pub fn refuge(&self, at: Point, next: Point) -> Option<Refuge> {
        let frame = *self.view.voxels().frame();
        let is_caught = !self.view.is_clear(at, at);
        let detour = |flown: f64, to: Point| if is_caught { flown } else { flown + to.distance(next) };
        let mut best = (!is_caught).then(|| Refuge {
            via: at,
            to: at,
            exposure: self.exposure(|_| at),
            detour: detour(0.0, at),
        });
        let mut offer = |via: Point, to: Point| {
            let (first, second) = (at.distance(via), via.distance(to));
            let place_at = |flown: f64| {
                if flown < first { step_toward(at, via, flown) } else { step_toward(via, to, flown - first) }
            };
            let offer =
                Refuge { via, to, exposure: self.exposure(place_at), detour: detour(first + second, to) };
            if best.as_ref().is_none_or(|best| offer.is_better_than(best)) {
                best = Some(offer);
            }
        };
        let nearest = is_caught.then(|| self.view.nearest_clear_point(at)).flatten();
        if let Some(nearest) = nearest.filter(|&nearest| self.can_leave(at, nearest)) {
            offer(nearest, nearest);
        }
        let reach = (cells_ahead(self.speed, frame.cell_size()) + 1).clamp(1, FARTHEST);
        let here = frame.voxel_at(at);
        any_cell([[-reach, reach]; 3], |Voxel { x, y, z }| {
            let to = frame.voxel_centre(here.offset(x, y, z));
            if is_caught {
                if self.view.is_clear(to, to) && self.can_leave(at, to) {
                    offer(to, to);
                }
            } else if self.view.is_clear(at, to) {
                offer(to, to);
            } else if self.view.is_clear(to, to) {
                // All cells around the agent are open, so it can get to their centres.
                any_cell(self.view.cells_around(at), |cell| {
                    let via = frame.voxel_centre(cell);
                    if self.view.is_clear(via, to) {
                        offer(via, to);
                    }
                    false
                });
            }
            false
        });
        best
    }

    fn can_leave(&self, at: Point, to: Point) -> bool {
        can_leave(self.world, &self.view, &self.agent, at, to)
    }
}

/// Where to evade to.
pub(super) struct Refuge {
    /// Where to go first; the same as `to` if that can be reached in a straight line.
    pub via: Point,
    pub to: Point,
    /// The exposure on the way there and afterwards.
    pub exposure: Exposure,
    detour: f64,
}

impl Refuge {
    fn is_better_than(&self, other: &Refuge) -> bool {
        match self.exposure.cmp(&other.exposure) {
            Ordering::Equal => self.detour < other.detour,
            order => order == Ordering::Less,
        }
    }
}

/// Returns whether an agent around which a cell is closed may go along a line: it keeps away from cells that stay
/// solid, whatever obstacles do. Where such a cell has come too close, all lines lead out.
pub(super) fn can_leave(sky: &impl Sky, view: &VoxelView<'_>, agent: &Agent, at: Point, to: Point) -> bool {
    let is_fixed = |cell| !sky.voxels().contains(cell) || sky.is_static(cell);
    let stands = |cell: Voxel| !any_near(agent, cell, is_fixed);
    view.is_clear_where(at, to, stands) || !view.is_clear_where(at, at, stands)
}

/// Returns the point at a distance towards another point, at most that point.
pub(super) fn step_toward(from: Point, to: Point, distance: f64) -> Point {
    let length = from.distance(to);
    if length > distance { from.toward(to, distance.max(0.0) / length) } else { to }
}

/// How far from a cell a solid one keeps an agent away, along each axis.
fn reach_of(agent: &Agent) -> i32 {
    (agent.needed_clearance().saturating_sub(1).isqrt() as i32 + 1) / 2
}

/// Returns whether any of the cells that keep an agent away from a cell if they are solid has a property.
fn any_near(agent: &Agent, cell: Voxel, has: impl Fn(Voxel) -> bool) -> bool {
    let (reach, needed) = (reach_of(agent), agent.needed_clearance());
    let gap = |apart: i32| (2 * apart.unsigned_abs()).saturating_sub(1).pow(2);
    any_cell([[-reach, reach]; 3], |Voxel { x, y, z }| {
        gap(x) + gap(y) + gap(z) < needed && has(cell.offset(x, y, z))
    })
}

/// Returns whether a cell of a box has a property.
fn any_cell([xs, ys, zs]: Span<3>, mut has: impl FnMut(Voxel) -> bool) -> bool {
    (zs[0]..=zs[1]).any(|z| (ys[0]..=ys[1]).any(|y| (xs[0]..=xs[1]).any(|x| has(Voxel { x, y, z }))))
}
