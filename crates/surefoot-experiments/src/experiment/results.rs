//! What an experiment has measured.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::Environment;

/// A value in a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A name.
    Text(String),
    /// A whole number.
    Count(u64),
    /// A measured number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name in CSV and JSON.
    pub name: &'static str,
    /// What it contains, with its unit.
    pub meaning: &'static str,
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points. Both coordinates are above zero.
    pub points: Vec<(f64, f64)>,
}

/// A chart with logarithmic axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What its axes show.
    pub axes: [&'static str; 2],
    /// The lines.
    pub lines: Vec<Line>,
    /// A limit to compare with.
    pub limit: Option<f64>,
}

/// The results of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The name of the experiment.
    pub experiment: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// How it was measured, one paragraph each.
    pub design: Vec<String>,
    /// The command that repeats it.
    pub command: String,
    /// The machine and the build.
    pub environment: Environment,
    /// The columns of the table.
    pub columns: &'static [Column],
    /// The rows of the table: one per measurement, with a value per column.
    pub rows: Vec<Vec<Value>>,
    /// What follows from the figures, in plain words.
    pub findings: Vec<String>,
    /// Charts.
    pub charts: Vec<Chart>,
}

impl Results {
    /// Returns the rows as objects, with the names of the columns as keys.
    pub fn objects(&self) -> Vec<Map<String, Json>> {
        let object = |row: &Vec<Value>| {
            let values = row.iter().map(|value| serde_json::to_value(value).unwrap_or(Json::Null));
            self.columns.iter().map(|column| column.name.to_owned()).zip(values).collect()
        };
        self.rows.iter().map(object).collect()
    }
}
