//! 2048 as a GUI shows it, tile by tile where it slides, and its rules in words.

use super::Twenty48;
use super::board::{Board, Direction, LARGEST};
use super::rules::{Move, Position, TILES, WINNING};
use crate::scene::{
    self, EndReason, Ending, Footprint, GameInfo, Group, Piece, Scene, SceneProvider, Slides,
    cell_name,
};

impl SceneProvider for Twenty48 {
    fn about(&self) -> GameInfo {
        let title = match (self.rows(), self.columns()) {
            (4, 4) => "2048".into(),
            (rows, columns) => format!("2048 on {rows}×{columns}"),
        };
        let names = || vec!["player".to_string(), "tiles".to_string()];
        GameInfo {
            title,
            group: Group::Numbers,
            players: names(),
            each: vec!["player".into(), "tile".into()],
            rules: vec![
                "You slide all tiles at once: up, down, left or right, as far as they go.".into(),
                "Two equal tiles that meet become one with their sum, once a slide; the sum is added to your score.".into(),
                "After every slide a new tile comes to an empty cell, drawn at random: a 2 nine times in ten, else a 4. The \
                 game begins with two of them."
                    .into(),
                "A slide has to move something. The game is over when none can.".into(),
                format!("Who has made a tile of {} has won, and may go on for a higher score.", 1 << WINNING),
            ],
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let board = scene::Board::Tiles {
            rows: self.rows(),
            columns: self.columns(),
            slides: Slides::All {
                target: 1 << WINNING,
            },
        };
        let cells = (0..self.rows())
            .flat_map(|row| (0..self.columns()).map(move |column| 4 * row + column));
        let tiles = cells.filter_map(|cell| {
            let power = position.board.power(cell);
            (power > 0).then(|| Piece::tile(1 << power, self.name(cell)))
        });
        Scene {
            score: Some(position.score.into()),
            ..Scene::new(board, tiles.collect())
        }
    }

    fn footprint(&self, position: &Position, m: Move) -> Footprint {
        if let Some(direction) = m.direction() {
            let travels = self.travels(position.board, direction);
            return Footprint {
                slides: travels
                    .into_iter()
                    .map(|(from, to)| (self.name(from), self.name(to)))
                    .collect(),
                gain: Some(self.slides.slide(position.board, direction).1),
                ..Footprint::default()
            };
        }
        let empty = self.empty_cells(position.board).count().max(1);
        let chance = TILES.iter().find(|(power, _)| *power == m.power());
        Footprint {
            value: Some(1 << m.power()),
            chance: chance.map(|(_, chance)| chance / empty as f64),
            ..Footprint::drop(self.name(m.cell()))
        }
    }

    fn ending(&self, _position: &Position) -> Ending {
        EndReason::Stuck.into()
    }
}

impl Twenty48 {
    fn name(&self, cell: usize) -> String {
        cell_name(self.rows(), cell / 4, cell % 4)
    }

    /// The cells of each line, from the edge that the tiles slide to.
    fn lines_from(&self, direction: Direction) -> Vec<Vec<usize>> {
        let (rows, columns) = (self.rows(), self.columns());
        let upright = matches!(direction, Direction::Up | Direction::Down);
        let (lines, length) = if upright {
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

    /// Where every tile that moves or merges comes from and goes to.
    fn travels(&self, board: Board, direction: Direction) -> Vec<(usize, usize)> {
        let mut travels = Vec::new();
        for line in self.lines_from(direction) {
            // Where the last tile came from and lies now, while another may still merge with it.
            let mut open: Option<(usize, usize)> = None;
            let mut targets = line.iter().copied();
            for from in line.iter().copied().filter(|&cell| board.power(cell) > 0) {
                let power = board.power(from);
                if let Some((first, to)) =
                    open.filter(|&(first, _)| board.power(first) == power && power < LARGEST)
                {
                    if first == to {
                        travels.push((first, to));
                    }
                    travels.push((from, to));
                    open = None;
                } else if let Some(to) = targets.next() {
                    if from != to {
                        travels.push((from, to));
                    }
                    open = Some((from, to));
                }
            }
        }
        travels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The board that these travels make, the tiles that do not travel staying where they are.
    fn carried_out(game: &Twenty48, board: Board, travels: &[(usize, usize)]) -> Board {
        let mut after = Board::default();
        for cell in (0..16).filter(|&cell| board.power(cell) > 0) {
            let journey = travels.iter().find(|(from, _)| *from == cell);
            let to = journey.map_or(cell, |&(_, to)| to);
            let others = travels.iter().filter(|(_, other)| *other == to).count();
            let power = board.power(cell) + u8::from(others == 2);
            if after.power(to) == 0 {
                after = after.with(to, power);
            }
        }
        assert!(game.rows() <= 4);
        after
    }

    proptest! {
        #[test]
        fn the_tiles_travel_to_where_the_rules_put_them(bits: u64, rows in 2..=4usize, columns in 2..=4usize) {
            let game = Twenty48::new(rows, columns, None);
            let mut board = Board::default();
            for cell in (0..16).filter(|cell| cell / 4 < rows && cell % 4 < columns) {
                // Few different tiles, so that many merge.
                let power = [0, 1, 1, 2, 3, 0, LARGEST, 2][(bits >> (3 * cell) & 7) as usize];
                if power > 0 {
                    board = board.with(cell, power);
                }
            }
            for direction in Direction::ALL {
                let travels = game.travels(board, direction);
                let (after, _) = game.slides.slide(board, direction);
                prop_assert_eq!(carried_out(&game, board, &travels), after);
                prop_assert_eq!(travels.is_empty(), after == board);
            }
        }
    }
}
