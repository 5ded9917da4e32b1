//! What an agent in flight touches, judged by exact distance.

use std::sync::Arc;

use surefoot::prelude::*;
use surefoot::scene::Scene;
use surefoot::validate::{CellJudge, FlightJudge, Hit, Solid};
use surefoot::world::dynamic::{DynamicWorld, ObstacleId};

use crate::limits::HITS_TOLD;
use crate::protocol::{HitEntry, HitReport};

/// The contacts of one agent.
pub struct Hits {
    scene: Arc<Scene>,
    obstacles: FlightJudge<Arc<Scene>>,
    cells: CellJudge,
    report: HitReport,
}

impl Hits {
    /// Judges the flight of a ball of a radius, in world units.
    pub fn new(scene: &Arc<Scene>, radius: f64) -> Hits {
        Hits {
            scene: scene.clone(),
            obstacles: FlightJudge::new(scene.clone(), radius),
            cells: CellJudge::new(scene.frame, scene.size, radius),
            report: HitReport::default(),
        }
    }

    /// Judges a line that was flown until a tick of the scene. It is reported with a number of its own, `tick`.
    pub fn watch(&mut self, line: [Point; 2], scene_tick: u64, tick: u64, world: &DynamicWorld) {
        let frame = self.scene.frame;
        let is_active = |index: usize| world.is_active(ObstacleId(index as u32)) == Ok(true);
        for contact in self.obstacles.watch(scene_tick, line, is_active) {
            let obstacle = if let Solid::Obstacle(index) = contact.solid { Some(index) } else { None };
            let at = frame.in_cells(contact.at);
            self.report.add(contact.hit, HitEntry { tick, kind: kind_of(contact.hit), obstacle, at });
        }
        for contact in self.cells.watch(line, |cell| world.is_static(cell)) {
            let at = frame.in_cells(contact.at);
            let hit = HitEntry { tick, kind: kind_of(Hit::Static), obstacle: None, at };
            self.report.add(Hit::Static, hit);
        }
    }

    /// The sums so far, and the contacts since this was last asked.
    pub fn report(&mut self) -> HitReport {
        let rest = HitReport { news: Vec::new(), ..self.report };
        std::mem::replace(&mut self.report, rest)
    }
}

impl HitReport {
    fn add(&mut self, hit: Hit, entry: HitEntry) {
        match hit {
            Hit::Static => self.fixed += 1,
            Hit::Moving => self.moving += 1,
            Hit::Appeared => self.appeared += 1,
        }
        if self.news.len() < HITS_TOLD {
            self.news.push(entry);
        }
    }
}

fn kind_of(hit: Hit) -> &'static str {
    match hit {
        Hit::Static => "static",
        Hit::Moving => "moving",
        Hit::Appeared => "appeared",
    }
}
