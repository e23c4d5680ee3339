//! Checks JSON values against the schemas of the description, as far as it uses JSON Schema.

use serde_json::Value;

/// Checks `value` against `schema`. `root` is the description, to which references point. Returns the first violation
/// with its place in the value.
///
/// # Errors
/// If the value violates the schema, or if the schema has a keyword that this function does not know.
pub fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    check_at(root, schema, value, "$")
}

fn check_at(root: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    let violation = |what: String| Err(format!("{place}: {what}, not {value}"));
    for (keyword, rule) in schema.as_object().expect("a schema") {
        let list = || rule.as_array().expect("a list").iter();
        match keyword.as_str() {
            "$ref" => {
                let pointer = rule.as_str().expect("a reference");
                let pointer = pointer.strip_prefix('#').expect("a local reference");
                let target = root.pointer(pointer).expect(pointer);
                check_at(root, target, value, place)?;
            }
            "type" => {
                let names = match rule {
                    Value::String(name) => vec![name.as_str()],
                    _ => list().map(|name| name.as_str().expect("a name")).collect(),
                };
                if !names.iter().any(|name| is_of_type(value, name)) {
                    return violation(format!("expected {names:?}"));
                }
            }
            "enum" => {
                if !list().any(|allowed| allowed == value) {
                    return violation(format!("expected one of {rule}"));
                }
            }
            "const" if rule != value => return violation(format!("expected {rule}")),
            "minimum" => {
                if value.as_f64() < rule.as_f64() && value.is_number() {
                    return violation(format!("expected at least {rule}"));
                }
            }
            "maximum" => {
                if value.as_f64() > rule.as_f64() && value.is_number() {
                    return violation(format!("expected at most {rule}"));
                }
            }
            "anyOf" => {
                if !list().any(|schema| check_at(root, schema, value, place).is_ok()) {
                    return violation(format!("expected any of {rule}"));
                }
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check_at(root, rule, item, &format!("{place}[{index}]"))?;
                }
            }
            "properties" => {
                for (name, schema) in rule.as_object().expect("properties") {
                    if let Some(property) = value.get(name) {
                        check_at(root, schema, property, &format!("{place}.{name}"))?;
                    }
                }
            }
            "required" => {
                let mut names = list().map(|name| name.as_str().expect("a name"));
                if let Some(missing) =
                    names.find(|name| value.is_object() && value.get(name).is_none())
                {
                    return violation(format!("expected '{missing}'"));
                }
            }
            "additionalProperties" => {
                assert_eq!(rule, &Value::Bool(false));
                let known = schema["properties"].as_object().expect("properties");
                let mut names = value
                    .as_object()
                    .into_iter()
                    .flat_map(|object| object.keys());
                if let Some(name) = names.find(|name| !known.contains_key(*name)) {
                    return violation(format!("unexpected '{name}'"));
                }
            }
            "const" | "description" | "default" => {}
            unknown => return Err(format!("unknown keyword {unknown}")),
        }
    }
    Ok(())
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("unknown type {name}"),
    }
}

#[test]
fn schema_check_finds_violations() {
    use serde_json::json;
    let root = json!({ "word": { "enum": ["a", null] } });
    let schema = json!({
        "type": "object",
        "properties": {
            "word": { "$ref": "#/word" },
            "list": { "type": "array", "items": { "type": ["integer", "null"], "minimum": 0, "maximum": 9 } },
            "one": { "anyOf": [{ "const": 1 }, { "type": "string" }] },
        },
        "required": ["word"],
        "additionalProperties": false,
    });
    let result = |value| check(&root, &schema, &value).err();
    for valid in [
        json!({ "word": "a" }),
        json!({ "word": null, "list": [0, 9, null], "one": 1 }),
        json!({ "word": "a", "one": "x" }),
    ] {
        assert_eq!(result(valid), None);
    }
    for (invalid, place) in [
        (json!([]), "$: expected [\"object\"]"),
        (json!({ "word": "b" }), "$.word: expected one of"),
        (json!({ "list": [] }), "$: expected 'word'"),
        (
            json!({ "word": "a", "list": [1.5] }),
            "$.list[0]: expected [\"integer\"",
        ),
        (
            json!({ "word": "a", "list": [3, -1] }),
            "$.list[1]: expected at least 0",
        ),
        (
            json!({ "word": "a", "list": [10] }),
            "$.list[0]: expected at most 9",
        ),
        (json!({ "word": "a", "one": 2 }), "$.one: expected any of"),
        (json!({ "word": "a", "more": 2 }), "$: unexpected 'more'"),
    ] {
        let violation = result(invalid.clone()).unwrap_or_default();
        assert!(violation.starts_with(place), "{invalid}: {violation}");
    }
    assert!(check(&root, &json!({ "pattern": "x" }), &json!("x")).is_err());
}
