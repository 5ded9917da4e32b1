//! Marks that lie on a map, and in its legend: path, start, goals, arrows, links.
//!
//! Their size follows `mark`, the width of a cell in pixels, within limits: a path stays visible on a map of one pixel a
//! cell and does not drown a map of large cells.

use super::palette;
use super::shapes::{Shape, Spot, Stroke};

/// The straight pieces of a path, and those of its steps that go through a link.
pub(crate) fn path(pieces: Vec<Vec<Spot>>, hops: &[(Spot, Spot)], mark: f32) -> Vec<Shape> {
    let width = (mark * 0.28).clamp(2.0, 6.0);
    let casing = width + 2.0 * (mark * 0.07).clamp(1.0, 2.0);
    let arcs: Vec<Vec<Spot>> = hops.iter().map(|&(from, to)| arc(from, bend(from, to), to)).collect();
    let all = pieces.iter().chain(&arcs).cloned().collect();
    let mut shapes = vec![
        Shape::Lines { lines: all, stroke: Stroke::solid(palette::CASING, casing) },
        Shape::Lines { lines: pieces, stroke: Stroke::solid(palette::PATH, width) },
    ];
    if !arcs.is_empty() {
        shapes.push(Shape::Lines { lines: arcs, stroke: Stroke::dashed(palette::PATH, width) });
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
    (mark * 0.32).clamp(4.5, 12.0)
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

/// Arcs with an arrow head, on the right-hand side of those who travel: a link and its reverse do not hide each other.
pub(crate) fn links(ends: &[(Spot, Spot)], mark: f32) -> Vec<Shape> {
    let width = (mark * 0.09).clamp(1.5, 2.5);
    let head = (mark * 0.36).clamp(6.0, 10.0);
    let (mut lines, mut triangles) = (Vec::new(), Vec::new());
    for &(from, to) in ends {
        let bend = bend(from, to);
        let tip = to.towards(bend, (mark * 0.3).min(from.distance(to) / 4.0));
        lines.push(arc(from, bend, tip.towards(bend, head * 0.8)));
        triangles.push(arrow_head(bend, tip, head));
    }
    vec![
        Shape::Lines { lines: lines.clone(), stroke: Stroke::solid(palette::CASING, width + 2.0) },
        Shape::Lines { lines, stroke: Stroke::dashed(palette::LINK, width) },
        Shape::Discs {
            centres: ends.iter().map(|&(from, _)| from).collect(),
            radius: width * 1.4,
            fill: Some(palette::LINK),
            rim: None,
        },
        Shape::Triangles { triangles, colour: palette::LINK },
    ]
}

/// The point that pulls the arc of a link aside.
fn bend(from: Spot, to: Spot) -> Spot {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    from.offset(dx / 2.0 - dy * 0.3, dy / 2.0 + dx * 0.3)
}

/// A quadratic Bezier curve.
fn arc(from: Spot, bend: Spot, to: Spot) -> Vec<Spot> {
    const PIECES: u8 = 16;
    let at = |step| {
        let t = f32::from(step) / f32::from(PIECES);
        let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        Spot::new(a * from.x + b * bend.x + c * to.x, a * from.y + b * bend.y + c * to.y)
    };
    (0..=PIECES).map(at).collect()
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
        assert!(bend(a, b).y > 0.0);
        assert!(bend(b, a).y < 0.0);
        let curve = arc(a, bend(a, b), b);
        assert_eq!((curve[0], curve[16]), (a, b));
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
