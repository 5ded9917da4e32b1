//! Prints a scene as PNG.

use tiny_skia::{
    FillRule, FilterQuality, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Rect,
    Shader, SpreadMode, StrokeDash, Transform,
};

use super::palette::{self, Colour};
use super::shapes::{Block, Fill, Scene, Shape, Spot, Stroke};
use super::{DrawError, font};

/// The number of lines that are drawn at once: the time of one drawing grows faster than the number of its lines.
const PATH_LINES: usize = 256;

/// The scene as a PNG file.
pub(crate) fn print(scene: &Scene) -> Result<Vec<u8>, DrawError> {
    let mut pixmap = Pixmap::new(scene.width.into(), scene.height.into())
        .ok_or(DrawError::TooLarge { width: scene.width.into(), height: scene.height.into() })?;
    for shape in &scene.shapes {
        paint_shape(shape, &mut pixmap);
    }
    encode(&pixmap).map_err(|error| DrawError::Png(error.to_string()))
}

/// Pictures are opaque, so their opacity is left out. Rows of flat colours shrink best without filters.
fn encode(pixmap: &Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    let rgb: Vec<u8> =
        pixmap.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(file)
}

fn paint_shape(shape: &Shape, pixmap: &mut Pixmap) {
    match shape {
        Shape::Area { blocks, fill: Fill::Plain(colour) } => paint_blocks(blocks, *colour, pixmap),
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
            let paint = Paint { shader, anti_alias: false, ..Paint::default() };
            for block in blocks {
                let (x, y) = (block.x.into(), block.y.into());
                if let Some(rect) = Rect::from_xywh(x, y, block.width.into(), block.height.into()) {
                    pixmap.fill_rect(rect, &paint, Transform::identity(), None);
                }
            }
        }
        Shape::Facets { facets, colour } => {
            let paint = Paint { anti_alias: false, ..paint(*colour) };
            for some in facets.chunks(PATH_LINES) {
                if let Some(path) = closed_path(some) {
                    pixmap.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
                }
            }
        }
        Shape::Lines { lines, stroke } => {
            for some in lines.chunks(PATH_LINES) {
                let mut path = PathBuilder::new();
                for line in some {
                    add_corners(line, &mut path);
                }
                stroke_path(path.finish(), *stroke, pixmap);
            }
        }
        Shape::Triangles { triangles, colour } => {
            for some in triangles.chunks(PATH_LINES) {
                fill_path(closed_path(some), *colour, pixmap);
            }
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
            paint_blocks(&blocks, palette::INK, pixmap);
        }
    }
}

/// Paints blocks that lie within the picture. There can be millions of a few pixels each, so this does without the set-up
/// that painting a general shape takes.
fn paint_blocks(blocks: &[Block], colour: Colour, pixmap: &mut Pixmap) {
    let across = pixmap.width() as usize;
    let pixels = pixmap.pixels_mut();
    for block in blocks {
        for y in block.y..block.y + block.height {
            let first = usize::from(y) * across + usize::from(block.x);
            for pixel in &mut pixels[first..first + usize::from(block.width)] {
                *pixel = blend(*pixel, colour);
            }
        }
    }
}

