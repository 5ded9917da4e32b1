//! Where everything goes: title above, map, legend below.

use super::graph_layers;
use super::grid_layers;
use super::legend::{self, Entry, Sample};
use super::map::Map;
use super::marks::{self, Arc};
use super::palette;
use super::picture::{Picture, World};
use super::shapes::{Block, Scene, Shape, Spot, Stroke};
use super::{DrawError, font};
use crate::id::NodeId;

/// Maps at least this wide get large letters.
const WIDE: u64 = 440;
/// Pixels of the font between the title and the map, over which the mark of a start can stick out.
const TITLE_GAP: u16 = 6;
/// A title can make a picture this wide, in pixels of the font; what is longer is cut.
const TITLE_WIDTH: u16 = 300;
/// From this width of a cell on, there are arrows.
const ARROWS: f32 = 10.0;

/// Shapes so far, and what the legend says about them.
#[derive(Default)]
pub(crate) struct Drawing {
    pub shapes: Vec<Shape>,
    /// Last first.
    pub entries: Vec<Entry>,
}

impl Drawing {
    /// Adds shapes, explained by an entry of the legend.
    pub fn add(&mut self, shapes: impl IntoIterator<Item = Shape>, label: impl Into<String>, sample: Sample) {
        self.shapes.extend(shapes);
        self.entries.push(Entry { label: label.into(), sample });
    }
}

/// Lays a picture out whose nodes all exist.
pub(crate) fn lay_out(picture: &Picture<'_>) -> Result<Scene, DrawError> {
    if let Some(pixels) = picture.cell_pixels
        && !(1..=Picture::MAX_CELL_PIXELS).contains(&pixels)
    {
        return Err(DrawError::CellPixels(pixels));
    }
    let mut map = Map::new(picture);
    let (map_width, map_height) = map.size();
    let scale: u16 = if map_width < WIDE { 1 } else { 2 };
    let margin = 8 * scale;
    let title_room = map_width.clamp(TITLE_WIDTH.into(), Picture::MAX_SIDE.into()) as u16 / scale;
    let title = cut(picture.title, title_room);
    let title_height = if title.is_empty() { 0 } else { (font::ASCENT + font::DESCENT + TITLE_GAP) * scale };
    map.left = margin;
    map.top = margin + title_height;
    check_size(map_width + 2 * u64::from(margin), map_height + u64::from(map.top + margin))?;

    let mut drawing = draw_map(picture, &map);
    let entries: Vec<Entry> =
        if picture.legend { drawing.entries.drain(..).rev().collect() } else { Vec::new() };
    let block = map.block();
    let title_width = font::width(&title) * scale;
    let width = block.width.max(title_width).max(legend::least_width(&entries, scale)) + 2 * margin;
    let mut height = block.y + block.height + margin;
    if !entries.is_empty() {
        let columns = margin..width - margin;
        height = legend::place(&entries, columns, height, scale, &mut drawing.shapes) + margin;
    }
    check_size(width.into(), height.into())?;

    let name = match picture.world {
        _ if !picture.title.is_empty() => picture.title.to_owned(),
        World::Grid(grid) => format!("Grid of {} x {} cells", grid.width(), grid.height()),
        World::Graph(graph) => format!("Graph of {} nodes", graph.node_count()),
    };
    let mut shapes = vec![Shape::block(Block { x: 0, y: 0, width, height }, palette::PAGE)];
    if !title.is_empty() {
        let base = Spot::new(margin.into(), f32::from(margin + font::ASCENT * scale));
        shapes.push(Shape::Text { at: base, scale, text: title });
    }
    shapes.append(&mut drawing.shapes);
    Ok(Scene { width, height, name, shapes })
}

fn check_size(width: u64, height: u64) -> Result<(), DrawError> {
    let side = u64::from(Picture::MAX_SIDE);
    if width <= side && height <= side && width * height <= Picture::MAX_PIXELS {
        Ok(())
    } else {
        Err(DrawError::TooLarge { width, height })
    }
}

/// The text, or as much of its beginning as fits, with an ellipsis.
fn cut(text: &str, width: u16) -> String {
    if font::width(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        if font::width(&kept) + font::width(" ...") > width {
            kept.pop();
            break;
        }
    }
    kept.trim_end().to_owned() + "..."
}

