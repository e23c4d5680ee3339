//! Reads, writes and draws game trees (`[[3,17],(1:2,9:12)] min`) and moves (`2`, the second child).

use std::hash::Hasher;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{digit1, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::sequence::preceded;
use nom::{IResult, Parser};

use super::{ChanceOutcome, MAX_DEPTH, Move, Node, Position, Tree};
use crate::error::ParseError;
use crate::games::key::Mix64Hasher;
use crate::lex::{Tokenizer, is_blank, shortened};
use crate::rules::{Notation, Rules};
use crate::value::{Side, Value};

/// Maximum weight of a child of a chance node. It is the maximum payoff, so that one bound holds for all numbers.
const MAX_WEIGHT: u32 = Value::MAX_POINTS as u32;

/// Maximum number of nodes of a tree that [`Notation::draw`] draws.
const MAX_DRAWN_NODES: usize = 500;

impl Notation for Tree {
    fn read_position(&self, text: &str) -> Result<(Self, Position), ParseError> {
        const EXPECTED: &str = "max, min or the end of the line";
        let (tree, rest) = read_tree(text)?;
        let mut words = Tokenizer::new(rest);
        let side = match words.next_word() {
            None | Some("max") => Ok(Side::P1),
            Some("min") => Ok(Side::P2),
            Some(word) => Err(words.misread(word, EXPECTED)),
        };
        let side = side.and_then(|side| words.end().map(|()| side));
        let side = side.map_err(|error| error.shifted(text.len() - rest.len()))?;
        let tree = Self { side, ..tree };
        let root = tree.start();
        Ok((tree, root))
    }

    /// Returns the subtree of the position, without blanks, followed by ` min` if the second player is to move.
    fn show_position(&self, position: &Position) -> String {
        let mut text = String::new();
        self.write(*position, &mut text);
        if position.side == Side::P2 {
            text += " min";
        }
        text
    }

    /// Returns a 128-bit hash of the nodes, because the text of a tree can be long.
    fn identity(&self) -> Option<String> {
        let [high, low] = [1, 2].map(|seed| self.digest(seed));
        Some(format!("tree-{high:016x}{low:016x}"))
    }

    fn read_move(&self, text: &str) -> Result<Move, ParseError> {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        let number = text.parse().ok().filter(|_| is_number);
        number
            .map(Move)
            .ok_or_else(|| ParseError::new(0, "a move: the number of a child, from 1"))
    }

    fn show_move(&self, m: Move) -> String {
        m.0.to_string()
    }

    /// Returns the moves to a node other than the root.
    fn moves_to(&self, position: &Position) -> Option<Vec<Move>> {
        let (mut at, mut moves) = (self.start(), Vec::new());
        while at.node != position.node {
            // The nodes below a list have the order of its elements, and come before the block of its elements.
            let leads_there = |child: Position| match self.node(child) {
                _ if child.node == position.node => true,
                Node::Leaf(_) => false,
                Node::Inner {
                    first, children, ..
                } => position.node < first + u32::from(children),
            };
            let mut children = self.children(at);
            let (number, child) = children.find(|&(_, child)| leads_there(child))?;
            moves.push(Move(number));
            at = child;
        }
        (!moves.is_empty()).then_some(moves)
    }

    fn why_illegal(&self, position: &Position, _m: Move) -> Option<String> {
        Some(match self.children(*position).count() {
            1 => String::from("there is 1 child"),
            children => format!("there are children 1 to {children}"),
        })
    }

    fn draw(&self, position: &Position) -> String {
        let size = self.size(*position);
        if size > MAX_DRAWN_NODES {
            let height = self.node(*position).height();
            return format!("A tree of {size} nodes and {height} plies, too large to draw");
        }
        let mut text = String::new();
        self.draw_subtree(*position, "", &mut text);
        text
    }
}

impl Tree {
    /// Returns a hash of the nodes and of the side to move, which depends on `seed`.
    fn digest(&self, seed: u64) -> u64 {
        let mut hasher = Mix64Hasher::default();
        hasher.write_u64(seed << 1 | self.side as u64);
        for node in self.nodes.iter() {
            hasher.write_u64(match *node {
                Node::Leaf(value) => u64::from(value.0 as u32),
                // The index of the first child is not hashed: the preceding nodes determine it.
                Node::Inner {
                    children,
                    is_chance,
                    ..
                } => u64::from(is_chance) << 33 | 1 << 32 | u64::from(children),
            });
        }
        for outcome in self.outcomes.iter() {
            hasher.write_u32(outcome.weight);
        }
        hasher.finish()
    }

    /// Returns the number of nodes in the subtree of a position, including its root.
    fn size(&self, position: Position) -> usize {
        let subtree = self.children(position).map(|(_, child)| self.size(child));
        1 + subtree.sum::<usize>()
    }

    /// Appends the subtree below a position to `text`.
    fn write(&self, position: Position, text: &mut String) {
        if let Node::Leaf(value) = self.node(position) {
            *text += &show_number(value);
            return;
        }
        let is_chance = self.is_chance(position);
        let [open, close] = if is_chance { ['(', ')'] } else { ['[', ']'] };
        for (number, child) in self.children(position) {
            text.push(if number == 1 { open } else { ',' });
            if is_chance {
                *text += &format!("{}:", self.outcome_of(child).weight);
            }
            self.write(child, text);
        }
        text.push(close);
    }

    /// Appends the drawing of the subtree below a position to `text`: the node, and one line for each node below it.
    fn draw_subtree(&self, position: Position, indent: &str, text: &mut String) {
        *text += &match self.node(position) {
            Node::Leaf(value) => show_number(value),
            Node::Inner {
                is_chance: true, ..
            } => "chance".into(),
            Node::Inner { .. } => side_name(position.side).into(),
        };
        for (number, child) in self.children(position) {
            *text += &["\n", indent, &number.to_string()].concat();
            if self.is_chance(position) {
                let percent = 100.0 * self.outcome_of(child).probability;
                *text += &format!(" ({}%)", (percent * 100.0).round() / 100.0);
            }
            *text += ": ";
            self.draw_subtree(child, &(indent.to_owned() + "   "), text);
        }
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::P1 => "max",
        Side::P2 => "min",
    }
}

/// Returns the payoff in points, with at most two decimals.
fn show_number(value: Value) -> String {
    let sign = if value.0 < 0 { "-" } else { "" };
    let (whole, hundredths) = (value.0.abs() / 100, value.0.abs() % 100);
    match (hundredths / 10, hundredths % 10) {
        (0, 0) => format!("{sign}{whole}"),
        (tenths, 0) => format!("{sign}{whole}.{tenths}"),
        _ => format!("{sign}{whole}.{hundredths:02}"),
    }
}

/// Skips blanks and reads the next token: a bracket, a comma, or all characters up to a blank, bracket, comma or colon.
fn token(input: &str) -> IResult<&str, &str> {
    let is_word = |c: char| !is_blank(c) && !matches!(c, '[' | ']' | '(' | ')' | ',' | ':');
    let word = take_while1(is_word);
    let signs = "[](),:";
    let any = alt((recognize(one_of(signs)), word));
    preceded(take_while(is_blank), any).parse(input)
}

/// Reads a number with at most two decimals. Returns `None` for other words and above the maximum payoff.
fn read_number(word: &str) -> Option<Value> {
    let parts: IResult<&str, _> = all_consuming((
        opt(tag("-")),
        digit1,
        opt(preceded(tag("."), digit1::<&str, _>)),
    ))
    .parse(word);
    let (_, (sign, whole, fraction)) = parts.ok()?;
    let fraction = fraction.unwrap_or("0");
    let hundredths = match fraction.len() {
        1 => 10 * fraction.parse::<i64>().ok()?,
        2 => fraction.parse::<i64>().ok()?,
        _ => return None,
    };
    let max = i64::from(Value::MAX_POINTS);
    let whole: i64 = whole.parse().ok().filter(|&whole| whole <= max)?;
    let magnitude = 100 * whole + hundredths;
    let value = if sign.is_some() {
        -magnitude
    } else {
        magnitude
    };
    (magnitude <= 100 * max).then_some(Value(value as i32))
}

/// A list whose end has not been read.
struct OpenList {
    /// The index of its first child among the children of all open lists.
    first: usize,
    /// `true` for a chance node.
    is_chance: bool,
    /// Its weight as a child.
    weight: u32,
}

/// Reads a tree: a number or a list. Returns it with max to move at its root, and the text after it.
///
/// An explicit stack replaces recursion.
pub(super) fn read_tree(text: &str) -> Result<(Tree, &str), ParseError> {
    let mut nodes = Vec::new();
    // The children read so far of all open lists with their weights, outer lists first.
    let mut children = Vec::new();
    let mut open_lists = Vec::<OpenList>::new();
    let mut rest = text;
    loop {
        let mut weight = 1;
        if open_lists.last().is_some_and(|list| list.is_chance) {
            (weight, rest) = read_weight(text, rest)?;
        }
        let (after, word) = expect_token(text, rest, "a number, [ or (")?;
        rest = after;
        if matches!(word, "[" | "(") {
            if open_lists.len() == MAX_DEPTH {
                let expected = format!("at most {MAX_DEPTH} nested lists");
                return Err(ParseError::at(text, word, expected));
            }
            open_lists.push(OpenList {
                first: children.len(),
                is_chance: word == "(",
                weight,
            });
            continue;
        }
        let value = read_number(word).ok_or_else(|| {
            let expected = format!(
                "a number up to {}, with at most two digits after its point, [ or (, found '{}'",
                Value::MAX_POINTS,
                shortened(word)
            );
            ParseError::at(text, word, expected)
        })?;
        children.push((Node::Leaf(value), weight));
        // Closes all lists that end after this number.
        loop {
            let Some(list) = open_lists.last() else {
                nodes.append(&mut children);
                return Ok((tree_of(nodes), rest));
            };
            let close = if list.is_chance { ")" } else { "]" };
            let (after, word) = expect_token(text, rest, &format!(", or {close}"))?;
            rest = after;
            if word == close {
                let node = close_list(&mut nodes, &mut children, list);
                children.push((node, list.weight));
                open_lists.pop();
            } else if word != "," {
                let expected = format!(", or {close}, found '{}'", shortened(word));
                return Err(ParseError::at(text, word, expected));
            } else if children.len() - list.first < usize::from(u16::MAX) {
                break;
            } else {
                let expected = format!("a list of at most {} children", u16::MAX);
                return Err(ParseError::at(text, word, expected));
            }
        }
    }
}

/// Reads the weight of a child and its colon, if there is a colon. Returns it, and the text after it.
fn read_weight<'a>(text: &str, rest: &'a str) -> Result<(u32, &'a str), ParseError> {
    let Ok((after, word)) = token(rest) else {
        return Ok((1, rest));
    };
    let after_colon = match token(after) {
        _ if word == ":" => after,
        Ok((after, ":")) => after,
        _ => return Ok((1, rest)),
    };
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let weight = word
        .parse::<u32>()
        .ok()
        .filter(|&weight| is_number && (1..=MAX_WEIGHT).contains(&weight));
    let weight = weight.ok_or_else(|| {
        let expected = format!(
            "a weight from 1 to {MAX_WEIGHT}, found '{}'",
            shortened(word)
        );
        ParseError::at(text, word, expected)
    })?;
    Ok((weight, after_colon))
}

