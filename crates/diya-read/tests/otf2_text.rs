//! Archives of OTF2, against what the reader of the Python package `otf2` finds in them.
//!
//! `corpus/otf2-reader/otf2_*.txt` has the sums of each thread; `scripts/otf2-samples.sh` writes
//! them with the archives.

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableId, Tables, counter_sample, file, job, region};
use diya_testkit::root;
use std::collections::BTreeMap;

/// Rank, thread and name, to how often it was called and for how many ticks.
type Functions = BTreeMap<(i32, u64, String), (u64, i64)>;

/// Rank, thread, layer, operation and path, to how often, bytes asked for and moved.
type Moved = BTreeMap<(i32, u64, String, String, String), (u64, i64, i64)>;

/// Name and unit of a metric, to how many values it has and their sum.
type Metrics = BTreeMap<(String, String), (u64, f64)>;

struct Sums {
    functions: Functions,
    moved: Moved,
    metrics: Metrics,
    run_ticks: i64,
}

fn ours(name: &str, resolution: f64) -> Sums {
    let bytes = std::fs::read(root().join("corpus/traces").join(name)).expect("an archive");
    let mut tables = Tables::new();
    let request = Request {
        source: &bytes,
        log: 0,
        log_name: name,
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).expect("an archive of OTF2");
    let ticks = |s: f64| (s * resolution).round() as i64;
    let (mut functions, mut moved) = (Functions::new(), Moved::new());
    let files = tables.table(TableId::File).expect("files");
    let path_of = |id: u64| {
        let row = (0..files.rows()).find(|row| files.u64(file::FILE_ID, *row) == Some(id));
        files.str(file::PATH, row.expect("a file")).unwrap_or_default().to_string()
    };
    for chunk in tables.calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            for call in (at..at + run.len).map(|place| chunk.call(place)) {
                let thread = call.thread.expect("a thread");
                let function = run.function.map_or("", |function| tables.calls.name(function));
                let key = (run.rank, thread, function.to_string());
                let sums = functions.entry(key).or_default();
                *sums = (sums.0 + 1, sums.1 + ticks(call.end_s) - ticks(call.start_s));
                if matches!(run.op.name(), "read" | "write") {
                    let (layer, op) = (run.layer.name().to_string(), run.op.name().to_string());
                    let key = (run.rank, thread, layer, op, path_of(run.file_id));
                    let sums = moved.entry(key).or_default();
                    let size = if run.has_size { call.size_bytes } else { 0 };
                    let asked = call.requested_bytes.unwrap_or(0);
                    *sums = (sums.0 + 1, sums.1 + asked, sums.2 + size);
                }
            }
            at += run.len;
        }
    }
    if let Some(regions) = tables.table(TableId::Region) {
        for row in 0..regions.rows() {
            let time = |column| ticks(regions.f64(column, row).expect("a time"));
            let key = (
                regions.i32(region::RANK, row).expect("a rank"),
                regions.u64(region::THREAD, row).expect("a thread"),
                regions.str(region::NAME, row).expect("a name").to_string(),
            );
            let sums = functions.entry(key).or_default();
            *sums = (sums.0 + 1, sums.1 + time(region::END_S) - time(region::START_S));
        }
    }
    let jobs = tables.table(TableId::Job).expect("a job");
    let run_ticks = ticks(jobs.f64(job::RUN_TIME_S, 0).expect("its time"));
    let mut metrics = Metrics::new();
    if let Some(samples) = tables.table(TableId::CounterSample) {
        for row in 0..samples.rows() {
            let text = |column| samples.str(column, row).expect("a text").to_string();
            let sums = metrics.entry((text(counter_sample::NAME), text(counter_sample::UNIT)));
            let sums = sums.or_default();
            let value = samples.f64(counter_sample::VALUE, row).expect("a value");
            *sums = (sums.0 + 1, sums.1 + value);
        }
    }
    Sums { functions, moved, metrics, run_ticks }
}

fn layer(paradigm: &str) -> String {
    match paradigm {
        "ISOC" => "stdio".into(),
        "MPI-IO" => "mpiio".into(),
        other => other.to_lowercase(),
    }
}

/// The sums of the reader's text, and ticks a second.
fn theirs(text: &str) -> (Sums, f64) {
    let (mut functions, mut moved) = (Functions::new(), Moved::new());
    let mut metrics = Metrics::new();
    let mut resolution = 0.0;
    let (mut first, mut last) = (i64::MAX, 0);
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<i64>().expect("a number");
        let place = || (number(1) as i32, number(2) as u64);
        match words[0] {
            "clock" => resolution = number(1) as f64,
            "events" => {
                first = first.min(number(4));
                last = last.max(number(5));
            }
            "region" => {
                let (rank, thread) = place();
                // The table has the name of the function without the width of its offsets.
                let name = words[5].strip_suffix("64").unwrap_or(words[5]);
                let sums = (number(3) as u64, number(4));
                functions.insert((rank, thread, name.to_string()), sums);
            }
            "metric" => {
                let sums = metrics.entry((words[5].to_string(), words[4].to_string()));
                let sums = sums.or_default();
                let more: f64 = words[3].parse().expect("a number");
                *sums = (sums.0 + number(2) as u64, sums.1 + more);
            }
            _ => {
                let (rank, thread) = place();
                let path = words[8..].join(" ");
                let key = (rank, thread, layer(words[6]), words[7].to_string(), path);
                moved.insert(key, (number(3) as u64, number(4), number(5)));
            }
        }
    }
    (Sums { functions, moved, metrics, run_ticks: last - first }, resolution)
}

fn compare(name: &str) -> (Sums, Sums) {
    let text = root().join("corpus/otf2-reader").join(format!("{name}.txt"));
    let text = std::fs::read_to_string(text).expect("what the package prints");
    let (theirs, resolution) = theirs(&text);
    (ours(&format!("{name}.tar"), resolution), theirs)
}

#[test]
fn functions_bytes_and_times_equal_those_of_the_package() {
    let (ours, theirs) = compare("otf2_mpi");
    assert_eq!(ours.functions, theirs.functions);
    assert_eq!(ours.moved, theirs.moved);
    assert_eq!(ours.run_ticks, theirs.run_ticks);
    assert!(theirs.functions.len() > 30 && theirs.moved.len() > 10);
}

#[test]
fn operations_without_functions_equal_those_of_the_package() {
    let (ours, theirs) = compare("otf2_bare");
    assert_eq!((ours.moved, ours.run_ticks), (theirs.moved, theirs.run_ticks));
}

#[test]
fn values_of_metrics_equal_those_of_the_package() {
    let (ours, theirs) = compare("otf2_counters");
    assert_eq!((ours.moved, ours.run_ticks), (theirs.moved, theirs.run_ticks));
    assert_eq!(ours.metrics.len(), 3);
    for (metric, (count, sum)) in &theirs.metrics {
        let (ours, our_sum) = ours.metrics[metric];
        assert_eq!(ours, *count, "{metric:?}");
        assert!((our_sum - sum).abs() <= 1e-8 * sum.abs(), "{metric:?}: {our_sum} and {sum}");
    }
}
