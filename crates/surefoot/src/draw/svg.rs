//! Prints a scene as SVG.

use std::fmt::Write;

use super::palette::{self, Colour};
use super::shapes::{Block, Fill, Pattern, Scene, Shape, Spot, Stroke};

/// Pixels of text size per pixel of the font: letters of the common sans-serif faces are then about as wide as ours.
const TEXT_SIZE: f32 = 8.5;

/// The scene as a standalone SVG file.
pub(crate) fn print(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n<title>{}</title>\n",
        escape(&scene.name)
    );
    let mut patterns: Vec<&Pattern> = Vec::new();
    for shape in &scene.shapes {
        if let Shape::Area { fill: Fill::Pattern(pattern), .. } = shape
            && !patterns.contains(&pattern)
        {
            patterns.push(pattern);
        }
    }
    if !patterns.is_empty() {
        out.push_str("<defs>\n");
        for pattern in patterns {
            print_pattern(pattern, &mut out);
        }
        out.push_str("</defs>\n");
    }
    for shape in &scene.shapes {
        print_shape(shape, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn print_pattern(pattern: &Pattern, out: &mut String) {
    let Pattern { origin: (x, y), side, .. } = *pattern;
    put(
        out,
        format_args!(
            "<pattern id=\"{}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" patternUnits=\"userSpaceOnUse\">\n",
            pattern_id(pattern)
        ),
    );
    for shape in &pattern.shapes {
        print_shape(shape, out);
    }
    out.push_str("</pattern>\n");
}

/// Returns a name that is derived from the whole pattern, so that several pictures can share one page: equal names mean
/// equal patterns.
fn pattern_id(pattern: &Pattern) -> String {
    let Pattern { name, origin: (x, y), side, .. } = pattern;
    format!("surefoot-{name}-{side}-{x}-{y}")
}

/// Ends a path that is filled: one facet after the other.
fn print_facets<const N: usize>(facets: &[[Spot; N]], colour: Colour, out: &mut String) {
    print_paint("fill", colour, out);
    out.push_str(" d=\"");
    for corners in facets {
        print_corners(corners, out);
        out.push('z');
    }
    out.push_str("\"/>\n");
}

fn print_shape(shape: &Shape, out: &mut String) {
    match shape {
        Shape::Area { blocks, fill } => {
            out.push_str("<path shape-rendering=\"crispEdges\"");
            match fill {
                Fill::Plain(colour) => print_paint("fill", *colour, out),
                Fill::Pattern(pattern) => put(out, format_args!(" fill=\"url(#{})\"", pattern_id(pattern))),
            }
            out.push_str(" d=\"");
            for Block { x, y, width, height } in blocks {
                put(out, format_args!("M{x} {y}h{width}v{height}h-{width}z"));
            }
            out.push_str("\"/>\n");
        }
        Shape::Facets { facets, colour } => {
            out.push_str("<path shape-rendering=\"crispEdges\"");
            print_facets(facets, *colour, out);
        }
        Shape::Lines { lines, stroke } => {
            out.push_str("<path fill=\"none\"");
            print_stroke(*stroke, out);
            out.push_str(" stroke-linejoin=\"round\"");
            if stroke.dash.is_none() {
                out.push_str(" stroke-linecap=\"round\"");
            }
            out.push_str(" d=\"");
            for line in lines {
                print_corners(line, out);
            }
            out.push_str("\"/>\n");
        }
        Shape::Triangles { triangles, colour } => {
            out.push_str("<path");
            print_facets(triangles, *colour, out);
        }
        Shape::Discs { centres, radius, fill, rim } => {
            out.push_str("<g");
            match fill {
                Some(colour) => print_paint("fill", *colour, out),
                None => out.push_str(" fill=\"none\""),
            }
            if let Some(stroke) = rim {
                print_stroke(*stroke, out);
            }
            out.push_str(">\n");
            let radius = number(*radius);
            for at in centres {
                let (x, y) = (number(at.x), number(at.y));
                put(out, format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>\n"));
            }
            out.push_str("</g>\n");
        }
        Shape::Text { at, scale, text } => {
            let (x, y, size) = (number(at.x), number(at.y), number(f32::from(*scale) * TEXT_SIZE));
            put(
                out,
                format_args!("<text x=\"{x}\" y=\"{y}\" font-family=\"sans-serif\" font-size=\"{size}\""),
            );
            print_paint("fill", palette::INK, out);
            put(out, format_args!(">{}</text>\n", escape(text)));
        }
    }
}

fn print_paint(what: &str, colour: Colour, out: &mut String) {
    put(out, format_args!(" {what}=\"{colour}\""));
    if colour.alpha < 255 {
        let opacity = number(f32::from(colour.alpha) / 255.0);
        put(out, format_args!(" {what}-opacity=\"{opacity}\""));
    }
}

fn print_stroke(stroke: Stroke, out: &mut String) {
    print_paint("stroke", stroke.colour, out);
    put(out, format_args!(" stroke-width=\"{}\"", number(stroke.width)));
    if let Some(dash) = stroke.dash {
        put(out, format_args!(" stroke-dasharray=\"{}\"", number(dash)));
    }
}

fn print_corners(corners: &[Spot], out: &mut String) {
    for (index, at) in corners.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        put(out, format_args!("{command}{} {}", number(at.x), number(at.y)));
    }
}

/// Appends; writing to a string cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let written = out.write_fmt(text);
    debug_assert!(written.is_ok());
}

/// At most two decimals, none that are zero.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Escapes text for XML. Characters that XML does not allow become question marks.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&apos;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => safe.push('?'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cost::Cost;
    use crate::draw::Picture;
    use crate::space::{Cell, Voxel};
    use crate::world::grid::{Grid, Terrain};
    use crate::world::voxels::Voxels;

    /// A map with something of everything.
    fn with_small_picture<T>(show: impl Fn(&Picture<'_>) -> T) -> T {
        let mut grid: Grid = "
            ........
            .#####..
            .4..7#..
            .44..#..
            ........"
            .parse()
            .unwrap();
        for x in 5..8 {
            grid.set(Cell::new(x, 4), Terrain::WATER).unwrap();
        }
        grid.add_link(Cell::new(7, 0), Cell::new(6, 3), Cost::ONE).unwrap();
        let node = |(x, y)| grid.node(Cell::new(x, y)).unwrap();
        let path = [(3, 3), (2, 4), (1, 4), (0, 3), (0, 2), (0, 1), (1, 0), (2, 0)].map(node);
        let closed =
            [(3, 3), (2, 3), (4, 3), (3, 2), (2, 4), (1, 4), (0, 3), (0, 2), (0, 1), (1, 0)].map(node);
        let open = [(2, 2), (3, 4), (0, 0), (2, 0)].map(node);
        let arrows =
            [((2, 3), (3, 3)), ((4, 3), (3, 3)), ((3, 2), (3, 3)), ((2, 2), (3, 3)), ((0, 0), (0, 1))]
                .map(|(from, to)| (node(from), node(to)));
        show(
            &Picture::of_grid(&grid)
                .closed(&closed)
                .open(&open)
                .path(&path)
                .start(path[0])
                .goals(&path[7..])
                .arrows(&arrows)
                .legend(true)
                .title("Out of the <yard> & away")
                .cell_pixels(24),
        )
    }

    /// Set `SUREFOOT_REWRITE_GOLDEN` to accept a new look, and look at it.
    #[test]
    fn the_small_picture_is_what_it_was() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/small_picture.svg");
        let svg = with_small_picture(|picture| picture.to_svg().unwrap());
        if std::env::var_os("SUREFOOT_REWRITE_GOLDEN").is_some() {
            std::fs::write(&file, &svg).unwrap();
        }
        let golden = std::fs::read_to_string(&file).unwrap();
        assert!(svg == golden, "the picture is not that of {}:\n{svg}", file.display());
    }

    #[test]
    fn the_file_is_xml_that_stands_alone() {
        let svg = with_small_picture(|picture| picture.to_svg().unwrap());
        let document = roxmltree::Document::parse(&svg).unwrap();
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "svg");
        assert_eq!(root.attribute("role"), Some("img"));
        let size = ["width", "height"].map(|name| root.attribute(name).unwrap()).join(" ");
        assert_eq!(root.attribute("viewBox"), Some(format!("0 0 {size}").as_str()));
        let title = root.first_element_child().unwrap();
        assert_eq!((title.tag_name().name(), title.text()), ("title", Some("Out of the <yard> & away")));
        let elements = || root.descendants().filter(roxmltree::Node::is_element);
        let known = ["svg", "title", "defs", "pattern", "path", "g", "circle", "text"];
        let ids: Vec<&str> = elements().filter_map(|element| element.attribute("id")).collect();
        assert_eq!(ids.len(), 3, "{ids:?}");
        for element in elements() {
            assert!(known.contains(&element.tag_name().name()), "{element:?}");
            for attribute in element.attributes() {
                assert!(!attribute.name().contains("href") && !attribute.name().starts_with("on"));
                if let Some(reference) = attribute.value().strip_prefix("url(#") {
                    assert!(ids.contains(&reference.trim_end_matches(')')), "{reference}");
                }
            }
        }
    }

    #[test]
    fn facets_of_a_look_are_one_part_of_the_file() {
        let solid = (0..6).map(|x| Voxel::new(x, x % 3, 0));
        let voxels = Voxels::from_solid([6, 3, 2], solid).unwrap();
        let ends = [(0, 2, 1), (5, 0, 1)].map(|(x, y, z)| voxels.node(Voxel::new(x, y, z)).unwrap());
        let picture = Picture::of_voxels(&voxels).path(&ends).start(ends[0]).goals(&ends[1..]).legend(true);
        let svg = picture.to_svg().unwrap();
        assert_eq!(svg, picture.to_svg().unwrap());
        let document = roxmltree::Document::parse(&svg).unwrap();
        let title = document.root_element().first_element_child().unwrap();
        assert_eq!(title.text(), Some("World of 6 x 3 x 2 cells"));
        let crisp = |node: &roxmltree::Node<'_, '_>| node.attribute("shape-rendering") == Some("crispEdges");
        let mut colours: Vec<_> =
            document.descendants().filter(crisp).filter_map(|node| node.attribute("fill")).collect();
        let parts = colours.len();
        colours.sort_unstable();
        colours.dedup();
        assert!((6..=12).contains(&parts), "{parts} parts in {} colours", colours.len());
    }

    #[test]
    fn any_title_is_text_and_nothing_else() {
        let grid = Grid::new(40, 2).unwrap();
        for title in
            ["</title><script>alert(1)</script>", "\"'&amp;", "a\0b\x1b\u{ffff}", "\u{1f600} ]]>", "a\nb"]
        {
            let svg = Picture::of_grid(&grid).title(title).to_svg().unwrap();
            let document = roxmltree::Document::parse(&svg).unwrap();
            assert!(document.descendants().all(|node| node.tag_name().name() != "script"));
            let shown = title.replace(['\0', '\x1b', '\u{ffff}'], "?").replace('\n', " ");
            for name in ["title", "text"] {
                let element = document
                    .descendants()
                    .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)));
                assert_eq!(element.unwrap().text(), Some(shown.as_str()));
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, -0.001, 1.5, 100.0, 2.345, -7.25].map(number),
            ["0", "0", "1.5", "100", "2.35", "-7.25"]
        );
    }
}
