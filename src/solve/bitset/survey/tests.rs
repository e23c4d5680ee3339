//! Tests of checkpoints: a survey resumed from any stage has the same result, damage is detected, and files that are no
//! checkpoint of the game stay unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;
use crate::games::hunt::board::with_rules;
use crate::solve::bitset::movement::Stage;
use crate::solve::bitset::word512::Word512;

/// Returns the survey of a small game that either side can win.
fn survey(captures: &str) -> MovementSurvey {
    let rules = [
        ("hunters", "2"),
        ("prey", "11 at b1 b3 c1 c2 c3 c4 c5 d1 d2 d3 e1"),
        ("captures", captures),
    ];
    MovementSurvey::new(Hunt::new(with_rules("pulijudamu", &rules))).unwrap()
}

/// Returns the survey of a small game in which the tiger may leap several times a turn.
fn survey_with_chains() -> MovementSurvey {
    let rules = [
        ("hunters", "1"),
        ("prey", "9 at b1 b3 c1 c2 c3 c4 c5 d1 d2"),
        ("captures", "4"),
        ("leap", "chain"),
    ];
    MovementSurvey::new(Hunt::new(with_rules("pulijudamu", &rules))).unwrap()
}

/// Returns a checkpointer without automatic checkpoints.
fn checkpointer(path: &Path) -> Checkpointer {
    Checkpointer::new(path, Duration::MAX)
}

/// Distance between tested stages. The survey has about ninety stages.
const STRIDE: usize = 9;

/// Runs a survey, from the checkpoint in `path` if there is one. Returns the survey's result as text, and a list with
/// the stage from which it resumed: empty without a checkpoint, `[None]` for the checkpoint of a finished survey.
fn run(survey: &MovementSurvey, path: &Path) -> Result<(String, Vec<Option<Stage>>), EngineError> {
    let checkpoint = checkpointer(path).read(survey)?;
    let stages = checkpoint.iter().map(Checkpoint::stage).collect();
    let context = SurveyContext {
        watch: &mut |_| (),
        checks: 1000,
        checkpointer: Some(checkpointer(path)),
        plies: None,
    };
    let result = survey.result(survey.run(checkpoint, context)?)?;
    Ok((format!("{result:?}"), stages))
}

/// An observer that writes a checkpoint after `stages_left` stages and then stops the analysis by an error.
struct StoppingObserver<'a, 'b> {
    recorder: SurveyRecorder<'a, 'b>,
    stages_left: usize,
}

impl AnalysisObserver for StoppingObserver<'_, '_> {
    fn ply(&mut self, found: &PlyWins) -> Result<(), EngineError> {
        self.recorder.ply(found)
    }

    fn stage(&mut self, retrograde: &RetrogradeState) -> Result<(), EngineError> {
        if let Some(left) = self.stages_left.checked_sub(1) {
            self.stages_left = left;
            return Ok(());
        }
        let SurveyRecorder {
            survey,
            survey_state,
            context,
            ..
        } = &mut self.recorder;
        let checkpointer = context.checkpointer.as_mut().unwrap();
        let content = Content::Stage(retrograde);
        checkpointer.write(survey, survey_state, &content, context.plies.as_deref_mut())?;
        Err(EngineError::new("killed"))
    }

    fn side(&mut self, wins: &FoundWins) -> Result<(), EngineError> {
        self.recorder.side(wins)
    }
}

/// Runs a survey up to stage `number` (from 0) and writes a checkpoint. Returns `false` if the survey has fewer stages.
pub(crate) fn run_to_stage(
    survey: &MovementSurvey,
    path: &Path,
    number: usize,
    plies: Option<&mut PlyJournal>,
) -> bool {
    let mut observer = StoppingObserver {
        recorder: SurveyRecorder {
            survey,
            counter: Counter::new(&survey.ranking),
            survey_state: &mut survey.initial_state(),
            context: &mut SurveyContext {
                watch: &mut |_| (),
                checks: 1000,
                checkpointer: Some(checkpointer(path)),
                plies,
            },
        },
        stages_left: number,
    };
    let progress = Progress::Next(Side::P2);
    movement::find_wins(
        &survey.ranking,
        &survey.table_game,
        &survey.storage,
        progress,
        &mut observer,
    )
    .is_err()
}

