//! The files of the page. They are built into the program, or read from a folder for development.

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

/// Compresses the built-in files, so that the first request does not wait for it.
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

/// Returns `true` if a path cannot lead out of the page's folder: its names consist of ASCII letters, digits, `-`, `_`
/// and `.`, and do not start with a dot.
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

    /// Returns the text of a file of the page.
    fn text_of(path: &str) -> &'static str {
        let file = PAGE_FOLDER.get_file(path);
        let file = file.unwrap_or_else(|| panic!("the page has no file {path}"));
        file.contents_utf8().expect("text in UTF-8")
    }

    /// Resolves a relative address in the file at `path`, for example `../dom.js` in
    /// `panel/learn.js`.
    fn resolve(path: &str, address: &str) -> String {
        let mut parts: Vec<&str> = path.split('/').collect();
        parts.pop();
        for part in address.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        parts.join("/")
    }

    /// Returns the files that a file of the page loads at once, without modules imported on demand.
    fn loaded_with(path: &str) -> Vec<String> {
        let text = text_of(path);
        let extension = path.rsplit_once('.').map(|(_, extension)| extension);
        let addresses: Vec<&str> = if extension == Some("html") {
            let attributes = text.split(['"']).skip(1).step_by(2);
            attributes
                .filter(|value| PAGE_FOLDER.get_file(value).is_some())
                .collect()
        } else if extension == Some("js") {
            let imports = text
                .lines()
                .filter(|line| line.starts_with("import ") || line.starts_with("export "));
            imports
                .filter_map(|line| line.split_once(" from \"")?.1.strip_suffix("\";"))
                .collect()
        } else {
            Vec::new()
        };
        addresses
            .into_iter()
            .map(|address| resolve(path, address))
            .collect()
    }

    #[test]
    fn first_visit_takes_at_most_200_kb_of_bodies_on_the_way() {
        // At most 250 kB with the response headers, which the browser check `page-weight` counts too.
        let mut paths = vec!["index.html".to_owned()];
        let mut at = 0;
        while at < paths.len() {
            let found = loaded_with(&paths[at]);
            let new: Vec<_> = found
                .into_iter()
                .filter(|one| !paths.contains(one))
                .collect();
            paths.extend(new);
            at += 1;
        }
        assert!(paths.iter().any(|path| path == "panel/learn.js"));
        let size: usize = paths
            .iter()
            .map(|path| COMPRESSED_FILES[path.as_str()].sent_bytes())
            .sum();
        assert!(size < 200_000, "{size} bytes");
        assert!(!paths.iter().any(|path| path.starts_with("lessons/")));
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
