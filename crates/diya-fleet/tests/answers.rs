//! Questions to fleets whose truth is known: each fault that was planted is named, and
//! nothing else.

use diya::Threads;
use diya_export::{ResultFormat, write_rows};
use diya_fleet::{Dataset, FleetQuery, IngestOptions, Question, ingest};
use diya_fleet_logs::{Plan, Sample, write};
use diya_query::Rows;
use diya_testkit::root;
use std::path::Path;
use tempfile::TempDir;

/// A dataset of made-up jobs, and what was planted.
fn fleet(seed: u64, has_faults: bool) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("logs");
    let samples = Sample::corpus(&root().join("corpus/logs")).expect("the corpus");
    let made = write(&logs, &samples, &Plan { jobs: 1000, seed, has_faults }).expect("written");
    let options = IngestOptions {
        paths: vec![logs],
        system: "test".to_owned(),
        threads: 2,
        skips_findings: true,
        ..IngestOptions::default()
    };
    ingest(&folder.path().join("data"), &options).expect("ingested");
    (folder, made.truth)
}

fn asked(folder: &Path) -> FleetQuery {
    Dataset::open(&folder.join("data")).expect("a dataset").ask(Threads::new(2)).expect("readable")
}

/// The answer as lines of CSV, of these columns.
fn answer(dataset: &FleetQuery, question: &str, columns: &[&str]) -> Vec<String> {
    answer_with(dataset, question, columns, &[])
}

/// The same, with these parameters.
fn answer_with(
    dataset: &FleetQuery,
    question: &str,
    columns: &[&str],
    set: &[(&str, f64)],
) -> Vec<String> {
    let all = Question::built_in().expect("they can be read");
    let question = all.iter().find(|of| of.name == question).expect("there is one");
    let set: Vec<(String, f64)> = set.iter().map(|(name, of)| ((*name).to_owned(), *of)).collect();
    let sql = question.statement(&set).expect("it has these parameters");
    let rows = dataset.run(&sql).unwrap_or_else(|error| panic!("{}: {error}", question.name));
    let names: Vec<&str> = rows.schema.fields().iter().map(|f| f.name().as_str()).collect();
    let said: Vec<&str> = question.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, said, "the header of {} names its columns", question.name);
    let places: Vec<usize> =
        columns.iter().map(|c| names.iter().position(|n| n == c).expect("a column")).collect();
    let cells = |line: &String| -> String {
        let all: Vec<&str> = line.split(',').collect();
        places.iter().map(|place| all[*place]).collect::<Vec<_>>().join(" ")
    };
    lines(&rows).iter().map(cells).collect()
}

/// Rows as lines of CSV, without the header.
fn lines(rows: &Rows) -> Vec<String> {
    let mut text = Vec::new();
    write_rows(&mut text, rows, ResultFormat::Csv).expect("CSV");
    String::from_utf8(text).expect("text").lines().skip(1).map(str::to_owned).collect()
}

/// Numbers of the list that follows `key` in a section of the truth.
fn count(truth: &str, section: &str) -> usize {
    let after = truth.split(&format!("[{section}]")).nth(1).expect("the section");
    let list = after.split("job_ids = [").nth(1).expect("its jobs");
    list.split(']').next().expect("an end").split(',').count()
}

