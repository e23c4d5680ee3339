//! Checks `protocol.md`. Its links lead to headings, its table cells are short, and its sections describe all commands
//! and options that Puli lists on `help` and `uci`.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use crate::support::process::puli;
use crate::support::session;

/// Maximum number of characters in a table cell. Longer text belongs in a list or a paragraph.
const MAX_CELL_CHARS: usize = 160;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md");
    fs::read_to_string(path).expect("the page")
}

/// Returns the lines that are not in code blocks.
fn lines(page: &str) -> Vec<&str> {
    let mut is_code = false;
    let is_text = |line: &&str| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    };
    page.lines().filter(is_text).collect()
}

/// Returns the text of all headings.
fn headings(page: &str) -> Vec<&str> {
    let lines = lines(page).into_iter();
    let headings = lines.filter(|line| line.starts_with('#'));
    headings
        .map(|line| line.trim_start_matches('#').trim())
        .collect()
}

/// Returns the anchor that GitHub gives to a heading.
fn anchor(heading: &str) -> String {
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let retained: String = heading.chars().filter(is_kept).collect();
    retained.to_lowercase().replace(' ', "-")
}

/// Returns the text between a heading of level 3 and the next one.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let heading_line = format!("\n### {heading}\n");
    let (_, rest) = page.split_once(&heading_line).expect(heading);
    rest.split("\n### ").next().unwrap_or_default()
}

/// Starts a session, sends one line, and returns the output.
fn answer(line: &str) -> Vec<String> {
    let session::SessionPipes {
        mut input,
        lines,
        session,
    } = session::start();
    writeln!(input, "{line}").expect("a session that reads");
    drop(input);
    let answer = lines.iter().collect();
    session.join().expect("no panic").expect("no failure");
    answer
}

#[test]
fn links_point_to_headings() {
    let page = page();
    let headings = headings(&page);
    let anchors: HashSet<String> = headings.iter().map(|heading| anchor(heading)).collect();
    assert_eq!(anchors.len(), headings.len(), "two headings are equal");
    let links = page.split("](#").skip(1);
    let links: Vec<&str> = links.filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 50, "{} links", links.len());
    for link in links {
        assert!(anchors.contains(link), "{link}");
    }
}

#[test]
fn table_cells_are_short() {
    let page = page();
    let lines = lines(&page).into_iter();
    for row in lines.filter(|line| line.starts_with('|')) {
        for cell in row.replace("\\|", "/").split('|') {
            let length = cell.trim().chars().count();
            assert!(length <= MAX_CELL_CHARS, "{length} characters: {cell}");
        }
    }
}

#[test]
fn every_command_has_a_section() {
    let page = page();
    let headings = headings(&page).join("\n");
    for line in answer("help") {
        let command = line.split([' ', ':']).next().unwrap_or_default();
        let possible_names = [format!("`{command}`"), format!("`{command} ")];
        assert!(
            possible_names.iter().any(|name| headings.contains(name)),
            "{command}"
        );
    }
}

#[test]
fn every_option_has_default_and_range() {
    let page = page();
    let mut count = 0;
    for line in answer("uci") {
        let Some(option) = line.strip_prefix("option name ") else {
            continue;
        };
        count += 1;
        let (name, description) = option.split_once(" type ").expect("a type");
        let section = section(&page, &format!("`{name}`"));
        let words: Vec<&str> = description.split(' ').collect();
        let expected = match words[..] {
            ["button"] => "Type: button.".to_string(),
            ["spin", _, default, _, min, _, max] => {
                format!("Type: spin. Default: {default}. Range: {min} to {max}.")
            }
            [kind, _, default, ..] => format!("Type: {kind}. Default: `{default}`."),
            _ => panic!("{line}"),
        };
        assert!(section.contains(&expected), "{name}: {expected}");
        // The values of UCI_Variant are the names of all games, which `puli boards` lists.
        if name != "UCI_Variant" {
            for value in description.split(" var ").skip(1) {
                let row = format!("\n| `{value}` |");
                assert!(section.contains(&row), "{name}: {value}");
            }
        }
    }
    assert!(count > 10, "{count} options");
}

/// Returns the standard output of `puli` with these arguments, which must succeed.
fn output_of(arguments: &[&str]) -> String {
    let output = puli().args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// A renamed type or field of the command line must not rename a subcommand.
#[test]
fn documented_subcommands_are_those_of_the_program() {
    let page = page();
    let rows = section(&page, "Subcommands").lines();
    let cells = rows.filter(|row| row.starts_with("| [`"));
    let cells = cells.filter_map(|row| row.split('|').nth(1));
    // The names stand between grave accents.
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let mut documented: Vec<&str> = names.collect();
    let help = output_of(&["--help"]);
    let (_, rest) = help.split_once("Play and learn:").expect("groups");
    let (groups, _) = rest.split_once("Options:").expect("options");
    let entries = groups.lines().filter_map(|line| line.strip_prefix("  "));
    let names = entries.filter(|entry| !entry.starts_with(' '));
    let mut listed: Vec<&str> = names.filter_map(|entry| entry.split(' ').next()).collect();
    listed.retain(|&name| name != "help");
    documented.sort_unstable();
    listed.sort_unstable();
    assert_eq!(documented, listed);
    for name in listed {
        let usage = format!("Usage: puli {name}");
        assert!(output_of(&[name, "--help"]).contains(&usage), "{name}");
    }
}
