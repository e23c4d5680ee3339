//! `puli verify`: checks the solved tables, surveys, pattern databases and networks in a folder: all checksums and, for
//! solved tables and surveys, the values of sampled positions against the values of their successors.
//!
//! The tables of a hunt game (tigers and goats in code) are stored by layer. A layer contains all positions with equal
//! goats in hand and side to move; a `LayerId` identifies it. The layers without goats in hand are the movement phase,
//! the others the placement phase. Layers with goats to move and some, but not all, goats in hand have no file, because
//! their values follow directly from the layer after the placement.

mod positions;
mod survey;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::commands::Failure;
use crate::commands::progress::Progress;
use crate::commands::rule_overrides::RuleOverrides;
use crate::durable::{self, Source};
use crate::error::EngineError;
use crate::escape::{escaped, path_name};
use crate::games::hunt::network::file as hunt_network;
use crate::games::hunt::{Board, board};
use crate::games::tiles::pattern;
use crate::games::twenty48::network::file::FileKind;
use crate::games::twenty48::network::{self, Network};
use crate::solve::bitset::layer::{Layer, TableGame};
use crate::solve::bitset::layer_id::{LayerId, PART};
use crate::solve::bitset::survey::CHECKPOINT_FORMAT;
use crate::solve::explicit::position_table;
use crate::solve::explicit::reachable::saver;
use crate::solve::tables::check::{Check, Values};
use crate::solve::tables::forecast::layer_memory;
use crate::solve::tables::probe::Tables;
use crate::solve::tables::reader::LayerFile;
use crate::solve::tables::solver::fits;

/// The arguments of `puli verify`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Check the tables, surveys, pattern databases and networks in the folder <DIR>
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Check the values of <N> random positions per layer, or of all if the layer has fewer; per side in a survey
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    positions: u64,
    /// Seed the random sample with <SEED>
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Use at most <MEMORY> MiB of memory for the values of a layer, or for the wins of one side in a survey
    #[arg(long, default_value_t = 6144)]
    memory: u64,
    /// Check only the layers with <N> goats in hand
    #[arg(long, value_name = "N")]
    hand: Option<u32>,
    /// Check the tables of <GAME>, or of the board file <FILE>, with the rules of the options below [default: all
    /// built-in games]
    #[arg(long, value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    game: Option<String>,
    #[command(flatten)]
    rule_overrides: RuleOverrides,
}

impl Args {
    /// Returns the boards whose tables to check, if present.
    fn boards(&self) -> Result<Vec<&'static Board>, EngineError> {
        let table_board = |board: &'static Board| board.for_tables();
        let Some(game) = &self.game else {
            if !self.rule_overrides.is_empty() {
                let why = "options that change rules require --game";
                return Err(EngineError::new(why));
            }
            let all = board::ALL.iter().map(|board| &**board);
            return Ok(all.filter_map(table_board).collect());
        };
        let board = self.rule_overrides.board(game)?;
        // A game without layers has one table, which `verify_other` finds.
        Ok(table_board(board).into_iter().collect())
    }

    /// Returns the board named `name` in a file: the board of `--game` if it has this name, otherwise a built-in board.
    fn board_named(&self, name: &str) -> Result<Option<&'static Board>, EngineError> {
        let given = self.game.as_deref();
        let given = given
            .map(|game| self.rule_overrides.board(game))
            .transpose()?;
        let given = given.filter(|board| board.name == name);
        Ok(given.or_else(|| board::named(name)))
    }
}

/// Returns the error of a file of a game that is not built in.
fn unknown_game(what: &str, path: &Path, name: &str) -> EngineError {
    EngineError::new(format!(
        "{what} {} is of the unknown game '{name}': name its board file with --game",
        path_name(path)
    ))
}

