//! The rules of a hunt game in English, generated from its board file.
//!
//! The sentences use the game's own names for hunters and prey, such as `leopards`, in the singular or plural.

use super::spec::{BoardSpec, Direction, HuntersDrop, InfinitePlay, PointSet, PreySteps, Role};

/// Returns the rules of a game as a list of paragraphs of one or two sentences.
pub(crate) fn rules_of(spec: &BoardSpec) -> Vec<String> {
    let [hunters, prey] = &inflected_names(spec);
    let (hunter, one_prey) = (singular(hunters), singular(prey));
    let count_of = |count: u32, plural_name: &str| {
        let name = if count == 1 {
            singular(plural_name)
        } else {
            plural_name.to_string()
        };
        format!("{} {name}", spell_number(count))
    };
    let mut rules = vec![format!(
        "{} {} {}. Pieces stand on the points of the board and move along its lines.",
        capitalized(&count_of(spec.hunters, hunters)),
        if spec.hunters == 1 {
            "is against"
        } else {
            "are against"
        },
        count_of(spec.prey, prey)
    )];
    let (first, verb) = match spec.first {
        Role::Prey => (prey, "begin"),
        Role::Hunters if spec.hunters == 1 => (&hunter, "begins"),
        Role::Hunters => (hunters, "begin"),
    };
    rules.push(format!("The {first} {verb}."));
    let hunters_in_hand = spec.hunters - spec.hunters_at.count_ones();
    if hunters_in_hand > 0 {
        rules.push(match (spec.hunters_drop, hunters_in_hand) {
            (_, 1) => format!("In its first turn the {hunter} is placed on any empty point."),
            (HuntersDrop::First, count) => format!(
                "In the {hunters}' first turn {} are placed on empty points.",
                count_of(count, hunters)
            ),
            (HuntersDrop::Alternate, _) => {
                format!("One {hunter} per turn is placed on any empty point. None moves until all are placed.")
            }
        });
    }
    let zone = zone_names(spec);
    let of_their_zone = if zone.is_some() { " of their zone" } else { "" };
    if spec.prey > spec.prey_at.count_ones() {
        if spec.first_drops > 1 {
            rules.push(format!(
                "In their first turn {} {prey} are placed on empty points{of_their_zone}.",
                spell_number(spec.first_drops)
            ));
        }
        rules.push(format!(
            "One {one_prey} per turn is placed on any empty point{of_their_zone}. None moves until all are placed."
        ));
    }
    rules.push(step_rule(spec, &one_prey));
    if let Some(points) = zone {
        rules.push(format!(
            "The zone of the {prey}, which they may not leave: {points}."
        ));
    }
    rules.push(capture_rule(spec, &hunter, &one_prey));
    rules.extend(win_rules(spec));
    rules.push(match spec.infinite_play {
        InfinitePlay::Draw => {
            "When a position occurs for the third time, the game is a draw.".into()
        }
        InfinitePlay::Won(role) => {
            let (winner, have) = match role {
                Role::Prey => (prey, "have"),
                Role::Hunters if spec.hunters == 1 => (&hunter, "has"),
                Role::Hunters => (hunters, "have"),
            };
            format!("When a position occurs for the third time, the {winner} {have} won.")
        }
    });
    rules
}

/// Returns the names of the terms of the reference evaluation, in the order of
/// [`Board::terms`](super::Board::terms).
pub(crate) fn terms_of(spec: &BoardSpec) -> [String; 5] {
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
    ]
}

/// Returns an explanation of the letters and numbers in board diagrams and in the text of positions.
pub(crate) fn legend(spec: &BoardSpec) -> String {
    let [hunter, prey] = spec.names.each_ref().map(|name| singular(name));
    format!("T {hunter}, G {prey}; numbers count the points of a row")
}

/// Returns the names of the points that prey may enter, or `None` if prey may enter every point.
fn zone_names(spec: &BoardSpec) -> Option<String> {
    let points = 0..spec.points();
    let inside = points.filter(|&point| spec.prey_zone >> point & 1 == 1);
    let names: Vec<String> = inside.map(|point| spec.point_name(point)).collect();
    (names.len() < spec.points()).then(|| names.join(", "))
}

