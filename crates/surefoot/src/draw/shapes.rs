//! The shapes of a picture once its layout is known: a flat list of simple shapes, in painting order.

use super::palette::Colour;

/// A laid-out picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scene {
    /// The width in pixels.
    pub width: u16,
    /// The height in pixels.
    pub height: u16,
    /// A text description of the picture, for screen readers.
    pub name: String,
    /// The shapes to paint, from the bottom up.
    pub shapes: Vec<Shape>,
}

impl Scene {
    /// Returns the number of rectangles, lines, triangles, discs and texts.
    pub fn parts(&self) -> usize {
        self.shapes.iter().map(Shape::parts).sum()
    }
}

/// A place in the picture, in pixels from its top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub x: f32,
    pub y: f32,
}

impl Spot {
    pub const fn new(x: f32, y: f32) -> Spot {
        Spot { x, y }
    }

    #[must_use]
    pub fn offset(self, dx: f32, dy: f32) -> Spot {
        Spot { x: self.x + dx, y: self.y + dy }
    }

    /// Returns the spot `pixels` pixels from here towards another; this spot if the two are the same.
    #[must_use]
    pub fn towards(self, other: Spot, pixels: f32) -> Spot {
        let distance = self.distance(other);
        let share = if distance > 0.0 { pixels / distance } else { 0.0 };
        self.offset((other.x - self.x) * share, (other.y - self.y) * share)
    }

    /// Returns the midpoint between this spot and another.
    #[must_use]
    pub fn middle(self, other: Spot) -> Spot {
        Spot { x: f32::midpoint(self.x, other.x), y: f32::midpoint(self.y, other.y) }
    }

    pub fn distance(self, other: Spot) -> f32 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }
}

/// A rectangle on whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

/// What an area is filled with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fill {
    Plain(Colour),
    Pattern(Pattern),
}

/// A small square picture, repeated in both directions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pattern {
    pub name: &'static str,
    /// A corner of one of the repetitions.
    pub origin: (u16, u16),
    /// Width and height.
    pub side: u16,
    /// The shapes in the square, relative to its top left corner. Anything outside is clipped.
    pub shapes: Vec<Shape>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub colour: Colour,
    pub width: f32,
    /// The length of dashes and of the gaps between them.
    pub dash: Option<f32>,
}

impl Stroke {
    pub const fn solid(colour: Colour, width: f32) -> Stroke {
        Stroke { colour, width, dash: None }
    }

    pub const fn dashed(colour: Colour, width: f32) -> Stroke {
        Stroke { colour, width, dash: Some(width * 3.0) }
    }
}

/// Shapes of one kind and look.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// Rectangles that do not overlap.
    Area { blocks: Vec<Block>, fill: Fill },
    /// Quadrilaterals that may touch, drawn without anti-aliasing, so that no seam is visible between them.
    Facets { facets: Vec<[Spot; 4]>, colour: Colour },
    /// Lines with round joins and caps.
    Lines { lines: Vec<Vec<Spot>>, stroke: Stroke },
    /// Arrow heads.
    Triangles { triangles: Vec<[Spot; 3]>, colour: Colour },
    /// Discs, rings, or both.
    Discs { centres: Vec<Spot>, radius: f32, fill: Option<Colour>, rim: Option<Stroke> },
    /// One line of text that starts at the left end of its base line; see [`font`](super::font) for the scale.
    Text { at: Spot, scale: u16, text: String },
}

impl Shape {
    /// Creates one plain rectangle.
    pub fn block(block: Block, colour: Colour) -> Shape {
        Shape::Area { blocks: vec![block], fill: Fill::Plain(colour) }
    }

    fn parts(&self) -> usize {
        match self {
            Shape::Area { blocks, .. } => blocks.len(),
            Shape::Facets { facets, .. } => facets.len(),
            Shape::Lines { lines, .. } => lines.iter().map(Vec::len).sum(),
            Shape::Triangles { triangles, .. } => triangles.len(),
            Shape::Discs { centres, .. } => centres.len(),
            Shape::Text { .. } => 1,
        }
    }
}
