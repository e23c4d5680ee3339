//! All variants at their starts, as `state` tells them but for the moves: what a page needs to offer them.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;

use super::content::Content;
use super::terms::Shared;
use crate::catalog;
use crate::protocol::state;
use crate::settings::Settings;

/// The media type of the object.
const KIND: &str = "application/json";

/// Answers with the object.
pub async fn serve(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
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

/// Returns the object as text, made once.
pub fn content(shared: &Shared) -> &Content {
    shared.variants.get_or_init(|| {
        let states = catalog::names_with(&shared.terms.settings).filter_map(|variant| {
            let settings = Settings {
                variant,
                // No search will run, so that no table is needed.
                hash: 1,
                ..shared.terms.settings.clone()
            };
            match (shared.terms.build)(&settings) {
                Ok(engine) => {
                    let mut object = state::object(variant, &engine.state());
                    // Some starts have thousands of moves; of the game that is on the board the page asks for them.
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
