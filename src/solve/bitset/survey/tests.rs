//! Tests of checkpoints: a survey resumed at any stage has the same result, and foreign files stay unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;
use crate::games::hunt::board::with_rules;

/// Returns a small game that either side can win.
fn survey(captures: &str) -> Survey {
    let rules = [
        ("hunters", "2"),
        ("prey", "11 at b1 b3 c1 c2 c3 c4 c5 d1 d2 d3 e1"),
        ("captures", captures),
    ];
    Survey::new(Hunt::new(with_rules("pulijudamu", &rules))).unwrap()
}

fn checkpoint(path: &Path) -> Checkpointer {
    Checkpointer::new(path, Duration::MAX)
}

/// Every ninth of about ninety stages is tested.
const STRIDE: usize = 9;

/// Runs or resumes a survey. Returns its result as text, and the stage from which it resumed.
fn run(survey: &Survey, path: &Path) -> Result<(String, Vec<Option<Stage>>), EngineError> {
    let kept = checkpoint(path).read(survey)?;
    let stages = kept.iter().map(Checkpoint::stage).collect();
    let means = SurveyContext {
        watch: &mut |_| (),
        checks: 1000,
        checkpoint: Some(checkpoint(path)),
        plies: None,
    };
    let surveyed = survey.told(survey.run(kept, means)?)?;
    Ok((format!("{surveyed:?}"), stages))
}

/// Stops at a given stage, after writing a checkpoint.
struct Killer<'a, 'b> {
    surveyor: SurveyRecorder<'a, 'b>,
    stages_left: usize,
    path: &'a Path,
}

impl AnalysisObserver for Killer<'_, '_> {
    fn ply(&mut self, found: &Found) -> Result<(), EngineError> {
        self.surveyor.ply(found)
    }

    fn stage(&mut self, wave: &RetrogradeState) -> Result<(), EngineError> {
        if let Some(left) = self.stages_left.checked_sub(1) {
            self.stages_left = left;
            return Ok(());
        }
        let SurveyRecorder {
            survey,
            record,
            means,
            ..
        } = &mut self.surveyor;
        checkpoint(self.path).write(survey, record, Some(wave), means.plies.as_deref_mut())?;
        Err(EngineError::new("killed"))
    }

    fn side(&mut self, wins: &Wins) -> Result<(), EngineError> {
        self.surveyor.side(wins)
    }
}

/// Runs a survey up to stage `number` and writes a checkpoint. Returns `false` if there is no such stage.
pub fn cut_short(
    survey: &Survey,
    path: &Path,
    number: usize,
    plies: Option<&mut PlyJournal>,
) -> bool {
    let mut killer = Killer {
        surveyor: SurveyRecorder {
            survey,
            counter: Counter::new(&survey.ranking),
            record: &mut survey.nothing_found(),
            means: &mut SurveyContext {
                watch: &mut |_| (),
                checks: 1000,
                checkpoint: None,
                plies,
            },
        },
        stages_left: number,
        path,
    };
    movement::find_wins(&survey.ranking, &survey.scope, None, &mut killer).is_err()
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.survey");
    (folder, path)
}

#[test]
fn a_survey_that_was_cut_short_anywhere_ends_as_it_would_have() {
    let survey = survey("2");
    let (_folder, path) = folder();
    let (expected, resumed) = run(&survey, &path).unwrap();
    assert_eq!(resumed, []);
    // A finished survey is read from its file.
    assert_eq!(run(&survey, &path).unwrap(), (expected.clone(), vec![None]));
    let mut winners = Vec::new();
    for number in (0..).step_by(STRIDE) {
        fs::remove_file(&path).unwrap();
        if !cut_short(&survey, &path, number, None) {
            break;
        }
        let (told, resumed) = run(&survey, &path).unwrap();
        assert_eq!(told, expected, "stage {number}");
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

/// Writes a changed number into the text of a checkpoint, with a right checksum.
fn forged(whole: &[u8], path: &Path, line: &str, number: usize, change: impl Fn(u64) -> u64) {
    fs::write(path, whole).unwrap();
    let source = crate::durable::Source::open(path).unwrap();
    let (text, length) = KIND.read(&source).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let at = lines
        .iter()
        .position(|other| other.starts_with(line))
        .unwrap();
    let mut words: Vec<String> = lines[at].split(' ').map(String::from).collect();
    let number = words.len() - 6 + number;
    words[number] = change(words[number].parse().unwrap()).to_string();
    lines[at] = words.join(" ");
    let mut bytes = KIND.header(&(lines.join("\n") + "\n"));
    bytes.extend(&whole[length..]);
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_forged_count_is_refused_though_its_checksum_is_right() {
    let survey = survey("2");
    let (_folder, path) = folder();
    assert!(cut_short(&survey, &path, 2, None));
    let unfinished = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    run(&survey, &path).unwrap();
    let finished = fs::read(&path).unwrap();
    let refused = || {
        let refusal = checkpoint(&path).read(&survey).unwrap_err().to_string();
        assert!(refusal.contains("counts"), "{refusal}");
    };
    // Numbers per line: goats on the board, wins of the tigers and of the goats, draws, longest wins.
    for line in ["goats to move", "tigers to move"] {
        for number in 1..=3 {
            for change in [|count: u64| count + 1, |count: u64| count.max(1) - 1] {
                forged(&finished, &path, line, number, change);
                if fs::read(&path).unwrap() != finished {
                    refused();
                }
            }
        }
        forged(&unfinished, &path, line, 1, |_| survey.positions() + 1);
        refused();
        for number in [2, 3, 5] {
            forged(&unfinished, &path, line, number, |_| 1);
            refused();
        }
        for whole in [&finished, &unfinished] {
            forged(whole, &path, line, 1, |count| count);
            assert!(checkpoint(&path).read(&survey).unwrap().is_some());
        }
    }
}

#[test]
fn damage_is_found_and_a_file_of_something_else_is_left_alone() {
    let (_folder, path) = folder();
    assert!(cut_short(&survey("2"), &path, 2, None));
    let whole = fs::read(&path).unwrap();
    let refusal = |survey: &Survey| run(survey, &path).unwrap_err().to_string();
    // Testing every byte would take long: the text has one checksum, and every frame has one.
    for at in (0..whole.len()).step_by(97).chain([8, 12, whole.len() - 1]) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let why = refusal(&survey("2"));
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
        assert!(
            refusal(&survey("2")).contains("small.survey is "),
            "{length}"
        );
    }
    fs::write(&path, &whole).unwrap();
    assert!(refusal(&survey("1")).contains("is a survey of another game"));
    fs::write(&path, "game mine\n").unwrap();
    assert!(refusal(&survey("2")).contains("is no survey"));
    assert_eq!(fs::read(&path).unwrap(), b"game mine\n");
}
