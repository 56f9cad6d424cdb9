//! The verdict of made-up reports.

use super::*;
use diya_report::{AccountRow, LateRank, Recoverable, Unknown, Verdict};

fn row(layer: &str, class: &str, time_s: f64) -> AccountRow {
    let (layer, class) = (layer.to_owned(), class.to_owned());
    AccountRow { layer, class, time_s, ..AccountRow::default() }
}

/// Lock calls that wait.
fn locks(time_s: f64) -> AccountRow {
    AccountRow { awaited: Some("locks".to_owned()), ..row("posix", "lock", time_s) }
}

fn report(io_s: f64, run_s: Option<f64>) -> Report {
    let verdict = Verdict {
        io_s: Some(io_s),
        run_s,
        bytes: Some(5 << 30),
        confidence: Confidence::High,
        ..Verdict::default()
    };
    let computing_s = run_s.unwrap_or(io_s) - io_s;
    let time_account = vec![
        row("posix", "write", io_s * 0.75),
        row("posix", "sync", io_s * 0.25),
        row("program", "computing", computing_s),
    ];
    Report { verdict, time_account, ..Report::default() }
}

/// `heading`: where time without a known cause is.
fn finding(severity: Severity, heading: &str) -> Finding {
    Finding { severity, heading: Some(heading.to_owned()), ..Finding::default() }
}

fn said(report: &Report) -> String {
    text(report, true)
}

#[test]
fn findings_come_with_the_account_and_what_they_save() {
    let mut report = report(12.0, Some(80.0));
    report.findings.push(finding(Severity::High, ""));
    report.all_fixed =
        Some(Recoverable { saved_s: Some(8.4), lost_low_s: Some(6.0), lost_high_s: Some(9.0) });
    assert_eq!(
        said(&report),
        "I/O takes 12.0 s of the 80.0 s run (15 %): write 9.0 s, sync 3.0 s; computing and other \
         work: 68.0 s. One finding is worth a fix; the estimated saving is about 8.4 s (6 to 9)."
    );
    assert_eq!(together(&report), None);
    report.findings.push(finding(Severity::Warn, ""));
    assert_eq!(
        together(&report).as_deref(),
        Some("All fixes together save about 8.4 s (6 to 9) of 12.0 s in I/O.")
    );
    report.all_fixed =
        Some(Recoverable { saved_s: Some(14.0), lost_low_s: Some(6.0), lost_high_s: Some(15.0) });
    assert_eq!(together(&report).as_deref(), Some("All fixes together save about 14 s (6 to 15)."));
    report.all_fixed =
        Some(Recoverable { saved_s: Some(8.4), lost_low_s: Some(6.0), lost_high_s: Some(9.0) });
    report.findings.iter_mut().for_each(|finding| finding.saved_s = Some(8.0));
    assert_eq!(
        together(&report).as_deref(),
        Some(
            "All fixes together save about 8.4 s (6 to 9) of 12.0 s in I/O. This is less than \
             the sum of the findings: some of them count the same time."
        )
    );
}

#[test]
fn waits_are_not_headlined_as_io() {
    let mut report = report(3.0, Some(5.0));
    let late = Some(LateRank { name: "rank 3".to_owned(), ..LateRank::default() });
    report.findings.push(Finding { late, ..finding(Severity::High, "") });
    report.time_account = vec![
        AccountRow {
            late_s: Some(2.5),
            awaited: Some("rank 3".to_owned()),
            ..row("mpiio", "wait", 2.6)
        },
        row("posix", "write", 0.4),
        row("program", "computing", 2.0),
    ];
    assert_eq!(
        said(&report),
        "Ranks wait 2.50 s of the 5.00 s run (50 %) for rank 3. Other I/O takes 0.50 s: write \
         0.40 s, data exchange between ranks 0.10 s; computing and other work: 2.00 s. One \
         finding is worth a fix."
    );
    assert_eq!(
        text(&report, false),
        "Ranks wait 2.50 s of the 5.00 s run (50 %) for rank 3. Other I/O takes 0.50 s. One \
         finding is worth a fix."
    );
    report.time_account[1] = locks(0.4);
    assert!(said(&report).starts_with(
        "Ranks wait 2.90 s of the 5.00 s run (58 %): 2.50 s for rank 3, 0.40 s for locks. "
    ));
    // Too short to wait for anybody.
    report.time_account[1] = row("posix", "lock", 0.4);
    let text = said(&report);
    assert!(text.starts_with("Ranks wait 2.50 s of the 5.00 s run (50 %) for rank 3. "), "{text}");
    assert!(text.contains("file locks 0.40 s"), "{text}");
    // The smaller wait has its rank where a finding tells more about it.
    report.time_account[0].time_s = 0.3;
    report.time_account[0].late_s = Some(0.3);
    report.time_account[1] = locks(2.4);
    let rank = |report: &Report| said(report).contains("2.40 s for locks, 0.30 s for rank 3");
    assert!(said(&report).contains("2.40 s for locks, 0.30 s for other ranks. "));
    report.findings[0].text = "The others wait for rank 33.".to_owned();
    assert!(!rank(&report));
    report.findings[0].text = "The others wait for rank 3, which enters last.".to_owned();
    assert!(rank(&report));
    report.time_account[0].time_s = 0.1;
    report.time_account[0].late_s = Some(0.1);
    report.time_account[1] = row("posix", "write", 2.9);
    assert!(said(&report).starts_with("I/O takes 3.00 s of the 5.00 s run (60 %): "));
}

