//! What workers do in a round for a fleet: follow the obstacles, and think.

use std::sync::Arc;

use crate::flight::body::Body;
use crate::flight::forecast::Forecast;
use crate::flight::mind::Mind;
use crate::frame::Stage;
use crate::obstacle::Pose;
use crate::scene::Scene;
use crate::space::{Point, Voxel};
use crate::world::dynamic::{DynamicWorld, ObstacleId};
use crate::world::journal::Revision;

/// The world of the workers.
pub(super) struct Surroundings {
    pub(super) world: DynamicWorld,
    pub(super) forecast: Forecast,
    pub(super) scene: Option<Arc<Scene>>,
}

/// What changes for the workers, and the cells that change thereby.
#[derive(Default)]
pub(super) struct News {
    pub(super) moves: Vec<(ObstacleId, Pose, bool)>,
    pub(super) walls: Vec<(Voxel, bool)>,
    /// The tick of the scene that is shown.
    pub(super) shown: Option<u64>,
    /// The time since the last news.
    pub(super) time: f64,
    pub(super) changes: Vec<(Voxel, bool)>,
}

/// A mind, with a copy of the body to decide for.
pub(super) struct Thought {
    pub(super) number: usize,
    pub(super) order: u64,
    pub(super) budget: u64,
    /// Where the body was.
    pub(super) from: Point,
    pub(super) body: Body,
    pub(super) mind: Mind,
    /// The frame and the revision that it is a result of.
    pub(super) of: (u64, Revision),
}

impl Stage for Surroundings {
    type News = News;
    type Task = Thought;

    fn follow(&mut self, news: &mut News) {
        for (id, pose, active) in news.moves.drain(..) {
            // The fleet knows all obstacles and how many cells there are.
            let _ = self.world.set_pose(id, pose);
            let _ = self.world.set_active(id, active);
        }
        for &(cell, solid) in &news.walls {
            let _ = self.world.set_static(cell, solid);
        }
        news.changes.clear();
        news.changes.extend_from_slice(self.world.update());
        match (&self.scene, news.shown) {
            (Some(scene), Some(tick)) => self.forecast.foresee(&self.world, scene, tick),
            _ => self.forecast.observe(&self.world, news.time),
        }
    }

    fn revision(&self) -> Revision {
        self.world.voxels().revision()
    }

    fn work(&self, thought: &mut Thought) {
        let Thought { body, mind, budget, .. } = thought;
        mind.think(body, &self.world, &self.forecast, *budget, None);
    }
}
