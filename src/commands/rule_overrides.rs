//! The game of a board file with some of its rules changed from the command line.

use std::path::Path;

use crate::catalog;
use crate::error::EngineError;
use crate::games::hunt::spec::{BoardSpec, with_rule};
use crate::games::hunt::{Board, board};

/// Rules to be changed: each option is a keyword of board files, and does what it would do in a copy of the file.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
pub struct RuleOverrides {
    /// Captures that the hunters need: a number, `all` or `none`
    #[arg(long, value_name = "K")]
    pub captures: Option<String>,
    /// How many prey there are; those that begin on the board do, the first ones first
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..))]
    pub prey: Option<u32>,
    /// How many hunters there are, likewise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub hunters: Option<u32>,
    /// Who begins: `prey` or `hunters`
    #[arg(long, value_name = "SIDE")]
    pub first: Option<String>,
    /// What prey do that cannot move: `lose` or `pass`
    #[arg(long, value_name = "WHAT")]
    pub prey_stuck: Option<String>,
}

impl RuleOverrides {
    /// Whether nothing is to be changed.
    pub fn are_none(&self) -> bool {
        *self == Self::default()
    }

    /// The board of a built-in game or of a file, with these changes. Where they alone are wrong the refusal names the option.
    pub fn board(&self, game: &str) -> Result<&'static Board, EngineError> {
        let text = text_of(game)?;
        let written = BoardSpec::read(&text).ok();
        let rules = self.rules(written.as_ref());
        let mut changed = text;
        for (keyword, value) in &rules {
            changed = with_rule(&changed, keyword, value);
        }
        catalog::read_board(&changed).map_err(|refusal| {
            let fault = written.and_then(|_| fault_of_rules(&changed, &rules));
            let with_rules = if rules.is_empty() {
                ""
            } else {
                " with these rules"
            };
            EngineError::new(fault.map_or_else(
                || format!("{game}{with_rules}: {refusal}"),
                |fault| format!("{game}: {fault}"),
            ))
        })
    }

    /// What keywords of the board file are to say.
    fn rules(&self, written: Option<&BoardSpec>) -> Vec<(&'static str, String)> {
        let number = |number: u32| number.to_string();
        let captures = written.and_then(|sketch| sketch.captures);
        let fewer_than_captures = captures
            .zip(self.prey)
            .is_some_and(|(captures, prey)| prey < captures);
        // Of fewer prey than were to be captured, all are.
        let captures = self
            .captures
            .clone()
            .or_else(|| fewer_than_captures.then(|| "all".into()));
        let all = [
            ("hunters", self.hunters.map(number)),
            ("prey", self.prey.map(number)),
            ("captures", captures),
            ("first", self.first.clone()),
            ("prey-stuck", self.prey_stuck.clone()),
        ];
        let said = all.into_iter();
        said.filter_map(|(keyword, value)| Some((keyword, value?)))
            .collect()
    }
}

/// The first mistake of a board file that stands where rules were changed, by the option that did.
fn fault_of_rules(text: &str, rules: &[(&str, String)]) -> Option<String> {
    let faults = BoardSpec::read(text).err()?;
    faults.iter().find_map(|fault| {
        let line = text.lines().nth(fault.line.checked_sub(1)?)?;
        let keyword = line.split_whitespace().next()?;
        let is_changed = rules.iter().any(|(changed, _)| *changed == keyword);
        is_changed.then(|| format!("--{keyword}: expected {}", fault.misread.expected))
    })
}

/// What the board file of a game says: one that is built in, or else a file of this name.
fn text_of(game: &str) -> Result<String, EngineError> {
    if let Some(text) = board::text_of(game) {
        return Ok(text.into());
    }
    let path = Path::new(game);
    if path.is_dir() {
        return Err(EngineError::new(format!(
            "{game} is a folder: a board file is wanted, or the name of a game"
        )));
    }
    if path.exists() {
        return catalog::read_text(path);
    }
    let unknown = board::unknown(game);
    Err(EngineError::new(format!(
        "no file has this name, and {unknown}"
    )))
}
