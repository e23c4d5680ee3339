//! The charts of 2048: the learning curve of a training, and the share of games that reached each tile.

use serde_json::Value;

use super::chart::{Axis, Chart, LegendEntry, Mark, MarkStyle, Panel};
use super::records::{Record, Source, no_data, number};
use crate::error::EngineError;

/// The tiles of the charts. The first [`MIN_TILES`] are always drawn, the others if a game reached them.
const TILES: [&str; 9] = [
    "512", "1024", "2048", "4096", "8192", "16384", "32768", "65536", "131072",
];

/// Number of tiles that are always drawn.
const MIN_TILES: usize = 7;

/// Returns the percentage of games that reached `tile`.
fn rate(record: &Record, tile: &str) -> Option<f64> {
    let rates = record.get("rates")?.as_object()?;
    Some(100.0 * number(rates, tile)?)
}

/// A point of a learning curve: the results of some games at a time of the training.
struct Step<'a> {
    /// The number of training games so far.
    games: f64,
    record: &'a Record,
    /// The mean score.
    mean: f64,
    /// The standard error of the mean score.
    error: f64,
}

impl<'a> Step<'a> {
    fn new(games: f64, record: &'a Record) -> Option<Self> {
        Some(Self {
            games,
            record,
            mean: number(record, "mean_score")?,
            error: number(record, "standard_error").unwrap_or_default(),
        })
    }

    /// Returns the results of the training games since the previous step. Returns `None` for totals and test games.
    fn trained(record: &'a Record) -> Option<Self> {
        let is_total = record.get("in_all") == Some(&Value::Bool(true));
        let games = number(record, "games").filter(|_| !is_total)?;
        Self::new(games, record)
    }

    /// Returns the results of test games, in which the network does not learn, or `None` for other
    /// records.
    fn tested(record: &'a Record) -> Option<Self> {
        Self::new(
            number(record, "games")?,
            record.get("held_out")?.as_object()?,
        )
    }
}

/// Returns a line through mean scores, with standard errors.
fn scores(steps: &[Step], style: MarkStyle) -> Vec<Mark> {
    let line = steps.iter().map(|step| (step.games, step.mean));
    let errors = steps.iter().map(|step| {
        let ends = [step.mean - step.error, step.mean, step.mean + step.error];
        Mark::ErrorUp(style, step.games, ends)
    });
    std::iter::once(Mark::Line(style, line.collect()))
        .chain(errors)
        .collect()
}

/// Returns the chart of a training by number of training games: mean scores of training and test games with standard
/// errors above, the share of games with each tile below.
pub(super) fn learning(sources: &[Source]) -> Result<Chart, EngineError> {
    let [source] = sources else {
        return Err(no_data("expected one file for a learning curve"));
    };
    let steps: Vec<Step> = source.records.iter().filter_map(Step::trained).collect();
    if steps.is_empty() {
        let has_score = |record: &Record| number(record, "mean_score").is_some();
        return Err(no_data(if source.records.iter().any(has_score) {
            "found only the total of a training: progress is reported every ten seconds"
        } else {
            "no record has games and mean_score: expected the output of puli train --format json"
        }));
    }
    let tested: Vec<Step> = source.records.iter().filter_map(Step::tested).collect();
    let both = || steps.iter().chain(&tested);
    let x = || Axis::linear("training games", both().map(|step| step.games).chain([0.0]));
    let upper_ends = both().map(|step| step.mean + step.error);
    let style = MarkStyle::solid(0);
    let mut score = Panel {
        x: x(),
        y: Axis::linear("mean score ± standard error", upper_ends.chain([0.0])),
        marks: scores(&steps, style),
    };
    let name = "mean score".into();
    let mut legend = vec![LegendEntry { name, style }];
    if !tested.is_empty() {
        let style = MarkStyle {
            is_faint: true,
            ..style
        };
        score.marks.extend(scores(&tested, style));
        let name = "test games, other seed".into();
        legend.push(LegendEntry { name, style });
    }
    let mut marks = Vec::new();
    for (color, tile) in (1..).zip(TILES) {
        let points = steps
            .iter()
            .filter_map(|step| Some((step.games, rate(step.record, tile)?)));
        let points: Vec<(f64, f64)> = points.collect();
        if points.iter().any(|point| point.1 > 0.0) {
            let style = MarkStyle::solid(color);
            marks.push(Mark::Line(style, points));
            let name = format!("{tile} reached");
            legend.push(LegendEntry { name, style });
        }
    }
    let mut panels = vec![score];
    if !marks.is_empty() {
        panels.push(Panel {
            x: x(),
            y: Axis::linear("games with the tile (%)", [0.0, 100.0]),
            marks,
        });
    } else if tested.is_empty() {
        // A single line needs no legend.
        legend.clear();
    }
    Ok(Chart {
        title: "2048: learning curve".into(),
        panels,
        legend,
    })
}

/// Returns the chart of the share of games with each tile. The bars of all players are side by side.
pub(super) fn tiles(sources: &[Source]) -> Result<Chart, EngineError> {
    let mut players = Vec::new();
    for source in sources {
        let matching = source
            .records
            .iter()
            .filter(|record| record.contains_key("rates"));
        players.extend(matching.map(|record| (source.name.clone(), record)));
    }
    if players.is_empty() {
        return Err(no_data(
            "no record has rates: expected the output of puli play 2048 --games 100 --format json",
        ));
    }
    let is_reached = |tile: &&&str| {
        let rates = players.iter().filter_map(|(_, record)| rate(record, tile));
        rates.fold(0.0, f64::max) > 0.0
    };
    let optional = TILES[MIN_TILES..].iter().take_while(is_reached).count();
    let shown = &TILES[..MIN_TILES + optional];
    // The tiles have distance 1 on the axis. The bars of one tile are 0.8 wide in total.
    let width = 0.8 / players.len() as f64;
    let (mut marks, mut legend) = (Vec::new(), Vec::new());
    for (player, (name, record)) in players.iter().enumerate() {
        let style = MarkStyle::solid(player);
        for (index, tile) in shown.iter().enumerate() {
            let left = index as f64 - 0.4 + width * player as f64;
            if let Some(rate) = rate(record, tile).filter(|&rate| rate > 0.0) {
                marks.push(Mark::Rectangle(
                    style,
                    [(left, 0.0), (left + width * 0.95, rate)],
                ));
                let text = format!("{rate:.0}");
                marks.push(Mark::Text((left + width * 0.5, rate), text));
            }
        }
        let games = number(record, "games").unwrap_or_default();
        let name = format!("{name} ({games} games)");
        legend.push(LegendEntry { name, style });
    }
    Ok(Chart {
        title: "2048: tiles reached".into(),
        panels: vec![Panel {
            x: Axis::names("tile", shown.iter().map(ToString::to_string)),
            y: Axis::linear("games with the tile (%)", [0.0, 100.0]),
            marks,
        }],
        legend,
    })
}
