//! `diya merge` and `diya diff`.

use diya::convert::{ConvertOptions, OutputFormat, convert};
use diya::diff::{DiffOptions, Difference, diff, write_text};
use diya::input::{Input, logs};
use diya::merge::{MergeError, MergeOptions, merge};
use diya::{OpenOptions, Selection, Tables, read_one};
use diya_testkit::root;

/// One record per rank and file: nothing is shared.
const PER_RANK: &str = "noredux_strided.darshan";
const OTHER: &str = "ior_posix_random.darshan";

fn log(name: &str) -> Input {
    let path = root().join("corpus/logs").join(name);
    logs(&[path]).expect("a log of the corpus").remove(0)
}

fn read(input: &Input) -> Tables {
    read_one(input, &OpenOptions::default()).expect("a log")
}

/// What the ranks left behind.
fn part(ranks: std::ops::RangeInclusive<i32>) -> Input {
    let selection = Selection { ranks: Some(ranks.clone()), ..Selection::all() };
    let open = OpenOptions { selection, ..OpenOptions::default() };
    let options = ConvertOptions::default();
    let part = convert(&log(PER_RANK), OutputFormat::Darshan, &open, &options).expect("a part");
    Input::from_bytes(format!("ranks {ranks:?}"), part.bytes)
}

fn merged(inputs: &[Input], options: &MergeOptions) -> Result<Tables, MergeError> {
    let log = merge(inputs, OutputFormat::Darshan, &OpenOptions::default(), options)?;
    Ok(read(&Input::from_bytes("merged", log.bytes)))
}

fn differences(a: &Tables, b: &Tables) -> Vec<Difference> {
    diff(a, b, &DiffOptions::default())
}

#[test]
fn parts_of_a_job_become_the_whole() {
    let whole = merged(&[part(0..=2), part(3..=7)], &MergeOptions::default()).expect("one job");
    assert_eq!(differences(&read(&log(PER_RANK)), &whole), []);
}

#[test]
fn shared_files_of_a_merged_job_are_reduced_on_request() {
    let convert = ConvertOptions { is_reduced: true, ..ConvertOptions::default() };
    let options = MergeOptions { convert, ..MergeOptions::default() };
    let whole = merged(&[part(0..=2), part(3..=7)], &options).expect("one job");
    assert_eq!(whole.rows(diya::TableId::Posix), 1);
}

#[test]
fn the_end_of_a_killed_job_can_be_given() {
    let killed = || log("mmap_kill_rank1.darshan.gz");
    let end = |options: &MergeOptions| {
        let tables = merged(&[killed()], options).expect("one log");
        tables.table(diya::TableId::Job).and_then(|t| t.i64(diya_tables::job::END_TIME, 0))
    };
    assert_eq!(end(&MergeOptions::default()), None);
    let given = MergeOptions { end_time_s: Some(1_800_000_000), ..MergeOptions::default() };
    assert_eq!(end(&given), Some(1_800_000_000_000_000_000));
}

#[test]
fn logs_of_different_jobs_are_refused() {
    let inputs = [log(PER_RANK), log(OTHER)];
    let refused = merged(&inputs, &MergeOptions::default()).expect_err("two jobs").to_string();
    assert!(refused.contains(OTHER) && refused.contains("job id"), "{refused}");
    let forced = MergeOptions { is_forced: true, ..MergeOptions::default() };
    assert!(merged(&inputs, &forced).is_ok());
}

#[test]
fn a_log_named_twice_is_refused() {
    let refused = merged(&[part(0..=2), part(2..=3)], &MergeOptions::default());
    assert!(matches!(refused, Err(MergeError::Twice { rank: 2, .. })));
}

#[test]
fn a_log_does_not_differ_from_itself() {
    assert_eq!(differences(&read(&log(OTHER)), &read(&log(OTHER))), []);
}

#[test]
fn a_record_that_only_one_log_has_is_told_counter_by_counter() {
    let (a, b) = (read(&log(PER_RANK)), read(&part(0..=6)));
    let found = differences(&a, &b);
    let opens: Vec<_> = found.iter().filter(|d| d.counter == "POSIX_OPENS").collect();
    assert_eq!(opens.len(), 1);
    assert_eq!(
        (opens[0].rank, opens[0].a.as_deref(), opens[0].b.as_deref()),
        (Some(7), Some("2"), None)
    );
    assert_eq!(opens[0].path.as_deref(), Some("/scratch/demo/nr"));
    assert!(found.iter().any(|d| d.module == "DXT_POSIX" && d.counter == "write_calls"));
}

#[test]
fn differences_are_lines_with_minus_and_plus() {
    let difference = Difference {
        module: "POSIX",
        rank: Some(3),
        file_id: Some(7),
        path: Some("/a".into()),
        counter: "POSIX_READS".into(),
        a: Some("1".into()),
        b: Some("2".into()),
    };
    let mut text = Vec::new();
    write_text(&mut text, ("x", "y"), &[difference]).expect("memory takes all");
    let text = String::from_utf8(text).expect("text");
    let lines: Vec<&str> = text.lines().skip(3).collect();
    assert_eq!(lines, ["- POSIX\t3\t7\tPOSIX_READS\t1\t/a", "+ POSIX\t3\t7\tPOSIX_READS\t2\t/a"]);
}

#[test]
fn times_can_be_ignored() {
    let (a, b) = (read(&log(PER_RANK)), read(&log("nodxt_strided.darshan")));
    let options = DiffOptions { ignores_times: true };
    let found = diff(&a, &b, &options);
    assert!(!found.is_empty());
    assert!(found.iter().all(|d| !d.counter.contains("_F_") && !d.module.starts_with("DXT")));
}
