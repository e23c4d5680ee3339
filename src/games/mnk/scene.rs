//! Describes the rules and positions of the m,n,k games for graphical interfaces.

use super::rules::{Mnk, Move, Position};
use crate::rules::Notation;
use crate::scene::{
    Board, EndReason, Ending, GameInfo, Group, Message, MoveChanges, Piece, Scene, SceneProvider,
};
use crate::value::Side;

impl<const WORDS: usize> SceneProvider for Mnk<WORDS> {
    fn about(&self) -> GameInfo {
        let (rows, columns, length) = (self.rows, self.columns, self.length);
        let title = match (rows, columns, length) {
            (3, 3, 3) => Message::name("Tic-tac-toe"),
            (15 | 19, 15 | 19, 5) if rows == columns => Message::new(
                "gomoku-size",
                [("rows", rows.into()), ("columns", columns.into())],
                format!("Gomoku, {rows}×{columns}"),
            ),
            _ => Message::new(
                "in-a-row",
                [
                    ("length", length.into()),
                    ("rows", rows.into()),
                    ("columns", columns.into()),
                ],
                format!("{length} in a row on {rows}×{columns}"),
            ),
        };
        let names = || vec!["X".to_string(), "O".to_string()];
        GameInfo {
            title,
            group: Group::Lines,
            players: names(),
            singular_players: names(),
            rules: vec![
                Message::new(
                    "grid-turns",
                    [("rows", rows.into()), ("columns", columns.into())],
                    format!(
                        "X and O take turns on a board of {rows} rows and {columns} columns. X moves first."
                    ),
                ),
                Message::new(
                    "grid-move",
                    [],
                    "A move puts your mark on an empty cell. Marks are never moved or removed.",
                ),
                Message::new(
                    "row-wins",
                    [("length", length.into())],
                    format!(
                        "The first player with {length} or more marks in a row wins. The row can be horizontal, vertical or diagonal."
                    ),
                ),
                Message::new(
                    "full-board-draws",
                    [],
                    "If the board is full and neither player has won, the game is a draw.",
                ),
            ],
        }
    }

    fn scene(&self, position: &Position<WORDS>) -> Scene {
        let board = Board::Grid {
            rows: self.rows,
            columns: self.columns,
            length: self.length,
        };
        let sides = [(Side::P1, "X"), (Side::P2, "O")];
        let owner = |cell| {
            let mut owners = sides.iter().zip(&position.stones);
            let found = owners.find(|(_, stones)| stones.contains(cell));
            found.map(|(&side, _)| side)
        };
        let pieces = (0..self.rows * self.columns).filter_map(|cell| {
            owner(cell).map(|(side, kind)| Piece::of(side, kind, self.name(cell)))
        });
        Scene::new(board, pieces.collect())
    }

    fn append_contents(&self, position: &Position<WORDS>, out: &mut Vec<i8>) {
        let [own, other] = &position.stones;
        let content = |cell| i8::from(own.contains(cell)) - i8::from(other.contains(cell));
        out.extend((0..self.rows * self.columns).map(content));
    }

    fn move_changes(&self, _position: &Position<WORDS>, m: Move) -> MoveChanges {
        MoveChanges::drop(self.name(m.0.into()))
    }

    fn ending(&self, position: &Position<WORDS>) -> Ending {
        if !position.won {
            return EndReason::Full.into();
        }
        let cells =
            (0..self.rows * self.columns).filter(|&cell| self.is_on_winning_line(position, cell));
        Ending {
            why: EndReason::Line,
            points: cells.map(|cell| self.name(cell)).collect(),
        }
    }
}

impl<const WORDS: usize> Mnk<WORDS> {
    /// Returns the name of a cell, such as `a1`.
    fn name(&self, cell: usize) -> String {
        // A cell is always named `a1`, also if `uses_chess_notation` makes `show_move` write
        // `P@a1`.
        let puli_notation = Self {
            uses_chess_notation: false,
            ..*self
        };
        puli_notation.show_move(Move(cell as u16))
    }

    /// Returns `true` if a cell is part of the winner's completed line, which can be longer than `length`.
    fn is_on_winning_line(&self, position: &Position<WORDS>, cell: usize) -> bool {
        let winner_stones = &position.stones[position.side().other() as usize];
        let (row, column) = (cell / self.columns, cell % self.columns);
        // Counts the winner's consecutive stones in one direction, from the next cell on.
        let run_length = |up: isize, right: isize| {
            let cell_at = |step: usize| {
                let row = row.checked_add_signed(up * step as isize)?;
                let column = column.checked_add_signed(right * step as isize)?;
                let is_on_board = row < self.rows && column < self.columns;
                is_on_board.then_some(row * self.columns + column)
            };
            (1..self.rows.max(self.columns))
                .map(cell_at)
                .take_while(|cell| cell.is_some_and(|cell| winner_stones.contains(cell)))
                .count()
        };
        winner_stones.contains(cell)
            && [(0, 1), (1, 0), (1, 1), (1, -1)]
                .into_iter()
                .any(|(up, right)| {
                    1 + run_length(up, right) + run_length(-up, -right) >= self.length
                })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Small;
    use super::*;

    #[test]
    fn ending_names_winning_cells() {
        let game = Small::default();
        for (fen, points) in [
            ("X1O/1XO/2X o", vec!["c1", "b2", "a3"]),
            ("XX1/OOO/1X1 x", vec!["a2", "b2", "c2"]),
        ] {
            let (game, position) = game.read_position(fen).unwrap();
            let ending = game.ending(&position);
            assert_eq!(ending.points, points, "{fen}");
            assert_eq!(ending.why, EndReason::Line);
        }
    }

    #[test]
    fn ending_names_overlong_lines() {
        let (game, position) = Small::default()
            .read_position("5 5 3 2O2/O1O2/XXXXX/5/O4 o")
            .unwrap();
        let ending = game.ending(&position);
        assert_eq!(ending.points, ["a3", "b3", "c3", "d3", "e3"]);
    }

    #[test]
    fn full_board_is_draw() {
        let (game, position) = Small::default().read_position("XOX/XXO/OXO o").unwrap();
        assert_eq!(game.ending(&position), EndReason::Full.into());
    }
}
