//! Response bodies, compressed once and shared by all connections.

use std::io::Write;

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A body with its compressed form.
pub(super) struct Content {
    plain: Bytes,
    /// The gzip form, if it is shorter.
    gzip: Option<Bytes>,
}

impl Content {
    /// Compresses a body.
    pub(super) fn new(plain: Bytes) -> Self {
        let gzip = gzip(&plain).filter(|gzip| gzip.len() < plain.len());
        Self {
            plain,
            gzip: gzip.map(Bytes::from),
        }
    }

    /// Returns a response of media type `kind`, in gzip if the request's headers accept it.
    pub(super) fn answer(&self, asked: &HeaderMap, kind: &'static str) -> Response {
        let kind = (header::CONTENT_TYPE, kind);
        match self.gzip.as_ref().filter(|_| accepts_gzip(asked)) {
            Some(gzip) => {
                ([kind, (header::CONTENT_ENCODING, "gzip")], gzip.clone()).into_response()
            }
            None => ([kind], self.plain.clone()).into_response(),
        }
    }
}

fn gzip(content: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).ok()?;
    encoder.finish().ok()
}

/// Returns `true` if `Accept-Encoding` names gzip with a weight above 0.
fn accepts_gzip(asked: &HeaderMap) -> bool {
    let names = asked.get_all(header::ACCEPT_ENCODING).iter();
    let names = names.filter_map(|value| value.to_str().ok());
    names.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().trim_start_matches("q=");
        name.trim().eq_ignore_ascii_case("gzip") && weight.parse().is_ok_and(|q: f32| q > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_only_if_accepted() {
        let content = b"the same again and again ".repeat(40);
        for (says, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("deflate", false),
            ("", false),
        ] {
            let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, says.parse().unwrap())]);
            let answer = Content::new(content.clone().into()).answer(&asked, "text/plain");
            let is_packed = answer.headers().contains_key(header::CONTENT_ENCODING);
            assert_eq!(is_packed, takes, "{says}");
        }
        let mut unpacked = Vec::new();
        let gzip = gzip(&content).unwrap();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&gzip[..]), &mut unpacked)
            .unwrap();
        assert_eq!(unpacked, content);
    }
}
