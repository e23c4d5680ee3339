//! The values of all options, as plain data. Module `protocol` parses them.

use std::ops::RangeInclusive;
use std::sync::Arc;

/// The default variant.
pub(crate) const DEFAULT_VARIANT: &str = "aadu-puli";

/// Allowed sizes of the transposition table, in MiB.
pub const HASH: RangeInclusive<u64> = 1..=1 << 24;

/// An enum whose values have names in the protocol and on the command line.
pub trait NamedEnum: Copy + PartialEq + 'static {
    /// All values with their names.
    const ALL: &'static [(Self, &'static str)];

    /// Returns the value with this name, ignoring case.
    fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter();
        let found = all.find(|(_, known)| known.eq_ignore_ascii_case(name));
        found.map(|&(choice, _)| choice)
    }
}

/// Returns the name of a value in the protocol and on the command line.
pub fn name_of<T: NamedEnum>(choice: &T) -> String {
    let found = T::ALL.iter().find(|(known, _)| known == choice);
    found.map_or_else(String::new, |(_, name)| (*name).to_string())
}

/// Defines a [`NamedEnum`]. With feature `cli` it is also a clap `ValueEnum`.
macro_rules! choices {
    ($(#[doc = $doc:literal])* $choice:ident { $($(#[doc = $help:literal])* $value:ident = $name:literal,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $choice {
            $($(#[doc = $help])* $value,)*
        }

        impl $crate::settings::NamedEnum for $choice {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$value, $name)),*];
        }

        #[cfg(feature = "cli")]
        impl clap::ValueEnum for $choice {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self::$value),*]
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                Some(match self {
                    $(Self::$value => {
                        clap::builder::PossibleValue::new($name).help(concat!($($help),*).trim())
                    })*
                })
            }
        }
    };
}
pub(crate) use choices;

choices! {
    /// Search algorithms. Each engine lists the algorithms that it supports; every engine supports `Auto`.
    Algorithm {
        /// The strongest search for the variant
        Auto = "auto",
        /// Full-width search without cutoffs
        Minimax = "minimax",
        /// Minimax with chance nodes, or with a random opponent
        Expectimax = "expectimax",
        /// Minimax with alpha-beta pruning
        AlphaBeta = "alphabeta",
        /// Alpha-beta with null windows
        Scout = "scout",
        /// Null-window alpha-beta searches that converge
        Mtdf = "mtdf",
        /// Principal variation search with all enhancements
        Pvs = "pvs",
        /// Breadth-first search
        Bfs = "bfs",
        /// Iterative-deepening depth-first search
        Iddfs = "iddfs",
        /// Greedy best-first search
        Greedy = "greedy",
        /// A* search
        Astar = "astar",
        /// Iterative-deepening A* search
        Idastar = "idastar",
    }
}

choices! {
    /// The cutoff rule of alpha-beta, which differs between textbooks.
    CutRule {
        /// As soon as the other side has an equally good move: alpha ≥ beta
        Equal = "equal",
        /// Only if the other side has a better move: alpha > beta
        Worse = "worse",
    }
}

impl CutRule {
    /// Returns the minimum excess of alpha over beta for a cutoff, in hundredths of a point.
    pub(crate) fn margin(self) -> i32 {
        self as i32
    }
}

choices! {
    /// Estimates of the distance to a puzzle's goal.
    HeuristicName {
        /// The strongest estimate for the board
        Auto = "auto",
        /// Always zero
        Zero = "zero",
        /// Number of misplaced tiles
        Misplaced = "misplaced",
        /// Sum of the tiles' Manhattan distances
        Manhattan = "manhattan",
        /// Manhattan, plus 2 per reversal: a pair of neighbors that must swap
        Reversal = "reversal",
        /// 85% of the sum of squared distances, plus 2 per reversal; inadmissible
        SquaredDiscounted = "squared-discounted",
        /// Sum of squared distances, plus 2 per reversal; inadmissible
        Squared = "squared",
        /// Manhattan, plus 2 for each tile that must leave its line
        LinearConflict = "linear-conflict",
        /// Moves to sort tiles into rows and into columns, separately
        WalkingDistance = "walking-distance",
        /// Exact distances of groups of tiles, from a table
        PatternDatabase = "pattern-database",
        /// The estimates of a file of positions
        Own = "own",
    }
}

