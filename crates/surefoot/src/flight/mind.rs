//! The part of an agent that thinks: it plans and looks ahead, and decides what its body does.

use crate::brain::{Brain, Finders};
use crate::core::observe::Observer;
use crate::flight::body::{Body, Detour, Revised, legs};
use crate::flight::evade::{Outlook, cells_ahead, sight};
use crate::flight::forecast::Forecast;
use crate::flight::spec::{FlightError, PilotSpec};
use crate::graph::Located;
use crate::replan::Replan;
use crate::search::{Algorithm, Outcome, Why};
use crate::space::{Point, Voxel};
use crate::world::dynamic::DynamicWorld;
use crate::world::journal::Revision;
use crate::world::voxels::VoxelView;

/// A path is replaced by one that is shorter than this share of it.
const WORTH_A_CHANGE: f64 = 0.98;

/// What an agent plans with.
pub(super) struct Mind {
    pub brain: Brain,
    /// The world and the cell of the goal that the last plan is about.
    planned: Option<(Revision, Voxel)>,
    /// The query of a paused plan.
    asked: Option<[Voxel; 2]>,
    /// Memory for the next path, and for the obstacles nearby.
    spare: Vec<Point>,
    near: Vec<u32>,
    /// The statistics of the current plan so far.
    work: Replan,
    /// The cost of the last plan in cells.
    pub cost: Option<f64>,
    pub last: Replan,
    pub replans: u64,
}

impl Mind {
    pub fn new(spec: &PilotSpec<'_>) -> Result<Mind, FlightError> {
        Ok(Mind {
            brain: Brain::new(Algorithm::named(spec.algorithm)?, &spec.options, None)?,
            planned: None,
            asked: None,
            spare: Vec::new(),
            near: Vec::new(),
            work: Replan::default(),
            cost: None,
            last: Replan::default(),
            replans: 0,
        })
    }

    /// Whether a plan is paused.
    pub fn is_thinking(&self) -> bool {
        self.asked.is_some()
    }

    /// Forgets its plan, because the body was placed elsewhere.
    pub fn forget_plan(&mut self) {
        (self.planned, self.asked) = (None, None);
    }

    /// Plans and looks ahead, and decides what a body does. Expands at most `budget` nodes. Returns whether the plan is complete.
    pub fn think(
        &mut self,
        body: &mut Body,
        world: &DynamicWorld,
        forecast: &Forecast,
        budget: u64,
        observer: Option<&mut dyn Observer>,
    ) -> bool {
        body.detour = Detour::Nothing;
        if std::mem::take(&mut body.halted) {
            self.planned = None;
        }
        let view = world.voxels().view(&body.agent);
        if body.arrived || !settle(body, &view) {
            return true;
        }
        let mut near = std::mem::take(&mut self.near);
        let frame = world.voxels().frame();
        let reach = sight(&body.agent, cells_ahead(body.speed, frame.cell_size()));
        forecast.near_into(frame.voxel_at(body.at), reach, &mut near);
        let (agent, speed) = (body.agent, body.speed);
        let done =
            self.act(body, &Outlook { world, view, forecast, agent, speed, near: &near }, budget, observer);
        self.near = near;
        done
    }

    /// Leaves, or plans and looks ahead; says whether the plan has come to an end.
    fn act(
        &mut self,
        body: &mut Body,
        outlook: &Outlook<'_>,
        budget: u64,
        observer: Option<&mut dyn Observer>,
    ) -> bool {
        let view = outlook.view;
        if !view.is_clear(body.at, body.at) {
            self.leave(body, outlook);
            return true;
        }
        let done = match self.aim_at(body, &view) {
            Some(aim) if self.has_to_plan(body, &view, aim) => self.plan(body, &view, aim, budget, observer),
            _ => true,
        };
        look_ahead(body, outlook);
        done
    }

    /// Finds the point to fly to: the goal, or the nearest one to it. The end of the path follows it while the last line stays clear.
    fn aim_at(&mut self, body: &mut Body, view: &VoxelView<'_>) -> Option<Point> {
        let Some(aim) = view.nearest_clear_point(body.goal) else {
            body.lose_path();
            self.forget_plan();
            body.why = Some(if body.goal.is_finite() { Why::GoalBlocked } else { Why::GoalOutside });
            return None;
        };
        if body.aim.replace(aim) != Some(aim) && !bend_end(body, view, aim) {
            self.planned = None;
        }
        Some(aim)
    }

    fn has_to_plan(&self, body: &Body, view: &VoxelView<'_>, aim: Point) -> bool {
        let voxels = view.voxels();
        // Evading may have led to where the path cannot be joined any more.
        let is_off = body.path().first().is_some_and(|&next| !view.is_clear(body.at, next));
        is_off
            || self.is_thinking()
            || self.planned != Some((voxels.revision(), voxels.frame().voxel_at(aim)))
    }

