//! Damaged tables give true values or an error.

use std::fs;

use super::*;
use crate::random::Random;

const GOATS: u32 = 1;

/// Probes every position of the tables' game.
fn all_answers(tables: &Tables) -> Vec<Result<Option<Verdict>, EngineError>> {
    let mut answers = Vec::new();
    for set in &tables.ranking.sets {
        let goats = (0..tables.ranking.dimensions).map(|d| (set.goats(1 << d), 0));
        for (goats, hand) in goats.chain([(0, 1)]) {
            for tigers_to_move in [false, true] {
                answers.push(tables.probe(&Position {
                    tigers_hand: 0,
                    tigers: set.tigers,
                    goats,
                    hand,
                    tigers_to_move,
                }));
            }
        }
    }
    answers
}

#[test]
fn flipped_byte_is_reported_and_never_used() {
    let folder = solve(GOATS, GOATS);
    let truth = all_answers(&open(folder.path()));
    assert!(truth.iter().all(Result::is_ok));
    let mut random = Random::new(1);
    for layer_id in LayerId::stored(Scope {
        board: &AADU_PULI,
        goats: GOATS,
    }) {
        let path = layer_id.path(folder.path());
        let sound = fs::read(&path).unwrap();
        for _ in 0..40 {
            let mut damaged = sound.clone();
            damaged[random.index(sound.len())] ^= 1 << random.u32(..8);
            fs::write(&path, damaged).unwrap();
            let (tables, errors) = Tables::open(folder.path(), &AADU_PULI).unwrap();
            let answers = all_answers(&tables);
            let refused = answers.iter().filter(|answer| answer.is_err()).count();
            assert!(refused + errors.len() > 0, "{}", path.display());
            for (answer, truth) in answers.iter().zip(&truth) {
                // A layer that is not used makes its positions unknown.
                assert!(
                    answer == truth || answer.is_err() || answer == &Ok(None) && !errors.is_empty()
                );
            }
        }
        fs::write(&path, sound).unwrap();
    }
    assert_eq!(all_answers(&open(folder.path())), truth);
}

#[test]
fn reports_gap_but_not_unsolved_layers() {
    let folder = solve(GOATS, GOATS);
    let layer_ids: Vec<LayerId> = LayerId::stored(Scope {
        board: &AADU_PULI,
        goats: GOATS,
    })
    .collect();
    let [first, .., last] = &layer_ids[..] else {
        panic!("{layer_ids:?}");
    };
    fs::remove_file(last.path(folder.path())).unwrap();
    let (_, errors) = Tables::open(folder.path(), &AADU_PULI).unwrap();
    assert_eq!(errors, []);
    fs::remove_file(first.path(folder.path())).unwrap();
    let (_, errors) = Tables::open(folder.path(), &AADU_PULI).unwrap();
    assert!(
        matches!(&errors[..], [one] if one.0.ends_with("is missing")),
        "{errors:?}"
    );
}
