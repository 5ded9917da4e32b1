//! The colours, after Okabe and Ito, *Color Universal Design* (2008): told apart by people with the common
//! colour-blindnesses too. Where colours come close, patterns and shapes help (hatching, dots, waves, rings).

use std::fmt;

use crate::world::grid::Terrain;

/// A colour with opacity.
///
/// ```
/// use surefoot::draw::palette::{self, Colour};
/// assert_eq!(palette::PATH.to_string(), "#0072b2");
/// assert_eq!(Colour::new(0x00_00_00).fade(0.5).over(Colour::new(0xff_ff_ff)), Colour::new(0x7f_7f_7f));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// 255 hides what is below, 0 shows nothing.
    pub alpha: u8,
}

impl Colour {
    /// An opaque colour from its hexadecimal number.
    pub const fn new(rgb: u32) -> Colour {
        Colour { rgb: [(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8], alpha: 255 }
    }

    /// The same colour with another opacity, 0 to 1.
    #[must_use]
    pub const fn fade(self, opacity: f32) -> Colour {
        Colour { rgb: self.rgb, alpha: (opacity * 255.0) as u8 }
    }

    /// What one sees where this colour lies over an opaque one.
    #[must_use]
    pub fn over(self, below: Colour) -> Colour {
        below.mix(Colour { alpha: 255, ..self }, f32::from(self.alpha) / 255.0)
    }

    /// The colour a share `t` of the way to `other` (0 is this, 1 is the other).
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

/// Around the map.
pub const PAGE: Colour = Colour::new(0xff_ff_ff);
/// Text and the start's ring.
pub const INK: Colour = Colour::new(0x1f_24_2b);
/// The line around the map and around the legend's samples.
pub const FRAME: Colour = Colour::new(0x8d_95_a1);
/// Lines between cells.
pub const GRID_LINE: Colour = INK.fade(0.075);

/// Plain floor.
pub const FLOOR: Colour = Colour::new(0xf2_f3_f5);
/// Walls.
pub const WALL: Colour = Colour::new(0x33_39_42);
/// Grass: a tint of bluish green.
pub const GRASS: Colour = Colour::new(0x9f_d6_a8);
/// The dots on grass.
pub const GRASS_MARK: Colour = Colour::new(0x00_7d_5b).fade(0.75);
/// Water: a tint of sky blue.
pub const WATER: Colour = Colour::new(0x7f_c0_ee);
/// The waves on water.
pub const WATER_MARK: Colour = Colour::new(0x00_5a_96).fade(0.7);
/// Other terrain, cheapest.
pub const CHEAP: Colour = Colour::new(0xdd_d8_e2);
/// Other terrain, dearest.
pub const DEAR: Colour = Colour::new(0x7d_73_8c);

/// The search's hue: orange.
pub const SEARCH: Colour = Colour::new(0xe6_9f_00);
/// Nodes waiting to be expanded.
pub const OPEN: Colour = SEARCH.fade(0.88);
/// Nodes that were expanded: a paler tint.
pub const CLOSED: Colour = SEARCH.fade(0.32);
/// The hatching of expanded nodes.
pub const CLOSED_MARK: Colour = Colour::new(0xb8_73_00).fade(0.55);

/// The path: blue.
pub const PATH: Colour = Colour::new(0x00_72_b2);
/// Around the path and the marks of start and goal, so that they stand out from any ground.
pub const CASING: Colour = Colour::new(0xff_ff_ff);
/// The goal's dot: vermilion.
pub const GOAL: Colour = Colour::new(0xd5_5e_00);
/// Arrows from node to node.
pub const ARROW: Colour = Colour::new(0x4a_50_5a);
/// Links: reddish purple, darkened for thin lines.
pub const LINK: Colour = Colour::new(0xa8_47_80);
/// Roads of a graph.
pub const ROAD: Colour = Colour::new(0x8d_95_a1);

/// The colour of a terrain on a map whose dearest terrain costs `dearest`.
///
/// ```
/// use surefoot::draw::palette;
/// use surefoot::prelude::*;
/// assert_eq!(palette::terrain(Terrain::GRASS, 10), palette::GRASS);
/// assert_eq!(palette::terrain(Terrain::new(50), 50), palette::DEAR);
/// ```
pub fn terrain(terrain: Terrain, dearest: u8) -> Colour {
    match terrain {
        Terrain::WALL => WALL,
        Terrain::FLOOR => FLOOR,
        Terrain::GRASS => GRASS,
        Terrain::WATER => WATER,
        other => {
            // Below ten, a map would spend the whole ramp on differences that hardly matter.
            let most = f32::from(dearest.max(10) - 1);
            let share = (f32::from(other.cost() - 1) / most).min(1.0);
            // The root spreads the small costs, which are the common ones.
            CHEAP.mix(DEAR, share.sqrt())
        }
    }
}
