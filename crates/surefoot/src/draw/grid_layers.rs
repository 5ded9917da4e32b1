//! The layers of a grid: terrain, search state, lines between cells.

use super::layout::{self, Drawing};
use super::legend::Sample;
use super::map::{Map, USUAL_SIDE};
use super::palette;
use super::picture::Picture;
use super::shapes::{Block, Fill, Pattern, Shape, Spot, Stroke};
use super::subject::Subject;
use crate::id::NodeId;
use crate::space::Cell;
use crate::world::grid::{Grid, Terrain};

/// From this width of a cell on, expanded cells are hatched.
const HATCHED: f32 = 4.0;
/// From this width of a cell on, there are lines between cells, and patterns of terrain.
const DETAIL: f32 = 8.0;
/// Up to this many other terrains have a line each in the legend.
const NAMED_COSTS: usize = 3;

const CLOSED: u8 = 1;
const OPEN: u8 = 2;

impl Subject for Grid {
    fn name(&self) -> String {
        format!("Grid of {} x {} cells", self.width(), self.height())
    }

    fn contains(&self, node: NodeId) -> bool {
        // Numbers before the first cell and after the last have no cell at all, some between lie on the border.
        let last = Cell::new(self.width() as i32 - 1, self.height() as i32 - 1);
        self.node(Cell::new(0, 0)) <= Some(node)
            && Some(node) <= self.node(last)
            && Grid::contains(self, self.cell(node))
    }

    fn marks(&self) -> Vec<NodeId> {
        self.cells().filter_map(|cell| self.node(cell)).collect()
    }

    fn map<'a>(&'a self, picture: &Picture<'a>) -> Map<'a> {
        let longest = self.width().max(self.height());
        let cell = picture.cell_pixels.unwrap_or_else(|| (u32::from(USUAL_SIDE) / longest).clamp(1, 32));
        let mut links: Vec<_> = self.links().iter().map(|link| (link.from, link.to)).collect();
        links.dedup();
        Map {
            world: self,
            left: 0,
            top: 0,
            scale: f64::from(cell),
            low: (0.0, 0.0),
            size: (u64::from(self.width() * cell), u64::from(self.height() * cell)),
            cell: cell as f32,
            mark: (cell as f32).max(((longest * cell) as f32 / 120.0).min(12.0)),
            links,
            roads: Vec::new(),
            space: None,
        }
    }

    fn centre(&self, _map: &Map<'_>, node: NodeId) -> (f64, f64) {
        let cell = self.cell(node);
        (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)
    }

    fn are_joined(&self, _map: &Map<'_>, from: NodeId, to: NodeId) -> bool {
        let (a, b) = (self.cell(from), self.cell(to));
        a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1
    }

    fn has_short_arrows(&self) -> bool {
        true
    }

    fn draw_below(&self, picture: &Picture<'_>, map: &Map<'_>, drawing: &mut Drawing) {
        drawing.shapes.push(Shape::block(map.block(), palette::FLOOR));
        draw_terrain(self, map, drawing);
        draw_search(picture, self, map, drawing);
        if map.cell >= DETAIL {
            drawing.shapes.push(lines_between_cells(self, map));
        }
        drawing.shapes.push(layout::frame(map.block()));
    }
}

