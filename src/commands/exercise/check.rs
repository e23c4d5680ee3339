//! Checks the answers in a worksheet.

use std::io::Write;
use std::path::Path;

use clap::ValueEnum;
use serde_json::Value as Json;

use super::{Blank, Exercise, Kind, SheetId, exercises};
use crate::commands::Failure;
use crate::durable::Source;
use crate::error::EngineError;
use crate::escape::path_name;

/// Maximum size of a sheet, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Checks the answers in a file. Fails if an answer is wrong or missing.
pub(super) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    let text = Source::named(path)?.text(MAX_BYTES)?;
    let fault = |why: String| EngineError::new(format!("--check: {}: {why}", path_name(path)));
    let sheet: Json = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
    let id = identify(&sheet).map_err(fault)?;
    let solved = exercises(id)?;
    let given = sheet["exercises"]
        .as_array()
        .ok_or_else(|| fault("expected exercises".into()))?;
    if given.len() != solved.len() {
        let why = format!("expected {} exercises, found {}", solved.len(), given.len());
        return Err(fault(why).into());
    }
    let mut wrong = 0;
    let mut all = 0;
    for (number, (exercise, given)) in (1..).zip(solved.iter().zip(given)) {
        for (blank, answer) in
            answers(exercise, given).map_err(|why| fault(format!("exercise {number}: {why}")))?
        {
            all += 1;
            let mark = mark(blank, answer);
            wrong += u32::from(mark.is_some());
            let mark = mark.unwrap_or("right".into());
            writeln!(out, "{number}. {}: {mark}", blank.at)?;
        }
    }
    writeln!(out, "{} of {all} right", all - wrong)?;
    out.flush()?;
    if wrong > 0 {
        let why = format!("{wrong} of {all} answers are wrong or missing");
        return Err(EngineError::failed(why).into());
    }
    Ok(())
}

/// Returns the pairs of a blank and its answer.
fn answers<'a>(
    exercise: &'a Exercise,
    given: &'a Json,
) -> Result<Vec<(&'a Blank, &'a Json)>, String> {
    let blanks = given["blanks"].as_array().ok_or("expected blanks")?;
    if blanks.len() != exercise.blanks.len() {
        return Err(format!(
            "expected {} blanks, found {}",
            exercise.blanks.len(),
            blanks.len()
        ));
    }
    let pairs = exercise.blanks.iter().zip(blanks);
    for (blank, given) in pairs.clone() {
        if given["at"] != blank.at {
            return Err(format!(
                "expected a blank at '{}', found {}",
                blank.at, given["at"]
            ));
        }
    }
    Ok(pairs
        .map(|(blank, given)| (blank, &given["answer"]))
        .collect())
}

/// Returns `None` if the answer is right, otherwise the mark with the reason.
fn mark(blank: &Blank, answer: &Json) -> Option<String> {
    let given = match answer {
        Json::Null => {
            return Some(format!(
                "not answered; {} is right. {}",
                blank.answer, blank.why
            ));
        }
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    (simple(&given) != simple(&blank.answer))
        .then(|| format!("wrong: {given}; {} is right. {}", blank.answer, blank.why))
}

/// Normalizes an answer: ignores case, blanks, and variants of signs.
fn simple(answer: &str) -> String {
    let plain = answer
        .replace('−', "-")
        .replace('∞', "inf")
        .replace('≥', ">=")
        .replace('≤', "<=");
    plain
        .to_lowercase()
        .split(',')
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect::<Vec<_>>()
        .join(",")
        .replace("( ", "(")
        .replace(" )", ")")
}

fn identify(sheet: &Json) -> Result<SheetId, String> {
    let number = |key: &str, max: u64| {
        sheet[key]
            .as_u64()
            .filter(|number| *number <= max)
            .ok_or_else(|| format!("expected a number as '{key}'"))
    };
    let name = sheet["kind"].as_str().ok_or("expected a 'kind'")?;
    let kind = Kind::from_str(name, false)?;
    let level = number("level", 3)?.max(1) as u32;
    let count = number("count", 100)? as u32;
    Ok(SheetId {
        kind,
        seed: number("seed", u64::MAX)?,
        level,
        count,
    })
}