/// Checks the files of the folder and prints one line per file.
///
/// # Errors
/// If a file is invalid or a layer is missing, after all files are checked.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let start = Instant::now();
    let listed = list(&args.folder)?;
    let table_games = args.boards()?.into_iter().flat_map(|board| {
        let min_goats = board.goats_placed.count_ones().max(1);
        (min_goats..=board.goats).map(move |goats| TableGame { board, goats })
    });
    let with_tables: Vec<TableGame> = table_games
        .filter(|&table_game| {
            let names = LayerId::stored(table_game).map(|layer_id| layer_id.file_name());
            names.into_iter().any(|name| listed.contains_key(&name))
        })
        .collect();
    let (has_tables, total) = (!with_tables.is_empty(), listed.values().sum());
    let mut verifier = Verifier {
        args,
        out,
        progress: Progress::new(total, "bytes"),
        files: 0,
        invalid: 0,
        missing: 0,
    };
    for table_game in with_tables {
        verifier.verify_game(table_game)?;
    }
    // With `--hand`, several runs share the check of one folder. Only the run with `--hand 0` checks the other files.
    if args.hand.is_none_or(|hand| hand == 0) {
        for name in listed.keys() {
            verifier.verify_other(name)?;
        }
    }
    let (files, invalid, missing) = (verifier.files, verifier.invalid, verifier.missing);
    drop(verifier);
    let fail = |why: String| {
        Err(EngineError::failed(format!("{}: {why}", path_name(&args.folder))).into())
    };
    if let (0, 0, true, Some(hand)) = (files, missing, has_tables, args.hand) {
        writeln!(out, "no layer with {hand} goats in hand")?;
        return Ok(());
    }
    if files == 0 {
        return fail(
            "no solved tables, surveys, pattern databases or networks; find the tables of a board file with --game FILE".into(),
        );
    }
    if invalid > 0 {
        return fail(format!(
            "{invalid} of {files} files are invalid: check tables of other rules with --game and the options that change rules; \
             remove damaged files and create them again"
        ));
    }
    if missing > 0 {
        return fail(format!(
            "{files} files are valid, and {missing} layers are missing: 'puli solve' computes them"
        ));
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "{files} files, all valid; {seconds:.1} s")?;
    Ok(())
}

/// Returns the names of the files in a folder with their sizes in bytes.
fn list(folder: &Path) -> Result<BTreeMap<String, u64>, EngineError> {
    let fail = |error: io::Error| {
        EngineError::new(format!("cannot read folder {}: {error}", path_name(folder)))
    };
    let mut listed = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let length = fs::metadata(entry.path()).map_or(0, |file| file.len());
        if let Ok(name) = entry.file_name().into_string() {
            listed.insert(name, length);
        }
    }
    Ok(listed)
}

/// Checks the files of a folder and counts the results.
struct Verifier<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    progress: Progress,
    /// Number of checked files.
    files: u32,
    /// Number of invalid files.
    invalid: u32,
    /// Number of missing layers. A game with only the movement phase has no missing layers.
    missing: u32,
}

