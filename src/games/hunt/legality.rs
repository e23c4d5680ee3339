//! Explains why a move of a hunt game is illegal, with the game's own names for hunters and prey.

use super::board::Points;
use super::position::{Move, Position, points_of};
use super::rules::Hunt;
use crate::english::singular;

impl Hunt {
    /// Returns the reason why `m` is illegal for the side to move. The move must be illegal, and the game must not be
    /// over.
    pub(super) fn illegal_reason(&self, position: &Position, m: Move) -> String {
        let board = self.board;
        let [hunters, prey] = &board.spec.names;
        let (movers, hand, own_pieces) = if position.tigers_to_move {
            (hunters, position.tigers_hand, position.tigers)
        } else {
            (prey, position.hand, position.goats)
        };
        if m == Move::PASS {
            return String::from("a side passes only when it cannot move");
        }
        let name = |point| board.point_name(point);
        let occupied = |points: Points| {
            let joins = if position.tigers_to_move || hand > 0 {
                0
            } else {
                position.goats & board.joins
            };
            let occupied_points = points & !(position.empty(board) | joins);
            points_of(occupied_points)
                .next()
                .map(|point| format!("{} is occupied", name(point)))
        };
        let is_placement = m.is_special() || m.from() == m.to();
        if is_placement {
            let points = m
                .multi_drop_number()
                .map_or(1 << m.to(), |number| board.multi_drop_points(number));
            if hand == 0 {
                return format!("no {movers} in hand to place; a move names two points");
            }
            let outside = (!position.tigers_to_move).then_some(points & !board.zone);
            let outside = outside.and_then(|points| points_of(points).next());
            let forbidden =
                outside.map(|point| format!("the {prey} may not enter {}", name(point)));
            let dropped = if position.tigers_to_move {
                board.tigers_dropped(hand.into())
            } else {
                board.goats_dropped(hand.into())
            };
            return occupied(points)
                .or(forbidden)
                .unwrap_or_else(|| format!("this turn places {dropped} {movers}"));
        }
        let (from, to) = (m.from(), m.to());
        if hand > 0 {
            return format!("{movers} move only after all are placed");
        }
        if own_pieces >> from & 1 == 0 {
            return format!("no {} on {}", singular(movers), name(from));
        }
        if let Some(reason) = occupied(1 << to) {
            return reason;
        }
        let steps = |table: &[Points]| table[from] >> to & 1 == 1;
        let [a, b] = [name(from), name(to)];
        if position.tigers_to_move {
            let jumped_point = board.between(from, to);
            if board.has_chains && jumped_point & position.goats != 0 {
                return format!("the {} must go on", singular(hunters));
            }
            if steps(&board.steps) || jumped_point & position.goats != 0 {
                return format!("the {} must capture", singular(hunters));
            }
            if let Some(point) = points_of(jumped_point).next()
                && board.spec.captures.is_some()
            {
                let one = singular(prey);
                return format!("no {one} on {}, between {a} and {b}", name(point));
            }
        } else if board.zone >> to & 1 == 0 {
            return format!("the {prey} may not enter {b}");
        } else if steps(&board.steps) {
            return format!("{prey} may not move from {a} to {b}");
        }
        format!("no line joins {a} and {b}")
    }
}