/// Returns the names of the points of `set` as a list, such as `h1, h2 or h3` for the conjunction `or`.
fn list_points(spec: &BoardSpec, set: PointSet, conjunction: &str) -> String {
    let points = (0..spec.points()).filter(|&point| set >> point & 1 == 1);
    let names: Vec<String> = points.map(|point| spec.point_name(point)).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{} {conjunction} {last}", before.join(", "))
        }
        _ => names.concat(),
    }
}

fn step_rule(spec: &BoardSpec, one_prey: &str) -> String {
    let direction_text = |direction| match direction {
        Direction::Up => "up the board",
        Direction::Down => "down the board",
        Direction::Left => "to the left",
        Direction::Right => "to the right",
    };
    let restriction = match spec.prey_steps {
        PreySteps::Any => String::new(),
        PreySteps::Forward(direction) => format!(", but only {}", direction_text(direction)),
        PreySteps::ForwardOrSideways(direction) => {
            format!(
                ", but only {} or sideways, never back",
                direction_text(direction)
            )
        }
    };
    let subject = capitalized(&with_article(one_prey));
    format!("{subject} moves to an adjacent empty point{restriction}.")
}

fn capture_rule(spec: &BoardSpec, hunter: &str, one_prey: &str) -> String {
    let subject = capitalized(&with_article(hunter));
    if spec.captures.is_none() {
        return format!("{subject} moves to an adjacent empty point too. There are no captures.");
    }
    let obligation = if spec.capture_is_forced {
        "and must capture if it can"
    } else {
        "and is never forced to"
    };
    format!(
        "{subject} moves to an adjacent empty point too, or captures {} by leaping over it, along a line, to the empty point \
         behind. It captures one per turn, {obligation}.",
        with_article(one_prey)
    )
}

fn win_rules(spec: &BoardSpec) -> Vec<String> {
    let [hunters, prey] = &inflected_names(spec);
    let (hunter, one_prey) = (singular(hunters), singular(prey));
    let (the_hunters, win) = if spec.hunters == 1 {
        (&hunter, "wins")
    } else {
        (hunters, "win")
    };
    let mut ways_to_win = Vec::new();
    match spec.captures {
        Some(captures) if captures == spec.prey => {
            ways_to_win.push(format!("by capturing every {one_prey}"));
        }
        Some(1) => ways_to_win.push(format!("by capturing {}", with_article(&one_prey))),
        Some(captures) => {
            ways_to_win.push(format!("by capturing {} {prey}", spell_number(captures)));
        }
        None => {}
    }
    if spec.hunters_goal != 0 {
        ways_to_win.push(format!(
            "by reaching {}",
            list_points(spec, spec.hunters_goal, "or")
        ));
    }
    if !spec.stuck_prey_pass {
        ways_to_win.push(format!("when no {one_prey} can move"));
    }
    let mut rules = Vec::new();
    if !ways_to_win.is_empty() {
        rules.push(format!(
            "The {the_hunters} {win} {}.",
            ways_to_win.join(", or ")
        ));
    }
    if spec.stuck_prey_pass {
        rules.push(format!("When no {one_prey} can move, the {prey} pass."));
    }
    let goal = if spec.prey_goal == 0 {
        String::new()
    } else {
        format!(
            ", or when they stand on {}",
            list_points(spec, spec.prey_goal, "and")
        )
    };
    rules.push(format!("The {prey} win when no {hunter} can move{goal}."));
    rules
}

/// Irregular singulars and plurals.
const IRREGULAR: [(&str, &str); 13] = [
    ("calf", "calves"),
    ("child", "children"),
    ("elf", "elves"),
    ("goose", "geese"),
    ("louse", "lice"),
    ("man", "men"),
    ("mouse", "mice"),
    ("ox", "oxen"),
    ("person", "people"),
    ("thief", "thieves"),
    ("wife", "wives"),
    ("wolf", "wolves"),
    ("woman", "women"),
];

/// Words whose plural equals the singular.
const INVARIABLE: [&str; 6] = ["cattle", "deer", "fish", "prey", "sheep", "swine"];

