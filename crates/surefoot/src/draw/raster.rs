//! Prints a scene as PNG.

use tiny_skia::{
    FillRule, FilterQuality, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Shader, SpreadMode,
    StrokeDash, Transform,
};

use super::palette::{self, Colour};
use super::shapes::{Block, Fill, Scene, Shape, Spot, Stroke};
use super::{DrawError, font};

/// The scene as a PNG file.
pub(crate) fn print(scene: &Scene) -> Result<Vec<u8>, DrawError> {
    let mut pixmap = Pixmap::new(scene.width.into(), scene.height.into())
        .ok_or(DrawError::TooLarge { width: scene.width.into(), height: scene.height.into() })?;
    for shape in &scene.shapes {
        paint_shape(shape, &mut pixmap);
    }
    pixmap.encode_png().map_err(|error| DrawError::Png(error.to_string()))
}

fn paint_shape(shape: &Shape, pixmap: &mut Pixmap) {
    match shape {
        Shape::Area { blocks, fill: Fill::Plain(colour) } => {
            paint_blocks(blocks, &Paint { anti_alias: false, ..paint(*colour) }, pixmap);
        }
        Shape::Area { blocks, fill: Fill::Pattern(pattern) } => {
            let Some(mut tile) = Pixmap::new(pattern.side.into(), pattern.side.into()) else { return };
            for shape in &pattern.shapes {
                paint_shape(shape, &mut tile);
            }
            let place = Transform::from_translate(pattern.origin.0.into(), pattern.origin.1.into());
            let shader = tiny_skia::Pattern::new(
                tile.as_ref(),
                SpreadMode::Repeat,
                FilterQuality::Nearest,
                1.0,
                place,
            );
            paint_blocks(blocks, &Paint { shader, anti_alias: false, ..Paint::default() }, pixmap);
        }
        Shape::Lines { lines, stroke } => {
            let mut path = PathBuilder::new();
            for line in lines {
                add_corners(line, &mut path);
            }
            stroke_path(path.finish(), *stroke, pixmap);
        }
        Shape::Triangles { triangles, colour } => {
            let mut path = PathBuilder::new();
            for corners in triangles {
                add_corners(corners, &mut path);
                path.close();
            }
            fill_path(path.finish(), *colour, pixmap);
        }
        Shape::Discs { centres, radius, fill, rim } => {
            for at in centres {
                let circle = PathBuilder::from_circle(at.x, at.y, *radius);
                if let Some(colour) = fill {
                    fill_path(circle.clone(), *colour, pixmap);
                }
                if let Some(stroke) = rim {
                    stroke_path(circle, *stroke, pixmap);
                }
            }
        }
        Shape::Text { at, scale, text } => {
            let mut blocks = Vec::new();
            let (left, top) = (at.x as u16, at.y as u16 - font::ASCENT * scale);
            font::for_each_mark(text, |x, y| {
                blocks.push(Block { x: left + x * scale, y: top + y * scale, width: *scale, height: *scale });
            });
            paint_blocks(&blocks, &Paint { anti_alias: false, ..paint(palette::INK) }, pixmap);
        }
    }
}

fn paint_blocks(blocks: &[Block], paint: &Paint<'_>, pixmap: &mut Pixmap) {
    for block in blocks {
        let (x, y) = (block.x.into(), block.y.into());
        if let Some(rect) = Rect::from_xywh(x, y, block.width.into(), block.height.into()) {
            pixmap.fill_rect(rect, paint, Transform::identity(), None);
        }
    }
}

fn add_corners(corners: &[Spot], path: &mut PathBuilder) {
    for (index, at) in corners.iter().enumerate() {
        if index == 0 {
            path.move_to(at.x, at.y);
        } else {
            path.line_to(at.x, at.y);
        }
    }
}

/// No path at all means that there was nothing to draw.
fn fill_path(path: Option<Path>, colour: Colour, pixmap: &mut Pixmap) {
    if let Some(path) = path {
        pixmap.fill_path(&path, &paint(colour), FillRule::Winding, Transform::identity(), None);
    }
}

fn stroke_path(path: Option<Path>, stroke: Stroke, pixmap: &mut Pixmap) {
    let Some(path) = path else { return };
    let look = tiny_skia::Stroke {
        width: stroke.width,
        line_cap: if stroke.dash.is_some() { LineCap::Butt } else { LineCap::Round },
        line_join: LineJoin::Round,
        dash: stroke.dash.and_then(|dash| StrokeDash::new(vec![dash, dash], 0.0)),
        ..tiny_skia::Stroke::default()
    };
    pixmap.stroke_path(&path, &paint(stroke.colour), &look, Transform::identity(), None);
}

fn paint(colour: Colour) -> Paint<'static> {
    let [red, green, blue] = colour.rgb;
    let shader = Shader::SolidColor(tiny_skia::Color::from_rgba8(red, green, blue, colour.alpha));
    Paint { shader, anti_alias: true, ..Paint::default() }
}
