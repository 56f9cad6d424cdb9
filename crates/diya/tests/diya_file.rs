//! A log kept as a diya file answers as the log itself does.

use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::dump::{DumpOptions, dump, dump_dxt};
use diya::info::info;
use diya::input::{Input, logs};
use diya::report::{Report, VerdictKind};
use diya::{OpenOptions, Session, Tables, Trace, read_one};
use diya_testkit::{corpus_logs, root};

/// The log, and the same as a diya file of the same name.
fn both(path: &std::path::Path) -> (Input, Input) {
    let log = logs(&[path]).expect("a log of the corpus").remove(0);
    let tables = read_one(&log, &OpenOptions::default()).expect("a log of the corpus");
    let file = diya_write::diya_file::to_bytes(&tables, "test");
    let kept = Input::from_bytes(log.name.clone(), file);
    (log, kept)
}

fn tables(input: &Input) -> Tables {
    read_one(input, &OpenOptions::default()).expect("it can be read")
}

#[test]
fn overview_and_dump_are_those_of_the_log() {
    for path in corpus_logs() {
        let (log, kept) = both(&path);
        let overview = |input: &Input| {
            let mut about = info(input, &OpenOptions::default()).expect("it can be read");
            about.size_bytes = 0;
            serde_json::to_value(&about).expect("an overview is JSON")
        };
        assert_eq!(overview(&log), overview(&kept), "{}", path.display());
        let text = |input: &Input| {
            let (mut out, tables) = (Vec::new(), tables(input));
            dump(&mut out, &tables, &DumpOptions::all()).expect("a vector takes all bytes");
            dump_dxt(&mut out, &tables, &DumpOptions::all()).expect("a vector takes all bytes");
            out
        };
        assert!(text(&log) == text(&kept), "{}", path.display());
    }
}

#[test]
fn questions_are_answered_as_of_the_log() {
    let sql = "select rank, op, count(*), sum(size_bytes), min(start_s), max(end_s), sum(busy_s)
               from call group by rank, op order by rank, op;
               select * from posix order by file_id, rank;
               select sum(bytes) from heatmap";
    for path in corpus_logs() {
        let (log, kept) = both(&path);
        let answers = |input: Input| {
            let mut session = Session::new(vec![input], OpenOptions::default());
            let answers = session.ask(sql).expect("a question to any log");
            answers.into_iter().map(|rows| rows.batches).collect::<Vec<_>>()
        };
        assert_eq!(answers(log), answers(kept), "{}", path.display());
    }
}

#[test]
fn an_own_trace_is_shown_and_asked() {
    let path = root().join("crates/diya-write/tests/diya_file/golden/v1.diya");
    let input = logs(&[path]).expect("a file of the repository").remove(0);
    let about = info(&input, &OpenOptions::default()).expect("it can be read");
    let recorded = about.recorded.as_ref().expect("an own trace");
    assert_eq!((recorded.processes, recorded.unfinished_processes), (1, 1));
    let mut text = Vec::new();
    about.write_text(&mut text, None).expect("a vector takes all bytes");
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("diya trace 1"), "{text}");
    assert!(text.contains("12 calls of 1 process, 1 of them killed"), "{text}");
    assert!(!text.contains("DXT"), "{text}");
    let trace = Trace::open(&[input], &OpenOptions::default()).expect("it can be read");
    let mut json = Vec::new();
    diya_export::write_chrome(&mut json, &trace).expect("a vector takes all bytes");
    assert!(String::from_utf8_lossy(&json).contains("pwrite64"));
}

/// The first block holds nothing but who wrote the file, the second is the job's.
#[test]
fn a_file_that_is_cut_before_its_job_is_a_log_that_could_not_be_judged() {
    let path = corpus_logs().remove(0);
    let tables = tables(&logs(&[path]).expect("a log of the corpus").remove(0));
    let file = diya_write::diya_file::to_bytes(&tables, "test");
    let starts = (0..file.len()).filter(|at| file[*at..].starts_with(b"DIYABLK\n"));
    let cut = file[..starts.take(2).last().expect("blocks")].to_vec();
    let input = Input::from_bytes("cut.diya", cut);
    let report = report_of(input);
    assert_eq!(report.verdict.kind, VerdictKind::NotJudged, "{:?}", report.verdict);
    let said = report.verdict.not_captured.iter().any(|part| part.starts_with("job: "));
    assert!(said, "{:?}", report.verdict.not_captured);
}

/// A log that lost its calls is no log of counters.
#[test]
fn calls_that_are_lost_are_not_said_to_be_unrecorded() {
    let path = root().join("crates/diya-write/tests/diya_file/golden/v1.diya");
    let file = std::fs::read(path).expect("a file of the repository");
    let starts = (0..file.len()).filter(|at| file[*at..].starts_with(b"DIYABLK\n"));
    let cut_in_calls: Vec<Vec<String>> = starts
        .map(|start| file[..file.len().min(start + 60)].to_vec())
        .map(|cut| report_of(Input::from_bytes("cut.diya", cut)).verdict.not_captured)
        .filter(|said| said.iter().any(|part| part.starts_with("call: ")))
        .collect();
    assert!(!cut_in_calls.is_empty(), "no cut hits the calls");
    for said in cut_in_calls {
        assert!(!said.iter().any(|part| part.contains("counters only")), "{said:?}");
    }
}

fn report_of(input: Input) -> Report {
    let mut session = Session::new(vec![input], OpenOptions::default());
    let set = CheckSet::builtin().expect("the built-in checks are valid");
    let mut reports = diagnose(&mut session, &set, &MetricRows::None).expect("a report");
    assert_eq!(reports.len(), 1, "one log");
    reports.remove(0)
}
