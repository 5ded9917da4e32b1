//! The layout of a picture: title above, map, legend below.

use super::legend::{self, Entry, Sample};
use super::map::Map;
use super::marks::{self, Arc};
use super::palette;
use super::picture::Picture;
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

/// The shapes so far, and their entries in the legend.
#[derive(Default)]
pub(crate) struct Drawing {
    pub shapes: Vec<Shape>,
    /// The entries, last first.
    pub entries: Vec<Entry>,
}

impl Drawing {
    /// Adds shapes, explained by an entry of the legend.
    pub fn add(&mut self, shapes: impl IntoIterator<Item = Shape>, label: impl Into<String>, sample: Sample) {
        self.shapes.extend(shapes);
        self.entries.push(Entry { label: label.into(), sample });
    }
}

/// Lays out a picture whose nodes all exist.
pub(crate) fn lay_out(picture: &Picture<'_>) -> Result<Scene, DrawError> {
    if let Some(pixels) = picture.cell_pixels
        && !(1..=Picture::MAX_CELL_PIXELS).contains(&pixels)
    {
        return Err(DrawError::CellPixels(pixels));
    }
    let mut map = picture.world.map(picture);
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

    let name = if picture.title.is_empty() { picture.world.name() } else { picture.title.to_owned() };
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
    picture.world.draw_below(picture, map, &mut drawing);
    draw_links(map, &mut drawing);
    draw_arrows(picture, map, &mut drawing);
    draw_path(picture, map, &mut drawing);
    picture.world.draw_above(picture, map, &mut drawing);
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
    let (mut pieces, mut dashed) = (Vec::new(), Vec::new());
    if let Some(space) = &map.space {
        let corner = Spot::new(map.left.into(), map.top.into());
        [pieces, dashed] = space.pieces(picture.path, corner);
    } else {
        for piece in picture.path.chunk_by(|&from, &to| !map.is_hop(from, to)) {
            pieces.push(piece.iter().map(|&node| map.spot(node)).collect::<Vec<Spot>>());
        }
        for pair in picture.path.windows(2).filter(|pair| map.is_hop(pair[0], pair[1])) {
            dashed.push(map.arc(pair[0], pair[1]).curve());
        }
        pieces.retain(|piece| piece.len() > 1);
    }
    if !pieces.is_empty() || !dashed.is_empty() {
        if map.space.is_some() && !dashed.is_empty() {
            let sample = Sample::Marks(Box::new(|from, to| {
                marks::path(Vec::new(), vec![vec![from, to]], sample_mark(from, to))
            }));
            drawing.add([], "path, hidden", sample);
        }
        let sample = Sample::Marks(Box::new(|from, to| {
            marks::path(vec![vec![from, to]], Vec::new(), sample_mark(from, to))
        }));
        drawing.add(marks::path(pieces, dashed, map.mark), "path", sample);
    }
}

/// Where an arrow starts and ends: within the cell if it points to a neighbour, for its neighbours have arrows too.
fn arrow_ends(map: &Map<'_>, from: NodeId, to: NodeId) -> (Spot, Spot) {
    let (a, b) = (map.spot(from), map.spot(to));
    let near = map.world.has_short_arrows() && a.distance(b) < map.cell * 1.5;
    if near {
        (a.towards(b, map.cell * -0.3), a.towards(b, map.cell * 0.3))
    } else {
        (a.towards(b, map.cell * 0.33), b.towards(a, map.cell * 0.33))
    }
}

/// The size of marks in a sample of the legend.
fn sample_mark(from: Spot, to: Spot) -> f32 {
    from.distance(to) * 0.6
}

