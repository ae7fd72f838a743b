//! What goes back to a client whose request cannot be done.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use xinqi_kernel::Reject;
use xinqi_store::StoreError;
use xinqi_table::OpenError;

/// One clear error: a code for programs, a line for people. Nothing has changed.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    message: String,
}

impl Problem {
    /// The request is wrong in itself.
    pub(crate) fn malformed(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    /// The request is well formed, but not for now or not for this guest.
    pub(crate) fn not_available(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, "not-available", message)
    }

    /// There is no such table.
    pub(crate) fn no_table() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", "there is no such table")
    }

    /// Too many requests.
    pub(crate) fn too_fast() -> Problem {
        Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too-fast",
            "too many requests: wait a little",
        )
    }

    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Problem {
        Problem {
            status,
            code,
            message: message.into(),
        }
    }

    /// The error object: `{"code","message"}`.
    pub(crate) fn json(&self) -> Value {
        json!({"code": self.code, "message": self.message})
    }
}

impl From<Reject> for Problem {
    fn from(reject: Reject) -> Problem {
        Problem::new(StatusCode::CONFLICT, reject.code.as_str(), reject.message)
    }
}

impl From<OpenError> for Problem {
    fn from(error: OpenError) -> Problem {
        Problem::malformed(error.to_string())
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        tracing::error!(%error, "the store failed");
        let message = "the server could not save this: try again";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"error": self.json()}))).into_response()
    }
}
