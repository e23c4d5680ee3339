//! What stands in a picture of a trace: a card for every node that is shown, with its words and its size.

use super::super::{has_windows, in_order, is_cut_off, label, shown, value, visits};
use crate::commands::trace::interval;
use crate::engine::trace::{Decider, Node, Trace};

/// Sizes in pixels.
const PADDING: f64 = 8.0;
const GLYPH: f64 = 20.0;
const TITLE_HEIGHT: f64 = 22.0;
pub const LINE_HEIGHT: f64 = 14.0;
/// What a character takes at most on average: no font is asked how wide its words are.
pub const TITLE_CHARACTER: f64 = 8.2;
const CHARACTER: f64 = 6.4;
const LABEL_CHARACTER: f64 = 7.0;
/// Of the moves that a fold stands for, so many are named.
const MAX_NAMED: usize = 4;

/// What a card is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// A node of this kind that the search came to.
    Visited(Decider),
    /// One that it never came to.
    Missed(Decider),
    /// Several that it never came to, with all below them.
    Fold,
}

/// A node, or several never visited, as they are drawn.
pub struct NodeBox {
    /// What it is of.
    pub face: Face,
    /// The move, or the moves, that lead to it.
    pub label: String,
    /// What it is worth.
    pub title: String,
    /// What stands below: every visit with its number, its window and, where there are several, what came of it.
    pub lines: Vec<String>,
    /// All of it in words, for who points at it.
    pub story: String,
    /// Whether the rest of its moves were cut off.
    pub is_cut_off: bool,
    /// Whether it lies on the principal variation.
    pub is_principal: bool,
    /// The cards below it.
    pub children: Vec<usize>,
    /// Its size.
    pub width: f64,
    /// Its size.
    pub height: f64,
}

/// The cards of a trace, the root's first, parents before their children. Where it `folds`, what was never visited below a
/// node shares a card.
pub fn cards(trace: &Trace, folds: bool) -> Vec<NodeBox> {
    let mut deck = Deck {
        trace,
        folds,
        cards: Vec::new(),
    };
    deck.deal(0, Some(&trace.line));
    deck.cards
}

struct Deck<'t> {
    trace: &'t Trace,
    folds: bool,
    cards: Vec<NodeBox>,
}

impl Deck<'_> {
    /// The card of a node and those below it; `line` is what follows on the principal variation, on which it then lies.
    fn deal(&mut self, index: usize, line: Option<&[String]>) -> usize {
        let node = &self.trace.nodes[index];
        let place = self.cards.len();
        self.cards.push(card(self.trace, node, line.is_some()));
        let is_missed = |&&child: &&usize| self.trace.nodes[child].visits.is_empty();
        let (missed, shown): (Vec<usize>, Vec<usize>) = if self.folds {
            in_order(self.trace, node)
                .iter()
                .partition(|child| is_missed(child))
        } else {
            (Vec::new(), in_order(self.trace, node))
        };
        for child in shown {
            let label = &self.trace.nodes[child].label;
            let follows = line.and_then(|line| line.split_first());
            let rest = follows.and_then(|(first, rest)| (first == label).then_some(rest));
            let child = self.deal(child, rest);
            self.cards[place].children.push(child);
        }
        if !missed.is_empty() {
            let fold = self.fold(&missed);
            let child = self.cards.len();
            self.cards.push(fold);
            self.cards[place].children.push(child);
        }
        place
    }

    /// One card for nodes never visited.
    fn fold(&self, missed: &[usize]) -> NodeBox {
        let mut names: Vec<&str> = missed
            .iter()
            .take(MAX_NAMED)
            .map(|&child| self.trace.nodes[child].label.as_str())
            .collect();
        if missed.len() > MAX_NAMED {
            names.push("…");
        }
        let ends: usize = missed.iter().map(|&child| self.ends(child)).sum();
        let ends = match ends {
            1 => "1 evaluation".to_string(),
            ends => format!("{ends} evaluations"),
        };
        let label = names.join(" ");
        sized(NodeBox {
            face: Face::Fold,
            story: format!("{label}: not visited, {ends} saved"),
            label,
            title: String::new(),
            lines: vec![format!("{ends} saved")],
            is_cut_off: false,
            is_principal: false,
            children: Vec::new(),
            width: 0.0,
            height: 0.0,
        })
    }

    /// Returns the number of leaves and of nodes at the depth limit below a node.
    fn ends(&self, index: usize) -> usize {
        let node = &self.trace.nodes[index];
        match node.leaf {
            Some(_) => 1,
            None => node.children.iter().map(|&child| self.ends(child)).sum(),
        }
    }
}

fn card(trace: &Trace, node: &Node, is_principal: bool) -> NodeBox {
    let is_visited = !node.visits.is_empty();
    let value = value(node).or(node.leaf.map(shown));
    let story = visits(trace, node);
    let mut lines = match node.visits.as_slice() {
        [visit] if has_windows(trace) => {
            vec![format!("#{} {}", visit.number, interval(visit.window))]
        }
        _ => story.clone(),
    };
    lines.extend(node.is_at_limit().then(|| "depth limit".to_string()));
    sized(NodeBox {
        face: if is_visited {
            Face::Visited(node.kind)
        } else {
            Face::Missed(node.kind)
        },
        label: label(node),
        title: value.unwrap_or_default(),
        lines,
        story: if is_visited {
            story.join("; ")
        } else {
            "not visited".into()
        },
        is_cut_off: is_cut_off(trace, node),
        is_principal: is_principal && is_visited,
        children: Vec::new(),
        width: 0.0,
        height: 0.0,
    })
}

/// The card, as large as its words are.
fn sized(mut card: NodeBox) -> NodeBox {
    let wide = |text: &String, character: f64| text.chars().count() as f64 * character;
    let lines = card.lines.iter().map(|line| wide(line, CHARACTER));
    let title = match card.face {
        Face::Fold => 0.0,
        Face::Visited(_) | Face::Missed(_) => GLYPH + wide(&card.title, TITLE_CHARACTER),
    };
    let cut = if card.is_cut_off {
        CUT.len() as f64 * CHARACTER + PADDING
    } else {
        0.0
    };
    card.width = lines.fold(title + cut, f64::max) + 2.0 * PADDING;
    card.height = card.title_height() + card.lines.len() as f64 * LINE_HEIGHT + PADDING;
    card
}

/// What a card says of its moves that were not searched.
pub const CUT: &str = "cut off";

impl NodeBox {
    /// How much of it the title takes.
    pub fn title_height(&self) -> f64 {
        match self.face {
            Face::Fold => 0.0,
            Face::Visited(_) | Face::Missed(_) => TITLE_HEIGHT,
        }
    }

    /// How wide the label is.
    pub fn label_width(&self) -> f64 {
        self.label.chars().count() as f64 * LABEL_CHARACTER
    }
}