fn draw_terrain(grid: &Grid, map: &Map<'_>, drawing: &mut Drawing) {
    let areas = cover(&grid.to_terrain(), grid.width() as usize, Terrain::FLOOR.cost());
    let others: Vec<u8> = (0..=255)
        .filter(|&cost| !areas[usize::from(cost)].is_empty() && is_other(Terrain::new(cost)))
        .collect();
    let highest = others.last().copied().unwrap_or(0);
    let plain = |cost: u8| Fill::Plain(palette::terrain(Terrain::new(cost), highest));
    // From expensive to cheap, because the legend reverses the order.
    if others.len() > NAMED_COSTS {
        let steps = [0, others.len() / 3, others.len() * 2 / 3, others.len() - 1];
        let patches = steps.map(|step| vec![plain(others[step])]).to_vec();
        drawing.add([], format!("cost {}-{highest}", others[0]), Sample::Ground(patches));
    }
    for (cost, cells) in (0..=255).zip(areas).rev().filter(|(_, cells)| !cells.is_empty()) {
        let terrain = Terrain::new(cost);
        let mut fills = vec![plain(cost)];
        fills.extend(terrain_pattern(terrain, map).map(Fill::Pattern));
        let shapes = fill_cells(&cells, &fills, map);
        let label = match terrain {
            Terrain::WALL => "wall".to_owned(),
            Terrain::GRASS => "grass (4)".to_owned(),
            Terrain::WATER => "water (10)".to_owned(),
            _ if others.len() > NAMED_COSTS => {
                drawing.shapes.extend(shapes);
                continue;
            }
            _ => format!("cost {cost}"),
        };
        drawing.add(shapes, label, Sample::Ground(vec![fills]));
    }
}

fn is_other(terrain: Terrain) -> bool {
    ![Terrain::WALL, Terrain::FLOOR, Terrain::GRASS, Terrain::WATER].contains(&terrain)
}

fn draw_search(picture: &Picture<'_>, grid: &Grid, map: &Map<'_>, drawing: &mut Drawing) {
    let width = grid.width() as usize;
    let mut states = vec![0; width * grid.height() as usize];
    let mut set = |nodes: &[NodeId], state| {
        for &node in nodes {
            let cell = grid.cell(node);
            states[cell.y as usize * width + cell.x as usize] = state;
        }
    };
    set(picture.closed, CLOSED);
    set(picture.open, OPEN);
    let areas = cover(&states, width, 0);
    let mut closed = vec![Fill::Plain(palette::CLOSED)];
    if map.cell >= HATCHED {
        closed.push(Fill::Pattern(hatching(map)));
    }
    let kinds = [(CLOSED, "closed", closed), (OPEN, "open", vec![Fill::Plain(palette::OPEN)])];
    for (state, label, fills) in kinds {
        let cells = &areas[usize::from(state)];
        if !cells.is_empty() {
            drawing.add(fill_cells(cells, &fills, map), label, Sample::Ground(vec![fills]));
        }
    }
}

/// For each value but `skipped`, rectangles of cells that cover it: runs within a row, joined with equal runs below.
fn cover(values: &[u8], width: usize, skipped: u8) -> Vec<Vec<Block>> {
    let mut areas = vec![Vec::new(); 256];
    // The rectangles that the row above ended with, from the left.
    let mut above: Vec<(u8, Block)> = Vec::new();
    for (y, row) in (0..).zip(values.chunks(width.max(1))) {
        let mut here = Vec::new();
        let mut x = 0;
        let mut candidates = above.drain(..).peekable();
        for run in row.chunk_by(|a, b| a == b) {
            let (value, length) = (run[0], run.len() as u16);
            let mut block = Block { x, y, width: length, height: 1 };
            x += length;
            if value == skipped {
                continue;
            }
            while let Some((old_value, old)) = candidates.next_if(|(_, old)| old.x <= block.x) {
                if (old_value, old.x, old.width) == (value, block.x, block.width) {
                    block = Block { height: old.height + 1, ..old };
                } else {
                    areas[usize::from(old_value)].push(old);
                }
            }
            here.push((value, block));
        }
        for (value, block) in candidates {
            areas[usize::from(value)].push(block);
        }
        above = here;
    }
    for (value, block) in above {
        areas[usize::from(value)].push(block);
    }
    areas
}

/// Creates one shape per fill over rectangles of cells.
fn fill_cells(cells: &[Block], fills: &[Fill], map: &Map<'_>) -> Vec<Shape> {
    let pixels = map.cell as u16;
    let place = |block: &Block| Block {
        x: map.left + block.x * pixels,
        y: map.top + block.y * pixels,
        width: block.width * pixels,
        height: block.height * pixels,
    };
    let blocks: Vec<Block> = cells.iter().map(place).collect();
    fills.iter().map(|fill| Shape::Area { blocks: blocks.clone(), fill: fill.clone() }).collect()
}

