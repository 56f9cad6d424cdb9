//! Damaged logs through the whole diagnosis: reports with reasons, never a
//! panic, never a metric or check that breaks down.
//!
//! A sample runs with every test run; `DIYA_DAMAGE=full` (as `make fuzz` sets
//! it) damages each log in more places, at random ones that follow from
//! `DIYA_SEED`.

use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::input::Input;
use diya::report::{Report, Severity, VerdictKind};
use diya::{OpenOptions, Session};
use diya_testkit::{LogPart, Packing, corpus_logs, damages, on_all_processors, rewrite};

/// Cuts, flipped bits and overwritten blocks of each log.
fn counts() -> (usize, usize, usize) {
    match std::env::var("DIYA_DAMAGE").as_deref() {
        Ok("full") => (32, 200, 60),
        _ => (4, 4, 2),
    }
}

/// Savings below this, in seconds, are none.
const NOTHING_S: f64 = 1e-3;

fn seed() -> u64 {
    std::env::var("DIYA_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

/// The log with the end of one module missing, for each that it has.
fn cut_modules(log: &[u8]) -> Vec<(usize, Vec<u8>)> {
    if !log.starts_with(b"3.41\0") || log[16] != 0 {
        return Vec::new();
    }
    let cut = |slot: usize| {
        let mut is_there = false;
        let edited = rewrite(log, Packing::Zlib, 0, &mut |part, bytes| {
            if part == LogPart::Module(slot) {
                is_there = true;
                bytes.truncate(bytes.len().saturating_sub(4));
            }
        });
        is_there.then_some((slot, edited))
    };
    (0..16).filter_map(cut).collect()
}

/// The log with the packed bytes of one module wiped out, for each that it has.
fn lost_modules(log: &[u8]) -> Vec<(usize, Vec<u8>)> {
    if !log.starts_with(b"3.41\0") {
        return Vec::new();
    }
    let word = |at: usize| -> usize {
        let bytes = log[at..at + 8].try_into().expect("eight bytes");
        usize::try_from(u64::from_le_bytes(bytes)).expect("a small number")
    };
    let lost = |slot: usize| {
        let (at, len) = (word(48 + 16 * slot), word(56 + 16 * slot));
        let mut edited = log.to_vec();
        edited[at..at + len].fill(0xa5);
        (len > 0).then_some((slot, edited))
    };
    (0..16).filter_map(lost).collect()
}

/// A damaged log has the findings of the intact one, but for those whose rows are
/// lost, and these are unknown. What is left proves no saving beyond the intact log's
/// range (whose upper end may grow: counters prove less than calls), and reassures nobody
/// whom the intact log does not.
fn compare(intact: &Report, damaged: &Report) {
    let weighs = |severity: Severity| severity <= Severity::Warn;
    let reassures = |kind| matches!(kind, VerdictKind::NotTheProblem | VerdictKind::AtSpeed);
    let (kind, before) = (damaged.verdict.kind, intact.verdict.kind);
    assert!(
        !reassures(kind) || reassures(before),
        "{:?}: {before:?} became {kind:?}: {}",
        damaged.logs,
        damaged.verdict.text
    );
    let most_s = intact.all_fixed.and_then(|all| all.lost_high_s);
    let proven_s = damaged.all_fixed.and_then(|all| all.lost_low_s);
    if let (Some(most_s), Some(proven_s)) = (most_s, proven_s) {
        assert!(
            proven_s <= most_s * 1.001 + NOTHING_S,
            "{:?}: {proven_s} of {most_s} s",
            damaged.logs
        );
    }
    for finding in &damaged.findings {
        let is_known = intact.findings.iter().any(|known| known.id == finding.id);
        let (id, logs) = (&finding.id, &damaged.logs);
        assert!(is_known || !weighs(finding.severity), "{logs:?}: {id} is new");
    }
    for finding in &intact.findings {
        let is_there = damaged.findings.iter().any(|found| found.id == finding.id);
        let is_unknown = damaged.unknown.iter().any(|unknown| unknown.id == finding.id);
        let (id, logs) = (&finding.id, &damaged.logs);
        assert!(is_there || is_unknown, "{logs:?}: {id} is lost without a word");
    }
}

/// The log, then damaged ones: the whole one comes first, as one that is refused alone ends a
/// session.
fn inputs(name: &str, file: &[u8], seed: u64) -> Vec<Input> {
    let (cuts, flips, blocks) = counts();
    let mut inputs = vec![Input::from_bytes(name.to_owned(), file.to_vec())];
    for damage in damages(file.len(), cuts, flips, blocks, seed) {
        inputs.push(Input::from_bytes(format!("{name} {damage:?}"), damage.apply(file)));
    }
    for (slot, log) in cut_modules(file) {
        inputs.push(Input::from_bytes(format!("{name} module {slot} cut"), log));
    }
    for (slot, log) in lost_modules(file) {
        inputs.push(Input::from_bytes(format!("{name} module {slot} lost"), log));
    }
    inputs
}

/// Asserts what a report of a damaged log has to say, and counts the checks that do not know.
fn judge(set: &CheckSet, intact: &Report, report: &Report) -> usize {
    compare(intact, report);
    let what = || format!("{:?}", report.logs);
    let problems: Vec<&str> = report.problems.iter().map(|p| p.reason.as_str()).collect();
    assert!(problems.is_empty(), "{}: {problems:?}", what());
    let verdicts = report.findings.len()
        + report.passed.len()
        + report.not_applicable.len()
        + report.unknown.len();
    assert_eq!(verdicts, set.checks.len(), "{}", what());
    assert!(report.unknown.iter().all(|u| u.reason.len() > 10), "{}", what());
    report.unknown.len()
}

#[test]
fn damaged_logs_get_a_verdict_per_check_and_unknown_ones_a_reason() {
    let set = CheckSet::builtin().expect("the built-in checks are valid");
    let logs = corpus_logs().into_iter().enumerate();
    let unknown = on_all_processors(logs, |(place, path)| {
        let file = std::fs::read(&path).expect("a log of the corpus can be read");
        let name = path.display().to_string();
        let inputs = inputs(&name, &file, seed() + place as u64);
        let mut session = Session::new(inputs, OpenOptions::default());
        // The rows of all metrics, so that none is left out.
        let reports = diagnose(&mut session, &set, &MetricRows::All(1));
        let reports = reports.unwrap_or_else(|error| panic!("{name}: {error}"));
        reports.iter().map(|report| judge(&set, &reports[0], report)).sum::<usize>()
    });
    let unknown: usize = unknown.into_iter().sum();
    assert!(unknown > 100, "what is damaged is unknown: {unknown}");
}
