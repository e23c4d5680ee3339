//! The rules of a hunt game, generated from its board file: for each a key with arguments, and the English sentence.
//!
//! The sentences use the game's own names for hunters and prey, such as `leopards`, in the singular or plural.

use super::spec::{BoardSpec, Direction, HuntersDrop, InfinitePlay, PreySteps, Role};
use crate::english::{capitalized, list, plural, singular, spell_number, with_article};
use crate::scene::{Message, Pieces};
use crate::value::Side;

/// Returns the rules of a game, one or two sentences each.
pub(crate) fn rules_of(spec: &BoardSpec) -> Vec<Message> {
    let hunters = &pieces(spec, Role::Hunters);
    let prey = &pieces(spec, Role::Prey);
    let first = match spec.first {
        Role::Hunters => hunters,
        Role::Prey => prey,
    };
    let mut rules = vec![sides(hunters, prey), begins(first)];
    rules.extend(hunters_drop_rule(spec, hunters));
    rules.extend(prey_drop_rules(spec, prey));
    rules.push(step_rule(spec, prey));
    rules.extend(spec.prey_turn.then(|| turn_rule(prey)));
    rules.extend(zone_rule(spec, prey));
    rules.extend(stack_rules(spec, prey));
    rules.push(capture_rule(spec, hunters, prey));
    rules.extend(has_huffs(spec).then(|| huff_rule(hunters)));
    rules.extend(win_rule(hunters, hunters_ways_to_win(spec, prey)));
    rules.extend(spec.stuck_prey_pass.then(|| pass(prey)));
    rules.extend(win_rule(prey, prey_ways_to_win(spec, hunters)));
    rules.push(match spec.infinite_play {
        InfinitePlay::Draw => repetition_draws(),
        InfinitePlay::Won(Role::Hunters) => repetition_wins(hunters),
        InfinitePlay::Won(Role::Prey) => repetition_wins(prey),
    });
    rules
}

/// Returns the pieces of a role with their name.
fn pieces(spec: &BoardSpec, role: Role) -> Pieces {
    let count = match role {
        Role::Hunters => spec.hunters,
        Role::Prey => spec.prey,
    };
    let name = &spec.names[role as usize];
    Pieces {
        owner: if role == spec.first {
            Side::P1
        } else {
            Side::P2
        },
        one: singular(name),
        many: plural(name),
        count,
    }
}

fn sides(hunters: &Pieces, prey: &Pieces) -> Message {
    let [many_hunters, many_prey] =
        [hunters, prey].map(|pieces| format!("{} {pieces}", spell_number(pieces.count)));
    let verb = hunters.choose("is", "are");
    Message::new(
        "sides",
        [("hunters", hunters.into()), ("prey", prey.into())],
        format!(
            "{} {verb} against {many_prey}. Pieces stand on the points of the board and move along its lines.",
            capitalized(&many_hunters)
        ),
    )
}

fn begins(first: &Pieces) -> Message {
    let verb = first.choose("begins", "begin");
    Message::new(
        "begins",
        [("side", first.into())],
        format!("The {first} {verb}."),
    )
}

/// Returns the rule of the hunters in hand, or `None` if all hunters start on the board.
fn hunters_drop_rule(spec: &BoardSpec, hunters: &Pieces) -> Option<Message> {
    let in_hand = spec.hunters - spec.hunters_at.count_ones();
    match (spec.hunters_drop, in_hand) {
        (_, 0) => None,
        (_, 1) => Some(Message::new(
            "first-turn-drop",
            [("side", hunters.into())],
            format!(
                "In its first turn the {} is placed on any empty point.",
                hunters.one
            ),
        )),
        (HuntersDrop::First, _) => Some(Message::new(
            "first-turn-drops",
            [("side", hunters.into()), ("count", in_hand.into())],
            format!(
                "In the {hunters}' first turn {} {hunters} are placed on empty points.",
                spell_number(in_hand)
            ),
        )),
        (HuntersDrop::Alternate, _) => Some(one_drop_per_turn(hunters, false)),
    }
}

/// Returns the rules of the prey in hand; none if all prey start on the board.
fn prey_drop_rules(spec: &BoardSpec, prey: &Pieces) -> Vec<Message> {
    let mut rules = Vec::new();
    let has_zone = !zone_points(spec).is_empty();
    if spec.prey > spec.prey_on_board() {
        if spec.first_drops > 1 {
            rules.push(Message::new(
                "first-turn-prey-drops",
                [
                    ("side", prey.into()),
                    ("count", spec.first_drops.into()),
                    ("zone", has_zone.into()),
                ],
                format!(
                    "In their first turn {} {prey} are placed on empty points{}.",
                    spell_number(spec.first_drops),
                    of_their_zone(has_zone)
                ),
            ));
        }
        rules.push(one_drop_per_turn(prey, has_zone));
    }
    rules
}

