//! Flying units in a voxel world with moving obstacles, in time slices. As on a grid, the result depends on the messages alone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use surefoot::flight::{Forecast, HORIZON, PilotSpec};
use surefoot::formats::World;
use surefoot::prelude::*;
use surefoot::scene::{LAST_TICK, Scene};
use surefoot::world::dynamic::{DynamicError, DynamicWorld};
use surefoot::world::journal::Revision;

use crate::cast::{check_speed, checked_boards};
use crate::flyer::Flyer;
use crate::hits::Hits;
use crate::limits::SLICE;
use crate::live::{Play, Progress, check_time};
use crate::movement::{self, Changed};
use crate::protocol::{Answer, LiveRequest, SceneReport, TargetKind, TargetRequest, Ticked, UnitReport};
use crate::recorded::Recorded;
use crate::run::in_micros;
use crate::scenery;

/// Nodes that a plan expands between two looks at the clock.
const CHUNK: u64 = 2048;

/// Flyers, obstacles and the target.
pub struct Flight {
    live: u32,
    /// What moves; nothing in worlds without a scene.
    scene: Arc<Scene>,
    has_scene: bool,
    world: DynamicWorld,
    forecast: Forecast,
    /// How far ahead forecast cells are told, in seconds; 0 for not at all.
    ahead: f64,
    /// The page's world as far as it has been taken in.
    seen: Revision,
    target: Target,
    flyers: Vec<Flyer>,
    /// A flight of the past in place of flyers, with what it touches.
    recorded: Option<(Recorded, Hits)>,
    /// The tick of the scene at which this began, and those since.
    from: u64,
    tick: u64,
    /// Ticks still to come of those asked for.
    left: u32,
    /// The unit that plans next in the current tick; `None` if the tick has not begun.
    thinking: Option<usize>,
    /// The time that the ticks asked for have taken so far.
    spent: Duration,
    /// What the page has not been told.
    changed: Changed,
    flipped: u64,
    update: Duration,
    /// That of the present tick.
    updated: Duration,
}

/// The target of the units.
#[derive(Clone, Copy)]
enum Target {
    Stays(Voxel),
    /// Moves as the scene says.
    Moves,
}

impl Target {
    /// The requested target; `cell` is where it stays unless the scene moves it.
    fn new(request: &TargetRequest, cell: Voxel, has_scene: bool) -> Result<Target, String> {
        match request.kind {
            TargetKind::Stay | TargetKind::Steer => Ok(Target::Stays(cell)),
            TargetKind::Scene if has_scene => Ok(Target::Moves),
            TargetKind::Scene => Err("live: found target `scene`, but the world has no scene".to_owned()),
            TargetKind::Flee | TargetKind::Wander => {
                Err("live: found a target that flees or wanders, which is for grids".to_owned())
            }
        }
    }
}