/// A thin line around a block.
pub(crate) fn frame(block: Block) -> Shape {
    let (left, top) = (f32::from(block.x) - 0.5, f32::from(block.y) - 0.5);
    let (right, bottom) = (left + f32::from(block.width) + 1.0, top + f32::from(block.height) + 1.0);
    let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    let line = corners.map(|(x, y)| Spot::new(x, y)).to_vec();
    Shape::Lines { lines: vec![line], stroke: Stroke::solid(palette::FRAME, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::Fill;
    use super::*;
    use crate::cost::Cost;
    use crate::space::{Cell, Point};
    use crate::world::grid::{Grid, Terrain};
    use crate::world::waypoints::{EdgeKind, Waypoints};

    fn grid() -> Grid {
        ".....\n.#4..\n.#...".parse().unwrap()
    }

    fn nodes<const N: usize>(grid: &Grid, cells: [(i32, i32); N]) -> [NodeId; N] {
        cells.map(|(x, y)| grid.node(Cell::new(x, y)).unwrap())
    }

    fn labels(scene: &Scene) -> Vec<&str> {
        let texts = scene.shapes.iter().filter_map(|shape| match shape {
            Shape::Text { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The areas of one colour.
    fn blocks(scene: &Scene, colour: palette::Colour) -> Vec<Block> {
        let areas = scene.shapes.iter().filter_map(|shape| match shape {
            Shape::Area { blocks, fill: Fill::Plain(found) } if *found == colour => Some(blocks.clone()),
            _ => None,
        });
        areas.flatten().collect()
    }

    fn patterns(scene: &Scene) -> Vec<&'static str> {
        let names = scene.shapes.iter().filter_map(|shape| match shape {
            Shape::Area { fill: Fill::Pattern(pattern), .. } => Some(pattern.name),
            _ => None,
        });
        names.collect()
    }

    #[test]
    fn cells_are_where_they_belong() {
        let grid = grid();
        let scene = Picture::of_grid(&grid).cell_pixels(10).scene().unwrap();
        assert_eq!((scene.width, scene.height), (50 + 16, 30 + 16));
        assert_eq!(blocks(&scene, palette::WALL), [Block { x: 18, y: 18, width: 10, height: 20 }]);
        assert_eq!(blocks(&scene, palette::GRASS), [Block { x: 28, y: 18, width: 10, height: 10 }]);
    }

    #[test]
    fn open_wins_over_closed() {
        let grid = grid();
        let [a, b, c] = nodes(&grid, [(0, 0), (1, 0), (2, 0)]);
        let (closed, open) = ([a, b], [b, c]);
        let scene = Picture::of_grid(&grid).closed(&closed).open(&open).cell_pixels(10).scene().unwrap();
        assert_eq!(blocks(&scene, palette::CLOSED), [Block { x: 8, y: 8, width: 10, height: 10 }]);
        assert_eq!(blocks(&scene, palette::OPEN), [Block { x: 18, y: 8, width: 20, height: 10 }]);
    }

    #[test]
    fn small_cells_lose_their_details_one_after_the_other() {
        let grid = grid();
        let [a, b] = nodes(&grid, [(0, 0), (1, 0)]);
        let (closed, arrows) = ([a], [(b, a)]);
        let seen = |pixels| {
            let picture = Picture::of_grid(&grid).closed(&closed).arrows(&arrows).cell_pixels(pixels);
            let scene = picture.scene().unwrap();
            let arrows = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Triangles { .. })).count();
            (patterns(&scene), blocks(&scene, palette::GRID_LINE).len(), arrows)
        };
        assert_eq!(seen(10), (vec!["grass", "closed"], 6, 1));
        assert_eq!(seen(8), (vec!["grass", "closed"], 6, 0));
        assert_eq!(seen(4), (vec!["closed"], 0, 0));
        assert_eq!(seen(3), (vec![], 0, 0));
    }

    #[test]
    fn the_legend_names_what_occurs_and_nothing_else() {
        let mut grid = grid();
        let [a, b, c, far] = nodes(&grid, [(0, 0), (1, 0), (2, 0), (4, 2)]);
        let picture = Picture::of_grid(&grid).legend(true);
        assert_eq!(labels(&picture.scene().unwrap()), ["wall", "grass (4)"]);
        grid.add_link(Cell::new(4, 0), Cell::new(0, 2), Cost::ONE).unwrap();
        grid.set(Cell::new(4, 1), Terrain::new(7)).unwrap();
        let (goals, path, closed, open, arrows) = ([far], [a, b, c], [a, b], [c], [(b, a)]);
        let picture = Picture::of_grid(&grid).start(a).goals(&goals).path(&path).closed(&closed).open(&open);
        let picture = picture.arrows(&arrows).title("All of it");
        assert_eq!(labels(&picture.scene().unwrap()), ["All of it"]);
        let all = [
            "All of it",
            "start",
            "goal",
            "path",
            "parent",
            "link",
            "open",
            "closed",
            "wall",
            "grass (4)",
            "cost 7",
        ];
        assert_eq!(labels(&picture.legend(true).scene().unwrap()), all);
    }

    #[test]
    fn many_costs_share_one_entry() {
        let grid: Grid = "2356789".parse().unwrap();
        assert_eq!(labels(&Picture::of_grid(&grid).legend(true).scene().unwrap()), ["cost 2-9"]);
    }

    #[test]
    fn title_and_legend_keep_off_the_map_and_within_the_picture() {
        let long = "A title that is a good deal longer than the map below it is wide, ".repeat(9);
        for (side, pixels) in [(1, 1), (3, 40), (40, 3), (300, 2), (30, 30)] {
            let mut grid = Grid::new(side, side).unwrap();
            grid.set(Cell::new(0, 0), Terrain::WATER).unwrap();
            let start = nodes(&grid, [(0, 0)]);
            let picture = Picture::of_grid(&grid).start(start[0]).goals(&start).closed(&start);
            let scene = picture.title(&long).legend(true).cell_pixels(pixels).scene().unwrap();
            let map = blocks(&scene, palette::FLOOR)[0];
            let mut texts = 0;
            for shape in &scene.shapes {
                let Shape::Text { at, scale, text } = shape else { continue };
                texts += 1;
                let (top, bottom) = (at.y as u16 - font::ASCENT * scale, at.y as u16 + font::DESCENT * scale);
                assert!(bottom <= map.y || top >= map.y + map.height, "{side}: {text}");
                assert!(at.x as u16 + font::width(text) * scale <= scene.width, "{side}: {text}");
                assert!(bottom <= scene.height, "{side}: {text}");
            }
            assert!(texts >= 4, "{side}");
            assert!(labels(&scene)[0].ends_with("..."));
        }
    }

    #[test]
    fn a_path_follows_the_arc_of_a_link() {
        let mut grid = grid();
        grid.add_link(Cell::new(0, 2), Cell::new(4, 0), Cost::ONE).unwrap();
        let path = nodes(&grid, [(0, 0), (0, 1), (0, 2), (4, 0), (4, 1)]);
        let scene = Picture::of_grid(&grid).path(&path).cell_pixels(10).scene().unwrap();
        let of_path = |shape: &Shape| match shape {
            Shape::Lines { lines, stroke } if stroke.colour == palette::PATH => {
                Some((stroke.dash.is_some(), lines.iter().map(Vec::len).collect::<Vec<_>>()))
            }
            _ => None,
        };
        let found: Vec<_> = scene.shapes.iter().filter_map(of_path).collect();
        assert_eq!(found, [(false, vec![3, 2]), (true, vec![17])]);
    }

    #[test]
    fn graphs_draw_two_way_roads_once_and_leave_closed_edges_out() {
        let mut builder = Waypoints::builder();
        let [a, b, c] = [(0.0, 0.0), (8.0, 0.0), (8.0, 4.0)].map(|(x, y)| builder.node(Point::flat(x, y)));
        builder.road(a, b);
        builder.one_way(b, c, Cost::ONE, EdgeKind::Road);
        let shut = builder.one_way(c, a, Cost::ONE, EdgeKind::Road);
        builder.one_way(a, c, Cost::ONE, EdgeKind::Link);
        let mut graph = builder.build().unwrap();
        graph.set_edge(shut, None).unwrap();
        let (closed, open) = ([a], [b]);
        let picture = Picture::of_graph(&graph).closed(&closed).open(&open).legend(true);
        let scene = picture.scene().unwrap();
        assert_eq!(labels(&scene), ["open", "closed", "node", "link", "road", "one-way road"]);
        let map = picture.world.map(&picture);
        assert_eq!(map.size(), (864, 464));
        assert_eq!(map.spot(c), Spot::new(832.0, 432.0));
        let lines = |shape: &Shape| match shape {
            Shape::Lines { lines, stroke } if stroke.colour == palette::ROAD => lines.len(),
            _ => 0,
        };
        // Two roads, their samples, and the line around the map, which has the same colour.
        assert_eq!(scene.shapes.iter().map(lines).sum::<usize>(), 5);
    }

    #[test]
    fn graphs_of_no_node_or_one_have_a_picture() {
        let mut builder = Waypoints::builder();
        let empty = builder.clone().build().unwrap();
        assert!(Picture::of_graph(&empty).legend(true).scene().is_ok());
        let only = builder.node(Point::flat(1e6, -1e6));
        builder.road(only, only);
        let graph = builder.build().unwrap();
        let scene = Picture::of_graph(&graph).start(only).legend(true).scene().unwrap();
        assert_eq!(labels(&scene), ["start", "node"]);
    }
}
