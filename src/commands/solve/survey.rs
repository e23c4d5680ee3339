//! `puli solve` of a game that neither tables nor memory hold position by position: sets of positions tell who wins.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::json;

use super::teller::{self, Origin};
use super::{Args, Format};
use crate::commands::Failure;
use crate::commands::progress::Progress;
use crate::error::Refusal;
use crate::solved::file::Label;
use crate::solved::survey::{Keeper, Survey};
use crate::solved::tally::Tally;

/// Surveys the game and tells who wins it.
pub fn run(survey: &Survey, args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let (memory, is_json) = (args.memory, args.format == Format::Json);
    let begun = Instant::now();
    let name = &survey.board().name;
    let positions = survey.positions();
    let needed = survey.memory(rayon::current_num_threads());
    let needed = needed.div_ceil(1 << 20);
    if is_json {
        let told = json!({"forecast": {
            "game": name,
            "positions": survey.positions_unfolded(),
            "up_to_symmetry": positions,
            "memory_mib": needed,
        }});
        writeln!(out, "{told}")?;
    } else {
        writeln!(
            out,
            "{name}: {positions} positions up to symmetry, whether they arise or not, as sets in up to {needed} MiB of memory; no tables are made"
        )?;
    }
    out.flush()?;
    if needed > memory {
        return Err(Refusal::new(format!(
            "this needs {needed} MiB of memory, and {memory} are allowed"
        ))
        .into());
    }
    let every = Duration::from_secs(args.checkpoint);
    let keeper = args
        .keep
        .as_ref()
        .map(|path| Keeper::new(path, every))
        .transpose()?;
    let progress = Progress::new(positions, "positions won");
    let (mut told, mut is_old) = (Ok(()), false);
    let found = survey.run(
        &mut |found| {
            let count = found.count();
            progress.add(count);
            let who = teller::winner_name(survey.board(), found.winner);
            progress.note(format!("{who} in {} plies", found.plies));
            log::debug!("{who} in {} plies: {count}", found.plies);
        },
        args.checks,
        keeper,
        &mut |kept| {
            progress.add(kept.won());
            is_old = kept.stage().is_none();
            let words = kept.stage().map_or_else(
                || String::from("finished before"),
                |stage| {
                    let who = teller::winner_name(survey.board(), stage.winner);
                    format!(
                        "goes on where it was: {who} in {} plies",
                        2 * stage.half + 2
                    )
                },
            );
            told = progress.above(|| teller::note(out, is_json, &words));
        },
    )?;
    told?;
    drop(progress);
    let mut all = Tally::default();
    for (tallies, tigers_to_move) in found.tallies.iter().zip([false, true]) {
        let label = Label {
            scope: survey.scope(),
            hand: 0,
            tigers_to_move,
        };
        all = tallies.iter().fold(all, Tally::with);
        teller::tell_layer(out, is_json, &label, tallies, &Origin::Counted)?;
    }
    let best: Vec<String> = found.best.iter().map(|&m| survey.show_move(m)).collect();
    if is_json {
        let told = teller::verdict_as_json(&teller::as_json(Some(found.start)), &all);
        writeln!(out, "{told}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} positions looked at once more by the rules: each follows from its moves",
        found.checked
    )?;
    if !is_old {
        writeln!(out, "solved in {:.1} s", begun.elapsed().as_secs_f64())?;
    }
    if !best.is_empty() {
        writeln!(out, "best: {}", best.join(" "))?;
    }
    let verdict = teller::in_words(survey.board(), Some(found.start));
    Ok(writeln!(out, "start: {verdict}")?)
}
