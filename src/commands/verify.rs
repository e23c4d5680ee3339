//! `puli verify`: checks every checksum of a folder's files, and of solved tables, on a sample of positions or on all, that values
//! follow from those of their successors.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::Failure;
use super::progress::Progress;
use super::rule_overrides::RuleOverrides;
use crate::durable::{self, Source};
use crate::error::EngineError;
use crate::escape::{escaped, path_name};
use crate::games::hunt::network::file as hunt_network;
use crate::games::hunt::{Board, board};
use crate::games::tiles::pattern;
use crate::games::twenty48::network::file::FileKind;
use crate::games::twenty48::network::{self, Network};
use crate::solve::bitset::layer::{Layer, Scope};
use crate::solve::tables::check::{Check, Values};
use crate::solve::tables::file::LayerId;
use crate::solve::tables::forecast::layer_memory;
use crate::solve::tables::probe::Tables;
use crate::solve::tables::reader::LayerFile;

/// What `puli verify` takes.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The folder of the tables, solved or of patterns, or of networks
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Positions to check in each layer; all where there are no more
    #[arg(long, default_value_t = 1_000_000)]
    positions: u64,
    /// Where the random choice of them begins
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the layers with so many goats in hand
    #[arg(long)]
    hand: Option<u32>,
    /// The game of the solved tables, where it is not one of the built-in ones as they stand: a board file, or the name of a game
    /// with the options that change its rules
    #[arg(long, value_name = "GAME|FILE", value_parser = super::Games, hide_possible_values = true)]
    game: Option<String>,
    #[command(flatten)]
    rule_overrides: RuleOverrides,
}

impl Args {
    /// The boards of which there may be tables.
    fn boards(&self) -> Result<Vec<&'static Board>, EngineError> {
        let of_tables = |board: &'static Board| board.of_tables();
        let Some(game) = &self.game else {
            if !self.rule_overrides.are_none() {
                let why = "rules are changed of the game that --game names";
                return Err(EngineError::new(why));
            }
            let all = board::ALL.iter().map(|board| &**board);
            return Ok(all.filter_map(of_tables).collect());
        };
        let board = of_tables(self.rule_overrides.board(game)?);
        let board = board.ok_or_else(|| EngineError::new(format!("{game} has no tables")));
        board.map(|board| vec![board])
    }
}

/// Checks what the folder holds; a line for every file. Fails when anything is wrong or missing, after all has been
/// looked at.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let start = Instant::now();
    let listed = list(&args.folder)?;
    let scopes = args.boards()?.into_iter().flat_map(|board| {
        let fewest = board.goats_placed.count_ones().max(1);
        (fewest..=board.goats).map(move |goats| Scope { board, goats })
    });
    let found: Vec<Scope> = scopes
        .filter(|&scope| {
            let names = LayerId::stored(scope).map(|label| label.file_name());
            names.into_iter().any(|name| listed.contains_key(&name))
        })
        .collect();
    let (are_there, whole) = (!found.is_empty(), listed.values().sum());
    let mut verifier = Verifier {
        args,
        out,
        progress: Progress::new(whole, "bytes"),
        files: 0,
        wrong: 0,
        missing: 0,
    };
    for scope in found {
        verifier.verify(scope)?;
    }
    // Of a game whose layers are checked one by one, the other files are looked at with the first.
    if args.hand.is_none_or(|hand| hand == 0) {
        for name in listed.keys() {
            verifier.verify_other(name)?;
        }
    }
    let (files, wrong, missing) = (verifier.files, verifier.wrong, verifier.missing);
    drop(verifier);
    let refuse = |why: String| {
        Err(EngineError::failed(format!("{}: {why}", path_name(&args.folder))).into())
    };
    if let (0, 0, true, Some(hand)) = (files, missing, are_there, args.hand) {
        writeln!(out, "no layer with {hand} goats in hand")?;
        return Ok(());
    }
    if files == 0 {
        return refuse(
            "no solved tables, pattern tables or networks; tables of a board file are found with --game FILE".into(),
        );
    }
    if wrong > 0 {
        return refuse(format!(
            "{wrong} of {files} files are wrong: tables by other rules are checked with --game and the options that change them; \
             what is damaged is made anew once it is removed"
        ));
    }
    if missing > 0 {
        return refuse(format!(
            "{files} files are sound, and {missing} layers are missing; puli solve goes on with them"
        ));
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "{files} files, all sound; {seconds:.1} s")?;
    Ok(())
}

