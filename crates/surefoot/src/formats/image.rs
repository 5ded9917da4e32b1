//! Reads maps from images and writes them: one pixel per cell.
//!
//! A [`Palette`] maps colours to terrain. A pixel stands for the palette's nearest colour if that is near enough;
//! otherwise it is an error. Fully transparent pixels are walls (there is nothing to stand on). For all others only the
//! colour counts. Any PNG is accepted: grey, coloured, indexed, interlaced, up to 16 bits per channel.
//!
//! ```
//! use surefoot::formats::image::{self, Palette};
//! let grid: surefoot::prelude::Grid = "..#\n4..".parse().unwrap();
//! let png = image::write(&grid, &Palette::default()).unwrap();
//! assert_eq!(image::read(&png, &Palette::default()).unwrap().to_terrain(), grid.to_terrain());
//! ```

use std::fmt;
use std::io::{Cursor, ErrorKind};

use png::{BitDepth, ColorType, Decoder, DecodingError, Encoder, Limits, Reader, Transformations};
use thiserror::Error;

use crate::formats::{Format, FormatError, Location, Problem, check_length, check_no_links, no_such_terrain};
use crate::world::grid::{Grid, Terrain};

/// A colour: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Returns the square of the Euclidean distance between two colours.
    fn distance_square(self, other: Colour) -> u32 {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(self.0, other.0) + square(self.1, other.1) + square(self.2, other.2)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Maps colours to terrain. By default black is wall, white is floor, green (`#00ff00`) is grass of cost 4 and blue
/// (`#0000ff`) is water of cost 10.
///
/// ```
/// use surefoot::formats::image::{Colour, Palette};
/// use surefoot::world::grid::Terrain;
/// let palette = Palette::parse("#000000=0,#ffffff=1,#c08040=7").unwrap();
/// assert_eq!(palette.terrain(Colour(0xc4, 0x80, 0x40)), Some(Terrain::new(7)));
/// assert_eq!(palette.terrain(Colour(0xff, 0x00, 0xff)), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    entries: Vec<(Colour, Terrain)>,
    tolerance: u32,
}

/// Why a text or a list is not a palette.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PaletteError {
    /// An entry is not a colour and a cost.
    #[error("`{0}` is not a palette entry, expected `#rrggbb=COST` with a cost from 0 (wall) to 255")]
    Entry(String),
    /// A colour has two meanings.
    #[error("{0} is given twice")]
    Repeated(Colour),
    /// There are no colours, or more than an indexed image can have.
    #[error("found {0} colours, expected a palette of 1 to 256")]
    Count(usize),
}

impl Palette {
    /// The default distance that a pixel may have from its palette colour; see [`Palette::with_tolerance`].
    pub const DEFAULT_TOLERANCE: u32 = 64;

    /// Creates a palette of 1 to 256 different colours.
    pub fn new(entries: Vec<(Colour, Terrain)>) -> Result<Palette, PaletteError> {
        if !(1..=256).contains(&entries.len()) {
            return Err(PaletteError::Count(entries.len()));
        }
        for (index, (colour, _)) in entries.iter().enumerate() {
            if entries[..index].iter().any(|(other, _)| other == colour) {
                return Err(PaletteError::Repeated(*colour));
            }
        }
        Ok(Palette { entries, tolerance: Palette::DEFAULT_TOLERANCE })
    }

    /// Parses `#rrggbb=COST,#rrggbb=COST,...`.
    pub fn parse(text: &str) -> Result<Palette, PaletteError> {
        let entries = text.split(',').take(257).map(|entry| {
            let entry = entry.trim();
            parse_entry(entry).ok_or_else(|| PaletteError::Entry(entry.chars().take(40).collect()))
        });
        Palette::new(entries.collect::<Result<_, _>>()?)
    }

    /// Returns the same palette with another tolerance: the largest Euclidean distance between a pixel and its palette
    /// colour, with channels from 0 to 255. 0 accepts exact colours only.
    #[must_use]
    pub fn with_tolerance(self, tolerance: u32) -> Palette {
        Palette { tolerance, ..self }
    }

