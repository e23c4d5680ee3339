//! The board, the pieces and the rules text of sliding tiles for a GUI.

use super::{Cells, Direction, Position, Tiles};
use crate::rules::Rules;
use crate::scene::{
    Board, EndReason, Ending, GameInfo, Group, Message, MoveChanges, Piece, Scene, SceneProvider,
    Slides, cell_name,
};

impl SceneProvider for Tiles {
    fn about(&self) -> GameInfo {
        let cells = self.cell_count();
        let tiles = cells - 1;
        let title = if self.width == self.height {
            Message::new(
                "tile-puzzle",
                [("tiles", tiles.into())],
                format!("{tiles}-puzzle"),
            )
        } else {
            let (rows, columns) = (self.height, self.width);
            Message::new(
                "tile-puzzle-size",
                [
                    ("tiles", tiles.into()),
                    ("rows", rows.into()),
                    ("columns", columns.into()),
                ],
                format!("{tiles}-puzzle on {rows}×{columns}"),
            )
        };
        GameInfo {
            title,
            group: Group::Puzzles,
            players: vec!["solver".into()],
            singular_players: vec!["solver".into()],
            rules: vec![
                Message::new(
                    "tile-board",
                    [("tiles", tiles.into()), ("cells", cells.into())],
                    format!("The board has {tiles} tiles on {cells} cells; one cell is blank."),
                ),
                Message::new(
                    "tile-move",
                    [],
                    "A tile that is horizontally or vertically adjacent to the blank slides into it.",
                ),
                Message::new(
                    "tile-goal",
                    [],
                    "Bring all tiles to their goal cells in as few moves as possible.",
                ),
                Message::new(
                    "tile-move-name",
                    [],
                    "A move is named by the direction in which the blank moves.",
                ),
            ],
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let rows = |cells: &Cells| {
            let cells = &cells[..self.cell_count()];
            cells.chunks(self.width).map(<[u8]>::to_vec).collect()
        };
        let board = Board::Tiles {
            rows: self.height,
            columns: self.width,
            slides: Slides::One {
                goal: rows(&self.goal().cells),
            },
        };
        let tiles = position.cells[..self.cell_count()].iter().enumerate();
        let pieces = tiles
            .filter(|(_, tile)| **tile > 0)
            .map(|(cell, &tile)| Piece::tile(tile.into(), self.name(cell)));
        Scene::new(board, pieces.collect())
    }

    fn append_contents(&self, position: &Position, out: &mut Vec<i8>) {
        let cells = &position.cells[..self.cell_count()];
        out.extend(cells.iter().map(|&tile| tile as i8));
    }

    /// The move is named by the direction of the blank. The tile moves in the opposite direction.
    fn move_changes(&self, position: &Position, m: Direction) -> MoveChanges {
        let after = self.play(position, m);
        let [to, from] = [position, &after].map(|position| self.name(position.blank.into()));
        MoveChanges::step(from, to)
    }

    fn ending(&self, _position: &Position) -> Ending {
        EndReason::Solved.into()
    }
}

impl Tiles {
    /// Returns the name of `cell`, such as `a1` for the bottom left cell.
    fn name(&self, cell: usize) -> String {
        cell_name(self.height, cell / self.width, cell % self.width)
    }
}
