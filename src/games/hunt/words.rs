//! The rules of a hunt game in words, from its sketch alone.

use super::sketch::{Direction, Endless, HuntersDrop, Party, PreySteps, Sketch};

/// The rules, a sentence or two each, in the names that people use.
pub fn rules_of(sketch: &Sketch) -> Vec<String> {
    let [hunters, prey] = &sketch.names;
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
    let beginners = if sketch.first == Party::Prey {
        prey
    } else {
        hunters
    };
    let verb = if sketch.first == Party::Hunters && sketch.hunters == 1 {
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
    if sketch.prey > sketch.prey_at.count_ones() {
        if sketch.first_drops > 1 {
            rules.push(format!(
                "In their first turn the {prey} are put on {} empty points at once.",
                in_words(sketch.first_drops)
            ));
        }
        rules.push(format!(
            "One {one_prey} a turn is put on any empty point, and none may move until all have been."
        ));
    }
    rules.push(steps_in_words(sketch, prey, &one_prey));
    rules.push(leaps_in_words(sketch, &hunter, &one_prey));
    rules.extend(wins_in_words(sketch));
    rules.push(match sketch.endless {
        Endless::Draw => "When a position occurs for the third time the game is a draw.".into(),
        Endless::Won(party) => {
            let winner = if party == Party::Prey { prey } else { hunters };
            format!("When a position occurs for the third time the {winner} have won.")
        }
    });
    rules
}

fn steps_in_words(sketch: &Sketch, prey: &str, one_prey: &str) -> String {
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
    let all = u64::MAX >> (64 - sketch.points());
    let zone = if sketch.prey_zone == all {
        String::new()
    } else {
        format!(" The {prey} may not leave the points that are theirs.")
    };
    format!("A {one_prey} moves to a neighbouring empty point{steps}.{zone}")
}

fn leaps_in_words(sketch: &Sketch, hunter: &str, one_prey: &str) -> String {
    if sketch.captures.is_none() {
        return format!("A {hunter} moves to a neighbouring empty point too. Nobody is captured.");
    }
    let duty = if sketch.capture_is_forced {
        "and has to where it can"
    } else {
        "and never has to"
    };
    format!(
        "A {hunter} moves to a neighbouring empty point too, or captures a {one_prey}: it leaps over it, along a line, to the \
         empty point right behind. It captures one a turn, {duty}."
    )
}

fn wins_in_words(sketch: &Sketch) -> Vec<String> {
    let [hunters, prey] = &sketch.names;
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
        Some(1) => ways.push(format!("by capturing a {one_prey}")),
        Some(captures) => ways.push(format!("by capturing {} {prey}", in_words(captures))),
        None => {}
    }
    if sketch.hunters_goal != 0 {
        ways.push(String::from("by reaching a goal"));
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
        ""
    } else {
        ", or when they stand on all their goals"
    };
    rules.push(format!("The {prey} win when no {hunter} can move{goal}."));
    rules
}

/// What one of them is called: people name them in the plural, as `goats`.
pub fn singular(many: &str) -> String {
    match many {
        "geese" => "goose".into(),
        "men" => "man".into(),
        "wolves" => "wolf".into(),
        "foxes" => "fox".into(),
        "oxen" => "ox".into(),
        _ if many.ends_with("ss") || many.len() < 3 => many.into(),
        _ => many.strip_suffix('s').unwrap_or(many).into(),
    }
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
    fn the_rules_of_every_board_are_told_in_its_own_names() {
        for board in super::super::board::ALL.iter() {
            let rules = rules_of(&board.sketch).join("\n");
            let [hunters, prey] = &board.sketch.names;
            assert!(
                rules.contains(&singular(hunters)) && rules.contains(prey),
                "{rules}"
            );
        }
    }
}