    /// Returns the terrain of the nearest colour, the earlier one if two are equally near; `None` if no colour is near
    /// enough.
    pub fn terrain(&self, colour: Colour) -> Option<Terrain> {
        let near = |(known, _): &&(Colour, Terrain)| known.distance_square(colour);
        let (known, terrain) = self.entries.iter().min_by_key(near)?;
        let tolerated = self.tolerance.saturating_mul(self.tolerance);
        (known.distance_square(colour) <= tolerated).then_some(*terrain)
    }
}

impl Default for Palette {
    fn default() -> Palette {
        let entries = vec![
            (Colour(0, 0, 0), Terrain::WALL),
            (Colour(255, 255, 255), Terrain::FLOOR),
            (Colour(0, 255, 0), Terrain::GRASS),
            (Colour(0, 0, 255), Terrain::WATER),
        ];
        Palette { entries, tolerance: Palette::DEFAULT_TOLERANCE }
    }
}

fn parse_entry(entry: &str) -> Option<(Colour, Terrain)> {
    let (colour, cost) = entry.strip_prefix('#')?.split_once('=')?;
    if colour.len() != 6 || !colour.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let channel = |from: usize| u8::from_str_radix(&colour[from..from + 2], 16).ok();
    Some((Colour(channel(0)?, channel(2)?, channel(4)?), Terrain::new(cost.parse().ok()?)))
}

/// Reads a PNG.
///
/// ```
/// use surefoot::formats::image::{self, Palette};
/// let grid: surefoot::prelude::Grid = ".#4".parse().unwrap();
/// let png = image::write(&grid, &Palette::default()).unwrap();
/// assert_eq!(image::read(&png, &Palette::default()).unwrap().to_terrain(), [1, 0, 4]);
/// ```
pub fn read(bytes: &[u8], palette: &Palette) -> Result<Grid, FormatError> {
    check_length(bytes)?;
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: DECODER_BYTES });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let info = decoder.read_header_info().map_err(decoding)?;
    let (width, height, interlaced) = (info.width, info.height, info.interlaced);
    for (what, side) in [("width", width), ("height", height)] {
        if side > Grid::MAX_SIDE {
            let problem =
                Problem::OutOfRange { what, found: side.to_string(), least: 1, most: Grid::MAX_SIDE };
            return Err(FormatError::whole(problem));
        }
    }
    let raw_bytes = info.raw_row_length() as u64 * u64::from(height);
    if raw_bytes / MOST_DEFLATED > bytes.len() as u64 {
        let expected = format!("the data of {width} x {height} pixels");
        return Err(FormatError::whole(Problem::unexpected(format!("{} bytes", bytes.len()), expected)));
    }
    let mut reader = decoder.read_info().map_err(decoding)?;
    let passes = if interlaced { &ADAM7[..] } else { &[(0, 0, 1, 1)] };
    let terrain = read_pixels(&mut reader, palette, width, height, passes)?;
    reader.finish().map_err(decoding)?;
    Grid::from_terrain(width, height, &terrain).map_err(FormatError::whole)
}

/// What the decoder may allocate: a few of the widest rows, and chunks of data about the image.
const DECODER_BYTES: usize = 4 << 20;

/// The maximum compression ratio of Deflate.
const MOST_DEFLATED: u64 = 1032;

/// The passes of an interlaced image: first column and row, steps between columns and rows.
const ADAM7: [(u32, u32, u32, u32); 7] =
    [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];

fn read_pixels(
    reader: &mut Reader<Cursor<&[u8]>>,
    palette: &Palette,
    width: u32,
    height: u32,
    passes: &[(u32, u32, u32, u32)],
) -> Result<Vec<u8>, FormatError> {
    let channels = reader.output_color_type().0.samples();
    let mut terrain = vec![0; width as usize * height as usize];
    // Neighbouring pixels mostly look the same.
    let mut last = None;
    for &(first_x, first_y, step_x, step_y) in passes.iter().filter(|pass| pass.0 < width) {
        for y in (first_y..height).step_by(step_y as usize) {
            let row = reader.next_row().map_err(decoding)?.ok_or_else(truncated)?;
            let columns = (first_x..width).step_by(step_x as usize);
            for (x, pixel) in columns.zip(row.data().chunks_exact(channels)) {
                let known = match last {
                    Some((seen, known)) if seen == pixel_key(pixel) => known,
                    _ => pixel_terrain(pixel, palette, x, y)?,
                };
                last = Some((pixel_key(pixel), known));
                terrain[y as usize * width as usize + x as usize] = known.cost();
            }
        }
    }
    Ok(terrain)
}

