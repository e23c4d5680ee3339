//! The response to `/variants.json`, the page's list of games.
//!
//! The object of a variant is the answer to the command `state` at the start, with an empty list of moves, and with
//! these additional keys:
//!
//! - `origin` and `year`: the country or region and the oldest description of the game, or null
//! - `positions`: an upper bound on the number of positions, or null

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value as Json, json};

use super::config::Shared;
use super::content::Content;
use crate::catalog;
use crate::engine::Build;
use crate::protocol::state;
use crate::settings::Settings;

const MEDIA_TYPE: &str = "application/json";

/// Responds with the JSON object of all variants.
pub(super) async fn serve(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    if shared.variants.get().is_none() {
        let shared = Arc::clone(&shared);
        let build = move || {
            content(&shared);
        };
        drop(tokio::task::spawn_blocking(build).await);
    }
    match shared.variants.get() {
        Some(content) => content.response(&headers, MEDIA_TYPE),
        None => {
            Content::new(Bytes::from_static(br#"{"variants":[]}"#)).response(&headers, MEDIA_TYPE)
        }
    }
}

/// Returns the JSON object of all variants. Builds it at the first call.
pub(super) fn content(shared: &Shared) -> &Content {
    shared.variants.get_or_init(|| {
        let states: Vec<Json> = objects(&shared.config.settings, shared.config.build).collect();
        let object = json!({ "version": env!("CARGO_PKG_VERSION"), "variants": states });
        Content::new(object.to_string().into())
    })
}

/// Returns the JSON objects of all variants. Logs a warning for each variant whose engine cannot be built.
pub(super) fn objects(settings: &Settings, build: Build) -> impl Iterator<Item = Json> {
    catalog::names_with(settings).filter_map(move |variant| {
        let settings = Settings {
            variant,
            // No search runs, so the minimum transposition table suffices.
            hash: 1,
            ..settings.clone()
        };
        match build(&settings) {
            Ok(engine) => {
                let mut object = state::object(variant, &engine.state());
                // A position can have thousands of moves. The page requests only the moves of the selected game.
                object["moves"] = json!([]);
                let spec = catalog::board_of(&settings).map(|board| &board.spec);
                object["origin"] = json!(
                    spec.map(|spec| &spec.origin)
                        .filter(|origin| !origin.is_empty())
                );
                object["year"] = json!(spec.and_then(|spec| spec.year));
                object["positions"] = json!(engine.positions_at_most().map(|count| count as f64));
                Some(object)
            }
            Err(error) => {
                log::warn!("{variant} cannot be offered: {error}");
                None
            }
        }
    })
}
