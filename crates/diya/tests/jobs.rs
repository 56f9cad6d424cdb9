//! Logs of one process each, as Python jobs leave them, are one job.

use diya::input::Input;
use diya::{OpenOptions, Rows, Session, Together, by_job};

fn logs(name: &str, copies: usize) -> Vec<Input> {
    let path = diya_testkit::corpus_logs().into_iter().find(|path| path.ends_with(name));
    let bytes = std::fs::read(path.expect("it is in the corpus")).expect("it can be read");
    (0..copies).map(|copy| Input::from_bytes(format!("{copy}-{name}"), bytes.clone())).collect()
}

/// The rows as lines of CSV, without the names.
fn lines(rows: &[Rows]) -> Vec<String> {
    let mut out = Vec::new();
    diya_export::write_rows(&mut out, &rows[0], diya_export::ResultFormat::Csv).expect("memory");
    let text = String::from_utf8(out).expect("CSV is text");
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn logs_of_one_process_are_the_processes_of_a_job() {
    let jobs = by_job(logs("nonmpi_python.darshan", 3), Together::OneJob);
    assert_eq!(jobs.iter().map(Vec::len).collect::<Vec<_>>(), [3]);
    let mut session = Session::of_jobs(jobs, OpenOptions::default());
    let asked = |session: &mut Session<'_>, sql: &str| lines(&session.ask(sql).expect("it is SQL"));
    let bytes = "select rank, sum(bytes_written) from posix group by rank order by rank";
    let of_ranks = asked(&mut session, bytes);
    let written: Vec<&str> = of_ranks.iter().filter_map(|l| l.split(',').nth(1)).collect();
    assert_eq!(of_ranks.len(), 3);
    assert!(of_ranks[2].starts_with("2,") && written.iter().all(|w| *w == written[0]));
    assert_eq!(asked(&mut session, "select nprocs, count(*) over () from job"), ["3,1"]);
    let names = "select count(*) - count(distinct file_id) from file";
    assert_eq!(asked(&mut session, names), ["0"]);
    assert_eq!(session.log_names(0).len(), 3);
    // Nothing says that they are ranks.
    let kinds = "select kind, count(*) from peer_group group by kind";
    assert_eq!(asked(&mut session, kinds), ["process,3"]);
}

#[test]
fn logs_of_several_processes_stay_apart() {
    let jobs = by_job(logs("rank0_writer.darshan", 2), Together::OneJob);
    assert_eq!(jobs.len(), 2);
    let mut mixed = logs("nonmpi_python.darshan", 2);
    mixed.extend(logs("nonmpi_cp.darshan", 1));
    assert_eq!(by_job(mixed.clone(), Together::OneJob).len(), 2);
    assert_eq!(by_job(mixed.clone(), Together::None).len(), 3);
    assert_eq!(by_job(mixed, Together::All).len(), 1);
}
