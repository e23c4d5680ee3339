//! The checks of a request before its handler, and the headers of every response.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Api;
use super::problem::{Problem, place};
use crate::web::access::named_host;
use crate::web::connections::Connection;

/// Seconds for which a browser may keep the answer to a preflight request.
const PREFLIGHT_SECONDS: u64 = 86_400;

/// Passes a request to its handler if the host is this server, the client keeps to the rate, and the method is GET or
/// HEAD. Pages of all sites may read the responses, because they are the same for everybody.
pub(super) async fn check_request(
    State(api): State<Arc<Api>>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
    next: Next,
) -> Response {
    let is_preflight = *request.method() == Method::OPTIONS;
    let mut response = match check(&api, &connection, &request) {
        Err(problem) => problem.into_response(),
        Ok(()) if is_preflight => preflight(),
        Ok(()) => {
            let response = tokio::time::timeout(api.config.response_timeout, next.run(request));
            response
                .await
                .unwrap_or_else(|_| Problem::busy().into_response())
        }
    };
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let allowed = HeaderValue::from_static("GET, HEAD, OPTIONS");
        response.headers_mut().insert(header::ALLOW, allowed);
    }
    add_headers(&mut response);
    response
}

/// Checks a request before its handler.
fn check(api: &Api, connection: &Connection, request: &Request) -> Result<(), Problem> {
    // A client that is connected to an IP address of this machine may name it as the host. Names are listed, so that a
    // page of another site cannot reach this server under its own name (DNS rebinding).
    let is_address = || Some(named_host(request)? == connection.local_address()?.to_string());
    if api.addresses.host(request).is_none() && is_address() != Some(true) {
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            place::HOST,
            "this server has another address: name it with --host",
        ));
    }
    let client = connection.client().unwrap_or(IpAddr::from([0, 0, 0, 0]));
    if let Err(wait) = api.limiter.admit(client, Instant::now()) {
        let seconds = wait.as_secs() + 1;
        return Err(Problem {
            status: StatusCode::TOO_MANY_REQUESTS,
            detail: format!(
                "more than {} requests per second: wait for {seconds} s",
                api.config.rate
            ),
            place: None,
            retry_after: Some(seconds),
        });
    }
    if !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    ) {
        return Err(Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            place::METHOD,
            "this server is read-only: use GET, HEAD or OPTIONS",
        ));
    }
    check_escapes(request.uri())
}

/// Checks that each `%` in the path and in the query starts an escape of two hexadecimal digits.
fn check_escapes(uri: &Uri) -> Result<(), Problem> {
    let parts = [
        (place::PATH, uri.path()),
        (place::QUERY, uri.query().unwrap_or_default()),
    ];
    for (place, text) in parts {
        for (offset, _) in text.match_indices('%') {
            let digits = text.as_bytes().get(offset + 1..offset + 3);
            if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                return Err(Problem::new(
                    StatusCode::BAD_REQUEST,
                    place,
                    format!(
                        "column {}: expected two hexadecimal digits after '%'",
                        offset + 1
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// Returns the answer to a preflight request, with which a browser asks what a page of another site may send.
fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_METHODS,
        HeaderValue::from_static("GET, HEAD"),
    );
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("If-None-Match"),
    );
    headers.insert(
        header::ACCESS_CONTROL_MAX_AGE,
        HeaderValue::from(PREFLIGHT_SECONDS),
    );
    response
}

/// Adds the headers of every response.
fn add_headers(response: &mut Response) {
    let headers = response.headers_mut();
    let fixed = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_EXPOSE_HEADERS, "ETag, Retry-After"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Handlers set this header for facts.
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
