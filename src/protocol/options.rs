//! The options of the protocol: one list, used by `uci` and `setoption`.

use std::path::Path;

use crate::catalog;
use crate::error::{EngineError, suggestion};
use crate::escape::path_name;
use crate::settings::{
    Algorithm, HASH, HeuristicName, MoveOrder, NamedEnum, Settings, TieBreak, name_of,
};

/// Type and values of an option, as `uci` prints them.
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
        names: fn(&Settings) -> Vec<String>,
        get: fn(&Settings) -> String,
        set: fn(&mut Settings, &str) -> bool,
    },
    /// The path of a file or folder, which `check` validates before it is set.
    Path {
        get: fn(&Settings) -> &str,
        set: fn(&mut Settings, &str),
        check: fn(&Path) -> Result<(), EngineError>,
    },
    /// The path of board files, which are read.
    Boards,
    /// The text of a board file, as a JSON string.
    BoardText,
}

struct Spec {
    name: &'static str,
    kind: Kind,
}

/// The action that an accepted `setoption` requires besides the new value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// `Clear Hash` was set.
    ClearHash,
}

/// Upper bounds of options, for sessions of untrusted clients such as web pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum `Hash`, in MiB.
    pub hash: u64,
    /// Maximum `MemoryLimit`, in MiB.
    pub memory_limit: u64,
    /// Maximum `Threads`.
    pub threads: u64,
    /// `true` if options that name files and folders may be set.
    pub paths: bool,
}

impl Bounds {
    /// No bounds besides the ranges of the options.
    pub const NONE: Self = Self {
        hash: u64::MAX,
        memory_limit: u64::MAX,
        threads: u64::MAX,
        paths: true,
    };

    fn most(&self, option: &str) -> u64 {
        match option {
            "Hash" => self.hash,
            "MemoryLimit" => self.memory_limit,
            "Threads" => self.threads,
            _ => u64::MAX,
        }
    }

    fn allow(&self, spec: &Spec) -> bool {
        self.paths || !matches!(spec.kind, Kind::Path { .. } | Kind::Boards)
    }
}

fn names<T: NamedEnum>(_: &Settings) -> Vec<String> {
    T::ALL.iter().map(|(_, name)| (*name).to_string()).collect()
}

fn choose<T: NamedEnum>(field: &mut T, name: &str) -> bool {
    T::named(name).map(|choice| *field = choice).is_some()
}

