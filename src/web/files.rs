//! The page's files: built into the program or, for development, read from a folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use include_dir::{Dir, include_dir};

use super::access::refuse;
use super::config::Shared;
use super::content::Content;
use crate::durable::Source;

/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 16 << 20;

static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/web/page");

/// The built-in files by path, compressed once.
static FILES: LazyLock<BTreeMap<&str, Content>> = LazyLock::new(|| {
    let files = all(&PAGE).into_iter().filter_map(|file| {
        let content = Content::new(Bytes::from_static(file.contents()));
        Some((file.path().to_str()?, content))
    });
    files.collect()
});

/// Compresses the files before the first request.
pub(super) fn warm() {
    LazyLock::force(&FILES);
}

/// Returns the files of a folder and its subfolders.
fn all<'a>(dir: &'a Dir<'a>) -> Vec<&'a include_dir::File<'a>> {
    let below = dir.dirs().flat_map(all);
    dir.files().chain(below).collect()
}

/// Responds with the file at a path.
pub(super) async fn serve(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let file = content_type(path)
        .filter(|_| is_plain(path))
        .and_then(|kind| {
            Some(match &shared.config.page {
                Some(folder) => {
                    let source = Source::open(&folder.join(Path::new(path))).ok()?;
                    let read = source.bytes(MAX_BYTES).ok()?;
                    Content::new(read.into()).answer(&headers, kind)
                }
                None => FILES.get(path)?.answer(&headers, kind),
            })
        });
    file.unwrap_or_else(|| refuse(StatusCode::NOT_FOUND, "there is no such file"))
}

/// Returns `true` if a path consists of plain names and leads only downwards.
fn is_plain(path: &str) -> bool {
    path.split('/').all(|name| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain)
    })
}

/// Returns the media type for a file extension, or `None` for extensions that are not served.
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

    #[test]
    fn every_file_has_a_media_type() {
        let files = all(&PAGE);
        assert!(PAGE.get_file("index.html").is_some());
        for file in files {
            let path = file.path().to_str().expect("a name in UTF-8");
            assert!(is_plain(path), "{path}");
            assert!(content_type(path).is_some(), "{path}");
        }
    }

    #[test]
    fn page_is_smaller_than_400_kib() {
        let weight: usize = all(&PAGE).iter().map(|file| file.contents().len()).sum();
        assert!(weight < 400 << 10, "{weight} bytes");
    }

    #[test]
    fn rejects_paths_out_of_the_folder() {
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
