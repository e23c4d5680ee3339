//! The identity of a layer, and the files that belong to it.

use std::path::{Path, PathBuf};

use super::blocks::Blocks;
use super::layer::Scope;
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
/// Extension of the checkpoint of an unfinished movement phase.
pub(crate) const PART: &str = ".part";

/// Identifies a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerId {
    /// The solved game.
    pub scope: Scope,
    /// Goats in hand.
    pub hand: u32,
    /// `true` if tigers are to move.
    pub tigers_to_move: bool,
}

impl LayerId {
    /// Returns the layers of a game that have files, each after the layers that it depends on.
    pub fn stored(scope: Scope) -> impl Iterator<Item = Self> {
        let layer_ids = (0..=scope.goats).flat_map(move |hand| {
            [false, true].map(|tigers_to_move| Self {
                scope,
                hand,
                tigers_to_move,
            })
        });
        layer_ids.filter(Self::is_stored)
    }

    /// Returns the name of the layer's file.
    pub fn file_name(&self) -> String {
        format!(
            "{}-{:02}-{:02}{}{EXTENSION}",
            self.scope.board.name,
            self.scope.goats,
            self.hand,
            if self.tigers_to_move { 't' } else { 'g' }
        )
    }

    /// Returns the path of the layer's file.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.file_name())
    }

    /// Returns `true` if no position of the layer is reachable: tigers to move before the first placement.
    pub fn is_empty(&self) -> bool {
        self.scope
            .reachable_goats(self.hand, self.tigers_to_move)
            .is_empty()
    }

    /// Returns `true` if the layer has a file.
    ///
    /// Layers with goats to place have no file, except the first. Their values are the best over the placements, all
    /// in one cube, and their files would take two thirds of the disk space.
    pub(crate) fn is_stored(&self) -> bool {
        let is_derived = !self.tigers_to_move && (1..self.scope.goats).contains(&self.hand);
        !self.is_empty() && !is_derived
    }

    /// Returns the header's text. It describes the board's lines, so that a file of another board is rejected.
    pub(in crate::solve) fn text(
        &self,
        ranking: &Ranking,
        blocks: &Blocks,
        chunk: usize,
    ) -> String {
        let board = self.scope.board;
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
            self.scope.goats,
            self.scope.captures_to_win(),
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

    /// Returns the path of the movement phase's checkpoint, which has the name of the layer with goats to move.
    pub(crate) fn checkpoint_path(&self, folder: &Path) -> PathBuf {
        self.path(folder).with_extension(&PART[1..])
    }
}

/// Returns header lines for what steps do not determine: the points of leaps and the tigers' start.
///
/// Aadu Puli and Bagh Chal have no such lines, so that their first tables stay valid. Boards with their names and
/// other lines have them.
fn board_lines(board: &Board) -> String {
    let own_lines = [&*AADU_PULI, &*BAGH_CHAL];
    if own_lines.iter().any(|own_lines| {
        (&own_lines.name, own_lines.tigers) == (&board.name, board.tigers)
            && own_lines.has_same_lines(board)
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

/// Returns header lines for goat steps that differ from the tigers', and for passing goats. Empty for the usual rules.
fn rule_lines(board: &Board) -> String {
    let mut rules = String::new();
    if board.goat_steps != board.steps {
        let steps = board.goat_steps[..board.points].iter();
        let steps: Vec<String> = steps.map(|set| format!("{set:x}")).collect();
        rules = format!("goat-steps {}\n", steps.join(" "));
    }
    if board.stuck_goats_pass {
        rules.push_str("stuck-goats pass\n");
    }
    rules
}