/// Returns the tree of these nodes with their weights.
fn tree_of(nodes: Vec<(Node, u32)>) -> Tree {
    let mut outcomes = Vec::new();
    for (node, _) in &nodes {
        let &Node::Inner {
            first,
            children,
            is_chance: true,
            ..
        } = node
        else {
            continue;
        };
        outcomes.resize(
            nodes.len(),
            ChanceOutcome {
                weight: 1,
                probability: 1.0,
            },
        );
        let range = first as usize..first as usize + usize::from(children);
        let total: u64 = nodes[range.clone()]
            .iter()
            .map(|&(_, weight)| u64::from(weight))
            .sum();
        for index in range {
            let (_, weight) = nodes[index];
            let probability = f64::from(weight) / total as f64;
            outcomes[index] = ChanceOutcome {
                weight,
                probability,
            };
        }
    }
    Tree {
        nodes: nodes.into_iter().map(|(node, _)| node).collect(),
        outcomes: outcomes.into(),
        side: Side::P1,
    }
}

/// Reads the next token of `rest`, the end of `text`. Without a token, returns the error that `expected` is
/// missing.
fn expect_token<'a>(
    text: &str,
    rest: &'a str,
    expected: &str,
) -> Result<(&'a str, &'a str), ParseError> {
    let error = || ParseError::new(text.trim_end().len(), format!("{expected}, found the end"));
    token(rest).map_err(|_| error())
}

