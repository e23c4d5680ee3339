//! The rules of a hunt game in words, from its sketch alone.

use super::board::Board;
use super::spec::{BoardSpec, Direction, HuntersDrop, InfinitePlay, PointSet, PreySteps, Role};

/// The rules, a sentence or two each, in the names that people use.
pub fn rules_of(sketch: &BoardSpec) -> Vec<String> {
    let [hunters, prey] = &named(sketch);
    let (hunter, one_prey) = (singular(hunters), singular(prey));
    let how_many = |count: u32, many: &str| {
        let name = if count == 1 {
            singular(many)
        } else {
            many.to_string()
        };
        format!("{} {name}", in_words(count))
    };
    let mut rules = vec![format!(
        "{} {} {}. Everybody stands on the points of the board and moves along its lines.",
        capitalized(&how_many(sketch.hunters, hunters)),
        if sketch.hunters == 1 {
            "is against"
        } else {
            "are against"
        },
        how_many(sketch.prey, prey)
    )];
    let beginners = if sketch.first == Role::Prey {
        prey
    } else {
        hunters
    };
    let verb = if sketch.first == Role::Hunters && sketch.hunters == 1 {
        "begins"
    } else {
        "begin"
    };
    let beginner = if verb == "begins" { &hunter } else { beginners };
    rules.push(format!("The {beginner} {verb}."));
    let hunters_in_hand = sketch.hunters - sketch.hunters_at.count_ones();
    if hunters_in_hand > 0 {
        rules.push(match (sketch.hunters_drop, hunters_in_hand) {
            (_, 1) => format!("In its first turn the {hunter} is put on any empty point."),
            (HuntersDrop::First, count) => format!(
                "In the {hunters}' first turn {} are put on empty points.",
                how_many(count, hunters)
            ),
            (HuntersDrop::Alternate, _) => {
                format!("One {hunter} a turn is put on any empty point, and none moves until all have been.")
            }
        });
    }
    let zone = zone_of(sketch);
    let of_zone = if zone.is_some() { " of theirs" } else { "" };
    if sketch.prey > sketch.prey_at.count_ones() {
        if sketch.first_drops > 1 {
            rules.push(format!(
                "In their first turn the {prey} are put on {} empty points{of_zone} at once.",
                in_words(sketch.first_drops)
            ));
        }
        rules.push(format!(
            "One {one_prey} a turn is put on any empty point{of_zone}, and none may move until all have been."
        ));
    }
    rules.push(steps_in_words(sketch, &one_prey));
    if let Some(points) = zone {
        rules.push(format!(
            "The {prey} may not leave the points that are theirs: {points}."
        ));
    }
    rules.push(leaps_in_words(sketch, &hunter, &one_prey));
    rules.extend(wins_in_words(sketch));
    rules.push(match sketch.endless {
        InfinitePlay::Draw => {
            "When a position occurs for the third time the game is a draw.".into()
        }
        InfinitePlay::Won(party) => {
            let (winner, have) = match party {
                Role::Prey => (prey, "have"),
                Role::Hunters if sketch.hunters == 1 => (&hunter, "has"),
                Role::Hunters => (hunters, "have"),
            };
            format!("When a position occurs for the third time the {winner} {have} won.")
        }
    });
    rules
}

/// What the textbook's evaluation counts, in the names of the game.
pub fn terms_of(sketch: &BoardSpec) -> [String; 5] {
    let [hunters, prey] = &sketch.names;
    let hunter = singular(hunters);
    let (party, whose) = if sketch.hunters == 1 {
        (&hunter, "its")
    } else {
        (hunters, "their")
    };
    [
        prey.clone(),
        format!("{hunter} steps"),
        format!("{hunter} captures"),
        format!("the way of the {party} to {whose} goal"),
        format!("the way of the {prey} to their goal"),
    ]
}

/// What the letters of a drawing and of a FEN stand for.
pub fn legend(board: &Board) -> String {
    let [hunter, prey] = board.spec.names.each_ref().map(|name| singular(name));
    format!("T {hunter}, G {prey}, a number the point's in its row")
}

/// The names of the points that prey may enter, where these are not all.
fn zone_of(sketch: &BoardSpec) -> Option<String> {
    let points = 0..sketch.points();
    let inside = points.filter(|&point| sketch.prey_zone >> point & 1 == 1);
    let names: Vec<String> = inside.map(|point| sketch.point_name(point)).collect();
    (names.len() < sketch.points()).then(|| names.join(", "))
}

/// Returns the names of the points of `set`: `h1, h2 or h3` with the conjunction `or`.
fn points_in_words(sketch: &BoardSpec, set: PointSet, conjunction: &str) -> String {
    let points = (0..sketch.points()).filter(|&point| set >> point & 1 == 1);
    let names: Vec<String> = points.map(|point| sketch.point_name(point)).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{} {conjunction} {last}", before.join(", "))
        }
        _ => names.concat(),
    }
}

