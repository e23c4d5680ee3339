//! Exercises about searches for a solution.

use super::material::{Events, Trial};
use super::{Blank, Exercise};
use crate::engine::Setup;
use crate::error::EngineError;
use crate::random::Random;
use crate::settings::{Algorithm, HeuristicName, name_of};
use crate::trace::{Event, TraceRequest};

/// An exercise, or `None` if the generated exercise is trivial.
type Generated = Result<Option<Exercise>, EngineError>;

/// Maximum length of a solution, in moves.
const MAX_MOVES: u32 = 40;

/// Returns the search of an 8-puzzle `moves` random moves from the goal.
fn scrambled(moves: u32, random: &mut Random) -> Result<Trial, EngineError> {
    let mut trial = Trial::new("8-puzzle")?;
    let seed = Some(random.u64(..));
    trial.set(&Setup::Scramble { moves, seed })?;
    Ok(trial)
}

/// Returns the notation of an 8-puzzle followed by its drawing.
fn board(fen: &str) -> String {
    let place = fen.split(' ').next().unwrap_or_default();
    let rows = place
        .split('/')
        .map(|row| row.replace('0', "·").replace(',', " "));
    let rows: Vec<String> = rows.collect();
    format!("{fen}\n\n{}", rows.join("\n"))
}

fn about_puzzle(fen: &str, question: String, blanks: Vec<Blank>) -> Exercise {
    Exercise {
        tree: None,
        material: board(fen),
        question,
        blanks,
    }
}

const TO_THE_GOAL: &str = "The goal is 0,1,2/3,4,5/6,7,8. A move is named by where the blank goes; a state by the moves to it.";

/// Returns blanks for the states expanded after the start.
fn expanded(events: &Events, count: usize) -> Vec<Blank> {
    let expansions = events.list.iter().filter_map(|(event, why)| match event {
        Event::Expand { node, .. } if *node > 0 => Some((events.name(*node), why)),
        _ => None,
    });
    expansions
        .take(count)
        .enumerate()
        .map(|(index, (name, why))| Blank {
            at: format!("state {} to be expanded", index + 2),
            answer: name.into(),
            why: why.clone(),
        })
        .collect()
}

pub(super) fn queue(level: u32, random: &mut Random) -> Generated {
    let mut trial = scrambled(6 + 2 * level, random)?;
    let fen = trial.engine().fen();
    let request = TraceRequest::new(MAX_MOVES);
    let events = trial.search(Algorithm::Bfs, HeuristicName::Zero, request)?;
    let blanks = expanded(&events, 2 + level as usize);
    if blanks.len() < 2 + level as usize {
        return Ok(None);
    }
    let question = format!(
        "{TO_THE_GOAL} Breadth-first search takes the oldest state, tries up, left, right and down in this order, and never takes a move back. After the start, which states are expanded next?"
    );
    Ok(Some(about_puzzle(&fen, question, blanks)))
}

pub(super) fn astar(level: u32, random: &mut Random) -> Generated {
    let mut trial = scrambled(8 + 4 * level, random)?;
    let fen = trial.engine().fen();
    let request = TraceRequest::new(MAX_MOVES);
    let events = trial.search(Algorithm::Astar, HeuristicName::Manhattan, request)?;
    let count = 2 + level as usize;
    let blanks = expanded(&events, count);
    // Each answer must be unique by the lowest f, because the order of equal states is arbitrary.
    if blanks.len() < count || !has_clear_choices(&events, count) {
        return Ok(None);
    }
    let question = format!(
        "{TO_THE_GOAL} A* takes the state with the lowest f = g + h, where h is the Manhattan distance; of states with the same f the one with the higher g. It never takes a move back. After the start, which states are expanded next?"
    );
    Ok(Some(about_puzzle(&fen, question, blanks)))
}