/// Endings of singulars that form the plural with `es` instead of `s`.
const ES_ENDINGS: [&str; 5] = ["ss", "x", "z", "ch", "sh"];

fn takes_es(word: &str) -> bool {
    ES_ENDINGS.iter().any(|end| word.ends_with(end))
}

/// Returns `true` if the plural equals the singular. This includes non-ASCII words, because their plurals are unknown.
fn is_invariable(word: &str) -> bool {
    !word.is_ascii() || INVARIABLE.contains(&word)
}

/// Returns the singular of a plural, such as `goat` for `goats`. A word without a plural ending is returned unchanged.
pub(crate) fn singular(many: &str) -> String {
    if let Some((one, _)) = IRREGULAR.iter().find(|(_, plural)| *plural == many) {
        return (*one).into();
    }
    if is_invariable(many) || many.ends_with("ss") || many.len() < 3 {
        return many.into();
    }
    if let Some(stem) = many.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    if let Some(stem) = many.strip_suffix("es").filter(|stem| takes_es(stem)) {
        return stem.into();
    }
    many.strip_suffix('s').unwrap_or(many).into()
}

/// Returns the plural of a name, such as `foxes` for `fox`. A plural is returned unchanged.
fn plural(name: &str) -> String {
    if is_invariable(name) || singular(name) != name {
        return name.into();
    }
    if let Some((_, many)) = IRREGULAR.iter().find(|(singular, _)| *singular == name) {
        return (*many).into();
    }
    if let Some(stem) = name.strip_suffix('y')
        && !stem.ends_with(['a', 'e', 'o', 'u'])
    {
        return format!("{stem}ies");
    }
    let ending = if name.ends_with('s') || takes_es(name) {
        "es"
    } else {
        "s"
    };
    format!("{name}{ending}")
}

/// Returns the names of hunters and prey. A name is in the plural if the game has more than one such piece.
fn inflected_names(spec: &BoardSpec) -> [String; 2] {
    let counts = [spec.hunters, spec.prey];
    std::array::from_fn(|role| match &spec.names[role] {
        name if counts[role] > 1 => plural(name),
        name => name.clone(),
    })
}

/// Returns the word with `a` or `an`.
fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {word}")
}

/// Returns the number as a word if it is at most twenty, otherwise in digits.
fn spell_number(number: u32) -> String {
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

/// Returns the word with an uppercase first letter.
pub(crate) fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singular_and_plural_are_inverse() {
        for (one, many) in [
            ("goat", "goats"),
            ("fly", "flies"),
            ("witch", "witches"),
            ("fox", "foxes"),
            ("mouse", "mice"),
            ("thief", "thieves"),
            ("horse", "horses"),
            ("ape", "apes"),
            ("donkey", "donkeys"),
            ("sheep", "sheep"),
            ("prey", "prey"),
            ("புலி", "புலி"),
        ] {
            assert_eq!(singular(many), one);
            assert_eq!(plural(one), many);
            assert_eq!(plural(many), many);
        }
        assert_eq!(with_article("owl"), "an owl");
        assert_eq!(with_article("tiger"), "a tiger");
    }

    #[test]
    fn rules_use_the_names_of_the_board() {
        for board in super::super::board::ALL.iter() {
            let rules = rules_of(&board.spec).join("\n");
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
        for board in super::super::board::ALL.iter() {
            let spec = &board.spec;
            let rules = rules_of(spec).join("\n");
            for point in 0..spec.points() {
                if (spec.hunters_goal | spec.prey_goal) >> point & 1 == 1 {
                    goals += 1;
                    assert!(rules.contains(&spec.point_name(point)), "{rules}");
                }
            }
        }
        assert!(goals >= 5, "the boards have {goals} goals");
        let wolf = super::super::board::ALL
            .iter()
            .find(|board| board.spec.names[0] == "wolf")
            .expect("a built-in game");
        let rules = rules_of(&wolf.spec).join("\n");
        assert!(rules.contains("by reaching h1, h2, h3 or h4"), "{rules}");
    }
}
