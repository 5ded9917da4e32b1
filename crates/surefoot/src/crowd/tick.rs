//! A tick: plans, velocities, moves, and what becomes of them.

use crate::crowd::Crowd;
use crate::crowd::crowd::link_cost;
use crate::crowd::motion::{LONGEST_MOVE, Moved, Mover, SIGHT, Scratch, Surroundings};
use crate::crowd::near::Other;
use crate::crowd::route::Walker;
use crate::crowd::spec::{Avoidance, Event, Goal};
use crate::crowd::store::{Mode, NONE};
use crate::crowd::vector::Vec2;
use crate::crowd::walls::Walls;
use crate::parallel;
use crate::space::Cell;
use crate::world::grid::Grid;

/// How many units a thread takes at a time.
const PART: usize = 512;

/// A unit looks along its path once in so many ticks.
const LOOKS: u64 = 8;

/// A unit that is so near to its place has arrived.
const THERE: f64 = 0.1;

/// A unit that has been pushed so far away from its place walks back.
const PUSHED_AWAY: f64 = 1.2;

/// How much nearer a unit has to come for it to count as progress.
const PROGRESS: f64 = 0.25;

/// A unit that wants to move and is slower than this part of its speed waits.
const SLOW: f64 = 0.1;

/// Where a unit wants to go.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wish {
    wanted: Vec2,
    /// How far it is to its place.
    rest: f64,
    /// The next stop of its path.
    next: u32,
    follows: bool,
    is_lost: bool,
    is_last: bool,
}

impl Crowd {
    /// Moves all units for a time. Ticks of a game, such as a 60th of a second, are usual; longer ones are cut into parts in which no unit walks further than 0.4 cells.
    ///
    /// The grid may have been edited since the last tick. Times that are not positive do nothing.
    pub fn tick(&mut self, grid: &Grid, seconds: f64) {
        self.events.clear();
        if !(seconds > 0.0 && seconds.is_finite()) {
            return;
        }
        self.stats.ticks += 1;
        if self.waited.len() != grid.view(&self.agent).shape().node_bound() {
            self.waited.clear();
            self.waited.resize(grid.view(&self.agent).shape().node_bound(), 0.0);
        }
        self.follow_edits(grid);
        self.chase(grid);
        self.plan(grid);
        let fastest = self.units.speed.iter().fold(0.0_f64, |most, &speed| most.max(speed));
        // No tick needs more than a thousand parts.
        let parts = (fastest * seconds / (0.8 * LONGEST_MOVE)).ceil().clamp(1.0, 1000.0);
        for _ in 0..parts as u32 {
            self.walk(grid, seconds / parts);
        }
        if self.resolve_jams && self.avoidance == Avoidance::Orca {
            self.resolve(grid, seconds);
        }
    }

    /// One step of all units.
    fn walk(&mut self, grid: &Grid, seconds: f64) {
        let count = self.units.len();
        let parts = count.div_ceil(PART);
        if self.scratch.len() < parts {
            self.scratch.resize_with(parts, Scratch::default);
        }
        let mut wishes = std::mem::take(&mut self.wishes);
        wishes.resize(count, Wish::default());
        let walls = Walls::new(grid);
        let may_cut = grid.uniform_terrain().is_some();
        let mut scratch = std::mem::take(&mut self.scratch);
        let crowd = &*self;
        parallel::parts(&mut wishes, &mut scratch, PART, |first, part, _| {
            for (unit, wish) in (first..).zip(part) {
                *wish = crowd.wish(&walls, unit, seconds, may_cut);
            }
        });
        for (unit, wish) in wishes.iter().enumerate() {
            self.units.wanted[unit] = wish.wanted;
        }
        if self.avoidance == Avoidance::Reserve {
            self.walk_by_reservations(grid, &wishes, seconds);
        } else {
            self.gather();
            let mut moved = std::mem::take(&mut self.moved);
            moved.resize(count, Moved::default());
            let crowd = &*self;
            let held = Some(&crowd.jams.held).filter(|held| !held.is_empty());
            let surroundings =
                Surroundings { walls, near: &crowd.near, held, avoidance: crowd.avoidance, seconds };
            parallel::parts(&mut moved, &mut scratch, PART, |first, part, scratch| {
                for (unit, moved) in (first..).zip(part) {
                    *moved = crowd.step(grid, &surroundings, unit, scratch);
                }
            });
            for (unit, moved) in moved.iter().enumerate() {
                self.units.at[unit] = moved.at;
                self.units.velocity[unit] = moved.velocity;
            }
            self.moved = moved;
        }
        self.scratch = scratch;
        self.review(grid, &wishes, seconds);
        self.wishes = wishes;
    }

