//! Solves puzzles with the solver for games: the distance of every position from the goal.

use super::in_memory::SolvedGame;
use crate::error::ParseError;
use crate::rules::{Game, Notation, Outcome, Puzzle, Rules};
use crate::value::Side;

/// A puzzle as a one-player game: a solution in `n` moves is a win in `n` plies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PuzzleGame<P>(pub P);

impl<P: Puzzle> Rules for PuzzleGame<P> {
    type Position = P::Position;
    type Move = P::Move;

    fn start(&self) -> P::Position {
        self.0.start()
    }

    fn moves(&self, position: &P::Position, out: &mut Vec<P::Move>) {
        self.0.moves(position, out);
    }

    fn play(&self, position: &P::Position, m: P::Move) -> P::Position {
        self.0.play(position, m)
    }

    fn key(&self, position: &P::Position) -> u64 {
        self.0.key(position)
    }

    fn positions_at_most(&self) -> Option<u128> {
        self.0.positions_at_most()
    }
}

impl<P: Puzzle> Game for PuzzleGame<P> {
    fn side(&self, _position: &P::Position) -> Side {
        Side::P1
    }

    fn outcome(&self, position: &P::Position) -> Option<Outcome> {
        let is_solved = self.0.is_solved(position);
        is_solved.then_some(Outcome::Won(Side::P1))
    }
}

impl<P: Puzzle + Notation> Notation for PuzzleGame<P> {
    fn read_position(&self, text: &str) -> Result<(Self, P::Position), ParseError> {
        let (puzzle, position) = self.0.read_position(text)?;
        Ok((Self(puzzle), position))
    }

    fn show_position(&self, position: &P::Position) -> String {
        self.0.show_position(position)
    }

    fn read_move(&self, text: &str) -> Result<P::Move, ParseError> {
        self.0.read_move(text)
    }

    fn show_move(&self, m: P::Move) -> String {
        self.0.show_move(m)
    }

    fn draw(&self, position: &P::Position) -> String {
        self.0.draw(position)
    }

    fn identity(&self) -> Option<String> {
        self.0.identity()
    }
}

/// Returns the number of positions by distance from the goal.
pub(crate) fn count_by_distance<P: Puzzle>(solved_game: &SolvedGame<PuzzleGame<P>>) -> Vec<u64> {
    let mut counts = Vec::new();
    for plies in solved_game
        .positions()
        .filter_map(|(_, value)| value.plies())
    {
        let plies = plies as usize;
        if counts.len() <= plies {
            counts.resize(plies + 1, 0);
        }
        counts[plies] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::missionaries::River;
    use crate::games::tiles::Tiles;
    use crate::oracle::Verdict;

    fn solved<P: Puzzle>(puzzle: P, start: P::Position) -> SolvedGame<PuzzleGame<P>> {
        SolvedGame::solve(PuzzleGame(puzzle), start, 1024, &mut |_| Ok(())).unwrap()
    }

    #[test]
    fn counts_8_puzzle_positions_by_distance() {
        let tiles = Tiles::new(3, 3);
        let solved_game = solved(tiles, tiles.start());
        // Reinefeld, "Complete solution of the eight-puzzle", IJCAI 1993.
        let known = [
            1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638,
            9529, 10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
        ];
        assert_eq!(count_by_distance(&solved_game), known);
        assert_eq!(solved_game.count().positions(), 181_440);
        assert_eq!(solved_game.count().draws, 0);
        assert_eq!(solved_game.find_mismatch(&mut |_| ()), None);
    }

    #[test]
    fn solves_missionaries() {
        for (text, moves) in [
            ("3 3 left", Some(11)),
            ("4 4 left of 4 4 boat 2", None),
            ("4 4 left of 4 4 boat 3", Some(9)),
            ("5 5 left of 5 5 boat 3", Some(11)),
        ] {
            let (river, start) = River::default().read_position(text).unwrap();
            let solved_game = solved(river, start);
            let expected = Verdict::of_win(moves.map(|moves| (Side::P1, moves)));
            assert_eq!(solved_game.start(), expected, "{text}");
            assert_eq!(solved_game.find_mismatch(&mut |_| ()), None);
        }
        // One of the 16 reachable positions is the goal.
        let river = River::default();
        let solved_game = solved(river, river.start());
        assert_eq!(solved_game.count().positions(), 16);
    }
}
