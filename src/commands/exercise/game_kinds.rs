//! Exercises about game trees and games.

use super::material::{Events, Trial};
use super::tree::Tree;
use super::{Blank, Exercise};
use crate::control::Control;
use crate::engine::{LocatedText, Setup};
use crate::error::EngineError;
use crate::random::Random;
use crate::search::observer::ExitReason;
use crate::settings::{Algorithm, HeuristicName};
use crate::trace::counts::{GameTally, Tallies};
use crate::trace::{Event, PassReason, TraceRequest};
use crate::value::{Bound, Score, Value, Window};

/// An exercise, or `None` if the generated exercise is trivial.
type Generated = Result<Option<Exercise>, EngineError>;

fn search(tree: &Tree, algorithm: Algorithm) -> Result<Events, EngineError> {
    let request = TraceRequest::new(tree.height());
    Trial::new("tree")?
        .at(&tree.to_string())?
        .search(algorithm, HeuristicName::Auto, request)
}

fn about_tree(tree: Tree, question: &str, blanks: Vec<Blank>) -> Exercise {
    Exercise {
        material: tree.to_string(),
        tree: Some(tree),
        question: question.into(),
        blanks,
    }
}

/// Returns the name of a node for a blank.
fn place(events: &Events, node: usize) -> String {
    match events.name(node) {
        "" => "root".into(),
        name => name.into(),
    }
}

fn number(score: Score) -> String {
    score.to_string()
}

/// Returns the blanks for the values of all nodes that are not leaves, the root last.
fn values(events: &Events) -> Vec<Blank> {
    let leaving = events.list.iter().filter_map(|(event, why)| match event {
        Event::Leave {
            node,
            value,
            how: ExitReason::Searched,
            ..
        } => Some(Blank {
            at: place(events, *node),
            answer: number(*value),
            why: why.clone(),
        }),
        _ => None,
    });
    leaving.collect()
}

/// Returns the blank for the line of best play.
fn best_play(events: &Events) -> Option<Blank> {
    match events.end()? {
        (Event::End { line, .. }, why) => Some(Blank {
            at: "line of best play".into(),
            answer: line.join(" "),
            why: why.clone(),
        }),
        _ => None,
    }
}

fn tally(events: &Events) -> GameTally {
    match events.end() {
        Some((Event::End { counts, .. }, _)) => match counts.tallies {
            Tallies::Game { last, .. } => last,
            Tallies::Puzzle { .. } | Tallies::Backward(_) => GameTally::default(),
        },
        _ => GameTally::default(),
    }
}

pub(super) fn minimax(level: u32, random: &mut Random) -> Generated {
    let tree = Tree::random(level, random);
    let events = search(&tree, Algorithm::Minimax)?;
    let mut blanks = values(&events);
    blanks.extend(best_play(&events));
    let question = "Max moves at the root, and the players take turns. Write the value at every node, and the line of best play.";
    Ok(Some(about_tree(tree, question, blanks)))
}

/// Formats a window: `(3, inf)`.
fn interval(window: Window) -> String {
    let end = |value: Value| match value {
        Value::INFINITE => "inf".to_string(),
        value if value == -Value::INFINITE => "-inf".to_string(),
        value => number(value.into()),
    };
    format!("({}, {})", end(window.alpha), end(window.beta))
}

pub(super) fn windows(level: u32, random: &mut Random) -> Generated {
    let tree = Tree::random(level, random);
    let events = search(&tree, Algorithm::AlphaBeta)?;
    let blanks: Vec<Blank> = events
        .list
        .iter()
        .filter_map(|(event, why)| match event {
            Event::Enter {
                node,
                window: Some(window),
                ..
            } if *node > 0 => Some(Blank {
                at: place(&events, *node),
                answer: interval(*window),
                why: why.clone(),
            }),
            _ => None,
        })
        .collect();
    let open = blanks.iter().filter(|blank| blank.answer == "(-inf, inf)");
    if open.count() * 2 > blanks.len() || blanks.len() > 20 {
        return Ok(None);
    }
    let question = "Alpha-beta searches from left to right, and an equal value cuts off. Write alpha and beta, as they are when the search enters the node.";
    Ok(Some(about_tree(tree, question, blanks)))
}

/// Returns `true` if a node was cut off by a bound from above its parent (a deep cutoff).
fn has_deep_cut(events: &Events) -> bool {
    let sources = |wanted: usize| {
        events.list.iter().find_map(|(event, _)| match event {
            Event::Enter { node, sources, .. } if *node == wanted => Some(*sources),
            _ => None,
        })
    };
    events.list.iter().any(|(event, _)| match event {
        Event::Cut { node, .. } => {
            // Beta cuts off nodes of Max, alpha nodes of Min.
            let is_max = events.name(*node).split(' ').count().is_multiple_of(2);
            let source = sources(*node).and_then(|[alpha, beta]| if is_max { beta } else { alpha });
            source.is_some() && source != events.parent(*node)
        }
        _ => false,
    })
}

