//! The start positions of all variants in the form of `state`, without moves, for the page's list of games.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;

use super::config::Shared;
use super::content::Content;
use crate::catalog;
use crate::protocol::state;
use crate::settings::Settings;

/// Media type.
const KIND: &str = "application/json";

/// Responds with the JSON object.
pub(super) async fn serve(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    if shared.variants.get().is_none() {
        let shared = Arc::clone(&shared);
        let make = move || {
            content(&shared);
        };
        drop(tokio::task::spawn_blocking(make).await);
    }
    match shared.variants.get() {
        Some(content) => content.answer(&headers, KIND),
        None => Content::new(Bytes::from_static(br#"{"variants":[]}"#)).answer(&headers, KIND),
    }
}

/// Returns the object, building it on first use.
pub(super) fn content(shared: &Shared) -> &Content {
    shared.variants.get_or_init(|| {
        let states = catalog::names_with(&shared.config.settings).filter_map(|variant| {
            let settings = Settings {
                variant,
                // No search runs, so the smallest table suffices.
                hash: 1,
                ..shared.config.settings.clone()
            };
            match (shared.config.build)(&settings) {
                Ok(engine) => {
                    let mut object = state::object(variant, &engine.state());
                    // Some positions have thousands of moves. The page requests those of the current game only.
                    object["moves"] = json!([]);
                    Some(object)
                }
                Err(refusal) => {
                    log::warn!("{variant} cannot be offered: {refusal}");
                    None
                }
            }
        });
        let states: Vec<_> = states.collect();
        let object = json!({ "version": env!("CARGO_PKG_VERSION"), "variants": states });
        Content::new(object.to_string().into())
    })
}
