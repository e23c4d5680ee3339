//! Why a move of a hunt game is not legal, in the names of the game.

use super::board::Points;
use super::position::{Move, Position, points_of};
use super::rules::Hunt;
use super::rules_text::singular;

impl Hunt {
    /// Returns why the side to move may not make this move, in a few words. The move must not be legal, and the game not over.
    pub(super) fn reason_against(&self, position: &Position, m: Move) -> String {
        let board = self.board;
        let [hunters, prey] = &board.spec.names;
        let (movers, hand, own) = if position.tigers_to_move {
            (hunters, position.tigers_hand, position.tigers)
        } else {
            (prey, position.hand, position.goats)
        };
        if m == Move::PASS {
            return String::from("a side passes only when it cannot move");
        }
        let name = |point| board.point_name(point);
        let occupied = |points: Points| {
            let taken = points & !position.empty(board);
            points_of(taken)
                .next()
                .map(|point| format!("{} is occupied", name(point)))
        };
        let is_placement = m.is_special() || m.from() == m.to();
        if is_placement {
            let points = m
                .set_placed()
                .map_or(1 << m.to(), |number| board.placed_set(number));
            if hand == 0 {
                return format!("no {movers} are left to place; a move names two points");
            }
            let outside = (!position.tigers_to_move).then_some(points & !board.zone);
            let outside = outside.and_then(|points| points_of(points).next());
            let forbidden = outside.map(|point| format!("{} is not for the {prey}", name(point)));
            let dropped = if position.tigers_to_move {
                board.tigers_dropped(hand.into())
            } else {
                board.goats_dropped(hand.into())
            };
            return occupied(points)
                .or(forbidden)
                .unwrap_or_else(|| format!("in this turn {dropped} {movers} are placed"));
        }
        let (from, to) = (m.from(), m.to());
        if hand > 0 {
            return format!("{movers} move only after all are placed");
        }
        if own >> from & 1 == 0 {
            return format!("no {} stands on {}", singular(movers), name(from));
        }
        if let Some(reason) = occupied(1 << to) {
            return reason;
        }
        let steps = |table: &[Points]| table[from] >> to & 1 == 1;
        let [a, b] = [name(from), name(to)];
        if position.tigers_to_move {
            let leap = board.between(from, to);
            if steps(&board.steps) || leap & position.goats != 0 {
                return format!("the {} has to capture", singular(hunters));
            }
            if let Some(point) = points_of(leap).next()
                && board.spec.captures.is_some()
            {
                let one = singular(prey);
                return format!("no {one} stands on {}, between {a} and {b}", name(point));
            }
        } else if board.zone >> to & 1 == 0 {
            return format!("{b} is not for the {prey}");
        } else if steps(&board.steps) {
            return format!("{prey} do not move from {a} towards {b}");
        }
        format!("no line joins {a} and {b}")
    }
}