fn one_drop_per_turn(side: &Pieces, has_zone: bool) -> Message {
    Message::new(
        "one-drop-per-turn",
        [("side", side.into()), ("zone", has_zone.into())],
        format!(
            "One {} per turn is placed on any empty point{}. None moves until all are placed.",
            side.one,
            of_their_zone(has_zone)
        ),
    )
}

fn of_their_zone(has_zone: bool) -> &'static str {
    if has_zone { " of their zone" } else { "" }
}

fn step_rule(spec: &BoardSpec, prey: &Pieces) -> Message {
    let steps = format!(
        "{} moves to an adjacent empty point",
        capitalized(&with_article(&prey.one))
    );
    let direction_text = |direction| match direction {
        Direction::Up => "up the board",
        Direction::Down => "down the board",
        Direction::Left => "to the left",
        Direction::Right => "to the right",
    };
    match spec.prey_steps {
        PreySteps::Any => Message::new("steps", [("side", prey.into())], format!("{steps}.")),
        PreySteps::Forward(direction) => {
            let text = direction_text(direction);
            Message::new(
                "steps-forward",
                [
                    ("side", prey.into()),
                    ("direction", direction.name().into()),
                ],
                format!("{steps}, but only {text}."),
            )
        }
        PreySteps::ForwardOrSideways(direction) => {
            let text = direction_text(direction);
            Message::new(
                "steps-forward-or-sideways",
                [
                    ("side", prey.into()),
                    ("direction", direction.name().into()),
                ],
                format!("{steps}, but only {text} or sideways, never back."),
            )
        }
    }
}

fn turn_rule(prey: &Pieces) -> Message {
    Message::new(
        "turns",
        [("side", prey.into())],
        format!(
            "When no {} can step ahead, all {prey} turn round and go the other way.",
            prey.one
        ),
    )
}

/// Returns the rules of stacks; none if each point has at most one prey.
fn stack_rules(spec: &BoardSpec, prey: &Pieces) -> Vec<Message> {
    let mut rules = Vec::new();
    if spec.stacks() != 0 {
        let once = if spec.has_chains {
            " A turn leaps over a stack only once."
        } else {
            ""
        };
        rules.push(Message::new(
            "stacks",
            [("side", prey.into()), ("chain", spec.has_chains.into())],
            format!(
                "On some points several {prey} stand in a stack. A step or a leap takes one of them.{once}"
            ),
        ));
    }
    if spec.prey_joins != 0 {
        let points = spec.point_names(spec.prey_joins);
        let text = format!(
            "{} may step onto others on {}.",
            capitalized(&prey.many),
            list(&points, "and")
        );
        rules.push(Message::new(
            "joins",
            [("side", prey.into()), ("points", points.into())],
            text,
        ));
    }
    rules
}

/// Returns the rule of the zone, or `None` if prey may enter every point.
fn zone_rule(spec: &BoardSpec, prey: &Pieces) -> Option<Message> {
    let points = zone_points(spec);
    let text = format!(
        "The zone of the {prey}, which they may not leave: {}.",
        points.join(", ")
    );
    (!points.is_empty()).then(|| {
        Message::new(
            "zone",
            [("side", prey.into()), ("points", points.into())],
            text,
        )
    })
}

fn capture_rule(spec: &BoardSpec, hunters: &Pieces, prey: &Pieces) -> Message {
    let moves = format!(
        "{} moves to an adjacent empty point too",
        capitalized(&with_article(&hunters.one))
    );
    if spec.captures.is_none() {
        return Message::new(
            "no-captures",
            [("side", hunters.into())],
            format!("{moves}. There are no captures."),
        );
    }
    let (key, number) = match (spec.has_chains, spec.capture_is_forced) {
        (false, false) => (
            "captures",
            "It captures one per turn, and is never forced to.",
        ),
        (false, true) => (
            "captures",
            "It captures one per turn, and must capture if it can.",
        ),
        (true, false) => (
            "captures-in-chains",
            "It may leap again in the same turn, as often as it can, and is never forced to. What it leaps over leaves \
             the board at once.",
        ),
        (true, true) => (
            "captures-in-chains",
            "It must capture if it can, and leaps again in the same turn until it cannot. What it leaps over leaves the \
             board at once.",
        ),
    };
    Message::new(
        key,
        [
            ("side", hunters.into()),
            ("prey", prey.into()),
            ("forced", spec.capture_is_forced.into()),
        ],
        format!(
            "{moves}, or captures {} by leaping over it, along a line, to the empty point behind. {number}",
            with_article(&prey.one)
        ),
    )
}

/// Returns `true` if hunters can be removed.
fn has_huffs(spec: &BoardSpec) -> bool {
    spec.has_huffs && spec.captures.is_some()
}

fn huff_rule(hunters: &Pieces) -> Message {
    Message::new(
        "huffs",
        [("side", hunters.into())],
        format!(
            "After a step in place of a capture, every {} that could have captured is removed.",
            hunters.one
        ),
    )
}