/// Fleets that are made and judged: `DIYA_SEEDS` names a larger number.
fn seeds() -> u64 {
    std::env::var("DIYA_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

/// Texts of the list that follows `key` in a section of the truth.
fn texts(truth: &str, section: &str, key: &str) -> Vec<String> {
    let after = truth.split(&format!("[{section}]")).nth(1).expect("the section");
    let list = after.split(&format!("{key} = ")).nth(1).expect("its key");
    let list = list.lines().next().expect("a value").trim_matches(['[', ']']);
    list.split(", ").map(|text| text.trim_matches('"').to_owned()).collect()
}

#[test]
fn planted_faults_are_named_and_nothing_else() {
    for seed in 1..=seeds() {
        let (folder, truth) = fleet(seed, true);
        let dataset = asked(folder.path());
        let slow = answer(&dataset, "targets", &["day", "ost_id", "is_slow", "is_hot"]);
        let days = texts(&truth, "slow_target", "days");
        let slow_days: Vec<String> =
            days.iter().map(|day| format!("{day}T00:00:00Z 7 true false")).collect();
        assert_eq!(slow, slow_days, "seed {seed}");
        let hot = answer(&dataset, "hot-targets", &["ost_id", "program"]);
        assert_eq!(hot, ["3 fusion_pic"], "seed {seed}");
        let regressions = answer(&dataset, "regressions", &["user_name", "program"]);
        assert_eq!(regressions, ["ines weather_grid"], "seed {seed}");
        let versions = answer(&dataset, "versions", &["library_version", "is_slow"]);
        assert_eq!(versions, ["3.4.4 false", "3.4.6 true"], "seed {seed}");
        let coverage = answer(&dataset, "coverage", &["kind", "logs"]);
        let copies = count(&truth, "duplicates");
        assert!(coverage.contains(&format!("duplicate {copies}")), "seed {seed}: {coverage:?}");
        let skewed: usize = answer(&dataset, "clocks", &["jobs"])
            .iter()
            .map(|jobs| jobs.parse::<usize>().expect("a number"))
            .sum();
        assert_eq!(skewed, count(&truth, "clock_skew"), "seed {seed}");
    }
}

#[test]
fn a_healthy_fleet_has_none_of_them() {
    for seed in 1..=seeds() {
        let (folder, _) = fleet(seed, false);
        let dataset = asked(folder.path());
        for question in ["targets", "hot-targets", "regressions", "clocks"] {
            let named = answer(&dataset, question, &["system"]);
            assert!(named.is_empty(), "{question}, seed {seed}");
        }
        let slow = answer(&dataset, "versions", &["is_slow"]);
        assert!(slow.iter().all(|is_slow| is_slow == "false"), "seed {seed}");
    }
}

#[test]
fn every_question_has_an_answer_before_and_after_a_compaction() {
    let (folder, _) = fleet(2, true);
    let names: Vec<String> =
        Question::built_in().expect("readable").into_iter().map(|of| of.name).collect();
    let all = |dataset: &FleetQuery| -> Vec<Vec<String>> {
        names.iter().map(|name| answer(dataset, name, &[])).collect()
    };
    let before = all(&asked(folder.path()));
    Dataset::open(&folder.path().join("data")).expect("open").compact().expect("compacted");
    assert_eq!(before, all(&asked(folder.path())));
}

/// The speeds of targets over the median of their day, and their distances from it, by joins:
/// slower than the question, and easier to check.
const SPEEDS: &str = "
with of_day as (
  select date_trunc('day', start_time) as day, ost_id,
         ln(ratio(sum(alone_bytes), sum(alone_s))) as speed_ln
  from job_target where alone_s > 0 group by date_trunc('day', start_time), ost_id
),
middle as (select day, percentile(speed_ln, 0.5) as median_ln from of_day group by day),
spread as (
  select m.day, percentile(abs(speed_ln - median_ln), 0.5) as distance_ln
  from of_day as d join middle as m on m.day = d.day group by m.day
)
select round(exp(speed_ln - median_ln), 9) as speed_ratio,
       round((speed_ln - median_ln) / (1.4826 * distance_ln), 6) as z
from of_day as d join middle as m on m.day = d.day join spread as s on s.day = d.day
order by d.day, ost_id";

#[test]
fn medians_by_place_are_medians() {
    let (folder, _) = fleet(3, true);
    let dataset = asked(folder.path());
    // Every target of every day.
    let all = [("min_files", 0.0), ("slow_ratio", 1e9), ("slow_z", 1e9)];
    let columns = ["speed_ratio", "z"];
    let speeds = answer_with(&dataset, "targets", &columns, &all);
    let expected = lines(&dataset.run(SPEEDS).expect("it runs"));
    assert_eq!(speeds.len(), expected.len());
    assert!(speeds.len() > 300, "{} targets and days", speeds.len());
    for (speed, expected) in speeds.iter().zip(expected) {
        let numbers = |text: &str, by: char| -> Vec<f64> {
            text.split(by).map(|cell| cell.parse().expect("a number")).collect()
        };
        for (a, b) in numbers(speed, ' ').into_iter().zip(numbers(&expected, ',')) {
            assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{speed} instead of {expected}");
        }
    }
}

#[test]
fn rows_are_counted_without_a_column() {
    let (folder, _) = fleet(4, false);
    let dataset = asked(folder.path());
    let count = |sql: &str| lines(&dataset.run(sql).expect("it runs"));
    assert_eq!(count("select count(*) from (select 1 as one from job) as ones"), ["1000"]);
    assert_eq!(count("select sum(one) from (select 1 as one from job) as ones"), ["1000"]);
}
