//! The options as plain data: which searches, estimates and sizes were asked for. How the protocol names them is
//! [`crate::protocol::options`]' business.

use clap::ValueEnum;

/// The variant at the start.
pub const DEFAULT_VARIANT: &str = "aadu-puli";

/// How to search. Which game or puzzle can run which is the engines' business; `Auto` runs everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
#[value(rename_all = "lower")]
#[expect(missing_docs, reason = "the names of the literature")]
pub enum Algorithm {
    /// The best there is for the variant.
    Auto,
    Minimax,
    Expectimax,
    AlphaBeta,
    Scout,
    Mtdf,
    Pvs,
    Bfs,
    Iddfs,
    Greedy,
    Astar,
    Idastar,
}

/// Estimates of the distance to a puzzle's goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
#[value(rename_all = "kebab-case")]
#[expect(
    missing_docs,
    reason = "the names of the literature; and four whose formulas `heuristics` gives"
)]
pub enum HeuristicName {
    /// The best there is for the board.
    Auto,
    Zero,
    Misplaced,
    Manhattan,
    Reversal,
    SquaredDiscounted,
    Squared,
    LinearConflict,
    WalkingDistance,
    PatternDatabase,
}

/// Which of the nodes with equal f A* expands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
#[value(rename_all = "kebab-case")]
pub enum TieBreak {
    /// The one farthest from the start.
    HighG,
    /// The one nearest to the start.
    LowG,
    /// The oldest.
    Fifo,
}

/// The name of a value of one of the lists above, as the protocol and the command line write it.
pub fn name_of<T: ValueEnum>(value: &T) -> String {
    value
        .to_possible_value()
        .map(|value| value.get_name().to_string())
        .unwrap_or_default()
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `Algorithm`.
    pub algorithm: Algorithm,
    /// `ClosedList`: whether A* keeps a closed set.
    pub closed_list: bool,
    /// `EvalFile`: a network for 2048; the one inside the program when empty.
    pub eval_file: String,
    /// `Hash`, in MiB.
    pub hash: u64,
    /// `Heuristic`.
    pub heuristic: HeuristicName,
    /// `Memory`: whether textbook searches have a transposition table.
    pub memory: bool,
    /// `MemoryLimit`, in MiB.
    pub memory_limit: u64,
    /// `Move Overhead`, in milliseconds.
    pub move_overhead: u64,
    /// `MultiPV`: how many lines to show.
    pub multi_pv: u32,
    /// `Ponder`: whether `bestmove` names the answer it expects.
    pub ponder: bool,
    /// `Seed`: 0 takes the first of equal moves, another draws among them.
    pub seed: u64,
    /// `TieBreak`.
    pub tie_break: TieBreak,
    /// `TablebasePath`: none when empty.
    pub tablebase_path: String,
    /// `Threads`.
    pub threads: u32,
    /// `UCI_Variant`: a name of the catalog.
    pub variant: &'static str,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Auto,
            closed_list: true,
            eval_file: String::new(),
            hash: 64,
            heuristic: HeuristicName::Auto,
            memory: true,
            memory_limit: 4096,
            move_overhead: 10,
            multi_pv: 1,
            ponder: false,
            seed: 0,
            tie_break: TieBreak::HighG,
            tablebase_path: String::new(),
            threads: 1,
            variant: DEFAULT_VARIANT,
        }
    }
}
