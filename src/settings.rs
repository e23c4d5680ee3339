//! The options as plain data: which searches, estimates and sizes were asked for. How the protocol words them is its
//! own business.

use std::ops::RangeInclusive;
use std::sync::Arc;

/// The variant at the start.
pub const DEFAULT_VARIANT: &str = "aadu-puli";

/// MiB that a transposition table can have.
pub const HASH: RangeInclusive<u64> = 1..=1 << 24;

/// One of a few things that have names.
pub trait NamedEnum: Copy + PartialEq + 'static {
    /// All there are, with their names.
    const ALL: &'static [(Self, &'static str)];

    /// The one of this name, in any case.
    fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter();
        let found = all.find(|(_, known)| known.eq_ignore_ascii_case(name));
        found.map(|&(choice, _)| choice)
    }
}

/// The name of a choice, as the protocol and the command line write it.
pub fn name_of<T: NamedEnum>(choice: &T) -> String {
    let found = T::ALL.iter().find(|(known, _)| known == choice);
    found.map_or_else(String::new, |(_, name)| (*name).to_string())
}

/// Makes an enum whose values have names: those of the options, and where there is a command line, of its values.
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
    /// How to search. Which game or puzzle can run which is the engines' business; `Auto` runs everywhere.
    Algorithm {
        /// The best there is for the variant
        Auto = "auto",
        /// Every position to the depth
        Minimax = "minimax",
        /// The opponent, or chance, draws
        Expectimax = "expectimax",
        /// Minimax without what cannot matter
        AlphaBeta = "alphabeta",
        /// Alpha-beta with null windows
        Scout = "scout",
        /// Null windows only
        Mtdf = "mtdf",
        /// Principal variation search, tuned
        Pvs = "pvs",
        /// Breadth first
        Bfs = "bfs",
        /// Iterative deepening, depth first
        Iddfs = "iddfs",
        /// By the estimate alone
        Greedy = "greedy",
        /// A*
        Astar = "astar",
        /// Iterative deepening A*
        Idastar = "idastar",
    }
}

choices! {
    /// Estimates of the distance to a puzzle's goal.
    HeuristicName {
        /// The best there is for the board
        Auto = "auto",
        /// Nothing
        Zero = "zero",
        /// Tiles that are not at home
        Misplaced = "misplaced",
        /// Steps of all tiles to their homes
        Manhattan = "manhattan",
        /// Manhattan, and two for neighbours that stand in each other's places
        Reversal = "reversal",
        /// Squares of the steps less 15%, and the reversals; may overestimate
        SquaredDiscounted = "squared-discounted",
        /// Squares of the steps, and the reversals; may overestimate
        Squared = "squared",
        /// Manhattan, and two for every tile that has to leave its line
        LinearConflict = "linear-conflict",
        /// Moves that rows and columns need, each by themselves
        WalkingDistance = "walking-distance",
        /// Moves of some tiles at a time, looked up
        PatternDatabase = "pattern-database",
    }
}

choices! {
    /// Which of the nodes with equal f A* expands first.
    TieBreak {
        /// The one farthest from the start
        HighG = "high-g",
        /// The one nearest to the start
        LowG = "low-g",
        /// The oldest
        Fifo = "fifo",
    }
}

/// A board file that was read and found good, under the name of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFile {
    /// The game's name.
    pub game: &'static str,
    /// What the file says.
    pub text: Arc<str>,
}

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `Algorithm`.
    pub algorithm: Algorithm,
    /// `ClosedList`: whether A* keeps a closed set.
    pub closed_list: bool,
    /// `Contempt`: what a draw by repetition costs the side that `auto` plays, in hundredths of a point.
    pub contempt: u32,
    /// `EvalFile`: a network for 2048 or a hunt game; the one inside the program when empty.
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
    /// `UCI_Variant`: a name of the catalog, or of a game among `boards`.
    pub variant: &'static str,
    /// `VariantPath`: a board file or a folder of them; none when empty.
    pub variant_path: String,
    /// What was found there.
    pub boards: Vec<BoardFile>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Auto,
            closed_list: true,
            contempt: 20,
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
            variant_path: String::new(),
            boards: Vec::new(),
        }
    }
}

impl Settings {
    /// The board file of the variant, where it comes from one.
    pub fn board_file(&self) -> Option<&BoardFile> {
        self.boards.iter().find(|board| board.game == self.variant)
    }
}
