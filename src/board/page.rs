//! The page's files: inside the program, or, for those who work on them, in a folder.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use include_dir::{Dir, include_dir};

use super::guard::refuse;
use super::terms::Shared;

static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/board/page");

/// Answers with the file that the path names.
pub async fn serve(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let file = content_type(path)
        .filter(|_| is_plain(path))
        .and_then(|kind| {
            let content = match &shared.terms.page {
                Some(folder) => fs::read(folder.join(Path::new(path))).ok()?,
                None => PAGE.get_file(path)?.contents().to_vec(),
            };
            Some(answer(&headers, kind, content))
        });
    file.unwrap_or_else(|| refuse(StatusCode::NOT_FOUND, "there is no such file"))
}

/// A file of this kind, compressed for those who take it so.
pub fn answer(asked: &HeaderMap, kind: &'static str, content: Vec<u8>) -> Response {
    let kind = (header::CONTENT_TYPE, kind);
    let packed = takes_gzip(asked).then(|| gzip(&content)).flatten();
    match packed.filter(|packed| packed.len() < content.len()) {
        Some(packed) => ([kind, (header::CONTENT_ENCODING, "gzip")], packed).into_response(),
        None => ([kind], content).into_response(),
    }
}

fn gzip(content: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).ok()?;
    encoder.finish().ok()
}

/// Whether `Accept-Encoding` names gzip, and not with weight 0.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let names = asked.get_all(header::ACCEPT_ENCODING).iter();
    let names = names.filter_map(|value| value.to_str().ok());
    names.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().trim_start_matches("q=");
        name.trim().eq_ignore_ascii_case("gzip") && weight.parse().is_ok_and(|q: f32| q > 0.0)
    })
}

/// Whether a path leads down only, by plain names.
fn is_plain(path: &str) -> bool {
    path.split('/').all(|name| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain)
    })
}

/// What a file is, by its ending; nothing else is served.
fn content_type(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit_once('.')?;
    Some(match ending {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "txt" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all<'a>(dir: &'a Dir<'a>) -> Vec<&'a include_dir::File<'a>> {
        let below = dir.dirs().flat_map(all);
        dir.files().chain(below).collect()
    }

    #[test]
    fn every_file_of_the_page_can_be_asked_for_and_has_a_type() {
        let files = all(&PAGE);
        assert!(PAGE.get_file("index.html").is_some());
        for file in files {
            let path = file.path().to_str().expect("a name in UTF-8");
            assert!(is_plain(path), "{path}");
            assert!(content_type(path).is_some(), "{path}");
        }
    }

    #[test]
    fn the_page_weighs_less_than_it_may() {
        let weight: usize = all(&PAGE).iter().map(|file| file.contents().len()).sum();
        assert!(weight < 300 << 10, "{weight} bytes");
    }

    #[test]
    fn a_file_is_compressed_for_those_who_take_it_so_and_for_no_others() {
        let content = b"the same again and again ".repeat(40);
        for (says, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("deflate", false),
            ("", false),
        ] {
            let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, says.parse().unwrap())]);
            let answer = answer(&asked, "text/plain", content.clone());
            let is_packed = answer.headers().contains_key(header::CONTENT_ENCODING);
            assert_eq!(is_packed, takes, "{says}");
        }
        let mut unpacked = Vec::new();
        let packed = gzip(&content).unwrap();
        std::io::Read::read_to_end(
            &mut flate2::read::GzDecoder::new(&packed[..]),
            &mut unpacked,
        )
        .unwrap();
        assert_eq!(unpacked, content);
    }

    #[test]
    fn no_path_leads_up_or_aside() {
        for path in [
            "../Cargo.toml",
            "a/../../b.js",
            "/etc/passwd",
            "a//b.js",
            "",
            ".x.js",
            "a\\b.js",
            "%2e%2e/a.js",
            "a b.js",
        ] {
            assert!(!is_plain(path), "{path}");
        }
    }
}
