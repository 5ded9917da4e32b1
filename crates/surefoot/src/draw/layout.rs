//! Where everything goes: title above, map, legend below.

use super::graph_layers;
use super::grid_layers;
use super::legend::{self, Entry, Sample};
use super::marks;
use super::palette;
use super::picture::{Picture, World};
use super::shapes::{Block, Scene, Shape, Spot, Stroke};
use super::{DrawError, font};
use crate::id::NodeId;

/// Maps are made about this long, in pixels.
const USUAL_SIDE: f64 = 800.0;
/// Maps at least this wide get large letters.
const WIDE: u64 = 440;
/// A title can make a picture this wide, in pixels of the font; what is longer is cut.
const TITLE_WIDTH: u16 = 300;
/// From this width of a cell on, there are arrows, lines between cells, and patterns of terrain.
pub(crate) const DETAIL: f32 = 8.0;
/// Pixels around a graph, for nodes at the edge and arcs that go round them.
const GRAPH_MARGIN: f64 = 32.0;

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

/// The world's place in the picture.
pub(crate) struct Map<'a> {
    pub world: World<'a>,
    /// Pixels left of the map and above it.
    pub left: u16,
    pub top: u16,
    /// Pixels of a cell or a world unit.
    scale: f64,
    /// The world coordinates of the top left corner.
    low: (f64, f64),
    /// Pixels across and down.
    size: (u64, u64),
    /// Pixels of a cell; in a graph, what a cell would have if its nodes were spread evenly.
    pub mark: f32,
    /// Sorted, as are the roads.
    pub links: Vec<(NodeId, NodeId)>,
    /// Open roads of a graph.
    pub roads: Vec<(NodeId, NodeId)>,
}