/// Moves the elements of `children` that belong to `list` to the end of `nodes`. Returns their parent node.
fn close_list(
    nodes: &mut Vec<(Node, u32)>,
    children: &mut Vec<(Node, u32)>,
    list: &OpenList,
) -> Node {
    let siblings = &children[list.first..];
    let max_height = siblings.iter().map(|(child, _)| child.height()).max();
    let node = Node::Inner {
        first: nodes.len() as u32,
        children: siblings.len() as u16,
        is_chance: list.is_chance,
        height: 1 + max_height.unwrap_or(0),
    };
    nodes.extend(children.drain(list.first..));
    node
}

#[cfg(test)]
mod tests {
    use super::super::START;
    use super::*;
    use crate::rules::{Game, Outcome};

    fn shown(text: &str) -> String {
        let (tree, root) = Tree::default().read_position(text).unwrap();
        tree.show_position(&root)
    }

    fn error(text: &str) -> String {
        let read = Tree::default().read_position(text);
        read.unwrap_err().to_string()
    }

    #[test]
    fn output_round_trips() {
        for text in [
            START,
            "7",
            "[0.5,-0.25,12.34,-7] min",
            "[10000000,[-10000000]]",
            "[(1:3,1:17),(9:8,1:30)]",
            "(10000000:[1,(2:2,1:(1:7))],1:-2.5) min",
        ] {
            assert_eq!(shown(text), text);
        }
        assert_eq!(shown("\t[ 1.50 ,[ -0, 007.00 ] ]  max "), "[1.5,[0,7]]");
        assert_eq!(shown("( 3 , 02 : [ 17 ] )"), "(1:3,2:[17])");
    }

