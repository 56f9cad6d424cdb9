//! The published schema says what the program writes, no more and no less.

use std::fs;
use std::path::PathBuf;

use crate::support::faults;
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
            if field.get("description").is_none() {
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
