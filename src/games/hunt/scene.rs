//! Scenes of hunt games, for GUIs that draw the board and its pieces and animate moves.

use super::board::{Board, Points};
use super::position::{Move, Position, points_of};
use super::rules::Hunt;
use super::rules_text::rules_of;
use crate::english::singular;
use crate::scene::{
    self, Captured, EndReason, Ending, GameInfo, Group, Message, MoveChanges, Piece, Point,
    Reserve, Scene, SceneProvider, Sources, Zone,
};
use crate::value::Side;

/// Kinds of pieces in a scene, equal in every game, unlike the names of the pieces.
const PREY: &str = "prey";
const HUNTER: &str = "hunter";

impl SceneProvider for Hunt {
    fn about(&self) -> GameInfo {
        let [hunters, prey] = self.board.spec.names.clone();
        let players = match self.board.goats_side {
            Side::P1 => vec![prey, hunters],
            Side::P2 => vec![hunters, prey],
        };
        GameInfo {
            title: Message::name(&self.board.title),
            group: Group::Hunts,
            singular_players: players.iter().map(|name| singular(name)).collect(),
            players,
            rules: rules_of(&self.board.spec),
        }
    }

    fn sources(&self) -> Sources {
        let spec = &self.board.spec;
        Sources {
            sources: spec.sources.clone(),
            differences: spec.differences.clone(),
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let board = self.board;
        let (hunters, prey) = (board.tigers_side(), board.goats_side);
        let pieces_at = |set, side, kind| {
            points_of(set).map(move |point| (point, Piece::of(side, kind, self.name(point))))
        };
        let prey_at = |point| {
            let count = position.goats_at(board, point);
            let piece = Piece::of(prey, PREY, self.name(point));
            let count = (count > 1).then_some(count as u8);
            (point, Piece { count, ..piece })
        };
        let mut pieces: Vec<(usize, Piece)> = pieces_at(position.tigers, hunters, HUNTER)
            .chain(points_of(position.goats).map(prey_at))
            .collect();
        pieces.sort_by_key(|&(point, _)| point);
        let reserve = |kind, owner, count| Reserve { kind, owner, count };
        let mut hand = Vec::new();
        if board.goats_at_start < board.goats {
            hand.push(reserve(PREY, prey, position.hand.into()));
        }
        if board.tigers_in_hand > 0 {
            hand.push(reserve(HUNTER, hunters, position.tigers_hand.into()));
        }
        let mut captured = Vec::new();
        if let Some(wins) = board.spec.captures {
            captured.push(Captured {
                pile: reserve(PREY, prey, self.captured(position)),
                wins: Some(wins),
            });
        }
        if board.has_huffs {
            captured.push(Captured {
                pile: reserve(HUNTER, hunters, self.removed_tigers(position)),
                wins: Some(board.spec.hunters),
            });
        }
        Scene {
            hand,
            captured,
            direction: board
                .directions()
                .map(|directions| directions[usize::from(position.goats_turned)]),
            ..Scene::new(
                scene_board(board),
                pieces.into_iter().map(|(_, piece)| piece).collect(),
            )
        }
    }

    fn append_contents(&self, position: &Position, out: &mut Vec<i8>) {
        let content = |side| if side == Side::P1 { 1 } else { -1 };
        let (hunter, prey) = (
            content(self.board.tigers_side()),
            content(self.board.goats_side),
        );
        out.extend((0..self.board.points).map(|point| {
            let hunters = (position.tigers >> point & 1) as i8;
            hunters * hunter + position.goats_at(self.board, point) as i8 * prey
        }));
    }

    fn reserves(&self, position: &Position) -> [u8; 4] {
        let (hand, captured) = (position.hand, self.captured(position) as u8);
        let tigers_hand = position.tigers_hand.min(self.board.tigers_in_hand as u8);
        let removed = self.removed_tigers(position) as u8;
        match self.board.goats_side {
            Side::P1 => [hand, tigers_hand, captured, removed],
            Side::P2 => [tigers_hand, hand, removed, captured],
        }
    }

    fn move_changes(&self, position: &Position, m: Move) -> MoveChanges {
        if position.is_chain(m) {
            let (points, _) = self.chain(position, m);
            let captured = |leap: &[usize]| self.names(self.board.between(leap[0], leap[1]));
            return MoveChanges {
                captures: points.windows(2).flat_map(captured).collect(),
                from: points.first().map(|&point| self.name(point)),
                to: points.last().map(|&point| self.name(point)),
                path: points.iter().map(|&point| self.name(point)).collect(),
                ..MoveChanges::default()
            };
        }
        if m.is_special() {
            let placed = m
                .multi_drop_number()
                .map_or(0, |number| self.board.multi_drop_points(number));
            return MoveChanges {
                drops: self.names(placed),
                ..MoveChanges::default()
            };
        }
        if m.from() == m.to() {
            return MoveChanges::drop(self.name(m.to()));
        }
        MoveChanges {
            captures: self.names(self.board.between(m.from(), m.to())),
            removed: self.removed(position, m),
            ..MoveChanges::step(self.name(m.from()), self.name(m.to()))
        }
    }

    fn ending(&self, position: &Position) -> Ending {
        let board = self.board;
        if self.has_reached_goal(position) {
            return Ending {
                why: EndReason::Goal,
                points: self.names(position.tigers & board.tigers_goal),
            };
        }
        if position.tigers & board.tigers_trap != 0 {
            return Ending {
                why: EndReason::Trap,
                points: self.names(position.tigers & board.tigers_trap),
            };
        }
        if position.has_no_tigers() {
            return EndReason::Removed.into();
        }
        if board.goats_goal & !position.goats == 0 {
            return Ending {
                why: EndReason::Goal,
                points: self.names(board.goats_goal),
            };
        }
        if self.captured(position) >= board.captures_to_win {
            EndReason::Captured.into()
        } else {
            EndReason::Blocked.into()
        }
    }
}

impl Hunt {
    /// Returns the points after the move `m` of the tigers that it removes.
    fn removed(&self, position: &Position, m: Move) -> Vec<String> {
        if !self.board.has_huffs {
            return Vec::new();
        }
        self.names(self.huffed(position, m) & !(1 << m.from()))
    }

