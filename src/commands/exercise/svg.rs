//! Worksheets as SVG: pages of paper size A4, four exercises a page, black on white.

use super::sheet::{foot, kind_name};
use super::tree::{Tree, child_name};
use super::{Exercise, Kind, SheetId};

/// Width and height of a page, in millimeters.
const PAGE: [f64; 2] = [210.0, 297.0];
const MARGIN: f64 = 14.0;
const PER_PAGE: usize = 4;
/// Height of an exercise, in millimeters.
const BOX: f64 = 64.0;
/// Height of the tree in an exercise.
const TREE_HEIGHT: f64 = 44.0;
const LINE: f64 = 4.2;

/// Draws the sheet.
pub(super) fn draw(id: SheetId, exercises: &[Exercise], has_answers: bool) -> String {
    let pages: Vec<&[Exercise]> = exercises.chunks(PER_PAGE).collect();
    let height = PAGE[1] * pages.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{height}mm\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" font-size=\"3.4\" fill=\"black\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        PAGE[0], PAGE[0]
    );
    for (page, exercises) in pages.iter().enumerate() {
        let top = PAGE[1] * page as f64;
        let title = format!(
            "Exercises: {}{}",
            kind_name(id.kind),
            if has_answers { " (answers)" } else { "" }
        );
        svg += &text(MARGIN, top + MARGIN, 5.0, "start", &title);
        svg += &text(
            PAGE[0] - MARGIN,
            top + MARGIN,
            3.4,
            "end",
            "Name: ____________________________",
        );
        for (index, exercise) in exercises.iter().enumerate() {
            let number = page * PER_PAGE + index + 1;
            let y = top + MARGIN + 6.0 + BOX * index as f64;
            svg += &draw_exercise(id, number, exercise, y, has_answers);
        }
        svg += &text(MARGIN, top + PAGE[1] - 6.0, 2.6, "start", &foot(id));
    }
    svg + "</svg>\n"
}

fn draw_exercise(
    id: SheetId,
    number: usize,
    exercise: &Exercise,
    y: f64,
    has_answers: bool,
) -> String {
    let mut svg = String::new();
    let question = wrapped(&format!("{number}. {}", exercise.question), 108);
    for (index, line) in question.iter().enumerate() {
        svg += &text(MARGIN, y + LINE * (index + 1) as f64, 3.4, "start", line);
    }
    let top = y + LINE * question.len() as f64 + 5.0;
    if let Some(tree) = &exercise.tree {
        let drawing = TreeDrawing::new(tree, top, has_answers, id.kind, exercise);
        svg += &drawing.svg;
        svg += &others(exercise, &drawing.shown, top + TREE_HEIGHT, has_answers);
    } else {
        for (index, line) in exercise.material.lines().enumerate() {
            svg += &format!(
                "<text x=\"{MARGIN}\" y=\"{:.1}\" font-family=\"monospace\" xml:space=\"preserve\">{}</text>\n",
                top + LINE * index as f64,
                escaped(line)
            );
        }
        svg += &blanks_in_columns(exercise, top, has_answers);
    }
    svg
}

/// Writes the blanks outside of the tree, in one line.
fn others(exercise: &Exercise, shown: &[String], y: f64, has_answers: bool) -> String {
    let rest = exercise
        .blanks
        .iter()
        .filter(|blank| !shown.contains(&blank.at));
    let fields: Vec<String> = rest
        .map(|blank| {
            if has_answers {
                format!("{}: {}", blank.at, blank.answer)
            } else {
                format!("{}: ________", blank.at)
            }
        })
        .collect();
    let lines = wrapped(&fields.join("    "), 108);
    let text =
        |(index, line): (usize, &String)| text(MARGIN, y + LINE * index as f64, 3.2, "start", line);
    lines.iter().enumerate().map(text).collect()
}

fn blanks_in_columns(exercise: &Exercise, top: f64, has_answers: bool) -> String {
    let field = |(index, blank): (usize, &super::Blank)| {
        let answer = if has_answers {
            blank.answer.as_str()
        } else {
            "____________________"
        };
        text(
            PAGE[0] / 2.0,
            top + 1.4 * LINE * index as f64,
            3.4,
            "start",
            &format!("{}: {answer}", blank.at),
        )
    };
    exercise.blanks.iter().enumerate().map(field).collect()
}

/// A tree with its blanks.
struct TreeDrawing<'a> {
    svg: String,
    /// The blanks at nodes.
    shown: Vec<String>,
    kind: Kind,
    exercise: &'a Exercise,
    has_answers: bool,
    /// Distances between leaves and between levels, in millimeters.
    step: [f64; 2],
    top: f64,
    next_leaf: usize,
    unseen: Vec<String>,
}

