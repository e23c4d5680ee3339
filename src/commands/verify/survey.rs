//! `puli verify` of surveys: the files of `puli solve --keep`.

use std::path::Path;

use super::{Args, unknown_game};
use crate::commands::solve::describe;
use crate::durable::Source;
use crate::error::EngineError;
use crate::games::hunt::Hunt;
use crate::solve::bitset::layer_stats::LayerStats;
use crate::solve::bitset::survey::{self, MovementSurvey, SurveyResult, VerifiedSurvey};

/// Returns the survey that the file `source` belongs to.
///
/// # Errors
/// If the game is unknown, or the file's header is damaged.
pub(super) fn open(source: &Source, args: &Args) -> Result<MovementSurvey, EngineError> {
    let name = survey::board_name(source)?;
    let board = args.board_named(&name)?;
    let board = board.ok_or_else(|| unknown_game("survey", source.path(), &name))?;
    MovementSurvey::new(Hunt::new(board))
}

/// Checks the file of a survey. Returns a description of its content.
///
/// # Errors
/// If the file is damaged or inconsistent.
pub(super) fn check(
    survey: &MovementSurvey,
    path: &Path,
    args: &Args,
) -> Result<String, EngineError> {
    let board = survey.board();
    let result = |result: &SurveyResult| {
        let positions: u64 = result
            .stats
            .iter()
            .flatten()
            .map(LayerStats::positions)
            .sum();
        let verdict = describe(board, Some(result.start));
        format!("survey of {positions} positions, start: {verdict}")
    };
    Ok(match survey.verify(path, args.positions, args.seed)? {
        VerifiedSurvey::Unfinished => {
            format!(
                "checksums valid, unfinished survey: 'puli solve {} --keep' continues it",
                board.name
            )
        }
        VerifiedSurvey::WithoutWins(found) => {
            format!("checksums valid, values not kept; {}", result(&found))
        }
        VerifiedSurvey::Whole(found, checked) => {
            format!(
                "checksums valid, counts and {checked} values consistent; {}",
                result(&found)
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use super::*;
    use crate::commands::{parse_arguments, verify};
    use crate::games::hunt::board;
    use crate::games::hunt::spec::with_rule;
    use crate::solve::bitset::survey::{Checkpointer, SurveyContext};

    #[test]
    fn verifies_survey_of_given_rules_and_names_damage() {
        let folder = tempfile::tempdir().unwrap();
        let mut text = String::from(board::text_of("pulijudamu").unwrap());
        let prey = "11 at b1 b3 c1 c2 c3 c4 c5 d1 d2 d3 e1";
        for (keyword, value) in [("hunters", "2"), ("prey", prey)] {
            text = with_rule(&text, keyword, value);
        }
        let boards = tempfile::tempdir().unwrap();
        let file = boards.path().join("pulijudamu.txt");
        fs::write(&file, text).unwrap();
        let args = |captures: &str| -> Args {
            let file = file.to_str().unwrap();
            let folder = folder.path().to_str().unwrap();
            parse_arguments(&[
                folder,
                "--game",
                file,
                "--captures",
                captures,
                "--positions",
                "1000",
            ])
        };
        let board = args("2").board_named("pulijudamu").unwrap().unwrap();
        let survey = MovementSurvey::new(Hunt::new(board)).unwrap();
        let path = folder.path().join("kept");
        let context = SurveyContext {
            watch: &mut |_| (),
            checks: 100,
            checkpointer: Some(Checkpointer::new(&path, Duration::MAX)),
            plies: None,
        };
        survey.run(None, context).unwrap();
        let verify = |captures: &str| {
            let mut out = Vec::new();
            let result = verify::run(&args(captures), &mut out);
            (result.is_ok(), String::from_utf8(out).unwrap())
        };
        let (is_valid, text) = verify("2");
        assert!(is_valid, "{text}");
        assert!(
            text.starts_with(
                "kept: checksums valid, counts and 2000 values consistent; survey of "
            ),
            "{text}"
        );
        let (is_valid, text) = verify("3");
        assert!(
            !is_valid && text.contains("is a survey of another game"),
            "{text}"
        );
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
        let (is_valid, text) = verify("2");
        assert!(!is_valid && text.contains("is damaged at byte "), "{text}");
    }
}
