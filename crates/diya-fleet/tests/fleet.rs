//! Small fleets, ingested in many ways: the rows have to be the same.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{Float64Type, Int64Type};
use diya_fleet::{Anonymity, Dataset, IngestOptions, Ingested, Shard, TableHash, ingest};
use diya_fleet_logs::{Plan, Sample, write};
use diya_testkit::root;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const JOBS: u32 = 40;

fn logs(has_faults: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let samples = Sample::corpus(&root().join("corpus/logs")).expect("the corpus");
    write(folder.path(), &samples, &Plan { jobs: JOBS, seed: 7, has_faults }).expect("written");
    folder
}

fn options(logs: &Path) -> IngestOptions {
    IngestOptions {
        paths: vec![logs.to_path_buf()],
        system: "test".to_owned(),
        threads: 2,
        skips_findings: true,
        ..IngestOptions::default()
    }
}

fn run(dataset: &Path, options: &IngestOptions) -> Ingested {
    ingest(dataset, options).expect("ingested")
}

fn hash(dataset: &Path) -> Vec<TableHash> {
    Dataset::open(dataset).expect("a dataset").hash().expect("hashed")
}

fn parts(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(parts(&path));
        } else if path.extension().is_some_and(|e| e == "parquet") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Texts of a column of a table, in the order of its files.
fn texts(dataset: &Path, table: &str, column: &str) -> Vec<String> {
    let mut out = Vec::new();
    for part in parts(&dataset.join(table)) {
        let file = std::fs::File::open(part).expect("a file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        for batch in reader.build().expect("a reader") {
            let batch = batch.expect("rows");
            let values = batch.column_by_name(column).expect("the column");
            let values = arrow::compute::cast(values, &arrow::datatypes::DataType::Utf8);
            let values = values.expect("as text");
            out.extend(values.as_string::<i32>().iter().map(|v| v.unwrap_or("").to_owned()));
        }
    }
    out
}

fn states(dataset: &Path) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::new();
    for state in texts(dataset, "manifest", "status") {
        *states.entry(state).or_insert(0) += 1;
    }
    states
}

#[test]
fn a_second_run_reads_nothing() {
    let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
    let first = run(dataset.path(), &options(logs.path()));
    assert_eq!((first.logs, first.known), (u64::from(JOBS), 0));
    let before = hash(dataset.path());
    let second = run(dataset.path(), &options(logs.path()));
    assert_eq!((second.logs, second.known), (0, u64::from(JOBS)));
    assert_eq!(hash(dataset.path()), before);
}

#[test]
fn one_log_twice_counts_once() {
    let (logs, dataset) = (logs(true), tempfile::tempdir().expect("a folder"));
    let done = run(dataset.path(), &options(logs.path()));
    assert_eq!(done.logs, u64::from(JOBS));
    assert!(done.duplicates > 0);
    assert_eq!(texts(dataset.path(), "job", "log_hash").len(), JOBS as usize);
    let states = states(dataset.path());
    assert_eq!(states["duplicate"] as u64, done.duplicates);
}

#[test]
fn a_copy_under_the_name_of_another_user_is_the_same_log() {
    let hash_of = |rename: bool| {
        let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
        for log in parts_of(logs.path()).into_iter().filter(|_| rename) {
            let name = log.file_name().expect("a name").to_string_lossy().into_owned();
            std::fs::rename(&log, log.with_file_name(format!("x{name}"))).expect("renamed");
        }
        run(dataset.path(), &options(logs.path()));
        let users = texts(dataset.path(), "job", "user_name");
        assert_eq!(users.iter().all(|user| user.starts_with('x')), rename);
        hash(dataset.path()).into_iter().find(|table| table.name == "job").expect("it is there")
    };
    assert_eq!(hash_of(false), hash_of(true));
}

