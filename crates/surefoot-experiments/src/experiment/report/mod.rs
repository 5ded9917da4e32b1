//! Reports: one file per format.

mod chart;
mod csv;
mod html;
mod json;

use thiserror::Error;

use super::Results;

/// A format of results.
pub trait Exporter {
    /// Returns the name of its file.
    fn file_name(&self) -> &'static str;

    /// Returns the content of its file.
    ///
    /// # Errors
    /// If the results cannot be expressed.
    fn export(&self, results: &Results) -> Result<String, ReportError>;
}

/// Why there is no report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A chart cannot be drawn.
    #[error("cannot draw the chart `{title}`: {reason}")]
    Chart {
        /// Its title.
        title: String,
        /// What the crate that draws says.
        reason: String,
    },
    /// The results are not valid JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Returns all formats: `results.csv`, `results.json` and `report.html`.
pub fn exporters() -> [&'static dyn Exporter; 3] {
    [&csv::Csv, &json::Json, &html::Html]
}
