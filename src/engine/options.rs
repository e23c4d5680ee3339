//! The options of the protocol: one list, read by `uci`, by `setoption` and by the engines.

use clap::ValueEnum;

use crate::error::Refusal;
use crate::games::catalog;

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
    reason = "the names of the literature; GAMES.md's four among them"
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
            variant: catalog::DEFAULT,
        }
    }
}

/// What values an option takes, as `uci` words it.
enum Kind {
    Button,
    Check {
        get: fn(&Settings) -> bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        min: u64,
        max: u64,
        get: fn(&Settings) -> u64,
        set: fn(&mut Settings, u64),
    },
    Combo {
        names: fn() -> Vec<String>,
        get: fn(&Settings) -> String,
        set: fn(&mut Settings, &str) -> bool,
    },
    Text {
        get: fn(&Settings) -> &str,
        set: fn(&mut Settings, &str),
    },
}

struct Spec {
    name: &'static str,
    kind: Kind,
}

/// What an accepted `setoption` asks for beyond its new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing more.
    None,
    /// `Clear Hash` was pressed.
    ClearHash,
}

fn names<T: ValueEnum>() -> Vec<String> {
    T::value_variants().iter().map(name_of).collect()
}

fn choose<T: ValueEnum>(field: &mut T, name: &str) -> bool {
    T::from_str(name, true).map(|value| *field = value).is_ok()
}

/// Every option, in the order in which `uci` lists them.
const OPTIONS: &[Spec] = &[
    Spec {
        name: "Algorithm",
        kind: Kind::Combo {
            names: names::<Algorithm>,
            get: |s| name_of(&s.algorithm),
            set: |s, name| choose(&mut s.algorithm, name),
        },
    },
    Spec {
        name: "Clear Hash",
        kind: Kind::Button,
    },
    Spec {
        name: "ClosedList",
        kind: Kind::Check {
            get: |s| s.closed_list,
            set: |s, on| s.closed_list = on,
        },
    },
    Spec {
        name: "EvalFile",
        kind: Kind::Text {
            get: |s| &s.eval_file,
            set: |s, path| s.eval_file = path.to_string(),
        },
    },
    Spec {
        name: "Hash",
        kind: Kind::Spin {
            min: 1,
            max: 1 << 24,
            get: |s| s.hash,
            set: |s, n| s.hash = n,
        },
    },
    Spec {
        name: "Heuristic",
        kind: Kind::Combo {
            names: names::<HeuristicName>,
            get: |s| name_of(&s.heuristic),
            set: |s, name| choose(&mut s.heuristic, name),
        },
    },
    Spec {
        name: "Memory",
        kind: Kind::Check {
            get: |s| s.memory,
            set: |s, on| s.memory = on,
        },
    },
    Spec {
        name: "MemoryLimit",
        kind: Kind::Spin {
            min: 1,
            max: 1 << 24,
            get: |s| s.memory_limit,
            set: |s, n| s.memory_limit = n,
        },
    },
    Spec {
        name: "Move Overhead",
        kind: Kind::Spin {
            min: 0,
            max: 60_000,
            get: |s| s.move_overhead,
            set: |s, n| s.move_overhead = n,
        },
    },
    Spec {
        name: "MultiPV",
        kind: Kind::Spin {
            min: 1,
            max: 500,
            get: |s| s.multi_pv.into(),
            set: |s, n| s.multi_pv = n as u32,
        },
    },
    Spec {
        name: "Ponder",
        kind: Kind::Check {
            get: |s| s.ponder,
            set: |s, on| s.ponder = on,
        },
    },
    Spec {
        name: "Seed",
        kind: Kind::Spin {
            min: 0,
            max: u64::MAX,
            get: |s| s.seed,
            set: |s, n| s.seed = n,
        },
    },
    Spec {
        name: "TablebasePath",
        kind: Kind::Text {
            get: |s| &s.tablebase_path,
            set: |s, path| s.tablebase_path = path.to_string(),
        },
    },
    Spec {
        name: "Threads",
        kind: Kind::Spin {
            min: 1,
            max: 256,
            get: |s| s.threads.into(),
            set: |s, n| s.threads = n as u32,
        },
    },
    Spec {
        name: "TieBreak",
        kind: Kind::Combo {
            names: names::<TieBreak>,
            get: |s| name_of(&s.tie_break),
            set: |s, name| choose(&mut s.tie_break, name),
        },
    },
    Spec {
        name: "UCI_Variant",
        kind: Kind::Combo {
            names: || catalog::names().map(String::from).collect(),
            get: |s| s.variant.to_string(),
            set: |s, name| catalog::find(name).map(|name| s.variant = name).is_some(),
        },
    },
];

/// What an empty string option looks like on the wire.
const EMPTY: &str = "<empty>";

impl Settings {
    /// Whether there is an option of this name.
    pub fn knows(name: &str) -> bool {
        OPTIONS
            .iter()
            .any(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Changes one option. The name's case does not matter; what does not fit changes nothing.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, Refusal> {
        let spec = OPTIONS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| {
                let known: Vec<&str> = OPTIONS.iter().map(|spec| spec.name).collect();
                Refusal::new(format!(
                    "expected an option's name, not '{name}': one of {}",
                    known.join(", ")
                ))
            })?;
        let refuse = |expected: String| {
            let found = value.map_or(String::from("no value"), |value| format!("'{value}'"));
            Err(Refusal::new(format!(
                "option {} takes {expected}, not {found}",
                spec.name
            )))
        };
        match &spec.kind {
            Kind::Button if value.is_none() => return Ok(Effect::ClearHash),
            Kind::Button => return refuse("no value".into()),
            Kind::Check { set, .. } => match value.map(str::to_ascii_lowercase).as_deref() {
                Some("true") => set(self, true),
                Some("false") => set(self, false),
                _ => return refuse("true or false".into()),
            },
            Kind::Spin { min, max, set, .. } => {
                match value
                    .and_then(|value| value.parse().ok())
                    .filter(|n| (min..=max).contains(&n))
                {
                    Some(n) => set(self, n),
                    None => return refuse(format!("a number from {min} to {max}")),
                }
            }
            Kind::Combo { names, set, .. } => {
                if !value.is_some_and(|value| set(self, value)) {
                    return refuse(format!("one of {}", names().join(", ")));
                }
            }
            Kind::Text { set, .. } => match value {
                Some(EMPTY) | None => set(self, ""),
                Some(text) => set(self, text),
            },
        }
        Ok(Effect::None)
    }

    /// The lines that `uci` lists, with these values as the defaults.
    pub fn describe(&self) -> Vec<String> {
        let describe = |spec: &Spec| match &spec.kind {
            Kind::Button => "type button".to_string(),
            Kind::Check { get, .. } => format!("type check default {}", get(self)),
            Kind::Spin { min, max, get, .. } => {
                format!("type spin default {} min {min} max {max}", get(self))
            }
            Kind::Combo { names, get, .. } => {
                let vars: String = names().iter().map(|name| format!(" var {name}")).collect();
                format!("type combo default {}{vars}", get(self))
            }
            Kind::Text { get, .. } => {
                let value = get(self);
                format!(
                    "type string default {}",
                    if value.is_empty() { EMPTY } else { value }
                )
            }
        };
        OPTIONS
            .iter()
            .map(|spec| format!("option name {} {}", spec.name, describe(spec)))
            .collect()
    }
}
