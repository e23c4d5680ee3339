//! Turns records into charts: one function for each kind of chart, except the charts of 2048 in module
//! `tiles`.

use serde_json::Value;

use super::Kind;
use super::chart::{Axis, Chart, LegendEntry, Mark, MarkStyle, Panel};
use super::records::{Record, Source, is_yes, no_data, number, word};
use super::tiles::{learning, tiles};
use crate::error::EngineError;

/// Returns the chart of this kind for the records of the sources.
pub(crate) fn figure(kind: Kind, sources: &[Source]) -> Result<Chart, EngineError> {
    match kind {
        Kind::Nodes => by_depth(sources, "nodes", "nodes", 1.0, "Nodes to each depth"),
        Kind::Time => by_depth(sources, "time_ms", "time (s)", 1e-3, "Time to each depth"),
        Kind::Heuristics => heuristics(sources),
        Kind::Elo => elo(sources),
        Kind::Sprt => sprt(sources),
        Kind::Learning => learning(sources),
        Kind::Tiles => tiles(sources),
        Kind::Layers => layers(sources),
    }
}

/// Names in order of first occurrence. The index of a name is the index of its color.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    /// Returns the index of a name. Adds a new name.
    fn index(&mut self, name: &str) -> usize {
        let known = self.0.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.0.push(name.into());
            self.0.len() - 1
        })
    }
}

/// Returns a chart of `field`, multiplied by `unit`, by depth, with a line for each algorithm, dashed with
/// a transposition table.
fn by_depth(
    sources: &[Source],
    field: &str,
    label: &str,
    unit: f64,
    title: &str,
) -> Result<Chart, EngineError> {
    let (mut colors, mut lines) = (
        Names::default(),
        Vec::<(LegendEntry, Vec<(f64, f64)>)>::new(),
    );
    for source in sources {
        for (record, value) in source.numbers(field) {
            let (Some(algorithm), Some(depth)) =
                (word(record, "algorithm"), number(record, "depth"))
            else {
                continue;
            };
            let is_faint = is_yes(record, "memory");
            let mut name = String::from(algorithm);
            if sources.len() > 1 {
                name += &format!(", {}", source.name);
            }
            let style = MarkStyle {
                color: colors.index(&name),
                is_faint,
            };
            if is_faint {
                name += " with memory";
            }
            let known = lines.iter().position(|(key, _)| key.name == name);
            let line = known.unwrap_or_else(|| {
                lines.push((LegendEntry { name, style }, Vec::new()));
                lines.len() - 1
            });
            if value > 0.0 {
                lines[line].1.push((depth, value * unit));
            }
        }
    }
    let lines = merge_hidden(lines);
    let points = || lines.iter().flat_map(|(_, points)| points);
    if points().next().is_none() {
        return Err(no_data(&format!(
            "no record has algorithm, depth and {field}: expected the output of puli compare --format csv"
        )));
    }
    let x = Axis::linear("depth (plies)", points().map(|point| point.0)).with_integer_ticks();
    let y = Axis::logarithmic(label, points().map(|point| point.1));
    let mark = |(entry, points): &(LegendEntry, Vec<(f64, f64)>)| {
        let places = points
            .iter()
            .map(|&(depth, value)| (depth, y.position(value)));
        Mark::Line(entry.style, places.collect())
    };
    Ok(Chart {
        title: title.into(),
        panels: vec![Panel {
            marks: lines.iter().map(mark).collect(),
            x,
            y,
        }],
        legend: lines.into_iter().map(|(key, _)| key).collect(),
    })
}

/// Merges lines that would hide each other. The merged line has both names in the legend, such as `minimax ≈ scout`.
fn merge_hidden(lines: Vec<(LegendEntry, Vec<(f64, f64)>)>) -> Vec<(LegendEntry, Vec<(f64, f64)>)> {
    /// Maximum ratio of two values at nearly the same height of a logarithmic axis.
    const MAX_HIDDEN_RATIO: f64 = 1.03;
    let hides = |a: &[(f64, f64)], b: &[(f64, f64)]| {
        let is_near = |(a, b): (&(f64, f64), &(f64, f64))| {
            a.0.to_bits() == b.0.to_bits() && a.1.max(b.1) <= MAX_HIDDEN_RATIO * a.1.min(b.1)
        };
        a.len() == b.len() && a.iter().zip(b).all(is_near)
    };
    let mut shown: Vec<(LegendEntry, Vec<(f64, f64)>)> = Vec::new();
    for (key, points) in lines {
        let known = shown.iter_mut().find(|(_, known)| hides(known, &points));
        match known {
            Some((shown, known)) => {
                let sign = if *known == points { '=' } else { '≈' };
                shown.name += &format!(" {sign} {}", key.name);
            }
            None => shown.push((key, points)),
        }
    }
    shown
}

