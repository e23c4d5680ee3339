//! What every engine reads alike from `position` and `go`: a start, the moves from there, the only moves to look at. A
//! refusal names the place in the line.

use std::collections::HashSet;

use super::{Report, Setup, Spanned};
use crate::control::Limits;
use crate::error::EngineError;
use crate::path::read_legal;
use crate::rules::{Game, Notation};
use crate::search::Root;

/// The start that a line names, for games in which no position is random.
pub fn start<N: Notation>(home: &N, setup: &Setup) -> Result<(N, N::Position), EngineError> {
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

/// Gives one move after the other to `play`, up to the first that it refuses.
pub fn play_all(
    moves: &[Spanned],
    mut play: impl FnMut(&str) -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    for (index, m) in moves.iter().enumerate() {
        play(&m.text).map_err(|why| {
            let (column, number) = (m.offset + 1, index + 1);
            EngineError::new(format!(
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

/// Those of the `legal` moves that `searchmoves` names, each once; none where it names none. Others that it names are
/// reported as errors and left out; where none is left there is nothing to search.
pub fn wanted<N: Notation>(
    game: &N,
    legal: &[N::Move],
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Result<Vec<N::Move>, EngineError> {
    let known: HashSet<u16> = legal.iter().map(|&m| m.into()).collect();
    let mut named = HashSet::new();
    for (offset, text) in &limits.search_moves {
        let why = match game.read_move(text) {
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

/// Leaves the root those moves that `searchmoves` names, or all where it names none.
pub fn restrict<G: Game, N: Notation<Move = G::Move>>(
    game: &N,
    root: &mut Root<G>,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Result<(), EngineError> {
    let legal: Vec<G::Move> = root.moves.iter().map(|candidate| candidate.m).collect();
    let wanted = wanted(game, &legal, limits, report)?;
    let wanted: HashSet<u16> = wanted.into_iter().map(Into::into).collect();
    root.moves
        .retain(|candidate| wanted.is_empty() || wanted.contains(&candidate.m.into()));
    Ok(())
}
