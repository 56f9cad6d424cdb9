//! The engine around the checks: bad pages, settings, order.

use diya_checks::{Case, Check, Config, LogVerdicts, Severity, Verdicts, builtin, decide, trial};
use diya_metrics::{Catalog, Failed, MetricError};

fn named(id: &str) -> Check {
    let checks = builtin().expect("the built-in checks are valid");
    checks.into_iter().find(|check| check.id == id).expect("there is such a check")
}

/// Verdicts on one case of a check.
fn verdicts(cases: &[Case], checks: &[Check], config: &Config) -> Verdicts {
    let mut query = trial::query_over(cases, checks).expect("the cases are tables");
    decide(&mut query, checks, config, Catalog::built_in(), &[]).expect("the tables are there")
}

fn only_log(verdicts: &Verdicts) -> &LogVerdicts {
    verdicts.logs.first().expect("there is a log")
}

#[test]
fn a_check_with_an_unknown_column_is_named_by_line_and_the_others_run() {
    let good = named("posix/small-requests");
    let mut bad = named("posix/random-access");
    bad.path = "site/a.md".to_owned();
    bad.applies.text = "select log from posix".to_owned();
    bad.evidence.text = "select log, no_such_column from posix".to_owned();
    let cases = &good.cases[..1];
    let verdicts = verdicts(cases, &[bad.clone(), good.clone()], &Config::default());
    let problem = verdicts.problems.first().map(ToString::to_string).unwrap_or_default();
    let place = format!("site/a.md:{}: there is no column", bad.evidence.line);
    assert!(problem.starts_with(&place), "{problem}");
    assert_eq!(only_log(&verdicts).findings[0].finding().id, good.id);
}

#[test]
fn a_query_that_forgets_the_log_is_refused() {
    let mut check = named("posix/small-requests");
    check.applies.text = "select rank from posix".to_owned();
    let verdicts = verdicts(&check.cases[..1], std::slice::from_ref(&check), &Config::default());
    assert!(verdicts.problems[0].to_string().contains("no column log"));
}

#[test]
fn a_parameter_of_the_settings_moves_the_limit() {
    let check = named("posix/small-requests");
    let checks = std::slice::from_ref(&check);
    let text = "[\"posix/small-requests\"]\nmin_calls = 5000\nfew_calls = 5000";
    let config = Config::parse(text, checks).expect("these settings are valid");
    let verdicts = verdicts(&check.cases[..1], checks, &config);
    assert_eq!(only_log(&verdicts).passed.len(), 1);
    let wrong = Config::parse("[\"posix/small-requests\"]\nmin_cals = 1", checks);
    assert!(wrong.unwrap_err().to_string().ends_with("nearest: min_calls"));
}

#[test]
fn a_limit_that_a_metric_shares_cannot_be_set() {
    let check = named("posix/small-requests");
    let text = "[\"posix/small-requests\"]\nsmall_below = 4096";
    let refused = Config::parse(text, std::slice::from_ref(&check)).unwrap_err().to_string();
    assert!(refused.ends_with("lost_small_requests, which counts with 102400"), "{refused}");
}

#[test]
fn severity_follows_the_seconds_of_the_run() {
    let check = named("posix/small-requests");
    let checks = std::slice::from_ref(&check);
    let of = |text: &str| {
        let config = Config::parse(text, checks).expect("these settings are valid");
        only_log(&verdicts(&check.cases[..1], checks, &config)).findings[0].finding().severity
    };
    assert_eq!(of(""), Severity::High);
    assert_eq!(of("[severity]\nhigh_ratio = 0.9"), Severity::Warn);
    assert_eq!(of("[severity]\nhigh_ratio = 0.9\nwarn_ratio = 0.9"), Severity::Info);
    assert_eq!(of("[severity]\nleast_s = 101"), Severity::Info);
}

#[test]
fn a_finding_carries_what_a_report_needs() {
    let check = named("posix/rank-zero-only");
    let verdicts = verdicts(&check.cases[..1], std::slice::from_ref(&check), &Config::default());
    let (finding, advice) = only_log(&verdicts).findings[0].clone().into_parts();
    assert_eq!(finding.ranks, [0]);
    assert_eq!(finding.evidence_rows, 1);
    assert!(advice.actions.iter().any(|(action, _)| action.stack == "MPI-IO"));
    assert!(!advice.contraindications.is_empty() && !advice.gain.is_empty());
    assert!(finding.thresholds.contains_key("min_bytes"));
}

