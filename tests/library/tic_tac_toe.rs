//! Tests that the engine finds the draw from the empty board of tic-tac-toe, and that it never loses.

use std::collections::HashSet;
use std::sync::Arc;

use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, LocatedText, Report, Setup};
use puli::rules::Outcome;
use puli::settings::Settings;
use puli::value::{Score, Side};

fn engine() -> Box<dyn Engine> {
    catalog::build(&Settings {
        variant: "tic-tac-toe",
        hash: 1,
        ..Settings::default()
    })
    .unwrap()
}

fn set(engine: &mut dyn Engine, moves: &[String]) {
    let moves: Vec<_> = moves
        .iter()
        .map(|m| LocatedText {
            offset: 0,
            text: m.clone(),
        })
        .collect();
    engine.set(&Setup::Start, &moves).unwrap();
}

/// Returns the move and the score of a search without limits.
fn best_move(engine: &mut dyn Engine) -> (String, Score) {
    let limits = Limits::default();
    let mut control = Control::new(&limits, Budget::default(), Arc::default());
    let mut score = None;
    let answer = engine.go(&limits, &mut control, &mut |report| {
        if let Report::Info(info) = report {
            score = Some(info.score);
        }
    });
    (answer.unwrap().best.unwrap(), score.unwrap())
}

#[test]
fn empty_board_is_draw() {
    let (_, score) = best_move(&mut *engine());
    assert_eq!(score, Score::Points(0.0));
}

#[test]
fn engine_never_loses_on_either_side() {
    for side in [Side::P1, Side::P2] {
        let mut games = AllGames {
            engine: engine(),
            side,
            seen: HashSet::new(),
            wins: 0,
            draws: 0,
        };
        games.play(&mut Vec::new());
        assert!(
            games.wins > 0 && games.draws > 0,
            "{side:?}: {} wins, {} draws",
            games.wins,
            games.draws
        );
    }
}

/// Plays all games in which the engine plays `side` and the opponent tries every legal move. Counts the results.
struct AllGames {
    engine: Box<dyn Engine>,
    /// The side of the engine.
    side: Side,
    /// The FEN of every position that was already played on.
    seen: HashSet<String>,
    wins: u32,
    draws: u32,
}

impl AllGames {
    /// Plays all games that begin with `moves`.
    fn play(&mut self, moves: &mut Vec<String>) {
        set(&mut *self.engine, moves);
        if !self.seen.insert(self.engine.fen()) {
            return;
        }
        let status = self.engine.status();
        match status.outcome {
            Some(Outcome::Won(winner)) if winner == self.side => self.wins += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(outcome) => panic!("{:?} after {moves:?}: {outcome:?}", self.side),
            None if status.turn == self.side => {
                let (best, _) = best_move(&mut *self.engine);
                self.play_move(moves, best);
            }
            None => {
                let lines = self.engine.draw();
                let legal = lines
                    .iter()
                    .find_map(|line| line.strip_prefix("Legal moves: "))
                    .unwrap();
                for m in legal.split(' ') {
                    self.play_move(moves, m.to_string());
                }
            }
        }
    }

    /// Plays all games that begin with `moves` and then `m`.
    fn play_move(&mut self, moves: &mut Vec<String>, m: String) {
        moves.push(m);
        self.play(moves);
        moves.pop();
    }
}
