//! Prints a scene as SVG.

use std::fmt::Write;

use super::palette::{self, Colour};
use super::shapes::{Block, Fill, Pattern, Scene, Shape, Spot, Stroke};

/// Pixels of text size a pixel of the font: letters of the common sans-serif faces are then about as wide as ours.
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

/// A name that says it all, so that several pictures can stand in one page: equal names mean equal patterns.
fn pattern_id(pattern: &Pattern) -> String {
    let Pattern { name, origin: (x, y), side, .. } = pattern;
    format!("surefoot-{name}-{side}-{x}-{y}")
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
            print_paint("fill", *colour, out);
            out.push_str(" d=\"");
            for corners in triangles {
                print_corners(corners, out);
                out.push('z');
            }
            out.push_str("\"/>\n");
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

/// Text that XML takes for text and for nothing else. Characters that XML does not allow become question marks.
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