#[test]
fn a_header_without_a_layer_is_told_what_to_add() {
    let page = include_str!("../../../checks/posix/random-access.md");
    let old: String =
        page.split_inclusive('\n').filter(|line| !line.starts_with("layer")).collect();
    let error = Check::parse("site/posix/random-access.md", &old).unwrap_err().to_string();
    let told = "`layer` is missing: add the layer of the calls, layer = \"posix\"";
    assert_eq!(error, format!("site/posix/random-access.md:2: {told}"));
}

#[test]
fn a_condition_needs_its_column_in_the_evidence() {
    let page = include_str!("../../../checks/posix/random-access.md");
    let heading = "## How to verify\n\n";
    let page = page.replace(heading, &format!("{heading}{{if = \"one rank is late\"}} "));
    let error = Check::parse("site/posix/random-access.md", &page).unwrap_err().to_string();
    let told = "\"one rank is late\" needs a column is_one_late of the evidence: there is none";
    assert!(error.ends_with(told), "{error}");
}

#[test]
fn a_query_that_runs_away_is_stopped_and_the_others_run() {
    let good = named("posix/small-requests");
    // Only a page that does not come with diya is held to limits.
    let page = include_str!("../../../checks/posix/random-access.md");
    let mut runaway = Check::parse("site/posix/random-access.md", page).expect("the page is valid");
    runaway.applies.text = "select log from posix".to_owned();
    // Every row with every row of a table, twice: 27 million rows of 300.
    runaway.evidence.text =
        "select a.log from posix as a cross join posix as b cross join posix as c".to_owned();
    let mut case = good.cases[0].clone();
    for (name, table) in &mut case.fixtures {
        if name == "posix" {
            let row = table.rows[0].clone();
            table.rows = vec![row; 300];
        }
    }
    let checks = [runaway, good];
    let verdicts = verdicts(&[case], &checks, &Config::default());
    let problem = verdicts.problems.first().map(ToString::to_string).unwrap_or_default();
    assert!(
        problem.starts_with("site/posix/random-access.md:") && problem.contains("more than"),
        "{problem}"
    );
    assert_eq!(only_log(&verdicts).findings[0].finding().id, "posix/small-requests");
}

#[test]
fn a_check_whose_metric_failed_is_unknown_with_the_reason() {
    let check = named("posix/small-requests");
    let metric = check.needs.iter().find(|need| Catalog::built_in().get(need).is_some());
    let metric = metric.expect("it needs a metric").clone();
    let checks = std::slice::from_ref(&check);
    let mut query = trial::query_over(&check.cases[..1], checks).expect("the cases are tables");
    let error = MetricError::Stopped("a damaged number".to_owned());
    let failed = [Failed { metric: metric.clone(), error }];
    let verdicts = decide(&mut query, checks, &Config::default(), Catalog::built_in(), &failed);
    let verdicts = verdicts.expect("the tables are there");
    let unknown = &only_log(&verdicts).unknown;
    let begin = format!("the metric {metric} could not be computed: it stopped in the middle");
    assert!(unknown[0].reason.starts_with(&begin), "{}", unknown[0].reason);
    assert!(verdicts.problems.is_empty());
}

#[test]
fn a_check_with_a_floor_does_not_pass_calls_whose_time_nobody_explains() {
    let unexplained = named("job/unexplained-io");
    let storm = named("posix/metadata-storm");
    let case = unexplained.cases[0].clone();
    let mut quiet = storm;
    quiet.applies.text = "select log from job".to_owned();
    let checks = [quiet, unexplained];
    let verdicts = verdicts(&[case], &checks, &Config::default());
    let log = only_log(&verdicts);
    assert_eq!(log.findings[0].finding().severity, Severity::Unexplained);
    assert!(log.passed.is_empty(), "{:?}", log.passed);
    assert_eq!(log.not_applicable[0].id, "posix/metadata-storm");
}
