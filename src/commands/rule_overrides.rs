//! Options that override rules of a hunt game, such as `--captures 5`, by changing the text of its board file.

use std::path::Path;

use crate::catalog;
use crate::error::EngineError;
use crate::games::hunt::spec::{BoardSpec, with_rule};
use crate::games::hunt::{Board, board};

/// The options that override rules. Each replaces the line of one keyword in the board file.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
pub(crate) struct RuleOverrides {
    /// Set the number of captures that the hunters need to <K>: a number, `all` or `none`
    #[arg(long, value_name = "K")]
    pub captures: Option<String>,
    /// Set the number of prey to <M>; prey that start on the board take the first of its points
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..))]
    pub prey: Option<u32>,
    /// Set the number of hunters to <N>; hunters that start on the board take the first of its points
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub hunters: Option<u32>,
    /// Let <SIDE> move first: `prey` or `hunters`
    #[arg(long, value_name = "SIDE")]
    pub first: Option<String>,
    /// Set the rule for prey without a legal move to <RULE>: `lose` or `pass`
    #[arg(long, value_name = "RULE")]
    pub(crate) prey_stuck: Option<String>,
}

impl RuleOverrides {
    /// Returns `true` if no rule is overridden.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the board of a built-in game or a board file, with the overrides. Errors caused by an override name the
    /// option.
    pub(super) fn board(&self, game: &str) -> Result<&'static Board, EngineError> {
        let text = board_text(game)?;
        let original = BoardSpec::read(&text).ok();
        let keywords = self.keywords(original.as_ref());
        let mut changed = text;
        for (keyword, value) in &keywords {
            changed = with_rule(&changed, keyword, value);
        }
        catalog::read_board(&changed).map_err(|cause| {
            // An option causes an error only if the original file is valid.
            let error = original.and_then(|_| override_error(&changed, &keywords));
            let with_rules = if keywords.is_empty() {
                ""
            } else {
                " with these options"
            };
            EngineError::new(error.map_or_else(
                || format!("{game}{with_rules}: {cause}"),
                |error| format!("{game}: {error}"),
            ))
        })
    }

    /// Returns the keywords to replace, with their new values. `original` is the board without overrides.
    fn keywords(&self, original: Option<&BoardSpec>) -> Vec<(&'static str, String)> {
        let number = |number: u32| number.to_string();
        let captures = original.and_then(|spec| spec.captures);
        let fewer_than_captures = captures
            .zip(self.prey)
            .is_some_and(|(captures, prey)| prey < captures);
        // If `--prey` leaves fewer prey than the captures required to win, all prey must be captured.
        let captures = self
            .captures
            .clone()
            .or_else(|| fewer_than_captures.then(|| "all".into()));
        let options = [
            ("hunters", self.hunters.map(number)),
            ("prey", self.prey.map(number)),
            ("captures", captures),
            ("first", self.first.clone()),
            ("prey-stuck", self.prey_stuck.clone()),
        ];
        options
            .into_iter()
            .filter_map(|(keyword, value)| Some((keyword, value?)))
            .collect()
    }
}

/// Returns the first error in an overridden line, prefixed with the option, if there is one.
fn override_error(text: &str, keywords: &[(&str, String)]) -> Option<String> {
    let errors = BoardSpec::read(text).err()?;
    errors.iter().find_map(|error| {
        let line = text.lines().nth(error.line.checked_sub(1)?)?;
        let keyword = line.split_whitespace().next()?;
        let is_replaced = keywords.iter().any(|(replaced, _)| *replaced == keyword);
        is_replaced.then(|| format!("--{keyword}: expected {}", error.cause.expected))
    })
}

/// Returns the board file of a built-in game, or the content of the file `game`.
fn board_text(game: &str) -> Result<String, EngineError> {
    if let Some(text) = board::text_of(game) {
        return Ok(text.into());
    }
    let path = Path::new(game);
    if path.is_dir() {
        return Err(EngineError::new(format!(
            "'{game}' is a folder: expected a board file or the name of a game"
        )));
    }
    if path.exists() {
        return catalog::read_text(path);
    }
    let unknown = board::unknown(game);
    Err(EngineError::new(format!("no such file, and {unknown}")))
}
