//! The board files that are built in, and their boards.

use std::sync::{LazyLock, OnceLock};

use super::{Board, BoardSpec};
use crate::error::EngineError;
#[cfg(test)]
use crate::games::hunt::spec::with_rule;

/// The sketches that are built in.
pub(super) const BUILT_IN: &[&str] = &[
    include_str!("../boards/aadu-puli.txt"),
    include_str!("../boards/bagh-chal.txt"),
    include_str!("../boards/adugo.txt"),
    include_str!("../boards/bam-blang-beh-khla.txt"),
    include_str!("../boards/catch-the-hare.txt"),
    include_str!("../boards/coyote.txt"),
    include_str!("../boards/demala-diviyan-keliya.txt"),
    include_str!("../boards/el-cazador.txt"),
    include_str!("../boards/fox-and-geese-13.txt"),
    include_str!("../boards/fox-and-geese-15.txt"),
    include_str!("../boards/hare-and-hounds.txt"),
    include_str!("../boards/haretavl.txt"),
    include_str!("../boards/hat-diviyan-keliya-large.txt"),
    include_str!("../boards/hat-diviyan-keliya.txt"),
    include_str!("../boards/huli-mane-ata.txt"),
    include_str!("../boards/hund-efter-hare.txt"),
    include_str!("../boards/janes-soppi.txt"),
    include_str!("../boards/juroku-musashi.txt"),
    include_str!("../boards/kaooa.txt"),
    include_str!("../boards/kulaochal.txt"),
    include_str!("../boards/la-yagua.txt"),
    include_str!("../boards/ludus-coriovalli.txt"),
    include_str!("../boards/mysore-one-tiger.txt"),
    include_str!("../boards/mysore-three-tigers.txt"),
    include_str!("../boards/orissa-four-tigers.txt"),
    include_str!("../boards/orissa-one-tiger.txt"),
    include_str!("../boards/pulijudamu.txt"),
    include_str!("../boards/refskak.txt"),
    include_str!("../boards/sumi-naga.txt"),
    include_str!("../boards/wolf-and-sheep.txt"),
    include_str!("../boards/yaguarete-kora.txt"),
];

/// Boards that are built in are read when they are asked for: deriving all of them takes longer than a program may take
/// to begin.
static READ: [OnceLock<Option<&'static Board>>; BUILT_IN.len()] =
    [const { OnceLock::new() }; BUILT_IN.len()];

fn built_in(place: usize) -> Option<&'static Board> {
    *READ[place].get_or_init(|| Board::of(BoardSpec::read(BUILT_IN[place]).ok()?).ok())
}

/// The names of the games that are built in, as the first lines of their files have them.
pub fn names() -> impl Iterator<Item = &'static str> {
    let first = |text: &&'static str| text.lines().next()?.strip_prefix("game ");
    BUILT_IN.iter().filter_map(first).map(str::trim)
}

fn place_of(game: &str) -> Option<usize> {
    names().position(|name| name.eq_ignore_ascii_case(game))
}

/// The game of this name, in any case, that is built in.
pub fn named(game: &str) -> Option<&'static Board> {
    built_in(place_of(game)?)
}

/// The board file of a game that is built in.
pub fn text_of(game: &str) -> Option<&'static str> {
    place_of(game).map(|place| BUILT_IN[place])
}

/// A game that is built in with rules changed, as in a copy of its file.
#[cfg(test)]
pub fn with_rules(game: &str, rules: &[(&str, &str)]) -> &'static Board {
    let mut text = String::from(text_of(game).unwrap());
    for (keyword, value) in rules {
        text = with_rule(&text, keyword, value);
    }
    Board::of(BoardSpec::read(&text).unwrap()).unwrap()
}

/// All boards that are built in.
pub static ALL: LazyLock<Vec<&'static Board>> =
    LazyLock::new(|| (0..BUILT_IN.len()).filter_map(built_in).collect());

const SOUND: &str = "a board that is built in is sound";

/// Aadu Puli Aattam, tigers and goats on 23 points.
pub static AADU_PULI: LazyLock<&'static Board> = LazyLock::new(|| built_in(0).expect(SOUND));

/// Bagh Chal, tigers and goats on 5×5 points.
pub static BAGH_CHAL: LazyLock<&'static Board> = LazyLock::new(|| built_in(1).expect(SOUND));

/// The error that lists the games there are.
pub fn unknown(game: &str) -> EngineError {
    EngineError::unknown("board", game, names())
}
