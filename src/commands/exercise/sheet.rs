//! Worksheets as Markdown and JSON.

use clap::ValueEnum;
use serde_json::{Value as Json, json};

use super::{Exercise, Kind, SheetId};

/// Returns the name of a kind.
pub(super) fn kind_name(kind: Kind) -> String {
    kind.to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_string())
}

/// Returns the footer, which identifies the sheet.
pub(super) fn foot(id: SheetId) -> String {
    format!(
        "puli exercise {} --seed {} --count {} --level {}",
        kind_name(id.kind),
        id.seed,
        id.count,
        id.level
    )
}

/// Returns the sheet as Markdown.
pub(super) fn markdown(id: SheetId, exercises: &[Exercise], has_answers: bool) -> String {
    let mut text = format!("# Exercises: {}\n", kind_name(id.kind));
    for (number, exercise) in (1..).zip(exercises) {
        text += &format!(
            "\n## {number}\n\n{}\n\n```\n{}\n```\n\n",
            exercise.question, exercise.material
        );
        text += "| what | answer |\n| --- | --- |\n";
        for blank in &exercise.blanks {
            let answer = if has_answers {
                blank.answer.as_str()
            } else {
                ""
            };
            text += &format!("| {} | {answer} |\n", blank.at);
        }
    }
    text + &format!("\n---\n{}\n", foot(id))
}

/// Returns the sheet as JSON. Answers are null unless `has_answers`.
pub(super) fn json(id: SheetId, exercises: &[Exercise], has_answers: bool) -> String {
    let blank = |blank: &super::Blank| json!({ "at": blank.at, "answer": has_answers.then_some(&blank.answer) });
    let exercises: Vec<Json> = (1..)
        .zip(exercises)
        .map(|(number, exercise): (u32, _)| {
            json!({
                "number": number,
                "question": exercise.question,
                "material": exercise.material,
                "blanks": exercise.blanks.iter().map(blank).collect::<Vec<_>>(),
            })
        })
        .collect();
    let sheet = json!({
        "kind": kind_name(id.kind),
        "seed": id.seed,
        "level": id.level,
        "count": id.count,
        "exercises": exercises,
    });
    format!("{sheet:#}\n")
}
