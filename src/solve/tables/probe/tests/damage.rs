//! Tests that a probe of a damaged file returns the true verdict or an error, but never a wrong verdict.

use std::fs;

use super::*;
use crate::random::Random;

const GOATS: u32 = 1;

/// Probes every position of the game with one goat: the goat is on any point or in hand.
fn probe_all(tables: &Tables) -> Vec<Result<Option<Verdict>, EngineError>> {
    let mut verdicts = Vec::new();
    for set in &tables.ranking.sets {
        let goats = (0..tables.ranking.dimensions).map(|d| (set.goats(1 << d), 0));
        for (goats, hand) in goats.chain([(0, 1)]) {
            for tigers_to_move in [false, true] {
                verdicts.push(tables.probe(&Position {
                    tigers: set.tigers,
                    goats,
                    hand,
                    tigers_to_move,
                    ..Position::default()
                }));
            }
        }
    }
    verdicts
}

#[test]
fn flipped_byte_is_reported_and_never_used() {
    let folder = solve(GOATS, GOATS);
    let truth = probe_all(&open(folder.path()));
    assert!(truth.iter().all(Result::is_ok));
    let mut random = Random::new(1);
    for layer_id in LayerId::stored(TableGame {
        board: &AADU_PULI,
        goats: GOATS,
    }) {
        let path = layer_id.path(folder.path());
        let undamaged = fs::read(&path).unwrap();
        for _ in 0..40 {
            let mut damaged = undamaged.clone();
            damaged[random.index(undamaged.len())] ^= 1 << random.u32(..8);
            fs::write(&path, damaged).unwrap();
            let (tables, errors) = Tables::open(folder.path(), &AADU_PULI).unwrap();
            let verdicts = probe_all(&tables);
            let failed = verdicts.iter().filter(|verdict| verdict.is_err()).count();
            assert!(failed + errors.len() > 0, "{}", path.display());
            for (verdict, truth) in verdicts.iter().zip(&truth) {
                // A file with a damaged header is unusable, so its positions have no verdict.
                assert!(
                    verdict == truth
                        || verdict.is_err()
                        || verdict == &Ok(None) && !errors.is_empty()
                );
            }
        }
        fs::write(&path, undamaged).unwrap();
    }
    assert_eq!(probe_all(&open(folder.path())), truth);
}

#[test]
fn reports_gap_but_not_unsolved_layers() {
    let folder = solve(GOATS, GOATS);
    let layer_ids: Vec<LayerId> = LayerId::stored(TableGame {
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