/// What may be a file of ours, by name, with its bytes.
fn list(folder: &Path) -> Result<BTreeMap<String, u64>, EngineError> {
    let refuse = |error: io::Error| {
        EngineError::new(format!(
            "folder {} cannot be read: {error}",
            path_name(folder)
        ))
    };
    let mut listed = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(refuse)? {
        let entry = entry.map_err(refuse)?;
        let length = fs::metadata(entry.path()).map_or(0, |file| file.len());
        if let Ok(name) = entry.file_name().into_string() {
            listed.insert(name, length);
        }
    }
    Ok(listed)
}

/// Layers of more bytes are not read into memory: their files are asked.
const MAX_LOADED: u64 = 6 << 30;

/// Checks the files of a folder, and counts them.
struct Verifier<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    progress: Progress,
    files: u32,
    wrong: u32,
    /// Layers that are not there though the game is not whole without them.
    missing: u32,
}

impl Verifier<'_> {
    /// Checks the tables of one game, from the movement phase up.
    fn verify(&mut self, scope: Scope) -> Result<(), Failure> {
        let check = Check::new(scope, self.args.positions, self.args.seed);
        self.look_for_gaps(scope)?;
        let has_placement = scope.board.goats_placed == 0;
        if !has_placement && layer_memory(&check.ranking, &scope, 0) > MAX_LOADED {
            return self.verify_by_asking(&check, scope);
        }
        // With tigers to move, and one goat fewer in hand.
        let mut below: Option<Layer> = None;
        for hand in 0..=scope.goats {
            let [label_goats, label_tigers] = [false, true].map(|tigers_to_move| LayerId {
                scope,
                hand,
                tigers_to_move,
            });
            // A layer alone is checked against the one it follows from, which is read and left at that.
            match self.args.hand {
                Some(only) if hand + 1 == only => {
                    below = self.load(&check, label_tigers)?;
                    continue;
                }
                Some(only) if hand != only => continue,
                _ => {}
            }
            let goats = self.load(&check, label_goats)?;
            let tigers = self.load(&check, label_tigers)?;
            let placed = below.as_ref().map(Values::Before);
            let values = goats.as_ref().map(Values::Stored).or(placed);
            // With goats in hand a move places one; without, it is a step.
            let after = if hand == 0 { &tigers } else { &below };
            let after = after.as_ref().map(Values::Stored);
            self.check(&check, &label_goats, values, after)?;
            let stored = tigers.as_ref().map(Values::Stored);
            self.check(&check, &label_tigers, stored, values)?;
            below = tigers;
        }
        Ok(())
    }

    /// Checks the movement phase of a game whose layers are larger than memory, which has no other.
    fn verify_by_asking(&mut self, check: &Check, scope: Scope) -> Result<(), Failure> {
        if self.args.hand.is_some_and(|hand| hand > 0) {
            return Ok(());
        }
        let labels = [false, true].map(|tigers_to_move| LayerId {
            scope,
            hand: 0,
            tigers_to_move,
        });
        let mut are_sound = true;
        for label in labels {
            are_sound &= self.read(check, label, LayerFile::check)?.is_some();
        }
        let opened = Tables::open(&self.args.folder, check.ranking.board);
        let tables = opened.ok().filter(|_| are_sound);
        let values = tables.as_ref().map(|(tables, _)| Values::Asked(tables));
        for label in labels {
            self.check(check, &label, values, values)?;
        }
        Ok(())
    }

    /// Tells of the layers that are not there. The movement phase alone is a whole; beyond it all is there, or a run was
    /// cut short, or somebody has lost a file.
    fn look_for_gaps(&mut self, scope: Scope) -> Result<(), Failure> {
        let is_there = |label: &LayerId| label.path(&self.args.folder).exists();
        let is_movement_alone =
            LayerId::stored(scope).all(|label| is_there(&label) == (label.hand == 0));
        let missing: Vec<LayerId> = LayerId::stored(scope)
            .filter(|label| !is_there(label))
            .collect();
        if is_movement_alone {
            let Scope { board, goats } = scope;
            if board.goats_placed != 0 {
                // It has no other.
                return Ok(());
            }
            return self.say(&format!(
                "{} with {goats} goats: the movement phase alone",
                board.name
            ));
        }
        let is_asked_for = |label: &LayerId| self.args.hand.is_none_or(|hand| hand == label.hand);
        let missing: Vec<LayerId> = missing.into_iter().filter(is_asked_for).collect();
        self.missing += missing.len() as u32;
        for label in missing {
            self.say(&format!("{}: missing", label.file_name()))?;
        }
        Ok(())
    }

    /// Reads a layer that has a file.
    fn load(&mut self, check: &Check, label: LayerId) -> Result<Option<Layer>, Failure> {
        self.read(check, label, |file| file.load(&check.ranking))
    }

    /// Reads the file of a layer that has one, every byte of it.
    fn read<T>(
        &mut self,
        check: &Check,
        label: LayerId,
        read: impl FnOnce(&LayerFile) -> Result<T, EngineError>,
    ) -> Result<Option<T>, Failure> {
        if !label.is_stored() {
            return Ok(None);
        }
        self.progress
            .note(format!("{}: reading", label.file_name()));
        let file = LayerFile::open(&self.args.folder, label, &check.ranking);
        let found = file.and_then(|file| {
            file.map(|file| read(&file).map(|found| (found, file.length)))
                .transpose()
        });
        match found {
            Ok(Some((found, length))) => {
                self.files += 1;
                self.progress.add(length);
                Ok(Some(found))
            }
            Ok(None) => Ok(None),
            Err(refusal) => {
                self.count_wrong(&refusal.0)?;
                Ok(None)
            }
        }
    }

    /// A file that is not what it should be.
    fn count_wrong(&mut self, words: &str) -> Result<(), Failure> {
        self.files += 1;
        self.wrong += 1;
        self.say(words)
    }

    /// Checks the values of a layer against those of the layer that its moves lead to.
    fn check(
        &mut self,
        check: &Check,
        label: &LayerId,
        values: Option<Values>,
        after: Option<Values>,
    ) -> Result<(), Failure> {
        let Some(values) = values else {
            return Ok(());
        };
        let name = label.file_name();
        let Some(after) = after else {
            return self.say(&format!(
                "{name}: checksums are right; the layer it follows from is not there"
            ));
        };
        self.progress.note(format!("{name}: checking values"));
        let positions = check.looked_at(label);
        let words = match (check.find_mistake(label, values, after)?, values) {
            (Some(mistake), _) => {
                self.wrong += 1;
                format!("{name}: {mistake}")
            }
            (None, Values::Stored(_) | Values::Asked(_)) => {
                format!("{name}: checksums are right, {positions} values follow")
            }
            (None, Values::Before(_)) => {
                format!("{name}: has no file, {positions} values follow")
            }
        };
        self.say(&words)
    }

    /// Checks a file that is no solved table, if it is one of ours at all.
    fn verify_other(&mut self, name: &str) -> Result<(), Failure> {
        if durable::is_unfinished(name) {
            return Ok(());
        }
        let path = self.args.folder.join(name);
        let is_pattern = (pattern::file::kin().is_name)(name);
        // What is no regular file begins with nothing.
        let source = Source::open(&path).ok();
        let head = source.and_then(|source| source.read(0, 8).ok());
        let begins = |kind: FileKind| head.as_deref() == Some(kind.magic().as_slice());
        let checked = if is_pattern {
            let pattern = pattern::file::named(name);
            let pattern = pattern.ok_or_else(|| EngineError::new("its name is that of no pattern"));
            pattern.and_then(|pattern| {
                pattern::file::load(&self.args.folder, &pattern, &mut || true)
                    .map(|_table| "pattern table")
            })
        } else if begins(FileKind::Network) {
            Network::load(&path).map(|_network| "network")
        } else if head.as_deref().is_some_and(hunt_network::begins) {
            hunt_network::check(&path).map(|()| "network")
        } else if begins(FileKind::Training) {
            let bytes = network::file::read(&path, FileKind::Training);
            bytes.and_then(|bytes| network::check_training(&bytes).map(|()| "training"))
        } else {
            return Ok(());
        };
        self.progress.note(name);
        match checked {
            Ok(what) => {
                self.files += 1;
                self.say(&format!("{name}: a sound {what}"))?;
            }
            Err(refusal) => self.count_wrong(&format!("{name}: {refusal}"))?,
        }
        self.progress
            .add(fs::metadata(&path).map_or(0, |file| file.len()));
        Ok(())
    }

    /// A line that stays.
    fn say(&mut self, words: &str) -> Result<(), Failure> {
        let out = &mut *self.out;
        self.progress
            .above(|| writeln!(out, "{}", escaped(words)).and_then(|()| out.flush()))?;
        Ok(())
    }
}
