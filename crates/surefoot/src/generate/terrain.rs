//! Landscapes: value noise in whole numbers, cut into water, floor, grass and rock.

use crate::generate::canvas::Canvas;
use crate::generate::dice::{Dice, mixed};
use crate::world::grid::Terrain;

/// Heights are sums of layers of noise, each half as wide and half as high as the one before.
const LAYERS: u32 = 3;

/// Where the kinds of ground begin, in 1/1000 of the height between valley and peak.
const GROUND: [(u64, Terrain); 3] = [(380, Terrain::WATER), (560, Terrain::FLOOR), (720, Terrain::GRASS)];

/// Water in the valleys, then floor, then grass, and rock on the peaks.
pub(super) fn regions(width: u32, height: u32, dice: &mut Dice) -> Canvas {
    let widest = (width.min(height) / 4).clamp(4, 64);
    let mut layers: Vec<Noise> =
        (0..LAYERS).map(|layer| Noise::new(dice.number(), (widest >> layer).max(1), width)).collect();
    let peak: u64 = (0..LAYERS).map(|layer| u64::from(Noise::PEAK) >> layer).sum();
    let mut canvas = Canvas::floor(width, height);
    for (y, row) in (0..).zip(canvas.cells.chunks_mut(width as usize)) {
        for layer in &mut layers {
            layer.enter_row(y);
        }
        for (x, cell) in (0..).zip(row) {
            let height: u64 = (0..).zip(&layers).map(|(layer, noise)| u64::from(noise.at(x)) >> layer).sum();
            let share = height * 1000 / peak;
            let ground = GROUND.iter().find(|(below, _)| share < *below);
            *cell = ground.map_or(Terrain::WALL, |(_, terrain)| *terrain).cost();
        }
    }
    canvas
}

/// Random heights on a lattice of points, and smooth ones between them.
struct Noise {
    seed: u64,
    spacing: u32,
    /// The heights of the present row at the lattice's columns.
    row: Vec<u32>,
}

impl Noise {
    /// The largest height.
    const PEAK: u32 = u16::MAX as u32;

    fn new(seed: u64, spacing: u32, width: u32) -> Noise {
        Noise { seed, spacing, row: vec![0; (width / spacing) as usize + 2] }
    }

    /// Prepares [`Noise::at`] for a row.
    fn enter_row(&mut self, y: u32) {
        let (above, share) = (y / self.spacing, smooth(y % self.spacing, self.spacing));
        for column in 0..self.row.len() {
            let height = |row: u32| lattice_height(self.seed, column as u32, row);
            self.row[column] = blend(height(above), height(above + 1), share);
        }
    }

    fn at(&self, x: u32) -> u32 {
        let left = (x / self.spacing) as usize;
        blend(self.row[left], self.row[left + 1], smooth(x % self.spacing, self.spacing))
    }
}

/// A share of 0 to 1024 that starts and ends gently: `3t^2 - 2t^3`.
fn smooth(part: u32, whole: u32) -> u32 {
    let t = u64::from(part) * 1024 / u64::from(whole);
    (((3 * 1024 - 2 * t) * t * t) >> 20) as u32
}

fn blend(a: u32, b: u32, share: u32) -> u32 {
    (a * (1024 - share) + b * share) >> 10
}

/// A number of 16 bits that looks random.
fn lattice_height(seed: u64, column: u32, row: u32) -> u32 {
    let place = u64::from(row) << 32 | u64::from(column);
    (mixed(seed ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 48) as u32
}
