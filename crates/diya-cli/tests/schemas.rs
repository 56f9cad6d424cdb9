//! What is printed as JSON is what the published schemas say.

use crate::report_support::faults;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn printed(args: &[&str]) -> Json {
    let logs = root().join("corpus/logs");
    let output = Command::new(env!("CARGO_BIN_EXE_diya"))
        .current_dir(logs)
        .args(args)
        .output()
        .expect("diya runs");
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"))
}

fn published(name: &str) -> Json {
    let text = std::fs::read_to_string(root().join("schema").join(name)).expect("a schema");
    serde_json::from_str(&text).expect("JSON")
}

/// With and without calls, killed, without MPI, with HDF5 and with PnetCDF.
const LOGS: [&str; 6] = [
    "straggler10x.darshan",
    "nodxt_strided.darshan",
    "merged_kill.darshan",
    "nonmpi_python.darshan",
    "hdf5_coll_cols.darshan",
    "pnetcdf_indep_cols.darshan",
];

#[test]
fn reports_are_what_their_schema_says() {
    let schema = published("report.schema.json");
    let mut args = vec!["report", "--separate", "--json"];
    args.extend(LOGS);
    let reports = printed(&args);
    let reports = reports.as_array().expect("one report per log");
    assert_eq!(reports.len(), LOGS.len());
    for (log, report) in LOGS.iter().zip(reports) {
        let found = faults(&schema, &schema, report, log);
        assert!(found.is_empty(), "{found:#?}");
        assert!(report["metrics"].as_object().is_some_and(|all| all.len() > 20), "{log}");
    }
}

#[test]
fn one_report_is_an_object_and_not_an_array() {
    let schema = published("report.schema.json");
    let report = printed(&["report", LOGS[0], "--json", "--metrics", "none"]);
    assert_eq!(faults(&schema, &schema, &report, "report"), [""; 0]);
}

#[test]
fn comparisons_are_what_their_schema_says() {
    let schema = published("comparison.schema.json");
    let mut args = vec!["compare", "--json"];
    args.extend(LOGS);
    let found = faults(&schema, &schema, &printed(&args), "comparison");
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn settings_are_what_their_schema_says() {
    let schema = published("tune.schema.json");
    // With a setting, and without.
    for log in ["pnetcdf_indep_cols.darshan", "straggler10x.darshan"] {
        let found = faults(&schema, &schema, &printed(&["tune", log, "--json"]), log);
        assert!(found.is_empty(), "{found:#?}");
    }
}
