//! Tests that the OpenAPI description has the paths of the server, and that the answers have its schemas.

use std::collections::BTreeSet;

use puli::catalog;
use serde_json::Value;

use super::client::{Client, Response, encoded, path};
use super::{connected, schema};

/// Checks the status code and the body of a response to `path`, a path of the description.
fn check(description: &Value, template: &str, response: &Response) {
    let responses = &description["paths"][template]["get"]["responses"];
    let mut described = &responses[response.status.to_string()];
    if let Some(pointer) = described.get("$ref").and_then(Value::as_str) {
        described = description.pointer(&pointer[1..]).expect(pointer);
    }
    assert!(described.is_object(), "{template}: {response:?}");
    let content_type = response.header("content-type").expect("a type");
    let schema = &described["content"][content_type]["schema"];
    assert!(schema.is_object(), "{template}: {content_type}");
    if let Err(violation) = schema::check(description, schema, &response.json()) {
        panic!("{template}: {violation}");
    }
}

#[test]
fn answers_have_described_schemas() {
    let mut client = connected();
    let description = client.get("/v1/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    assert_eq!(description["info"]["version"], env!("CARGO_PKG_VERSION"));
    let mut seen = BTreeSet::new();
    let mut get = |client: &mut Client, template: &str, path: &str| {
        check(&description, template, &client.get_settled(path));
        seen.insert(template.to_string());
    };
    get(&mut client, "/v1/openapi.json", "/v1/openapi.json");
    get(&mut client, "/v1/games", "/v1/games");
    get(&mut client, "/gamesman/", "/gamesman/");
    for game in catalog::all() {
        get(
            &mut client,
            "/v1/games/{game}",
            &format!("/v1/games/{game}"),
        );
        let start = path(game, "start") + "?nodes=500";
        get(&mut client, "/v1/{game}/positions/{fen}", &start);
        for (template, path) in [
            ("/gamesman/{game}/", format!("/gamesman/{game}/")),
            (
                "/gamesman/{game}/{variant}/",
                format!("/gamesman/{game}/regular/"),
            ),
            (
                "/gamesman/{game}/{variant}/positions/",
                format!("/gamesman/{game}/regular/positions/?p=start"),
            ),
            (
                "/gamesman/{game}/{variant}/instructions/",
                format!("/gamesman/{game}/regular/instructions/?locale=en"),
            ),
        ] {
            get(&mut client, template, &path);
        }
    }
    for (game, fen) in [
        ("tic-tac-toe", "3 3 3 XXX/OO1/3 o 4"),
        ("tree", "[[3,17],[2,12]] max"),
        ("2048", "2,2/0,0 p 0"),
        ("8-puzzle", "1,0/3,2"),
        ("tic-tac-toe", "no position"),
    ] {
        let (v1, gamesman) = (path(game, fen), encoded(fen));
        get(&mut client, "/v1/{game}/positions/{fen}", &v1);
        let gamesman = format!("/gamesman/{game}/regular/positions/?p={gamesman}");
        get(
            &mut client,
            "/gamesman/{game}/{variant}/positions/",
            &gamesman,
        );
    }
    let described = description["paths"].as_object().expect("paths");
    let described: BTreeSet<String> = described.keys().cloned().collect();
    assert_eq!(seen, described);
}