/// A pixel of one to four channels as a number.
fn pixel_key(pixel: &[u8]) -> u32 {
    pixel.iter().fold(0, |key, &channel| key << 8 | u32::from(channel))
}

fn pixel_terrain(pixel: &[u8], palette: &Palette, x: u32, y: u32) -> Result<Terrain, FormatError> {
    let colour = match *pixel {
        [_, 0] | [_, _, _, 0] => return Ok(Terrain::WALL),
        [gray] | [gray, _] => Colour(gray, gray, gray),
        [red, green, blue] | [red, green, blue, _] => Colour(red, green, blue),
        _ => return Err(truncated()),
    };
    palette.terrain(colour).ok_or_else(|| {
        let known: Vec<String> = palette.entries.iter().take(8).map(|(known, _)| known.to_string()).collect();
        let more = if palette.entries.len() > 8 { " or another colour of the palette" } else { "" };
        let expected = format!("a colour within {} of {}{more}", palette.tolerance, known.join(", "));
        FormatError::new(Location::Pixel { x, y }, Problem::unexpected(colour.to_string(), expected))
    })
}

fn truncated() -> FormatError {
    FormatError::whole(Problem::unexpected("the end of the file", "more image data"))
}

fn decoding(error: DecodingError) -> FormatError {
    match error {
        DecodingError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => truncated(),
        error => FormatError::whole(Problem::Png(error.to_string())),
    }
}

/// Writes an indexed PNG. Links and terrain that the palette lacks are errors; the frame is omitted.
pub fn write(grid: &Grid, palette: &Palette) -> Result<Vec<u8>, FormatError> {
    check_no_links(grid, Format::Png)?;
    let mut index_of = [None; 256];
    for (index, (_, terrain)) in (0_u8..=255).zip(&palette.entries) {
        index_of[terrain.cost() as usize].get_or_insert(index);
    }
    let mut pixels = grid.to_terrain();
    for (y, row) in (0..).zip(pixels.chunks_mut(grid.width() as usize)) {
        for (x, pixel) in (0..).zip(row) {
            *pixel = index_of[*pixel as usize].ok_or_else(|| no_such_terrain(x, y, *pixel, Format::Png))?;
        }
    }
    let mut out = Vec::new();
    encode(&mut out, grid, palette, &pixels)
        .map_err(|error| FormatError::whole(Problem::Png(error.to_string())))?;
    Ok(out)
}