/// A colour laid over a pixel.
fn blend(below: PremultipliedColorU8, colour: Colour) -> PremultipliedColorU8 {
    let alpha = u32::from(colour.alpha);
    let mix = |above: u8, below: u8| {
        ((u32::from(above) * alpha + u32::from(below) * (255 - alpha) + 127) / 255) as u8
    };
    let [red, green, blue] = colour.rgb;
    let mixed = PremultipliedColorU8::from_rgba(
        mix(red, below.red()),
        mix(green, below.green()),
        mix(blue, below.blue()),
        mix(255, below.alpha()),
    );
    // No channel can exceed the opacity, for none did in either of the two.
    mixed.unwrap_or(below)
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

/// Shapes of a few corners each.
fn closed_path<const N: usize>(shapes: &[[Spot; N]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for corners in shapes {
        add_corners(corners, &mut path);
        path.close();
    }
    path.finish()
}

/// No path means that there is nothing to draw.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Picture;
    use crate::id::NodeId;
    use crate::space::Cell;
    use crate::world::grid::Grid;

    fn colour_at(pixmap: &Pixmap, x: u32, y: u32) -> Colour {
        let pixel = pixmap.pixel(x, y).unwrap();
        assert_eq!(pixel.alpha(), 255);
        Colour { rgb: [pixel.red(), pixel.green(), pixel.blue()], alpha: 255 }
    }

    /// Whether two colours are the same but for rounding.
    fn assert_close(found: Colour, expected: Colour) {
        let close = found.rgb.iter().zip(expected.rgb).all(|(a, b)| a.abs_diff(b) <= 1);
        assert!(close, "{found} is not {expected}");
    }

    #[test]
    fn pixels_have_the_colours_of_what_is_there() {
        let grid: Grid = "
            .....
            .###.
            .....
            4...."
            .parse()
            .unwrap();
        let node = |(x, y)| grid.node(Cell::new(x, y)).unwrap();
        let path: Vec<NodeId> = (0..5).map(|x| node((x, 0))).collect();
        let (closed, open) = ([node((1, 2)), node((2, 2))], [node((3, 2))]);
        for cell in [2, 3, 8, 20] {
            let mut picture = Picture::of_grid(&grid).closed(&closed).open(&open);
            // Where cells are small, path and goal cover their neighbours.
            if cell >= 8 {
                picture = picture.path(&path).goals(&path[4..]);
            }
            let png = picture.cell_pixels(cell).to_png().unwrap();
            let pixmap = Pixmap::decode_png(&png).unwrap();
            assert_eq!((pixmap.width(), pixmap.height()), (5 * cell + 16, 4 * cell + 16));
            let corner =
                |x: u32, y: u32| colour_at(&pixmap, 8 + x * cell + cell - 1, 8 + y * cell + cell - 1);
            assert_eq!(corner(2, 1), palette::WALL);
            assert_eq!(corner(0, 2), palette::FLOOR);
            assert_close(corner(3, 2), palette::OPEN.over(palette::FLOOR));
            assert_eq!(colour_at(&pixmap, 1, 1), palette::PAGE);
            let middle =
                |x: u32, y: u32| colour_at(&pixmap, 8 + x * cell + cell / 2, 8 + y * cell + cell / 2);
            if cell >= 8 {
                assert_eq!(middle(1, 0), palette::PATH);
                assert_eq!(middle(4, 0), palette::GOAL);
                assert_eq!(middle(0, 3), palette::GRASS);
            }
        }
    }

    #[test]
    fn closed_cells_are_hatched_where_there_is_room() {
        let grid = Grid::new(3, 3).unwrap();
        let closed: Vec<NodeId> = grid.cells().map(|cell| grid.node(cell).unwrap()).collect();
        let colours = |cell: u32| {
            let png = Picture::of_grid(&grid).closed(&closed).cell_pixels(cell).to_png().unwrap();
            let pixmap = Pixmap::decode_png(&png).unwrap();
            let across = 8..8 + 3 * cell;
            let mut found: Vec<[u8; 3]> = across
                .clone()
                .flat_map(|y| across.clone().map(move |x| (x, y)))
                .map(|(x, y)| colour_at(&pixmap, x, y).rgb)
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        assert_eq!(colours(3).len(), 1);
        assert!(colours(4).len() > 1);
    }

    #[test]
    fn text_is_written_in_ink() {
        let grid = Grid::new(10, 1).unwrap();
        let png = Picture::of_grid(&grid).title("L").cell_pixels(10).to_png().unwrap();
        let pixmap = Pixmap::decode_png(&png).unwrap();
        for y in 8..15 {
            assert_eq!(colour_at(&pixmap, 8, y), palette::INK);
        }
        assert_eq!(colour_at(&pixmap, 12, 14), palette::INK);
        assert_eq!(colour_at(&pixmap, 12, 13), palette::PAGE);
    }

    #[test]
    fn wide_pictures_are_painted_to_their_edge() {
        let mut grid = Grid::new(10_000, 3).unwrap();
        grid.set(Cell::new(9_999, 2), crate::world::grid::Terrain::WALL).unwrap();
        let pixmap = Pixmap::decode_png(&Picture::of_grid(&grid).to_png().unwrap()).unwrap();
        assert_eq!(colour_at(&pixmap, 16 + 9_999, 16 + 2), palette::WALL);
        assert_eq!(colour_at(&pixmap, 16 + 9_998, 16 + 2), palette::FLOOR);
        assert_eq!(colour_at(&pixmap, 10_031, 0), palette::PAGE);
    }
}
