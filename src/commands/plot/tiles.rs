//! The pictures of 2048: what is learned, and which tiles are made.

use serde_json::Value;

use super::chart::{Axis, Chart, Key, Mark, MarkStyle, Panel};
use super::records::{Record, Source, nothing, number};
use crate::error::EngineError;

/// The tiles whose rates are drawn, those from [`RARE`] on only where somebody made one.
const TILES: [&str; 9] = [
    "512", "1024", "2048", "4096", "8192", "16384", "32768", "65536", "131072",
];

/// How many of the tiles are drawn in any case.
const RARE: usize = 7;

fn rate(record: &Record, tile: &str) -> Option<f64> {
    let rates = record.get("rates")?.as_object()?;
    Some(100.0 * number(rates, tile)?)
}

/// What a training tells of so many games learned from.
struct Step<'a> {
    games: f64,
    record: &'a Record,
    /// The mean score, and its standard error.
    mean: f64,
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

    /// What it tells of the games that were learned from since the step before.
    fn learned(record: &'a Record) -> Option<Self> {
        let is_sum = record.get("in_all") == Some(&Value::Bool(true));
        let games = number(record, "games").filter(|_| !is_sum)?;
        Self::new(games, record)
    }

    /// What it tells of games of another seed, played without learning.
    fn examined(record: &'a Record) -> Option<Self> {
        Self::new(
            number(record, "games")?,
            record.get("held_out")?.as_object()?,
        )
    }
}

/// A line through mean scores, with their standard errors.
fn scores(steps: &[Step], look: MarkStyle) -> Vec<Mark> {
    let line = steps.iter().map(|step| (step.games, step.mean));
    let errors = steps.iter().map(|step| {
        let ends = [step.mean - step.error, step.mean, step.mean + step.error];
        Mark::ErrorUp(look, step.games, ends)
    });
    std::iter::once(Mark::Line(look, line.collect()))
        .chain(errors)
        .collect()
}

/// The mean score with its standard error, that of games played without learning too, and below it how often each tile was made,
/// by games learned from.
pub fn learning(sources: &[Source]) -> Result<Chart, EngineError> {
    let [source] = sources else {
        return Err(nothing("a learning curve is drawn from one file"));
    };
    let steps: Vec<Step> = source.records.iter().filter_map(Step::learned).collect();
    if steps.is_empty() {
        let is_told = |record: &Record| number(record, "mean_score").is_some();
        return Err(nothing(if source.records.iter().any(is_told) {
            "nothing but the sum of a training, whose course is told every ten seconds"
        } else {
            "no record has games and mean_score, as puli train --format json writes them"
        }));
    }
    let examined: Vec<Step> = source.records.iter().filter_map(Step::examined).collect();
    let both = || steps.iter().chain(&examined);
    let x = || {
        Axis::linear(
            "games learned from",
            both().map(|step| step.games).chain([0.0]),
        )
    };
    let highest = both().map(|step| step.mean + step.error);
    let look = MarkStyle::solid(0);
    let mut score = Panel {
        x: x(),
        y: Axis::linear("mean score ± standard error", highest.chain([0.0])),
        marks: scores(&steps, look),
    };
    let name = "mean score".into();
    let mut legend = vec![Key { name, look }];
    if !examined.is_empty() {
        let look = MarkStyle {
            is_faint: true,
            ..look
        };
        score.marks.extend(scores(&examined, look));
        let name = "without learning, other seed".into();
        legend.push(Key { name, look });
    }
    let mut marks = Vec::new();
    for (color, tile) in (1..).zip(TILES) {
        let points = steps
            .iter()
            .filter_map(|step| Some((step.games, rate(step.record, tile)?)));
        let points: Vec<(f64, f64)> = points.collect();
        if points.iter().any(|point| point.1 > 0.0) {
            let look = MarkStyle::solid(color);
            marks.push(Mark::Line(look, points));
            let name = format!("{tile} made");
            legend.push(Key { name, look });
        }
    }
    let mut panels = vec![score];
    if !marks.is_empty() {
        panels.push(Panel {
            x: x(),
            y: Axis::linear("games with the tile (%)", [0.0, 100.0]),
            marks,
        });
    } else if examined.is_empty() {
        // One line needs no name.
        legend.clear();
    }
    Ok(Chart {
        title: "2048: what is learned".into(),
        panels,
        legend,
    })
}

/// How often each tile was made, side by side for every player.
pub fn tiles(sources: &[Source]) -> Result<Chart, EngineError> {
    let mut players = Vec::new();
    for source in sources {
        let told = source
            .records
            .iter()
            .filter(|record| record.contains_key("rates"));
        players.extend(told.map(|record| (source.name.clone(), record)));
    }
    if players.is_empty() {
        return Err(nothing(
            "no record has rates, as puli play 2048 --games 100 --format json writes them",
        ));
    }
    let made = |tile: &&&str| {
        let rates = players.iter().filter_map(|(_, record)| rate(record, tile));
        rates.fold(0.0, f64::max) > 0.0
    };
    let rare = TILES[RARE..].iter().take_while(made).count();
    let shown = &TILES[..RARE + rare];
    let width = 0.8 / players.len() as f64;
    let (mut marks, mut legend) = (Vec::new(), Vec::new());
    for (player, (name, record)) in players.iter().enumerate() {
        let look = MarkStyle::solid(player);
        for (index, tile) in shown.iter().enumerate() {
            let left = index as f64 - 0.4 + width * player as f64;
            if let Some(rate) = rate(record, tile).filter(|&rate| rate > 0.0) {
                marks.push(Mark::Surface(
                    look,
                    [(left, 0.0), (left + width * 0.95, rate)],
                ));
                let words = format!("{rate:.0}");
                marks.push(Mark::Note((left + width * 0.5, rate), words));
            }
        }
        let games = number(record, "games").unwrap_or_default();
        let name = format!("{name} ({games} games)");
        legend.push(Key { name, look });
    }
    Ok(Chart {
        title: "2048: how often each tile is made".into(),
        panels: vec![Panel {
            x: Axis::names("tile", shown.iter().map(ToString::to_string)),
            y: Axis::linear("games with the tile (%)", [0.0, 100.0]),
            marks,
        }],
        legend,
    })
}
