//! What every engine reads alike from `position` and `go`: a start, the moves from there, the only moves to look at. A
//! refusal names the place in the line.

use super::{Setup, Spanned};
use crate::control::Limits;
use crate::error::Refusal;
use crate::path::read_legal;
use crate::rules::{Game, Notation};
use crate::search::Root;

/// The start that a line names, for games in which no position is random.
pub fn start<N: Notation>(home: &N, setup: &Setup) -> Result<(N, N::Position), Refusal> {
    match setup {
        Setup::Start => Ok((home.clone(), home.start())),
        Setup::Fen(fen) => Ok(home
            .read_position(&fen.text)
            .map_err(|misread| misread.shifted(fen.offset))?),
        Setup::Random { .. } | Setup::Scramble { .. } => Err(Refusal::new(
            "position random and scramble are for puzzles; expected startpos or fen",
        )),
    }
}

/// Gives one move after the other to `play`, up to the first that it refuses.
pub fn play_all(
    moves: &[Spanned],
    mut play: impl FnMut(&str) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    for (index, m) in moves.iter().enumerate() {
        play(&m.text).map_err(|why| {
            let (column, number) = (m.offset + 1, index + 1);
            Refusal::new(format!(
                "column {column}: move {number}, '{}', {why}",
                m.text
            ))
        })?;
    }
    Ok(())
}

/// The position that these moves lead to, where no position counts but the last.
pub fn played<N: Notation>(
    game: &N,
    mut position: N::Position,
    moves: &[Spanned],
) -> Result<N::Position, Refusal> {
    let mut legal = Vec::new();
    play_all(moves, |text| {
        legal.clear();
        game.moves(&position, &mut legal);
        position = game.play(&position, read_legal(game, &legal, text)?);
        Ok(())
    })?;
    Ok(position)
}

/// The moves that `searchmoves` names; none where it names none.
pub fn wanted<N: Notation>(
    game: &N,
    legal: &[N::Move],
    limits: &Limits,
) -> Result<Vec<N::Move>, Refusal> {
    let read = |(offset, text): &(usize, String)| {
        read_legal(game, legal, text)
            .map_err(|why| Refusal::new(format!("column {}: '{text}' {why}", offset + 1)))
    };
    limits.search_moves.iter().map(read).collect()
}

/// Leaves the root those moves that `searchmoves` names, or all where it names none.
pub fn restrict<G: Game, N: Notation<Move = G::Move>>(
    game: &N,
    root: &mut Root<G>,
    limits: &Limits,
) -> Result<(), Refusal> {
    let legal: Vec<G::Move> = root.moves.iter().map(|candidate| candidate.m).collect();
    let wanted = wanted(game, &legal, limits)?;
    root.moves
        .retain(|candidate| wanted.is_empty() || wanted.contains(&candidate.m));
    Ok(())
}
