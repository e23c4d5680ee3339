//! The handlers of requests, one for each path.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde_json::Value as Json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::analysis::{self, DEFAULT_NODES, MAX_NODES, StopOnDrop};
use super::cache::{Body, json_response};
use super::games::Game;
use super::position::{Position, SOLVE_WAIT};
use super::problem::{Problem, place};
use super::{Api, gamesman};
use crate::control::Signals;
use crate::engine::{LocatedText, Setup};
use crate::scene::Group;
use crate::settings::Settings;
use crate::value::Side;

/// Maximum time that a request waits until a thread or the engine of its game is free.
const MAX_QUEUE_TIME: Duration = Duration::from_secs(3);

type Result<T> = std::result::Result<T, Problem>;

/// The parameters of a path, decoded. Fails if they are not UTF-8.
type Parameters<T> = std::result::Result<Path<T>, PathRejection>;

/// Returns the parameters of a path.
fn decoded<T>(parameters: Parameters<T>) -> Result<T> {
    match parameters {
        Ok(Path(parameters)) => Ok(parameters),
        Err(rejection) => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            place::PATH,
            rejection.body_text(),
        )),
    }
}

/// Returns the values of the query parameters `names`, in this order.
fn query<const N: usize>(
    query: Option<&str>,
    names: [&'static str; N],
) -> Result<[Option<String>; N]> {
    let mut values = [const { None }; N];
    for (name, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        let wrong = |detail: String| Problem::new(StatusCode::BAD_REQUEST, place::QUERY, detail);
        let Some(index) = names.iter().position(|known| *known == name) else {
            let known = if N == 0 {
                "this path has none".into()
            } else {
                format!("only '{}'", names.join("', '"))
            };
            return Err(wrong(format!("there is no parameter '{name}', {known}")));
        };
        if values[index].replace(value.into_owned()).is_some() {
            return Err(wrong(format!("parameter '{name}' is given twice")));
        }
    }
    Ok(values)
}

/// Runs `work` with the lists of games.
async fn with_games<T: Send + 'static>(
    api: &Arc<Api>,
    work: impl FnOnce(&super::Games) -> T + Send + 'static,
) -> Result<T> {
    if let Some(games) = api.games.get() {
        return Ok(work(games));
    }
    let api = Arc::clone(api);
    let done = spawn_blocking(move || work(api.games())).await;
    done.map_err(|_| Problem::failure())
}

/// Runs `work` with a game.
async fn with_game<T: Send + 'static>(
    api: &Arc<Api>,
    name: String,
    work: impl FnOnce(&Game) -> T + Send + 'static,
) -> Result<T> {
    with_games(api, move |games| {
        if let Some(game) = games.find(&name) {
            return Ok(work(game));
        }
        let known = games.list.iter().map(|game| game.name);
        let error = crate::error::EngineError::unknown("game", &name, known);
        let not_found = StatusCode::NOT_FOUND;
        Err(Problem::new(not_found, place::GAME, error.to_string()))
    })
    .await?
}

/// Responds with the description of this interface.
pub(super) async fn openapi(RawQuery(text): RawQuery, headers: HeaderMap) -> Result<Response> {
    static BODY: LazyLock<Body> = LazyLock::new(|| {
        let text = include_str!("openapi.json");
        let mut description: Json = serde_json::from_str(text).unwrap_or_default();
        description["info"]["version"] = env!("CARGO_PKG_VERSION").into();
        Body::new(&description)
    });
    let [] = query(text.as_deref(), [])?;
    Ok(BODY.response(&headers))
}

/// Responds with the list of games.
pub(super) async fn games(
    State(api): State<Arc<Api>>,
    RawQuery(text): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let [] = query(text.as_deref(), [])?;
    with_games(&api, move |games| games.body.response(&headers)).await
}

/// Responds with the rules of a game.
pub(super) async fn game(
    State(api): State<Arc<Api>>,
    parameters: Parameters<String>,
    RawQuery(text): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let name = decoded(parameters)?;
    let [] = query(text.as_deref(), [])?;
    with_game(&api, name, move |game| game.body.response(&headers)).await
}

