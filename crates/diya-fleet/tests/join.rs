//! Accounting, peaks and metrics of servers beside the jobs of a dataset.

use diya::Threads;
use diya_fleet::{
    Anonymity, Dataset, IngestOptions, JoinOptions, Joined, Question, Source, ingest, join,
};
use diya_testkit::corpus_log;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A dataset of one job: id 19496, from 2026-11-20 11:21:44 UTC for 17.5 s, 8 processes.
fn dataset() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let options = IngestOptions {
        paths: vec![corpus_log("ior_mpiio_coll_hints.darshan")],
        system: "test".to_owned(),
        skips_findings: true,
        ..IngestOptions::default()
    };
    ingest(&folder.path().join("data"), &options).expect("ingested");
    folder
}

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path
}

fn options(source: Source, path: PathBuf) -> JoinOptions {
    JoinOptions {
        files: vec![(source, path)],
        system: "test".to_owned(),
        zone: jiff::tz::TimeZone::UTC,
        anonymity: Anonymity::default(),
    }
}

fn joined(folder: &TempDir, source: Source, name: &str, text: &str) -> Joined {
    let path = file(folder.path(), name, text);
    join(&folder.path().join("data"), &options(source, path)).expect("joined")
}

/// The rows of a statement as CSV, without its header.
fn csv(folder: &TempDir, sql: &str) -> Vec<String> {
    let dataset = Dataset::open(&folder.path().join("data")).expect("a dataset");
    let rows = dataset.ask(Threads::new(1)).expect("readable").run(sql).expect("an answer");
    let mut text = Vec::new();
    let format = diya_export::ResultFormat::Csv;
    diya_export::write_rows(&mut text, &rows, format).expect("CSV");
    let text = String::from_utf8(text).expect("text");
    text.lines().skip(1).map(str::to_owned).collect()
}

fn ask(folder: &TempDir, name: &str) -> Vec<String> {
    let all = Question::built_in().expect("readable");
    let question = all.iter().find(|of| of.name == name).expect("it is there");
    csv(folder, &question.statement(&[]).expect("no parameter"))
}

const SACCT: &str = "\
JobID|JobIDRaw|User|Account|Partition|State|Start|End|Elapsed|NNodes|NCPUS|NodeList
19496|19496|ines|climate|batch|COMPLETED|2026-11-20T11:21:40|2026-11-20T12:21:40|01:00:00|2|16|n[1-2]
19496.batch|19496.batch||climate||COMPLETED|2026-11-20T11:21:40|2026-11-20T12:21:40|01:00:00|1|8|n1
7_2|9|abe|climate|batch|CANCELLED by 1000|2026-11-20T08:00:00|2026-11-20T10:00:00|02:00:00|1|8|n3
11|11|abe|qcd|batch|RUNNING|2026-11-20T08:00:00|Unknown|02:00:00|1|8|n3
12|12|abe
";

#[test]
fn core_hours_of_projects_come_from_slurm_and_io_from_logs() {
    let folder = dataset();
    let done = joined(&folder, Source::Slurm, "sacct.txt", SACCT);
    assert_eq!((done.rows, done.left_out, done.bad_lines), (2, 2, 1));
    assert_eq!(done.first_bad.as_deref(), Some("line 6: 3 columns instead of 12"));
    let projects = ask(&folder, "projects");
    assert_eq!(projects.len(), 1);
    assert!(projects[0].starts_with("test,climate,2,32.0,16.0,16.0,0.036"), "{projects:?}");
    let states = csv(&folder, "select job_id, state, nodes from account order by job_id");
    assert_eq!(states, ["9,cancelled,1", "19496,completed,2"]);
}

