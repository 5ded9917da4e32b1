//! A voxel world from above, seen along the diagonal of its cells.
//!
//! x runs to the right and down, y to the left and down, z up. In this view a cell is a hexagon of six triangles, and
//! all triangles lie on one lattice. Each triangle belongs to one line of sight, and shows the first solid cell on it.
//! So visibility is exact, and costs no more than the picture has triangles. Down a column of the lattice, triangles
//! that look alike are merged into one facet.
//!
//! Solid cells above everything that is to be shown would only hide it, so the world is cut open there.

use super::layout::Drawing;
use super::legend::Sample;
use super::palette::{self, Colour};
use super::picture::Picture;
use super::shapes::{Fill, Shape, Spot, Stroke};
use crate::id::NodeId;
use crate::space::Voxel;
use crate::world::voxels::Voxels;

/// The usual length of the longer side of a picture, in pixels.
const USUAL_SIDE: u32 = 1000;
/// Half the width of a cell: usually not more, and not less, since from there on only some lines of sight are looked along.
const HALF_WIDTHS: (u32, u32) = (2, 16);
/// The number of heights with different shades.
const SHADES: i32 = 12;

/// How a voxel world is seen.
#[derive(Clone, Debug)]
pub(crate) struct Space<'a> {
    voxels: &'a Voxels,
    /// Of each axis, how many cells are shown.
    shown: [i32; 3],
    /// The stride at which lines of sight are sampled.
    every: i32,
    /// The width of a triangle in pixels. Its height is the same.
    width: u32,
}

/// What a line of sight meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Face {
    /// Solid cells continue above, but are not shown.
    Cut,
    /// The side of a cell towards larger x, in one of the shades.
    Right(i32),
    /// The side towards larger y.
    Left(i32),
    /// The top side.
    Top(i32),
}

impl Face {
    fn colour(self) -> Colour {
        let mixed = |shade: i32, low: f32, high: f32| {
            let share = shade as f32 / (SHADES - 1) as f32;
            palette::WALL.mix(palette::PAGE, low + (high - low) * share)
        };
        match self {
            Face::Cut => palette::WALL,
            Face::Right(shade) => mixed(shade, 0.2, 0.42),
            Face::Left(shade) => mixed(shade, 0.36, 0.6),
            Face::Top(shade) => mixed(shade, 0.55, 0.85),
        }
    }
}

