//! `puli solve` without tables for games too large to solve position by position: a survey by sets of positions.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::json;

use super::progress_printer;
use super::{Args, Format};
use crate::commands::Failure;
use crate::commands::progress::Progress;
use crate::durable::PathLock;
use crate::error::EngineError;
use crate::solve::bitset::layer_id::LayerId;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::survey::{Checkpoint, Checkpointer, MovementSurvey, SurveyContext};
use crate::solve::bitset::wins::PlyWins;
use crate::solve::tables::solver::{Origin, fits};
use crate::units;

/// Surveys the game and reports the winner.
pub(super) fn run(
    survey: &MovementSurvey,
    args: &Args,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (memory, is_json) = (args.memory, args.format == Format::Json);
    let started = Instant::now();
    let name = &survey.board().name;
    let positions = survey.positions();
    let (needed, disk) = (survey.memory(rayon::current_num_threads()), survey.disk());
    if is_json {
        let mut line = json!({"forecast": {
            "game": name,
            "positions": survey.positions_with_images(),
            "up_to_symmetry": positions,
            "memory_mib": needed.div_ceil(1 << 20),
        }});
        if disk > 0 {
            line["forecast"]["disk_mib"] = json!(disk.div_ceil(1 << 20));
        }
        writeln!(out, "{line}")?;
    } else {
        let disk = if disk == 0 {
            String::new()
        } else {
            format!(" and {} of disk", units::memory(disk.into()))
        };
        writeln!(
            out,
            "{name}: {positions} positions up to symmetry, reachable or not, as sets in up to {} of memory{disk}; no tables are made",
            units::memory(needed.into())
        )?;
    }
    out.flush()?;
    fits(needed, memory)?;
    let _lock = args.keep.as_deref().map(PathLock::on_file).transpose()?;
    let every = Duration::from_secs(args.checkpoint);
    let checkpointer = args
        .keep
        .as_ref()
        .map(|path| Checkpointer::new(path, every));
    let kept = checkpointer
        .as_ref()
        .map(|checkpointer| checkpointer.read(survey));
    let kept = kept.transpose().map_err(|why| {
        EngineError::new(format!(
            "{why}; the file is unchanged: move it away to survey the game from the start"
        ))
    });
    let kept = kept?.flatten();
    let progress = Progress::new(positions, "positions won");
    let stage = kept.as_ref().map(Checkpoint::stage);
    if let Some(kept) = &kept {
        progress.add(kept.won());
        let text = stage.flatten().map_or_else(
            || String::from("already finished"),
            |stage| progress_printer::describe_resumption(survey.board(), stage),
        );
        progress.above(|| progress_printer::note(out, is_json, &text))?;
    }
    let mut watch = |found: &PlyWins| {
        let count = found.count();
        progress.add(count);
        let who = progress_printer::winner_name(survey.board(), found.winner);
        progress.note(format!("{who} in {} plies", found.plies));
        log::debug!("{who} in {} plies: {count}", found.plies);
    };
    let context = SurveyContext {
        watch: &mut watch,
        checks: args.checks,
        checkpointer,
        plies: None,
    };
    let found = survey.result(survey.run(kept, context)?)?;
    drop(progress);
    let mut all = LayerStats::default();
    for (stats, tigers_to_move) in found.stats.iter().zip([false, true]) {
        let layer_id = LayerId {
            table_game: survey.table_game(),
            hand: 0,
            tigers_to_move,
        };
        all = stats.iter().fold(all, LayerStats::merged);
        progress_printer::print_layer(out, is_json, &layer_id, stats, &Origin::Counted)?;
    }
    let best: Vec<String> = found.best.iter().map(|&m| survey.show_move(m)).collect();
    if is_json {
        let line =
            progress_printer::verdict_as_json(&progress_printer::as_json(Some(found.start)), &all);
        writeln!(out, "{line}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} random positions verified by the rules of the game",
        found.checked
    )?;
    if stage != Some(None) {
        writeln!(out, "solved in {:.1} s", started.elapsed().as_secs_f64())?;
    }
    if !best.is_empty() {
        writeln!(out, "best: {}", best.join(" "))?;
    }
    let verdict = progress_printer::describe(survey.board(), Some(found.start));
    Ok(writeln!(out, "start: {verdict}")?)
}
