//! The logs of the review of reliability, which lie beside the repository: none of them
//! gets a verdict that its remaining records do not prove.

use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::input::logs;
use diya::report::{Confidence, Report, Severity, VerdictKind};
use diya::{OpenOptions, Session};
use diya_testkit::shared_folder;

/// The reports of these logs; `None`, which is said, without the folder.
fn reports(names: &[&str]) -> Option<Vec<Report>> {
    let folder = shared_folder()?.join("logs/hostile");
    let paths: Vec<_> = names.iter().map(|name| folder.join(format!("{name}.darshan"))).collect();
    let inputs = logs(&paths).expect("the logs of the review are there");
    let mut session = Session::new(inputs, OpenOptions::default());
    let set = CheckSet::builtin().expect("the built-in checks are valid");
    let reports = diagnose(&mut session, &set, &MetricRows::None).expect("they can be judged");
    assert_eq!(reports.len(), names.len());
    Some(reports)
}

fn says(report: &Report, phrase: &str) -> bool {
    report.verdict.not_captured.iter().any(|text| text.contains(phrase))
}

#[test]
fn zeros_before_the_job_record_are_no_damage() {
    let Some(reports) = reports(&["io500-zeros"]) else { return };
    let report = &reports[0];
    assert_eq!(report.verdict.kind, VerdictKind::Findings, "{}", report.verdict.text);
    assert_ne!(report.verdict.confidence, Confidence::Low);
    assert!(report.findings.iter().any(|finding| finding.severity == Severity::High));
}

#[test]
fn a_module_of_another_length_is_said_and_never_reassures() {
    let names = ["POSIX8", "POSIX-8", "MPIIO8", "MPIIO-8", "STDIO8", "STDIO-8"];
    let names = names.map(|name| format!("misfit-{name}"));
    let Some(reports) = reports(&names.each_ref().map(String::as_str)) else { return };
    for (name, report) in names.iter().zip(&reports) {
        let verdict = &report.verdict;
        assert_eq!(verdict.confidence, Confidence::Low, "{name}");
        assert!(says(report, "bytes"), "{name}: {:?}", verdict.not_captured);
        let kinds = [VerdictKind::Findings, VerdictKind::NotJudged];
        assert!(kinds.contains(&verdict.kind), "{name}: {}", verdict.text);
    }
}

#[test]
fn a_module_of_odd_length_is_read_to_its_last_whole_record() {
    let Some(reports) = reports(&["mdworkbench-odd-length"]) else { return };
    let verdict = &reports[0].verdict;
    assert!(verdict.io_s.is_some_and(|io_s| io_s > 0.5), "{}", verdict.text);
    assert_eq!(verdict.confidence, Confidence::Low);
}

#[test]
fn impossible_numbers_are_said_and_never_believed() {
    let cases = [
        ("hugetime", "f_write_time = 1e18 s"),
        ("hugebytes", "bytes_written = 4611686018427387904"),
        ("dup", "duplicate record"),
        ("dxtver", "a DXT record claims rank"),
    ];
    let Some(reports) = reports(&cases.map(|(name, _)| name)) else { return };
    for ((name, phrase), report) in cases.iter().zip(&reports) {
        let verdict = &report.verdict;
        assert!(says(report, phrase), "{name}: {:?}", verdict.not_captured);
        assert_eq!(verdict.confidence, Confidence::Low, "{name}");
        // Eight processes of 17 s.
        assert!(verdict.io_s.zip(verdict.run_s).is_some_and(|(io, run)| io <= run), "{name}");
        assert!(verdict.bytes.is_none_or(|bytes| bytes < 1 << 40), "{name}");
    }
}

#[test]
fn hostile_names_change_no_verdict() {
    let Some(reports) = reports(&["ansi", "xss"]) else { return };
    for report in &reports {
        assert_eq!(report.verdict.kind, VerdictKind::Findings, "{}", report.verdict.text);
        assert_eq!(report.verdict.confidence, Confidence::High);
    }
}