/// Returns a chart of the generated nodes with one bar per algorithm and heuristic: only means, if the records contain
/// means over a suite. The bars of unfinished searches are hollow.
fn heuristics(sources: &[Source]) -> Result<Chart, EngineError> {
    let records: Vec<(&Record, f64)> = sources
        .iter()
        .flat_map(|source| source.numbers("generated"))
        .collect();
    let is_mean = |&&(record, _): &&(&Record, f64)| word(record, "instance") == Some("mean");
    let mut bars: Vec<(&Record, f64)> = records.iter().filter(is_mean).copied().collect();
    let has_means = !bars.is_empty();
    if !has_means {
        bars = records;
    }
    bars.retain(|&(record, generated)| {
        generated > 0.0
            && word(record, "algorithm").is_some()
            && word(record, "heuristic").is_some()
    });
    if bars.is_empty() {
        return Err(no_data(
            "no record has algorithm, heuristic and generated: expected the output of puli compare --format csv for puzzles",
        ));
    }
    // The y axis goes up, but the bar of the first record should be at the top.
    bars.reverse();
    let x = Axis::logarithmic(
        if has_means {
            "nodes generated (mean)"
        } else {
            "nodes generated"
        },
        bars.iter().map(|bar| bar.1),
    );
    let name = |record: &Record| {
        let text = |field| word(record, field).unwrap_or_default();
        match text("heuristic") {
            "zero" | "auto" => text("algorithm").to_string(),
            heuristic => format!("{}, {heuristic}", text("algorithm")),
        }
    };
    let mut colors = Names::default();
    for (record, _) in bars.iter().rev() {
        colors.index(word(record, "algorithm").unwrap_or_default());
    }
    let mut marks = Vec::new();
    let mut is_any_unfinished = false;
    for (index, &(record, generated)) in bars.iter().enumerate() {
        let is_unfinished = word(record, "unfinished").is_some();
        is_any_unfinished |= is_unfinished;
        let style = MarkStyle {
            color: colors.index(word(record, "algorithm").unwrap_or_default()),
            is_faint: is_unfinished,
        };
        let (y, end) = (index as f64, x.position(generated));
        marks.push(Mark::Rectangle(
            style,
            [(x.range.0, y - 0.35), (end, y + 0.35)],
        ));
    }
    let mut legend: Vec<LegendEntry> = colors
        .0
        .iter()
        .enumerate()
        .map(|(color, name)| LegendEntry {
            name: name.clone(),
            style: MarkStyle::solid(color),
        })
        .collect();
    if is_any_unfinished {
        let style = MarkStyle {
            color: GRAY,
            is_faint: true,
        };
        let name = "not finished".into();
        legend.push(LegendEntry { name, style });
    }
    Ok(Chart {
        title: "Nodes by algorithm and heuristic".into(),
        panels: vec![Panel {
            y: Axis::names("", bars.iter().map(|bar| name(bar.0))),
            x,
            marks,
        }],
        legend,
    })
}

/// The color of draws and of the legend entry for unfinished searches.
const GRAY: usize = super::canvas::GRAY;

/// Returns a chart of Elo differences with one point per match and its 95% confidence interval.
fn elo(sources: &[Source]) -> Result<Chart, EngineError> {
    let mut matches = Vec::new();
    for source in sources {
        for record in &source.records {
            let Some(Value::Object(elo)) = record.get("elo") else {
                continue;
            };
            let Some(value) = number(elo, "value") else {
                return Err(no_data(
                    "a match in which one side scores no points has no Elo",
                ));
            };
            let name = |field| word(record, field).unwrap_or("?");
            let games = number(record, "games").unwrap_or_default();
            let title = format!("{} – {} ({games} games)", name("first"), name("second"));
            matches.push((
                title,
                [number(elo, "low"), Some(value), number(elo, "high")],
            ));
        }
    }
    if matches.is_empty() {
        return Err(no_data(
            "no record has elo: expected a report of scripts/match --report FILE --format json",
        ));
    }
    // The y axis goes up, but the first match should be at the top.
    matches.reverse();
    let values = matches
        .iter()
        .flat_map(|(_, ends)| ends.iter().flatten().copied());
    let x = Axis::linear(
        "Elo of the first player, with 95% confidence interval",
        values.chain([0.0]),
    );
    let mut marks = vec![Mark::VerticalLine(0.0)];
    for (index, (_, [low, value, high])) in matches.iter().enumerate() {
        let value = value.unwrap_or_default();
        // An infinite end of the interval is missing in the record, and is drawn at the end of the axis.
        let ends = [low.unwrap_or(x.range.0), value, high.unwrap_or(x.range.1)];
        marks.push(Mark::ErrorAcross(MarkStyle::solid(0), ends, index as f64));
    }
    Ok(Chart {
        title: "Strength".into(),
        panels: vec![Panel {
            y: Axis::names("", matches.iter().map(|(name, _)| name.clone())),
            x,
            marks,
        }],
        legend: Vec::new(),
    })
}