impl<'a> Space<'a> {
    /// Creates the view of a voxel world for a picture.
    pub fn new(voxels: &'a Voxels, picture: &Picture<'_>) -> Space<'a> {
        let [x, y, depth] = voxels.size();
        let ends = picture.path.iter().chain(picture.goals).chain(&picture.start);
        let highest = ends.map(|&node| voxels.voxel(node).z as u32 + 1).max();
        let z = highest.unwrap_or(depth);
        let longest = (x + y).max(u32::midpoint(x, y) + z);
        let usual = (USUAL_SIDE / longest).clamp(HALF_WIDTHS.0, HALF_WIDTHS.1) & !1;
        // Up to a fifth more does no harm, and no line of sight is left out.
        let fits = picture.cell_pixels.is_some() || longest * usual <= USUAL_SIDE + USUAL_SIDE / 5;
        let every = if fits { 1 } else { (longest * usual).div_ceil(USUAL_SIDE) };
        let width = picture.cell_pixels.unwrap_or(usual);
        Space { voxels, shown: [x, y, z].map(|side| side as i32), every: every as i32, width }
    }

    /// Columns, rows and layers of the lattice.
    fn lattice(&self) -> [i32; 3] {
        self.shown.map(|side| (side as u32).div_ceil(self.every as u32) as i32)
    }

    /// Returns the width and height in pixels, without a limit.
    pub fn size(&self) -> (u64, u64) {
        let [x, y, z] = self.lattice().map(|side| side as u64);
        let width = u64::from(self.width);
        ((x + y) * width, ((x + y + 2 * z) * width).div_ceil(2))
    }

    /// Returns the width of a cell in pixels.
    pub fn cell(&self) -> f32 {
        2.0 * self.width as f32 / self.every as f32
    }

    /// Returns where a place in cells is in the picture, relative to the map's corner.
    pub fn spot(&self, [x, y, z]: [f64; 3]) -> Spot {
        let [_, depth, height] = self.lattice().map(|side| f64::from(side * self.every));
        let scale = f64::from(self.width) / f64::from(self.every);
        let (right, down) = (x - y + depth, x + y + 2.0 * (height - z));
        Spot::new((right * scale) as f32, (down * scale / 2.0) as f32)
    }

    /// Returns the centre of a cell.
    pub fn middle(&self, node: NodeId) -> Spot {
        let Voxel { x, y, z } = self.voxels.voxel(node);
        self.spot([x, y, z].map(|part| f64::from(part) + 0.5))
    }

    /// Whether a solid cell is shown.
    fn is_solid(&self, x: i32, y: i32, z: i32) -> bool {
        let voxel = Voxel { x, y, z };
        z < self.shown[2] && self.voxels.contains(voxel) && !self.voxels.is_open(voxel)
    }

    /// Returns whether solid cells lie between a cell and the viewer.
    fn is_hidden(&self, [x, y, z]: [i32; 3]) -> bool {
        (1..self.shown[2] - z).any(|ahead| self.is_solid(x + ahead, y + ahead, z + ahead))
    }

    /// Returns what is seen in the triangle of a square of the lattice that is farther to the right, or to the left.
    /// Squares are numbered by where they lie at height 0.
    fn seen(&self, column: i32, row: i32, right: bool) -> Option<Face> {
        // Where lines of sight are left out, one stands for a whole square: two would differ all the time.
        let right = right || self.every > 1;
        let inner = |thirds: i32, at: i32| at * self.every + self.every * thirds / 3;
        let (x, y) =
            if right { (inner(2, column), inner(1, row)) } else { (inner(1, column), inner(2, row)) };
        let [width, depth, height] = self.shown;
        let last = height.min(width - x).min(depth - y);
        let first = 1.max(-x.min(y));
        for level in (first..=last).rev() {
            let shade = (level - 1) * SHADES / height;
            if self.is_solid(x + level, y + level, level - 1) {
                let goes_on = level == height && self.goes_on_above(x + level, y + level, level);
                return Some(if goes_on { Face::Cut } else { Face::Top(shade) });
            }
            let (side, beside, behind) = if right {
                ((x + level, y + level - 1), Face::Left(shade), Face::Right(shade))
            } else {
                ((x + level - 1, y + level), Face::Right(shade), Face::Left(shade))
            };
            if self.is_solid(side.0, side.1, level - 1) {
                return Some(beside);
            }
            if self.is_solid(x + level - 1, y + level - 1, level - 1) {
                return Some(behind);
            }
        }
        None
    }

    fn goes_on_above(&self, x: i32, y: i32, z: i32) -> bool {
        let above = Voxel { x, y, z };
        self.voxels.contains(above) && !self.voxels.is_open(above)
    }

    /// Calls `visit` with what is seen and where, down each column of triangles: stretches of triangles that look alike.
    fn for_each_facet(&self, visit: &mut impl FnMut(Face, [Spot; 4])) {
        let [columns, rows, layers] = self.lattice();
        for strip in -rows..columns {
            // The triangles of a strip, from the top: every other one lies to the right in its square.
            let mut run: Option<(Face, i32)> = None;
            let (first, end) = (-2 * layers, columns + rows);
            for number in first..=end {
                let right = (number - strip).rem_euclid(2) == 0;
                let column = (number + strip + i32::from(!right)).div_euclid(2);
                let row = if right { column - strip } else { column - strip - 1 };
                let face = (number < end).then(|| self.seen(column, row, right)).flatten();
                if let Some((before, since)) = run
                    && Some(before) != face
                {
                    visit(before, self.stretch(strip, since, number));
                    run = None;
                }
                if let (None, Some(face)) = (run, face) {
                    run = Some((face, number));
                }
            }
        }
    }

    /// The corners of some triangles of a strip.
    fn stretch(&self, strip: i32, from: i32, to: i32) -> [Spot; 4] {
        let [_, rows, layers] = self.lattice();
        let width = self.width as f32;
        let x = (strip + rows) as f32 * width;
        // A triangle that lies to the right begins at its left corner.
        let y = |number: i32, left: bool| {
            let is_right = (number - strip).rem_euclid(2) == 0;
            (number + 2 * layers + i32::from(left != is_right)) as f32 * width / 2.0
        };
        [
            Spot::new(x, y(from, true)),
            Spot::new(x + width, y(from, false)),
            Spot::new(x + width, y(to, false)),
            Spot::new(x, y(to, true)),
        ]
    }

    /// Returns the visible pieces of a path, and the hidden ones.
    pub fn pieces(&self, path: &[NodeId], corner: Spot) -> [Vec<Vec<Spot>>; 2] {
        let places =
            path.iter().map(|&node| self.voxels.voxel(node)).map(|voxel| [voxel.x, voxel.y, voxel.z]);
        let mut points: Vec<([i32; 3], Spot)> = Vec::new();
        for place in places {
            let last = points.last().map_or(place, |(last, _)| *last);
            let steps = (0..3).map(|axis| place[axis].abs_diff(last[axis])).max().unwrap_or(0).max(1);
            for step in 1..=steps {
                let share = f64::from(step) / f64::from(steps);
                let at =
                    [0, 1, 2].map(|axis| f64::from(last[axis]) + f64::from(place[axis] - last[axis]) * share);
                points.push((at.map(|part| part.round() as i32), self.spot(at.map(|part| part + 0.5))));
            }
        }
        let mut pieces = [Vec::new(), Vec::new()];
        let hidden: Vec<bool> = points.iter().map(|(place, _)| self.is_hidden(*place)).collect();
        let mut from = 0;
        for steps in
            hidden.windows(2).map(|ends| ends[0] || ends[1]).collect::<Vec<_>>().chunk_by(|a, b| a == b)
        {
            let to = from + steps.len();
            pieces[usize::from(steps[0])]
                .push(points[from..=to].iter().map(|(_, spot)| spot.offset(corner.x, corner.y)).collect());
            from = to;
        }
        pieces
    }

    /// How far down from the middle of a cell the ground is.
    fn foot(&self, node: NodeId) -> Spot {
        let Voxel { x, y, z } = self.voxels.voxel(node);
        let ground = (0..z).rev().find(|&below| self.is_solid(x, y, below)).map_or(0, |below| below + 1);
        self.spot([f64::from(x) + 0.5, f64::from(y) + 0.5, f64::from(ground)])
    }
}