fn lines_between_cells(grid: &Grid, map: &Map<'_>) -> Shape {
    let Block { x: left, y: top, width, height } = map.block();
    let pixels = map.cell as u16;
    let downwards =
        (1..grid.width() as u16).map(|column| Block { x: left + column * pixels, y: top, width: 1, height });
    let across =
        (1..grid.height() as u16).map(|row| Block { x: left, y: top + row * pixels, width, height: 1 });
    Shape::Area { blocks: downwards.chain(across).collect(), fill: Fill::Plain(palette::GRID_LINE) }
}

fn terrain_pattern(terrain: Terrain, map: &Map<'_>) -> Option<Pattern> {
    let cell = map.cell as u16;
    // Two motifs beside each other in large cells.
    let side = if cell > 16 { cell / 2 } else { cell };
    let s = f32::from(side);
    let (name, shape) = match terrain {
        _ if map.cell < DETAIL => return None,
        Terrain::GRASS => {
            let centres = vec![Spot::new(s * 0.25, s * 0.3), Spot::new(s * 0.75, s * 0.8)];
            let radius = (s * 0.1).max(0.9);
            ("grass", Shape::Discs { centres, radius, fill: Some(palette::GRASS_MARK), rim: None })
        }
        Terrain::WATER => {
            // A wave from the left edge to the right edge, where it continues.
            let heights = [0.0, -0.1, -0.14, -0.1, 0.0, 0.1, 0.14, 0.1, 0.0];
            let wave =
                (0_u8..).zip(heights).map(|(step, dy)| Spot::new(s * f32::from(step) / 8.0, s * (0.5 + dy)));
            let stroke = Stroke::solid(palette::WATER_MARK, (s * 0.08).max(1.0));
            ("water", Shape::Lines { lines: vec![wave.collect()], stroke })
        }
        _ => return None,
    };
    Some(Pattern { name, origin: (map.left, map.top), side, shapes: vec![shape] })
}

fn hatching(map: &Map<'_>) -> Pattern {
    let side = (map.cell as u16 / 3).clamp(5, 8);
    let s = f32::from(side);
    // The diagonal, and the corners that the diagonals of the neighbours cut off.
    let lines = [(0.0, s, s, 0.0), (-1.0, 1.0, 1.0, -1.0), (s - 1.0, s + 1.0, s + 1.0, s - 1.0)];
    let lines = lines.map(|(ax, ay, bx, by)| vec![Spot::new(ax, ay), Spot::new(bx, by)]).to_vec();
    let stroke = Stroke::solid(palette::CLOSED_MARK, 1.0);
    let shapes = vec![Shape::Lines { lines, stroke }];
    Pattern { name: "closed", origin: (map.left, map.top), side, shapes }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn block(x: u16, y: u16, width: u16, height: u16) -> Block {
        Block { x, y, width, height }
    }

    #[test]
    fn runs_become_one_rectangle_and_grow_downwards() {
        let values = [
            [1, 1, 0, 2], //
            [1, 1, 0, 2],
            [1, 0, 0, 2],
        ];
        let areas = cover(&values.concat(), 4, 0);
        assert_eq!(areas[1], [block(0, 0, 2, 2), block(0, 2, 1, 1)]);
        assert_eq!(areas[2], [block(3, 0, 1, 3)]);
        assert!(areas[0].is_empty());
    }

    proptest! {
        #[test]
        fn rectangles_cover_every_cell_once(
            width in 1_usize..9,
            values in proptest::collection::vec(0_u8..3, 1..60),
        ) {
            let height = values.len() / width;
            let values = &values[..width * height];
            let mut painted = vec![0; values.len()];
            for (value, blocks) in (0..=255).zip(cover(values, width, 0)) {
                for block in blocks {
                    for y in block.y..block.y + block.height {
                        for x in block.x..block.x + block.width {
                            let cell = &mut painted[usize::from(y) * width + usize::from(x)];
                            prop_assert_eq!(*cell, 0, "painted twice");
                            *cell = value;
                        }
                    }
                }
            }
            prop_assert_eq!(painted, values);
        }
    }
}