impl Flight {
    /// Sets up the flyers and the scene of a message.
    pub fn new(request: &LiveRequest, voxels: &Voxels, world: &World) -> Result<Flight, String> {
        check_speed("speed", request.speed)?;
        let scene = scene_of(request, voxels)?;
        let speed = request.speed * scene.frame.cell_size();
        let mut flyers = Vec::new();
        let mut goal = None;
        for (board, question) in checked_boards(request, world)? {
            let (Place::Voxel(start), Some(&Place::Voxel(to))) = (question.start, question.goals.first())
            else {
                return Err("live: found a place of another kind, expected [x, y, z]".to_owned());
            };
            if let Some(Voxel { x, y, z }) = [start, to].into_iter().find(|&cell| !voxels.contains(cell)) {
                return Err(format!("live: {x}, {y}, {z} is outside the map"));
            }
            goal.get_or_insert(to);
            let entry = request.boards.iter().find(|entry| entry.board == board);
            let given = entry.and_then(|entry| entry.at).map(|at| scene.frame.point_at(at));
            let given = given.filter(|&at| scene.frame.voxel_at(at) == start);
            let [at, to] = [start, to].map(|cell| scene.frame.voxel_centre(cell));
            let spec = PilotSpec { speed, ..PilotSpec::new(given.unwrap_or(at), to) };
            let guarded = request.guarded.unwrap_or(true);
            flyers.push(Flyer::new(board, &question, &scene, spec, request.debug, guarded)?);
        }
        let recorded = match &request.recorded {
            Some(flight) => {
                let [flyer] = &flyers[..] else {
                    return Err("live: a recorded flight needs exactly one board".to_owned());
                };
                let radius = flyer.pilot().agent().radius() * scene.frame.cell_size();
                let agent = Recorded::new(flyer.board, flight, &scene)?;
                flyers = Vec::new();
                Some((agent, Hits::new(&scene, radius)))
            }
            None => None,
        };
        let has_scene = request.scene.is_some();
        let target = Target::new(&request.target, goal.expect("there is a board"), has_scene)?;
        let seen = voxels.revision();
        let from = request.from.min(LAST_TICK);
        let world = dynamic(&scene, voxels, from).map_err(|error| format!("live: {error}"))?;
        let changed = Changed::covered(&world);
        let mut forecast = Forecast::new();
        forecast.foresee(&world, &scene, from);
        Ok(Flight {
            live: request.live,
            scene,
            has_scene,
            world,
            forecast,
            ahead: checked_ahead(request.forecast).map_err(|error| format!("live: {error}"))?,
            seen,
            target,
            flyers,
            recorded,
            from,
            tick: 0,
            left: 0,
            thinking: None,
            spent: Duration::ZERO,
            changed,
            flipped: 0,
            update: Duration::ZERO,
            updated: Duration::ZERO,
        })
    }

    /// Takes in what was painted since.
    fn follow(&mut self, voxels: &Voxels) -> Result<(), DynamicError> {
        if voxels.revision() == self.seen {
            return Ok(());
        }
        match voxels.journal().since(self.seen) {
            Some(changes) => {
                for change in changes {
                    self.world.set_static(voxels.voxel(change.node), change.solid)?;
                }
            }
            None => {
                for cell in voxels.cells() {
                    self.world.set_static(cell, !voxels.is_open(cell))?;
                }
            }
        }
        self.seen = voxels.revision();
        Ok(())
    }

    /// Where the target is, and the cell.
    fn target(&self) -> (Point, Voxel) {
        match self.target {
            Target::Stays(cell) => (self.scene.frame.voxel_centre(cell), cell),
            Target::Moves => {
                let point = self.scene.goal.position_at(self.from + self.tick);
                (point, scenery::nearest(&self.scene, point))
            }
        }
    }

    /// Runs a part of a tick: obstacles move, one agent plans, or all agents fly.
    fn piece(&mut self, voxels: &Voxels) -> Result<(), String> {
        let Some(at) = self.thinking else {
            let error = |error: DynamicError| format!("live: {error}");
            self.tick += 1;
            self.follow(voxels).map_err(error)?;
            let (clock, now) = (Instant::now(), self.from + self.tick);
            match &self.recorded {
                Some((agent, _)) if agent.holds_blocks => {
                    self.scene.show_around(&mut self.world, now, agent.position()).map_err(error)?;
                }
                _ => self.scene.show(&mut self.world, now).map_err(error)?,
            }
            self.forecast.foresee(&self.world, &self.scene, now);
            self.updated = clock.elapsed();
            self.update += self.updated;
            self.changed.note(&self.world);
            self.flipped += self.world.changes().len() as u64;
            self.thinking = Some(0);
            return Ok(());
        };
        let (goal, moves) = (self.target().0, matches!(self.target, Target::Moves));
        if let Some(flyer) = self.flyers.get_mut(at) {
            flyer.aim(goal, moves);
            let done = flyer.think(&self.world, &self.forecast, CHUNK);
            self.thinking = Some(at + usize::from(done));
            return Ok(());
        }
        let now = self.from + self.tick;
        for flyer in &mut self.flyers {
            flyer.fly(&self.world, now, self.tick, self.updated);
        }
        if let Some((agent, hits)) = &mut self.recorded
            && let Some(line) = agent.fly()
        {
            hits.watch(line, now, self.tick, &self.world);
        }
        self.thinking = None;
        self.left -= 1;
        Ok(())
    }