#[test]
fn what_recording_takes_is_said_where_it_is_much() {
    let mut report = report(3.0, Some(5.0));
    assert_eq!(recording(&report), None);
    report.verdict.recorder_s = Some(0.5);
    assert_eq!(recording(&report).as_deref(), Some("makes the 5.00 s run longer, by about 0.50 s"));
    report.job.nprocs = Some(4);
    assert_eq!(
        recording(&report).as_deref(),
        Some("makes the 5.00 s run longer, by at least 0.50 s")
    );
    report.verdict.recorder_s = Some(0.05);
    assert_eq!(recording(&report), None);
    report.verdict.recorder_s = Some(9.0); // of threads side by side
    assert_eq!(
        recording(&report).as_deref(),
        Some("makes the 5.00 s run longer, by at least 2.00 s")
    );
}

#[test]
fn time_that_no_check_explains_is_not_judged() {
    let mut report = report(12.0, Some(80.0));
    report.findings.push(finding(Severity::Unexplained, "9 s in `ftruncate`"));
    assert_eq!(kind(&report), VerdictKind::NotJudged);
    assert!(said(&report).ends_with("The cause of 9 s in `ftruncate` is unknown (marked ?)."));
}

#[test]
fn large_requests_run_at_the_possible_speed() {
    let mut report = report(10.0, Some(20.0));
    let write = &mut report.time_account[0];
    (write.is_at_speed, write.bytes, write.calls) = (true, Some(15 << 30), Some(960));
    assert_eq!(
        said(&report),
        "I/O takes 10.0 s of the 20.0 s run (50 %): write 7.5 s, sync 2.5 s; computing and other \
         work: 10.0 s. I/O is as fast as the log or the machine profile shows to be possible: \
         2.00 GiB/s over all processes, in requests of 16.0 MiB on average. Only \
         reading or writing less would save time."
    );
    // Four ranks write at once, the account holds the slowest.
    report.verdict.bytes = Some(60 << 30);
    assert!(said(&report).contains("possible: 8.00 GiB/s over all processes"));
}

#[test]
fn calls_that_submit_requests_are_no_requests() {
    let mut report = report(10.0, Some(20.0));
    let moved = |bytes, calls| AccountRow {
        is_at_speed: true,
        bytes: Some(bytes),
        calls: Some(calls),
        ..row("posix", "write", 5.0)
    };
    report.time_account[0] = moved(15 << 30, 960);
    report.time_account[1] = moved(0, 9999);
    assert!(said(&report).contains("in requests of 16.0 MiB"));
}

#[test]
fn little_io_is_not_the_problem() {
    let text = said(&report(0.9, Some(100.0)));
    assert_eq!(text, "I/O is not the problem: it takes 0.9 s of the 100 s run (0.9 %).");
    let verdict = Verdict { io_s: Some(0.8), run_s: Some(600.0), ..Verdict::default() };
    let text = said(&Report { verdict, ..Report::default() });
    assert_eq!(text, "I/O is not the problem: it takes 0.8 s of the 10 min 00 s run (0.1 %).");
    let text = said(&report(3.0, Some(100.0)));
    let end = "computing and other work: 97 s. I/O is not the problem: it takes less than 5 % of the run time.";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn a_log_that_cannot_show_everything_vouches_for_what_it_shows() {
    let mut report = report(0.9, Some(100.0));
    let locks = Some("locks".to_owned());
    let locks = Unknown { topic: locks, hides_time: true, ..Default::default() };
    report.unknown.push(locks);
    assert_eq!(
        said(&report),
        "The recorded I/O is not the problem: it takes 0.9 s of the 100 s run (0.9 %). Not \
         in the log, so not judged: the time of locks."
    );
}

#[test]
fn a_loss_beside_unknown_checks_is_not_judged() {
    let mut report = report(10.0, Some(20.0));
    report.verdict.confidence = Confidence::Low;
    report.verdict.not_captured = vec!["POSIX: records are missing".to_owned()];
    report.unknown.push(Unknown::default());
    assert!(said(&report).ends_with("Could not be judged: POSIX: records are missing."));
}

#[test]
fn what_is_not_known_is_said() {
    assert_eq!(said(&Report::default()), "Could not be judged: I/O time was not recorded.");
    assert_eq!(
        said(&report(1.0, None)),
        "I/O takes 1.00 s. The run time was not recorded, so the share of I/O is unknown."
    );
    let verdict = Verdict {
        io_s: Some(0.0),
        run_s: Some(1.0),
        confidence: Confidence::High,
        ..Verdict::default()
    };
    let silent = Report { verdict, ..Report::default() };
    assert_eq!(said(&silent), "No file I/O was recorded: I/O is not the problem.");
}

#[test]
fn a_finding_is_first_only_where_no_other_about_its_time_saves_more() {
    let mut report = report(12.0, Some(80.0));
    let saving = |saved_s| Finding { saved_s: Some(saved_s), ..finding(Severity::High, "") };
    let same = Finding { explained_by: Some("a".into()), same_time_as: Some(1), ..saving(6.0) };
    report.findings = vec![saving(5.0), saving(2.0), same];
    let all = Recoverable { saved_s: Some(5.0), lost_low_s: Some(3.0), lost_high_s: Some(6.0) };
    report.all_fixed = Some(all);
    let first = " Finding 1 alone saves this much: fix it first.";
    assert!(together(&report).is_some_and(|text| text.ends_with(first)));
    report.findings[2].saves_more = true;
    let sum = "some of them count the same time.";
    assert!(together(&report).is_some_and(|text| text.ends_with(sum)));
}