/// Draws the world.
pub(crate) fn draw(picture: &Picture<'_>, space: &Space<'_>, corner: Spot, drawing: &mut Drawing) {
    let place = |spot: Spot| spot.offset(corner.x, corner.y);
    let [x, y, z] = space.lattice().map(|side| f64::from(side * space.every));
    let line = |corners: &[[f64; 3]]| corners.iter().map(|&at| place(space.spot(at))).collect::<Vec<_>>();
    let floor = [[0.0, 0.0, 0.0], [x, 0.0, 0.0], [x, y, 0.0], [0.0, y, 0.0]].map(|at| place(space.spot(at)));
    drawing.shapes.push(Shape::Facets { facets: vec![floor], colour: palette::FLOOR });
    let edges = vec![
        line(&[[0.0, y, 0.0], [0.0, y, z], [0.0, 0.0, z], [x, 0.0, z], [x, 0.0, 0.0]]),
        line(&[[0.0, y, 0.0], [0.0, 0.0, 0.0], [x, 0.0, 0.0], [x, y, 0.0], [0.0, y, 0.0]]),
        line(&[[0.0, 0.0, 0.0], [0.0, 0.0, z]]),
    ];
    drawing.shapes.push(Shape::Lines { lines: edges, stroke: Stroke::solid(palette::FRAME, 1.0) });

    let mut facets: Vec<(Face, [Spot; 4])> = Vec::new();
    space.for_each_facet(&mut |face, corners| facets.push((face, corners.map(place))));
    facets.sort_by_key(|(face, _)| *face);
    let shapes = facets.chunk_by(|one, other| one.0 == other.0).map(|alike| Shape::Facets {
        facets: alike.iter().map(|(_, corners)| *corners).collect(),
        colour: alike[0].0.colour(),
    });
    if facets.first().is_some_and(|(face, _)| *face == Face::Cut) {
        drawing.add([], "solid, cut open", Sample::Ground(vec![vec![Fill::Plain(Face::Cut.colour())]]));
    }
    if !facets.is_empty() {
        let shade = SHADES / 2;
        let sides = [Face::Top(shade), Face::Left(shade), Face::Right(shade)];
        let patches = sides.map(|face| vec![Fill::Plain(face.colour())]).to_vec();
        drawing.add(shapes, "solid", Sample::Ground(patches));
    }
    let ends = picture.goals.iter().chain(&picture.start);
    let stems: Vec<Vec<Spot>> =
        ends.map(|&node| vec![place(space.middle(node)), place(space.foot(node))]).collect();
    if !stems.is_empty() {
        drawing.shapes.push(Shape::Lines { lines: stems, stroke: Stroke::solid(palette::INK, 1.0) });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::voxels::random_worlds;

    /// A line of sight in small steps.
    fn looked_for(space: &Space<'_>, column: i32, row: i32, right: bool) -> Option<Face> {
        let (x, y) = if right { (8, 4) } else { (4, 8) };
        let height = space.shown[2];
        let mut before = None;
        for step in (0..=6 * height).rev() {
            // In twelfths of a cell, so that no step ends between two cells.
            let at = [12 * column + x, 12 * row + y, 0].map(|from| from + 2 * step + 1);
            let cell = at.map(|part| part.div_euclid(12));
            if space.is_solid(cell[0], cell[1], cell[2]) {
                let shade = cell[2] * SHADES / height;
                let before: [i32; 3] = before?;
                return Some(if before[0] != cell[0] {
                    Face::Right(shade)
                } else if before[1] != cell[1] {
                    Face::Left(shade)
                } else if space.goes_on_above(cell[0], cell[1], height) && cell[2] + 1 == height {
                    Face::Cut
                } else {
                    Face::Top(shade)
                });
            }
            before = Some(cell);
        }
        None
    }

    /// Twice the area, by the shoelace formula.
    fn doubled_area(corners: &[Spot; 4]) -> f64 {
        let sides = corners.iter().zip(corners.iter().cycle().skip(1));
        sides.map(|(a, b)| f64::from(a.x) * f64::from(b.y) - f64::from(b.x) * f64::from(a.y)).sum()
    }

    proptest! {
        #[test]
        fn facets_show_what_lines_of_sight_meet(voxels in random_worlds::small(), end in any::<u32>()) {
            let end = voxels.node(random_worlds::pick(&voxels, end)).unwrap();
            let space = Space::new(&voxels, &Picture::of_voxels(&voxels).start(end).cell_pixels(2));
            let [columns, rows, layers] = space.lattice();
            let mut expected = std::collections::BTreeMap::<Face, f64>::new();
            for (column, row) in (-layers..columns).flat_map(|x| (-layers..rows).map(move |y| (x, y))) {
                for right in [false, true] {
                    let face = looked_for(&space, column, row, right);
                    prop_assert_eq!(space.seen(column, row, right), face, "{} {} {}", column, row, right);
                    if let Some(face) = face {
                        *expected.entry(face).or_default() += 4.0;
                    }
                }
            }
            let mut found = std::collections::BTreeMap::<Face, f64>::new();
            space.for_each_facet(&mut |face, corners| *found.entry(face).or_default() += doubled_area(&corners));
            prop_assert_eq!(found, expected);
        }
    }

    #[cfg(feature = "png")]
    #[test]
    fn faces_are_where_places_are() {
        let cells = [(2, 0, 0), (2, 0, 1), (0, 2, 0), (1, 2, 2)].map(|(x, y, z)| Voxel { x, y, z });
        let voxels = Voxels::from_solid([3, 3, 3], cells).unwrap();
        let picture = Picture::of_voxels(&voxels).cell_pixels(20);
        let space = Space::new(&voxels, &picture);
        let pixmap = tiny_skia::Pixmap::decode_png(&picture.to_png().unwrap()).unwrap();
        assert_eq!((pixmap.width(), pixmap.height()), (120 + 16, 120 + 16));
        for Voxel { x, y, z } in cells {
            let shade = z * SHADES / 3;
            let middle = [x, y, z].map(|part| f64::from(part) + 0.5);
            for (axis, face) in [(0, Face::Right(shade)), (1, Face::Left(shade)), (2, Face::Top(shade))] {
                let mut at = middle;
                at[axis] += 0.5;
                let spot = space.spot(at).offset(8.0, 8.0);
                let pixel = pixmap.pixel(spot.x as u32, spot.y as u32).unwrap();
                let hidden = (x, y, z, axis) == (2, 0, 0, 2);
                let seen = [pixel.red(), pixel.green(), pixel.blue()] == face.colour().rgb;
                assert_eq!(seen, !hidden, "{x} {y} {z} {axis}");
            }
        }
        let floor = space.spot([1.5, 2.5, 0.0]).offset(8.0, 8.0);
        let pixel = pixmap.pixel(floor.x as u32, floor.y as u32).unwrap();
        assert_eq!([pixel.red(), pixel.green(), pixel.blue()], palette::FLOOR.rgb);
    }

    #[test]
    fn a_path_is_hidden_behind_what_is_shown_and_nothing_else() {
        let wall = (0..9).flat_map(|x| (0..9).map(move |z| Voxel { x, y: 4, z }));
        let voxels = Voxels::from_solid([9, 9, 9], wall.filter(|cell| cell.x != 0)).unwrap();
        let node = |x, y, z| voxels.node(Voxel { x, y, z }).unwrap();
        // One step far: what lies between is looked at, too.
        let path = [node(5, 2, 3), node(0, 2, 3), node(0, 8, 3)];
        let counts = |picture: Picture<'_>| {
            let space = Space::new(&voxels, &picture);
            let pieces = space.pieces(&path, Spot::new(0.0, 0.0));
            pieces.map(|pieces| pieces.iter().map(Vec::len).collect::<Vec<_>>())
        };
        let picture = Picture::of_voxels(&voxels);
        assert_eq!(counts(picture.path(&path)), [vec![12], vec![]], "the wall is cut off above the path");
        let high = node(0, 0, 8);
        assert_eq!(counts(picture.path(&path).start(high)), [vec![5], vec![8]]);
    }

    #[test]
    fn marks_stand_on_the_ground_below_them() {
        let voxels = Voxels::from_solid([3, 3, 6], [Voxel::new(1, 1, 0), Voxel::new(1, 1, 2)]).unwrap();
        let node = |x, y, z| voxels.node(Voxel { x, y, z }).unwrap();
        let space = Space::new(&voxels, &Picture::of_voxels(&voxels).start(node(1, 1, 4)));
        assert_eq!(space.shown, [3, 3, 5], "what lies above is cut off");
        assert_eq!(space.foot(node(1, 1, 4)), space.spot([1.5, 1.5, 3.0]));
        assert_eq!(space.foot(node(0, 1, 4)), space.spot([0.5, 1.5, 0.0]));
    }

    #[test]
    fn large_worlds_are_drawn_coarser_and_all_worlds_within_bounds() {
        for size in [[1, 1, 1], [64, 56, 16], [300, 300, 300], [4096, 4096, 1], [1, 1, 4096], [4096, 1, 1]] {
            let [x, y, z] = size;
            let voxels = Voxels::new(x, y, z).unwrap();
            let picture = Picture::of_voxels(&voxels);
            let space = Space::new(&voxels, &picture);
            assert_eq!(space.every == 1, x + y <= 600 && z <= 300, "{size:?}");
            let (width, height) = space.size();
            assert!(width.max(height) <= 1210, "{size:?}: {width} x {height}");
            for corner in [[0, 0, 0], size, [x, 0, 0], [0, y, z]] {
                let spot = space.spot(corner.map(f64::from));
                assert!((0.0..=width as f32).contains(&spot.x) && (0.0..=height as f32).contains(&spot.y));
            }
            assert!(picture.to_svg().is_ok());
        }
    }
}