    fn report(&mut self) -> Progress {
        let voxels = self.world.voxels();
        let mut pieces = vec![self.changed.take(self.live, &self.scene, &self.world, self.from + self.tick)];
        let mut units = Vec::new();
        for flyer in &mut self.flyers {
            pieces.extend(flyer.touched(self.live, voxels));
            let view = voxels.view(flyer.pilot().agent());
            units.push(flyer.report(&view));
        }
        if let Some((agent, hits)) = &mut self.recorded {
            units.push(UnitReport { hits: Some(hits.report()), ..agent.report(&self.scene) });
        }
        if self.ahead > 0.0 {
            let cells = self.forecast.covered_after(self.ahead);
            pieces.push(movement::forecast(self.live, voxels, self.ahead, cells));
        }
        let (at, cell) = self.target();
        let (changed, us) = (std::mem::take(&mut self.flipped), in_micros(std::mem::take(&mut self.update)));
        let scene = Some(SceneReport { target: self.scene.frame.in_cells(at), changed, us });
        let ticked = Ticked { live: self.live, tick: self.tick, target: cell.into(), units, scene };
        Progress::Ticked(pieces, Box::new(Answer::Ticked(ticked)))
    }
}

impl Play for Flight {
    fn begin(&mut self, ticks: u32) {
        self.left = ticks;
        self.spent = Duration::ZERO;
    }

    fn place(&mut self, _: &World, board: Option<u8>, unit: Option<Place>, target: Option<Place>) {
        let cell = |place| match place {
            Some(Place::Voxel(cell)) => Some(cell),
            _ => None,
        };
        for flyer in self.flyers.iter_mut().filter(|flyer| board.is_none_or(|board| board == flyer.board)) {
            if let Some(cell) = cell(unit) {
                flyer.place(self.scene.frame.voxel_centre(cell));
            }
        }
        self.target = cell(target).map_or(self.target, Target::Stays);
    }

    fn set_target(&mut self, _: &World, request: &TargetRequest) -> Result<(), String> {
        let (_, cell) = self.target();
        self.target = Target::new(request, cell, self.has_scene)?;
        Ok(())
    }

    fn set_forecast(&mut self, seconds: f64) -> Result<(), String> {
        self.ahead = checked_ahead(seconds).map_err(|error| format!("adjust: {error}"))?;
        Ok(())
    }

    fn set_watched(&mut self, on: bool) {
        for flyer in &mut self.flyers {
            flyer.set_watched(on);
        }
    }

    fn go_on(&mut self, world: &World) -> Progress {
        let World::Voxels(voxels) = world else {
            return Progress::Failed("the voxel world was replaced".to_owned());
        };
        let clock = Instant::now();
        while self.left > 0 {
            if let Err(message) = self.piece(voxels) {
                return Progress::Failed(message);
            }
            if clock.elapsed() >= SLICE {
                self.spent += clock.elapsed();
                return check_time(self.spent);
            }
        }
        self.report()
    }
}

/// Rejects times that forecasts do not reach.
fn checked_ahead(seconds: f64) -> Result<f64, String> {
    if (0.0..=HORIZON).contains(&seconds) {
        return Ok(seconds);
    }
    Err(format!("found a forecast of {seconds} seconds, expected 0 to {HORIZON}"))
}

