//! The values of hunt games by other rules, in `src/games/hunt/atlas-variants.csv`.

use std::sync::LazyLock;

use crate::games::hunt::{Board, board};

/// The file with the values. A test solves the small games again.
const CSV: &str = include_str!("../../games/hunt/atlas-variants.csv");

/// The solved values of a game by other rules.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// The board of the game, with its own rules.
    pub board: &'static Board,
    /// The lines of the board file that differ, with `; ` between them: `prey 7`, or `no line f1 g3` for one that is left
    /// out.
    pub rules: String,
    /// How the values were computed: `survey` or `tables`.
    pub method: String,
    /// Number of positions up to symmetry, reachable or not.
    pub positions: u64,
    /// The winner from the start, `prey` or `hunters`, and the plies to the win; `None` if the start is a draw.
    pub win: Option<(String, u32)>,
}

/// All variants, in the order of the file.
pub(super) static ALL: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(CSV.as_bytes());
    reader
        .records()
        .filter_map(|record| variant(&record.ok()?))
        .collect()
});

/// Parses a row. Returns `None` if it is invalid.
fn variant(record: &csv::StringRecord) -> Option<Variant> {
    let [game, rules, method, positions, winner, plies] = [0, 1, 2, 3, 4, 5].map(|at| &record[at]);
    Some(Variant {
        board: board::named(game)?,
        rules: rules.into(),
        method: method.into(),
        positions: positions.parse().ok()?,
        win: match winner {
            "none" => None,
            "prey" | "hunters" => Some((winner.into(), plies.parse().ok()?)),
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::hunt::spec::BoardSpec;
    use crate::games::hunt::{Hunt, board};
    use crate::rules::Rules;
    use crate::solve::explicit::in_memory::SolvedGame;

    /// Maximum number of positions of a game that a test solves.
    const MAX_POSITIONS: u64 = 1_000_000;

    /// Returns the board of a variant.
    fn board_of(variant: &Variant) -> &'static Board {
        let mut text = String::from(board::text_of(&variant.board.name).unwrap());
        for rule in variant.rules.split("; ") {
            let left_out = rule.strip_prefix("no ");
            let keyword = rule.split(' ').next();
            let is_kept = |line: &&str| match left_out {
                Some(left_out) => *line != left_out,
                None => line.split(' ').next() != keyword,
            };
            let mut lines: Vec<&str> = text.lines().filter(is_kept).collect();
            if left_out.is_none() {
                lines.push(rule);
            }
            text = lines.join("\n") + "\n";
        }
        Board::of(BoardSpec::read(&text).unwrap()).unwrap()
    }

    #[test]
    fn all_rows_are_valid_and_small_games_have_the_values() {
        assert_eq!(ALL.len(), CSV.lines().count() - 1);
        let mut solved = 0;
        for variant in ALL.iter() {
            let board = board_of(variant);
            if variant.positions > MAX_POSITIONS {
                continue;
            }
            let game = Hunt::new(board);
            let found = SolvedGame::solve(game, game.start(), 4096, &mut |_| Ok(())).unwrap();
            let win = found.start().win().map(|(winner, plies)| {
                let by_prey = winner == board.goats_side;
                (
                    String::from(if by_prey { "prey" } else { "hunters" }),
                    plies,
                )
            });
            assert_eq!(win, variant.win, "{} {}", board.name, variant.rules);
            solved += 1;
        }
        assert!(solved > 1, "{solved}");
    }
}