#[test]
fn what_is_joined_twice_or_grows_counts_once() {
    let folder = dataset();
    joined(&folder, Source::Slurm, "a.txt", SACCT);
    let hash = |folder: &TempDir| {
        let all = Dataset::open(&folder.path().join("data")).expect("open").hash().expect("hashed");
        all.into_iter().find(|table| table.name == "account").expect("it is there")
    };
    let first = hash(&folder);
    let same = options(Source::Slurm, folder.path().join("a.txt"));
    assert_eq!(join(&folder.path().join("data"), &same).expect("joined").known, 1);
    let copy = joined(&folder, Source::Slurm, "b.txt", SACCT);
    assert_eq!((copy.rows, copy.old_rows), (0, 2));
    assert_eq!(hash(&folder), first);
    // The job that ran has ended.
    let ended = SACCT.replace(
        "RUNNING|2026-11-20T08:00:00|Unknown",
        "FAILED|2026-11-20T08:00:00|2026-11-20T10:00:00",
    );
    assert_eq!(joined(&folder, Source::Slurm, "a.txt", &ended).rows, 1);
    let grown = hash(&folder);
    assert_eq!(grown.rows, 3);
    let dataset = Dataset::open(&folder.path().join("data")).expect("open");
    dataset.compact().expect("compacted");
    assert_eq!(hash(&folder), grown);
    assert_eq!(csv(&folder, "select count(*) from account"), ["3"]);
    assert_eq!(joined(&folder, Source::Slurm, "c.txt", &ended).rows, 0);
}

#[test]
fn accounting_of_pbs_has_the_same_columns() {
    let folder = dataset();
    let text = "\
11/20/2026 11:21:40;S;19496.pbs;user=ines
11/20/2026 12:21:40;E;19496.pbs;user=ines group=g project=climate queue=batch \
start=1795173700 end=1795177300 exec_host=n1/0*8+n2/0*8 \
Resource_List.ncpus=16 Resource_List.nodect=2 Exit_status=0 resources_used.walltime=01:00:00
11/20/2026 12:30:00;E;20[3].pbs;user=abe account=\"qcd\" queue=batch start=1795173700 end=1795177300 \
Resource_List.ncpus=4 Exit_status=271
11/20/2026 12:31:00;E;21.pbs;user=abe
broken
";
    let done = joined(&folder, Source::Pbs, "20261120", text);
    assert_eq!((done.rows, done.left_out, done.bad_lines), (2, 1, 2));
    let rows = csv(
        &folder,
        "select job_id, project, state, nodes, cores, core_hours from account order by job_id",
    );
    assert_eq!(rows, ["20,qcd,cancelled,,4,4.0", "19496,climate,completed,2,16,16.0"]);
}

#[test]
fn a_share_of_the_peak_uses_the_peak_of_its_date() {
    let folder = dataset();
    let toml = "[[peak]]\nmount = \"/\"\nsince = 2026-01-01\nbytes_per_s = 1e9\n\
        [[peak]]\nmount = \"/\"\nsince = \"2026-12-01\"\nbytes_per_s = 9e9\n";
    assert_eq!(joined(&folder, Source::Peaks, "peaks.toml", toml).rows, 2);
    let csv_text =
        "mount,since,op,bytes_per_s\n/,2026-11-01,read,2e9\n/,x,read,1\n/,2026-11-01,fly,1\n";
    let done = joined(&folder, Source::Peaks, "peaks.csv", csv_text);
    assert_eq!((done.rows, done.bad_lines), (1, 2));
    let all = Question::built_in().expect("readable");
    let question = all.iter().find(|of| of.name == "peak-share").expect("it is there");
    let sql = question.statement(&[("min_bytes".to_owned(), 1.0)]).expect("it has it");
    let rows = csv(&folder, &sql);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].starts_with("test,2026-11-01T00:00:00Z,2000000000.0,1,"), "{rows:?}");
}

#[test]
fn a_server_that_stands_out_is_named_with_the_jobs_beside_it() {
    let folder = dataset();
    let mut long = String::from("time,server,metric,value\n");
    for oss in 0..5 {
        let busy = if oss == 3 { 0.9 } else { 0.1 + 0.01 * f64::from(oss) };
        long.push_str(&format!("2026-11-20T11:30:00Z,oss{oss},busy_ratio,{busy}\n"));
    }
    long.push_str("yesterday,oss1,busy_ratio,1\n1e300,oss1,busy_ratio,1\n");
    let done = joined(&folder, Source::Servers, "busy.csv", &long);
    assert_eq!((done.rows, done.bad_lines), (5, 2));
    let rows = ask(&folder, "servers");
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].starts_with("test,2026-11-20T11:00:00Z,oss3,busy_ratio,busy,0.9,"), "{rows:?}");
    assert!(rows[0].ends_with(",1,0,"), "{rows:?}");
}