    /// Continues a plan from the position of the body; `false` if the budget is used up before the plan is complete.
    fn plan(
        &mut self,
        body: &mut Body,
        view: &VoxelView<'_>,
        aim: Point,
        budget: u64,
        observer: Option<&mut dyn Observer>,
    ) -> bool {
        // The cell around a point where the agent can be is open, and the line to its centre is clear.
        let ends = [body.at, aim].map(|point| view.voxels().frame().voxel_at(point));
        let none_shared = &mut Finders::default();
        let (outcome, replan) =
            self.brain.plan(none_shared, (*view).into(), ends, &mut self.asked, budget, observer);
        self.work += replan;
        if outcome == Outcome::Paused {
            return false;
        }
        self.last = std::mem::take(&mut self.work);
        self.replans += 1;
        self.planned = self.asked.take().map(|[_, goal]| (view.voxels().revision(), goal));
        if let Outcome::Unreachable(why) = outcome {
            (body.why, self.cost) = (Some(why), None);
            body.lose_path();
        } else {
            body.why = None;
            self.choose(body, view, aim);
        }
        true
    }

    /// Takes the path of the plan, or keeps the one that the body has if that is clear and not much longer.
    fn choose(&mut self, body: &mut Body, view: &VoxelView<'_>, aim: Point) {
        let none_shared = Finders::default();
        let plan = self.brain.path(&none_shared);
        self.cost = Some(plan.cost());
        let mut points = std::mem::take(&mut self.spare);
        points.clear();
        points.extend(plan.nodes().iter().map(|&node| view.position(node)));
        lead_to(view, &mut points, aim);
        if points.get(1).is_some_and(|&second| view.is_clear(body.at, second)) {
            points.remove(0);
        }
        if keeps(body, view, aim, &points) {
            self.spare = points;
        } else {
            self.spare = std::mem::replace(&mut body.path, points);
            (body.passed, body.revised) = (0, Revised::All);
        }
    }

    /// A cell around the body is closed: it leaves.
    fn leave(&mut self, body: &mut Body, outlook: &Outlook<'_>) {
        let next = body.path().first().copied().unwrap_or(body.at);
        (body.detour, body.why) = match outlook.refuge(body.at, next) {
            Some(refuge) => (Detour::Refuge([refuge.via, refuge.to]), None),
            None => (Detour::Nothing, Some(Why::StartBlocked)),
        };
        body.lose_path();
        self.forget_plan();
    }
}

/// Moves a body to where it can be, if it was placed somewhere; `false` if there is no such place.
fn settle(body: &mut Body, view: &VoxelView<'_>) -> bool {
    if !body.settled {
        match view.nearest_clear_point(body.at) {
            Some(at) => (body.at, body.settled) = (at, true),
            None => body.why = Some(Why::StartBlocked),
        }
    }
    body.settled
}

fn bend_end(body: &mut Body, view: &VoxelView<'_>, aim: Point) -> bool {
    let before = body.path().iter().rev().nth(1).copied().unwrap_or(body.at);
    let bends = !body.path().is_empty() && view.is_clear(before, aim);
    if bends && let Some(end) = body.path.last_mut() {
        *end = aim;
        body.revised = Revised::End;
    }
    bends
}

fn keeps(body: &Body, view: &VoxelView<'_>, aim: Point, other: &[Point]) -> bool {
    let path = body.path();
    path.last() == Some(&aim)
        && length(body.at, other) >= WORTH_A_CHANGE * length(body.at, path)
        && legs(body.at, path).all(|[from, to]| view.is_clear(from, to))
}

/// Waits or evades if the path leads to where a cell will be closed in the next half second.
fn look_ahead(body: &mut Body, outlook: &Outlook<'_>) {
    if outlook.near.is_empty() {
        return;
    }
    let exposure = outlook.exposure(|flown| place_after(body, flown));
    if exposure.is_none() {
        return;
    }
    let next = body.path().first().copied().unwrap_or(body.at);
    if let Some(refuge) = outlook.refuge(body.at, next).filter(|refuge| refuge.exposure < exposure) {
        let waits = refuge.to == body.at;
        body.detour = if waits { Detour::Wait } else { Detour::Refuge([refuge.via, refuge.to]) };
    }
}

/// Returns the position after flying a distance along the path.
fn place_after(body: &Body, mut left: f64) -> Point {
    for [from, to] in legs(body.at, body.path()) {
        let length = from.distance(to);
        if length > left {
            return from.toward(to, left / length);
        }
        left -= length;
    }
    body.path().last().copied().unwrap_or(body.at)
}

/// Lets a path end at a point in the cell that it leads to.
fn lead_to(view: &VoxelView<'_>, points: &mut Vec<Point>, aim: Point) {
    let Some((&last, before)) = points.split_last() else { return };
    if before.last().is_some_and(|&before| last != aim && view.is_clear(before, aim)) {
        points.pop();
    }
    if points.last() != Some(&aim) && points.last().is_some_and(|&last| view.is_clear(last, aim)) {
        points.push(aim);
    }
}

fn length(at: Point, path: &[Point]) -> f64 {
    legs(at, path).map(|[from, to]| from.distance(to)).sum()
}
