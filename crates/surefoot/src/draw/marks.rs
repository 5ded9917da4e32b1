//! Marks that lie on a map, and in its legend: path, start, goals, arrows, links.
//!
//! Their size is based on `mark`, the width of a cell in pixels, within limits: a path stays visible on a map of one
//! pixel per cell and does not dominate a map of large cells.

use super::palette;
use super::shapes::{Block, Shape, Spot, Stroke};

/// The pieces of a path, and those that are dashed because they go through a link or are hidden.
pub(crate) fn path(pieces: Vec<Vec<Spot>>, dashed: Vec<Vec<Spot>>, mark: f32) -> Vec<Shape> {
    let width = (1.6 + mark * 0.18).clamp(2.0, 6.0);
    let casing = width + 2.0 * (mark * 0.07).clamp(1.0, 2.0);
    let all = pieces.iter().chain(&dashed).cloned().collect();
    let mut shapes = vec![Shape::Lines { lines: all, stroke: Stroke::solid(palette::CASING, casing) }];
    for (lines, stroke) in
        [(pieces, Stroke::solid(palette::PATH, width)), (dashed, Stroke::dashed(palette::PATH, width))]
    {
        if !lines.is_empty() {
            shapes.push(Shape::Lines { lines, stroke });
        }
    }
    shapes
}

/// The ring around the start.
pub(crate) fn start(at: Spot, mark: f32) -> Vec<Shape> {
    let radius = point_radius(mark);
    let width = radius * 0.38;
    let ring = Shape::Discs {
        centres: vec![at],
        radius: radius - width / 2.0,
        fill: None,
        rim: Some(Stroke::solid(palette::INK, width)),
    };
    vec![casing(vec![at], mark), ring]
}

/// The dots on goals.
pub(crate) fn goals(at: Vec<Spot>, mark: f32) -> Vec<Shape> {
    let dots = Shape::Discs {
        centres: at.clone(),
        radius: point_radius(mark),
        fill: Some(palette::GOAL),
        rim: Some(Stroke::solid(palette::INK, (mark * 0.05).clamp(0.75, 1.5))),
    };
    vec![casing(at, mark), dots]
}

fn point_radius(mark: f32) -> f32 {
    (3.6 + mark * 0.24).min(12.0)
}

fn casing(centres: Vec<Spot>, mark: f32) -> Shape {
    let radius = point_radius(mark) + (mark * 0.07).clamp(1.25, 2.0);
    Shape::Discs { centres, radius, fill: Some(palette::CASING), rim: None }
}

/// Straight arrows between spots.
pub(crate) fn arrows(ends: &[(Spot, Spot)], stroke: Stroke, head: f32) -> Vec<Shape> {
    let lines = ends.iter().map(|&(from, to)| vec![from, to.towards(from, head * 0.8)]).collect();
    let triangles = ends.iter().map(|&(from, to)| arrow_head(from, to, head)).collect();
    vec![Shape::Lines { lines, stroke }, Shape::Triangles { triangles, colour: stroke.colour }]
}

/// The path of a link: a curve to the right-hand side in the direction of travel, so that a link and its reverse do not
/// hide each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arc {
    from: Spot,
    /// What pulls the curve aside.
    bend: Spot,
    to: Spot,
}

impl Arc {
    pub fn new(from: Spot, to: Spot) -> Arc {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        Arc { from, bend: from.offset(dx / 2.0 - dy * 0.3, dy / 2.0 + dx * 0.3), to }
    }

    /// Returns the arc, bent less where it would leave a block that contains both its endpoints.
    #[must_use]
    pub fn within(self, block: Block) -> Arc {
        let (left, top) = (f32::from(block.x), f32::from(block.y));
        let (right, bottom) = (left + f32::from(block.width), top + f32::from(block.height));
        let bend = Spot::new(self.bend.x.clamp(left, right), self.bend.y.clamp(top, bottom));
        Arc { bend, ..self }
    }

    /// Returns the arc's quadratic Bezier curve.
    pub fn curve(&self) -> Vec<Spot> {
        self.line(self.to)
    }

