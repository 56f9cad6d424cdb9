//! Each metric is read: by a check, another metric, a view, the page, a setting or a
//! fleet; or its header says which question of a person it answers.

use diya_metrics::Catalog;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders whose files name the metrics that they read.
const READERS: &[&str] = &[
    "checks",
    "crates/diya/src",
    "crates/diya-checks/src",
    "crates/diya-cli/src",
    "crates/diya-compare/src",
    "crates/diya-export/src",
    "crates/diya-fleet/src",
    "crates/diya-mcp/src",
    "crates/diya-page/src",
    "crates/diya-plot/src",
    "crates/diya-replay/src",
    "crates/diya-report/src",
    "fleet/questions",
    "tuning",
    "web/src",
];

/// All words in the files below a folder.
fn words_below(folder: &Path, words: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("can be listed").path();
        if path.ends_with("checks/questions.toml") {
            continue; // says where an answer is, and reads nothing
        }
        if path.is_dir() {
            words_below(&path, words);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            words.extend(text.split(|c| !is_part(c)).map(str::to_owned));
        }
    }
}

#[test]
fn each_metric_is_read_or_says_which_question_it_answers() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut words = BTreeSet::new();
    READERS.iter().for_each(|folder| words_below(&root.join(folder), &mut words));
    let catalog = Catalog::built_in();
    let of_metrics: BTreeSet<&str> = catalog
        .metrics()
        .flat_map(|metric| metric.needs.iter().chain(&metric.also).map(String::as_str))
        .collect();
    for metric in catalog.metrics() {
        let name = metric.def.name;
        let is_read = words.contains(name) || of_metrics.contains(name);
        assert!(
            is_read || metric.question.is_some(),
            "{name}: nothing reads it; say in its header with `question:` what it answers, or delete it"
        );
        assert!(
            !is_read || metric.question.is_none(),
            "{name}: it is read, so its header needs no `question:`"
        );
    }
}
