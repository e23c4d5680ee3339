//! Describes the rules and positions of game trees for graphical interfaces.

use super::{Move, Node, Position, Tree};
use crate::rules::{Game, Rules};
use crate::scene::{
    Board, EndReason, Ending, GameInfo, Group, Message, MoveChanges, Nested, Scene, SceneProvider,
};
use crate::value::{Score, Value};

/// Maximum number of nodes of a tree that a scene contains as a whole. The scene of a larger tree contains only the
/// path to the current node.
const MAX_SHOWN_NODES: usize = 2000;

impl SceneProvider for Tree {
    fn about(&self) -> GameInfo {
        let names = || vec!["max".to_string(), "min".to_string()];
        let chance = "At a chance node a branch is drawn. Its probability is its weight divided by the sum of the weights there.";
        let question = "Max wants a high payoff and min a low one. What is the value of the tree if both play perfectly?";
        let mut rules = vec![
            Message::new(
                "tree-turns",
                [],
                "Starting at the root, max and min take turns choosing one branch.",
            ),
            Message::new(
                "tree-payoff",
                [],
                "The number at the leaf is the payoff that max gets from min.",
            ),
        ];
        let has_chance = self.has_chance();
        rules.extend(has_chance.then(|| Message::new("tree-chance", [], chance)));
        rules.push(Message::new("tree-value", [], question));
        GameInfo {
            title: Message::name("Game tree"),
            group: Group::Trees,
            players: names(),
            singular_players: names(),
            rules,
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let board = Board::Tree {
            root: (self.nodes.len() <= MAX_SHOWN_NODES).then(|| self.nested(self.start())),
            first: self.side,
            at: self.path_to(position.node),
        };
        Scene {
            score: match self.node(*position) {
                Node::Leaf(value) => Some(points(value)),
                Node::Inner { .. } => None,
            },
            ..Scene::new(board, Vec::new())
        }
    }

    fn move_changes(&self, position: &Position, m: Move) -> MoveChanges {
        let is_chance = self.is_chance(*position);
        MoveChanges {
            chance: is_chance.then(|| self.outcome_of(self.play(position, m)).probability),
            ..MoveChanges::default()
        }
    }

    fn ending(&self, _position: &Position) -> Ending {
        EndReason::Leaf.into()
    }
}

fn points(value: Value) -> f64 {
    match Score::from(value) {
        Score::Points(points) => points,
        Score::Win(..) => f64::from(value.0),
    }
}

impl Tree {
    /// Returns the subtree below a position as nested lists.
    fn nested(&self, position: Position) -> Nested {
        match self.node(position) {
            Node::Leaf(value) => Nested::Number(points(value)),
            Node::Inner { .. } => {
                let children = self.children(position);
                let nested = children.map(|(_, child)| self.nested(child)).collect();
                if !self.is_chance(position) {
                    return Nested::List(nested);
                }
                let children = self.children(position);
                let weights = children.map(|(_, child)| self.outcome_of(child).weight);
                Nested::Chance(nested, weights.collect())
            }
        }
    }

    /// Returns the moves from the root to `node`, as numbers of children.
    fn path_to(&self, node: u32) -> Vec<u16> {
        let mut path = Vec::new();
        // In `nodes`, parents follow their children, so one pass finds all nodes from `node` up to the root.
        let mut subtree = node;
        for (index, parent) in self.nodes.iter().enumerate().skip(node as usize + 1) {
            let Node::Inner {
                first, children, ..
            } = *parent
            else {
                continue;
            };
            if (first..first + u32::from(children)).contains(&subtree) {
                path.push((subtree - first) as u16 + 1);
                subtree = index as u32;
            }
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Notation;

    #[test]
    fn path_to_leads_to_node() {
        let (tree, _) = Tree::default()
            .read_position("[[3,[1,2,[5]],7],[[8,9],4],6]")
            .unwrap();
        let mut pending = vec![(tree.start(), Vec::new())];
        let mut seen = 0;
        while let Some((position, path)) = pending.pop() {
            assert_eq!(tree.path_to(position.node), path);
            seen += 1;
            for (number, child) in tree.children(position) {
                let mut path = path.clone();
                path.push(number);
                pending.push((child, path));
            }
        }
        assert_eq!(seen, tree.nodes.len());
    }
}
