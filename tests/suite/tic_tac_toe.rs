//! Tests that tic-tac-toe is a draw from the empty board and that the engine never loses.

use std::collections::HashSet;
use std::sync::Arc;

use puli::catalog;
use puli::control::{Budget, Control, Limits};
use puli::engine::{Engine, Report, Setup, Spanned};
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
        .map(|m| Spanned {
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
    let choice = engine.go(&limits, &mut control, &mut |report| {
        if let Report::Info(info) = report {
            score = Some(info.score);
        }
    });
    (choice.unwrap().best.unwrap(), score.unwrap())
}

#[test]
fn empty_board_is_draw() {
    let (_, score) = best_move(&mut *engine());
    assert_eq!(score, Score::Points(0.0));
}

#[test]
fn engine_never_loses_on_either_side() {
    for side in [Side::P1, Side::P2] {
        let mut lines_of_play = OpponentLines {
            engine: engine(),
            side,
            seen: HashSet::new(),
            wins: 0,
            draws: 0,
        };
        lines_of_play.play(&mut Vec::new());
        assert!(
            lines_of_play.wins > 0 && lines_of_play.draws > 0,
            "{side:?}: {} wins, {} draws",
            lines_of_play.wins,
            lines_of_play.draws
        );
    }
}

/// Plays every line of the opponent against the engine on one side, and counts the results.
struct OpponentLines {
    engine: Box<dyn Engine>,
    side: Side,
    seen: HashSet<String>,
    wins: u32,
    draws: u32,
}

impl OpponentLines {
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

    fn play_move(&mut self, moves: &mut Vec<String>, m: String) {
        moves.push(m);
        self.play(moves);
        moves.pop();
    }
}
