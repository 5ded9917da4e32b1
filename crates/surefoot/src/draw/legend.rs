//! The legend below a map: samples with their names, in rows.

use std::ops::Range;

use super::font;
use super::layout::frame;
use super::palette;
use super::shapes::{Block, Fill, Shape, Spot};

/// How a thing looks on the map.
pub(crate) enum Sample {
    /// Ground: patches side by side, each with some fills on top of one another.
    Ground(Vec<Vec<Fill>>),
    /// Anything else: shapes between a left and a right spot.
    Marks(Box<dyn Fn(Spot, Spot) -> Vec<Shape>>),
}

/// One thing explained.
pub(crate) struct Entry {
    pub label: String,
    pub sample: Sample,
}

/// Sizes in pixels of the font, so that they grow with the letters.
const SAMPLE_WIDTH: u16 = 18;
const SAMPLE_HEIGHT: u16 = 9;
const LABEL_GAP: u16 = 4;
const ENTRY_GAP: u16 = 12;
const ROW_GAP: u16 = 5;
/// The usual width: a narrow map still gets a legend of a few entries per row.
const USUAL_WIDTH: u16 = 150;

fn entry_width(entry: &Entry) -> u16 {
    SAMPLE_WIDTH + LABEL_GAP + font::width(&entry.label)
}

/// Returns the width in pixels that a legend needs in order to look good.
pub(crate) fn least_width(entries: &[Entry], scale: u16) -> u16 {
    let widest = entries.iter().map(entry_width).max().unwrap_or(0);
    let one_row =
        entries.iter().map(|entry| entry_width(entry) + ENTRY_GAP).sum::<u16>().saturating_sub(ENTRY_GAP);
    widest.max(one_row.min(USUAL_WIDTH)) * scale
}

/// Adds the legend's shapes, within some pixel columns and from a pixel row on; returns the row after the last.
pub(crate) fn place(
    entries: &[Entry],
    columns: Range<u16>,
    mut top: u16,
    scale: u16,
    shapes: &mut Vec<Shape>,
) -> u16 {
    let mut x = columns.start;
    for entry in entries {
        let width = entry_width(entry) * scale;
        if x > columns.start && x + width > columns.end {
            x = columns.start;
            top += (SAMPLE_HEIGHT + ROW_GAP) * scale;
        }
        let sample = Block { x, y: top, width: SAMPLE_WIDTH * scale, height: SAMPLE_HEIGHT * scale };
        place_sample(&entry.sample, sample, shapes);
        let base = top + (SAMPLE_HEIGHT + font::ASCENT) * scale / 2;
        let label = Spot::new(f32::from(x + (SAMPLE_WIDTH + LABEL_GAP) * scale), base.into());
        shapes.push(Shape::Text { at: label, scale, text: entry.label.clone() });
        x += width + ENTRY_GAP * scale;
    }
    top + SAMPLE_HEIGHT * scale
}

fn place_sample(sample: &Sample, block: Block, shapes: &mut Vec<Shape>) {
    match sample {
        Sample::Ground(patches) => {
            let width = block.width / patches.len().max(1) as u16;
            for (number, fills) in (0..).zip(patches) {
                let patch = Block { x: block.x + number * width, width, ..block };
                shapes.push(Shape::block(patch, palette::FLOOR));
                shapes
                    .extend(fills.iter().map(|fill| Shape::Area { blocks: vec![patch], fill: fill.clone() }));
            }
            shapes.push(frame(block));
        }
        Sample::Marks(marks) => {
            let (left, right) = (f32::from(block.x), f32::from(block.x + block.width));
            let middle = f32::from(block.y) + f32::from(block.height) / 2.0;
            shapes.extend(marks(Spot::new(left, middle), Spot::new(right, middle)));
        }
    }
}
