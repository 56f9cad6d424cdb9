//! Traces that diya writes for other tools hold the calls of the log.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{Float64Type, Int32Type, Int64Type, UInt64Type};
use diya::input::{Input, logs};
use diya::{OpenOptions, TableId, Trace};
use diya_export::{write_chrome, write_dftracer, write_otf2};
use diya_tables::{call, counter_sample, file};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

type Writer = fn(&mut dyn Write, &Trace) -> std::io::Result<()>;

/// Calls, bytes and failures of each rank, file and kind of call.
type Counts = BTreeMap<(i32, String, String), (u64, i64, u64)>;

fn of_corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(name)
}

fn counts(trace: &Trace) -> Counts {
    let whole = |id: TableId| {
        let columns: Vec<usize> = (0..id.def().columns.len()).collect();
        let source = trace.table(id);
        (0..source.batches()).map(move |batch| source.batch(batch, &columns)).collect::<Vec<_>>()
    };
    let mut paths = BTreeMap::new();
    for batch in whole(TableId::File) {
        let ids = batch.column(file::FILE_ID).as_primitive::<UInt64Type>();
        let names = batch.column(file::PATH).as_string_view();
        for row in 0..batch.num_rows() {
            paths.insert(ids.value(row), names.value(row).to_owned());
        }
    }
    let mut counts = Counts::new();
    for batch in whole(TableId::Call) {
        let ranks = batch.column(call::RANK).as_primitive::<Int32Type>();
        let files = batch.column(call::FILE_ID).as_primitive::<UInt64Type>();
        let ops = batch.column(call::OP).as_string_view();
        let sizes = batch.column(call::SIZE_BYTES).as_primitive::<Int64Type>();
        let errors = batch.column(call::ERROR).as_string_view();
        for row in 0..batch.num_rows() {
            let path = paths.get(&files.value(row)).cloned().unwrap_or_default();
            let key = (ranks.value(row), path, ops.value(row).to_owned());
            let sum = counts.entry(key).or_default();
            sum.0 += 1;
            sum.1 += if sizes.is_valid(row) { sizes.value(row) } else { 0 };
            sum.2 += u64::from(errors.is_valid(row));
        }
    }
    counts
}

fn opened(input: &Input) -> Trace {
    Trace::open(std::slice::from_ref(input), &OpenOptions::default()).expect("it can be read")
}

/// What was written, read again.
fn written(trace: &Trace, write: Writer, name: &str) -> Counts {
    let mut bytes = Vec::new();
    write(&mut bytes, trace).expect("a vector takes all bytes");
    counts(&opened(&Input::from_bytes(name, bytes)))
}

#[test]
fn calls_of_a_darshan_log_come_back_from_traces_of_chrome_and_dftracer() {
    let log = logs(&[of_corpus("logs/ior_posix_fpp_seq.darshan")]).expect("a log").remove(0);
    let trace = opened(&log);
    let of_log = counts(&trace);
    assert!(of_log.len() > 1 && of_log.values().all(|sum| sum.0 > 0), "{of_log:?}");
    assert_eq!(written(&trace, write_dftracer, "trace.pfw"), of_log);
    assert_eq!(written(&trace, write_chrome, "trace.json"), of_log);
}

#[test]
fn regions_of_an_archive_come_back_from_a_trace_of_chrome() {
    let log = logs(&[of_corpus("traces/otf2_mpi.tar")]).expect("a trace").remove(0);
    let trace = opened(&log);
    let mut bytes = Vec::new();
    write_chrome(&mut bytes, &trace).expect("a vector takes all bytes");
    let again = opened(&Input::from_bytes("trace.json", bytes));
    let regions = |trace: &Trace| trace.table(TableId::Region).rows();
    assert!(regions(&trace) > 0);
    assert_eq!(regions(&again), regions(&trace));
    assert_eq!(
        counts(&again).values().map(|sum| sum.0).sum::<u64>(),
        trace.table(TableId::Call).rows() as u64
    );
}