/// Returns a temporary folder and the path of a checkpoint file in it.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.survey");
    (folder, path)
}

#[test]
fn survey_resumed_from_any_stage_has_same_result() {
    for survey in [survey("2"), survey_with_chains()] {
        let (_folder, path) = folder();
        let (expected, resumed) = run(&survey, &path).unwrap();
        assert_eq!(resumed, []);
        check_resumption(&survey, &path, &expected);
        // With temporary files, the result and every checkpoint are the same.
        let temporary = tempfile::tempdir().unwrap();
        let storage = ListStorage::Disk(temporary.path().into());
        check_resumption(&survey.with_storage(storage), &path, &expected);
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    }
}

/// Checks that the file at `path` is the file of the finished survey, and that the survey resumed from any stage writes the
/// same.
fn check_resumption(survey: &MovementSurvey, path: &Path, expected: &str) {
    // The file of a finished survey contains the result.
    let (result, resumed) = run(survey, path).unwrap();
    assert_eq!((&*result, resumed), (expected, vec![None]));
    let finished = fs::read(path).unwrap();
    let mut winners = Vec::new();
    for number in (0..).step_by(STRIDE) {
        fs::remove_file(path).unwrap();
        if !run_to_stage(survey, path, number, None) {
            fs::write(path, finished).unwrap();
            break;
        }
        let (result, resumed) = run(survey, path).unwrap();
        assert_eq!(result, expected, "stage {number}");
        assert!(fs::read(path).unwrap() == finished, "stage {number}");
        let [Some(stage)] = resumed[..] else {
            panic!("stage {number}: {resumed:?}");
        };
        winners.push(stage.winner);
    }
    assert!(
        winners.contains(&Side::P1) && winners.contains(&Side::P2),
        "{winners:?}"
    );
}

/// Writes a checkpoint with a changed number and a valid checksum. `bytes` is the original file. `number` is the index
/// among the six numbers in the first line that starts with `line`.
fn write_forged(bytes: &[u8], path: &Path, line: &str, number: usize, change: impl Fn(u64) -> u64) {
    fs::write(path, bytes).unwrap();
    let source = crate::durable::Source::open(path).unwrap();
    let (text, length) = CHECKPOINT_FORMAT.read(&source).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let at = lines
        .iter()
        .position(|other| other.starts_with(line))
        .unwrap();
    let mut words: Vec<String> = lines[at].split(' ').map(String::from).collect();
    let index = words.len() - 6 + number;
    words[index] = change(words[index].parse().unwrap()).to_string();
    lines[at] = words.join(" ");
    let mut forged = CHECKPOINT_FORMAT.header(&(lines.join("\n") + "\n"));
    forged.extend(&bytes[length..]);
    fs::write(path, forged).unwrap();
}

#[test]
fn rejects_forged_count_with_valid_checksum() {
    let survey = survey("2");
    let (_folder, path) = folder();
    assert!(run_to_stage(&survey, &path, 2, None));
    let unfinished = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    run(&survey, &path).unwrap();
    let finished = fs::read(&path).unwrap();
    let assert_rejected = || {
        let error = checkpointer(&path).read(&survey).unwrap_err().to_string();
        assert!(error.contains("counts"), "{error}");
    };
    // The numbers of a line: goats on the board, wins of the tigers, wins of the goats, draws, plies of the tigers'
    // longest win, plies of the goats' longest win.
    for line in ["goats to move", "tigers to move"] {
        for number in 1..=3 {
            for change in [|count: u64| count + 1, |count: u64| count.max(1) - 1] {
                write_forged(&finished, &path, line, number, change);
                if fs::read(&path).unwrap() != finished {
                    assert_rejected();
                }
            }
        }
        write_forged(&unfinished, &path, line, 1, |_| survey.positions() + 1);
        assert_rejected();
        for number in [2, 3, 5] {
            write_forged(&unfinished, &path, line, number, |_| 1);
            assert_rejected();
        }
        for bytes in [&finished, &unfinished] {
            write_forged(bytes, &path, line, 1, |count| count);
            assert!(checkpointer(&path).read(&survey).unwrap().is_some());
        }
    }
}

