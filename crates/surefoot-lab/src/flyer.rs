//! The flyer of a board: an agent in flight, how long its plans take, and what the page is told of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use surefoot::flight::{Forecast, Pilot, PilotSpec, State};
use surefoot::prelude::*;
use surefoot::scene::Scene;
use surefoot::search::observe::{Action, Event, Observer};
use surefoot::world::dynamic::DynamicWorld;

use crate::cast::Work;
use crate::clocks::Clocks;
use crate::hits::Hits;
use crate::limits::TICK;
use crate::movement;
use crate::protocol::UnitReport;
use crate::question::Question;

/// The flyer of a board.
pub struct Flyer {
    pub board: u8,
    algorithm: &'static Algorithm,
    pilot: Pilot,
    /// The cells of its path that the page was told of last.
    told: Option<Vec<Voxel>>,
    /// The plans since the last report: how many, what they did, how long they took.
    work: Option<Work>,
    /// Whether the page is told what plans look at.
    is_watched: bool,
    /// What the last plan looked at.
    seen: Seen,
    hits: Hits,
    clocks: Clocks,
}

/// The nodes that a plan looked at.
#[derive(Default)]
struct Seen {
    nodes: Vec<NodeId>,
    /// Those of the present call.
    now: Vec<NodeId>,
    /// Whether the page has not been told of them.
    is_new: bool,
    /// Whether the search was observed only in part, so that it knows of more nodes.
    is_partial: bool,
}

impl Observer for Seen {
    fn on(&mut self, event: &Event) {
        if event.action == Action::Close {
            self.now.push(event.node);
        }
    }
}

impl Flyer {
    /// An agent at a place in the world of a scene. What plans look at is noted if they are `watch`ed; `guarded` repairs are given up in time.
    pub fn new(
        board: u8,
        question: &Question,
        scene: &Arc<Scene>,
        spec: PilotSpec<'_>,
        watch: bool,
        guarded: bool,
    ) -> Result<Flyer, String> {
        let Question { algorithm, options, agent, .. } = question;
        let spec = PilotSpec { agent: *agent, algorithm: algorithm.name, options: *options, ..spec };
        let mut pilot = Pilot::new(&spec).map_err(|error| format!("live: {error}"))?;
        // Always on, at little cost: a page that starts to watch then sees what the last repair did.
        pilot.set_logging(true);
        pilot.set_guarded(guarded);
        let (seen, clocks) = (Seen::default(), Clocks::default());
        let hits = Hits::new(scene, agent.radius() * scene.frame.cell_size());
        Ok(Flyer { board, algorithm, pilot, told: None, work: None, is_watched: watch, seen, hits, clocks })
    }

    pub fn pilot(&self) -> &Pilot {
        &self.pilot
    }

    /// Switches reports about what plans looked at on or off. The plan is kept; the next report covers all of it.
    pub fn set_watched(&mut self, on: bool) {
        self.is_watched = on;
        self.seen.is_new = !self.seen.nodes.is_empty();
        self.seen.is_partial = self.pilot.finder().is_some();
    }

    /// Puts it elsewhere.
    pub fn place(&mut self, at: Point) {
        self.pilot.place(at);
    }

    /// Gives it a goal. One that moves by itself ends the flight once it is reached.
    pub fn aim(&mut self, goal: Point, moves: bool) {
        if !(moves && self.pilot.state() == State::Arrived) {
            self.pilot.set_goal(goal);
        }
    }

    /// Thinks; plans expand at most `budget` nodes. Whether it has come to an end.
    pub fn think(&mut self, world: &DynamicWorld, forecast: &Forecast, budget: u64) -> bool {
        let (clock, replans, went_on) = (Instant::now(), self.pilot.replans(), self.pilot.is_thinking());
        let done = if self.is_watched {
            self.pilot.think_watched(world, forecast, budget, &mut self.seen)
        } else {
            self.pilot.think(world, forecast, budget)
        };
        let took = clock.elapsed();
        self.clocks.plan(took);
        let is_planned = self.pilot.replans() > replans;
        if !is_planned && done {
            return true;
        }
        let work = self.work.get_or_insert_default();
        work.time += took;
        if is_planned {
            let replan = self.pilot.last_replan();
            work.count += 1;
            work.fresh += u64::from(replan.fresh.is_some() || !self.algorithm.incremental);
            work.replan += replan;
        }
        self.note_seen(went_on);
        // Where a fresh search answered, a repair has seen nothing: what was seen last is of more use.
        self.seen.is_new |= is_planned && !self.seen.nodes.is_empty();
        done
    }

