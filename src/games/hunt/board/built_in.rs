//! The built-in board files and their boards.

use std::sync::{LazyLock, OnceLock};

use super::{Board, BoardSpec};
use crate::error::EngineError;
#[cfg(test)]
use crate::games::hunt::spec::with_rule;

/// The texts of the built-in board files.
pub(super) const BUILT_IN: &[&str] = &[
    include_str!("../boards/aadu-puli.txt"),
    include_str!("../boards/bagh-chal.txt"),
    include_str!("../boards/adugo.txt"),
    include_str!("../boards/asalto.txt"),
    include_str!("../boards/bagh-batti.txt"),
    include_str!("../boards/bagh-guti.txt"),
    include_str!("../boards/bagha-guti.txt"),
    include_str!("../boards/bam-blang-beh-khla.txt"),
    include_str!("../boards/catch-the-hare.txt"),
    include_str!("../boards/catch-the-hare-chain.txt"),
    include_str!("../boards/coyote.txt"),
    include_str!("../boards/coyote-chain.txt"),
    include_str!("../boards/demala-diviyan-keliya.txt"),
    include_str!("../boards/el-cazador.txt"),
    include_str!("../boards/el-perro.txt"),
    include_str!("../boards/el-zorro.txt"),
    include_str!("../boards/fox-and-geese-13.txt"),
    include_str!("../boards/fox-and-geese-15.txt"),
    include_str!("../boards/gioco-dell-orso.txt"),
    include_str!("../boards/gioco-dell-orso-17.txt"),
    include_str!("../boards/hare-and-hounds.txt"),
    include_str!("../boards/haretavl.txt"),
    include_str!("../boards/hat-diviyan-keliya.txt"),
    include_str!("../boards/hat-diviyan-keliya-large.txt"),
    include_str!("../boards/huli-mane-ata.txt"),
    include_str!("../boards/hund-efter-hare.txt"),
    include_str!("../boards/hund-efter-hare-thy.txt"),
    include_str!("../boards/hyvn-aetter-hare.txt"),
    include_str!("../boards/janes-soppi.txt"),
    include_str!("../boards/jeu-de-renard.txt"),
    include_str!("../boards/jeu-militaire.txt"),
    include_str!("../boards/juroku-musashi.txt"),
    include_str!("../boards/kaooa.txt"),
    include_str!("../boards/kaooa-chain.txt"),
    include_str!("../boards/ko-app-paw-na.txt"),
    include_str!("../boards/komikan.txt"),
    include_str!("../boards/komikan-free.txt"),
    include_str!("../boards/kulaochal.txt"),
    include_str!("../boards/la-yagua.txt"),
    include_str!("../boards/ludus-coriovalli.txt"),
    include_str!("../boards/musinaykahwhanmetowaywin.txt"),
    include_str!("../boards/mysore-one-tiger.txt"),
    include_str!("../boards/mysore-three-tigers.txt"),
    include_str!("../boards/neg-tugal-tuux.txt"),
    include_str!("../boards/nuktagaq.txt"),
    include_str!("../boards/orissa-four-tigers.txt"),
    include_str!("../boards/orissa-one-tiger.txt"),
    include_str!("../boards/pulijudamu.txt"),
    include_str!("../boards/refskak.txt"),
    include_str!("../boards/renard-et-la-poule.txt"),
    include_str!("../boards/sher-bakar.txt"),
    include_str!("../boards/sher-bakr.txt"),
    include_str!("../boards/sumi-naga.txt"),
    include_str!("../boards/uxrijn-ever.txt"),
    include_str!("../boards/wolf-and-sheep.txt"),
    include_str!("../boards/wolf-und-schaaf.txt"),
    include_str!("../boards/yaguarete-kora.txt"),
    include_str!("../boards/yasasukari-musashi.txt"),
];

/// Built-in boards in the order of [`BUILT_IN`]. A board is computed on first use, because computing all boards would
/// delay the start of the program.
static BOARDS: [OnceLock<Option<&'static Board>>; BUILT_IN.len()] =
    [const { OnceLock::new() }; BUILT_IN.len()];

/// Returns the board of the file `BUILT_IN[index]`.
fn built_in(index: usize) -> Option<&'static Board> {
    *BOARDS[index].get_or_init(|| Board::of(BoardSpec::read(BUILT_IN[index]).ok()?).ok())
}

/// Returns the names of the built-in games, in the order of their files.
pub fn names() -> impl Iterator<Item = &'static str> {
    let first = |text: &&'static str| text.lines().next()?.strip_prefix("game ");
    BUILT_IN.iter().filter_map(first).map(str::trim)
}

fn index_of(game: &str) -> Option<usize> {
    names().position(|name| name.eq_ignore_ascii_case(game))
}

/// Returns the built-in game named `game`, ignoring case.
pub fn named(game: &str) -> Option<&'static Board> {
    built_in(index_of(game)?)
}

/// Returns the board file of a built-in game.
pub fn text_of(game: &str) -> Option<&'static str> {
    index_of(game).map(|index| BUILT_IN[index])
}

/// Returns a built-in game in which each `(keyword, value)` of `rules` replaces a line of its board file.
#[cfg(test)]
pub fn with_rules(game: &str, rules: &[(&str, &str)]) -> &'static Board {
    let mut text = String::from(text_of(game).unwrap());
    for (keyword, value) in rules {
        text = with_rule(&text, keyword, value);
    }
    Board::of(BoardSpec::read(&text).unwrap()).unwrap()
}

/// All built-in boards.
pub static ALL: LazyLock<Vec<&'static Board>> =
    LazyLock::new(|| (0..BUILT_IN.len()).filter_map(built_in).collect());

const VALID: &str = "built-in boards are valid";

/// Aadu Puli Aattam, tigers and goats on 23 points.
pub static AADU_PULI: LazyLock<&'static Board> = LazyLock::new(|| built_in(0).expect(VALID));

/// Bagh Chal, tigers and goats on 5×5 points.
pub static BAGH_CHAL: LazyLock<&'static Board> = LazyLock::new(|| built_in(1).expect(VALID));

/// Returns the error for an unknown game, which lists the built-in games.
pub fn unknown(game: &str) -> EngineError {
    EngineError::unknown("board", game, names())
}
