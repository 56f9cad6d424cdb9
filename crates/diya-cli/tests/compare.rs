//! `diya compare` and `diya gate` as a user and a CI job run them.

use crate::support::{corpus, diya};

const SLOW: &str = "ior_mpiio_indep_strided.darshan";
const FAST: &str = "ior_mpiio_coll_hints.darshan";

fn json(args: &[&str]) -> serde_json::Value {
    let (code, said, _) = diya(args);
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&said).expect("JSON")
}

#[test]
fn a_log_compared_with_itself_differs_in_nothing() {
    let log = corpus(SLOW);
    let comparison = json(&["compare", &log, &log, "--json"]);
    let run = &comparison["runs"][0];
    assert_eq!(run["outcome"], "same");
    assert_eq!(run["regressions"].as_array().map(Vec::len), Some(0));
    assert_eq!(run["other_work"].as_array().map(Vec::len), Some(0));
    for finding in run["findings"].as_array().expect("findings") {
        assert_eq!(finding["fate"], "same");
    }
    for change in run["metrics"].as_array().expect("metrics") {
        assert_eq!(change["before"], change["after"]);
    }
    for file in run["files"].as_array().expect("files") {
        assert_eq!(file["before"], file["after"]);
    }
}

#[test]
fn every_run_is_compared_with_the_first() {
    let (a, b) = (corpus(SLOW), corpus(FAST));
    let (code, said, _) = diya(&["compare", &a, &b, &a]);
    assert_eq!(code, 0);
    let starts = |name: &str| said.lines().filter(|line| line.starts_with(name)).count();
    assert_eq!((starts("  A  "), starts("  B  "), starts("  C  ")), (2, 1, 1), "{said}");
}

#[test]
fn repeats_measure_the_noise() {
    let log = corpus(SLOW);
    let comparison = json(&["compare", &log, &log, "--vs", &log, &log, "--json"]);
    assert_eq!(comparison["baseline"]["repeats"], 2);
    assert_eq!(comparison["runs"].as_array().map(Vec::len), Some(1));
    assert_eq!(comparison["runs"][0]["noise"]["is_measured"], true);
}

#[test]
fn a_run_as_fast_as_its_baseline_passes() {
    let log = corpus(SLOW);
    let (code, _, said) =
        diya(&["gate", "--baseline", &log, &log, "--fail-on", "regression,finding:0"]);
    assert_eq!((code, said.as_str()), (0, ""));
}

#[test]
fn a_finding_that_costs_anything_fails_alone() {
    let log = corpus(SLOW);
    let (code, _, said) = diya(&["gate", &log, "--fail-on", "finding:0"]);
    assert_eq!(code, 5, "{said}");
    assert!(said.starts_with("diya: failed: a finding: "), "{said}");
    // A week is more than any of them costs.
    assert_eq!(diya(&["gate", &log, "--fail-on", "finding:604800"]).0, 0);
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let log = corpus(SLOW);
    let (code, _, said) = diya(&["compare", &log]);
    assert_eq!(code, 2);
    assert!(said.starts_with("diya: a comparison needs two runs, as in "), "{said}");
    assert_eq!(diya(&["compare", &log, "/nowhere.darshan"]).0, 2);
    let (code, _, said) = diya(&["gate", &log, "--fail-on", "regression"]);
    assert_eq!(code, 2);
    assert!(said.contains("needs a --baseline"), "{said}");
    let (code, _, said) = diya(&["gate", &log, "--fail-on", "findings"]);
    assert_eq!(code, 2);
    assert!(said.contains("expected regression, finding, or finding:SECONDS"), "{said}");
}
