//! All metrics over real logs.

use diya::input::{self, Input};
use diya::{OpenOptions, Trace};
use diya_metrics::{Catalog, Computed, compute};

fn computed(inputs: &[Input]) -> Computed {
    let trace = Trace::open(inputs, &OpenOptions::default()).expect("logs are read");
    let catalog = Catalog::built_in();
    let all: Vec<&str> = catalog.metrics().map(|metric| metric.def.name).collect();
    compute(catalog, trace.tables(), &all, 2).expect("the engine starts")
}

#[test]
fn no_log_of_the_corpus_breaks_a_metric() {
    let logs = input::logs(&diya_testkit::corpus_logs()).expect("the corpus is there");
    let computed = computed(&logs);
    assert!(computed.failed.is_empty(), "{:?}", computed.failed);
    let named = |name: &str| computed.tables.iter().find(|table| table.def().name == name);
    let rows = |name: &str| named(name).map_or(0, |table| table.rows());
    assert_eq!(rows("job_io"), logs.len());
    for name in ["file_op", "layer_load", "rank_io", "shared_file", "phase", "redundancy"] {
        assert!(rows(name) > 0, "{name} has rows");
    }
}

#[test]
fn a_damaged_log_breaks_no_metric() {
    let mut inputs = Vec::new();
    for (seed, path) in (0..).zip(diya_testkit::corpus_logs()) {
        let log = std::fs::read(&path).expect("the corpus is there");
        for damage in diya_testkit::damages(log.len(), 3, 6, 2, seed) {
            inputs.push(Input::from_bytes("damaged", damage.apply(&log)));
        }
    }
    let computed = computed(&inputs);
    assert!(computed.failed.is_empty(), "{:?}", computed.failed);
}
