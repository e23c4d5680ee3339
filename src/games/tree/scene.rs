//! Game trees as a GUI shows them, and what to do with them in words.

use super::{Move, Node, Position, Tree};
use crate::rules::Rules;
use crate::scene::{
    Board, EndReason, Ending, Footprint, GameInfo, Group, Nested, Scene, SceneProvider,
};
use crate::value::{Score, Value};

/// Larger trees are not shown.
const MAX_SHOWN: usize = 2000;

impl SceneProvider for Tree {
    fn about(&self) -> GameInfo {
        let names = || vec!["max".to_string(), "min".to_string()];
        GameInfo {
            title: "Game tree".into(),
            group: Group::Trees,
            players: names(),
            each: names(),
            rules: vec![
                "The tree is the game: in turn, max and min go down one branch each.".into(),
                "The number at the leaf where they arrive is what max gets from min.".into(),
                "So max wants it high and min wants it low. What is the tree worth if both do their best?".into(),
            ],
        }
    }

    fn scene(&self, position: &Position) -> Scene {
        let board = Board::Tree {
            root: (self.nodes.len() <= MAX_SHOWN).then(|| self.nested(self.start())),
            first: self.side,
            at: self.way_to(position.node),
        };
        Scene {
            score: match self.node(*position) {
                Node::Leaf(value) => Some(points(value)),
                Node::Inner { .. } => None,
            },
            ..Scene::new(board, Vec::new())
        }
    }

    fn footprint(&self, _position: &Position, _m: Move) -> Footprint {
        Footprint::default()
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
    fn nested(&self, position: Position) -> Nested {
        match self.node(position) {
            Node::Leaf(value) => Nested::Number(points(value)),
            Node::Inner { .. } => {
                let children = self.children(position);
                Nested::List(children.map(|(_, child)| self.nested(child)).collect())
            }
        }
    }

    /// The numbers of the children on the way from the root to a node: children lie before their parents.
    fn way_to(&self, node: u32) -> Vec<u16> {
        let mut way = Vec::new();
        let mut below = node;
        for (index, parent) in self.nodes.iter().enumerate().skip(node as usize + 1) {
            let Node::Inner {
                first, children, ..
            } = *parent
            else {
                continue;
            };
            if (first..first + u32::from(children)).contains(&below) {
                way.push((below - first) as u16 + 1);
                below = index as u32;
            }
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Notation;

    #[test]
    fn the_way_to_a_node_leads_there() {
        let (tree, _) = Tree::default()
            .read_position("[[3,[1,2,[5]],7],[[8,9],4],6]")
            .unwrap();
        let mut waiting = vec![(tree.start(), Vec::new())];
        let mut seen = 0;
        while let Some((position, way)) = waiting.pop() {
            assert_eq!(tree.way_to(position.node), way);
            seen += 1;
            for (number, child) in tree.children(position) {
                let mut way = way.clone();
                way.push(number);
                waiting.push((child, way));
            }
        }
        assert_eq!(seen, tree.nodes.len());
    }
}
