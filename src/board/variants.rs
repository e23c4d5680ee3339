//! All variants at their starts, as `state` tells them but for the moves: what a page needs to offer them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;

use super::page::answer;
use super::terms::Shared;
use crate::catalog;
use crate::protocol::state;
use crate::settings::Settings;

/// Answers with the object.
pub async fn serve(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let made = tokio::task::spawn_blocking(move || object(&shared).to_string()).await;
    let text = made.unwrap_or_else(|_| r#"{"variants":[]}"#.into());
    answer(&headers, "application/json", text.into_bytes())
}

/// The object as text, made once.
pub fn object(shared: &Shared) -> &str {
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
        json!({ "version": env!("CARGO_PKG_VERSION"), "variants": states }).to_string()
    })
}