#[test]
fn detects_damage_and_keeps_foreign_files() {
    let (_folder, path) = folder();
    assert!(run_to_stage(&survey("2"), &path, 2, None));
    let whole = fs::read(&path).unwrap();
    let error = |survey: &MovementSurvey| run(survey, &path).unwrap_err().to_string();
    // Every 97th byte: it suffices to damage each part with its own checksum, the header and every frame.
    for at in (0..whole.len()).step_by(97).chain([8, 12, whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let why = error(&survey("2"));
        let expected = match at {
            0..8 => "is no survey",
            8..12 => "has version",
            _ => "is damaged",
        };
        assert!(why.contains(expected), "byte {at}: {why}");
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    for length in [1, 15, 16, 40, whole.len() - 9, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(error(&survey("2")).contains("small.survey is "), "{length}");
    }
    fs::write(&path, &whole).unwrap();
    assert!(error(&survey("1")).contains("is a survey of another game"));
    fs::write(&path, "game mine\n").unwrap();
    assert!(error(&survey("2")).contains("is no survey"));
    assert_eq!(fs::read(&path).unwrap(), b"game mine\n");
}

#[test]
fn verifies_wins_of_finished_survey() {
    let survey = survey("2");
    let (_folder, path) = folder();
    assert!(run_to_stage(&survey, &path, 2, None));
    let unfinished = survey.verify(&path, 1000, 1).unwrap();
    assert!(matches!(unfinished, VerifiedSurvey::Unfinished));
    fs::remove_file(&path).unwrap();
    run(&survey, &path).unwrap();
    let finished = fs::read(&path).unwrap();
    let result = checkpointer(&path).read(&survey).unwrap().unwrap();
    let VerifiedSurvey::Whole(found, 2000) = survey.verify(&path, 1000, 1).unwrap() else {
        panic!("no wins are kept")
    };
    assert_eq!(
        found.start,
        survey.result(result.survey_state).unwrap().start
    );

    // Writes the file again with changed values or wins, and returns the error.
    let error = |change: fn(&mut SurveyState, &mut Wins)| {
        fs::write(&path, &finished).unwrap();
        let mut state = checkpointer(&path)
            .read(&survey)
            .unwrap()
            .unwrap()
            .survey_state;
        let mut sides = Vec::new();
        let mut keep = |wins: &Wins| {
            let [goats, tigers] = &wins.positions;
            sides.push(Wins {
                winner: wins.winner,
                positions: [goats.clone(), tigers.clone()],
                blocks: wins.blocks.clone(),
            });
            Ok(())
        };
        checkpointer(&path).visit_wins(&survey, &mut keep).unwrap();
        for wins in &mut sides {
            change(&mut state, wins);
        }
        let mut checkpointer = checkpointer(&path);
        for wins in &sides {
            let words = wins.blocks.len();
            let cubes = |set| {
                let positions = wins.positions.each_ref();
                positions.map(|words_of_side| words_of_side[set * words..][..words].to_vec())
            };
            let content = Content::Side(wins.winner, &cubes);
            checkpointer.write(&survey, &state, &content, None).unwrap();
        }
        let error = survey.verify(&path, 20_000, 1).unwrap_err();
        error.to_string()
    };
    let values = error(|state, _| state.values[0] = Verdict::Win(Side::P1, 99));
    assert!(values.contains("the start has value "), "{values}");
    let counts = error(|_, wins| {
        let word = wins.positions[1]
            .iter_mut()
            .find(|word| !word.is_none())
            .unwrap();
        *word = Word512::NONE;
    });
    assert!(counts.contains("are stored"), "{counts}");
    let consistency = error(|_, wins| wins.positions.swap(0, 1));
    assert!(
        consistency.contains("small.survey is inconsistent"),
        "{consistency}"
    );
}
