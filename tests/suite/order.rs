//! Checks the structure of the modules in `src`.
//!
//! The map in the README lists all top-level modules, and a module uses only modules that are listed before it. Files
//! do not use each other in cycles, except for a module and its submodules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::source_files;

/// The path of a module in the crate, such as `["search", "pvs", "worker"]`.
type Module = Vec<String>;

/// The source files in `src`, except the files that are compiled only for tests.
struct SourceTree {
    /// The code of each module, without comments and unit tests.
    files: BTreeMap<Module, String>,
}

impl SourceTree {
    fn read() -> Self {
        let mut files = BTreeMap::new();
        for path in source_files() {
            // A folder with a manifest is another crate.
            let mut folders = path.ancestors().take_while(|folder| *folder != root());
            if folders.any(|folder| folder.join("Cargo.toml").exists()) {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a file of src");
            files.insert(module(&path), without_tests(&text));
        }
        let tests: Vec<Module> = files.keys().filter(|name| is_test(name)).cloned().collect();
        for name in tests {
            files.remove(&name);
        }
        Self { files }
    }

    /// Returns the paths that the code of a module mentions, as paths from the root of the crate.
    fn paths(&self, module: &Module) -> Vec<Vec<String>> {
        let text = &self.files[module];
        let mut paths = Vec::new();
        for (start, _) in text.match_indices("use ") {
            let begins_word = text[..start]
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace);
            if begins_word && let Some((tree, _)) = text[start + 4..].split_once(';') {
                expand_use_tree(tree.trim(), &mut Vec::new(), &mut paths);
            }
        }
        for root in ["crate::", "super::"] {
            for (start, _) in text.match_indices(root) {
                if text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
                    continue;
                }
                let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
                let path = text[start..].split(end).next().unwrap_or_default();
                paths.push(path.split("::").map(String::from).collect());
            }
        }
        paths.retain(|path| !path[0].is_empty());
        for path in &mut paths {
            *path = self.resolve(module, path);
        }
        paths
    }

    /// Converts a path that `module` mentions to a path from the root of the crate.
    fn resolve(&self, module: &Module, path: &[String]) -> Vec<String> {
        let mut resolved = match path[0].as_str() {
            "crate" | "puli" => Vec::new(),
            "self" => module.clone(),
            "super" => module[..module.len() - 1].to_vec(),
            first => {
                let mut child = module.clone();
                child.push(first.into());
                if !self.files.contains_key(&child) {
                    return vec![first.into()];
                }
                child
            }
        };
        for word in &path[1..] {
            if word == "super" {
                resolved.pop();
            } else {
                resolved.push(word.clone());
            }
        }
        resolved
    }

    /// Returns the module that defines the item at `path`, which may be a re-export. Returns `None` if the item belongs
    /// to another crate.
    fn defining_module(&self, path: &[String]) -> Option<Module> {
        let mut prefixes = (1..=path.len()).rev().map(|length| &path[..length]);
        let module = prefixes.find(|name| self.files.contains_key(*name))?;
        let Some(name) = path.get(module.len()) else {
            return Some(module.to_vec());
        };
        let text = &self.files[module];
        for (start, _) in text.match_indices("pub use ") {
            let Some((tree, _)) = text[start + 8..].split_once(';') else {
                continue;
            };
            let mut exports = Vec::new();
            expand_use_tree(tree.trim(), &mut Vec::new(), &mut exports);
            for export in exports {
                if export.last() == Some(name) {
                    let source = self.resolve(&module.to_vec(), &export);
                    if source != path {
                        return self.defining_module(&source);
                    }
                }
            }
        }
        Some(module.to_vec())
    }

    /// Returns the modules whose items `module` uses, except `module` itself.
    fn uses(&self, module: &Module) -> BTreeSet<Module> {
        let paths = self.paths(module).into_iter();
        let mut used: BTreeSet<Module> = paths
            .filter_map(|path| self.defining_module(&path))
            .collect();
        used.remove(module);
        used
    }
}

/// Returns the root folder of the repository.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the module of a source file.
fn module(path: &Path) -> Module {
    let relative = path
        .strip_prefix(root().join("src"))
        .expect("a file of src");
    let relative = relative.with_extension("");
    let mut names: Module = relative
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.pop_if(|name| name == "mod");
    names
}

