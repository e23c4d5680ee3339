//! The values of solved games in `src/games/hunt/atlas.csv`.

use std::str::FromStr;
use std::sync::LazyLock;

use crate::games::hunt::{Board, board};
use crate::oracle::Verdict;
use crate::solve::explicit::in_memory::describe_hunt;

/// The file with the values. Tests solve the small games again.
const CSV: &str = include_str!("../../games/hunt/atlas.csv");

/// The columns of the file.
const COLUMNS: [&str; 11] = [
    "game",
    "method",
    "counted",
    "positions",
    "winner",
    "plies",
    "prey %",
    "hunters %",
    "longest",
    "published",
    "confirmed",
];

/// The solved values of a game.
#[derive(Clone, Debug)]
pub(super) struct SolvedValues {
    /// The board.
    pub board: &'static Board,
    /// How the values were computed: `memory`, `survey` or `tables`.
    pub method: String,
    /// The counted positions: `reachable`, `reachable up to symmetry` or `all up to symmetry`.
    pub counted: String,
    /// Number of counted positions.
    pub positions: u64,
    /// The winner from the start, `prey` or `hunters`, or `None` if the start is a draw.
    pub winner: Option<&'static str>,
    /// Plies to the win, or `None` for a draw and for a win by endless play.
    pub plies: Option<u32>,
    /// Percentages of the positions that the prey and the hunters win. `0` and `100` are exact, `0.0` is rounded. Empty if
    /// they are not recorded.
    pub shares: [String; 2],
    /// Plies of the longest win, or `None` if it is unknown.
    pub longest: Option<u32>,
    /// A published value and its source. Empty if none is known.
    pub published: String,
    /// How the value was confirmed beyond the checks that each method makes. Empty if it was not.
    pub confirmed: String,
}

/// All solved games, in the order of the file.
pub(super) static ALL: LazyLock<Vec<SolvedValues>> =
    LazyLock::new(|| read(CSV).unwrap_or_default());

/// Returns the solved values of a game, or `None` if the game is not solved.
pub(super) fn of(board: &Board) -> Option<&'static SolvedValues> {
    ALL.iter().find(|values| values.board.name == board.name)
}

/// Parses the file.
///
/// # Errors
/// If a row is invalid. The error names its game or its line.
fn read(text: &str) -> Result<Vec<SolvedValues>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?;
    if header != COLUMNS[..] {
        return Err(format!("expected the columns {}", COLUMNS.join(",")));
    }
    let rows = reader.records().map(|record| {
        let record = record.map_err(|error| error.to_string())?;
        row(&record).ok_or_else(|| format!("invalid row of '{}'", &record[0]))
    });
    rows.collect()
}

/// Parses an optional field. Returns `None` if it is invalid, and `Some(None)` if it is empty.
#[expect(clippy::option_option, reason = "the outer one is an error")]
fn optional<T: FromStr>(text: &str) -> Option<Option<T>> {
    if text.is_empty() {
        return Some(None);
    }
    text.parse().ok().map(Some)
}

/// Checks a percentage and returns its text. Returns `None` if it is invalid.
fn share(text: &str) -> Option<String> {
    optional::<f64>(text).map(|_| text.into())
}

/// Parses a row with one field for each of [`COLUMNS`].
fn row(record: &csv::StringRecord) -> Option<SolvedValues> {
    let winner = match &record[4] {
        "none" => None,
        "prey" => Some("prey"),
        "hunters" => Some("hunters"),
        _ => return None,
    };
    Some(SolvedValues {
        board: board::named(&record[0])?,
        method: record[1].into(),
        counted: record[2].into(),
        positions: record[3].parse().ok()?,
        winner,
        plies: optional(&record[5])?,
        shares: [share(&record[6])?, share(&record[7])?],
        longest: optional(&record[8])?,
        published: record[9].into(),
        confirmed: record[10].into(),
    })
}

/// Describes the value of a start: `draw`, `goats win in 21 plies`, `hare wins by endless play`.
pub(super) fn describe(board: &Board, winner: Option<&str>, plies: Option<u32>) -> String {
    let side = |role| match role {
        "prey" => board.goats_side,
        _ => board.tigers_side(),
    };
    let verdict = match (winner.map(side), plies) {
        (None, _) => Verdict::Draw,
        (Some(winner), None) => Verdict::Endless(winner),
        (Some(winner), Some(plies)) => Verdict::Win(winner, plies),
    };
    describe_hunt(board, verdict)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_all_rows_and_rejects_invalid_ones() {
        assert_eq!(read(CSV).unwrap().len(), CSV.lines().count() - 1);
        let header = COLUMNS.join(",");
        for (row, error) in [
            ("chess,memory,reachable,1,none,,1,1,1,,", "of 'chess'"),
            ("kaooa,memory,reachable,1,crows,1,1,1,1,,", "of 'kaooa'"),
            ("kaooa,memory,reachable,1,prey,?,1,1,1,,", "of 'kaooa'"),
            ("kaooa,memory,reachable,1,prey,1,1,1,1", "9 fields"),
        ] {
            let found = read(&format!("{header}\n{row}\n")).unwrap_err();
            assert!(found.contains(error), "{found}");
        }
        assert!(
            read("game\nkaooa\n")
                .unwrap_err()
                .contains("the columns game,method,")
        );
    }

    #[test]
    fn describes_values() {
        let kaooa = of(board::named("kaooa").unwrap()).unwrap();
        let describe = |values: &SolvedValues| describe(values.board, values.winner, values.plies);
        assert_eq!(describe(kaooa), "crows win in 15 plies");
        let hare = of(board::named("hyvn-aetter-hare").unwrap()).unwrap();
        assert_eq!(describe(hare), "hare wins by endless play");
        let draw = of(board::named("mysore-one-tiger").unwrap()).unwrap();
        assert_eq!(describe(draw), "draw");
        let last_ply = SolvedValues {
            plies: Some(1),
            ..kaooa.clone()
        };
        assert_eq!(describe(&last_ply), "crows win in 1 ply");
        assert!(of(board::named("el-zorro").unwrap()).is_none());
    }
}
