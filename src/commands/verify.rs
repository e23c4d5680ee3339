//! `puli verify`: checks every checksum of solved tables, and on a sample of positions that values follow from those of
//! their successors, by the game's own rules.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

use rayon::prelude::*;

use super::Failure;
use crate::error::Refusal;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
use crate::games::hunt::{Board, Hunt, Position};
use crate::rules::{Game, Rules};
use crate::tables::blocks::choose;
use crate::tables::file::Label;
use crate::tables::layer::{Layer, Scope};
use crate::tables::placement;
use crate::tables::rank::Ranking;
use crate::tables::reader::LayerFile;
use crate::tables::verdict::Verdict;

/// What `puli verify` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The folder of the tables
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Positions to check in each layer
    #[arg(long, default_value_t = 1_000_000)]
    positions: u64,
    /// Where the random choice of them begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Checks what the folder holds; a line for every layer. Fails when anything is wrong, after all has been looked at.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (mut files, mut wrong) = (0, 0);
    for board in [&*AADU_PULI, &*BAGH_CHAL] {
        for goats in 1..=board.goats {
            let scope = Scope { board, goats };
            let is_there = |hand| {
                [false, true].iter().any(|&tigers_to_move| {
                    let label = Label {
                        scope,
                        hand,
                        tigers_to_move,
                    };
                    args.folder.join(label.file_name()).exists()
                })
            };
            if (0..=goats).any(is_there) {
                let mut check = Check::new(args, scope);
                check.run(out)?;
                files += check.files;
                wrong += check.wrong;
            }
        }
    }
    if files == 0 {
        let folder = args.folder.display();
        return Err(Refusal::new(format!("no tables in folder {folder}")).into());
    }
    if wrong > 0 {
        return Err(Refusal::new(format!("{wrong} of {files} tables are wrong")).into());
    }
    writeln!(out, "{files} tables, all sound")?;
    Ok(())
}

/// The check of one game's tables.
struct Check<'a> {
    args: &'a Args,
    scope: Scope,
    ranking: Ranking,
    game: Hunt,
    files: u32,
    wrong: u32,
}