    #[test]
    fn move_leaves_subtree() {
        let tree = Tree::default();
        let position = tree.play(&tree.start(), tree.read_move("2").unwrap());
        assert_eq!(tree.show_position(&position), "[[[2,5],[3]],[[2,14]]] min");
        assert_eq!(tree.max_plies_left(&position), Some(3));
        assert_eq!(tree.outcome(&position), None);
    }

    #[test]
    fn moves_to_a_node_are_those_on_its_path() {
        for text in [START, "7", "[(1:3,1:17),2,[[4],5,[[6],[7,[8]]]],[9]] min"] {
            let (tree, root) = Tree::default().read_position(text).unwrap();
            let mut paths = vec![(root, Vec::new())];
            while let Some((position, path)) = paths.pop() {
                let expected = (!path.is_empty()).then(|| path.clone());
                assert_eq!(tree.moves_to(&position), expected, "{text}");
                for (number, child) in tree.children(position) {
                    paths.push((child, [&path[..], &[Move(number)]].concat()));
                }
            }
        }
    }

    #[test]
    fn single_number_is_finished_game() {
        let (tree, root) = Tree::default().read_position("-2.5 min").unwrap();
        let outcome = tree.outcome(&root);
        assert_eq!(outcome, Some(Outcome::Points(Value(-250))));
        assert_eq!(tree.max_plies_left(&root), Some(0));
    }

    #[test]
    fn weights_give_probabilities() {
        let (tree, root) = Tree::default().read_position("[(9:8,3,2:30),5]").unwrap();
        assert_eq!((tree.has_chance(), tree.chances(&root)), (true, None));
        let chance = tree.play(&root, Move(1));
        let expected = [(1, 0.75), (2, 1.0 / 12.0), (3, 2.0 / 12.0)];
        let expected = expected.map(|(number, probability)| (Move(number), probability));
        assert_eq!(tree.chances(&chance), Some(expected.to_vec()));
        assert_eq!(tree.side(&chance), Side::P2);
        let (same, _) = Tree::default().read_position("[[9,3,2],5]").unwrap();
        assert!(!same.has_chance());
        let identity = |text| Tree::default().read_position(text).unwrap().0.identity();
        assert_ne!(identity("(1:3,2:4)"), identity("(2:3,1:4)"));
        assert_ne!(identity("(3,4)"), identity("[3,4]"));
    }

