//! The identification of a layer, and the names and header texts of its files.

use std::path::{Path, PathBuf};

use super::blocks::Blocks;
use super::layer::TableGame;
use super::rank::Ranking;
use crate::durable::FileFormat;
use crate::games::hunt::Board;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};

/// The format of table files and of ply journals.
pub(crate) const TABLE_FORMAT: FileFormat = FileFormat {
    magic: *b"PuliTabl",
    version: 2,
};
/// Extension of table files.
pub(crate) const EXTENSION: &str = ".puli";
/// Extension of checkpoint files, from which an interrupted solution of the movement phase resumes.
pub(crate) const PART: &str = ".part";

/// Identifies a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerId {
    /// The game.
    pub table_game: TableGame,
    /// Goats in hand.
    pub hand: u32,
    /// `true` if tigers are to move.
    pub tigers_to_move: bool,
}

impl LayerId {
    /// Returns the layers of a game that have table files, in solving order: each layer comes after the layers that it
    /// depends on.
    pub fn stored(table_game: TableGame) -> impl Iterator<Item = Self> {
        let layer_ids = (0..=table_game.goats).flat_map(move |hand| {
            [false, true].map(|tigers_to_move| Self {
                table_game,
                hand,
                tigers_to_move,
            })
        });
        layer_ids.filter(Self::is_stored)
    }

    /// Returns the name of the layer's table file.
    pub fn file_name(&self) -> String {
        format!(
            "{}-{:02}-{:02}{}{EXTENSION}",
            self.table_game.board.name,
            self.table_game.goats,
            self.hand,
            if self.tigers_to_move { 't' } else { 'g' }
        )
    }

    /// Returns the path of the layer's table file.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.file_name())
    }

    /// Returns `true` if no position of the layer is reachable: with tigers to move and all goats in hand, because
    /// the goats move first.
    pub fn is_empty(&self) -> bool {
        self.table_game
            .reachable_goats(self.hand, self.tigers_to_move)
            .is_empty()
    }

    /// Returns `true` if the layer has a table file.
    ///
    /// Layers with goats to move and some in hand have no file, except the layer with all goats in hand. A probe
    /// computes their values from the positions after a placement. These are all in one cube, because a placement
    /// leaves the tiger set unchanged. Files for these layers would take two thirds of the disk space.
    pub(crate) fn is_stored(&self) -> bool {
        let is_computed_on_probe =
            !self.tigers_to_move && (1..self.table_game.goats).contains(&self.hand);
        !self.is_empty() && !is_computed_on_probe
    }

    /// Returns the text in the header of the layer's files. A reader rejects files whose text differs. A name does not
    /// identify a board, so the text also describes the points and lines.
    ///
    /// `chunk` is the size of a compressed chunk in bytes; 0 for files without chunks.
    pub(in crate::solve) fn text(
        &self,
        ranking: &Ranking,
        blocks: &Blocks,
        chunk: usize,
    ) -> String {
        let board = self.table_game.board;
        let steps: Vec<String> = board.steps[..board.points]
            .iter()
            .map(|set| format!("{set:x}"))
            .collect();
        format!(
            "board {}\nsteps {}\n{}{}tigers {}\ngoats {}\ncaptures {}\nhand {}\nto-move {}\non-board {}-{}\nsets {}\ndigits {}\nblocks {}\nchunk {chunk}\ncodec zstd\n",
            board.name,
            steps.join(" "),
            board_lines(board),
            rule_lines(board),
            board.tigers.count_ones(),
            self.table_game.goats,
            self.table_game.captures_to_win(),
            self.hand,
            if self.tigers_to_move {
                "tigers"
            } else {
                "goats"
            },
            blocks.goats.start(),
            blocks.goats.end(),
            ranking.sets.len(),
            ranking.dimensions,
            blocks.len(),
        )
    }

    /// Returns the path of the checkpoint of the movement phase: the table file of this layer, with another
    /// extension. `self` must be the layer with goats to move and none in hand.
    pub(crate) fn checkpoint_path(&self, folder: &Path) -> PathBuf {
        self.path(folder).with_extension(&PART[1..])
    }
}

/// Returns the header lines about the tigers' start points and the triples of points for jumps.
///
/// Returns an empty string for Aadu Puli and Bagh Chal, because their first table files had no such lines and must
/// stay valid. Boards of the same name with other points or lines get the header lines.
fn board_lines(board: &Board) -> String {
    let boards_without = [&*AADU_PULI, &*BAGH_CHAL];
    if boards_without.iter().any(|known| {
        (&known.name, known.tigers) == (&board.name, board.tigers) && known.has_same_lines(board)
    }) {
        return String::new();
    }
    let mut leaps: Vec<String> = board
        .triples
        .iter()
        .map(|triple| {
            let [first, last] = triple.ends;
            let middle = triple.middle;
            format!("{}-{middle}-{}", first.min(last), first.max(last))
        })
        .collect();
    leaps.sort_unstable();
    format!("start {:x}\nleaps {}\n", board.tigers, leaps.join(" "))
}

/// Returns the header lines about the goats' zone, goats' steps that differ from the tigers', chains of leaps, and goats
/// that pass without a legal move. Returns an empty string for games without these rules.
fn rule_lines(board: &Board) -> String {
    let mut rules = String::new();
    if board.zone != board.all() {
        rules = format!("goat-zone {:x}\n", board.zone);
    }
    if board.goat_steps != board.steps {
        let steps = board.goat_steps[..board.points].iter();
        let steps: Vec<String> = steps.map(|set| format!("{set:x}")).collect();
        rules += &format!("goat-steps {}\n", steps.join(" "));
    }
    if board.has_chains {
        rules.push_str("leaps chain\n");
    }
    if board.stuck_goats_pass {
        rules.push_str("stuck-goats pass\n");
    }
    rules
}
