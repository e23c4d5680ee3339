//! Access control: requests must name this server as their host and origin, sockets must show the token, and
//! response headers restrict what the page may do.

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

/// The secret of a server, 128 random bits, which a socket must show first.
pub(crate) struct Token(String);

impl Token {
    /// Creates a token.
    ///
    /// # Errors
    /// If the system provides no random bytes.
    pub(super) fn new() -> io::Result<Self> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(io::Error::other)?;
        let mut text = String::new();
        for byte in bits {
            write!(text, "{byte:02x}").map_err(io::Error::other)?;
        }
        Ok(Self(text))
    }

    /// Returns `true` if `shown` equals the token. Takes the same time for every wrong text of the right length.
    pub(super) fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The host names of this server.
pub(crate) struct Addresses {
    /// The port.
    pub port: u16,
    hosts: [String; 3],
}

impl Addresses {
    /// Creates the host names of the server on this port.
    pub(super) fn new(port: u16) -> Self {
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"));
        Self { port, hosts }
    }

    /// Returns the host name that a request is addressed to, if it is one of this server's.
    fn host<'a>(&'a self, request: &Request) -> Option<&'a str> {
        let named = only(request.headers(), &header::HOST)?;
        let host = self.hosts.iter().find(|host| *host == named)?;
        // A request may name its host twice; both must agree.
        let authority = request.uri().authority();
        let agrees = authority.is_none_or(|authority| authority.as_str() == host);
        agrees.then_some(host.as_str())
    }
}

/// Returns the value of a header that occurs exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok())?
}

/// Accepts requests that are addressed to this server and come from its own page or have no origin.
///
/// Any web page can send requests to this address. Such a request has a foreign origin, or a foreign host if a DNS
/// name was pointed at this machine (DNS rebinding).
pub(crate) async fn inspect(
    State(addresses): State<Arc<Addresses>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(host) = addresses.host(&request) else {
        return refuse(
            StatusCode::MISDIRECTED_REQUEST,
            "this server has another address",
        );
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return refuse(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD");
    }
    let headers = request.headers();
    let origin = only(headers, &header::ORIGIN);
    let is_own = origin.is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
    let is_nobodys = !headers.contains_key(header::ORIGIN) && request.uri().path() != SOCKET;
    if !is_own && !is_nobodys {
        return refuse(StatusCode::FORBIDDEN, "only this server's own page may ask");
    }
    let policy = policy(host);
    let mut response = next.run(request).await;
    restrict(&mut response, &policy);
    response
}

/// Returns a refusal that closes the connection.
pub(crate) fn refuse(status: StatusCode, why: &'static str) -> Response {
    let mut response = (status, [(header::CONNECTION, "close")], why).into_response();
    restrict(&mut response, "default-src 'none'; frame-ancestors 'none'");
    response
}

/// Returns the content security policy: the page may load only from this server.
fn policy(host: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self' ws://{host}; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

fn restrict(response: &mut Response, policy: &str) {
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_new_every_time_and_only_its_own_text_is_it() {
        let (token, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(token.to_string().len(), 32);
        assert!(token.is(&token.to_string()));
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
            assert!(!token.is(wrong), "{wrong}");
        }
    }
}