/// The scene of a message; one in which nothing moves if it has none.
fn scene_of(request: &LiveRequest, voxels: &Voxels) -> Result<Arc<Scene>, String> {
    let Some(text) = &request.scene else { return Ok(Arc::new(Scene::new(voxels.size()))) };
    let scene = scenery::read(text.get().as_bytes()).map_err(|error| format!("live: scene: {error}"))?;
    if scene.size != voxels.size() {
        let ([a, b, c], [x, y, z]) = (scene.size, voxels.size());
        return Err(format!(
            "live: scene: found {a} x {b} x {c} cells, expected those of the world, {x} x {y} x {z}"
        ));
    }
    Ok(Arc::new(scene))
}

/// The page's cells with the obstacles of a scene at a tick.
fn dynamic(scene: &Scene, voxels: &Voxels, tick: u64) -> Result<DynamicWorld, DynamicError> {
    let mut voxels = voxels.clone();
    voxels.set_frame(scene.frame);
    let mut world = DynamicWorld::new(voxels);
    for mover in &scene.obstacles {
        world.add(mover.shape.clone(), mover.pose)?;
    }
    scene.show(&mut world, tick)?;
    Ok(world)
}

#[cfg(test)]
mod tests {
    use surefoot::path::Path;

    use super::*;
    use crate::gallery;
    use crate::worlds;

    /// Flyers on the way through a scene of the gallery, one for each algorithm.
    fn flight(name: &str, algorithms: &[&str]) -> (Flight, World) {
        let scene = gallery::scene(name).unwrap().unwrap();
        let scene: serde_json::Value = serde_json::to_value(scene).unwrap();
        let world = worlds::read_json(&scene["world"].to_string()).unwrap();
        let query = |algorithm| serde_json::json!({"start": scene["start"], "goals": scene["goals"], "algorithm": algorithm});
        let boards: Vec<serde_json::Value> = (0..)
            .zip(algorithms)
            .map(|(board, algorithm): (u8, _)| serde_json::json!({"board": board, "query": query(algorithm)}))
            .collect();
        let message = serde_json::json!({"type": "live", "live": 1, "boards": boards, "speed": 5.0,
            "target": {"kind": "scene"}, "scene": scene["scene"], "guarded": false});
        let request: LiveRequest = serde_json::from_str(&message.to_string()).unwrap();
        let World::Voxels(voxels) = &world else { panic!("it is a voxel world") };
        (Flight::new(&request, voxels, &world).unwrap(), world)
    }

    #[test]
    fn whatever_moves_plans_are_the_cheapest_and_lead_through_open_cells() {
        for name in ["patrols", "doors"] {
            let (mut flight, world) = flight(name, &["d_star_lite", "mt_d_star_lite", "jps3"]);
            let mut dodged = 0;
            for tick in 0..300 {
                flight.begin(1);
                let World::Voxels(voxels) = &world else { panic!("it is a voxel world") };
                while flight.thinking.is_none_or(|at| at < flight.flyers.len()) {
                    flight.piece(voxels).unwrap();
                }
                let (_, goal) = flight.target();
                for flyer in &mut flight.flyers {
                    let view = flight.world.voxels().view(flyer.pilot().agent());
                    let report = flyer.report(&view);
                    let Place::Voxel(here) = report.cell else { panic!("it is in space") };
                    dodged += u32::from(!view.is_open(here));
                    let Some(replan) = report.replan.filter(|_| view.is_open(goal)) else { continue };
                    let best = Pathfinder::default().find(view, here, goal).ok().map(Path::cost);
                    let apart = best.unwrap_or(0.0) - replan.cost.unwrap_or(0.0);
                    assert!(
                        best.is_some() == replan.cost.is_some() && apart.abs() < 1e-6,
                        "{name}, tick {tick}"
                    );
                }
                flight.piece(voxels).unwrap();
            }
            assert!(dodged < 90, "{name}: one tenth of the time at most is spent getting out of the way");
        }
    }
}