/// Returns the ways in which the hunters win. Each is a part of the sentence of [`win_rule`].
fn hunters_ways_to_win(spec: &BoardSpec, prey: &Pieces) -> Vec<Message> {
    let mut ways = Vec::new();
    match spec.captures {
        Some(captures) if captures == spec.prey => ways.push(Message::new(
            "by-capturing-all",
            [("prey", prey.into())],
            format!("by capturing every {}", prey.one),
        )),
        Some(1) => ways.push(Message::new(
            "by-capturing-one",
            [("prey", prey.into())],
            format!("by capturing {}", with_article(&prey.one)),
        )),
        Some(captures) => ways.push(Message::new(
            "by-capturing",
            [("prey", prey.into()), ("count", captures.into())],
            format!("by capturing {} {prey}", spell_number(captures)),
        )),
        None => {}
    }
    if spec.hunters_goal != 0 {
        let points = spec.point_names(spec.hunters_goal);
        let (key, verb) = if spec.hunters_goal & spec.hunters_at == 0 {
            ("by-reaching", "reaching")
        } else {
            ("by-coming-back", "coming back to")
        };
        let text = format!("by {verb} {}", list(&points, "or"));
        ways.push(Message::new(key, [("points", points.into())], text));
    }
    if !spec.stuck_prey_pass {
        ways.push(when_blocked(prey));
    }
    ways
}

/// Returns the ways in which the prey win. Each is a part of the sentence of [`win_rule`].
fn prey_ways_to_win(spec: &BoardSpec, hunters: &Pieces) -> Vec<Message> {
    let mut ways = vec![when_blocked(hunters)];
    if spec.prey_goal != 0 {
        let points = spec.point_names(spec.prey_goal);
        let text = format!("when they stand on {}", list(&points, "and"));
        ways.push(Message::new(
            "when-standing-on",
            [("points", points.into())],
            text,
        ));
    }
    if spec.hunters_trap != 0 {
        let points = spec.point_names(spec.hunters_trap);
        let text = format!(
            "when {} comes to {}",
            with_article(&hunters.one),
            list(&points, "or")
        );
        ways.push(Message::new(
            "when-trapped",
            [("loser", hunters.into()), ("points", points.into())],
            text,
        ));
    }
    if has_huffs(spec) {
        ways.push(Message::new(
            "when-none-is-left",
            [("loser", hunters.into())],
            format!("when no {} is left", hunters.one),
        ));
    }
    ways
}

fn when_blocked(loser: &Pieces) -> Message {
    Message::new(
        "when-blocked",
        [("loser", loser.into())],
        format!("when no {} can move", loser.one),
    )
}

/// Returns the rule that a side wins in any of `ways`, or `None` if there are none.
fn win_rule(side: &Pieces, ways: Vec<Message>) -> Option<Message> {
    let texts: Vec<&str> = ways.iter().map(|way| way.english.as_str()).collect();
    let verb = side.choose("wins", "win");
    let text = format!("The {side} {verb} {}.", texts.join(", or "));
    (!ways.is_empty())
        .then(|| Message::new("wins", [("side", side.into()), ("ways", ways.into())], text))
}

fn pass(prey: &Pieces) -> Message {
    Message::new(
        "passes",
        [("side", prey.into())],
        format!("When no {} can move, the {prey} pass.", prey.one),
    )
}

fn repetition_draws() -> Message {
    let text = "When a position occurs for the third time, the game is a draw.";
    Message::new("repetition-draws", [], text)
}

fn repetition_wins(winner: &Pieces) -> Message {
    let have = winner.choose("has", "have");
    Message::new(
        "repetition-wins",
        [("side", winner.into())],
        format!("When a position occurs for the third time, the {winner} {have} won."),
    )
}

/// Returns the names of the terms of the reference evaluation, in the order of
/// [`Board::terms`](super::Board::terms).
pub(crate) fn terms_of(spec: &BoardSpec) -> [String; 6] {
    let [hunters, prey] = &spec.names;
    let hunter = singular(hunters);
    let (role, whose) = if spec.hunters == 1 {
        (&hunter, "its")
    } else {
        (hunters, "their")
    };
    [
        prey.clone(),
        format!("{hunter} steps"),
        format!("{hunter} captures"),
        format!("the way of the {role} to {whose} goal"),
        format!("the way of the {prey} to their goal"),
        hunters.clone(),
    ]
}

/// Returns an explanation of the letters and numbers in board diagrams and in the text of positions.
pub(crate) fn legend(spec: &BoardSpec) -> String {
    let [hunter, prey] = spec.names.each_ref().map(|name| singular(name));
    let stack = if spec.stacks() == 0 {
        String::new()
    } else {
        String::from(", (2) two on one point")
    };
    format!("T {hunter}, G {prey}{stack}; numbers count the points of a row")
}

/// Returns the names of the points that prey may enter; empty if prey may enter every point.
fn zone_points(spec: &BoardSpec) -> Vec<String> {
    let points = spec.point_names(spec.prey_zone);
    if points.len() < spec.points() {
        points
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