fn encode(
    out: &mut Vec<u8>,
    grid: &Grid,
    palette: &Palette,
    pixels: &[u8],
) -> Result<(), png::EncodingError> {
    let mut encoder = Encoder::new(out, grid.width(), grid.height());
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    let channels = palette.entries.iter().flat_map(|(colour, _)| [colour.0, colour.1, colour.2]);
    encoder.set_palette(channels.collect::<Vec<u8>>());
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::space::Cell;

    /// A PNG of any kind.
    fn png(width: u32, height: u32, colour: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = Encoder::new(&mut out, width, height);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        out
    }

    fn terrain(bytes: &[u8]) -> Vec<u8> {
        read(bytes, &Palette::default()).unwrap().to_terrain()
    }

    fn message(bytes: &[u8]) -> String {
        read(bytes, &Palette::default()).unwrap_err().to_string()
    }

    #[test]
    fn reads_every_kind_of_pixel() {
        let eight = BitDepth::Eight;
        let rgb = [0, 0, 0, 255, 255, 255, 0, 255, 0, 0, 0, 255];
        assert_eq!(terrain(&png(4, 1, ColorType::Rgb, eight, &rgb)), [0, 1, 4, 10]);
        assert_eq!(terrain(&png(2, 2, ColorType::Grayscale, eight, &[0, 250, 30, 255])), [0, 1, 0, 1]);
        assert_eq!(terrain(&png(4, 1, ColorType::Grayscale, BitDepth::One, &[0b1010_0000])), [1, 0, 1, 0]);
        let gray16 = [0, 0, 255, 255];
        assert_eq!(terrain(&png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &gray16)), [0, 1]);
        // White but fully transparent is wall; half transparent green is grass.
        let rgba = [255, 255, 255, 0, 0, 255, 0, 128];
        assert_eq!(terrain(&png(2, 1, ColorType::Rgba, eight, &rgba)), [0, 4]);
        assert_eq!(terrain(&png(2, 1, ColorType::GrayscaleAlpha, eight, &[255, 0, 255, 255])), [0, 1]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let grid = Grid::from_terrain(5, 2, &[0, 1, 4, 10, 1, 1, 0, 10, 4, 4]).unwrap();
        let bytes = write(&grid, &Palette::default()).unwrap();
        assert_eq!(terrain(&bytes), grid.to_terrain());
    }

    #[test]
    fn colours_outside_the_palette_are_named() {
        let pixels = [255, 255, 255, 255, 0, 0];
        assert_eq!(
            message(&png(1, 2, ColorType::Rgb, BitDepth::Eight, &pixels)),
            "pixel 0,1: found #ff0000, expected a colour within 64 of #000000, #ffffff, #00ff00, #0000ff"
        );
        let palette = Palette::default().with_tolerance(0);
        let error = read(&png(1, 1, ColorType::Grayscale, BitDepth::Eight, &[254]), &palette).unwrap_err();
        assert!(error.to_string().starts_with("pixel 0,0: found #fefefe, expected a colour within 0 of"));
    }

    #[test]
    fn damaged_files_are_named() {
        let whole = png(64, 64, ColorType::Grayscale, BitDepth::Eight, &[255; 4096]);
        let end = "found the end of the file, expected more image data";
        assert_eq!(message(&whole[..20]), end);
        assert_eq!(message(&whole[..whole.len() - 20]), end);
        assert_eq!(message(b"\x89PNG nonsense"), "invalid PNG: Invalid PNG signature.");
        let mut huge = whole.clone();
        huge[16..24].copy_from_slice(&[0, 0, 64, 1, 0, 0, 0, 1]);
        let crc = crc32(&huge[12..29]);
        huge[29..33].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(message(&huge), "width 16385 is out of range, expected 1 to 16384");
        huge[16..24].copy_from_slice(&[0, 0, 64, 0, 0, 0, 64, 0]);
        let crc = crc32(&huge[12..29]);
        huge[29..33].copy_from_slice(&crc.to_be_bytes());
        let found = format!("found {} bytes, expected the data of 16384 x 16384 pixels", huge.len());
        assert_eq!(message(&huge), found);
        huge[16..24].copy_from_slice(&[0; 8]);
        let crc = crc32(&huge[12..29]);
        huge[29..33].copy_from_slice(&crc.to_be_bytes());
        assert_eq!(message(&huge), "invalid PNG: Invalid image dimensions");
    }

    /// The checksum of a PNG chunk.
    fn crc32(bytes: &[u8]) -> u32 {
        let mut crc = u32::MAX;
        for &byte in bytes {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 };
            }
        }
        !crc
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let mut grid: Grid = "..\n.5".parse().unwrap();
        let error = write(&grid, &Palette::default()).unwrap_err().to_string();
        assert_eq!(error, "cell 1,1: terrain of cost 5 cannot be written as a PNG");
        grid.add_link(Cell::new(1, 0), Cell::new(0, 0), Cost::ONE).unwrap();
        let error = write(&grid, &Palette::default()).unwrap_err().to_string();
        assert_eq!(error, "cell 1,0: a link cannot be written as a PNG");
    }

    #[test]
    fn palettes_are_read_from_text() {
        let palette = Palette::parse("#000000=0, #Ff0000=9").unwrap();
        assert_eq!(palette.terrain(Colour(250, 0, 0)), Some(Terrain::new(9)));
        assert_eq!(palette.terrain(Colour(255, 255, 255)), None);
        let entry = |text: &str| Err(PaletteError::Entry(text.into()));
        for text in
            ["", "000000=0", "#00000=0", "#00000g=0", "#000000", "#000000=256", "#000000=-1", "#äää=1"]
        {
            assert_eq!(Palette::parse(text), entry(text));
        }
        assert_eq!(Palette::parse("#010203=1,#010203=2").unwrap_err().to_string(), "#010203 is given twice");
        assert_eq!(
            Palette::new(Vec::new()).unwrap_err().to_string(),
            "found 0 colours, expected a palette of 1 to 256"
        );
    }
}
