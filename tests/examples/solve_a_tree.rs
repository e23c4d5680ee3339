//! Solves a game tree, written as nested lists, by minimax and by alpha-beta. Prints the value, the best line and the
//! number of evaluated leaves.
//!
//! `cargo run --release --example solve_a_tree -- "[[3,12,8],[2,4,6],[14,5,2]]"`

use std::error::Error;
use std::io::{Write, stdout};

use puli::control::Control;
use puli::games::tree::{NoEvaluation, Tree};
use puli::path::Path;
use puli::rules::{Game, Notation};
use puli::search::{Root, algorithms};
use puli::settings::{Algorithm, Settings, name_of};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1);
    let text = text.unwrap_or_else(|| "[[3,12,8],[2,4,6],[14,5,2]]".into());
    let (tree, position) = Tree::default().read_position(&text)?;
    let depth = tree.max_plies_left(&position).unwrap_or(0);
    if depth == 0 {
        return Err("the tree is a leaf".into());
    }
    for algorithm in [Algorithm::Minimax, Algorithm::AlphaBeta] {
        let settings = Settings {
            algorithm,
            memory: false,
            ..Settings::default()
        };
        let mut search = algorithms::build(&settings, NoEvaluation)??;
        let mut root = Root::new(&tree, Path::new(position), 0);
        let mut control = Control::unlimited();
        let result = search.run(&tree, &mut root, depth, &mut control, &mut |_, _| {});
        let result = result.map_err(|_| "stopped")?;
        let line: Vec<String> = result.line.iter().map(|&m| tree.show_move(m)).collect();
        writeln!(
            stdout(),
            "{}: value {} by {}, {} leaves",
            name_of(&algorithm),
            result.score,
            line.join(" "),
            result.leaves
        )?;
    }
    Ok(())
}
