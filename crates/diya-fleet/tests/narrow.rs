//! A filter: every question then has the answer that a dataset of these jobs alone would give.

use diya::Threads;
use diya_export::{ResultFormat, write_rows};
use diya_fleet::{
    Anonymity, Dataset, FleetQuery, IngestOptions, JobFilter, JoinOptions, Limits, Question,
    Source, ingest, join,
};
use diya_testkit::corpus_log;
use tempfile::TempDir;

/// Three jobs: ior of two systems, and fsync_many; ior of `test` has a project.
fn dataset() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let of = |system: &str, names: &[&str]| {
        let options = IngestOptions {
            paths: names.iter().map(|name| corpus_log(name)).collect(),
            system: system.to_owned(),
            skips_findings: true,
            ..IngestOptions::default()
        };
        ingest(&data, &options).expect("ingested");
    };
    of("test", &["ior_mpiio_coll_hints.darshan", "fsync_many.darshan"]);
    of("other", &["ior_hdf5_shared.darshan"]);
    let sacct = folder.path().join("sacct.txt");
    let text = "JobID|User|Account|State|Start|End|ElapsedRaw|NCPUS\n\
        19496|ann|o'hara|COMPLETED|2026-11-20T11:21:40|2026-11-20T11:22:10|30|8\n\
        7|bob|idle|COMPLETED|2026-11-20T11:21:40|2026-11-20T11:22:10|30|8\n";
    std::fs::write(&sacct, text).expect("written");
    let options = JoinOptions {
        files: vec![(Source::Slurm, sacct)],
        system: "test".to_owned(),
        zone: jiff::tz::TimeZone::UTC,
        anonymity: Anonymity::default(),
    };
    join(&data, &options).expect("joined");
    folder
}

fn opened(folder: &TempDir) -> FleetQuery {
    Dataset::open(&folder.path().join("data"))
        .expect("a dataset")
        .ask(Threads::new(1))
        .expect("readable")
}

fn csv(query: &FleetQuery, sql: &str) -> String {
    let rows = query.run_within(sql, Limits::OF_A_PERSON).expect("an answer");
    let mut text = Vec::new();
    write_rows(&mut text, &rows, ResultFormat::Csv).expect("CSV");
    String::from_utf8(text).expect("text").lines().skip(1).collect::<Vec<_>>().join(" ")
}

/// Programs of the jobs that a filter leaves, then rows of `record`, then projects.
fn left(folder: &TempDir, filter: &JobFilter) -> [String; 3] {
    let narrowed = opened(folder).narrowed(filter, None).expect("narrowed");
    let programs = csv(&narrowed, "select program from job order by system, program");
    let has_records = csv(&narrowed, "select count(distinct log_hash) from record");
    [programs, has_records, csv(&narrowed, "select project from account order by project")]
}

fn filter(change: impl FnOnce(&mut JobFilter)) -> JobFilter {
    let mut filter = JobFilter::default();
    change(&mut filter);
    filter
}

#[test]
fn each_condition_leaves_its_jobs_in_every_table() {
    let folder = dataset();
    let of = |change: fn(&mut JobFilter)| left(&folder, &filter(change));
    assert_eq!(of(|_| {}), ["ior cases ior", "3", "idle o'hara"]);
    assert_eq!(of(|f| f.system = "other".into()), ["ior", "1", ""]);
    assert_eq!(of(|f| f.program = "IOR".into()), ["ior ior", "2", "o'hara"], "of these jobs only");
    assert_eq!(of(|f| f.program = "case".into())[0], "cases", "a part of the name");
    assert_eq!(of(|f| f.project = "O'Hara".into()), ["ior", "1", "o'hara"]);
    assert_eq!(of(|f| f.search = "FSYNC_many".into()), ["cases", "1", ""], "in the path");
    let start = 1_795_173_704; // 2026-11-20 11:21:44
    assert_eq!(
        left(&folder, &filter(|f| (f.from_s, f.before_s) = (Some(start), Some(start + 1))))[0],
        "ior"
    );
    assert_eq!(left(&folder, &filter(|f| f.before_s = Some(start)))[1], "0");
}

#[test]
fn hostile_words_are_words() {
    let folder = dataset();
    for text in ["' or 1=1 --", "\\' or true --", "%", "$paid", "'; drop table job", "\u{0}"] {
        let is_nothing = left(&folder, &filter(|f| f.user = text.into()));
        assert_eq!(is_nothing[0], "", "{text}");
        assert_eq!(left(&folder, &filter(|f| f.search = text.into()))[1], "0", "{text}");
    }
}

#[test]
fn every_question_has_an_answer_for_no_job_and_for_one() {
    let folder = dataset();
    for of in [filter(|f| f.user = "nobody".into()), filter(|f| f.program = "ior".into())] {
        let narrowed = opened(&folder).narrowed(&of, None).expect("narrowed");
        for question in Question::built_in().expect("they can be read") {
            let sql = question.statement(&[]).expect("no parameter is set");
            narrowed.run(&sql).unwrap_or_else(|error| panic!("{}: {error}", question.name));
        }
    }
}

#[test]
fn a_log_is_known_as_it_was_when_it_was_read() {
    let folder = dataset();
    let path = corpus_log("fsync_many.darshan");
    let about = std::fs::metadata(&path).expect("a file");
    let known = opened(&folder).log_at(&path.display().to_string()).expect("readable");
    let known = known.expect("it was read");
    assert_eq!(known.size_bytes, i64::try_from(about.len()).ok());
    let since = about.modified().expect("a time").duration_since(std::time::UNIX_EPOCH);
    let mtime = i64::try_from(since.expect("after 1970").as_nanos()).ok();
    assert_eq!(known.mtime_ns, mtime);
    assert_eq!(opened(&folder).log_at("/no'such").expect("readable"), None);
}

/// Two ingests of a log that changed leave rows that do not count: `manifest` is then asked as
/// often as any other table.
#[test]
fn a_table_with_old_rows_can_be_asked_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("a.darshan");
    for name in ["fsync_many.darshan", "ior_hdf5_shared.darshan"] {
        std::fs::copy(corpus_log(name), &log).expect("copied");
        let options = IngestOptions {
            paths: vec![log.clone()],
            system: "test".to_owned(),
            skips_findings: true,
            ..IngestOptions::default()
        };
        ingest(&folder.path().join("data"), &options).expect("ingested");
    }
    let query = opened(&folder);
    for _ in 0..2 {
        assert_eq!(csv(&query, "select count(*) from manifest"), "1");
        assert_eq!(csv(&query, "select program from job"), "ior");
    }
}
