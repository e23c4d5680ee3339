//! `puli verify`: checks every checksum of solved tables, and on a sample of positions that values follow from those of
//! their successors.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use super::Failure;
use super::status::{StatusLine, bar};
use crate::error::Refusal;
use crate::games::hunt::board::{AADU_PULI, BAGH_CHAL};
use crate::solved::check::{Check, Values};
use crate::solved::file::Label;
use crate::solved::layer::{Layer, Scope};
use crate::solved::reader::LayerFile;

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
    /// Only the layers with so many goats in hand
    #[arg(long)]
    hand: Option<u32>,
}

/// Checks what the folder holds; a line for every layer. Fails when anything is wrong, after all has been looked at.
/// Progress goes to `progress`.
pub fn run(args: &Args, out: &mut dyn Write, progress: &mut dyn Write) -> Result<(), Failure> {
    let mut verifier = Verifier {
        args,
        out,
        status: StatusLine::new(progress),
        start: Instant::now(),
        bytes: 0,
        bytes_read: 0,
        files: 0,
        wrong: 0,
    };
    let boards = [&*AADU_PULI, &*BAGH_CHAL].into_iter();
    let scopes = boards.flat_map(|board| (1..=board.goats).map(|goats| Scope { board, goats }));
    let mut found = Vec::new();
    for scope in scopes {
        let bytes = verifier.bytes_of(scope);
        if bytes > 0 {
            found.push(scope);
            verifier.bytes += bytes;
        }
    }
    for scope in found {
        verifier.verify(scope)?;
    }
    let (files, wrong) = (verifier.files, verifier.wrong);
    if let (0, true, Some(hand)) = (files, verifier.bytes > 0, args.hand) {
        writeln!(out, "no layer with {hand} goats in hand")?;
        return Ok(());
    }
    if files == 0 {
        let folder = args.folder.display();
        return Err(Refusal::new(format!("no tables in folder {folder}")).into());
    }
    if wrong > 0 {
        return Err(Refusal::new(format!("{wrong} of {files} tables are wrong")).into());
    }
    let seconds = verifier.start.elapsed().as_secs_f64();
    writeln!(out, "{files} tables, all sound; {seconds:.1} s")?;
    Ok(())
}

/// Checks the tables of a folder, and counts them.
struct Verifier<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
    status: StatusLine<'a>,
    start: Instant,
    /// Of all files.
    bytes: u64,
    bytes_read: u64,
    files: u32,
    wrong: u32,
}

impl Verifier<'_> {
    /// How much the folder holds of a game.
    fn bytes_of(&self, scope: Scope) -> u64 {
        let files = Label::stored(scope).map(|label| label.path(&self.args.folder));
        files
            .filter_map(|path| path.metadata().ok())
            .map(|file| file.len().max(1))
            .sum()
    }

    /// Checks the tables of one game, from the movement phase up.
    fn verify(&mut self, scope: Scope) -> Result<(), Failure> {
        let check = Check::new(scope, self.args.positions, self.args.seed);
        // With tigers to move, and one goat fewer in hand.
        let mut below: Option<Layer> = None;
        for hand in 0..=scope.goats {
            let [label_goats, label_tigers] = [false, true].map(|tigers_to_move| Label {
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

    /// Reads a layer that has a file, and with it every byte of it.
    fn load(&mut self, check: &Check, label: Label) -> Result<Option<Layer>, Failure> {
        if !label.is_stored() {
            return Ok(None);
        }
        self.show(&label, "reading")?;
        let file = LayerFile::open(&self.args.folder, label, &check.ranking);
        let loaded = file.and_then(|file| file.map(|file| file.load(&check.ranking)).transpose());
        let path = label.path(&self.args.folder);
        self.bytes_read += path.metadata().map_or(0, |file| file.len());
        self.files += u32::from(!matches!(loaded, Ok(None)));
        match loaded {
            Ok(Some(layer)) => return Ok(Some(layer)),
            Ok(None) => self.say(&format!("{}: missing", label.file_name()))?,
            Err(refusal) => {
                self.wrong += 1;
                self.say(&refusal.0)?;
            }
        }
        Ok(None)
    }

    /// Checks the values of a layer against those of the layer that its moves lead to.
    fn check(
        &mut self,
        check: &Check,
        label: &Label,
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
        self.show(label, "checking values")?;
        let positions = self.args.positions;
        let words = match (check.find_mistake(label, values, after), values) {
            (Some(mistake), _) => {
                self.wrong += 1;
                format!("{name}: {mistake}")
            }
            (None, Values::Stored(_)) => {
                format!("{name}: checksums are right, {positions} values follow")
            }
            (None, Values::Before(_)) => {
                format!("{name}: has no file, {positions} values follow")
            }
        };
        self.say(&words)
    }

    /// A line that stays.
    fn say(&mut self, words: &str) -> Result<(), Failure> {
        self.status.clear()?;
        writeln!(self.out, "{words}")?;
        Ok(self.out.flush()?)
    }

    /// On a terminal: what is being done, and how far that is.
    fn show(&mut self, label: &Label, what: &str) -> Result<(), Failure> {
        let elapsed = self.start.elapsed().as_secs_f64();
        let bar = bar(self.bytes_read, self.bytes, elapsed);
        Ok(self
            .status
            .show(&format!("{bar}  {}: {what}", label.file_name()))?)
    }
}