    /// Takes note of what a plan looked at; one that went on adds to what it had seen.
    fn note_seen(&mut self, went_on: bool) {
        let Seen { nodes, now, is_partial, .. } = &mut self.seen;
        if !went_on {
            nodes.clear();
            *is_partial = false;
        }
        nodes.append(now);
        nodes.extend(self.pilot.planner().map_or(&[][..], |planner| planner.changed()));
    }

    /// Flies for a tick, which ends at a tick of the scene and is told as `tick`; `update` is what the world took. What an agent
    /// touches is judged until it has arrived.
    pub fn fly(&mut self, world: &DynamicWorld, scene_tick: u64, tick: u64, update: Duration) {
        let (clock, had_arrived) = (Instant::now(), self.pilot.state() == State::Arrived);
        let before = self.pilot.position();
        self.pilot.fly(world, TICK);
        self.clocks.end(update, clock.elapsed());
        if !had_arrived {
            self.hits.watch([before, self.pilot.position()], scene_tick, tick, world);
        }
    }

    /// What the page is told about it, in cells.
    pub fn report(&mut self, view: &VoxelView<'_>) -> UnitReport {
        let frame = view.voxels().frame();
        let (state, why) = match self.pilot.state() {
            // The page's word for whatever is on its way.
            State::Flying => ("walking", None),
            State::Stuck(why) => ("stuck", Some(why)),
            state => (state.name(), None),
        };
        let path: Vec<Voxel> = self.pilot.path().iter().map(|&point| frame.voxel_at(point)).collect();
        let is_told = |told: &Vec<Voxel>| told.ends_with(&path) && path.is_empty() == told.is_empty();
        let is_news = !self.told.as_ref().is_some_and(is_told);
        let refusal = why.filter(|why| *why == Why::NotApplicable).and_then(|_| {
            let reason = self.algorithm.refusal(view)?;
            Some(format!("{} cannot be used here: {reason}", self.algorithm.title))
        });
        let report = UnitReport {
            board: self.board,
            at: frame.in_cells(self.pilot.position()).to_vec(),
            cell: frame.voxel_at(self.pilot.position()).into(),
            state,
            reason: why.map(Why::name),
            message: refusal.or(why.map(|why| why.to_string())),
            travelled: self.pilot.travelled() / frame.cell_size(),
            path: is_news.then(|| path.iter().copied().map(Place::from).collect()),
            ahead: Some(path.len()),
            replan: self.work.take().map(|work| work.report(self.pilot.cost())),
            hits: Some(self.hits.report()),
            frames: Some(self.clocks.take()),
        };
        if is_news {
            self.told = Some(path);
        }
        report
    }

    /// The cells that its last plan looked at, unless they have been told.
    pub fn touched(&mut self, live: u32, voxels: &Voxels) -> Option<Bytes> {
        if !self.is_watched {
            return None;
        }
        if let (true, Some(finder)) = (self.seen.is_partial, self.pilot.finder()) {
            let nodes = voxels.cells().filter_map(|cell| voxels.node(cell));
            let is_closed = |node: &NodeId| finder.visit(*node).is_some_and(|visit| visit.closed);
            self.seen.nodes = nodes.filter(is_closed).collect();
            (self.seen.is_new, self.seen.is_partial) = (true, false);
        }
        let is_new = std::mem::take(&mut self.seen.is_new) && !self.seen.nodes.is_empty();
        is_new.then(|| movement::touched(self.board, live, voxels, &self.seen.nodes))
    }
}
