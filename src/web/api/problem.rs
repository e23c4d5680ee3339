//! Error responses: problem details as JSON (RFC 9457), with the place of the error in the request.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value as Json, json};

use crate::error::{Cause, EngineError};

const MEDIA_TYPE: &str = "application/problem+json";

/// An error response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub status: StatusCode,
    /// What is wrong, and what would be right.
    pub detail: String,
    /// The part of the request that is wrong, such as `path parameter 'fen'`.
    pub place: Option<&'static str>,
    /// Time in seconds after which the client may repeat the request.
    pub retry_after: Option<u64>,
}

/// The places of errors in requests.
pub(super) mod place {
    pub(crate) const GAME: &str = "path parameter 'game'";
    pub(crate) const FEN: &str = "path parameter 'fen'";
    pub(crate) const VARIANT: &str = "path parameter 'variant'";
    pub(crate) const NODES: &str = "query parameter 'nodes'";
    pub(crate) const P: &str = "query parameter 'p'";
    pub(crate) const PATH: &str = "path";
    pub(crate) const QUERY: &str = "query";
    pub(crate) const METHOD: &str = "method";
    pub(crate) const HOST: &str = "header 'Host'";
}

impl Problem {
    /// Creates the problem of a wrong request.
    pub(super) fn new(status: StatusCode, place: &'static str, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: detail.into(),
            place: Some(place),
            retry_after: None,
        }
    }

    /// Creates the problem of a request that the engine rejects, or of work that failed. `place` is the parameter with
    /// the position.
    pub(super) fn of_engine(error: &EngineError, place: &'static str) -> Self {
        match error.cause() {
            Cause::Request => Self::new(StatusCode::BAD_REQUEST, place, error.to_string()),
            Cause::Work => Self {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                detail: error.to_string(),
                place: None,
                retry_after: None,
            },
        }
    }

    /// Creates the problem that the engine panicked.
    pub(super) fn failure() -> Self {
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            detail: "the engine failed because of a bug".into(),
            place: None,
            retry_after: None,
        }
    }

    /// Creates the problem that the server has too much work. The client may repeat the request after a second.
    pub(super) fn busy() -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            detail: "the server has too many requests at present".into(),
            place: None,
            retry_after: Some(1),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut body = Map::new();
        body.insert("type".into(), json!("about:blank"));
        body.insert(
            "title".into(),
            json!(self.status.canonical_reason().unwrap_or_default()),
        );
        body.insert("status".into(), json!(self.status.as_u16()));
        body.insert("detail".into(), json!(self.detail));
        if let Some(place) = self.place {
            body.insert("place".into(), json!(place));
        }
        // GamesmanUni rejects every object with this key.
        body.insert("error".into(), json!(self.detail));
        let body = Json::Object(body).to_string();
        let mut response =
            (self.status, [(header::CONTENT_TYPE, MEDIA_TYPE)], body).into_response();
        if let Some(seconds) = self.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
