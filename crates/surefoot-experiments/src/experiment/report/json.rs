//! JSON, for programs.

use serde_json::json;

use super::{Exporter, ReportError};
use crate::experiment::Results;

pub(super) struct Json;

impl Exporter for Json {
    fn file_name(&self) -> &'static str {
        "results.json"
    }

    fn export(&self, results: &Results) -> Result<String, ReportError> {
        let document = json!({
            "experiment": results.experiment,
            "command": results.command,
            "environment": results.environment,
            "columns": results.columns,
            "rows": results.objects(),
            "findings": results.findings,
        });
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }
}