/// Returns `true` if the module is compiled only for tests.
fn is_test(module: &Module) -> bool {
    module
        .iter()
        .any(|name| name == "tests" || name == "reference_solver")
}

/// Returns `text` without comments and without the inline module `tests`.
fn without_tests(text: &str) -> String {
    let text = match text.find("#[cfg(test)]\nmod tests {") {
        Some(start) => &text[..start],
        None => text,
    };
    let code = text.lines().map(|line| match line.find("//") {
        Some(start) => &line[..start],
        None => line,
    });
    code.collect::<Vec<_>>().join("\n")
}

/// Appends the paths of a use tree such as `a::{b, c::{d, self}}` to `paths`, each after `prefix`. In the example, the
/// paths are `a::b`, `a::c::d` and `a::c`.
fn expand_use_tree(tree: &str, prefix: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    let (head, group) = tree.split_once('{').unwrap_or((tree, ""));
    let head = head.split(" as ").next().unwrap_or_default();
    let depth = prefix.len();
    let words = head.split("::").map(str::trim);
    prefix.extend(words.filter(|word| !word.is_empty()).map(String::from));
    if group.is_empty() {
        let mut path = prefix.clone();
        path.pop_if(|last| last == "self" && depth > 0);
        paths.push(path);
    } else {
        let inside = group.rsplit_once('}').map_or(group, |(inside, _)| inside);
        let (mut start, mut level) = (0, 0);
        for (index, c) in inside.char_indices().chain([(inside.len(), ',')]) {
            match c {
                '{' => level += 1,
                '}' => level -= 1,
                ',' if level == 0 => {
                    if !inside[start..index].trim().is_empty() {
                        expand_use_tree(inside[start..index].trim(), prefix, paths);
                    }
                    start = index + 1;
                }
                _ => {}
            }
        }
    }
    prefix.truncate(depth);
}

/// Returns the top-level modules in the order in which the map in the README lists them.
fn readme_map() -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    let (_, map) = readme.split_once("## The map of `src`").expect("a map");
    let (_, map) = map.split_once("```text\n").expect("a map");
    let (map, _) = map.split_once("```").expect("the map's end");
    let lines = map.lines().filter(|line| !line.starts_with(' '));
    lines
        .flat_map(|line| line.split("  ").next().unwrap_or_default().split('·'))
        .filter_map(|name| name.split_whitespace().next())
        .map(|name| name.trim_end_matches('/').to_string())
        .collect()
}

#[test]
fn readme_map_is_complete() {
    let sources = SourceTree::read();
    let map = readme_map();
    let listed: BTreeSet<&str> = map.iter().map(String::as_str).collect();
    let present = sources.files.keys().map(|name| name[0].as_str());
    let present: BTreeSet<&str> = present.filter(|name| *name != "lib").collect();
    assert_eq!(listed, present);
    assert_eq!(map.len(), listed.len(), "the map lists a module twice");
}

#[test]
fn modules_use_only_earlier_modules() {
    let sources = SourceTree::read();
    let map = readme_map();
    let position = |name: &str| map.iter().position(|listed| listed == name);
    let mut violations = Vec::new();
    for module in sources.files.keys().filter(|name| name[0] != "lib") {
        for used in sources.uses(module) {
            if position(&used[0]) > position(&module[0]) {
                violations.push(format!("{} uses {}", module.join("::"), used.join("::")));
            }
        }
    }
    assert!(
        violations.is_empty(),
        "uses of later modules:\n{}",
        violations.join("\n")
    );
}

#[test]
fn files_do_not_use_each_other_in_cycles() {
    let sources = SourceTree::read();
    let mut graph: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for module in sources.files.keys() {
        let mut others = sources.uses(module);
        others.retain(|other| !other.starts_with(module) && !module.starts_with(other));
        graph.insert(module, others);
    }
    // A module that uses none of the remaining modules, or is used by none of them, is in no cycle. Remove such modules
    // until every remaining module is in a cycle or between two cycles.
    loop {
        let is_in_no_cycle = |module: &Module| {
            graph[module].iter().all(|other| !graph.contains_key(other))
                || !graph.values().any(|others| others.contains(module))
        };
        let Some(acyclic) = graph.keys().copied().find(|module| is_in_no_cycle(module)) else {
            break;
        };
        graph.remove(acyclic);
    }
    let cycles = graph.iter().map(|(module, others)| {
        let others = others.iter().filter(|other| graph.contains_key(other));
        let others: Vec<String> = others.map(|other| other.join("::")).collect();
        format!("{} uses {}", module.join("::"), others.join(", "))
    });
    let cycles: Vec<String> = cycles.collect();
    assert!(
        cycles.is_empty(),
        "circular uses among:\n{}",
        cycles.join("\n")
    );
}