    #[test]
    fn errors_name_their_column() {
        for (text, message) in [
            ("", "column 1: expected a number, [ or (, found the end"),
            ("[1,2", "column 5: expected , or ], found the end"),
            ("[1 2]", "column 4: expected , or ], found '2'"),
            ("[1:2]", "column 3: expected , or ], found ':'"),
            ("[1)", "column 3: expected , or ], found ')'"),
            ("[(1]", "column 4: expected , or ), found ']'"),
            ("(1", "column 3: expected , or ), found the end"),
            (
                "(1:3,1:",
                "column 8: expected a number, [ or (, found the end",
            ),
            (
                "[(1:3,0:17)]",
                "column 7: expected a weight from 1 to 10000000, found '0'",
            ),
            (
                "(10000001:3)",
                "column 2: expected a weight from 1 to 10000000, found '10000001'",
            ),
            (
                "[1] [2]",
                "column 5: expected max, min or the end of the line, found '[2]'",
            ),
            ("[1] min 3", "column 9: expected nothing more, found '3'"),
        ] {
            assert_eq!(error(text), message, "{text}");
        }
        for (text, column) in [
            ("[]", 2),
            ("[1,]", 4),
            ("[,1]", 2),
            ("[1,[]]", 5),
            ("]", 1),
            ("[1.234]", 2),
            ("[1.]", 2),
            ("[.5]", 2),
            ("[+5]", 2),
            ("[--5]", 2),
            ("[1e3]", 2),
            ("[10000000.01]", 2),
            ("[99999999999999999999]", 2),
            ("[1]]", 4),
            ("[é]", 2),
            ("()", 2),
            ("(:1)", 2),
            ("(1.5:3)", 2),
            ("(-1:3)", 2),
            ("(+1:3)", 2),
            ("([1]:3)", 5),
            ("(1:2:3)", 5),
            ("(1::3)", 4),
            ("1:3", 2),
        ] {
            let start = format!("column {column}: expected ");
            assert!(error(text).starts_with(&start), "{text}: {}", error(text));
        }
    }

    #[test]
    fn limits_depth() {
        let nested = |depth| "[".repeat(depth) + "1" + &"]".repeat(depth);
        let (tree, root) = Tree::default().read_position(&nested(MAX_DEPTH)).unwrap();
        assert_eq!(tree.max_plies_left(&root), Some(MAX_DEPTH as u32));
        assert_eq!(shown(&nested(MAX_DEPTH)), nested(MAX_DEPTH));
        for depth in [MAX_DEPTH + 1, 100_000] {
            let message = "column 251: expected at most 250 nested lists";
            assert_eq!(error(&nested(depth)), message);
        }
    }

    #[test]
    fn limits_number_of_children() {
        let wide = |children: usize| format!("[{}0]", "0,".repeat(children - 1));
        let (tree, root) = Tree::default().read_position(&wide(65_535)).unwrap();
        let last = tree.play(&root, Move(65_535));
        assert_eq!(tree.outcome(&last), Some(Outcome::Points(Value::ZERO)));
        assert!(error(&wide(65_536)).ends_with("expected a list of at most 65535 children"));
    }

    #[test]
    fn drawing_shows_sides_and_move_numbers() {
        let (tree, root) = Tree::default().read_position("[[3,17],2]").unwrap();
        assert_eq!(tree.draw(&root), "max\n1: min\n   1: 3\n   2: 17\n2: 2");
        let (tree, root) = Tree::default().read_position("(3,2:[17])").unwrap();
        assert_eq!(
            tree.draw(&root),
            "chance\n1 (33.33%): 3\n2 (66.67%): min\n   1: 17"
        );
        let wide = format!("[{}0]", "0,".repeat(MAX_DRAWN_NODES));
        let (tree, root) = Tree::default().read_position(&wide).unwrap();
        assert_eq!(
            tree.draw(&root),
            "A tree of 502 nodes and 1 plies, too large to draw"
        );
    }
}