#[test]
fn counters_of_an_archive_come_back_from_archives_and_traces_of_chrome() {
    let log = logs(&[of_corpus("traces/otf2_counters.tar")]).expect("a trace").remove(0);
    let trace = opened(&log);
    // Name, unit and thread, and the sum of all values.
    let sums = |trace: &Trace| {
        let columns = [
            counter_sample::NAME,
            counter_sample::UNIT,
            counter_sample::THREAD,
            counter_sample::VALUE,
        ];
        let source = trace.table(TableId::CounterSample);
        let mut sums: BTreeMap<(String, String, Option<u64>), i64> = BTreeMap::new();
        for batch in (0..source.batches()).map(|at| source.batch(at, &columns)) {
            let text = |at: usize, row| batch.column(at).as_string_view().value(row).to_owned();
            let threads = batch.column(2).as_primitive::<UInt64Type>();
            let values = batch.column(3).as_primitive::<Float64Type>();
            for row in 0..batch.num_rows() {
                let thread = threads.is_valid(row).then(|| threads.value(row));
                *sums.entry((text(0, row), text(1, row), thread)).or_default() +=
                    (values.value(row) * 1e4).round() as i64;
            }
        }
        sums
    };
    let of_log = sums(&trace);
    assert_eq!(of_log.len(), 3, "{of_log:?}");
    let folder = std::env::temp_dir().join(format!("diya-otf2-counters-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let anchor = write_otf2(&folder, &trace).expect("the folder is empty");
    assert_eq!(sums(&opened(&logs(&[anchor]).expect("an archive").remove(0))), of_log);
    std::fs::remove_dir_all(&folder).expect("it is there");
    let mut bytes = Vec::new();
    write_chrome(&mut bytes, &trace).expect("a vector takes all bytes");
    let again = sums(&opened(&Input::from_bytes("trace.json", bytes)));
    // Units and threads have no column there; sums of counters are those of the log.
    let total = |sums: &BTreeMap<(String, String, Option<u64>), i64>, name: &str| -> i64 {
        sums.iter().filter(|(key, _)| key.0.starts_with(name)).map(|(_, sum)| sum).sum()
    };
    for (name, _, _) in of_log.keys() {
        assert_eq!(total(&again, name), total(&of_log, name), "{name}");
    }
}

#[test]
fn calls_of_strace_with_errors_and_metadata_come_back_from_a_trace_of_dftracer() {
    let log = logs(&[of_corpus("traces/small.strace")]).expect("a trace").remove(0);
    let trace = opened(&log);
    let of_log = counts(&trace);
    assert!(of_log.values().any(|sum| sum.2 > 0), "a call fails: {of_log:?}");
    assert_eq!(written(&trace, write_dftracer, "trace.pfw"), of_log);
}

/// What was written as an archive of OTF2, read again.
fn archived(trace: &Trace, name: &str) -> (Counts, usize) {
    let folder = std::env::temp_dir().join(format!("diya-otf2-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let anchor = write_otf2(&folder, trace).expect("the folder is empty");
    let again = write_otf2(&folder, trace).expect_err("it is not any more").to_string();
    assert!(again.contains("there is an archive already"), "{again}");
    let written = opened(&logs(&[anchor]).expect("an archive").remove(0));
    std::fs::remove_dir_all(&folder).expect("it is there");
    (counts(&written), written.table(TableId::ReadIssue).rows())
}

#[test]
fn calls_come_back_from_an_archive_of_otf2() {
    for name in
        ["logs/ior_posix_fpp_seq.darshan", "traces/recorder_nest_2.5.tar", "traces/otf2_bare.tar"]
    {
        let log = logs(&[of_corpus(name)]).expect("a log").remove(0);
        let trace = opened(&log);
        let name = name.rsplit('/').next().expect("a name");
        let (found, issues) = archived(&trace, name);
        // A call that OTF2 has no record for is there without its file.
        let transfers = |counts: &Counts| -> Counts {
            let is_transfer = |op: &str| matches!(op, "read" | "write" | "open" | "close");
            let all = counts.iter().filter(|((_, _, op), _)| is_transfer(op));
            all.map(|(key, sums)| (key.clone(), *sums)).collect()
        };
        assert_eq!((transfers(&found), issues), (transfers(&counts(&trace)), 0), "{name}");
        let calls = |counts: &Counts| counts.values().map(|sums| sums.0).sum::<u64>();
        assert_eq!(calls(&found), calls(&counts(&trace)), "{name}");
    }
}