#[test]
fn lmt_and_prometheus_have_a_row_for_each_value() {
    let folder = dataset();
    let lmt = "timestamp,ost_name,read_bytes,write_bytes,pct_cpu\n1795173700,s-OST001f,10,20,3.5\n";
    assert_eq!(joined(&folder, Source::Servers, "lmt.csv", lmt).rows, 3);
    let json = r#"{"status":"success","data":{"resultType":"matrix","result":[
        {"metric":{"__name__":"lustre_write_bytes_total","target":"s-OST0002","instance":"oss1:9169"},
         "values":[[1795173700,"1.5e9"],[1795173760,"NaN"]]},
        {"metric":{},"values":[[1,"2"]]}]}}"#;
    let done = joined(&folder, Source::Servers, "range.json", json);
    assert_eq!((done.rows, done.bad_lines), (1, 1));
    let sql =
        "select ost_id, metric, kind, is_counter, value from server_metric order by ost_id, metric";
    assert_eq!(
        csv(&folder, sql),
        [
            "2,lustre_write_bytes_total,write_bytes,true,1500000000.0",
            "31,pct_cpu,busy,false,3.5",
            "31,read_bytes,read_bytes,true,10.0",
            "31,write_bytes,write_bytes,true,20.0"
        ]
    );
}

#[test]
fn a_file_of_another_form_is_refused_and_leaves_no_rows() {
    let folder = dataset();
    let data = folder.path().join("data");
    let hash = || {
        let all = Dataset::open(&data).expect("open").hash().expect("hashed");
        all.into_iter().filter(|table| table.name != "manifest").collect::<Vec<_>>()
    };
    let before = hash();
    for (source, text, expected) in [
        (Source::Slurm, "a|b\n1|2\n", "sacct"),
        (Source::Slurm, "", "sacct"),
        (Source::Pbs, "hello\n", "accounting log of PBS"),
        (Source::Peaks, "x,y\n1,2\n", "mount,since,op,bytes_per_s"),
        (Source::Peaks, "[[peak]]\nmount = 1\n", "mount"),
        (Source::Servers, "{\"data\": 1}", "query_range"),
        (Source::Servers, "\u{0}\u{ff}\n", "column for the time"),
    ] {
        let path = file(folder.path(), "wrong", text);
        let done = join(&data, &options(source, path)).expect("it is not fatal");
        let error = done.first_refused.expect("it is refused");
        assert!(error.contains("wrong: ") && error.contains(expected), "{error}");
        assert_eq!((done.refused, done.files, done.bad_lines), (1, 0, 0));
    }
    assert_eq!(hash(), before);
    let reasons = csv(&folder, "select error from manifest where status = 'refused'");
    assert!(reasons.len() == 1 && reasons[0].contains("column for the time"), "{reasons:?}");
    // One wrong file does not keep the next one out.
    let files = [("wrong.json", "{"), ("right.csv", "time,server,metric,value\n9,oss1,x,1\n")];
    let files = files.map(|(name, text)| (Source::Servers, file(folder.path(), name, text)));
    let both = JoinOptions { files: files.to_vec(), ..options(Source::Servers, PathBuf::new()) };
    let done = join(&data, &both).expect("joined");
    assert_eq!((done.refused, done.files, done.rows), (1, 1, 1));
}

#[test]
fn an_anonymous_dataset_has_no_name_of_the_accounts() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let anonymity = Anonymity { key: Some("k".to_owned()), is_release: false };
    let log = corpus_log("ior_mpiio_coll_hints.darshan");
    let of_logs = IngestOptions {
        paths: vec![log],
        system: "test".to_owned(),
        anonymity: anonymity.clone(),
        skips_findings: true,
        ..IngestOptions::default()
    };
    ingest(&data, &of_logs).expect("ingested");
    let path = file(folder.path(), "sacct.txt", SACCT);
    assert!(join(&data, &options(Source::Slurm, path.clone())).is_err());
    join(&data, &JoinOptions { anonymity, ..options(Source::Slurm, path) }).expect("joined");
    let rows = csv(&folder, "select * from account").join("\n");
    for name in ["ines", "climate", "n[1-2]", "19496"] {
        assert!(!rows.contains(name), "{rows}");
    }
    // The pseudonym of the job is that of its log.
    let same = "select count(*) from account join job on account.job_id = job.job_id";
    assert_eq!(csv(&folder, same), ["1"]);
}