#[test]
fn what_is_no_log_is_in_quarantine_with_its_reason() {
    let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
    std::fs::write(logs.path().join("notes.txt"), "hello").expect("written");
    std::fs::write(logs.path().join("empty.darshan"), "").expect("written");
    let cut = std::fs::read(&parts_of(logs.path())[0]).expect("a log");
    std::fs::write(logs.path().join("cut.darshan"), &cut[..100]).expect("written");
    let done = run(dataset.path(), &options(logs.path()));
    assert_eq!((done.logs, done.quarantined), (u64::from(JOBS), 3));
    let reasons = texts(dataset.path(), "manifest", "error");
    assert_eq!(reasons.iter().filter(|reason| !reason.is_empty()).count(), 3);
}

fn parts_of(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(parts_of(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[test]
fn shards_and_small_commits_equal_the_whole() {
    let logs = logs(true);
    let whole = tempfile::tempdir().expect("a folder");
    run(whole.path(), &options(logs.path()));
    let shards = tempfile::tempdir().expect("a folder");
    for number in 1..=3 {
        let shard = Shard { number, of: 3 };
        let logs_per_commit = 4;
        run(shards.path(), &IngestOptions { shard, logs_per_commit, ..options(logs.path()) });
    }
    assert_eq!(hash(shards.path()), hash(whole.path()));
    let compacted = Dataset::open(shards.path()).expect("a dataset").compact().expect("compacted");
    assert!(compacted.files_after < compacted.files_before);
    assert_eq!(hash(shards.path()), hash(whole.path()));
    assert_eq!(texts(shards.path(), "job", "log_hash").len(), JOBS as usize);
    let again = Dataset::open(shards.path()).expect("a dataset").compact().expect("compacted");
    assert_eq!(again.files_before, again.files_after);
    // New logs of a compacted dataset are found, known ones are not read again.
    let second = run(shards.path(), &options(logs.path()));
    assert_eq!((second.logs, second.duplicates), (0, 0));
}

#[test]
fn rows_are_sorted_by_start() {
    let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
    run(dataset.path(), &IngestOptions { logs_per_commit: 5, ..options(logs.path()) });
    Dataset::open(dataset.path()).expect("a dataset").compact().expect("compacted");
    for table in ["job", "record"] {
        let starts = texts(dataset.path(), table, "start_time");
        assert!(starts.is_sorted(), "{table}");
    }
}

#[test]
fn findings_do_not_depend_on_the_batch() {
    let logs = logs(true);
    let (many, few) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let with_findings = IngestOptions { skips_findings: false, ..options(logs.path()) };
    run(many.path(), &with_findings);
    run(few.path(), &IngestOptions { logs_per_commit: 9, ..with_findings });
    assert_eq!(hash(many.path()), hash(few.path()));
    assert!(!texts(many.path(), "finding", "check_id").is_empty());
}

#[test]
fn an_archive_has_the_rows_of_its_members() {
    let logs = logs(false);
    let (loose, packed) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    run(loose.path(), &options(logs.path()));
    let day = logs.path().join("day.tar");
    let made = std::process::Command::new("tar")
        .args([
            "-cf".as_ref(),
            day.as_os_str(),
            "-C".as_ref(),
            logs.path().as_os_str(),
            "2026".as_ref(),
        ])
        .status();
    assert!(made.expect("tar is there").success());
    let done = run(packed.path(), &options(&day));
    assert_eq!(done.logs, u64::from(JOBS));
    let of = |dataset: &Path| {
        let tables = hash(dataset).into_iter();
        tables.filter(|table| table.name != "manifest").collect::<Vec<_>>()
    };
    assert_eq!(of(packed.path()), of(loose.path()));
    assert_eq!(run(packed.path(), &options(&day)).known, 1);
}

#[test]
fn no_name_is_left_in_an_anonymous_dataset() {
    let logs = logs(false);
    let of = |key: &str, is_release| {
        let dataset = tempfile::tempdir().expect("a folder");
        let anonymity = Anonymity { key: Some(key.to_owned()), is_release };
        // Sentences of findings are the one place where checks bring in names.
        let skips_findings = key != "one";
        run(dataset.path(), &IngestOptions { anonymity, skips_findings, ..options(logs.path()) });
        dataset
    };
    for dataset in [of("one", false), of("one", true)] {
        for table in diya_fleet::TABLES {
            for column in table.columns {
                for text in texts(dataset.path(), table.name, column.name) {
                    for name in ["lattice_qcd", "weather_grid", "/scratch", "ines"] {
                        assert!(!text.contains(name), "{text} in {}.{}", table.name, column.name);
                    }
                }
            }
        }
        let programs: BTreeSet<String> =
            texts(dataset.path(), "job", "program").into_iter().collect();
        assert!(programs.iter().all(|name| name.starts_with("program-")), "{programs:?}");
    }
    let (two, again) = (of("two", false), of("two", false));
    assert_eq!(hash(two.path()), hash(again.path()));
    assert_ne!(hash(two.path()), hash(of("three", false).path()));
    let released = of("two", true);
    assert!(texts(released.path(), "job", "job_id").iter().all(String::is_empty));
    let other = Anonymity { key: Some("three".to_owned()), is_release: true };
    let refused =
        ingest(released.path(), &IngestOptions { anonymity: other, ..options(logs.path()) });
    assert!(refused.is_err_and(|error| error.to_string().contains("own key")));
}

#[test]
fn planted_truths_are_in_the_columns() {
    let (logs, dataset) = (logs(true), tempfile::tempdir().expect("a folder"));
    run(dataset.path(), &options(logs.path()));
    let skew = texts(dataset.path(), "job", "clock_skew_s");
    let skewed = skew.iter().filter(|s| s.parse::<f64>().is_ok_and(|s| s > 60.0)).count();
    let versions = texts(dataset.path(), "job", "library_version");
    assert!(versions.iter().any(|version| version == "3.4.6"));
    let users = texts(dataset.path(), "job", "user_name");
    assert!(users.iter().any(|user| user == "ines"), "{users:?}");
    let targets: BTreeSet<String> =
        texts(dataset.path(), "job_target", "ost_id").into_iter().collect();
    assert!(targets.contains("7") && targets.contains("3"), "{targets:?}");
    let late = skew.len() - skewed;
    assert!(late > 0, "not every job is skewed");
}

#[test]
fn sums_of_records_are_those_of_the_job() {
    let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
    run(dataset.path(), &options(logs.path()));
    let mut of_records: BTreeMap<i64, i64> = BTreeMap::new();
    let mut of_jobs: BTreeMap<i64, i64> = BTreeMap::new();
    for (table, sums) in [("record", &mut of_records), ("job", &mut of_jobs)] {
        for part in parts(&dataset.path().join(table)) {
            let file = std::fs::File::open(part).expect("a file");
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
            for batch in reader.build().expect("a reader") {
                let batch = batch.expect("rows");
                let column = |name: &str| {
                    let values = batch.column_by_name(name).expect("the column");
                    values.as_primitive::<Int64Type>().clone()
                };
                let (hashes, written) = (column("log_hash"), column("bytes_written"));
                for row in (0..batch.num_rows()).filter(|row| written.is_valid(*row)) {
                    *sums.entry(hashes.value(row)).or_insert(0) += written.value(row);
                }
                if table == "job" {
                    let times = batch.column_by_name("io_time_s").expect("the column");
                    let times = times.as_primitive::<Float64Type>();
                    assert!(times.iter().flatten().all(|time_s| time_s >= 0.0));
                }
            }
        }
    }
    assert_eq!(of_records, of_jobs);
}

#[test]
fn a_log_that_was_written_again_replaces_its_old_rows() {
    let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
    run(dataset.path(), &options(logs.path()));
    let files = parts_of(logs.path());
    let other = std::fs::read(&files[1]).expect("a log");
    std::fs::write(&files[0], other).expect("written");
    let done = run(dataset.path(), &options(logs.path()));
    assert_eq!((done.logs, done.duplicates), (0, 1));
    let compacted = Dataset::open(dataset.path()).expect("a dataset").compact().expect("compacted");
    assert!(compacted.rows_dropped > 0);
    assert_eq!(texts(dataset.path(), "job", "log_hash").len(), JOBS as usize - 1);
    assert_eq!(texts(dataset.path(), "manifest", "path").len(), JOBS as usize);
}

#[test]
fn only_days_since_a_date_are_looked_at() {
    let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
    let since = Some("2026-03-16".parse().expect("a date"));
    let late = run(dataset.path(), &IngestOptions { since, ..options(logs.path()) });
    assert_eq!(late.logs, u64::from(JOBS) / 2);
    let rest = run(dataset.path(), &options(logs.path()));
    assert_eq!((rest.logs, rest.known), (u64::from(JOBS) / 2, late.logs));
}

#[test]
fn logs_are_named_in_lists_too() {
    let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
    let files = parts_of(logs.path());
    let names: Vec<String> = files.iter().take(5).map(|f| f.display().to_string()).collect();
    let list = dataset.path().with_extension("list");
    std::fs::write(&list, names.join("\n")).expect("written");
    let of_list =
        IngestOptions { paths: Vec::new(), lists: vec![list.clone()], ..options(logs.path()) };
    let done = run(dataset.path(), &of_list);
    std::fs::remove_file(list).expect("it is there");
    assert_eq!(done.logs, 5);
}

#[test]
fn a_folder_that_is_no_dataset_is_left_alone() {
    let (logs, folder) = (logs(false), tempfile::tempdir().expect("a folder"));
    std::fs::write(folder.path().join("thesis.tex"), "text").expect("written");
    let refused = ingest(folder.path(), &options(logs.path()));
    assert!(refused.is_err_and(|error| error.to_string().contains("is no dataset")));
    assert!(Dataset::open(folder.path()).is_err());
}

#[test]
fn an_image_that_cannot_be_read_is_named_with_the_way_out() {
    let (logs, dataset) = (logs(false), tempfile::tempdir().expect("a folder"));
    let image = logs.path().join("day.sqsh");
    std::fs::write(&image, b"hsqs and nothing else").expect("written");
    let done = run(dataset.path(), &options(&image));
    assert_eq!((done.logs, done.unreadable), (0, 1));
    let errors = texts(dataset.path(), "manifest", "error");
    assert!(errors[0].contains("squashfuse"), "{errors:?}");
}

#[test]
fn a_job_counts_by_its_slowest_rank_and_the_bytes_that_reach_files() {
    let dataset = tempfile::tempdir().expect("a folder");
    let number = |table: &str, column: &str| {
        let mut values = texts(dataset.path(), table, column).into_iter();
        values.next().and_then(|text| text.parse::<f64>().ok()).expect("a number")
    };
    let near = |value: f64, known: f64| (value / known - 1.0).abs() < 1e-4;
    // Collective MPI-IO with buffering: as `diya sql` shows in layer_load and job_io.
    let log = diya_testkit::corpus_log("ior_mpiio_coll_hints.darshan");
    run(dataset.path(), &options(&log));
    assert_eq!(number("job", "bytes_read"), 16_777_216.0);
    assert_eq!(number("job", "bytes_written"), 16_777_216.0 + 2234.0);
    assert!(near(number("job", "io_time_s"), 16.395_194));
    assert!(near(number("job", "io_time_cumulative_s"), 131.005_672));
    assert!(near(number("job", "io_time_mean_s"), 131.005_672 / 8.0));
    assert!(near(number("record", "mpiio_slowest_s"), 16.395_002));
    assert_eq!(texts(dataset.path(), "job", "interface"), ["mpiio"]);
    assert_eq!(number("job", "files"), 1.0);
    assert_eq!(number("job", "files_shared"), 1.0);
    assert_eq!(number("job", "small_reads"), 64.0);
}

#[test]
fn a_judged_job_has_the_io_time_of_its_report() {
    let dataset = tempfile::tempdir().expect("a folder");
    let log = diya_testkit::corpus_log("ior_mpiio_coll_hints.darshan");
    run(dataset.path(), &IngestOptions { skips_findings: false, ..options(&log) });
    let times = texts(dataset.path(), "job", "io_time_s");
    let time_s: f64 = times[0].parse().expect("a number");
    assert!((time_s / 16.404_256 - 1.0).abs() < 1e-4, "{time_s}"); // `diya report`: verdict.io_s
}
