//! Answers of HTTP calls.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// What is wrong with a call, as `{"error": "..."}`.
pub struct Problem(pub StatusCode, pub String);

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.0, Json(json!({ "error": self.1 }))).into_response();
        if self.0 == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// A call that could not be understood.
impl From<String> for Problem {
    fn from(message: String) -> Problem {
        Problem(StatusCode::BAD_REQUEST, message)
    }
}
