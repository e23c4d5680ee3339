//! The state of a survey as text, in the header of its checkpoint file.

use super::{MovementSurvey, SurveyState};
use crate::oracle::Verdict;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::movement::{Progress, Stage};
use crate::value::Side;

impl Progress<Stage> {
    /// Returns the number of sides whose wins are all found.
    pub(super) fn finished_sides(self) -> usize {
        match self {
            Self::Next(winner) | Self::Stage(Stage { winner, .. }) => {
                usize::from(winner == Side::P1)
            }
            Self::Finished => 2,
        }
    }
}

/// Returns the state of a survey as lines of text.
pub(super) fn state_text(survey_state: &SurveyState, progress: Progress<Stage>) -> String {
    let mut text = progress_line(progress);
    text += &format!("\nchecked {}\nvalues", survey_state.checked);
    for value in &survey_state.values {
        text += &match value.win() {
            None => String::from(" -"),
            Some((side, plies)) => format!(" {}:{plies}", side_name(side)),
        };
    }
    text += "\n";
    for (stats, side) in survey_state.stats.iter().zip(["goats", "tigers"]) {
        for layer_stats in stats {
            text += &format!("{side} to move {layer_stats}\n");
        }
    }
    text
}

/// The parsed text of a checkpoint.
pub(super) struct CheckpointText {
    pub progress: Progress<Stage>,
    pub survey_state: SurveyState,
    pub plies: Option<u64>,
    /// Number of sides whose wins are in the file. `None` if wins are not kept.
    pub kept: Option<usize>,
}

/// Parses the output of [`state_text`] and a line with the length of the journal or the number of sides with kept wins.
/// Returns `None` if the text is invalid.
pub(super) fn parse_text(text: &str, survey: &MovementSurvey) -> Option<CheckpointText> {
    let mut survey_state = survey.initial_state();
    let mut lines = text.lines();
    let progress = parse_progress(lines.next()?)?;
    survey_state.checked = lines.next()?.strip_prefix("checked ")?.parse().ok()?;
    let mut values = lines.next()?.strip_prefix("values")?.split(' ').skip(1);
    for value in &mut survey_state.values {
        *value = Verdict::of_win(match values.next()? {
            "-" => None,
            word => {
                let (side, plies) = word.split_once(':')?;
                Some((parse_side(side)?, plies.parse().ok()?))
            }
        });
    }
    for (stats, side) in survey_state.stats.iter_mut().zip(["goats", "tigers"]) {
        for layer_stats in stats {
            let line = lines.next()?.strip_prefix(side)?;
            let read = LayerStats::read(line.strip_prefix(" to move ")?)?;
            if read.on_board != layer_stats.on_board {
                return None;
            }
            *layer_stats = read;
        }
    }
    let (name, number) = lines.next()?.split_once(' ')?;
    let number: u64 = number.parse().ok()?;
    let finished_sides = progress.finished_sides();
    let (plies, kept) = match name {
        "plies" => (Some(number), None),
        "kept" if number == finished_sides as u64 => (None, Some(finished_sides)),
        "kept" if number == 0 => (None, None),
        _ => return None,
    };
    (values.next().is_none() && lines.next().is_none()).then_some(CheckpointText {
        progress,
        survey_state,
        plies,
        kept,
    })
}

/// Returns the name of a side in the header's text.
fn side_name(side: Side) -> &'static str {
    match side {
        Side::P1 => "goats",
        Side::P2 => "tigers",
    }
}

/// Parses a name that [`side_name`] returns.
fn parse_side(name: &str) -> Option<Side> {
    [Side::P1, Side::P2]
        .into_iter()
        .find(|&side| side_name(side) == name)
}

/// Returns the line of text for the progress of the analysis.
fn progress_line(progress: Progress<Stage>) -> String {
    match progress {
        Progress::Stage(stage) => format!("stage {} {}", side_name(stage.winner), stage.half),
        Progress::Next(winner) => format!("{} next", side_name(winner)),
        Progress::Finished => String::from("finished"),
    }
}

/// Parses a line that [`progress_line`] returns.
fn parse_progress(line: &str) -> Option<Progress<Stage>> {
    match line {
        "goats next" => return Some(Progress::Next(Side::P1)),
        "finished" => return Some(Progress::Finished),
        _ => {}
    }
    let (winner, half) = line.strip_prefix("stage ")?.split_once(' ')?;
    Some(Progress::Stage(Stage {
        winner: parse_side(winner)?,
        half: half.parse().ok()?,
    }))
}