/// Returns a chart of a sequential probability ratio test (SPRT): the log-likelihood ratio after each pair of games,
/// and the two bounds of the test.
fn sprt(sources: &[Source]) -> Result<Chart, EngineError> {
    let (mut lines, mut bounds) = (Vec::new(), Vec::new());
    for source in sources {
        for record in &source.records {
            let (Some(Value::Object(test)), Some(Value::Array(path))) =
                (record.get("sprt"), record.get("path"))
            else {
                continue;
            };
            let value = |field| number(test, field).unwrap_or_default();
            for (field, hypothesis) in [("lower", "elo0"), ("upper", "elo1")] {
                let bound = (value(field), format!("Elo {} accepted", value(hypothesis)));
                if !bounds.contains(&bound) {
                    bounds.push(bound);
                }
            }
            let points = path.iter().filter_map(|step| {
                let step = step.as_object()?;
                Some((number(step, "pairs")?, number(step, "llr")?))
            });
            let name = |field| word(record, field).unwrap_or("?");
            let name = format!("{} – {}", name("first"), name("second"));
            let style = MarkStyle::solid(lines.len());
            lines.push((
                LegendEntry { name, style },
                [(0.0, 0.0)].into_iter().chain(points).collect::<Vec<_>>(),
            ));
        }
    }
    if lines.is_empty() {
        return Err(no_data(
            "no record has sprt and path: expected a report of scripts/match --report FILE --sprt 0 10 --format json",
        ));
    }
    let points = || lines.iter().flat_map(|(_, points)| points);
    let heights = points()
        .map(|point| point.1)
        .chain(bounds.iter().map(|bound| bound.0));
    let panel = Panel {
        x: Axis::linear("pairs of games", points().map(|point| point.0)).with_integer_ticks(),
        y: Axis::linear("log-likelihood ratio", heights),
        marks: bounds
            .iter()
            .map(|(height, name)| Mark::HorizontalLine(*height, name.clone()))
            .chain(
                lines
                    .iter()
                    .map(|(key, points)| Mark::Line(key.style, points.clone())),
            )
            .collect(),
    };
    Ok(Chart {
        title: "Sequential test".into(),
        panels: vec![panel],
        legend: lines.into_iter().map(|(key, _)| key).collect(),
    })
}

/// Returns a chart of a solved game: the shares of wins and draws, with one bar per layer. A layer is all positions
/// with equal goats in hand and side to move.
fn layers(sources: &[Source]) -> Result<Chart, EngineError> {
    /// The fields with numbers of positions, and their names in the legend, from the bottom of a bar to the top.
    const SHARES: [(&str, &str); 3] = [
        ("prey", "won by the goats"),
        ("neither", "drawn"),
        ("hunters", "won by the tigers"),
    ];
    let [source] = sources else {
        return Err(no_data("expected one file with the layers of one game"));
    };
    let mut bars = Vec::new();
    for (record, hand) in source.numbers("hand") {
        let (Some(Value::Array(layers)), Some(to_move)) =
            (record.get("layers"), word(record, "to_move"))
        else {
            continue;
        };
        let sum = |field: &str| -> f64 {
            let count = |layer: &Value| layer.as_object().and_then(|layer| number(layer, field));
            layers.iter().filter_map(count).sum()
        };
        let counts = SHARES.map(|(field, _)| sum(field));
        bars.push((hand as i64, to_move == "hunters", counts));
    }
    bars.sort_by_key(|&(hand, tigers_to_move, _)| (hand, tigers_to_move));
    bars.dedup_by_key(|&mut (hand, tigers_to_move, _)| (hand, tigers_to_move));
    if bars.is_empty() {
        return Err(no_data(
            "no record has hand, to_move and layers: expected the output of puli solve --out DIR --format json",
        ));
    }
    let mut panels = Vec::new();
    for (tigers_to_move, side) in [(false, "goats"), (true, "tigers")] {
        let bars: Vec<_> = bars.iter().filter(|bar| bar.1 == tigers_to_move).collect();
        if bars.is_empty() {
            continue;
        }
        let mut marks = Vec::new();
        for (index, (_, _, counts)) in bars.iter().enumerate() {
            let all: f64 = counts.iter().sum::<f64>().max(1.0);
            let (x, mut height) = (index as f64, 0.0);
            for (color, count) in counts.iter().enumerate() {
                let top = height + 100.0 * count / all;
                marks.push(Mark::Rectangle(
                    MarkStyle::solid(SHARE_COLORS[color]),
                    [(x - 0.4, height), (x + 0.4, top)],
                ));
                height = top;
            }
        }
        panels.push(Panel {
            x: Axis::names(
                &format!("goats in hand, {side} to move"),
                bars.iter().map(|bar| bar.0.to_string()),
            ),
            y: Axis::linear("positions (%)", [0.0, 100.0]),
            marks,
        });
    }
    let key = |(index, (_, name)): (usize, (&str, &str))| LegendEntry {
        name: name.into(),
        style: MarkStyle::solid(SHARE_COLORS[index]),
    };
    Ok(Chart {
        title: "A solved game, layer by layer".into(),
        panels,
        legend: SHARES.into_iter().enumerate().map(key).rev().collect(),
    })
}

/// The colors of the shares: blue, gray and orange.
const SHARE_COLORS: [usize; 3] = [0, GRAY, 1];