impl<'a> Check<'a> {
    fn new(args: &'a Args, scope: Scope) -> Self {
        let board: &'static Board = if scope.goats == scope.board.goats {
            scope.board
        } else {
            // A game with fewer goats is a board of its own, which lives as long as the program.
            Box::leak(Box::new(scope.board.with_goats(scope.goats)))
        };
        Self {
            args,
            scope,
            ranking: Ranking::new(board),
            game: Hunt { board },
            files: 0,
            wrong: 0,
        }
    }

    fn run(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let mut below: Option<Layer> = None;
        for hand in 0..=self.scope.goats {
            let mut goats = self.load(hand, false, out)?;
            if let Some(below) = below.as_ref().filter(|_| goats.is_none()) {
                // A layer without a file follows from the one below.
                let done = AtomicU64::new(0);
                let (ranking, scope) = (&self.ranking, &self.scope);
                goats = Some(placement::goats_to_move(
                    ranking, scope, hand, below, &done,
                )?);
            }
            let tigers = self.load(hand, true, out)?;
            if let Some(layer) = &goats {
                // With goats in hand a move places one; without, it is a step.
                let after = if hand == 0 {
                    tigers.as_ref()
                } else {
                    below.as_ref()
                };
                self.check_values(hand, false, layer, after, out)?;
            }
            if let Some(layer) = &tigers {
                self.check_values(hand, true, layer, goats.as_ref(), out)?;
            }
            below = tigers;
        }
        Ok(())
    }

    /// Reads a layer, and with it every byte of its file.
    fn load(
        &mut self,
        hand: u32,
        tigers_to_move: bool,
        out: &mut dyn Write,
    ) -> Result<Option<Layer>, Failure> {
        let label = Label {
            scope: self.scope,
            hand,
            tigers_to_move,
        };
        if !label.is_stored() {
            return Ok(None);
        }
        let loaded = LayerFile::open(&self.args.folder, label, &self.ranking)
            .and_then(|file| file.map(|file| file.load(&self.ranking)).transpose());
        match loaded {
            Ok(None) => writeln!(out, "{}: missing", label.file_name())?,
            Ok(Some(layer)) => {
                self.files += 1;
                return Ok(Some(layer));
            }
            Err(refusal) => {
                self.files += 1;
                self.wrong += 1;
                writeln!(out, "{refusal}")?;
            }
        }
        Ok(None)
    }

    fn check_values(
        &mut self,
        hand: u32,
        tigers_to_move: bool,
        layer: &Layer,
        after: Option<&Layer>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let label = Label {
            scope: self.scope,
            hand,
            tigers_to_move,
        };
        let name = label.file_name();
        let Some(after) = after else {
            writeln!(
                out,
                "{name}: checksums are right; the layer it follows from is not there"
            )?;
            return Ok(());
        };
        let mistake = (0..self.args.positions)
            .into_par_iter()
            .find_map_first(|index| {
                let position = self.random_position(&label, index);
                let (set, number) = self.ranking.locate(position.tigers, position.goats);
                let said = layer
                    .value(set, number)
                    .map(|byte| Verdict::of(byte, tigers_to_move));
                let follows = self.worth_by_moves(&position, after);
                (said != Some(follows)).then_some((position, said, follows))
            });
        match mistake {
            None => writeln!(
                out,
                "{name}: checksums are right, {} values follow",
                self.args.positions
            )?,
            Some((position, said, follows)) => {
                self.wrong += 1;
                let said = said.map_or("nothing".into(), |said| said.to_string());
                writeln!(
                    out,
                    "{name}: {position:?} should be {follows}, and the table says {said}"
                )?;
            }
        }
        Ok(())
    }

    fn random_position(&self, label: &Label, index: u64) -> Position {
        let arising = self.scope.arising(label.hand, label.tigers_to_move);
        let layer = u64::from(label.hand) << 1 | u64::from(label.tigers_to_move);
        let mut random = fastrand::Rng::with_seed(self.args.seed ^ index << 8 ^ layer);
        let set = &self.ranking.sets[random.usize(..self.ranking.sets.len())];
        let number = random_goats(self.ranking.dimensions, arising, &mut random);
        Position {
            tigers: set.tigers,
            goats: set.goats(number),
            hand: label.hand as u8,
            tigers_to_move: label.tigers_to_move,
        }
    }

    /// What a position is worth by its moves: those that win soonest, or draw, or lose latest.
    fn worth_by_moves(&self, position: &Position, after: &Layer) -> Verdict {
        if let Some(outcome) = self.game.outcome(position) {
            return Verdict(outcome.winner().map(|winner| (winner, 0)));
        }
        let side = self.game.side(position);
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let verdicts = moves.iter().map(|&m| {
            let next = self.game.play(position, m);
            let verdict = if let Some(outcome) = self.game.outcome(&next) {
                Verdict(outcome.winner().map(|winner| (winner, 0)))
            } else {
                let (set, number) = self.ranking.locate(next.tigers, next.goats);
                let byte = after.value(set, number).unwrap_or_default();
                Verdict::of(byte, next.tigers_to_move)
            };
            Verdict(verdict.0.map(|(winner, plies)| (winner, plies + 1)))
        });
        let worth = |verdict: &Verdict| match verdict.0 {
            Some((winner, plies)) if winner == side => (1, -i64::from(plies)),
            Some((_, plies)) => (-1, i64::from(plies)),
            None => (0, 0),
        };
        verdicts.max_by_key(worth).unwrap_or(Verdict::DRAW)
    }
}

/// A set of goats drawn evenly from all sets of `on_board` goats: their number first, by how many sets have it, then a
/// set of that many (selection sampling, Knuth, volume 2, algorithm 3.4.2 S).
fn random_goats(dimensions: u32, on_board: RangeInclusive<u32>, random: &mut fastrand::Rng) -> u32 {
    let all: u64 = on_board
        .clone()
        .map(|goats| choose(dimensions, goats))
        .sum();
    let mut drawn = random.u64(..all);
    let mut wanted = 0;
    for goats in on_board {
        wanted = goats;
        let sets = choose(dimensions, goats);
        if drawn < sets {
            break;
        }
        drawn -= sets;
    }
    let mut number = 0;
    for dimension in 0..dimensions {
        if random.u32(..dimensions - dimension) < wanted {
            number |= 1 << dimension;
            wanted -= 1;
        }
    }
    number
}
