//! Comma-separated values.

use super::{Exporter, ReportError};
use crate::experiment::{Results, Value};

pub(super) struct Csv;

impl Exporter for Csv {
    fn file_name(&self) -> &'static str {
        "results.csv"
    }

    fn export(&self, results: &Results) -> Result<String, ReportError> {
        let names: Vec<&str> = results.columns.iter().map(|column| column.name).collect();
        let mut text = names.join(",") + "\n";
        for row in &results.rows {
            let fields: Vec<String> = row.iter().map(field).collect();
            text += &(fields.join(",") + "\n");
        }
        Ok(text)
    }
}

/// Text with a comma, a quotation mark or a line end is quoted (RFC 4180).
fn field(value: &Value) -> String {
    match value {
        Value::Text(text) if text.contains([',', '"', '\n', '\r']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        Value::Text(text) => text.clone(),
        Value::Count(count) => count.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_where_it_has_to_be() {
        let text = |text: &str| field(&Value::Text(text.to_owned()));
        assert_eq!(
            [text("plain"), text("a,b"), text("say \"no\"")],
            ["plain", "\"a,b\"", "\"say \"\"no\"\"\""]
        );
        assert_eq!([field(&Value::Number(0.5)), field(&Value::Flag(true))], ["0.5", "true"]);
    }
}
