//! The board, the pieces and the rules text of missionaries and cannibals for a GUI.

use super::{Crossing, Position, River};
use crate::scene::{
    Board, EndReason, Ending, GameInfo, Group, Message, MoveChanges, Piece, Scene, SceneProvider,
};

const BANKS: [&str; 2] = ["left", "right"];

impl SceneProvider for River {
    fn about(&self) -> GameInfo {
        let (missionaries, cannibals, seats) = (self.missionaries, self.cannibals, self.seats);
        GameInfo {
            title: Message::name("Missionaries and cannibals"),
            group: Group::Puzzles,
            players: vec!["solver".into()],
            singular_players: vec!["solver".into()],
            rules: vec![
                Message::new(
                    "river-people",
                    [
                        ("missionaries", missionaries.into()),
                        ("cannibals", cannibals.into()),
                    ],
                    format!(
                        "{missionaries} missionaries and {cannibals} cannibals stand on the left bank of a river and want to cross to the right bank."
                    ),
                ),
                Message::new(
                    "river-boat",
                    [("seats", seats.into())],
                    format!("The boat holds {seats} and never crosses empty."),
                ),
                Message::new(
                    "river-safety",
                    [],
                    "Wherever there are missionaries, cannibals must not outnumber them: on neither bank, nor in the boat.",
                ),
                Message::new(
                    "river-goal",
                    [],
                    "Bring all people to the right bank in as few crossings as possible.",
                ),
            ],
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let Position {
            missionaries,
            cannibals,
            boat_left,
        } = *position;
        let board = Board::River {
            missionaries: self.missionaries,
            cannibals: self.cannibals,
            seats: self.seats,
            boat_left,
        };
        let on_left = [missionaries, cannibals];
        let on_right = [self.missionaries - missionaries, self.cannibals - cannibals];
        let banks = BANKS.into_iter().zip([on_left, on_right]);
        let pieces = banks.flat_map(|(bank, [missionaries, cannibals])| {
            [
                Piece::crowd(missionaries, "missionary", bank),
                Piece::crowd(cannibals, "cannibal", bank),
            ]
        });
        Scene::new(board, pieces.collect())
    }

    fn append_contents(&self, position: &Position, out: &mut Vec<i8>) {
        let people = [position.missionaries, position.cannibals];
        out.extend(people.map(|count| count as i8));
        out.push(position.boat_left.into());
    }

    fn move_changes(&self, position: &Position, m: Crossing) -> MoveChanges {
        let [left, right] = BANKS.map(String::from);
        let crossing = if position.boat_left {
            MoveChanges::step(left, right)
        } else {
            MoveChanges::step(right, left)
        };
        MoveChanges {
            crew: Some([m.missionaries, m.cannibals]),
            ..crossing
        }
    }

    fn ending(&self, _position: &Position) -> Ending {
        EndReason::Solved.into()
    }
}
