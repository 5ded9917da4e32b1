//! Answers of HTTP calls.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// What is wrong with a call, as `{"error": "..."}`.
pub struct Problem(pub StatusCode, pub String);

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

/// A call that could not be understood.
impl From<String> for Problem {
    fn from(message: String) -> Problem {
        Problem(StatusCode::BAD_REQUEST, message)
    }
}
