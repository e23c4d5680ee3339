//! Describes the rules, positions and moves of 2048 for graphical interfaces.

use super::Twenty48;
use super::board::{Board, Direction, MAX_POWER};
use super::rules::{Move, Position, TILE_PROBABILITIES, WINNING_POWER};
use crate::scene::{
    self, EndReason, Ending, GameInfo, Group, Message, MoveChanges, Piece, Scene, SceneProvider,
    Slides, cell_name,
};

impl SceneProvider for Twenty48 {
    fn about(&self) -> GameInfo {
        let target: u32 = 1 << WINNING_POWER;
        let title = match (self.rows(), self.columns()) {
            (4, 4) => Message::name("2048"),
            (rows, columns) => Message::new(
                "2048-size",
                [("rows", rows.into()), ("columns", columns.into())],
                format!("2048 on {rows}×{columns}"),
            ),
        };
        let names = || vec!["player".to_string(), "tiles".to_string()];
        GameInfo {
            title,
            group: Group::Numbers,
            players: names(),
            singular_players: vec!["player".into(), "tile".into()],
            rules: vec![
                Message::new(
                    "2048-slide",
                    [],
                    "A slide moves all tiles up, down, left or right as far as possible.",
                ),
                Message::new(
                    "2048-merge",
                    [],
                    "Two equal tiles that meet merge into their sum, which is added to your score. A tile merges at most once per slide.",
                ),
                Message::new(
                    "2048-appear",
                    [],
                    "After each slide a random tile appears on a random empty cell: 2 with probability 90%, 4 with 10%. The game \
                     starts with two tiles.",
                ),
                Message::new(
                    "2048-end",
                    [],
                    "A slide must move or merge at least one tile. The game is over if no slide can.",
                ),
                Message::new(
                    "2048-win",
                    [("target", target.into())],
                    format!(
                        "The player wins by making a tile of {target} and can continue for a higher score."
                    ),
                ),
            ],
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let board = scene::Board::Tiles {
            rows: self.rows(),
            columns: self.columns(),
            slides: Slides::All {
                target: 1 << WINNING_POWER,
            },
        };
        let tiles = self.cells().filter_map(|cell| {
            let power = position.board.power(cell);
            (power > 0).then(|| Piece::tile(1 << power, self.name(cell)))
        });
        Scene {
            score: Some(position.score.into()),
            ..Scene::new(board, tiles.collect())
        }
    }

    fn append_contents(&self, position: &Position, out: &mut Vec<i8>) {
        out.extend(self.cells().map(|cell| position.board.power(cell) as i8));
    }

    fn move_changes(&self, position: &Position, m: Move) -> MoveChanges {
        if let Some(direction) = m.direction() {
            let tile_moves = self.tile_moves(position.board, direction);
            return MoveChanges {
                slides: tile_moves
                    .into_iter()
                    .map(|(from, to)| (self.name(from), self.name(to)))
                    .collect(),
                gain: Some(self.slides.slide(position.board, direction).1),
                ..MoveChanges::default()
            };
        }
        let empty = self.empty_cells(position.board).count().max(1);
        let probability = TILE_PROBABILITIES
            .iter()
            .find(|(power, _)| *power == m.power());
        MoveChanges {
            value: Some(1 << m.power()),
            chance: probability.map(|(_, probability)| probability / empty as f64),
            ..MoveChanges::drop(self.name(m.cell()))
        }
    }

    fn ending(&self, _position: &Position) -> Ending {
        EndReason::Stuck.into()
    }
}

impl Twenty48 {
    /// Returns the name of a cell, such as `a1`.
    fn name(&self, cell: usize) -> String {
        cell_name(self.rows(), cell / 4, cell % 4)
    }

    /// Returns the cells of each row or column along which the tiles slide, starting at the edge to which they slide.
    fn lines_from(&self, direction: Direction) -> Vec<Vec<usize>> {
        let (rows, columns) = (self.rows(), self.columns());
        let is_vertical = matches!(direction, Direction::Up | Direction::Down);
        let (lines, length) = if is_vertical {
            (columns, rows)
        } else {
            (rows, columns)
        };
        let cell = |line: usize, step: usize| match direction {
            Direction::Up => 4 * step + line,
            Direction::Down => 4 * (rows - 1 - step) + line,
            Direction::Left => 4 * line + step,
            Direction::Right => 4 * line + columns - 1 - step,
        };
        (0..lines)
            .map(|line| (0..length).map(|step| cell(line, step)).collect())
            .collect()
    }

    /// Returns the origin and destination of every tile that moves or merges.
    fn tile_moves(&self, board: Board, direction: Direction) -> Vec<(usize, usize)> {
        let mut tile_moves = Vec::new();
        for line in self.lines_from(direction) {
            // The origin and destination of the previous tile, or `None` if it has already merged.
            let mut previous: Option<(usize, usize)> = None;
            let mut destinations = line.iter().copied();
            for from in line.iter().copied().filter(|&cell| board.power(cell) > 0) {
                let power = board.power(from);
                if let Some((first, to)) =
                    previous.filter(|&(first, _)| board.power(first) == power && power < MAX_POWER)
                {
                    if first == to {
                        tile_moves.push((first, to));
                    }
                    tile_moves.push((from, to));
                    previous = None;
                } else if let Some(to) = destinations.next() {
                    if from != to {
                        tile_moves.push((from, to));
                    }
                    previous = Some((from, to));
                }
            }
        }
        tile_moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Applies tile moves to a board. All other tiles stay in place.
    fn apply_moves(game: &Twenty48, board: Board, tile_moves: &[(usize, usize)]) -> Board {
        let mut after = Board::default();
        for cell in (0..16).filter(|&cell| board.power(cell) > 0) {
            let tile_move = tile_moves.iter().find(|(from, _)| *from == cell);
            let to = tile_move.map_or(cell, |&(_, to)| to);
            let arrivals = tile_moves.iter().filter(|(_, other)| *other == to).count();
            let power = board.power(cell) + u8::from(arrivals == 2);
            if after.power(to) == 0 {
                after = after.with(to, power);
            }
        }
        assert!(game.rows() <= 4);
        after
    }

    proptest! {
        #[test]
        fn tile_moves_agree_with_slides(bits: u64, rows in 2..=4usize, columns in 2..=4usize) {
            let game = Twenty48::new(rows, columns, None);
            let mut board = Board::default();
            for cell in (0..16).filter(|cell| cell / 4 < rows && cell % 4 < columns) {
                // The tiles have few different powers, so that many of them merge.
                let power = [0, 1, 1, 2, 3, 0, MAX_POWER, 2][(bits >> (3 * cell) & 7) as usize];
                if power > 0 {
                    board = board.with(cell, power);
                }
            }
            for direction in Direction::ALL {
                let tile_moves = game.tile_moves(board, direction);
                let (after, _) = game.slides.slide(board, direction);
                prop_assert_eq!(apply_moves(&game, board, &tile_moves), after);
                prop_assert_eq!(tile_moves.is_empty(), after == board);
            }
        }
    }
}