    /// Where a unit wants to go.
    fn wish(&self, walls: &Walls<'_>, unit: usize, seconds: f64, may_cut: bool) -> Wish {
        let units = &self.units;
        let at = units.at[unit];
        let speed = units.speed[unit] / walls.terrain(at);
        let toward = |to: Vec2, speed: f64| {
            let way = to - at;
            way.at_most(speed * seconds) * (1.0 / seconds)
        };
        if let Some(to) = self.jams.target(unit as u32, units) {
            return Wish { wanted: toward(to, speed), ..Wish::default() };
        }
        match units.mode[unit] {
            Mode::Walking => {}
            Mode::Arrived => {
                let is_chase = self
                    .orders
                    .get(units.order[unit] as usize)
                    .is_some_and(|order| matches!(order.goal, Goal::Unit { .. }));
                let place = self.place_of(walls, unit).filter(|_| !is_chase);
                let wanted = place.map_or(Vec2::ZERO, |place| toward(place, 0.5 * speed));
                return Wish { wanted, ..Wish::default() };
            }
            _ => return Wish::default(),
        }
        let looks = (self.stats.ticks + unit as u64).is_multiple_of(LOOKS);
        let walker = Walker {
            at,
            radius: units.radius[unit],
            looks,
            shortcut: if may_cut { f64::INFINITY } else { 1.5 },
        };
        let Some(lead) = units.route[unit].lead(&walker, walls) else { return Wish::default() };
        let distance = (lead.to - at).length();
        let wanted = if lead.goes_on {
            (lead.to - at).direction().map_or(Vec2::ZERO, |way| way * speed)
        } else {
            // So slow that it can stop there.
            toward(lead.to, speed.min((2.0 * units.acceleration[unit] * distance).sqrt() + 0.05))
        };
        Wish {
            wanted,
            rest: distance + lead.rest,
            next: lead.next,
            follows: true,
            is_lost: lead.is_lost,
            is_last: !lead.goes_on,
        }
    }

    /// Sorts units by where they are.
    fn gather(&mut self) {
        if self.avoidance == Avoidance::None {
            return;
        }
        let units = &self.units;
        let is_there = |unit: &usize| !matches!(units.mode[*unit], Mode::Gone | Mode::InLink);
        let others = (0..units.len()).filter(is_there).map(|unit| Other {
            at: units.at[unit],
            velocity: units.velocity[unit],
            radius: units.radius[unit],
            unit: unit as u32,
            is_firm: units.jam[unit] != NONE,
        });
        let widest =
            (0..units.len()).filter(is_there).fold(0.4, |most: f64, unit| most.max(units.radius[unit]));
        self.near.fill(2.0 * widest + SIGHT, others);
    }

    /// Moves a unit.
    fn step(
        &self,
        grid: &Grid,
        surroundings: &Surroundings<'_>,
        unit: usize,
        scratch: &mut Scratch,
    ) -> Moved {
        let units = &self.units;
        let at = units.at[unit];
        if matches!(units.mode[unit], Mode::Gone | Mode::InLink) {
            return Moved { at, velocity: Vec2::ZERO };
        }
        let walls = &surroundings.walls;
        let refuge = if walls.is_open(Walls::cell(at)) { None } else { self.refuge(grid, walls, at) };
        let mover = Mover {
            unit: unit as u32,
            at,
            velocity: units.velocity[unit],
            wanted: units.wanted[unit],
            radius: units.radius[unit],
            speed: units.speed[unit] / walls.terrain(at),
            acceleration: units.acceleration[unit],
            is_led: units.jam[unit] != NONE,
            refuge,
        };
        surroundings.step(&mover, scratch)
    }

    /// Where a unit in a wall leaves it.
    fn refuge(&self, grid: &Grid, walls: &Walls<'_>, at: Vec2) -> Option<Vec2> {
        let view = grid.view(&self.agent);
        let cell = crate::world::nearest::nearest_open(&view, grid.frame().point_at([at.x, at.y, 0.0]))?;
        grid.node(cell).map(|node| walls.middle(node))
    }

