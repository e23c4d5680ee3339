//! Response bodies. Each body is compressed once, and all connections share the result.

use std::io::Write;

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A response body, with and without compression.
pub(super) struct Content {
    /// The body without compression.
    plain: Bytes,
    /// The body compressed with gzip, or `None` if the compression does not make it shorter.
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

    /// Returns the length of the body sent to browsers, in bytes.
    #[cfg(test)]
    pub(super) fn sent_bytes(&self) -> usize {
        self.gzip.as_ref().unwrap_or(&self.plain).len()
    }

    /// Returns a response with this body, compressed if `request_headers` accept gzip.
    pub(super) fn response(
        &self,
        request_headers: &HeaderMap,
        media_type: &'static str,
    ) -> Response {
        let content_type = (header::CONTENT_TYPE, media_type);
        let gzip = self.gzip.as_ref();
        match gzip.filter(|_| accepts_gzip(request_headers)) {
            Some(gzip) => (
                [content_type, (header::CONTENT_ENCODING, "gzip")],
                gzip.clone(),
            )
                .into_response(),
            None => ([content_type], self.plain.clone()).into_response(),
        }
    }
}

fn gzip(content: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).ok()?;
    encoder.finish().ok()
}

/// Returns `true` if the header `Accept-Encoding` lists gzip with a weight above 0. The default weight is 1; a
/// parameter such as `q=0.5` changes it.
fn accepts_gzip(request_headers: &HeaderMap) -> bool {
    let values = request_headers.get_all(header::ACCEPT_ENCODING).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
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
        for (accept_encoding, is_accepted) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("deflate", false),
            ("", false),
        ] {
            let value = accept_encoding.parse().unwrap();
            let request_headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, value)]);
            let response =
                Content::new(content.clone().into()).response(&request_headers, "text/plain");
            let is_compressed = response.headers().contains_key(header::CONTENT_ENCODING);
            assert_eq!(is_compressed, is_accepted, "{accept_encoding}");
        }
        let mut decompressed = Vec::new();
        let gzip = gzip(&content).unwrap();
        std::io::Read::read_to_end(
            &mut flate2::read::GzDecoder::new(&gzip[..]),
            &mut decompressed,
        )
        .unwrap();
        assert_eq!(decompressed, content);
    }
}