    fn removed_tigers(&self, position: &Position) -> u32 {
        let left = position.tigers.count_ones() + u32::from(position.tigers_hand);
        self.board.spec.hunters.saturating_sub(left)
    }

    fn name(&self, point: usize) -> String {
        self.board.point_name(point)
    }

    fn names(&self, points: Points) -> Vec<String> {
        points_of(points).map(|point| self.name(point)).collect()
    }
}

fn scene_board(board: &Board) -> scene::Board {
    let points = board
        .spec
        .coordinates()
        .enumerate()
        .map(|(point, (x, y))| Point {
            name: board.point_name(point),
            x,
            y,
        });
    let names = |points: Points| {
        points_of(points)
            .map(|point| board.point_name(point))
            .collect()
    };
    let line_names =
        |line: &Vec<usize>| line.iter().map(|&point| board.point_name(point)).collect();
    let (hunters, prey) = (board.tigers_side(), board.goats_side);
    let zone = if board.zone == board.all() {
        0
    } else {
        board.zone
    };
    let zones = [
        ("goal", hunters, board.tigers_goal),
        ("trap", hunters, board.tigers_trap),
        ("goal", prey, board.spec.prey_goal),
        ("zone", prey, zone),
    ];
    let zones = zones.into_iter().filter(|&(_, _, points)| points != 0);
    scene::Board::Graph {
        points: points.collect(),
        lines: board.lines.iter().map(line_names).collect(),
        zones: zones
            .map(|(kind, owner, points)| Zone {
                kind,
                owner,
                points: names(points),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::{AADU_PULI, ALL};
    use super::*;
    use crate::rules::Notation;

    #[test]
    fn graph_has_every_point_and_valid_lines() {
        for board in ALL.iter() {
            let scene::Board::Graph { points, lines, .. } = scene_board(board) else {
                panic!("a hunt is played on a graph")
            };
            assert_eq!(points.len(), board.points);
            let is_point = |name: &String| points.iter().any(|point| point.name == *name);
            assert!(lines.iter().flatten().all(is_point));
        }
    }

    #[test]
    fn move_changes_list_captured_goats() {
        let hunt = Hunt::new(&AADU_PULI);
        let (_, position) = hunt.read_position("T/2GT2/6/6/T3 t 14").unwrap();
        let move_changes = |m: &str| hunt.move_changes(&position, hunt.read_move(m).unwrap());
        assert_eq!(
            move_changes("a1c3"),
            MoveChanges {
                captures: vec!["b3".into()],
                ..MoveChanges::step("a1".into(), "c3".into())
            }
        );
        assert_eq!(
            move_changes("a1b2"),
            MoveChanges::step("a1".into(), "b2".into())
        );
    }
}
