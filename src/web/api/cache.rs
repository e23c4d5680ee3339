//! Bodies of responses, and a cache of them of bounded size.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value as Json;

/// The value of `Cache-Control` for facts that change only with the version of Puli: exact values and rules.
const ONE_DAY: &str = "public, max-age=86400";

/// The body of a response that clients may cache.
#[derive(Debug)]
pub(super) struct Body {
    bytes: Bytes,
    /// The value of the header `ETag`: checksum and length.
    tag: String,
}

impl Body {
    /// Creates the body of a JSON value.
    pub(super) fn new(json: &Json) -> Self {
        let text = json.to_string();
        let checksum = crc32fast::hash(text.as_bytes());
        Self {
            tag: format!("\"{checksum:08x}-{:x}\"", text.len()),
            bytes: text.into(),
        }
    }

    /// Returns the response to a request with these headers. It has no body if the client has the same body already.
    pub(super) fn response(&self, request_headers: &HeaderMap) -> Response {
        let mut response = if self.is_known(request_headers) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            json_response(StatusCode::OK, self.bytes.clone())
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(ONE_DAY));
        if let Ok(tag) = HeaderValue::from_str(&self.tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }

    /// Returns `true` if the header `If-None-Match` contains the tag of this body.
    fn is_known(&self, request_headers: &HeaderMap) -> bool {
        let values = request_headers.get_all(header::IF_NONE_MATCH).iter();
        let mut tags = values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','));
        tags.any(|tag| matches!(tag.trim(), "*") || tag.trim().trim_start_matches("W/") == self.tag)
    }
}

/// Returns a response with a JSON body.
pub(super) fn json_response(status: StatusCode, body: impl Into<Bytes>) -> Response {
    let content_type = [(header::CONTENT_TYPE, "application/json")];
    (status, content_type, body.into()).into_response()
}

/// Estimated memory of an entry besides the texts of its body and its key, in bytes.
const ENTRY_BYTES: usize = 256;

/// A cache of bodies. The oldest are dropped first.
pub(super) struct Cache {
    max_bytes: usize,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    bodies: HashMap<Arc<str>, Arc<Body>>,
    /// The keys of `bodies`, oldest first.
    oldest_first: VecDeque<Arc<str>>,
    bytes: usize,
}

impl Cache {
    /// Creates an empty cache for at most `max_bytes` bytes.
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            entries: Mutex::default(),
        }
    }

    /// Returns the body of `key`, if it is cached.
    pub(super) fn get(&self, key: &str) -> Option<Arc<Body>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.bodies.get(key).map(Arc::clone)
    }

    /// Adds a body. Drops the oldest bodies if the cache becomes too large.
    pub(super) fn insert(&self, key: &str, body: Arc<Body>) {
        let size = |key: &str, body: &Body| ENTRY_BYTES + key.len() + body.bytes.len();
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = &mut *entries;
        if entries.bodies.contains_key(key) {
            return;
        }
        entries.bytes += size(key, &body);
        let key: Arc<str> = key.into();
        entries.oldest_first.push_back(Arc::clone(&key));
        entries.bodies.insert(key, body);
        while entries.bytes > self.max_bytes {
            let Some(oldest) = entries.oldest_first.pop_front() else {
                break;
            };
            if let Some(body) = entries.bodies.remove(&oldest) {
                entries.bytes -= size(&oldest, &body);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cache_drops_oldest_bodies() {
        let cache = Cache::new(10 * 1024);
        for number in 0..100 {
            let body = Body::new(&json!("x".repeat(1000)));
            cache.insert(&format!("key {number}"), Arc::new(body));
        }
        let kept: Vec<usize> = (0..100)
            .filter(|number| cache.get(&format!("key {number}")).is_some())
            .collect();
        assert_eq!(kept, (92..100).collect::<Vec<_>>());
        cache.insert("large", Arc::new(Body::new(&json!("x".repeat(20_000)))));
        let entries = cache.entries.lock().unwrap();
        assert_eq!((entries.bytes, entries.bodies.len()), (0, 0));
    }

    #[test]
    fn known_body_is_not_sent_again() {
        let body = Body::new(&json!({ "plies": 12 }));
        let other = Body::new(&json!({ "plies": 13 }));
        for (condition, status) in [
            (body.tag.clone(), 304),
            (format!("W/{}", body.tag), 304),
            (format!("{}, {}", other.tag, body.tag), 304),
            ("*".into(), 304),
            (other.tag.clone(), 200),
            ("12".into(), 200),
        ] {
            let value = condition.parse().unwrap();
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, value)]);
            let response = body.response(&headers);
            assert_eq!(response.status().as_u16(), status, "{condition}");
            assert!(response.headers().contains_key(header::ETAG));
        }
    }
}