/// Returns `true` if no other state in the open list has the same f and g, for each of the first `count` states
/// expanded after the start.
fn has_clear_choices(events: &Events, count: usize) -> bool {
    let mut open: Vec<(usize, u32, u32)> = Vec::new();
    let mut expansions = 0;
    for (event, _) in &events.list {
        match event {
            Event::Open { node, estimate } => {
                open.retain(|(other, ..)| other != node);
                open.push((*node, estimate.g + estimate.h.unwrap_or(0), estimate.g));
            }
            Event::Expand { node, estimate, .. } => {
                let key = (estimate.g + estimate.h.unwrap_or(0), estimate.g);
                let alike = open.iter().filter(|&&(_, f, g)| (f, g) == key);
                if *node > 0 && alike.count() > 1 {
                    return false;
                }
                open.retain(|(other, ..)| other != node);
                expansions += 1;
                if expansions > count {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

/// Returns the length of the shortest solution.
fn distance(trial: &mut Trial) -> Result<Option<usize>, EngineError> {
    let request = TraceRequest {
        max_events: 1,
        ..TraceRequest::new(MAX_MOVES)
    };
    let events = trial.search(Algorithm::Astar, HeuristicName::LinearConflict, request)?;
    Ok(match events.end() {
        Some((
            Event::End {
                value: Some(_),
                line,
                ..
            },
            _,
        )) => Some(line.len()),
        _ => None,
    })
}

/// Returns the estimate of the start.
fn estimate(trial: &mut Trial, heuristic: HeuristicName) -> Result<u32, EngineError> {
    let events = trial.search(Algorithm::Astar, heuristic, TraceRequest::new(MAX_MOVES))?;
    let found = events.list.iter().find_map(|(event, _)| match event {
        Event::Open { node: 0, estimate } => estimate.h,
        _ => None,
    });
    Ok(found.unwrap_or_default())
}

pub(super) fn estimates(level: u32, random: &mut Random) -> Generated {
    let mut trial = scrambled(10 + 10 * level, random)?;
    let fen = trial.engine().fen();
    let Some(distance) = distance(&mut trial)? else {
        return Ok(None);
    };
    let mut blanks = Vec::new();
    let mut given = Vec::new();
    for heuristic in [
        HeuristicName::Misplaced,
        HeuristicName::Manhattan,
        HeuristicName::SquaredDiscounted,
        HeuristicName::Squared,
    ] {
        let h = estimate(&mut trial, heuristic)?;
        let name = name_of(&heuristic);
        given.push(format!("{name} says {h}"));
        blanks.push(Blank {
            at: format!("{name} overestimates"),
            answer: if h as usize > distance { "yes" } else { "no" }.into(),
            why: format!("The shortest way has {distance} moves, and {name} says {h}."),
        });
    }
    let caught = blanks.iter().filter(|blank| blank.answer == "yes").count();
    if caught == 0 {
        return Ok(None);
    }
    let question = format!(
        "The goal is 0,1,2/3,4,5/6,7,8. The shortest way there has {distance} moves. Of four estimates, {}. Count misplaced and manhattan yourself. Which overestimate here?",
        given[2..].join(" and ")
    );
    Ok(Some(about_puzzle(&fen, question, blanks)))
}

pub(super) fn idastar(level: u32, random: &mut Random) -> Generated {
    let mut trial = scrambled(8 + 4 * level, random)?;
    let fen = trial.engine().fen();
    let request = TraceRequest::new(MAX_MOVES);
    let events = trial.search(Algorithm::Idastar, HeuristicName::Manhattan, request)?;
    let bounds: Vec<String> = events
        .list
        .iter()
        .filter_map(|(event, _)| match event {
            Event::Bound { bound, .. } => Some(bound.to_string()),
            _ => None,
        })
        .collect();
    if bounds.len() < 2 || bounds.len() > 2 + level as usize {
        return Ok(None);
    }
    let Some((Event::End { line, .. }, why)) = events.end() else {
        return Ok(None);
    };
    let blanks = vec![
        Blank {
            at: "first bound".into(),
            answer: bounds[0].clone(),
            why: format!(
                "The first bound is the estimate of the start: {}.",
                bounds[0]
            ),
        },
        Blank {
            at: "all bounds".into(),
            answer: bounds.join(", "),
            why: format!(
                "A move changes the Manhattan distance by one, so f stays or grows by two. The shortest way has {} moves.",
                line.len()
            ),
        },
        Blank {
            at: "length of the shortest way".into(),
            answer: line.len().to_string(),
            why: why.clone(),
        },
    ];
    let question = "The goal is 0,1,2/3,4,5/6,7,8. IDA* with the Manhattan distance goes deep and turns back where f exceeds the bound; the next bound is the least f beyond. Which bounds does it use until it finds the goal?";
    Ok(Some(about_puzzle(&fen, question.into(), blanks)))
}

pub(super) fn parity(level: u32, random: &mut Random) -> Generated {
    let mut tiles: Vec<u32> = (0..9).collect();
    // At level 1, only two tiles are exchanged.
    if level == 1 {
        let swaps = 1 + random.index(2);
        for _ in 0..swaps {
            let one = 1 + random.index(8);
            let other = 1 + random.index(8);
            tiles.swap(one, other);
        }
    } else {
        random.shuffle(&mut tiles);
    }
    if tiles.is_sorted() {
        return Ok(None);
    }
    let rows = tiles.chunks(3).map(|row| {
        let row: Vec<String> = row.iter().map(u32::to_string).collect();
        row.join(",")
    });
    let fen = rows.collect::<Vec<_>>().join("/");
    // The engine rejects a position from which the goal is unreachable.
    let refusal = Trial::new("8-puzzle")?.at(&fen).err();
    let blank = Blank {
        at: "solvable".into(),
        answer: if refusal.is_none() { "yes" } else { "no" }.into(),
        why: match refusal {
            Some(refusal) => format!("{refusal}."),
            None => "The tiles are an even permutation of the goal when the way of the blank is counted too.".into(),
        },
    };
    Ok(Some(about_puzzle(
        &fen,
        "The goal is 0,1,2/3,4,5/6,7,8. Can it be reached?".into(),
        vec![blank],
    )))
}