/// Responds with the exact value of a position, or with an analysis.
pub(super) async fn position(
    State(api): State<Arc<Api>>,
    parameters: Parameters<(String, String)>,
    RawQuery(text): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let (game, fen) = decoded(parameters)?;
    let [nodes] = query(text.as_deref(), ["nodes"])?;
    let nodes = match nodes {
        None => DEFAULT_NODES,
        Some(text) => {
            let nodes = text.parse().ok();
            let nodes = nodes.filter(|nodes| (1..=MAX_NODES).contains(nodes));
            let detail = || format!("expected a number from 1 to {MAX_NODES}, not '{text}'");
            nodes.ok_or_else(|| Problem::new(StatusCode::BAD_REQUEST, place::NODES, detail()))?
        }
    };
    let game = with_game(&api, game, |game| game.name).await?;
    let key = format!("v1 {game} {fen}");
    if let Some(body) = api.cache.get(&key) {
        return Ok(body.response(&headers));
    }
    let setup = setup(fen);
    let (position, is_pending) = read(&api, game, setup.clone(), place::FEN).await?;
    if position.is_complete() {
        return Ok(cached(&api, &key, &position.json(false, None), &headers));
    }
    let analysis = if position.value.is_some() {
        None
    } else {
        Some(analyze(&api, &position, setup, nodes).await?)
    };
    Ok(temporary(
        &position.json(is_pending, analysis.as_ref()),
        is_pending,
    ))
}

/// Returns the setup of a position: `start`, or a FEN.
fn setup(fen: String) -> Setup {
    match fen.as_str() {
        "start" => Setup::Start,
        _ => Setup::Fen(LocatedText {
            offset: 0,
            text: fen,
        }),
    }
}

/// Caches the body of exact values and returns the response.
fn cached(api: &Api, key: &str, json: &Json, headers: &HeaderMap) -> Response {
    let body = Arc::new(Body::new(json));
    api.cache.insert(key, Arc::clone(&body));
    body.response(headers)
}