/// All options, in the order in which `uci` lists them.
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
        name: "Contempt",
        kind: Kind::Spin {
            min: 0,
            max: 10_000,
            get: |s| s.contempt.into(),
            set: |s, n| s.contempt = n as u32,
        },
    },
    Spec {
        name: "EstimateFile",
        kind: Kind::Path {
            get: |s| &s.estimate_file,
            set: |s, path| s.estimate_file = path.to_string(),
            check: |_| Ok(()),
        },
    },
    Spec {
        name: "EvalFile",
        kind: Kind::Path {
            get: |s| &s.eval_file,
            set: |s, path| s.eval_file = path.to_string(),
            check: catalog::check_network,
        },
    },
    Spec {
        name: "Hash",
        kind: Kind::Spin {
            min: *HASH.start(),
            max: *HASH.end(),
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
        name: "Ordering",
        kind: Kind::Combo {
            names: names::<MoveOrder>,
            get: |s| name_of(&s.ordering),
            set: |s, name| choose(&mut s.ordering, name),
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
        name: "SolveLimit",
        kind: Kind::Spin {
            min: 0,
            max: u32::MAX as u64,
            get: |s| s.solve_limit,
            set: |s, n| s.solve_limit = n,
        },
    },
    Spec {
        name: "TablebasePath",
        kind: Kind::Path {
            get: |s| &s.tablebase_path,
            set: |s, path| s.tablebase_path = path.to_string(),
            check: |path| match path.read_dir() {
                Ok(_) => Ok(()),
                Err(error) => Err(EngineError::new(format!(
                    "TablebasePath: cannot read folder {}: {error}",
                    path_name(path)
                ))),
            },
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
            names: |s| {
                catalog::names_with(s)
                    .chain(catalog::aliases())
                    .map(String::from)
                    .collect()
            },
            get: |s| s.variant.to_string(),
            set: |s, name| {
                catalog::find_with(s, name)
                    .map(|name| s.variant = name)
                    .is_some()
            },
        },
    },
    Spec {
        name: "VariantPath",
        kind: Kind::Boards,
    },
    Spec {
        name: "VariantText",
        kind: Kind::BoardText,
    },
    Spec {
        name: "WeightsFile",
        kind: Kind::Path {
            get: |s| &s.weights_file,
            set: |s, path| s.weights_file = path.to_string(),
            check: |_| Ok(()),
        },
    },
];

/// An empty string option in the protocol.
const EMPTY: &str = "<empty>";

impl Settings {
    /// Returns `true` if there is an option of this name.
    pub fn knows(name: &str) -> bool {
        OPTIONS
            .iter()
            .any(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option. The case of `name` does not matter.
    ///
    /// # Errors
    /// If there is no such option or the value does not fit; nothing changes.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, EngineError> {
        self.set_within(&Bounds::NONE, name, value)
    }

    /// Sets an option within `bounds`.
    ///
    /// # Errors
    /// As [`Settings::set`], and if the value exceeds the bounds.
    pub(crate) fn set_within(
        &mut self,
        bounds: &Bounds,
        name: &str,
        value: Option<&str>,
    ) -> Result<Effect, EngineError> {
        let spec = OPTIONS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| {
                let known: Vec<&str> = OPTIONS.iter().map(|spec| spec.name).collect();
                EngineError::new(format!(
                    "expected an option's name, not '{name}'{}: one of {}",
                    suggestion(name, &known),
                    known.join(", ")
                ))
            })?;
        if !bounds.allow(spec) {
            return Err(EngineError::new(format!(
                "option {} cannot be changed in this session: set it when starting Puli",
                spec.name
            )));
        }
        let refuse = |expected: String| {
            let found = value.map_or(String::from("no value"), |value| format!("'{value}'"));
            Err(EngineError::new(format!(
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
                let max = &bounds.most(spec.name).min(*max);
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
                    let names = names(self);
                    let known: Vec<&str> = names.iter().map(String::as_str).collect();
                    let hint = suggestion(value.unwrap_or_default(), &known);
                    return refuse(format!("one of {}{hint}", known.join(", ")));
                }
            }
            Kind::Boards => self.read_boards(value.filter(|&path| path != EMPTY))?,
            Kind::BoardText => match value
                .filter(|&text| text != EMPTY)
                .map(serde_json::from_str)
            {
                None => self.take_board_text(None)?,
                Some(Ok(text)) => self.take_board_text(Some(text))?,
                Some(Err(_)) => return refuse("the text of a board file as a JSON string".into()),
            },
            Kind::Path { set, check, .. } => {
                let path = value.filter(|&path| path != EMPTY).unwrap_or_default();
                if !path.is_empty() {
                    check(Path::new(path))?;
                }
                set(self, path);
            }
        }
        Ok(Effect::None)
    }

    /// Sets an option written `NAME=VALUE`, or `NAME` if it takes no value.
    ///
    /// # Errors
    /// As [`Settings::set`]; the message quotes `option`.
    pub fn set_named(&mut self, option: &str) -> Result<(), EngineError> {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.trim())),
            None => (option, None),
        };
        let named = |why: EngineError| EngineError::new(format!("--option '{option}': {why}"));
        self.set(name.trim(), value).map(drop).map_err(named)
    }

    /// Returns the option lines of `uci` within `bounds`, with the current values as defaults.
    pub fn describe(&self, bounds: &Bounds) -> Vec<String> {
        let describe = |spec: &Spec| match &spec.kind {
            Kind::Button => "type button".to_string(),
            Kind::Check { get, .. } => format!("type check default {}", get(self)),
            Kind::Spin { min, max, get, .. } => {
                let max = bounds.most(spec.name).min(*max);
                let value = get(self).min(max);
                format!("type spin default {value} min {min} max {max}")
            }
            Kind::Combo { names, get, .. } => {
                let vars: String = names(self)
                    .iter()
                    .map(|name| format!(" var {name}"))
                    .collect();
                format!("type combo default {}{vars}", get(self))
            }
            Kind::Path { get, .. } => {
                let value = get(self);
                format!(
                    "type string default {}",
                    if value.is_empty() { EMPTY } else { value }
                )
            }
            Kind::Boards | Kind::BoardText => format!("type string default {EMPTY}"),
        };
        OPTIONS
            .iter()
            .filter(|spec| bounds.allow(spec))
            .map(|spec| format!("option name {} {}", spec.name, describe(spec)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_misspelt_name_suggests_the_nearest() {
        let mut settings = Settings::default();
        for spec in OPTIONS {
            let misspelt = format!("{}x", spec.name);
            let why = settings.set(&misspelt, None).unwrap_err().0;
            let hint = format!("(did you mean {}?)", spec.name);
            assert!(why.contains(&hint), "{why}");
            let Kind::Combo { names, .. } = &spec.kind else {
                continue;
            };
            for name in names(&settings) {
                let misspelt = format!("{name}x");
                let why = settings.set(spec.name, Some(&misspelt)).unwrap_err().0;
                let hint = format!("(did you mean {name}?)");
                assert!(why.contains(&hint), "{why}");
            }
        }
    }
}
