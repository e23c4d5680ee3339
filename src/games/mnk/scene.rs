//! The m,n,k games as a GUI shows them, and their rules in words.

use super::rules::{Mnk, Move, Position};
use crate::rules::Notation;
use crate::scene::{
    Board, EndReason, Ending, Footprint, GameInfo, Group, Piece, Scene, SceneProvider,
};
use crate::value::Side;

impl<const WORDS: usize> SceneProvider for Mnk<WORDS> {
    fn about(&self) -> GameInfo {
        let (rows, columns, length) = (self.rows, self.columns, self.length);
        let title = match (rows, columns, length) {
            (3, 3, 3) => "Tic-tac-toe".into(),
            (15 | 19, 15 | 19, 5) if rows == columns => format!("Gomoku, {rows}×{columns}"),
            _ => format!("{length} in a row on {rows}×{columns}"),
        };
        let names = || vec!["X".to_string(), "O".to_string()];
        GameInfo {
            title,
            group: Group::Lines,
            players: names(),
            each: names(),
            rules: vec![
                format!(
                    "X and O take turns. X begins, on a board of {rows} rows and {columns} columns."
                ),
                "In your turn you put your sign on any empty cell; it stays there.".into(),
                format!(
                    "Who first has {length} of his own in a row wins: across, up and down, or along a diagonal. More than \
                     {length} win as well."
                ),
                "When the board is full and nobody has won, the game is a draw.".into(),
            ],
        }
    }

    fn scene(&self, position: &Position<WORDS>) -> Scene {
        let board = Board::Grid {
            rows: self.rows,
            columns: self.columns,
            length: self.length,
        };
        let owners = [(Side::P1, "X"), (Side::P2, "O")];
        let owner = |cell| {
            let mut sides = owners.iter().zip(&position.stones);
            let found = sides.find(|(_, stones)| stones.contains(cell));
            found.map(|(&owner, _)| owner)
        };
        let cells = (0..self.rows * self.columns).filter_map(|cell| {
            owner(cell).map(|(side, kind)| Piece::of(side, kind, self.name(cell)))
        });
        Scene::new(board, cells.collect())
    }

    fn footprint(&self, _position: &Position<WORDS>, m: Move) -> Footprint {
        Footprint::drop(self.name(m.0.into()))
    }

    fn ending(&self, position: &Position<WORDS>) -> Ending {
        if !position.won {
            return EndReason::Full.into();
        }
        let cells = (0..self.rows * self.columns).filter(|&cell| self.is_on_a_line(position, cell));
        Ending {
            why: EndReason::Line,
            points: cells.map(|cell| self.name(cell)).collect(),
        }
    }
}

impl<const WORDS: usize> Mnk<WORDS> {
    fn name(&self, cell: usize) -> String {
        let plain = Self {
            speaks_chess: false,
            ..*self
        };
        plain.show_move(Move(cell as u16))
    }

    /// Whether a cell is one of those in a row that have won.
    fn is_on_a_line(&self, position: &Position<WORDS>, cell: usize) -> bool {
        let winners = &position.stones[position.side().other() as usize];
        let (row, column) = (cell / self.columns, cell % self.columns);
        let run = |up: isize, right: isize| {
            let along = |step: usize| {
                let row = row.checked_add_signed(up * step as isize)?;
                let column = column.checked_add_signed(right * step as isize)?;
                let inside = row < self.rows && column < self.columns;
                inside.then_some(row * self.columns + column)
            };
            (1..self.rows.max(self.columns))
                .map(along)
                .take_while(|cell| cell.is_some_and(|cell| winners.contains(cell)))
                .count()
        };
        winners.contains(cell)
            && [(0, 1), (1, 0), (1, 1), (1, -1)]
                .into_iter()
                .any(|(up, right)| 1 + run(up, right) + run(-up, -right) >= self.length)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Small;
    use super::*;

    #[test]
    fn the_cells_that_have_won_are_named_and_no_others() {
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
    fn two_lines_at_once_and_a_long_one_are_named_whole() {
        let (game, position) = Small::default()
            .read_position("5 5 3 2O2/O1O2/XXXXX/5/O4 o")
            .unwrap();
        let ending = game.ending(&position);
        assert_eq!(ending.points, ["a3", "b3", "c3", "d3", "e3"]);
    }

    #[test]
    fn a_full_board_is_told_from_a_line() {
        let (game, position) = Small::default().read_position("XOX/XXO/OXO o").unwrap();
        assert_eq!(game.ending(&position), EndReason::Full.into());
    }
}