fn draw_map(picture: &Picture<'_>, map: &Map<'_>) -> Drawing {
    let mut drawing = Drawing::default();
    drawing.shapes.push(Shape::block(map.block(), palette::FLOOR));
    match picture.world {
        World::Grid(grid) => grid_layers::draw(picture, grid, map, &mut drawing),
        World::Graph(_) => graph_layers::draw_roads(map, &mut drawing),
    }
    drawing.shapes.push(frame(map.block()));
    draw_links(map, &mut drawing);
    draw_arrows(picture, map, &mut drawing);
    draw_path(picture, map, &mut drawing);
    if let World::Graph(graph) = picture.world {
        graph_layers::draw_nodes(picture, graph, map, &mut drawing);
    }
    draw_ends(picture, map, &mut drawing);
    drawing
}

fn draw_links(map: &Map<'_>, drawing: &mut Drawing) {
    let links = map.links.iter().filter(|(from, to)| from != to);
    let arcs: Vec<Arc> = links.map(|&(from, to)| map.arc(from, to)).collect();
    if !arcs.is_empty() {
        let sample = Sample::Marks(Box::new(|from, to| {
            marks::links(&[Arc::new(from, to)], sample_mark(from, to) / 2.0)
        }));
        drawing.add(marks::links(&arcs, map.mark), "link", sample);
    }
}

fn draw_arrows(picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
    if map.cell >= ARROWS && !picture.arrows.is_empty() {
        let ends: Vec<_> = picture.arrows.iter().map(|&(from, to)| arrow_ends(map, from, to)).collect();
        let stroke = Stroke::solid(palette::ARROW, (map.cell * 0.055).clamp(0.9, 2.0));
        let head = (map.cell * 0.24).clamp(3.0, 8.0);
        let sample = Sample::Marks(Box::new(move |from, to| marks::arrows(&[(from, to)], stroke, head)));
        drawing.add(marks::arrows(&ends, stroke, head), "parent", sample);
    }
}

fn draw_ends(picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
    if !picture.goals.is_empty() {
        let spots = picture.goals.iter().map(|&goal| map.spot(goal)).collect();
        let sample =
            Sample::Marks(Box::new(|from, to| marks::goals(vec![from.middle(to)], sample_mark(from, to))));
        drawing.add(marks::goals(spots, map.mark), "goal", sample);
    }
    if let Some(start) = picture.start {
        let sample = Sample::Marks(Box::new(|from, to| marks::start(from.middle(to), sample_mark(from, to))));
        drawing.add(marks::start(map.spot(start), map.mark), "start", sample);
    }
}

fn draw_path(picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
    let (mut pieces, mut hops) = (Vec::new(), Vec::new());
    for piece in picture.path.chunk_by(|&from, &to| !map.is_hop(from, to)) {
        pieces.push(piece.iter().map(|&node| map.spot(node)).collect::<Vec<Spot>>());
    }
    for pair in picture.path.windows(2).filter(|pair| map.is_hop(pair[0], pair[1])) {
        hops.push(map.arc(pair[0], pair[1]));
    }
    pieces.retain(|piece| piece.len() > 1);
    if !pieces.is_empty() || !hops.is_empty() {
        let sample =
            Sample::Marks(Box::new(|from, to| marks::path(vec![vec![from, to]], &[], sample_mark(from, to))));
        drawing.add(marks::path(pieces, &hops, map.mark), "path", sample);
    }
}

/// Where an arrow starts and ends: within the cell if it points to a neighbour, for its neighbours have arrows too.
fn arrow_ends(map: &Map<'_>, from: NodeId, to: NodeId) -> (Spot, Spot) {
    let (a, b) = (map.spot(from), map.spot(to));
    let near = matches!(map.world, World::Grid(_)) && a.distance(b) < map.cell * 1.5;
    if near {
        (a.towards(b, map.cell * -0.3), a.towards(b, map.cell * 0.3))
    } else {
        (a.towards(b, map.cell * 0.33), b.towards(a, map.cell * 0.33))
    }
}

/// The size of marks in a sample of the legend.
fn sample_mark(from: Spot, to: Spot) -> f32 {
    from.distance(to) * 0.75
}

/// A thin line around a block.
pub(crate) fn frame(block: Block) -> Shape {
    let (left, top) = (f32::from(block.x) - 0.5, f32::from(block.y) - 0.5);
    let (right, bottom) = (left + f32::from(block.width) + 1.0, top + f32::from(block.height) + 1.0);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    let line = corners.map(|(x, y)| Spot::new(x, y)).to_vec();
    Shape::Lines { lines: vec![line], stroke: Stroke::solid(palette::FRAME, 1.0) }
}
