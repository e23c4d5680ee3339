//! Access control: protects the server from pages of other sites that are open in the same browser.
//!
//! A request is rejected if its host or its origin is not this server. A socket gets a session only after it has sent
//! the token. The headers of documents forbid the browser to load anything from other servers.

use std::fmt::{self, Write};
use std::io;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

/// Path of the WebSocket.
pub(crate) const SOCKET: &str = "/ws";

/// The secret of a server: 128 random bits, as 32 hexadecimal digits. A socket must send it as its first message.
pub(crate) struct Token(String);

impl Token {
    /// Creates a random token.
    ///
    /// # Errors
    /// If the operating system provides no random bytes.
    pub(super) fn new() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mut text = String::new();
        for byte in bytes {
            write!(text, "{byte:02x}").map_err(io::Error::other)?;
        }
        Ok(Self(text))
    }

    /// Returns `true` if `text` equals the token.
    ///
    /// For texts of the right length, the running time is constant, so it does not reveal the number of correct leading
    /// characters.
    pub(super) fn matches(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The port of this server, and the host names by which requests may address it.
pub(crate) struct Addresses {
    /// The port that the server listens on.
    pub port: u16,
    hosts: Vec<String>,
}

impl Addresses {
    /// Creates the host names `127.0.0.1`, `localhost` and `[::1]`, each with this port.
    pub(super) fn new(port: u16) -> Self {
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"));
        Self {
            port,
            hosts: hosts.into(),
        }
    }

    /// Adds host names, as clients write them in the header `Host`.
    #[must_use]
    pub(super) fn with_names(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.hosts.extend(names);
        self
    }

    /// Returns the host name that a request is addressed to, or `None` if it is no host name of this server.
    pub(super) fn host<'a>(&'a self, request: &Request) -> Option<&'a str> {
        let named = named_host(request)?;
        let mut hosts = self.hosts.iter().map(String::as_str);
        hosts.find(|host| *host == named)
    }
}

/// Returns the host that a request names in its header and, if it has one, in its URI. Returns `None` if they differ.
pub(super) fn named_host(request: &Request) -> Option<&str> {
    let host = single_value(request.headers(), &header::HOST)?;
    let authority = request.uri().authority();
    let agrees = authority.is_none_or(|authority| authority.as_str() == host);
    agrees.then_some(host)
}

/// Returns the value of a header, or `None` unless the header occurs exactly once and is visible ASCII.
pub(super) fn single_value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok())?
}

/// Passes a request to its handler if its host and its origin are this server. Rejects all other requests.
///
/// Any web page can make the browser send requests to this server. Two headers reveal such a request:
///
/// - `Origin` names the site of the web page. If the header is missing, the browser does not let other sites read the
///   response, so the request is accepted. Only a request for the WebSocket must have the header.
/// - `Host` names the host that the web page addressed. If an attacker's host name resolves to this machine's
///   address (DNS rebinding), `Host` is the attacker's host name.
pub(crate) async fn check_request(
    State(addresses): State<Arc<Addresses>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(host) = addresses.host(&request) else {
        return reject(
            StatusCode::MISDIRECTED_REQUEST,
            "this server has another address",
        );
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return reject(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD");
    }
    let headers = request.headers();
    let origin = single_value(headers, &header::ORIGIN);
    let is_own_page = origin.is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
    let may_lack_origin = !headers.contains_key(header::ORIGIN) && request.uri().path() != SOCKET;
    if !is_own_page && !may_lack_origin {
        return reject(
            StatusCode::FORBIDDEN,
            "only this server's own page may send requests",
        );
    }
    let policy = content_security_policy(host);
    let mut response = next.run(request).await;
    add_security_headers(&mut response, &policy);
    response
}

/// Returns an error response with the text `reason`. The server closes the connection after it.
pub(crate) fn reject(status: StatusCode, reason: &'static str) -> Response {
    let mut response = (status, [(header::CONNECTION, "close")], reason).into_response();
    add_security_headers(&mut response, "default-src 'none'; frame-ancestors 'none'");
    response
}

/// Returns the content security policy of the page. It allows the browser to load scripts, styles, images and data only
/// from this server.
fn content_security_policy(host: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self' ws://{host}; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// Adds the security headers. `policy` is the content security policy of a document. What only documents obey is left out of
/// scripts, styles and data: the page loads a hundred of them.
fn add_security_headers(response: &mut Response, policy: &str) {
    let headers = response.headers_mut();
    let media_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|it| it.to_str().ok());
    let is_document = !media_type.is_some_and(|it| {
        ["text/javascript", "text/css", "application/json"]
            .iter()
            .any(|part| it.starts_with(part))
    });
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    );
    if !is_document {
        return;
    }
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    headers.insert(
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    );
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_match_only_their_own_text() {
        let (token, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(token.to_string().len(), 32);
        assert!(token.matches(&token.to_string()));
        let mut almost = token.to_string();
        let last = if almost.ends_with('0') { "1" } else { "0" };
        almost.replace_range(31.., last);
        for wrong in [
            "",
            "0",
            &almost,
            &other.to_string(),
            &token.to_string()[1..],
            &(token.to_string() + "0"),
        ] {
            assert!(!token.matches(wrong), "{wrong}");
        }
    }
}