fn steps_in_words(sketch: &BoardSpec, one_prey: &str) -> String {
    let ahead = |direction| match direction {
        Direction::Up => "up the board",
        Direction::Down => "down the board",
        Direction::Left => "to the left",
        Direction::Right => "to the right",
    };
    let steps = match sketch.prey_steps {
        PreySteps::Any => String::new(),
        PreySteps::Forward(direction) => format!(", but only {}", ahead(direction)),
        PreySteps::ForwardOrSideways(direction) => {
            format!(", but only {} or across, never back", ahead(direction))
        }
    };
    let one = capitalized(&with_article(one_prey));
    format!("{one} moves to a neighbouring empty point{steps}.")
}

fn leaps_in_words(sketch: &BoardSpec, hunter: &str, one_prey: &str) -> String {
    let one = capitalized(&with_article(hunter));
    if sketch.captures.is_none() {
        return format!("{one} moves to a neighbouring empty point too. Nobody is captured.");
    }
    let duty = if sketch.capture_is_forced {
        "and has to where it can"
    } else {
        "and never has to"
    };
    format!(
        "{one} moves to a neighbouring empty point too, or captures {}: it leaps over it, along a line, to the empty point \
         right behind. It captures one a turn, {duty}.",
        with_article(one_prey)
    )
}

fn wins_in_words(sketch: &BoardSpec) -> Vec<String> {
    let [hunters, prey] = &named(sketch);
    let (hunter, one_prey) = (singular(hunters), singular(prey));
    let (the_hunters, win) = if sketch.hunters == 1 {
        (&hunter, "wins")
    } else {
        (hunters, "win")
    };
    let mut ways = Vec::new();
    match sketch.captures {
        Some(captures) if captures == sketch.prey => {
            ways.push(format!("by capturing every {one_prey}"));
        }
        Some(1) => ways.push(format!("by capturing {}", with_article(&one_prey))),
        Some(captures) => ways.push(format!("by capturing {} {prey}", in_words(captures))),
        None => {}
    }
    if sketch.hunters_goal != 0 {
        ways.push(format!(
            "by reaching {}",
            points_in_words(sketch, sketch.hunters_goal, "or")
        ));
    }
    if !sketch.stuck_prey_pass {
        ways.push(format!("when no {one_prey} can move"));
    }
    let mut rules = Vec::new();
    if !ways.is_empty() {
        rules.push(format!("The {the_hunters} {win} {}.", ways.join(", or ")));
    }
    if sketch.stuck_prey_pass {
        rules.push(format!("When no {one_prey} can move, the {prey} pass."));
    }
    let goal = if sketch.prey_goal == 0 {
        String::new()
    } else {
        format!(
            ", or when they stand on {}",
            points_in_words(sketch, sketch.prey_goal, "and")
        )
    };
    rules.push(format!("The {prey} win when no {hunter} can move{goal}."));
    rules
}

/// Words of which one and many are not told apart by an `s`.
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

/// Words that are the same for one and for many.
const UNCHANGED: [&str; 6] = ["cattle", "deer", "fish", "prey", "sheep", "swine"];

/// Ends of words after which many are told by `es`.
const HISSING: [&str; 5] = ["ss", "x", "z", "ch", "sh"];

fn hisses(word: &str) -> bool {
    HISSING.iter().any(|end| word.ends_with(end))
}

/// Whether one and many are called the same: so they are in words that cannot be English, whose endings are not known here.
fn stays(word: &str) -> bool {
    !word.is_ascii() || UNCHANGED.contains(&word)
}

/// What one of them is called: people name them in the plural, as `goats`.
pub fn singular(many: &str) -> String {
    if let Some((one, _)) = IRREGULAR.iter().find(|&&(_, known)| known == many) {
        return (*one).into();
    }
    if stays(many) || many.ends_with("ss") || many.len() < 3 {
        return many.into();
    }
    if let Some(stem) = many.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    if let Some(stem) = many.strip_suffix("es").filter(|stem| hisses(stem)) {
        return stem.into();
    }
    many.strip_suffix('s').unwrap_or(many).into()
}

/// What several are called, of whom a board file may name one, as `fox`.
fn plural(name: &str) -> String {
    if stays(name) || singular(name) != name {
        return name.into();
    }
    if let Some((_, many)) = IRREGULAR.iter().find(|&&(known, _)| known == name) {
        return (*many).into();
    }
    if let Some(stem) = name.strip_suffix('y')
        && !stem.ends_with(['a', 'e', 'o', 'u'])
    {
        return format!("{stem}ies");
    }
    let ending = if name.ends_with('s') || hisses(name) {
        "es"
    } else {
        "s"
    };
    format!("{name}{ending}")
}

/// The names of both parties as the sentences want them: of several in the plural.
fn named(sketch: &BoardSpec) -> [String; 2] {
    let counts = [sketch.hunters, sketch.prey];
    std::array::from_fn(|party| match &sketch.names[party] {
        name if counts[party] > 1 => plural(name),
        name => name.clone(),
    })
}

/// `a goat`, `an owl`.
fn with_article(one: &str) -> String {
    let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {one}")
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

/// The same with a capital letter.
pub fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_many_are_called_as_people_call_them() {
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
    fn the_rules_of_every_board_are_told_in_its_own_names() {
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
            let sketch = &board.spec;
            let rules = rules_of(sketch).join("\n");
            for point in 0..sketch.points() {
                if (sketch.hunters_goal | sketch.prey_goal) >> point & 1 == 1 {
                    goals += 1;
                    assert!(rules.contains(&sketch.point_name(point)), "{rules}");
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