impl<'a> Map<'a> {
    fn new(picture: &Picture<'a>) -> Map<'a> {
        let blank = Map {
            world: picture.world,
            left: 0,
            top: 0,
            scale: 1.0,
            low: (0.0, 0.0),
            size: (0, 0),
            mark: 0.0,
            links: Vec::new(),
            roads: Vec::new(),
        };
        match picture.world {
            World::Grid(grid) => {
                let usual = (USUAL_SIDE as u32 / grid.width().max(grid.height())).clamp(1, 32);
                let cell = picture.cell_pixels.unwrap_or(usual);
                Map {
                    scale: f64::from(cell),
                    size: (u64::from(grid.width() * cell), u64::from(grid.height() * cell)),
                    mark: cell as f32,
                    links: grid.links().iter().map(|link| (link.from, link.to)).collect(),
                    ..blank
                }
            }
            World::Graph(graph) => {
                let places = graph.positions();
                let least =
                    |value: fn(&crate::space::Point) -> f64| places.iter().map(value).reduce(f64::min);
                let most = |value: fn(&crate::space::Point) -> f64| places.iter().map(value).reduce(f64::max);
                let low = (least(|p| p.x).unwrap_or(0.0), least(|p| p.y).unwrap_or(0.0));
                let extent = (most(|p| p.x).unwrap_or(0.0) - low.0, most(|p| p.y).unwrap_or(0.0) - low.1);
                let longest = extent.0.max(extent.1);
                let usual = if longest > 1e-9 { USUAL_SIDE / longest } else { 1.0 };
                let scale = picture.cell_pixels.map_or(usual, f64::from);
                let side = |extent: f64| (extent * scale + 2.0 * GRAPH_MARGIN).ceil() as u64;
                let size = (side(extent.0), side(extent.1));
                let spacing = (size.0 as f64 * size.1 as f64 / places.len().max(1) as f64).sqrt();
                let margin = GRAPH_MARGIN / scale;
                Map {
                    scale,
                    low: (low.0 - margin, low.1 - margin),
                    size,
                    mark: (spacing * 0.35).clamp(4.0, 28.0) as f32,
                    links: graph_layers::edges(graph, crate::world::waypoints::EdgeKind::Link),
                    roads: graph_layers::edges(graph, crate::world::waypoints::EdgeKind::Road),
                    ..blank
                }
            }
        }
    }

    /// The middle of a node.
    pub fn spot(&self, node: NodeId) -> Spot {
        let (x, y) = match self.world {
            World::Grid(grid) => {
                let cell = grid.cell(node);
                (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
            }
            World::Graph(graph) => (graph.positions()[node.index()].x, graph.positions()[node.index()].y),
        };
        Spot::new(
            f32::from(self.left) + ((x - self.low.0) * self.scale) as f32,
            f32::from(self.top) + ((y - self.low.1) * self.scale) as f32,
        )
    }

    /// Whether a step can only go through a link.
    fn is_hop(&self, from: NodeId, to: NodeId) -> bool {
        let beside = match self.world {
            World::Grid(grid) => {
                let (a, b) = (grid.cell(from), grid.cell(to));
                a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1
            }
            World::Graph(_) => self.roads.binary_search(&(from, to)).is_ok(),
        };
        !beside && self.links.binary_search(&(from, to)).is_ok()
    }

    /// The whole map.
    pub fn block(&self) -> Block {
        Block { x: self.left, y: self.top, width: self.size.0 as u16, height: self.size.1 as u16 }
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
    let scale: u16 = if map.size.0 < WIDE { 1 } else { 2 };
    let margin = 8 * scale;
    let title =
        cut(picture.title, map.size.0.clamp(TITLE_WIDTH.into(), u64::from(Picture::MAX_SIDE)) as u16 / scale);
    let title_height = if title.is_empty() { 0 } else { (font::ASCENT + font::DESCENT) * scale + margin / 2 };
    map.left = margin;
    map.top = margin + title_height;
    check_size(map.size.0 + 2 * u64::from(margin), map.size.1 + u64::from(map.top + margin))?;

    let mut drawing = draw_map(picture, &map);
    let entries: Vec<Entry> =
        if picture.legend { drawing.entries.drain(..).rev().collect() } else { Vec::new() };
    let title_width = font::width(&title) * scale;
    let width = map.block().width.max(title_width).max(legend::least_width(&entries, scale)) + 2 * margin;
    let map_bottom = map.top + map.block().height;
    let bottom = legend::place(
        &entries,
        Spot::new(margin.into(), f32::from(map_bottom + margin)),
        width - margin,
        scale,
        &mut drawing.shapes,
    );
    let height = bottom + margin;
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
    let ends: Vec<_> = links.map(|&(from, to)| (map.spot(from), map.spot(to))).collect();
    if !ends.is_empty() {
        let sample = Sample::Marks(Box::new(|from, to| marks::links(&[(from, to)], 12.0)));
        drawing.add(marks::links(&ends, map.mark), "link", sample);
    }
}

fn draw_arrows(picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
    if map.mark >= DETAIL && !picture.arrows.is_empty() {
        let ends: Vec<_> = picture.arrows.iter().map(|&(from, to)| arrow_ends(map, from, to)).collect();
        let stroke = Stroke::solid(palette::ARROW, (map.mark * 0.055).clamp(0.9, 2.0));
        let head = (map.mark * 0.24).clamp(3.0, 8.0);
        let sample = Sample::Marks(Box::new(move |from, to| marks::arrows(&[(from, to)], stroke, head)));
        drawing.add(marks::arrows(&ends, stroke, head), "parent", sample);
    }
}

fn draw_ends(picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
    if !picture.goals.is_empty() {
        let spots = picture.goals.iter().map(|&goal| map.spot(goal)).collect();
        let sample = Sample::Marks(Box::new(|from, to| marks::goals(vec![from.middle(to)], 16.0)));
        drawing.add(marks::goals(spots, map.mark), "goal", sample);
    }
    if let Some(start) = picture.start {
        let sample = Sample::Marks(Box::new(|from, to| marks::start(from.middle(to), 16.0)));
        drawing.add(marks::start(map.spot(start), map.mark), "start", sample);
    }
}

fn draw_path(picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
    let (mut pieces, mut hops) = (Vec::new(), Vec::new());
    for piece in picture.path.chunk_by(|&from, &to| !map.is_hop(from, to)) {
        pieces.push(piece.iter().map(|&node| map.spot(node)).collect::<Vec<Spot>>());
    }
    for pair in picture.path.windows(2).filter(|pair| map.is_hop(pair[0], pair[1])) {
        hops.push((map.spot(pair[0]), map.spot(pair[1])));
    }
    pieces.retain(|piece| piece.len() > 1);
    if !pieces.is_empty() || !hops.is_empty() {
        let sample = Sample::Marks(Box::new(|from, to| marks::path(vec![vec![from, to]], &[], 16.0)));
        drawing.add(marks::path(pieces, &hops, map.mark), "path", sample);
    }
}

/// Where an arrow starts and ends: within the cell if it points to a neighbour, for its neighbours have arrows too.
fn arrow_ends(map: &Map<'_>, from: NodeId, to: NodeId) -> (Spot, Spot) {
    let (a, b) = (map.spot(from), map.spot(to));
    let near = matches!(map.world, World::Grid(_)) && a.distance(b) < map.mark * 1.5;
    if near {
        (a.towards(b, map.mark * -0.3), a.towards(b, map.mark * 0.3))
    } else {
        (a.towards(b, map.mark * 0.33), b.towards(a, map.mark * 0.33))
    }
}

/// A thin line around a block.
pub(crate) fn frame(block: Block) -> Shape {
    let (left, top) = (f32::from(block.x) - 0.5, f32::from(block.y) - 0.5);
    let (right, bottom) = (left + f32::from(block.width) + 1.0, top + f32::from(block.height) + 1.0);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    let line = corners.map(|(x, y)| Spot::new(x, y)).to_vec();
    Shape::Lines { lines: vec![line], stroke: Stroke::solid(palette::FRAME, 1.0) }
}
