//! The lists of games.

use serde_json::{Map, Value as Json, json};

use super::cache::Body;
use crate::engine::Build;
use crate::settings::Settings;
use crate::web::variants;

/// The keys of `state` that describe the game instead of a position, with their names in the answer.
const KEYS: [(&str, &str); 13] = [
    ("variant", "game"),
    ("title", "title"),
    ("group", "group"),
    ("fen", "start"),
    ("turn", "turn"),
    ("players", "players"),
    ("positions", "positions"),
    ("rules", "rules"),
    ("sources", "sources"),
    ("differences", "differences"),
    ("origin", "origin"),
    ("year", "year"),
    ("board", "board"),
];

/// Number of keys of a game in the list of all games, the first ones of [`KEYS`].
const LISTED_KEYS: usize = 7;

/// A game: its start position and its rules.
pub(super) struct Game {
    pub name: &'static str,
    /// The keys of [`KEYS`].
    pub facts: Map<String, Json>,
    /// The response to the request for this game.
    pub body: Body,
}

impl Game {
    /// Returns a fact that is a text, or an empty text.
    pub(super) fn text(&self, key: &str) -> &str {
        self.facts.get(key).and_then(Json::as_str).unwrap_or("")
    }

    /// Returns a fact that is a list of texts.
    pub(super) fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        let list = self.facts.get(key).and_then(Json::as_array);
        list.into_iter().flatten().filter_map(Json::as_str)
    }
}

/// All games.
pub(super) struct Games {
    pub list: Vec<Game>,
    /// The response to the request for the list.
    pub body: Body,
}

impl Games {
    /// Builds every game once.
    pub(super) fn new(settings: &Settings, build: Build) -> Self {
        let games = variants::objects(settings, build).filter_map(|mut state| {
            let name = crate::catalog::find_with(settings, state["variant"].as_str()?)?;
            let facts: Map<String, Json> = KEYS
                .iter()
                .map(|(key, name)| ((*name).into(), state[*key].take()))
                .collect();
            let body = Body::new(&Json::Object(facts.clone()));
            Some(Game { name, facts, body })
        });
        let list: Vec<Game> = games.collect();
        let listed = |game: &Game| -> Json {
            let facts = game.facts.iter().take(LISTED_KEYS);
            Json::Object(
                facts
                    .map(|(key, fact)| (key.clone(), fact.clone()))
                    .collect(),
            )
        };
        let listed: Vec<Json> = list.iter().map(listed).collect();
        let version = env!("CARGO_PKG_VERSION");
        let body = Body::new(&json!({ "version": version, "games": listed }));
        Self { list, body }
    }

    /// Returns the game with this name.
    pub(super) fn find(&self, name: &str) -> Option<&Game> {
        self.list.iter().find(|game| game.name == name)
    }
}
