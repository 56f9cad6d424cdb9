//! The test logs that checks name in their headers exist (tests/diagnosis/confusion.py makes them).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Functions of tests/diagnosis/scenarios_*.py: each makes one log.
fn scenarios() -> BTreeSet<String> {
    let files = fs::read_dir(root().join("tests/diagnosis")).expect("the folder of scenarios");
    let files = files.map(|entry| entry.expect("an entry").path());
    let texts = files
        .filter(|path| {
            path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("scenarios_"))
        })
        .map(|path| fs::read_to_string(path).expect("a scenario"));
    let name = |line: &str| Some(line.strip_prefix("def ")?.split_once('(')?.0.to_owned());
    texts.flat_map(|text| text.lines().filter_map(name).collect::<Vec<_>>()).collect()
}

/// `NAME.VARIANT` of each program of workloads/.
fn workloads() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("workloads/manifest.toml")).expect("the workloads");
    let table: toml::Table = text.parse().expect("valid TOML");
    let strings = |value: &toml::Value| {
        let list = value.as_array().expect("a list").iter();
        list.map(|item| item.as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let programs = table["workload"].as_array().expect("a list of programs");
    let logs = programs.iter().flat_map(|program| {
        let name = program["name"].as_str().expect("a name").to_owned();
        strings(&program["variants"]).into_iter().map(move |variant| format!("{name}.{variant}"))
    });
    logs.collect()
}

#[test]
fn each_log_that_a_check_names_can_be_made() {
    let (scenarios, workloads) = (scenarios(), workloads());
    for check in diya_checks::builtin().expect("the built-in checks are valid") {
        let logs: Vec<&String> = check.planted.iter().chain(&check.look_alikes).collect();
        for log in &logs {
            let (kind, name) = log.split_once(':').unwrap_or_default();
            let is_known = match kind {
                "scenario" => scenarios.contains(name),
                "workload" => workloads.contains(name),
                "corpus" | "cut" => root().join("corpus/logs").join(name).is_file(),
                "shared" => true, // not in the repository
                _ => false,
            };
            assert!(is_known, "{}: {log} is no log", check.id);
        }
        let different: BTreeSet<&&String> = logs.iter().collect();
        assert_eq!(different.len(), logs.len(), "{}: names a log twice", check.id);
    }
}