/// Returns the values of the unvisited leaves.
fn unseen(tree: &Tree, events: &Events) -> String {
    let seen: Vec<&str> = events
        .list
        .iter()
        .filter_map(|(event, _)| match event {
            Event::Leaf { node, .. } => Some(events.name(*node)),
            _ => None,
        })
        .collect();
    let leaves = tree.leaves().into_iter();
    let unseen = leaves.filter(|(name, _)| !seen.contains(&name.as_str()));
    let values: Vec<String> = unseen.map(|(_, value)| value.to_string()).collect();
    values.join(", ")
}

pub(super) fn cuts(level: u32, random: &mut Random) -> Generated {
    // Deep cutoffs need four plies.
    let tree = Tree::random(if level == 1 { 1 } else { 3 }, random);
    let events = search(&tree, Algorithm::AlphaBeta)?;
    let cuts: Vec<&str> = events
        .list
        .iter()
        .filter(|(event, _)| matches!(event, Event::Cut { .. }))
        .map(|(_, why)| why.as_str())
        .collect();
    if cuts.len() < level.max(2) as usize || level >= 2 && !has_deep_cut(&events) {
        return Ok(None);
    }
    let blank = Blank {
        at: "leaves never looked at".into(),
        answer: unseen(&tree, &events),
        why: cuts.join(" "),
    };
    let question = "Alpha-beta searches from left to right, and an equal value cuts off. Strike out every leaf that it never looks at.";
    Ok(Some(about_tree(tree, question, vec![blank])))
}

pub(super) fn order(level: u32, random: &mut Random) -> Generated {
    let tree = Tree::random(level, random);
    let now = tally(&search(&tree, Algorithm::AlphaBeta)?).leaves;
    let best_first = tree.best_first(true);
    let best = tally(&search(&best_first, Algorithm::AlphaBeta)?).leaves;
    if best + 2 > now {
        return Ok(None);
    }
    let blank = |at: &str, leaves: u64, why: String| Blank {
        at: at.into(),
        answer: leaves.to_string(),
        why,
    };
    let blanks = vec![
        blank(
            "leaves as it stands",
            now,
            format!("Alpha-beta looks at {now} leaves."),
        ),
        blank(
            "leaves with the best child first",
            best,
            format!("With the best child first everywhere the tree is {best_first}."),
        ),
    ];
    let question = "How many leaves does alpha-beta look at? And how many, if the best child stands first at every node?";
    Ok(Some(about_tree(tree, question, blanks)))
}

pub(super) fn scout(level: u32, random: &mut Random) -> Generated {
    let tree = Tree::random(level, random);
    let events = search(&tree, Algorithm::Scout)?;
    let scout = tally(&events);
    let alphabeta = tally(&search(&tree, Algorithm::AlphaBeta)?);
    let Tree::Node(children, _) = &tree else {
        return Ok(None);
    };
    let again = |wanted: &str| {
        events.list.iter().find_map(|(event, why)| match event {
            Event::Again { node, .. } if events.name(*node) == wanted => Some(why.clone()),
            _ => None,
        })
    };
    let mut blanks: Vec<Blank> = (2..=children.len())
        .map(|child| {
            let why = again(&child.to_string());
            Blank {
                at: format!("child {child} is searched again"),
                answer: if why.is_some() { "yes" } else { "no" }.into(),
                why: why.unwrap_or("The null window has shown that it is no better.".into()),
            }
        })
        .collect();
    if scout.again == 0 {
        return Ok(None);
    }
    let count = |at: &str, leaves: u64| Blank {
        at: at.into(),
        answer: leaves.to_string(),
        why: format!("{at}: {leaves}, and a leaf that is seen twice counts twice."),
    };
    blanks.push(count("leaves that Scout looks at", scout.leaves));
    blanks.push(count("leaves that alpha-beta looks at", alphabeta.leaves));
    let question = "Scout asks of every child but the first whether it is better, and searches it again if it is. Which children of the root are searched again?";
    Ok(Some(about_tree(tree, question, blanks)))
}

pub(super) fn mtdf(level: u32, random: &mut Random) -> Generated {
    let tree = Tree::random(level, random);
    let value = tree.value(true);
    let guess = value + random.index(13) as i32 - 6;
    let request = TraceRequest {
        first_guess: Value::points(guess),
        ..TraceRequest::new(tree.height())
    };
    let events = Trial::new("tree")?.at(&tree.to_string())?.search(
        Algorithm::Mtdf,
        HeuristicName::Auto,
        request,
    )?;
    let mut blanks = Vec::new();
    let mut pass = None;
    for (event, why) in &events.list {
        match event {
            Event::Pass { number, why, .. } => {
                pass = (*why == PassReason::CloseIn).then_some(*number);
            }
            Event::Leave {
                node: 0,
                value,
                bound,
                ..
            } => {
                if let Some(number) = pass {
                    let relation = match bound {
                        Bound::Lower => ">=",
                        _ => "<=",
                    };
                    blanks.push(Blank {
                        at: format!("pass {number} proves"),
                        answer: format!("{relation} {}", self::number(*value)),
                        why: why.clone(),
                    });
                }
            }
            _ => {}
        }
    }
    if blanks.len() < 3 || blanks.len() > 5 {
        return Ok(None);
    }
    let question = format!(
        "MTD(f) first asks whether the value is at least {guess}. What does each pass prove of the root: at least (>=) or at most (<=) which value?"
    );
    Ok(Some(about_tree(tree, &question, blanks)))
}

