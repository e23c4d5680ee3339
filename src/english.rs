//! English words: singular and plural, articles, numbers, lists and capitals.

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
pub(crate) fn plural(name: &str) -> String {
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

/// Returns `true` if a name means several pieces, such as `geese` and `prey`.
pub(crate) fn is_plural(name: &str) -> bool {
    INVARIABLE.contains(&name) || singular(name) != name
}

/// Returns the word with `a` or `an`.
pub(crate) fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {word}")
}

/// Returns the number as a word if it is at most twenty, otherwise in digits.
pub(crate) fn spell_number(number: u32) -> String {
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

/// Joins names to a list, such as `h1, h2 or h3` for the conjunction `or`.
pub(crate) fn list(names: &[String], conjunction: &str) -> String {
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{} {conjunction} {last}", before.join(", "))
        }
        _ => names.concat(),
    }
}

/// Returns the text with an uppercase first letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
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
        assert!(
            ["geese", "prey", "children"]
                .iter()
                .all(|name| is_plural(name))
        );
        assert!(
            !["goose", "hare", "X", "max"]
                .iter()
                .any(|name| is_plural(name))
        );
        assert_eq!(with_article("owl"), "an owl");
        assert_eq!(with_article("tiger"), "a tiger");
    }
}
