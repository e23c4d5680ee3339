//! The files of the page. They are built into the program. For development, they can be read from a folder instead.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use include_dir::{Dir, include_dir};

use super::access::reject;
use super::config::Shared;
use super::content::Content;
use crate::durable::Source;

/// Maximum size of a file that is read from a folder, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// The folder of the page, built into the program.
static PAGE_FOLDER: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/web/page");

/// The built-in files by path. They are compressed at the first access.
static COMPRESSED_FILES: LazyLock<BTreeMap<&str, Content>> = LazyLock::new(|| {
    let files = files_in(&PAGE_FOLDER).into_iter().filter_map(|file| {
        let content = Content::new(Bytes::from_static(file.contents()));
        Some((file.path().to_str()?, content))
    });
    files.collect()
});

/// Compresses the built-in files, so that the first request does not have to wait for the compression.
pub(super) fn compress_all() {
    LazyLock::force(&COMPRESSED_FILES);
}

/// Returns the files of a folder and of all its subfolders.
fn files_in<'a>(dir: &'a Dir<'a>) -> Vec<&'a include_dir::File<'a>> {
    let below = dir.dirs().flat_map(files_in);
    dir.files().chain(below).collect()
}

/// Responds with the file at the path of the request, or with status 404 if there is no such file.
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
        .filter(|_| is_safe(path))
        .and_then(|media_type| {
            Some(match &shared.config.page {
                Some(folder) => {
                    let source = Source::open(&folder.join(Path::new(path))).ok()?;
                    let bytes = source.bytes(MAX_BYTES).ok()?;
                    Content::new(bytes.into()).response(&headers, media_type)
                }
                None => COMPRESSED_FILES.get(path)?.response(&headers, media_type),
            })
        });
    file.unwrap_or_else(|| reject(StatusCode::NOT_FOUND, "there is no such file"))
}

/// Returns `true` if a path cannot lead out of the page's folder. Its names must consist of ASCII letters, digits, `-`,
/// `_` and `.`, and must not start with a dot.
fn is_safe(path: &str) -> bool {
    path.split('/').all(|name| {
        let is_allowed =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_allowed)
    })
}

/// Returns the media type of a file by its extension, or `None` if files with this extension are not served.
fn content_type(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension {
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
        let files = files_in(&PAGE_FOLDER);
        assert!(PAGE_FOLDER.get_file("index.html").is_some());
        for file in files {
            let path = file.path().to_str().expect("a name in UTF-8");
            assert!(is_safe(path), "{path}");
            assert!(content_type(path).is_some(), "{path}");
        }
    }

    #[test]
    fn page_takes_at_most_200_kb_of_bodies_on_the_way() {
        // With the headers of every file, which the browser check `page-weight` counts too, at most 250 kB.
        let size: usize = COMPRESSED_FILES.values().map(Content::sent_bytes).sum();
        assert!(size < 200_000, "{size} bytes");
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
            assert!(!is_safe(path), "{path}");
        }
    }
}