impl Verifier<'_> {
    /// Checks the tables of one game with one number of goats, by ascending number of goats in hand.
    fn verify_game(&mut self, table_game: TableGame) -> Result<(), Failure> {
        let check = Check::new(table_game, self.args.positions, self.args.seed);
        self.report_missing_layers(table_game)?;
        let has_placement = table_game.board.goats_placed == 0;
        let layer_bytes = layer_memory(&check.ranking, &table_game, 0);
        // In a larger layer, each value is looked up in the layer's file.
        if !has_placement && fits(layer_bytes, self.args.memory).is_err() {
            return self.verify_by_probing(&check, table_game);
        }
        // The layer after a placement: tigers to move and `hand - 1` goats in hand.
        let mut after_placement: Option<Layer> = None;
        for hand in 0..=table_game.goats {
            let [goats_id, tigers_id] = [false, true].map(|tigers_to_move| LayerId {
                table_game,
                hand,
                tigers_to_move,
            });
            // With `--hand`, the layer after a placement is loaded but not checked.
            match self.args.hand {
                Some(only) if hand + 1 == only => {
                    after_placement = self.load(&check, tigers_id)?;
                    continue;
                }
                Some(only) if hand != only => continue,
                _ => {}
            }
            let goats = self.load(&check, goats_id)?;
            let tigers = self.load(&check, tigers_id)?;
            let derived = after_placement.as_ref().map(Values::BeforePlacement);
            let goats_values = goats.as_ref().map(Values::Stored).or(derived);
            // With goats in hand, the goats place a goat, otherwise they move a goat.
            let after = if hand == 0 { &tigers } else { &after_placement };
            let after = after.as_ref().map(Values::Stored);
            self.check(&check, &goats_id, goats_values, after)?;
            let tigers_values = tigers.as_ref().map(Values::Stored);
            self.check(&check, &tigers_id, tigers_values, goats_values)?;
            after_placement = tigers;
        }
        Ok(())
    }

    /// Checks a movement phase that is too large for memory, of a game without a placement phase.
    fn verify_by_probing(&mut self, check: &Check, table_game: TableGame) -> Result<(), Failure> {
        if self.args.hand.is_some_and(|hand| hand > 0) {
            return Ok(());
        }
        let layer_ids = [false, true].map(|tigers_to_move| LayerId {
            table_game,
            hand: 0,
            tigers_to_move,
        });
        let mut are_valid = true;
        for layer_id in layer_ids {
            are_valid &= self.read(check, layer_id, LayerFile::check)?.is_some();
        }
        let opened = Tables::open(&self.args.folder, check.ranking.board);
        let tables = opened.ok().filter(|_| are_valid);
        let values = tables.as_ref().map(|(tables, _)| Values::Probed(tables));
        for layer_id in layer_ids {
            self.check(check, &layer_id, values, values)?;
        }
        Ok(())
    }

    /// Reports missing layers. No layer is missing if all layers have files, or exactly the layers of the
    /// movement phase.
    fn report_missing_layers(&mut self, table_game: TableGame) -> Result<(), Failure> {
        let exists = |layer_id: &LayerId| layer_id.path(&self.args.folder).exists();
        let has_movement_phase_only =
            LayerId::stored(table_game).all(|layer_id| exists(&layer_id) == (layer_id.hand == 0));
        let missing: Vec<LayerId> = LayerId::stored(table_game)
            .filter(|layer_id| !exists(layer_id))
            .collect();
        if has_movement_phase_only {
            let TableGame { board, goats } = table_game;
            if board.goats_placed != 0 {
                // All goats are on the board at the start, so the game has no placement phase.
                return Ok(());
            }
            return self.print_line(&format!(
                "{} with {goats} goats: movement phase only",
                board.name
            ));
        }
        let is_selected =
            |layer_id: &LayerId| self.args.hand.is_none_or(|hand| hand == layer_id.hand);
        let missing: Vec<LayerId> = missing.into_iter().filter(is_selected).collect();
        self.missing += missing.len() as u32;
        for layer_id in missing {
            self.print_line(&format!("{}: missing", layer_id.file_name()))?;
        }
        Ok(())
    }

    /// Loads a layer into memory. Returns `None` if its file is missing or invalid.
    fn load(&mut self, check: &Check, layer_id: LayerId) -> Result<Option<Layer>, Failure> {
        self.read(check, layer_id, |file| file.load(&check.ranking))
    }

    /// Reads and checks the whole file of a layer. Returns `None` if the file is missing or
    /// invalid.
    fn read<T>(
        &mut self,
        check: &Check,
        layer_id: LayerId,
        read: impl FnOnce(&LayerFile) -> Result<T, EngineError>,
    ) -> Result<Option<T>, Failure> {
        if !layer_id.is_stored() {
            return Ok(None);
        }
        self.progress
            .note(format!("{}: reading", layer_id.file_name()));
        let file = LayerFile::open(&self.args.folder, layer_id, &check.ranking);
        let content = file.and_then(|file| {
            file.map(|file| read(&file).map(|content| (content, file.length)))
                .transpose()
        });
        match content {
            Ok(Some((content, length))) => {
                self.files += 1;
                self.progress.add(length);
                Ok(Some(content))
            }
            Ok(None) => Ok(None),
            Err(error) => {
                self.report_invalid(&error.0)?;
                Ok(None)
            }
        }
    }

    /// Counts an invalid file and prints `line` about it.
    fn report_invalid(&mut self, line: &str) -> Result<(), Failure> {
        self.files += 1;
        self.invalid += 1;
        self.print_line(line)
    }

    /// Checks the `values` of a layer against `after`, the values of the positions after each move. Does nothing if
    /// `values` is `None`.
    fn check(
        &mut self,
        check: &Check,
        layer_id: &LayerId,
        values: Option<Values>,
        after: Option<Values>,
    ) -> Result<(), Failure> {
        let Some(values) = values else {
            return Ok(());
        };
        let name = layer_id.file_name();
        let Some(after) = after else {
            return self.print_line(&format!(
                "{name}: checksums valid; the layer after its moves is missing"
            ));
        };
        self.progress.note(format!("{name}: checking values"));
        let positions = check.sample_size(layer_id);
        let line = match (check.find_mismatch(layer_id, values, after)?, values) {
            (Some(mismatch), _) => {
                self.invalid += 1;
                format!("{name}: {mismatch}")
            }
            (None, Values::Stored(_) | Values::Probed(_)) => {
                format!("{name}: checksums valid, {positions} values consistent")
            }
            (None, Values::BeforePlacement(_)) => {
                format!("{name}: no file, {positions} values consistent")
            }
        };
        self.print_line(&line)
    }

    /// Checks a file that is no layer. Ignores files of other programs and the progress of unfinished tables.
    fn verify_other(&mut self, name: &str) -> Result<(), Failure> {
        if durable::is_unfinished(name) {
            return Ok(());
        }
        let path = self.args.folder.join(name);
        let is_pattern = (pattern::file::FILE_KINDS.is_name)(name);
        // `head` is `None` for folders, devices and other special files, which are ignored.
        let source = Source::open(&path).ok();
        let head = source.and_then(|source| source.read(0, 8).ok());
        let has_magic = |kind: FileKind| head.as_deref() == Some(kind.magic().as_slice());
        let checked: Result<String, EngineError> = if is_pattern {
            let pattern = pattern::file::pattern_of_name(name);
            let pattern = pattern.ok_or_else(|| EngineError::new("not the name of a pattern"));
            pattern.and_then(|pattern| {
                pattern::file::load(&self.args.folder, &pattern, &mut || true)
                    .map(|_table| "valid pattern table".into())
            })
        } else if head.as_deref().is_some_and(position_table::has_magic) {
            let checked = Source::named(&path)
                .and_then(|source| positions::check(source, self.args, &self.progress));
            checked.map(|values| format!("checksums valid, {values} values consistent"))
        } else if head.as_deref() == Some(&CHECKPOINT_FORMAT.magic) && !name.ends_with(PART) {
            let survey = Source::named(&path).and_then(|source| survey::open(&source, self.args));
            // A survey that is too large to check is not invalid.
            if let Ok(survey) = &survey {
                fits(survey.wins_memory(), self.args.memory).map_err(|error| {
                    EngineError::failed(format!("{}: {error}", path_name(&path)))
                })?;
            }
            survey.and_then(|survey| survey::check(&survey, &path, self.args))
        } else if head.as_deref() == Some(&saver::FORMAT.file.magic) {
            let checked = Source::named(&path).and_then(saver::check);
            checked.map(|is_finished| {
                let state = if is_finished {
                    "finished"
                } else {
                    "unfinished"
                };
                format!("checksums valid, {state} solution: 'puli solve --keep' reads it")
            })
        } else if has_magic(FileKind::Network) {
            Network::load(&path).map(|_network| "valid network".into())
        } else if head.as_deref().is_some_and(hunt_network::has_magic) {
            hunt_network::check(&path).map(|()| "valid network".into())
        } else if has_magic(FileKind::Training) {
            let bytes = network::file::read(&path, FileKind::Training);
            bytes
                .and_then(|bytes| network::check_training(&bytes).map(|()| "valid training".into()))
        } else {
            return Ok(());
        };
        self.progress.note(name);
        match checked {
            Ok(result) => {
                self.files += 1;
                self.print_line(&format!("{name}: {result}"))?;
            }
            Err(error) => self.report_invalid(&format!("{name}: {error}"))?,
        }
        self.progress
            .add(fs::metadata(&path).map_or(0, |file| file.len()));
        Ok(())
    }

    /// Prints a line above the progress line.
    fn print_line(&mut self, line: &str) -> Result<(), Failure> {
        let out = &mut *self.out;
        self.progress
            .above(|| writeln!(out, "{}", escaped(line)).and_then(|()| out.flush()))?;
        Ok(())
    }
}
