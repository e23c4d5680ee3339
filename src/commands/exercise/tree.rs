//! Trees for exercises.

use std::fmt;

use crate::random::Random;

/// The weights of a chance node with few children. Their sums are powers of two, so that averages are often whole.
const WEIGHTS: &[&[u32]] = &[
    &[1, 1],
    &[1, 3],
    &[3, 1],
    &[1, 1, 2],
    &[1, 2, 1],
    &[2, 1, 1],
];

/// A game tree. Max moves at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    /// A leaf with its value.
    Leaf(i32),
    /// A node with its children, in the order of the notation. A chance node has their weights, another node has none.
    Node(Vec<Tree>, Vec<u32>),
}

impl Tree {
    /// Returns a random tree with all leaves at the same depth and distinct values.
    ///
    /// Level 1 has depth 2, level 2 depth 3 and level 3 depth 4.
    pub(super) fn random(level: u32, random: &mut Random) -> Self {
        let mut values: Vec<i32> = (1..=40).collect();
        random.shuffle(&mut values);
        let widths: &[[usize; 2]] = match level {
            1 => &[[3, 3], [2, 3]],
            2 => &[[2, 3], [2, 2], [2, 3]],
            _ => &[[2, 2], [2, 2], [1, 2], [1, 2]],
        };
        Self::grow(widths, &mut values, random)
    }

    fn grow(widths: &[[usize; 2]], values: &mut Vec<i32>, random: &mut Random) -> Self {
        let Some((&[least, most], below)) = widths.split_first() else {
            return Self::Leaf(values.pop().unwrap_or_default());
        };
        let width = least + random.index(most - least + 1);
        let children = (0..width).map(|_| Self::grow(below, values, random));
        Self::Node(children.collect(), Vec::new())
    }

    /// Returns the tree with chance nodes in place of the nodes at which Min moves. On level 1 all weights are 1.
    pub(super) fn with_chance(self, level: u32, is_max: bool, random: &mut Random) -> Self {
        let Self::Node(children, _) = self else {
            return self;
        };
        let count = children.len();
        let fits = |weights: &&&[u32]| weights.len() == count && level > 1;
        let fitting: Vec<&[u32]> = WEIGHTS.iter().filter(fits).copied().collect();
        let weights = match random.choice(&fitting) {
            _ if is_max => Vec::new(),
            Some(weights) => weights.to_vec(),
            None => vec![1; count],
        };
        let children = children.into_iter();
        let children = children.map(|child| child.with_chance(level, !is_max, random));
        Self::Node(children.collect(), weights)
    }

    /// Returns the minimax value of a tree without chance nodes. `is_max` is `true` if Max moves at the root of this tree.
    pub(super) fn value(&self, is_max: bool) -> i32 {
        match self {
            Self::Leaf(value) => *value,
            Self::Node(children, _) => {
                let values = children.iter().map(|child| child.value(!is_max));
                let best = if is_max { values.max() } else { values.min() };
                best.unwrap_or_default()
            }
        }
    }

    /// Returns a tree without chance nodes with the best child first at every node.
    pub(super) fn best_first(&self, is_max: bool) -> Self {
        match self {
            Self::Leaf(_) => self.clone(),
            Self::Node(children, _) => {
                let mut children: Vec<Self> = children
                    .iter()
                    .map(|child| child.best_first(!is_max))
                    .collect();
                children.sort_by_key(|child| {
                    let value = child.value(!is_max);
                    if is_max { -value } else { value }
                });
                Self::Node(children, Vec::new())
            }
        }
    }

    /// Returns the tree with a value changed by `change` at every leaf.
    pub(super) fn map(&self, change: &impl Fn(i32) -> i32) -> Self {
        match self {
            Self::Leaf(value) => Self::Leaf(change(*value)),
            Self::Node(children, weights) => Self::Node(
                children.iter().map(|child| child.map(change)).collect(),
                weights.clone(),
            ),
        }
    }

    /// Returns the number of moves to the deepest leaf.
    pub(super) fn height(&self) -> u32 {
        match self {
            Self::Leaf(_) => 0,
            Self::Node(children, _) => 1 + children.iter().map(Self::height).max().unwrap_or(0),
        }
    }

    /// Returns the leaves from left to right, each with its name (the numbers of the moves to it).
    pub(super) fn leaves(&self) -> Vec<(String, i32)> {
        let mut leaves = Vec::new();
        self.append_leaves("", &mut leaves);
        leaves
    }

    fn append_leaves(&self, name: &str, leaves: &mut Vec<(String, i32)>) {
        match self {
            Self::Leaf(value) => leaves.push((name.to_string(), *value)),
            Self::Node(children, _) => {
                for (index, child) in children.iter().enumerate() {
                    child.append_leaves(&child_name(name, index), leaves);
                }
            }
        }
    }
}

/// Returns the name of a child: the name of its parent and the number of the move.
pub(super) fn child_name(name: &str, index: usize) -> String {
    match name {
        "" => (index + 1).to_string(),
        name => format!("{name} {}", index + 1),
    }
}

impl fmt::Display for Tree {
    /// Writes the tree in the engine's notation: `[[3,12],(1:2,3:4)]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leaf(value) => write!(f, "{value}"),
            Self::Node(children, weights) => {
                let [open, close] = if weights.is_empty() {
                    ["[", "]"]
                } else {
                    ["(", ")"]
                };
                for (index, child) in children.iter().enumerate() {
                    f.write_str(if index == 0 { open } else { "," })?;
                    if let Some(weight) = weights.get(index) {
                        write!(f, "{weight}:")?;
                    }
                    child.fmt(f)?;
                }
                f.write_str(close)
            }
        }
    }
}
