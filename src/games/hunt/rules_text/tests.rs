//! Tests of the rules as text.

use std::collections::BTreeMap;

use super::*;
use crate::english::is_plural as is_plural_name;
use crate::scene::Argument;

fn text_of(spec: &BoardSpec) -> String {
    let rules: Vec<String> = rules_of(spec).iter().map(ToString::to_string).collect();
    rules.join("\n")
}

/// Returns the keys of messages, with those of the messages in their arguments.
fn keys(messages: &[Message]) -> Vec<&'static str> {
    let inner = |message: &Message| {
        let lists = message
            .arguments
            .iter()
            .map(|(_, argument)| match argument {
                Argument::Messages(list) => keys(list),
                _ => Vec::new(),
            });
        lists.flatten().collect::<Vec<_>>()
    };
    let all = messages.iter();
    all.flat_map(|message| [vec![message.key], inner(message)].concat())
        .collect()
}

#[test]
fn messages_have_one_set_of_arguments_per_key() {
    let mut names_of_key: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for board in crate::games::hunt::board::ALL.iter() {
        for Message { key, arguments, .. } in rules_of(&board.spec) {
            let names: Vec<&str> = arguments.iter().map(|(name, _)| *name).collect();
            assert_eq!(
                names_of_key.entry(key).or_insert(names.clone()),
                &names,
                "{key}"
            );
        }
    }
    assert!(names_of_key.len() >= 12, "{names_of_key:?}");
}

#[test]
fn rules_have_keys_and_arguments() {
    let spec = &crate::games::hunt::board::AADU_PULI.spec;
    let rules = rules_of(spec);
    assert_eq!(
        keys(&rules),
        [
            "sides",
            "begins",
            "one-drop-per-turn",
            "steps",
            "captures",
            "wins",
            "by-capturing-all",
            "when-blocked",
            "wins",
            "when-blocked",
            "repetition-draws",
        ]
    );
    let [tigers, goats] = [Role::Hunters, Role::Prey].map(|role| pieces(spec, role));
    assert_eq!((tigers.count, tigers.owner), (3, Side::P2));
    assert_eq!((&*goats.one, &*goats.many), ("goat", "goats"));
    assert_eq!(
        rules[4].arguments,
        [
            ("side", Argument::from(&tigers)),
            ("prey", Argument::from(&goats)),
            ("forced", Argument::from(false)),
        ]
    );
    assert_eq!(
        text_of(spec),
        "Three tigers are against fifteen goats. Pieces stand on the points of the board and move along its lines.\n\
         The goats begin.\n\
         One goat per turn is placed on any empty point. None moves until all are placed.\n\
         A goat moves to an adjacent empty point.\n\
         A tiger moves to an adjacent empty point too, or captures a goat by leaping over it, along a line, to the empty point \
         behind. It captures one per turn, and is never forced to.\n\
         The tigers win by capturing every goat, or when no goat can move.\n\
         The goats win when no tiger can move.\n\
         When a position occurs for the third time, the game is a draw."
    );
}

#[test]
fn rules_use_the_names_of_the_board() {
    for board in crate::games::hunt::board::ALL.iter() {
        let rules = text_of(&board.spec);
        let [hunters, prey] = &board.spec.names;
        assert!(
            rules.contains(&singular(hunters)) && rules.contains(prey),
            "{rules}"
        );
    }
}

#[test]
fn rules_name_every_goal() {
    let mut goals = 0;
    for board in crate::games::hunt::board::ALL.iter() {
        let spec = &board.spec;
        let rules = text_of(spec);
        for point in 0..spec.points() {
            if (spec.hunters_goal | spec.prey_goal) >> point & 1 == 1 {
                goals += 1;
                assert!(rules.contains(&spec.point_name(point)), "{rules}");
            }
        }
    }
    assert!(goals >= 5, "the boards have {goals} goals");
    let wolf = crate::games::hunt::board::ALL
        .iter()
        .find(|board| board.spec.names[0] == "wolf")
        .expect("a built-in game");
    let rules = text_of(&wolf.spec);
    assert!(rules.contains("by reaching h1, h2, h3 or h4"), "{rules}");
}

#[test]
fn names_are_plural_if_the_side_has_several_pieces() {
    for board in crate::games::hunt::board::ALL.iter() {
        for role in [Role::Hunters, Role::Prey] {
            let name = &board.spec.names[role as usize];
            let is_plural = pieces(&board.spec, role).count > 1;
            assert_eq!(is_plural_name(name), is_plural, "{}: {name}", board.name);
        }
    }
}