choices! {
    /// The move order of the textbook searches of games.
    MoveOrder {
        /// The order of the game's notation
        None = "none",
        /// The best move of the transposition table first, then notation order
        Table = "table",
        /// The table's move, then captures and wins, killer moves and moves that often caused cutoffs
        Full = "full",
    }
}

choices! {
    /// The order of expansion of nodes with equal f = g + h in A*.
    TieBreak {
        /// The node farthest from the start first
        HighG = "high-g",
        /// The node nearest to the start first
        LowG = "low-g",
        /// The oldest node first
        Fifo = "fifo",
    }
}

/// A valid board file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFile {
    /// The name of the file's game.
    pub game: &'static str,
    /// The content of the file.
    pub text: Arc<str>,
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `Algorithm`.
    pub algorithm: Algorithm,
    /// `ClosedList`: A* keeps a closed list.
    pub closed_list: bool,
    /// `Contempt`, in hundredths of a point. In a search by `auto`, a draw by repetition has minus this value for
    /// the side to move at the root.
    pub contempt: u32,
    /// `EvalFile`: the path of a network for 2048 or a hunt game. Empty selects the built-in network.
    pub eval_file: String,
    /// `EstimateFile`: the path of a file of positions with estimates for a puzzle. Empty for none.
    pub estimate_file: String,
    /// `Hash`: the size of the transposition table, in MiB.
    pub hash: u64,
    /// `Heuristic`.
    pub heuristic: HeuristicName,
    /// `Memory`: the textbook searches use a transposition table.
    pub memory: bool,
    /// `MemoryLimit`: the maximum memory of a puzzle search, in MiB.
    pub memory_limit: u64,
    /// `Move Overhead`: time subtracted from the clock for each move, in milliseconds.
    pub move_overhead: u64,
    /// `MultiPV`: number of lines to report.
    pub multi_pv: u32,
    /// `Ordering`: the order of moves in the textbook searches of games.
    pub ordering: MoveOrder,
    /// `Ponder`: `bestmove` names the expected reply.
    pub ponder: bool,
    /// `Seed`: 0 selects the first of several equal moves, any other value a random move.
    pub seed: u64,
    /// `SolveLimit`: the maximum number of positions of a game that `auto` solves in memory first. 0
    /// disables solving.
    pub solve_limit: u64,
    /// `TieBreak`.
    pub tie_break: TieBreak,
    /// `TablebasePath`: the folder of tables. Empty for none.
    pub tablebase_path: String,
    /// `Threads`: number of search threads.
    pub threads: u32,
    /// `UCI_Variant`: a name of the catalog, or the game of a file in `boards` or of `board_text`.
    pub variant: &'static str,
    /// `VariantPath`: a board file or a folder of them. Empty for none.
    pub variant_path: String,
    /// The board files of `variant_path`.
    pub boards: Vec<BoardFile>,
    /// `VariantText`: the text of a board file, if any. It has precedence over a file with the same game.
    pub board_text: Option<BoardFile>,
    /// `WeightsFile`: the path of a file of own weights for the textbook searches of games. Empty for none.
    pub weights_file: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Auto,
            closed_list: true,
            contempt: 20,
            eval_file: String::new(),
            estimate_file: String::new(),
            hash: 64,
            heuristic: HeuristicName::Auto,
            memory: true,
            memory_limit: 4096,
            move_overhead: 10,
            multi_pv: 1,
            ordering: MoveOrder::Full,
            ponder: false,
            seed: 0,
            solve_limit: 2_000_000,
            tie_break: TieBreak::HighG,
            tablebase_path: String::new(),
            threads: 1,
            variant: DEFAULT_VARIANT,
            variant_path: String::new(),
            boards: Vec::new(),
            board_text: None,
            weights_file: String::new(),
        }
    }
}

impl Settings {
    /// Returns the board files of `VariantText` and `VariantPath`, one per game.
    pub(crate) fn loaded_boards(&self) -> impl Iterator<Item = &BoardFile> {
        let text = self.board_text.as_ref();
        let is_replaced = move |file: &BoardFile| text.is_some_and(|text| text.game == file.game);
        let files = self.boards.iter().filter(move |file| !is_replaced(file));
        text.into_iter().chain(files)
    }

    /// Returns the board file of the variant, or `None` if the variant is built in.
    pub(crate) fn board_file(&self) -> Option<&BoardFile> {
        self.loaded_boards()
            .find(|board| board.game == self.variant)
    }
}
