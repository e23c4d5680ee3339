//! Tests of packing, of damaged bytes, and of wins with each number of plies that tables can store.

use std::collections::HashMap;

use super::*;
use crate::games::hunt::board::AADU_PULI;
use crate::oracle::Verdict;
use crate::random::Random;
use crate::solve::bitset::layer::TableGame;
use crate::solve::bitset::movement;
use crate::solve::bitset::ply_positions::SparsePositions;
use crate::solve::bitset::position_list::PositionList;
use crate::solve::tables::file;
use crate::solve::tables::reader::LayerFile;

/// Returns a random list of words.
fn random_positions(random: &mut Random) -> SparsePositions {
    let mut found = SparsePositions::default();
    let mut outer = 0;
    for _ in 0..random.u32(..200) {
        let max_skipped = 1 << random.u32(..20);
        outer += random.u32(..max_skipped);
        let mut word = Word512::NONE;
        for lane in &mut word.0 {
            // Empty, sparse and full lanes.
            let sparse = random.u64(..) & random.u64(..) & random.u64(..) & random.u64(..);
            *lane = [0, sparse, random.u64(..), u64::MAX][random.index(4)];
        }
        found.push(outer, word);
        outer += 1;
    }
    found
}

#[test]
fn unpacking_inverts_packing() {
    let mut generator = Random::new(1);
    for _ in 0..300 {
        let found = random_positions(&mut generator);
        let bytes = pack(&found.outers, &found.words);
        let mut words = Unpacked::new(&bytes);
        let unpacked: Vec<(u32, Word512)> = words.by_ref().collect();
        assert!(words.is_exhausted());
        assert_eq!(unpacked, found.iter().collect::<Vec<_>>());
        if !bytes.is_empty() {
            let mut cut = Unpacked::new(&bytes[..bytes.len() - 1]);
            assert!(cut.by_ref().count() < unpacked.len() && !cut.is_exhausted());
        }
    }
    // A number without an end.
    let mut unending = Unpacked::new(&[0xff; 9]);
    assert_eq!(unending.next(), None);
    assert!(!unending.is_exhausted());
}

/// Writes tables with invented verdicts and checks their content: one win of the tigers in each number of plies
/// from 1 to `max_plies`, and wins of the goats in 0 to 8 plies. Returns the encoding of the tables.
fn make_tables_with_wins(max_plies: u32) -> Result<VerdictEncoding, EngineError> {
    let (board, goats) = (&*AADU_PULI, 2);
    let (table_game, ranking) = (TableGame { board, goats }, Ranking::new(board));
    let layer_id = |tigers_to_move| LayerId {
        table_game,
        hand: 0,
        tigers_to_move,
    };
    let folder = tempfile::tempdir().unwrap();
    let blocks = movement::blocks(&ranking, &table_game);
    let mut journal = PlyJournal::open(folder.path(), &layer_id(false), &ranking, &blocks, None)?;
    let mut expected_wins = HashMap::new();
    for (number, winner, plies) in (0..max_plies)
        .map(|number| (number, Side::P2, number + 1))
        .chain((0..9).map(|plies| (400 + plies, Side::P1, plies)))
    {
        let empty = PositionList::Sparse(SparsePositions::default());
        let mut positions = vec![empty; ranking.sets.len()];
        let set = number as usize % positions.len();
        // Each number has a different pair of points with goats, with an inner and an outer digit.
        let (inner, outer) = (number % 9, 1 << (number / 9 % 11));
        let mut word = Word512::NONE;
        let bit = 1_usize << inner;
        word.0[bit / 64] = 1 << (bit % 64);
        let mut only = SparsePositions::default();
        only.push(outer, word);
        // A list may be packed, too.
        positions[set] = PositionList::of(&only, number as usize % 2, None).unwrap();
        let found = PlyWins {
            winner,
            plies,
            positions: &positions,
        };
        journal.add(&found)?;
        let goats = outer << DIMENSIONS | 1 << inner;
        expected_wins.insert((found.tigers_to_move(), set, goats), (winner, plies));
    }
    let sets = 0..1_u32 << ranking.dimensions;
    let pairs: Vec<u32> = sets.filter(|goats| goats.count_ones() == 2).collect();
    for tigers_to_move in [false, true] {
        let layer_id = layer_id(tigers_to_move);
        let layer_source = journal.layer(&ranking, &table_game, tigers_to_move);
        file::write(folder.path(), &layer_id, &ranking, &layer_source, &[])?;
        let file = LayerFile::open(folder.path(), layer_id, &ranking)?.unwrap();
        let layer = file.load(&ranking)?;
        for set in 0..ranking.sets.len() {
            for &goats in &pairs {
                let value = layer.value(set, goats).unwrap();
                let expected = expected_wins.get(&(tigers_to_move, set, goats)).copied();
                assert_eq!(
                    layer.encoding.verdict(value, tigers_to_move),
                    Verdict::of_win(expected),
                    "{set} {goats:x}"
                );
            }
        }
    }
    Ok(journal.layer(&ranking, &table_game, false).encoding())
}

#[test]
fn long_wins_use_bytes_of_other_side() {
    assert_eq!(make_tables_with_wins(200).unwrap(), VerdictEncoding::EVEN);
    let wide = make_tables_with_wins(399).unwrap();
    assert!(wide.draw() > 210, "{wide:?}");
    let error = make_tables_with_wins(500).unwrap_err();
    assert!(error.0.contains("more than tables can store"), "{error}");
}