/// Returns a response without exact values. If they are being computed, the client may ask again after a second.
fn temporary(json: &Json, is_pending: bool) -> Response {
    if !is_pending {
        return json_response(StatusCode::OK, json.to_string());
    }
    let mut response = json_response(StatusCode::ACCEPTED, json.to_string());
    let headers = response.headers_mut();
    headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// Waits for a permit.
async fn permit(permits: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit> {
    let permit = timeout(MAX_QUEUE_TIME, Arc::clone(permits).acquire_owned()).await;
    permit
        .ok()
        .and_then(std::result::Result::ok)
        .ok_or_else(Problem::busy)
}

/// Reads a position with its exact values. Starts to solve its game if that is feasible. Returns `true` with it if exact
/// values may be known later. `place` is the parameter that holds the position.
async fn read(
    api: &Arc<Api>,
    game: &'static str,
    setup: Setup,
    place: &'static str,
) -> Result<(Position, bool)> {
    let slot = api.pool.slot(game);
    let engine = timeout(MAX_QUEUE_TIME, Arc::clone(&slot.engine).lock_owned()).await;
    let mut engine_guard = engine.map_err(|_| Problem::busy())?;
    let permit = permit(&api.readers).await?;
    let api = Arc::clone(api);
    let work = move || {
        let mut engine = match engine_guard.take() {
            Some(engine) => engine,
            None => (api.config.build)(&Settings {
                variant: game,
                // This engine does not search.
                hash: 1,
                ..api.config.settings.clone()
            })
            .map_err(|error| Problem::of_engine(&error, place::GAME))?,
        };
        let mut is_refused = false;
        let position = Position::read(game, engine.as_mut(), &setup, |engine| {
            if !engine.can_solve() {
                return false;
            }
            let was_solving = engine.is_solving();
            is_refused = !was_solving && !api.pool.reserve(&slot);
            if !is_refused {
                engine.solve_if_small(if was_solving {
                    Duration::ZERO
                } else {
                    SOLVE_WAIT
                });
            }
            !is_refused
        });
        slot.record(engine.as_ref());
        let is_pending = is_refused || engine.is_solving();
        // After a panic, the slot stays empty, and the next request builds an engine.
        *engine_guard = Some(engine);
        drop(permit);
        let position = position.map_err(|error| Problem::of_engine(&error, place))?;
        let is_pending = is_pending && !position.is_complete();
        Ok((position, is_pending))
    };
    spawn_blocking(work).await.map_err(|_| Problem::failure())?
}

/// Searches a position. The search stops if the client closes the connection.
async fn analyze(api: &Arc<Api>, position: &Position, setup: Setup, nodes: u64) -> Result<Json> {
    let permit = permit(&api.searchers).await?;
    let signals = Arc::<Signals>::default();
    let _stop = StopOnDrop(Arc::clone(&signals));
    let request = analysis::Request {
        settings: Settings {
            variant: position.game,
            ..api.config.settings.clone()
        },
        build: api.config.build,
        setup,
        // Expected points are those of the player, also when a tile comes next.
        view: match position.group {
            Group::Numbers => Side::P1,
            _ => position.side,
        },
        nodes,
        time: api.config.analysis_time,
        signals,
    };
    let work = move || {
        let found = request.run();
        drop(permit);
        found.map_err(|error| Problem::of_engine(&error, place::FEN))
    };
    spawn_blocking(work).await.map_err(|_| Problem::failure())?
}

/// Responds with a JSON value that depends on the lists of games only.
fn fact(json: &Json, headers: &HeaderMap) -> Response {
    Body::new(json).response(headers)
}

/// Runs `work` with a game that GamesmanUni can show. Checks the variant, if there is one in the path.
async fn with_gamesman_game<T: Send + 'static>(
    api: &Arc<Api>,
    game: String,
    variant: Option<String>,
    work: impl FnOnce(&Game) -> T + Send + 'static,
) -> Result<T> {
    let not_found = |place, detail: String| Problem::new(StatusCode::NOT_FOUND, place, detail);
    with_game(api, game, move |game| {
        if !gamesman::has(game) {
            let name = game.name;
            let detail =
                format!("'{name}' is a game of chance, which this interface does not have");
            return Err(not_found(place::GAME, detail));
        }
        match variant.filter(|variant| variant != gamesman::VARIANT) {
            None => Ok(work(game)),
            Some(variant) => {
                let only = gamesman::VARIANT;
                let detail = format!("there is no variant '{variant}', only '{only}'");
                Err(not_found(place::VARIANT, detail))
            }
        }
    })
    .await?
}

/// Responds with the list of games for GamesmanUni.
pub(super) async fn gamesman_games(
    State(api): State<Arc<Api>>,
    headers: HeaderMap,
) -> Result<Response> {
    with_games(&api, move |games| fact(&gamesman::list(games), &headers)).await
}

/// Responds with a game for GamesmanUni.
pub(super) async fn gamesman_game(
    State(api): State<Arc<Api>>,
    parameters: Parameters<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let game = decoded(parameters)?;
    let work = move |game: &Game| fact(&gamesman::game(game), &headers);
    with_gamesman_game(&api, game, None, work).await
}

/// Responds with the variant of a game for GamesmanUni.
pub(super) async fn gamesman_variant(
    State(api): State<Arc<Api>>,
    parameters: Parameters<(String, String)>,
    headers: HeaderMap,
) -> Result<Response> {
    let (game, variant) = decoded(parameters)?;
    let work = move |game: &Game| fact(&gamesman::variant(game), &headers);
    with_gamesman_game(&api, game, Some(variant), work).await
}

/// Responds with the rules of a game for GamesmanUni. They are in English, whatever the query asks for.
pub(super) async fn gamesman_instructions(
    State(api): State<Arc<Api>>,
    parameters: Parameters<(String, String)>,
    headers: HeaderMap,
) -> Result<Response> {
    let (game, variant) = decoded(parameters)?;
    let work = move |game: &Game| fact(&gamesman::instructions(game), &headers);
    with_gamesman_game(&api, game, Some(variant), work).await
}

/// Responds with the exact values of a position for GamesmanUni.
pub(super) async fn gamesman_position(
    State(api): State<Arc<Api>>,
    parameters: Parameters<(String, String)>,
    RawQuery(text): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let (game, variant) = decoded(parameters)?;
    let [fen] = query(text.as_deref(), ["p"])?;
    let missing = || Problem::new(StatusCode::BAD_REQUEST, place::P, "expected a position");
    let fen = fen.filter(|fen| !fen.is_empty()).ok_or_else(missing)?;
    let game = with_gamesman_game(&api, game, Some(variant), |game| game.name).await?;
    let key = format!("gamesman {game} {fen}");
    if let Some(body) = api.cache.get(&key) {
        return Ok(body.response(&headers));
    }
    let (position, is_pending) = read(&api, game, setup(fen), place::P).await?;
    let json = gamesman::position(&position);
    if position.is_complete() {
        return Ok(cached(&api, &key, &json, &headers));
    }
    Ok(temporary(&json, is_pending))
}

/// Responds to a path that does not exist.
pub(super) async fn not_found() -> Problem {
    let detail = "there is no such path: /v1/openapi.json lists all of them";
    Problem::new(StatusCode::NOT_FOUND, place::PATH, detail)
}
