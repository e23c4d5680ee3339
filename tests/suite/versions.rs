//! Checks the versions of the file formats: `puli --version`, the files themselves, the table in `protocol.md` and the
//! constants in `src` agree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::process::puli;
use crate::support::{files_in, source_files};

/// Command lines that write at least one file of every format into the folder `{}`.
const COMMANDS: [&str; 7] = [
    "solve aadu-puli --goats 1 --out {}",
    "solve tree --out {}",
    "solve coyote --prey 9 --checkpoint 0 --checks 0 --keep {}/survey",
    "solve kaooa --checkpoint 0 --keep {}/explicit",
    "tables 15-puzzle --pattern 4-4-4-3 --out {}",
    "train 2048 --games 1 --examine 0 --tuples 4x5 --out {}/2048.net",
    "fit kaooa {}/positions --epochs 1 --out {}/kaooa.net",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program and returns its standard output.
fn stdout_of(line: &str) -> String {
    let output = puli().args(line.split(' ')).output().unwrap();
    assert!(output.status.success(), "{line}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the versions that `puli --version` prints for each format, such as `2 to 4`.
fn printed_versions() -> BTreeMap<String, String> {
    let text = stdout_of("--version");
    let formats = text.lines().filter_map(|line| line.strip_prefix("format "));
    formats
        .map(|format| {
            let (magic, rest) = format.split_once(" version ").unwrap();
            let (versions, _) = rest.split_once(": ").unwrap();
            (magic.to_string(), versions.to_string())
        })
        .collect()
}

/// Returns the first eight bytes of a file without the line end, and the version after them.
fn head_of(path: &Path) -> (String, u32) {
    let bytes = fs::read(path).unwrap();
    let magic = bytes[..8].trim_ascii_end().escape_ascii().to_string();
    (magic, u32::from_le_bytes(bytes[8..12].try_into().unwrap()))
}

#[test]
fn version_starts_with_short_version_and_extensions() {
    let text = stdout_of("--version");
    let start = format!(
        "{}protocol: UCI and UGI, extensions version {}\n",
        stdout_of("-V"),
        puli::protocol::EXTENSIONS_VERSION
    );
    assert!(text.starts_with(&start), "{text}");
    assert!(stdout_of("--version -v").starts_with(&text));
}

#[test]
fn files_of_every_format_have_the_printed_version() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    let positions = stdout_of("gather kaooa --games 20 --outcomes");
    fs::write(folder.path().join("positions"), positions).unwrap();
    for command in COMMANDS {
        stdout_of(&command.replace("{}", name));
    }
    fs::remove_file(folder.path().join("positions")).unwrap();
    let mut written = BTreeMap::new();
    for path in files_in(folder.path()) {
        let (magic, version) = head_of(&path);
        written.insert(magic, version.to_string());
    }
    let newest = |versions: String| versions.split(' ').next_back().unwrap().to_string();
    let printed: BTreeMap<String, String> = printed_versions()
        .into_iter()
        .map(|(magic, versions)| (magic, newest(versions)))
        .collect();
    assert_eq!(written, printed);
}

#[test]
fn protocol_page_lists_the_printed_versions_in_order() {
    let page = fs::read_to_string(root().join("protocol.md")).unwrap();
    let (_, section) = page.split_once("\n### File formats\n").unwrap();
    let section = section.split("\n### ").next().unwrap();
    let mut documented = Vec::new();
    for row in section.lines().filter(|line| line.contains("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let magic = cells[2].trim_matches('`');
        assert_eq!(cells[4].split(' ').next_back(), Some(cells[3]), "{row}");
        documented.push(format!("format {magic} version {}", cells[4]));
    }
    let text = stdout_of("--version");
    let printed = text.lines().filter(|line| line.starts_with("format "));
    let printed: Vec<&str> = printed
        .map(|line| line.split(':').next().unwrap())
        .collect();
    assert_eq!(documented, printed);
}

#[test]
fn every_magic_of_the_source_is_printed() {
    let mut found = BTreeSet::new();
    for path in source_files() {
        if path.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (start, _) in text.match_indices("b\"") {
            let literal = text[start + 2..].split('"').next().unwrap();
            let magic = literal.strip_suffix("\\n").unwrap_or(literal);
            let length = magic.len() + usize::from(magic != literal);
            if length == 8 && magic.to_uppercase().starts_with("PULI") {
                found.insert(magic.to_string());
            }
        }
    }
    let printed: BTreeSet<String> = printed_versions().into_keys().collect();
    assert_eq!(found, printed);
}