    /// The arc's quadratic Bezier curve, but to another end.
    fn line(&self, to: Spot) -> Vec<Spot> {
        const PIECES: u8 = 16;
        let at = |step| {
            let t = f32::from(step) / f32::from(PIECES);
            let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
            let mix = |from: f32, bend: f32, to: f32| a * from + b * bend + c * to;
            Spot::new(mix(self.from.x, self.bend.x, to.x), mix(self.from.y, self.bend.y, to.y))
        };
        (0..=PIECES).map(at).collect()
    }
}

/// Dashed arcs with a dot where they start and an arrow head where they end.
pub(crate) fn links(arcs: &[Arc], mark: f32) -> Vec<Shape> {
    let width = (mark * 0.09).clamp(1.5, 2.5);
    let head = (mark * 0.36).clamp(6.0, 10.0);
    let (mut lines, mut triangles) = (Vec::new(), Vec::new());
    for arc in arcs {
        let tip = arc.to.towards(arc.bend, (mark * 0.3).min(arc.from.distance(arc.to) / 4.0));
        lines.push(arc.line(tip.towards(arc.bend, head * 0.8)));
        triangles.push(arrow_head(arc.bend, tip, head));
    }
    vec![
        Shape::Lines { lines: lines.clone(), stroke: Stroke::solid(palette::CASING, width + 2.0) },
        Shape::Lines { lines, stroke: Stroke::dashed(palette::LINK, width) },
        Shape::Discs {
            centres: arcs.iter().map(|arc| arc.from).collect(),
            radius: width * 1.4,
            fill: Some(palette::LINK),
            rim: None,
        },
        Shape::Triangles { triangles, colour: palette::LINK },
    ]
}

/// The head, `length` long, of an arrow that comes from `from` and ends at `tip`.
fn arrow_head(from: Spot, tip: Spot, length: f32) -> [Spot; 3] {
    let base = tip.towards(from, length);
    let (dx, dy) = ((tip.x - base.x) * 0.45, (tip.y - base.y) * 0.45);
    [tip, base.offset(-dy, dx), base.offset(dy, -dx)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_ends_at_its_tip() {
        let (from, to) = (Spot::new(0.0, 0.0), Spot::new(10.0, 0.0));
        let shapes = arrows(&[(from, to)], Stroke::solid(palette::INK, 1.0), 4.0);
        let Shape::Triangles { triangles, .. } = &shapes[1] else { panic!("{shapes:?}") };
        assert_eq!(triangles[0], [to, Spot::new(6.0, 1.8), Spot::new(6.0, -1.8)]);
    }

    #[test]
    fn a_link_and_its_reverse_bend_to_different_sides() {
        let (a, b) = (Spot::new(0.0, 0.0), Spot::new(10.0, 0.0));
        assert_eq!(Arc::new(a, b).bend, Spot::new(5.0, 3.0));
        assert_eq!(Arc::new(b, a).bend, Spot::new(5.0, -3.0));
        let curve = Arc::new(a, b).line(b);
        assert_eq!([curve[0], curve[8], curve[16]], [a, Spot::new(5.0, 1.5), b]);
    }

    #[test]
    fn arcs_stay_in_the_block_of_their_ends() {
        let block = Block { x: 10, y: 10, width: 100, height: 50 };
        let arc = Arc::new(Spot::new(12.0, 15.0), Spot::new(108.0, 15.0));
        for arc in [arc, Arc::new(arc.to, arc.from)] {
            for spot in arc.within(block).line(arc.to) {
                assert!((10.0..=110.0).contains(&spot.x) && (10.0..=60.0).contains(&spot.y), "{spot:?}");
            }
        }
        assert!(Arc::new(arc.to, arc.from).line(arc.from).iter().any(|spot| spot.y < 10.0));
    }

    #[test]
    fn arrows_without_length_stay_finite() {
        let at = Spot::new(3.0, 3.0);
        let shapes = arrows(&[(at, at)], Stroke::solid(palette::INK, 1.0), 4.0);
        assert_eq!(
            shapes[0],
            Shape::Lines { lines: vec![vec![at, at]], stroke: Stroke::solid(palette::INK, 1.0) }
        );
    }
}
