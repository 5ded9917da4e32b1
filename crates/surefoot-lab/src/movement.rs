//! What moved in a scene, as bytes for the page.

use bytes::Bytes;
use surefoot::prelude::*;
use surefoot::scene::Scene;
use surefoot::world::dynamic::DynamicWorld;

use crate::cells::in_space;
use crate::limits::FORECAST_TOLD;

/// The kinds of the messages.
const OBSTACLES: u8 = 5;
const TOUCHED: u8 = 6;
const FORECAST: u8 = 7;
/// So many cells may be noted before they are sorted out.
const UNTIDY: usize = 1 << 16;

/// Cells that may be other than the page knows.
#[derive(Default)]
pub struct Changed {
    cells: Vec<u32>,
    /// How many of these are sorted, each once.
    tidy: usize,
}

impl Changed {
    /// All cells that an obstacle covers.
    pub fn covered(world: &DynamicWorld) -> Changed {
        let voxels = world.voxels();
        let covered = voxels.cells().filter(|&cell| !voxels.is_open(cell) && !world.is_static(cell));
        Changed { cells: covered.map(|cell| in_space(voxels, cell)).collect(), tidy: 0 }
    }

    /// Takes note of what the last update did.
    pub fn note(&mut self, world: &DynamicWorld) {
        self.cells.extend(world.changes().iter().map(|&(cell, _)| in_space(world.voxels(), cell)));
        // Many ticks without a report must not fill the memory.
        if self.cells.len() > 2 * self.tidy + UNTIDY {
            self.tidy_up();
        }
    }

    fn tidy_up(&mut self) {
        self.cells.sort_unstable();
        self.cells.dedup();
        self.tidy = self.cells.len();
    }

    /// Where obstacles are at a tick, and which cells are solid or open now that were not when this was last asked.
    pub fn take(&mut self, live: u32, scene: &Scene, world: &DynamicWorld, tick: u64) -> Bytes {
        self.tidy_up();
        self.tidy = 0;
        let cells = std::mem::take(&mut self.cells);
        let mut bytes = vec![OBSTACLES, 0, 0, 0];
        bytes.extend(live.to_le_bytes());
        bytes.extend((scene.obstacles.len() as u32).to_le_bytes());
        bytes.extend((cells.len() as u32).to_le_bytes());
        for mover in &scene.obstacles {
            let pose = mover.pose_at(tick);
            let there = if mover.is_active_at(tick) { 1.0 } else { 0.0 };
            let numbers = scene.frame.in_cells(pose.position()).into_iter().chain(pose.rotation().numbers());
            bytes.extend(numbers.chain([there]).flat_map(|number| (number as f32).to_le_bytes()));
        }
        let [width, depth, _] = world.voxels().size();
        for cell in cells {
            let (x, row) = (cell % width, cell / width);
            let voxel = Voxel::new(x as i32, (row % depth) as i32, (row / depth) as i32);
            let solid = u32::from(!world.voxels().is_open(voxel));
            bytes.extend((2 * cell + solid).to_le_bytes());
        }
        bytes.into()
    }
}

/// The cells that moving obstacles will cover in so many seconds, each once.
pub fn forecast(live: u32, voxels: &Voxels, seconds: f64, cells: impl Iterator<Item = Voxel>) -> Bytes {
    let mut cells: Vec<u32> = cells.take(FORECAST_TOLD).map(|cell| in_space(voxels, cell)).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut bytes = vec![FORECAST, 0];
    bytes.extend(((seconds * 1000.0).round() as u16).to_le_bytes());
    bytes.extend(live.to_le_bytes());
    bytes.extend((cells.len() as u32).to_le_bytes());
    bytes.extend(cells.into_iter().flat_map(u32::to_le_bytes));
    bytes.into()
}

/// The cells that the last plan of a board looked at.
pub fn touched(board: u8, live: u32, voxels: &Voxels, nodes: &[NodeId]) -> Bytes {
    let mut bytes = vec![TOUCHED, board, 0, 0];
    bytes.extend(live.to_le_bytes());
    bytes.extend((nodes.len() as u32).to_le_bytes());
    bytes.extend(nodes.iter().flat_map(|&node| in_space(voxels, voxels.voxel(node)).to_le_bytes()));
    bytes.into()
}
