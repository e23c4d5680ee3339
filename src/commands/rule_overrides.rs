//! A built-in game or a board file with some rules overridden by options.

use std::path::Path;

use crate::catalog;
use crate::error::EngineError;
use crate::games::hunt::spec::{BoardSpec, with_rule};
use crate::games::hunt::{Board, board};

/// Rules to override. Each option replaces a keyword of the board file.
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

    /// Returns the board of a built-in game or of a file with the overrides. An error caused by an override names its
    /// option.
    pub(super) fn board(&self, game: &str) -> Result<&'static Board, EngineError> {
        let text = board_text(game)?;
        let written = BoardSpec::read(&text).ok();
        let keywords = self.keywords(written.as_ref());
        let mut changed = text;
        for (keyword, value) in &keywords {
            changed = with_rule(&changed, keyword, value);
        }
        catalog::read_board(&changed).map_err(|cause| {
            let error = written.and_then(|_| override_error(&changed, &keywords));
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

    /// Returns the keywords to replace, with their new values.
    fn keywords(&self, written: Option<&BoardSpec>) -> Vec<(&'static str, String)> {
        let number = |number: u32| number.to_string();
        let captures = written.and_then(|spec| spec.captures);
        let fewer_than_captures = captures
            .zip(self.prey)
            .is_some_and(|(captures, prey)| prey < captures);
        // `all` if there are fewer prey than captures.
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
        let given = all.into_iter();
        given
            .filter_map(|(keyword, value)| Some((keyword, value?)))
            .collect()
    }
}

/// Returns the first error in a line that an override replaced, with its option.
fn override_error(text: &str, keywords: &[(&str, String)]) -> Option<String> {
    let errors = BoardSpec::read(text).err()?;
    errors.iter().find_map(|error| {
        let line = text.lines().nth(error.line.checked_sub(1)?)?;
        let keyword = line.split_whitespace().next()?;
        let is_changed = keywords.iter().any(|(changed, _)| *changed == keyword);
        is_changed.then(|| format!("--{keyword}: expected {}", error.cause.expected))
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
