//! The published schema says what the program writes, no more and no less.

use std::fs;
use std::path::PathBuf;

use diya_report::comparison::Comparison;
use diya_report::{Report, write_comparison_json, write_json};
use serde_json::Value as Json;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn published(name: &str) -> Json {
    let text = fs::read_to_string(root().join("schema").join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn schema() -> Json {
    published("report.schema.json")
}

fn written(report: &Report) -> Json {
    let mut json = Vec::new();
    write_json(&mut json, report).unwrap();
    serde_json::from_slice(&json).unwrap()
}

fn sample(name: &str) -> Report {
    let path = root().join("crates/diya-report/tests/samples").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// What is wrong with a value; fields that the schema does not name are wrong
/// here, although readers have to accept them.
fn faults(schema: &Json, root: &Json, value: &Json, at: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").unwrap();
        return faults(&root["$defs"][name], root, value, at);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = choices.iter().any(|choice| faults(choice, root, value, at).is_empty());
        return if fits { vec![] } else { vec![format!("{at}: none of the choices")] };
    }
    let mut found = Vec::new();
    if schema.get("const").is_some_and(|only| only != value) {
        found.push(format!("{at}: not {}", schema["const"]));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        found.push(format!("{at}: {value} is none of {}", schema["enum"]));
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_i64() || number.is_u64() => "integer",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let is = |allowed: &Json| allowed == kind || (allowed == "number" && kind == "integer");
    match &schema["type"] {
        Json::Null => {}
        Json::Array(allowed) if allowed.iter().any(is) => {}
        allowed if is(allowed) => {}
        allowed => found.push(format!("{at}: {kind}, not {allowed}")),
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
        && number < least
    {
        found.push(format!("{at}: {number} is below {least}"));
    }
    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(&schema["items"], root, item, &format!("{at}[{place}]")));
    }
    let Some(fields) = value.as_object() else { return found };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !fields.contains_key(name.as_str().unwrap()) {
            found.push(format!("{at}: {name} is missing"));
        }
    }
    for (name, field) in fields {
        let at = format!("{at}.{name}");
        match (schema["properties"].get(name), schema.get("additionalProperties")) {
            (Some(schema), _) | (None, Some(schema)) => {
                found.extend(faults(schema, root, field, &at));
            }
            (None, None) => found.push(format!("{at}: not in the schema")),
        }
    }
    found
}

#[test]
fn what_is_written_is_what_the_schema_says() {
    let schema = schema();
    let reports =
        [Report::default(), sample("slow.json"), sample("fine.json"), sample("hostile.json")];
    for report in reports {
        let found = faults(&schema, &schema, &written(&report), "report");
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[test]
fn a_comparison_is_what_its_schema_says() {
    let path = root().join("crates/diya-report/tests/samples/comparison.json");
    let comparison: Comparison = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut json = Vec::new();
    write_comparison_json(&mut json, &comparison).unwrap();
    let json: Json = serde_json::from_slice(&json).unwrap();
    let schema = published("comparison.schema.json");
    let found = faults(&schema, &schema, &json, "comparison");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn another_layout_is_refused() {
    let schema = schema();
    let mut json = written(&sample("slow.json"));
    json["schema_version"] = 2.into();
    json["findings"][0]["severity"] = "fatal".into();
    json["verdict"]["io_s"] = "12".into();
    json["extra"] = 1.into();
    let found = faults(&schema, &schema, &json, "report");
    assert_eq!(found.len(), 4, "{found:#?}");
}

#[test]
fn every_part_says_what_it_is() {
    fn undescribed(schema: &Json, at: &str, found: &mut Vec<String>) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let at = format!("{at}.{name}");
            if field.get("description").is_none() && field.get("$ref").is_none() {
                found.push(at.clone());
            }
            undescribed(field, &at, found);
        }
    }
    let mut found = Vec::new();
    for schema in [schema(), published("comparison.schema.json")] {
        undescribed(&schema, "top", &mut found);
        for (name, part) in schema["$defs"].as_object().unwrap() {
            undescribed(part, name, &mut found);
        }
    }
    assert!(found.is_empty(), "{found:?}");
}