/// Only module `durable` opens files, because it checks and writes them safely. Only module `escape` converts paths to
/// text, because it escapes control characters.
#[test]
fn only_durable_opens_files_and_only_escape_shows_paths() {
    let sources = SourceTree::read();
    let exceptions = [
        // `search::memory` reads `/proc/meminfo`. The checks of `durable` are for files that users pass.
        ("search::memory", "fs::read_to_string("),
        // `commands::play` appends lines to its log file. `durable` writes only whole files and journals.
        ("commands::play", "OpenOptions"),
    ];
    let file_calls = [
        "File::open(",
        "File::create(",
        "OpenOptions",
        "fs::read(",
        "fs::read_to_string(",
        "fs::write(",
    ];
    for (module, text) in &sources.files {
        let name = module.join("::");
        assert!(
            !text.contains(".display()"),
            "{name} prints paths without escape"
        );
        // `LayerFile::open(` contains the text `File::open(`, but is no call of it.
        let calls = |call: &str| {
            let mut matches = text.match_indices(call);
            matches.any(|(index, _)| !text[..index].ends_with(char::is_alphanumeric))
        };
        for call in file_calls.iter().filter(|call| calls(call)) {
            let is_safe = module[0] == "durable" || exceptions.contains(&(&name, *call));
            assert!(is_safe, "{name} calls {call}");
        }
    }
}

#[test]
fn trait_game_mentions_no_search_terms() {
    let text = &SourceTree::read().files[&vec!["rules".to_string()]];
    let (_, game) = text.split_once("pub trait Game:").expect("the trait");
    let (game, _) = game.split_once("\n}").expect("its end");
    assert!(game.contains("fn side") && game.contains("fn outcome"));
    for word in ["depth", "ply", "Window", "evaluate"] {
        assert!(!game.contains(word), "trait Game mentions {word}");
    }
}

#[test]
fn expands_use_trees_to_paths() {
    let mut paths = Vec::new();
    expand_use_tree(
        "a::{b, c::{self, d as e}, super::f}",
        &mut Vec::new(),
        &mut paths,
    );
    let paths: Vec<String> = paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(paths, ["a::b", "a::c", "a::c::d", "a::super::f"]);
    assert_eq!(
        without_tests("a // b\nc\n#[cfg(test)]\nmod tests {\nd"),
        "a \nc"
    );
}

/// Module `random` gives equal numbers on all platforms, because it never draws numbers of type `usize`. No other
/// module uses `fastrand` directly.
#[test]
fn only_random_module_uses_fastrand() {
    let mut users = Vec::new();
    for path in source_files() {
        let text = fs::read_to_string(&path).expect("a file of src");
        if text.contains("fastrand") {
            assert!(!text.contains(".usize("), "{}", path.display());
            users.push(path);
        }
    }
    assert_eq!(users, [root().join("src/random.rs")]);
}

/// WebAssembly has no clock and no C library, so one module each has what stands in for them.
#[test]
fn only_clock_uses_instants_and_only_compression_uses_zstd() {
    let is_native = |module: &Module| {
        let first = module.first().map(String::as_str);
        first.is_some_and(|name| ["commands", "web", "main"].contains(&name))
    };
    let sources = SourceTree::read();
    for module in sources.files.keys().filter(|module| !is_native(module)) {
        for path in sources.paths(module) {
            let name = (module.join("::"), path.join("::"));
            let is_instant = name.1.ends_with("time::Instant");
            assert!(!is_instant || name.0 == "clock", "{name:?}");
        }
        let uses_zstd = sources.files[module].contains("zstd::");
        assert!(
            !uses_zstd || module.join("::").starts_with("durable::compression"),
            "{module:?}"
        );
    }
}
