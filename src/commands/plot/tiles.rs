//! The pictures of 2048: what is learned, and which tiles are made.

use serde_json::Value;

use super::chart::{Axis, Chart, Key, Look, Mark, Panel};
use super::records::{Record, Source, nothing, number};
use crate::error::Refusal;

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

/// The mean score with its standard error, and below it how often each tile was made, by games learned from.
pub fn learning(sources: &[Source]) -> Result<Chart, Refusal> {
    let [source] = sources else {
        return Err(nothing("a learning curve is drawn from one file"));
    };
    let is_step = |record: &&Record| {
        record
            .get("in_all")
            .is_none_or(|in_all| *in_all != Value::Bool(true))
    };
    let steps: Vec<(&Record, f64, f64)> = source
        .records
        .iter()
        .filter(is_step)
        .filter_map(|record| {
            Some((
                record,
                number(record, "games")?,
                number(record, "mean_score")?,
            ))
        })
        .collect();
    if steps.is_empty() {
        let is_told = |record: &Record| number(record, "mean_score").is_some();
        return Err(nothing(if source.records.iter().any(is_told) {
            "nothing but the sum of a training, whose course is told every ten seconds"
        } else {
            "no record has games and mean_score, as puli train --format json writes them"
        }));
    }
    let x = || {
        Axis::linear(
            "games learned from",
            steps.iter().map(|step| step.1).chain([0.0]),
        )
    };
    let error = |record| number(record, "standard_error").unwrap_or_default();
    let scores = steps.iter().map(|&(record, _, mean)| mean + error(record));
    let look = Look::solid(0);
    let line = Mark::Line(
        look,
        steps
            .iter()
            .map(|&(_, games, mean)| (games, mean))
            .collect(),
    );
    let errors = steps.iter().map(|&(record, games, mean)| {
        let error = error(record);
        Mark::ErrorUp(look, games, [mean - error, mean, mean + error])
    });
    let score = Panel {
        x: x(),
        y: Axis::linear("mean score ± standard error", scores.chain([0.0])),
        marks: std::iter::once(line).chain(errors).collect(),
    };
    let (mut marks, mut legend) = (Vec::new(), vec![]);
    for (colour, tile) in TILES.into_iter().enumerate() {
        let points: Vec<(f64, f64)> = steps
            .iter()
            .filter_map(|&(record, games, _)| Some((games, rate(record, tile)?)))
            .collect();
        if points.iter().any(|point| point.1 > 0.0) {
            let look = Look::solid(colour + 1);
            marks.push(Mark::Line(look, points));
            let name = format!("{tile} made");
            legend.push(Key { name, look });
        }
    }
    let rates = Panel {
        x: x(),
        y: Axis::linear("games with the tile (%)", [0.0, 100.0]),
        marks,
    };
    let mut panels = vec![score];
    if !legend.is_empty() {
        panels.push(rates);
        let name = "mean score".into();
        legend.insert(0, Key { name, look });
    }
    Ok(Chart {
        title: "2048: what is learned".into(),
        panels,
        legend,
    })
}

/// How often each tile was made, side by side for every player.
pub fn tiles(sources: &[Source]) -> Result<Chart, Refusal> {
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
        let look = Look::solid(player);
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
