//! Reads the start position, the moves and the `searchmoves` of `position` and `go`, for all engines. Errors contain
//! the column in the line.

use std::collections::HashSet;

use super::{Child, GameStatus, LocatedText, Report, Setup};
use crate::control::Limits;
use crate::error::EngineError;
use crate::path::{numbered_move, read_legal};
use crate::rules::{Game, Notation};
use crate::search::Root;

/// Returns the start position that `setup` requests, for games without random positions.
pub(super) fn start<N: Notation>(home: &N, setup: &Setup) -> Result<(N, N::Position), EngineError> {
    match setup {
        Setup::Start => Ok((home.clone(), home.start())),
        Setup::Fen(fen) => Ok(home
            .read_position(&fen.text)
            .map_err(|misread| misread.shifted(fen.offset))?),
        Setup::Random { .. } | Setup::Scramble { .. } => Err(EngineError::new(
            "position random and scramble are for puzzles; expected startpos or fen",
        )),
    }
}

/// Passes the moves to `play` in order, and stops at the first error.
pub(crate) fn play_all(
    moves: &[LocatedText],
    mut play: impl FnMut(&str) -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    for (index, m) in moves.iter().enumerate() {
        play(&m.text).map_err(|why| {
            let (column, why) = (m.offset + 1, numbered_move(index, &m.text, &why));
            EngineError::new(format!("column {column}: {why}"))
        })?;
    }
    Ok(())
}

/// Returns the position after the moves, for games without repetition.
pub(super) fn played<N: Notation>(
    game: &N,
    mut position: N::Position,
    moves: &[LocatedText],
) -> Result<N::Position, EngineError> {
    let mut legal = Vec::new();
    play_all(moves, |text| {
        legal.clear();
        game.moves(&position, &mut legal);
        position = game.play(&position, read_legal(game, &position, &legal, text)?);
        Ok(())
    })?;
    Ok(position)
}

/// Returns the positions after the `legal` moves.
pub(super) fn children<N: Notation>(
    game: &N,
    position: &N::Position,
    legal: Vec<N::Move>,
    mut status: impl FnMut(&N::Position) -> GameStatus,
) -> Vec<Child> {
    let child = |m: N::Move| {
        let child = game.play(position, m);
        Child {
            name: game.show_move_at(position, m),
            fen: game.show_position(&child),
            status: status(&child),
        }
    };
    legal.into_iter().map(child).collect()
}

/// Returns the `legal` moves named in `searchmoves`, without duplicates. Other names are reported as errors. If
/// `searchmoves` is not empty and names no legal move, returns an error.
pub(super) fn searched<N: Notation>(
    game: &N,
    position: &N::Position,
    legal: &[N::Move],
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Result<Vec<N::Move>, EngineError> {
    let known: HashSet<u16> = legal.iter().map(|&m| m.into()).collect();
    let mut named = HashSet::new();
    for (offset, text) in &limits.search_moves {
        let why = match game.read_move_at(position, text) {
            Ok(m) if known.contains(&m.into()) => {
                named.insert(m.into());
                continue;
            }
            Ok(_) => "is not legal here".into(),
            Err(misread) => format!("is not {}", misread.expected),
        };
        let column = offset + 1;
        report(Report::Error(format!("column {column}: '{text}' {why}")));
    }
    let is_restricted = !limits.search_moves.is_empty() && !legal.is_empty();
    if is_restricted && named.is_empty() {
        return Err(EngineError::new("none of the searchmoves is legal here"));
    }
    let is_named = |m: &N::Move| named.contains(&(*m).into());
    Ok(legal.iter().copied().filter(is_named).collect())
}

/// Restricts the root to the moves named in `searchmoves`. Keeps all moves if `searchmoves` is
/// empty.
pub(crate) fn restrict<G: Game, N: Notation<Move = G::Move>>(
    game: &N,
    position: &N::Position,
    root: &mut Root<G>,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Result<(), EngineError> {
    let legal: Vec<G::Move> = root.moves.iter().map(|candidate| candidate.m).collect();
    let searched = searched(game, position, &legal, limits, report)?;
    let searched: HashSet<u16> = searched.into_iter().map(Into::into).collect();
    root.moves
        .retain(|candidate| searched.is_empty() || searched.contains(&candidate.m.into()));
    Ok(())
}
