//! Charts as SVG.

use std::error::Error;
use std::ops::Range;

use plotters::prelude::*;

use super::ReportError;
use crate::experiment::Chart;

/// Colours that are told apart with any colour vision (Okabe and Ito 2008).
const COLOURS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(204, 121, 167)];

const SIZE: (u32, u32) = (860, 460);

/// Draws a chart with logarithmic axes. A chart without points has no picture.
pub(super) fn svg(chart: &Chart) -> Result<Option<String>, ReportError> {
    let points = || chart.lines.iter().flat_map(|line| &line.points);
    let Some(ranges) = range(points().map(|point| point.0)).zip(range(points().map(|point| point.1))) else {
        return Ok(None);
    };
    let mut picture = String::new();
    let failed =
        |error: Box<dyn Error>| ReportError::Chart { title: chart.title.clone(), reason: error.to_string() };
    draw(chart, ranges, &mut picture).map_err(failed)?;
    Ok(Some(picture))
}

/// All values, with some room.
fn range(values: impl Iterator<Item = f64>) -> Option<Range<f64>> {
    let (low, high) =
        values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    (low.is_finite() && low > 0.0).then_some(low / 1.25..high * 1.25)
}

fn draw(chart: &Chart, (x, y): (Range<f64>, Range<f64>), picture: &mut String) -> Result<(), Box<dyn Error>> {
    let y = chart.limit.map_or(y.clone(), |limit| y.start.min(limit / 1.25)..y.end.max(limit * 1.25));
    let root = SVGBackend::with_string(picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut axes = ChartBuilder::on(&root)
        .margin(14)
        .x_label_area_size(46)
        .y_label_area_size(76)
        .build_cartesian_2d(x.clone().log_scale(), y.log_scale())?;
    axes.configure_mesh()
        .x_desc(chart.axes[0])
        .y_desc(chart.axes[1])
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .light_line_style(WHITE)
        .draw()?;
    if let Some(limit) = chart.limit {
        let ends = [(x.start, limit), (x.end, limit)];
        axes.draw_series(DashedLineSeries::new(ends, 6, 5, BLACK.mix(0.7).stroke_width(1)))?
            .label("limit")
            .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], BLACK.mix(0.7)));
    }
    for (line, colour) in chart.lines.iter().zip(COLOURS.into_iter().cycle()) {
        axes.draw_series(LineSeries::new(line.points.iter().copied(), colour.stroke_width(2)).point_size(3))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    axes.configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.9))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    root.present()?;
    Ok(())
}