pub(super) fn expectimax(level: u32, random: &mut Random) -> Generated {
    // Most sums of weights are powers of two, so multiples of eight often have whole averages at every node.
    let tree = Tree::random(level, random).map(&|value| value * 8);
    let tree = tree.with_chance(level, true, random);
    let events = search(&tree, Algorithm::Expectimax)?;
    let blanks = values(&events);
    let is_whole = |blank: &Blank| blank.answer.parse::<i64>().is_ok();
    if !blanks.iter().all(is_whole) {
        return Ok(None);
    }
    let question = match level {
        1 => {
            "Max chooses, and at a round node chance takes every child with the same probability. Write the value at every node."
        }
        _ => {
            "Max chooses, and at a round node chance takes a child with its weight, divided by the sum of the weights, as the probability. Write the value at every node."
        }
    };
    Ok(Some(about_tree(tree, question, blanks)))
}

/// Plays `plies` random moves from the start. Returns `false` if the game ends before.
fn play(trial: &mut Trial, plies: u32, random: &mut Random) -> Result<bool, EngineError> {
    let mut moves: Vec<LocatedText> = Vec::new();
    for _ in 0..plies {
        let state = trial.engine().state();
        let Some((m, _)) = random.choice(&state.moves) else {
            return Ok(false);
        };
        moves.push(LocatedText {
            offset: 0,
            text: m.clone(),
        });
        trial.engine().set(&Setup::Start, &moves)?;
    }
    Ok(!trial.engine().state().moves.is_empty())
}

fn drawing(trial: &mut Trial) -> String {
    let fen = trial.engine().fen();
    let lines = trial.engine().draw();
    // Keep only the board, because the lines after it contain the value.
    let board: Vec<String> = lines
        .into_iter()
        .take_while(|line| !line.trim().is_empty())
        .collect();
    format!("{fen}\n\n{}", board.join("\n"))
}

pub(super) fn evaluation(level: u32, random: &mut Random) -> Generated {
    let mut trial = Trial::new("aadu-puli")?;
    if !play(&mut trial, 6 * level, random)? {
        return Ok(None);
    }
    // With `auto`, the output would include the default evaluation.
    trial.select(Algorithm::Minimax, HeuristicName::Auto)?;
    // The value of the position itself, from its terms.
    let lines = trial.engine().explain_evaluation();
    let Some(total) = lines
        .iter()
        .find_map(|line| line.strip_prefix("Evaluation: "))
    else {
        return Ok(None);
    };
    let blank = Blank {
        at: "evaluation".into(),
        answer: total.to_string(),
        why: lines.join("; ") + ".",
    };
    Ok(Some(Exercise {
        tree: None,
        material: drawing(&mut trial),
        question: "Evaluate the position for the side to move: 4 points a goat that is not captured, −1 for every step that a tiger can make, −2 for every capture that a tiger can make; with the other sign if the tigers are to move.".into(),
        blanks: vec![blank],
    }))
}

pub(super) fn backward(random: &mut Random) -> Generated {
    let mut trial = Trial::new("hare-and-hounds")?;
    let plies = 4 + random.index(12) as u32;
    if !play(&mut trial, plies, random)? {
        return Ok(None);
    }
    let fen = trial.engine().fen();
    let mut trial = Trial::new("hare-and-hounds")?.at(&fen)?;
    let mut control = Control::unlimited();
    trial.engine().solve_game(None, &mut control, &mut |_| {})?;
    let state = trial.engine().state();
    let Some(solved) = state.solved else {
        return Ok(None);
    };
    let side = state.turn.side();
    let wins: Vec<_> = solved
        .moves
        .iter()
        .filter(|rated| rated.verdict.winner() == Some(side))
        .collect();
    let [only] = wins.as_slice() else {
        return Ok(None);
    };
    if solved.moves.len() < 3 {
        return Ok(None);
    }
    let blank = Blank {
        at: "the only winning move".into(),
        answer: only.name.clone(),
        why: format!(
            "Every other move loses: the game is solved, and {} keeps the win.",
            only.name
        ),
    };
    Ok(Some(Exercise {
        tree: None,
        material: drawing(&mut trial),
        question: format!(
            "Hare and Hounds, the {} to move. One move leads to a position that is lost for the other side. Which?",
            state.about.player(side)
        ),
        blanks: vec![blank],
    }))
}
