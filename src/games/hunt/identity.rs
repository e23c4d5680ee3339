//! The text that identifies a game in files of solved positions: the board and all rules.

use std::fmt::Write;

use super::board::{Board, Points};
use super::spec::HuntersDrop;
use crate::value::Side;

/// Returns the identity of a game, one rule per line. The first line is the name of the game.
///
/// The names of the pieces, the description and the coordinates are omitted, because values do not depend on them.
pub(super) fn of(board: &Board) -> String {
    let sets = |sets: &[Points]| {
        let sets = sets[..board.points].iter();
        sets.map(|set| format!("{set:x}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let triples = board.triples.iter().map(|triple| {
        let [first, last] = triple.ends;
        (first.min(last), triple.middle, first.max(last))
    });
    let mut jumps: Vec<(u8, u8, u8)> = triples.collect();
    jumps.sort_unstable();
    let jumps = jumps
        .iter()
        .fold(String::new(), |mut text, (from, over, to)| {
            // Writing to a string cannot fail.
            let _ = write!(text, " {from}-{over}-{to}");
            text
        });
    let captures = match (board.spec.captures, board.must_capture) {
        (None, _) => String::from("none"),
        (Some(captures), false) => captures.to_string(),
        (Some(captures), true) => format!("{captures} forced"),
    };
    let captures = captures
        + if board.has_chains { " chain" } else { "" }
        + if board.has_huffs { " huff" } else { "" };
    let mut goals = format!("goals {:x} {:x}", board.tigers_goal, board.goats_goal);
    if board.tigers_trap != 0 {
        goals += &format!(" trap {:x}", board.tigers_trap);
    }
    let mut prey_steps = format!("prey-steps {}", sets(&board.goat_steps));
    if board.goats_turn {
        prey_steps += &format!(" turning {}", sets(&board.turned_goat_steps));
    }
    let mut prey = format!(
        "prey {} at {:x} first-drops {}",
        board.goats, board.goats_placed, board.spec.first_drops
    );
    if board.has_stacks {
        let stacked = board.stacked_at_start;
        prey += &format!(
            " stacks {:x} {stacked:?} joins {:x}",
            board.stacks, board.joins
        );
    }
    let rows: Vec<String> = board.rows.iter().map(usize::to_string).collect();
    let drops = match board.spec.hunters_drop {
        HuntersDrop::First => "first",
        HuntersDrop::Alternate => "alternate",
    };
    let side = |side: Side| {
        if side == board.goats_side {
            "prey"
        } else {
            "hunters"
        }
    };
    [
        board.name.clone(),
        format!("rows {}", rows.join(" ")),
        format!("hunter-steps {}", sets(&board.steps)),
        prey_steps,
        format!("jumps{jumps}"),
        format!(
            "hunters {} at {:x} drop {drops}",
            board.spec.hunters, board.tigers
        ),
        prey,
        format!("first {}", side(Side::P1)),
        format!("captures {captures}"),
        format!(
            "stuck-prey {}",
            if board.stuck_goats_pass {
                "pass"
            } else {
                "lose"
            }
        ),
        format!("prey-zone {:x}", board.zone),
        goals,
        format!(
            "infinite-play {}",
            board.infinite_play_winner().map_or("draw", side)
        ),
    ]
    .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::board::{ALL, named, with_rules};

    #[test]
    fn every_rule_changes_the_identity() {
        let all = ALL.iter().map(|board| of(board));
        let all: std::collections::HashSet<String> = all.collect();
        assert_eq!(all.len(), ALL.len());
        let home = of(named("kaooa").unwrap());
        for rule in [
            ("game", "other"),
            ("hunters-drop", "first"),
            ("prey", "6"),
            ("first", "hunters"),
            ("first-drops", "2"),
            ("captures", "2"),
            ("leap", "chain"),
            ("capture", "forced"),
            ("huff", "remove"),
            ("prey-steps", "forward up"),
            ("prey-stuck", "pass"),
            ("prey-zone", "a1 b1 b2 b3 b4"),
            ("prey", "7 at a1*2"),
            ("prey-stacks", "a1"),
            ("hunters-goal", "a1"),
            ("hunters-trap", "a1"),
            ("prey-goal", "a1"),
            ("repetition", "prey"),
        ] {
            assert_ne!(of(with_rules("kaooa", &[rule])), home, "{rule:?}");
        }
        let forward = ("prey-steps", "forward up");
        assert_ne!(
            of(with_rules("kaooa", &[forward])),
            of(with_rules("kaooa", &[forward, ("prey-turn", "")]))
        );
        for rule in [
            ("about", "Another text"),
            ("origin", "Sicily"),
            ("year", "1821"),
            ("source", "Another author"),
            ("differs", "Another rule"),
            ("names", "kite sparrows"),
        ] {
            assert_eq!(of(with_rules("kaooa", &[rule])), home, "{rule:?}");
        }
    }
}
