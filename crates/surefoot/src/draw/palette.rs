//! The colours, after Okabe and Ito, *Color Universal Design* (2008): they can also be distinguished with the common forms
//! of colour blindness. Where colours are similar, patterns and shapes help (hatching, dots, waves, rings).
//!
//! ```
//! use surefoot::draw::palette;
//! use surefoot::world::grid::Terrain;
//! assert_ne!(palette::terrain(Terrain::WALL, 9), palette::terrain(Terrain::FLOOR, 9));
//! ```

use std::fmt;

use crate::world::grid::Terrain;

/// A colour with opacity.
///
/// ```
/// use surefoot::draw::palette::{self, Colour};
/// assert_eq!(palette::PATH.to_string(), "#0072b2");
/// assert_eq!(Colour::new(0x00_00_00).fade(0.5).over(Colour::new(0xff_ff_ff)), Colour::new(0x80_80_80));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// The opacity: 255 is opaque, 0 is invisible.
    pub alpha: u8,
}

impl Colour {
    /// Creates an opaque colour from its hexadecimal number.
    pub const fn new(rgb: u32) -> Colour {
        Colour { rgb: [(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8], alpha: 255 }
    }

    /// Returns the same colour with another opacity, 0 to 1.
    #[must_use]
    pub const fn fade(self, opacity: f32) -> Colour {
        Colour { rgb: self.rgb, alpha: (opacity * 255.0) as u8 }
    }

    /// Returns the result of blending this colour over an opaque one.
    #[must_use]
    pub fn over(self, below: Colour) -> Colour {
        below.mix(Colour { alpha: 255, ..self }, f32::from(self.alpha) / 255.0)
    }

    /// Interpolates between this colour and `other`: `t` = 0 is this colour, 1 is the other.
    #[must_use]
    pub fn mix(self, other: Colour, t: f32) -> Colour {
        let channel = |i: usize| {
            let (a, b) = (f32::from(self.rgb[i]), f32::from(other.rgb[i]));
            (a + (b - a) * t).round() as u8
        };
        Colour { rgb: [channel(0), channel(1), channel(2)], alpha: self.alpha }
    }
}

/// `#rrggbb`; opacity is left out.
impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.rgb;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The page around the map.
pub const PAGE: Colour = Colour::new(0xff_ff_ff);
/// Text and the ring of the start.
pub const INK: Colour = Colour::new(0x1f_24_2b);
/// The line around the map and around the samples of the legend.
pub const FRAME: Colour = Colour::new(0x8d_95_a1);
/// Lines between cells.
pub const GRID_LINE: Colour = INK.fade(0.075);

/// Plain floor.
pub const FLOOR: Colour = Colour::new(0xf2_f3_f5);
/// Walls.
pub const WALL: Colour = Colour::new(0x33_39_42);
/// Grass: a tint of bluish green.
pub const GRASS: Colour = Colour::new(0x86_ca_a8);
/// The dots on grass.
pub const GRASS_MARK: Colour = Colour::new(0x00_7d_5b).fade(0.75);
/// Water: a tint of sky blue.
pub const WATER: Colour = Colour::new(0x62_ab_e2);
/// The waves on water.
pub const WATER_MARK: Colour = Colour::new(0x00_5a_96).fade(0.7);
/// Other terrain, cheapest.
pub const CHEAP: Colour = Colour::new(0xdd_d8_e2);
/// Other terrain, most expensive.
pub const EXPENSIVE: Colour = Colour::new(0x7d_73_8c);

/// The hue of the search: orange.
pub const SEARCH: Colour = Colour::new(0xe6_9f_00);
/// Nodes waiting to be expanded.
pub const OPEN: Colour = SEARCH.fade(0.9);
/// Nodes that were expanded: a paler tint.
pub const CLOSED: Colour = SEARCH.fade(0.36);
/// The hatching of expanded nodes.
pub const CLOSED_MARK: Colour = Colour::new(0xb8_73_00).fade(0.55);

/// The path: blue.
pub const PATH: Colour = Colour::new(0x00_72_b2);
/// The outline of the path and of the marks of start and goal, which makes them stand out from any ground.
pub const CASING: Colour = Colour::new(0xff_ff_ff);
/// The dot of the goal: vermilion.
pub const GOAL: Colour = Colour::new(0xd5_5e_00);
/// Arrows from node to node.
pub const ARROW: Colour = Colour::new(0x4a_50_5a);
/// Links: reddish purple, darkened for thin lines.
pub const LINK: Colour = Colour::new(0xa8_47_80);
/// Roads of a graph.
pub const ROAD: Colour = Colour::new(0x8d_95_a1);

/// Returns the colour of a terrain on a map whose most expensive terrain costs `highest`.
///
/// ```
/// use surefoot::draw::palette;
/// use surefoot::prelude::*;
/// assert_eq!(palette::terrain(Terrain::GRASS, 10), palette::GRASS);
/// assert_eq!(palette::terrain(Terrain::new(50), 50), palette::EXPENSIVE);
/// ```
pub fn terrain(terrain: Terrain, highest: u8) -> Colour {
    match terrain {
        Terrain::WALL => WALL,
        Terrain::FLOOR => FLOOR,
        Terrain::GRASS => GRASS,
        Terrain::WATER => WATER,
        other => {
            // Below ten, a map would spend the whole ramp on differences that hardly matter.
            let most = f32::from(highest.max(10) - 2);
            let share = (f32::from(other.cost() - 2) / most).min(1.0);
            // The root spreads the small costs, which are the common ones.
            CHEAP.mix(EXPENSIVE, share.sqrt())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How red, green and blue light mix in the eyes of four kinds of people. Machado, Oliveira and Fernandes, *A
    /// Physiologically-based Model for Simulation of Color Vision Deficiency* (2009), severity 1.
    const EYES: [(&str, [[f64; 3]; 3]); 4] = [
        ("usual", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    /// Colours that differ by 2 can be distinguished side by side; these must be distinguishable at a glance.
    const LEAST: f64 = 15.0;

    /// The colour in CIE L*a*b* as such eyes see it.
    fn seen(colour: Colour, eyes: &[[f64; 3]; 3]) -> [f64; 3] {
        let light = colour.rgb.map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        let dot = |row: &[f64; 3], light: &[f64; 3]| row.iter().zip(light).map(|(a, b)| a * b).sum::<f64>();
        let light = [0, 1, 2].map(|i| dot(&eyes[i], &light).clamp(0.0, 1.0));
        // To XYZ, relative to the white of D65.
        let x = dot(&[0.4124, 0.3576, 0.1805], &light) / 0.9505;
        let y = dot(&[0.2126, 0.7152, 0.0722], &light);
        let z = dot(&[0.0193, 0.1192, 0.9505], &light) / 1.089;
        let [x, y, z] = [x, y, z].map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn difference(a: Colour, b: Colour, eyes: &[[f64; 3]; 3]) -> f64 {
        let (a, b) = (seen(a, eyes), seen(b, eyes));
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    }

    fn assert_apart(colours: &[(&str, Colour)]) {
        for (kind, eyes) in &EYES {
            for (index, (name, colour)) in colours.iter().enumerate() {
                for (other_name, other) in &colours[..index] {
                    let found = difference(*colour, *other, eyes);
                    assert!(found >= LEAST, "{kind}: {name} and {other_name} differ by {found:.1} only");
                }
            }
        }
    }

    #[test]
    fn everything_on_plain_floor_is_distinguishable_for_all() {
        let colours = [
            ("floor", FLOOR),
            ("wall", WALL),
            ("grass", GRASS),
            ("water", WATER),
            ("closed", CLOSED.over(FLOOR)),
            ("open", OPEN.over(FLOOR)),
            ("path", PATH),
        ];
        assert_apart(&colours);
    }

    #[test]
    fn the_search_is_distinguishable_on_any_ground() {
        let expensive = terrain(Terrain::new(255), 255);
        for (name, ground) in [("floor", FLOOR), ("grass", GRASS), ("water", WATER), ("expensive", expensive)]
        {
            let (closed, open) = (CLOSED.over(ground), OPEN.over(ground));
            assert_apart(&[(name, ground), ("closed", closed), ("open", open), ("path", PATH)]);
        }
    }

    #[test]
    fn lines_and_marks_stand_out_from_their_casing_and_from_one_another() {
        let colours = [("casing", CASING), ("path", PATH), ("goal", GOAL), ("start", INK), ("link", LINK)];
        assert_apart(&colours);
        assert_apart(&[("floor", FLOOR), ("road", ROAD), ("arrow", ARROW)]);
    }

    #[test]
    fn more_expensive_terrain_is_darker_and_never_a_wall() {
        let eyes = &EYES[0].1;
        let ramp: Vec<f64> =
            [2, 3, 6, 20, 60, 255].map(|cost| seen(terrain(Terrain::new(cost), 255), eyes)[0]).to_vec();
        assert!(ramp.is_sorted_by(|cheap, expensive| cheap > expensive), "{ramp:?}");
        assert!(seen(FLOOR, eyes)[0] > ramp[0] + 5.0);
        assert!(seen(WALL, eyes)[0] < ramp[5] - 20.0);
    }
}
