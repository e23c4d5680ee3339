//! The order of the house: every module uses only those above it in the README's map, which is complete, and no files
//! use one another in a circle, but for parent and child.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path below `src`: `["search", "pvs", "climb"]`.
type Module = Vec<String>;

/// The files of `src`, without what is only compiled for tests.
struct House {
    /// The text of each module, comments and tests left out.
    files: BTreeMap<Module, String>,
}

impl House {
    fn read() -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![root().join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of src") {
                let path = entry.expect("an entry of src").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    let text = fs::read_to_string(&path).expect("a file of src");
                    files.insert(module(&path), without_tests(&text));
                }
            }
        }
        let tests: Vec<Module> = files.keys().filter(|name| is_test(name)).cloned().collect();
        for name in tests {
            files.remove(&name);
        }
        Self { files }
    }

    /// What a module uses: paths as they are written, those that begin with `super` or `self` made whole.
    fn paths(&self, module: &Module) -> Vec<Vec<String>> {
        let text = &self.files[module];
        let mut paths = Vec::new();
        for (start, _) in text.match_indices("use ") {
            let begins_word = text[..start]
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace);
            if begins_word && let Some((tree, _)) = text[start + 4..].split_once(';') {
                expand(tree.trim(), &mut Vec::new(), &mut paths);
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
            *path = self.whole(module, path);
        }
        paths
    }

    /// A path from the root of the crate.
    fn whole(&self, module: &Module, path: &[String]) -> Vec<String> {
        let mut whole = match path[0].as_str() {
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
                whole.pop();
            } else {
                whole.push(word.clone());
            }
        }
        whole
    }

    /// The module in which the thing of this path lies, where it is one of ours: a name that a module only passes on
    /// lies where it comes from.
    fn owner(&self, path: &[String]) -> Option<Module> {
        let known = (1..=path.len()).rev().map(|length| &path[..length]);
        let module = known
            .into_iter()
            .find(|name| self.files.contains_key(*name))?;
        let Some(name) = path.get(module.len()) else {
            return Some(module.to_vec());
        };
        let text = &self.files[module];
        for (start, _) in text.match_indices("pub use ") {
            let Some((tree, _)) = text[start + 8..].split_once(';') else {
                continue;
            };
            let mut passed = Vec::new();
            expand(tree.trim(), &mut Vec::new(), &mut passed);
            for passed in passed {
                if passed.last() == Some(name) {
                    let passed = self.whole(&module.to_vec(), &passed);
                    if passed != path {
                        return self.owner(&passed);
                    }
                }
            }
        }
        Some(module.to_vec())
    }

    /// The modules that a module uses, itself left out.
    fn uses(&self, module: &Module) -> BTreeSet<Module> {
        let owners = self.paths(module).into_iter();
        let mut used: BTreeSet<Module> = owners.filter_map(|path| self.owner(&path)).collect();
        used.remove(module);
        used
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn module(path: &Path) -> Module {
    let below = path
        .strip_prefix(root().join("src"))
        .expect("a file of src");
    let below = below.with_extension("");
    let mut names: Module = below
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.pop_if(|name| name == "mod");
    names
}

/// A module that is only compiled for tests.
fn is_test(module: &Module) -> bool {
    module
        .iter()
        .any(|name| name == "tests" || name == "referee")
}

/// The text without comments, and without what follows on `#[cfg(test)]` where that is a module written out.
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

/// The paths of a tree of uses: `a::{b, c::{d, self}}`.
fn expand(tree: &str, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    let (head, group) = tree.split_once('{').unwrap_or((tree, ""));
    let head = head.split(" as ").next().unwrap_or_default();
    let depth = before.len();
    let words = head.split("::").map(str::trim);
    before.extend(words.filter(|word| !word.is_empty()).map(String::from));
    if group.is_empty() {
        let mut path = before.clone();
        path.pop_if(|last| last == "self" && depth > 0);
        paths.push(path);
    } else {
        let inside = group.rsplit_once('}').map_or(group, |(inside, _)| inside);
        let (mut start, mut level) = (0, 0);
        for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
            match c {
                '{' => level += 1,
                '}' => level -= 1,
                ',' if level == 0 => {
                    if !inside[start..at].trim().is_empty() {
                        expand(inside[start..at].trim(), before, paths);
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
    }
    before.truncate(depth);
}

/// The modules at the top of `src` in the order of the README's map.
fn map() -> Vec<String> {
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
fn the_map_of_the_readme_is_complete() {
    let house = House::read();
    let there: BTreeSet<&str> = house.files.keys().map(|name| name[0].as_str()).collect();
    let map = map();
    let told: BTreeSet<&str> = map.iter().map(String::as_str).collect();
    let there: BTreeSet<&str> = there.into_iter().filter(|name| *name != "lib").collect();
    assert_eq!(told, there);
    assert_eq!(map.len(), told.len(), "a module stands in the map twice");
}

#[test]
fn every_module_uses_only_those_above_it() {
    let house = House::read();
    let map = map();
    let place = |name: &str| map.iter().position(|known| known == name);
    let mut wrong = Vec::new();
    for module in house.files.keys().filter(|name| name[0] != "lib") {
        for used in house.uses(module) {
            if place(&used[0]) > place(&module[0]) {
                wrong.push(format!("{} uses {}", module.join("::"), used.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "against the order:\n{}", wrong.join("\n"));
}

#[test]
fn no_files_use_one_another_in_a_circle_but_parent_and_child() {
    let house = House::read();
    let mut graph: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for module in house.files.keys() {
        let mut others = house.uses(module);
        others.retain(|other| !other.starts_with(module) && !module.starts_with(other));
        graph.insert(module, others);
    }
    // What uses nothing that is left, or is used by nothing that is left, is in no circle.
    loop {
        let is_free = |module: &Module| {
            graph[module].iter().all(|other| !graph.contains_key(other))
                || !graph.values().any(|others| others.contains(module))
        };
        let Some(free) = graph.keys().copied().find(|module| is_free(module)) else {
            break;
        };
        graph.remove(free);
    }
    let left = graph.iter().map(|(module, others)| {
        let others = others.iter().filter(|other| graph.contains_key(other));
        let others: Vec<String> = others.map(|other| other.join("::")).collect();
        format!("{} uses {}", module.join("::"), others.join(", "))
    });
    let left: Vec<String> = left.collect();
    assert!(left.is_empty(), "circles among:\n{}", left.join("\n"));
}

/// Files are opened, written and named where that is done safely.
#[test]
fn only_durable_opens_files_and_only_escape_names_them() {
    let house = House::read();
    let exceptions = [
        // Files of the system, which are no input.
        ("search::memory", "fs::read_to_string("),
        // A log is written line by line.
        ("commands::play", "OpenOptions"),
    ];
    let drop_phase = [
        "File::open(",
        "File::create(",
        "OpenOptions",
        "fs::read(",
        "fs::read_to_string(",
        "fs::write(",
    ];
    for (module, text) in &house.files {
        let name = module.join("::");
        assert!(!text.contains(".display()"), "{name} names files itself");
        // `LayerFile::open(` opens no file itself.
        let calls = |call: &str| {
            let mut places = text.match_indices(call);
            places.any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
        };
        for call in drop_phase.iter().filter(|call| calls(call)) {
            let is_safe = module[0] == "durable" || exceptions.contains(&(&name, *call));
            assert!(is_safe, "{name} calls {call}");
        }
    }
}

#[test]
fn no_rule_of_a_game_hears_of_a_depth_a_ply_or_a_window() {
    let text = &House::read().files[&vec!["rules".to_string()]];
    let (_, game) = text.split_once("pub trait Game:").expect("the trait");
    let (game, _) = game.split_once("\n}").expect("its end");
    assert!(game.contains("fn side") && game.contains("fn outcome"));
    for word in ["depth", "ply", "Window", "evaluate"] {
        assert!(!game.contains(word), "trait Game mentions {word}");
    }
}

#[test]
fn paths_are_read_from_trees_of_uses() {
    let mut paths = Vec::new();
    expand(
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

/// Numbers of fixed width from mixed seeds are what [`puli::random`] gives, and nothing else draws any.
#[test]
fn only_one_module_draws_random_numbers() {
    let mut folders = vec![root().join("src")];
    let mut drawing = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of src") {
            let path = entry.expect("an entry of src").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(&path).expect("a file of src");
                if text.contains("fastrand") {
                    assert!(!text.contains(".usize("), "{}", path.display());
                    drawing.push(path);
                }
            }
        }
    }
    assert_eq!(drawing, [root().join("src/random.rs")]);
}
