//! One page that loads nothing.

use std::fmt::Write;

use super::{Exporter, ReportError, chart};
use crate::experiment::{Results, Value};

pub(super) struct Html;

const STYLE: &str = "
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2rem }
code { background: #f2f2f2; padding: .1em .3em; overflow-wrap: anywhere }
.warning { background: #fff3cd; padding: .6rem 1rem; border-left: 4px solid #d9a400 }
.scroll { overflow-x: auto } svg { max-width: 100%; height: auto }
table { border-collapse: collapse; font-size: .85rem } th, td { padding: .25rem .6rem; border-bottom: 1px solid #ddd; white-space: nowrap }
th { text-align: left; vertical-align: bottom } td { text-align: right; font-variant-numeric: tabular-nums } td.text { text-align: left }
@media print { body { margin: 0 } .scroll { overflow: visible } }
";

impl Exporter for Html {
    fn file_name(&self) -> &'static str {
        "report.html"
    }

    fn export(&self, results: &Results) -> Result<String, ReportError> {
        let mut page = String::new();
        let title = format!("Experiment {}", escape(results.experiment));
        let _ = write!(
            page,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n<p>{}</p>\n",
            escape(results.question)
        );
        for warning in results.environment.warnings() {
            let _ = writeln!(page, "<p class=\"warning\">{} Times may be distorted.</p>", escape(&warning));
        }
        page += "<h2>Findings</h2>\n<ul>\n";
        for finding in &results.findings {
            let _ = writeln!(page, "<li>{}</li>", escape(finding));
        }
        page += "</ul>\n";
        for chart in &results.charts {
            if let Some(picture) = chart::svg(chart)? {
                let _ = writeln!(
                    page,
                    "<h2>{}</h2>\n<div class=\"scroll\">{picture}</div>",
                    escape(&chart.title)
                );
            }
        }
        page += "<h2>How it was measured</h2>\n";
        for paragraph in &results.design {
            let _ = writeln!(page, "<p>{}</p>", escape(paragraph));
        }
        let _ = writeln!(page, "<p>To repeat it: <code>{}</code></p>", escape(&results.command));
        page += &environment(results);
        page += &table(results);
        page += "</body>\n</html>\n";
        Ok(page)
    }
}

fn environment(results: &Results) -> String {
    let environment = &results.environment;
    let processor = environment.processor.as_deref().unwrap_or("unknown processor");
    let load = |load: Option<f64>| load.map_or_else(|| "unknown".to_owned(), |load| format!("{load:.2}"));
    format!(
        "<p>Surefoot {}, {}, {}, {} threads; load {} before and {} after.</p>\n",
        escape(environment.version),
        escape(&environment.platform),
        escape(processor),
        environment.cores,
        load(environment.load_before),
        load(environment.load_after)
    )
}

fn table(results: &Results) -> String {
    let mut text = String::from("<h2>All measurements</h2>\n<div class=\"scroll\"><table>\n<thead><tr>");
    for column in results.columns {
        let _ = write!(text, "<th title=\"{}\">{}</th>", escape(column.meaning), escape(column.name));
    }
    text += "</tr></thead>\n<tbody>\n";
    for row in &results.rows {
        text += "<tr>";
        for value in row {
            let _ = match value {
                Value::Text(name) => write!(text, "<td class=\"text\">{}</td>", escape(name)),
                Value::Count(count) => write!(text, "<td>{count}</td>"),
                Value::Number(number) => write!(text, "<td>{number:.1}</td>"),
                Value::Flag(flag) => write!(text, "<td>{}</td>", if *flag { "yes" } else { "no" }),
            };
        }
        text += "</tr>\n";
    }
    text += "</tbody>\n</table></div>\n<dl>\n";
    for column in results.columns {
        let _ = writeln!(
            text,
            "<dt><code>{}</code></dt><dd>{}</dd>",
            escape(column.name),
            escape(column.meaning)
        );
    }
    text + "</dl>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