impl<'a> TreeDrawing<'a> {
    fn new(tree: &Tree, top: f64, has_answers: bool, kind: Kind, exercise: &'a Exercise) -> Self {
        let leaves = tree.leaves();
        let depth = leaves
            .iter()
            .map(|(name, _)| name.split(' ').count())
            .max()
            .unwrap_or(1);
        let unseen = match kind {
            Kind::Cuts if has_answers => exercise.blanks[0]
                .answer
                .split(", ")
                .map(String::from)
                .collect(),
            _ => Vec::new(),
        };
        let mut drawing = Self {
            svg: String::new(),
            shown: Vec::new(),
            kind,
            exercise,
            has_answers,
            step: [
                (PAGE[0] - 2.0 * MARGIN) / leaves.len() as f64,
                (TREE_HEIGHT - 10.0) / depth as f64,
            ],
            top,
            next_leaf: 0,
            unseen,
        };
        drawing.draw(tree, "", 0, true);
        if kind == Kind::Cuts {
            drawing.shown.push(exercise.blanks[0].at.clone());
            if !has_answers {
                drawing.shown.clear();
            }
        }
        drawing
    }

    /// Draws a subtree and returns the x of its root.
    fn draw(&mut self, tree: &Tree, name: &str, ply: usize, is_max: bool) -> f64 {
        let y = self.top + self.step[1] * ply as f64;
        let Tree::Node(children, weights) = tree else {
            let x = MARGIN + self.step[0] * (self.next_leaf as f64 + 0.5);
            self.next_leaf += 1;
            let Tree::Leaf(value) = tree else { return x };
            self.draw_leaf(x, y, *value);
            self.draw_blank(name, x, y + 4.6, "middle");
            return x;
        };
        let places: Vec<f64> = children
            .iter()
            .enumerate()
            .map(|(index, child)| self.draw(child, &child_name(name, index), ply + 1, !is_max))
            .collect();
        let x = places.iter().sum::<f64>() / places.len() as f64;
        for (index, below) in places.into_iter().enumerate() {
            if let Some(weight) = weights
                .get(index)
                .filter(|_| weights.iter().any(|&weight| weight > 1))
            {
                let half = y + self.step[1] / 2.0;
                self.svg += &text(
                    f64::midpoint(x, below) + 1.6,
                    half,
                    2.8,
                    "start",
                    &weight.to_string(),
                );
            }
            self.svg += &format!(
                "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{below:.1}\" y2=\"{:.1}\" stroke=\"black\" stroke-width=\".25\"/>\n",
                y + 1.8,
                y + self.step[1] - 2.0
            );
        }
        self.svg += &match (weights.is_empty(), is_max) {
            (false, _) => format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\" fill=\"white\" stroke=\"black\" stroke-width=\".3\"/>\n"
            ),
            (true, true) => triangle(x, y, -1.0),
            (true, false) => triangle(x, y, 1.0),
        };
        self.draw_blank(name, x + 2.8, y + 0.6, "start");
        x
    }

    fn draw_leaf(&mut self, x: f64, y: f64, value: i32) {
        self.svg += &text(x, y + 1.0, 3.4, "middle", &value.to_string());
        if self.unseen.contains(&value.to_string()) {
            self.svg += &format!(
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"black\" stroke-width=\".5\"/>\n",
                x - 2.6,
                y + 2.2,
                x + 2.6,
                y - 2.2
            );
        }
    }

    /// Draws the blank of a node, if it has one.
    fn draw_blank(&mut self, name: &str, x: f64, y: f64, anchor: &str) {
        let at = if name.is_empty() { "root" } else { name };
        let Some(blank) = self.exercise.blanks.iter().find(|blank| blank.at == at) else {
            return;
        };
        self.shown.push(blank.at.clone());
        let answer = match (self.has_answers, self.kind) {
            (true, _) => blank.answer.replace("inf", "∞").replace('-', "−"),
            (false, Kind::Windows) => "(__ , __)".into(),
            (false, _) => "___".into(),
        };
        let size = if self.kind == Kind::Windows { 2.5 } else { 3.2 };
        self.svg += &text(x, y, size, anchor, &answer);
    }
}

/// Returns a triangle that points up (`-1`) for Max or down (`1`) for Min.
fn triangle(x: f64, y: f64, direction: f64) -> String {
    format!(
        "<path d=\"M{:.1} {:.1}H{:.1}L{x:.1} {:.1}Z\" fill=\"white\" stroke=\"black\" stroke-width=\".3\"/>\n",
        x - 2.2,
        y - 1.8 * direction,
        x + 2.2,
        y + 1.8 * direction
    )
}

fn text(x: f64, y: f64, size: f64, anchor: &str, content: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\">{}</text>\n",
        escaped(content)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Breaks a text into lines of at most `width` letters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        if !lines[line].is_empty() && lines[line].chars().count() + 1 + word.chars().count() > width
        {
            lines.push(word.to_string());
        } else {
            if !lines[line].is_empty() {
                lines[line].push(' ');
            }
            lines[line].push_str(word);
        }
    }
    lines
}
