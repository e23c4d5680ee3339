//! Hunt games as a GUI shows them, and their rules in words.

use super::board::Board;
use super::position::{Move, Position, points_of};
use super::rules::Hunt;
use crate::scene::{
    self, About, Captured, Depict, Ending, Footprint, Group, Piece, Pile, Point, Scene, Why,
};
use crate::value::Side;

/// What stands for the side that is hunted, on every board.
const PREY: &str = "prey";
const HUNTER: &str = "hunter";

impl Depict for Hunt {
    fn about(&self) -> About {
        About {
            title: self.board.title.into(),
            group: Group::Hunts,
            players: vec!["goats".into(), "tigers".into()],
            each: vec!["goat".into(), "tiger".into()],
            rules: rules_of(self.board),
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let standing = |set, side, kind| {
            points_of(set).map(move |point| (point, Piece::of(side, kind, self.name(point))))
        };
        let mut pieces: Vec<(usize, Piece)> = standing(position.tigers, Side::P2, HUNTER)
            .chain(standing(position.goats, Side::P1, PREY))
            .collect();
        pieces.sort_by_key(|&(point, _)| point);
        let goats = |count| Pile {
            kind: PREY,
            owner: Side::P1,
            count,
        };
        Scene {
            hand: vec![goats(position.hand.into())],
            captured: vec![Captured {
                pile: goats(self.captured(position)),
                wins: Some(self.board.captures_to_win),
            }],
            ..Scene::new(
                drawn(self.board),
                pieces.into_iter().map(|(_, piece)| piece).collect(),
            )
        }
    }

    fn footprint(&self, _position: &Position, m: Move) -> Footprint {
        if m.from() == m.to() {
            return Footprint::drop(self.name(m.to()));
        }
        let between = self.board.between[m.from()][m.to()];
        Footprint {
            captures: points_of(between).map(|point| self.name(point)).collect(),
            ..Footprint::step(self.name(m.from()), self.name(m.to()))
        }
    }

    fn ending(&self, position: &Position) -> Ending {
        if self.captured(position) >= self.board.captures_to_win {
            Why::Captured.into()
        } else {
            Why::Blocked.into()
        }
    }
}

impl Hunt {
    fn name(&self, point: usize) -> String {
        self.board.point_name(point)
    }
}

fn drawn(board: &Board) -> scene::Board {
    let places = board
        .places
        .iter()
        .flat_map(|&(y, row)| row.iter().map(move |&x| (x, y)));
    let points = places.enumerate().map(|(point, (x, y))| Point {
        name: board.point_name(point),
        x,
        y,
    });
    let names = |line: &&[usize]| line.iter().map(|&point| board.point_name(point)).collect();
    scene::Board::Graph {
        points: points.collect(),
        lines: board.lines.iter().map(names).collect(),
    }
}

fn rules_of(board: &Board) -> Vec<String> {
    let (tigers, goats) = (in_words(board.tigers.count_ones()), in_words(board.goats));
    let captures = if board.captures_to_win == board.goats {
        "when they have captured every goat".to_string()
    } else {
        format!(
            "when they have captured {}",
            in_words(board.captures_to_win)
        )
    };
    vec![
        format!(
            "{} tigers hunt {goats} goats. Everybody stands on the points of the board and moves along its lines.",
            capitalized(&tigers)
        ),
        "The goats begin. One goat a turn is placed on any empty point, and none may move until all have been placed."
            .into(),
        "After that a goat moves to a neighbouring empty point.".into(),
        "A tiger moves to a neighbouring empty point too, or captures a goat: it leaps over it, in a straight line, to the \
         empty point right behind. It captures one goat a turn, and never has to."
            .into(),
        format!("The tigers win {captures}, or when no goat can move."),
        "The goats win when no tiger can move.".into(),
        "When a position occurs for the third time the game is a draw.".into(),
    ]
}

/// A number as people write it.
fn in_words(number: u32) -> String {
    const WORDS: [&str; 21] = [
        "no",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let word = WORDS.get(number as usize);
    word.map_or_else(|| number.to_string(), ToString::to_string)
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(1.min(word.len()));
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::super::board::{AADU_PULI, BAGH_CHAL};
    use super::*;
    use crate::rules::Notation;

    /// A line of the board is straight where it is drawn, up to the rounding of its coordinates.
    #[test]
    fn every_line_is_drawn_straight_and_every_point_once() {
        for board in [&*AADU_PULI, &*BAGH_CHAL] {
            let scene::Board::Graph { points, lines } = drawn(board) else {
                panic!("a hunt is played on a graph")
            };
            assert_eq!(points.len(), board.points);
            let place = |name: &String| {
                let point = points.iter().find(|point| point.name == *name);
                let point = point.expect("a point of the board");
                (point.x, point.y)
            };
            for line in &lines {
                let ends = (place(&line[0]), place(&line[line.len() - 1]));
                let ((x0, y0), (x1, y1)) = ends;
                for (x, y) in line.iter().map(place) {
                    let off = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
                    assert!(off.abs() < 0.01, "{line:?}");
                }
            }
        }
    }

    #[test]
    fn a_capture_names_the_goat_between_and_a_step_nobody() {
        let hunt = Hunt::new(&AADU_PULI);
        let (_, position) = hunt.read_position("T/2GT2/6/6/T3 t 14").unwrap();
        let footprint = |m: &str| hunt.footprint(&position, hunt.read_move(m).unwrap());
        assert_eq!(
            footprint("a1c3"),
            Footprint {
                captures: vec!["b3".into()],
                ..Footprint::step("a1".into(), "c3".into())
            }
        );
        assert_eq!(footprint("a1b2"), Footprint::step("a1".into(), "b2".into()));
    }
}
