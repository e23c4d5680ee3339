//! `puli atlas --results`: the page of the solved games, `.github/ATLAS.md`.

use std::io::{self, Write};

use super::solved_values::{self, SolvedValues, describe};
use super::variants::{self, Variant};
use super::write_sources;
use crate::games::hunt::{Board, board};

const HEAD: &str = "\
# Solved hunt games

`puli atlas --results` prints this page from `src/games/hunt/atlas.csv` and the board files. A test compares the page with the
output. `puli boards show GAME` prints the rules of a game, and `puli atlas --dataset DIR` writes the values as a dataset.

## Values of the starts

*Published* is an earlier value and its source. We looked for such values without a system, so \"we know of none\" does not mean
that there is none.

| game | origin | hunters, prey | start | published |
| --- | --- | --- | --- | --- |
";

const METHODS: &str = "
## How the values were found and verified

*Method* is the way to compute the values:

- `memory` solves each reachable position (`puli solve GAME`). With `--verify`, it checks that each value follows from the values
  after each move. The tests of Puli solve the games of fewer than 50,000 positions again, and on request the others.
- `survey` solves all positions as sets of bits (`puli solve GAME`). At the end, it checks 1,000,000 random won positions of each
  side by the rules.
- `tables` is the same method, and writes the values to files (`puli solve GAME --out DIR`). `puli verify DIR` checks that the values
  of 1,000,000 random positions of each layer follow from the values after each move.

*Counted* is the set of positions that the numbers refer to: *reachable* from the start by legal moves, or *all* with possible
numbers of pieces, reachable or not. *Up to symmetry* counts symmetric positions once. Numbers of different sets are not
comparable. `survey` and `tables` exclude positions after the winning capture. Shares are percentages of the counted positions.
The other positions are drawn.

*Confirmed* is a check beyond those of the method. `scripts/hunting` is a second solver in Python that was written from the text of
the rules: a test checks that it finds the same numbers and distances. `another program` was also written from the rules alone, and
found the same value and distance.

| game | method | positions | counted | prey win | hunters win | longest win in plies | confirmed |
| --- | --- | ---: | --- | ---: | ---: | ---: | --- |
";

const VARIANTS: &str = "
## Other rules and numbers of pieces

*Rules* are the lines of the board file that differ. Positions are counted up to symmetry, reachable or not. Tradition does not
fix the numbers of pieces in Pulijudamu.

| game | rules | start | method | positions |
| --- | --- | --- | --- | ---: |
";

const UNSOLVED: &str = "
## Not solved

These games of Puli can be played, but the value of their start is not known to us:
";

/// Writes the page.
pub(super) fn write(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(HEAD.as_bytes())?;
    for values in solved_values::ALL.iter() {
        writeln!(out, "{}", value_row(values))?;
    }
    out.write_all(METHODS.as_bytes())?;
    for values in solved_values::ALL.iter() {
        writeln!(out, "{}", method_row(values))?;
    }
    out.write_all(VARIANTS.as_bytes())?;
    for variant in variants::ALL.iter() {
        writeln!(out, "{}", variant_row(variant))?;
    }
    out.write_all(UNSOLVED.as_bytes())?;
    let is_unsolved = |board: &&&'static Board| solved_values::of(board).is_none();
    let unsolved = board::ALL.iter().filter(is_unsolved);
    let unsolved: Vec<String> = unsolved.map(|board| format!("`{}`", board.name)).collect();
    writeln!(out, "{}.\n\n## Sources of the rules", unsolved.join(",\n"))?;
    write_sources(board::ALL.iter().copied(), out)
}

fn value_row(values: &SolvedValues) -> String {
    let board = values.board;
    let spec = &board.spec;
    let published = if values.published.is_empty() {
        "we know of none"
    } else {
        &values.published
    };
    format!(
        "| `{}` | {} | {} {}, {} {} | {} | {published} |",
        board.name,
        spec.origin,
        spec.hunters,
        spec.names[0],
        spec.prey,
        spec.names[1],
        describe(board, values.winner, values.plies)
    )
}

fn method_row(values: &SolvedValues) -> String {
    let [prey, hunters] = values.shares.each_ref().map(|share| {
        let unit = if share.is_empty() { "" } else { "%" };
        format!("{share}{unit}")
    });
    let longest = values.longest.map(|plies| plies.to_string());
    format!(
        "| `{}` | {} | {} | {} | {prey} | {hunters} | {} | {} |",
        values.board.name,
        values.method,
        values.positions,
        values.counted,
        longest.unwrap_or_default(),
        values.confirmed
    )
}

fn variant_row(variant: &Variant) -> String {
    let win = variant.win.as_ref();
    let winner = win.map(|(winner, _)| winner.as_str());
    format!(
        "| `{}` | {} | {} | {} | {} |",
        variant.board.name,
        variant.rules,
        describe(variant.board, winner, win.map(|(_, plies)| *plies)),
        variant.method,
        variant.positions
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the environment variable `PULI_UPDATE=1`, the test rewrites the page first.
    #[test]
    fn page_in_repository_is_output_of_command() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/.github/ATLAS.md");
        let mut page = Vec::new();
        write(&mut page).unwrap();
        if std::env::var_os("PULI_UPDATE").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        let page = String::from_utf8(page).unwrap();
        // The packaged source has no such folder.
        if std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.github")).exists() {
            assert_eq!(std::fs::read_to_string(path).unwrap(), page);
        }
        for board in board::ALL.iter() {
            assert!(
                page.contains(&format!("`{}`", board.name)),
                "{}",
                board.name
            );
        }
    }
}