    /// Looks at what has become of all units.
    fn review(&mut self, grid: &Grid, wishes: &[Wish], seconds: f64) {
        let walls = Walls::new(grid);
        for (unit, wish) in wishes.iter().enumerate() {
            match self.units.mode[unit] {
                Mode::Walking => self.review_walk(grid, &walls, unit, wish, seconds),
                Mode::InLink => self.ride(&walls, unit, seconds),
                Mode::Arrived => {
                    let is_away = self.place_of(&walls, unit).is_some_and(|place| {
                        (place - self.units.at[unit]).square() > PUSHED_AWAY * PUSHED_AWAY
                    });
                    let order = self.units.order[unit] as usize;
                    let is_chase =
                        self.orders.get(order).is_none_or(|order| matches!(order.goal, Goal::Unit { .. }));
                    if is_away && !is_chase && self.units.jam[unit] == NONE {
                        self.units.mode[unit] = Mode::Walking;
                        self.units.progress[unit].restart();
                        self.units.route[unit].clear();
                        self.enqueue(unit);
                    }
                }
                _ => {}
            }
        }
    }

    fn review_walk(&mut self, grid: &Grid, walls: &Walls<'_>, unit: usize, wish: &Wish, seconds: f64) {
        if self.units.jam[unit] != NONE || !wish.follows {
            return;
        }
        let at = self.units.at[unit];
        let route = &mut self.units.route[unit];
        let before = route.steps_done();
        route.set_next(wish.next);
        let done = route.steps_done();
        if done != before
            && let Some(id) = self.units.subscription[unit]
        {
            self.subscriptions.advance(id, done);
        }
        if wish.is_lost {
            self.enqueue(unit);
        }
        let progress = &mut self.units.progress[unit];
        if wish.rest < progress.least - PROGRESS || progress.least == f64::INFINITY {
            progress.least = wish.rest;
            progress.stalled = 0.0;
        } else {
            progress.stalled += seconds;
            progress.longest = progress.longest.max(progress.stalled);
        }
        let slow = SLOW * wish.wanted.length();
        if self.units.velocity[unit].square() < slow * slow
            && let Some(node) = walls.node(at)
            && let Some(waited) = self.waited.get_mut(node.index())
        {
            *waited += seconds as f32;
        }
        if let Some(link) = self.units.route[unit].link_ahead()
            && (walls.middle(link[0]) - at).length() < 2.0 * THERE
        {
            self.enter(grid, unit, link);
        } else if wish.is_last && self.is_there(walls, unit) {
            self.arrive(unit);
        }
    }

    fn is_there(&self, walls: &Walls<'_>, unit: usize) -> bool {
        self.place_of(walls, unit).is_some_and(|place| (place - self.units.at[unit]).square() < THERE * THERE)
    }

    /// A unit enters a link.
    fn enter(&mut self, grid: &Grid, unit: usize, link: [crate::id::NodeId; 2]) {
        let Some(cost) = link_cost(grid, link) else {
            self.enqueue(unit);
            return;
        };
        self.units.mode[unit] = Mode::InLink;
        self.units.timer[unit] = cost * self.link_seconds;
        self.units.velocity[unit] = Vec2::ZERO;
        self.riding.insert(unit as u32, link);
        self.events.push(Event::LinkEntered { id: self.units.id(unit), from: link[0], to: link[1] });
    }

    /// A unit inside a link comes out when its time is over and there is room for it.
    fn ride(&mut self, walls: &Walls<'_>, unit: usize, seconds: f64) {
        self.units.timer[unit] -= seconds;
        let Some(&[_, to]) = self.riding.get(&(unit as u32)) else { return };
        let at = walls.middle(to);
        if self.units.timer[unit] > 0.0 || !walls.is_open(Cell::new(at.x.floor() as i32, at.y.floor() as i32))
        {
            return;
        }
        let radius = self.units.radius[unit];
        let mut is_free = true;
        if self.avoidance != Avoidance::None {
            let units = &self.units;
            let is_near = |other: usize| {
                let radii = radius + units.radius[other];
                other != unit
                    && !matches!(units.mode[other], Mode::Gone | Mode::InLink)
                    && (units.at[other] - at).square() < radii * radii
            };
            is_free = !(0..units.len()).any(is_near);
        }
        if is_free {
            self.riding.remove(&(unit as u32));
            self.units.timer[unit] = 0.0;
            self.units.at[unit] = at;
            self.units.mode[unit] = Mode::Walking;
            self.units.route[unit].pass_link();
            self.units.progress[unit].restart();
            if self.units.order[unit] == NONE {
                self.units.mode[unit] = Mode::Idle;
            } else {
                // The order may have changed inside.
                self.enqueue(unit);
            }
            self.events.push(Event::LinkLeft { id: self.units.id(unit), at: to });
        }
    }
}

impl Wish {
    pub(super) fn wanted(&self) -> Vec2 {
        self.wanted
    }
}
