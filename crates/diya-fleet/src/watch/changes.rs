//! Which problems are new, worse or fixed.

use super::state::{Problem, State};
use super::{Row, WatchOptions, objects, plain};
use crate::ask::Watched;
use crate::{AnswerColumn, AskError, FleetQuery, Question};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Where no two equal runs were seen: published noise of equal runs is 6 to 7 %.
const USUAL_NOISE: f64 = 0.1;

/// Rows of a question that are followed: no more fit into a state that people can read.
const MOST: f64 = 10_000.0;

/// What became of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Transition {
    /// It was not there the last time.
    New,
    /// It grew by more than equal runs differ.
    Worse,
    /// It is gone, and jobs ran that could have had it.
    Fixed,
}

/// Problems of a question.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Section {
    /// What became of them.
    pub kind: Transition,
    /// Name of the question.
    pub question: String,
    /// The question in a sentence.
    pub title: String,
    /// Its columns.
    #[serde(skip)]
    pub columns: Vec<AnswerColumn>,
    /// Column with the size of a problem.
    #[serde(skip)]
    pub value: Option<AnswerColumn>,
    /// The problems.
    pub changes: Vec<Change>,
}

/// A problem.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Change {
    /// Its size when it was reported last.
    pub before: Option<f64>,
    /// Its row; of a fixed one the last row.
    pub row: Row,
}

/// Changes of all questions.
pub struct Changes {
    pub sections: Vec<Section>,
    pub failed: Vec<(String, String)>,
}

pub fn find(
    asked: &FleetQuery,
    questions: &[Question],
    state: &mut State,
    options: &WatchOptions,
) -> Result<Changes, AskError> {
    let noise = noise(asked, questions)?;
    let last_s = last_start(asked)?;
    let (mut sections, mut failed) = (Vec::new(), Vec::new());
    for question in questions {
        let Some(watched) = &question.watch else { continue };
        let rows = match asked.run(&statement(question, options)?) {
            Ok(rows) => objects(&rows),
            Err(AskError::Query(error)) => {
                failed.push((question.name.clone(), error.to_string()));
                continue;
            }
            Err(error) => return Err(error),
        };
        let since_s = last_s - options.days * 86_400.0;
        let now = current(watched, rows, since_s);
        let ran = last_runs(asked, watched)?;
        let open = state.problems.entry(question.name.clone()).or_default();
        let of = compare(watched, now, open, &ran, &noise, options);
        let is_value = |column: &&AnswerColumn| {
            watched.value.as_ref().is_some_and(|(name, _)| *name == column.name)
        };
        for (kind, changes) in
            [Transition::New, Transition::Worse, Transition::Fixed].into_iter().zip(of)
        {
            if !changes.is_empty() {
                sections.push(Section {
                    kind,
                    question: question.name.clone(),
                    title: question.title.clone(),
                    columns: question.columns.clone(),
                    value: question.columns.iter().find(is_value).cloned(),
                    changes,
                });
            }
        }
    }
    Ok(Changes { sections, failed })
}

/// The statement of a question about the days that count as now.
pub fn statement(question: &Question, options: &WatchOptions) -> Result<String, AskError> {
    let of_watch = [("days", options.days), ("most", MOST)];
    let known = |(name, _): &(&str, f64)| question.params.iter().any(|param| param.name == *name);
    let set = of_watch.into_iter().filter(known).map(|(name, value)| (name.to_owned(), value));
    question.statement(&set.collect::<Vec<_>>())
}

/// By how much equal runs of a system differ: nine of ten pairs are within it.
fn noise(asked: &FleetQuery, questions: &[Question]) -> Result<HashMap<String, f64>, AskError> {
    let Some(question) = questions.iter().find(|of| of.name == "noise") else {
        return Ok(HashMap::new());
    };
    let rows = objects(&asked.run(&question.statement(&[])?)?);
    let of = |row: &Row| Some((plain(row.get("system")), row.get("p90_ratio")?.as_f64()?));
    Ok(rows.iter().filter_map(of).collect())
}

fn last_start(asked: &FleetQuery) -> Result<f64, AskError> {
    let rows = asked.objects("select max(to_unixtime(start_time)) as last_s from job")?;
    let last = rows.first().and_then(|row| row.get("last_s")?.as_f64());
    Ok(last.unwrap_or(0.0))
}

/// Latest start of a job by the values of `ran`.
fn last_runs(asked: &FleetQuery, watched: &Watched) -> Result<HashMap<String, f64>, AskError> {
    let columns = watched.ran_sql();
    let named = columns.iter().zip(&watched.ran).map(|(sql, name)| format!("{sql} as {name}"));
    let sql = format!(
        "select {}, max(to_unixtime(start_time)) as last_s from job where start_time is not null group by {}",
        named.collect::<Vec<_>>().join(", "),
        columns.join(", ")
    );
    let rows = asked.objects(&sql)?;
    let of = |row: &Row| Some((key(&watched.ran, row), row.get("last_s")?.as_f64()?));
    Ok(rows.iter().filter_map(of).collect())
}

/// Values of columns as one text that no value can imitate.
fn key(columns: &[String], row: &Row) -> String {
    let values: Vec<_> = columns.iter().map(|name| plain(row.get(name.as_str()))).collect();
    serde_json::json!(values).to_string()
}

/// One row for each problem in the order of the answer: of one with days the latest row.
fn current(watched: &Watched, mut rows: Vec<Row>, since_s: f64) -> Vec<(String, Row)> {
    if let Some(day) = &watched.day {
        let is_recent = |row: &Row| {
            let time = plain(row.get(day)).parse::<jiff::Timestamp>();
            // The whole day counts of which a part does.
            time.is_ok_and(|time| time.as_second() as f64 + 86_400.0 > since_s)
        };
        rows.retain(is_recent);
        rows.sort_by_cached_key(|row| std::cmp::Reverse(plain(row.get(day))));
    }
    let mut seen = HashSet::new();
    let keyed = rows.into_iter().map(|row| (key(&watched.key, &row), row));
    keyed.filter(|(key, _)| seen.insert(key.clone())).collect()
}

/// New, worse and fixed ones; the state follows.
fn compare(
    watched: &Watched,
    now: Vec<(String, Row)>,
    open: &mut BTreeMap<String, Problem>,
    ran: &HashMap<String, f64>,
    noise: &HashMap<String, f64>,
    options: &WatchOptions,
) -> [Vec<Change>; 3] {
    let [mut new, mut worse, mut fixed] = [Vec::new(), Vec::new(), Vec::new()];
    let last_job = |row: &Row| ran.get(&key(&watched.ran, row)).copied().unwrap_or(0.0);
    let names: HashSet<&str> = now.iter().map(|(name, _)| name.as_str()).collect();
    open.retain(|name, problem| {
        let is_gone = !names.contains(name.as_str()) && last_job(&problem.row) > problem.last_job_s;
        if is_gone {
            fixed.push(Change { before: problem.value, row: problem.row.clone() });
        }
        !is_gone
    });
    for (name, row) in now {
        let value = watched.value.as_ref().and_then(|(column, _)| row.get(column)?.as_f64());
        let is_up = watched.value.as_ref().is_none_or(|(_, is_up)| *is_up);
        let last_job_s = last_job(&row);
        let Some(known) = open.get_mut(&name) else {
            let since = options.today().to_string();
            open.insert(name, Problem { since, value, last_job_s, row: row.clone() });
            new.push(Change { before: None, row });
            continue;
        };
        let system = plain(row.get("system"));
        let floor = noise.get(&system).copied().unwrap_or(USUAL_NOISE);
        let step = known.value.zip(value).map(|(before, now)| growth(before, now, is_up));
        if step.is_some_and(|step| step > floor) {
            worse.push(Change { before: known.value, row: row.clone() });
            known.value = value;
        } else if step.is_none_or(|step| step < 0.0) {
            known.value = value.or(known.value);
        }
        (known.last_job_s, known.row) = (last_job_s, row);
    }
    [new, worse, fixed]
}

/// By how much it is worse, as `noise` measures: the difference over the sum.
fn growth(before: f64, now: f64, is_up: bool) -> f64 {
    let sum = before.abs() + now.abs();
    let step = if sum > 0.0 { (now - before) / sum } else { 0.0 };
    if is_up { step } else { -step }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: &[(&str, f64)]) -> Vec<Row> {
        let row = |(user, value): &(&str, f64)| {
            let cells =
                [("system", "s".into()), ("user_name", (*user).into()), ("x", (*value).into())];
            cells.map(|(name, value): (&str, serde_json::Value)| (name.to_owned(), value))
        };
        of.iter().map(|of| row(of).into_iter().collect()).collect()
    }

    /// Users that are new, worse and fixed.
    fn step(
        open: &mut BTreeMap<String, Problem>,
        now: &[(&str, f64)],
        ran: &[(&str, f64)],
    ) -> [Vec<String>; 3] {
        let watched = Watched::parse("key=system,user_name value=x up ran=user_name");
        let watched = watched.expect("it is complete");
        let ran = ran.iter().map(|(user, at)| (format!("[\"{user}\"]"), *at)).collect();
        let noise = HashMap::from([("s".to_owned(), 0.2)]);
        let now_at = "2026-03-20T00:00:00Z".parse().expect("a time");
        let options = WatchOptions { days: 7.0, quiet_days: 14, most_calls: 10, now: now_at };
        let now = current(&watched, rows(now), 0.0);
        let users = |of: Vec<Change>| of.iter().map(|c| plain(c.row.get("user_name"))).collect();
        compare(&watched, now, open, &ran, &noise, &options).map(users)
    }

    #[test]
    fn a_problem_is_new_once_and_fixed_when_newer_jobs_lack_it() {
        let mut open = BTreeMap::new();
        let none = Vec::<String>::new();
        let new = step(&mut open, &[("a", 1.0)], &[("a", 10.0)]);
        assert_eq!(new, [vec!["a".to_owned()], none.clone(), none.clone()]);
        let same = step(&mut open, &[("a", 1.0)], &[("a", 20.0)]);
        assert_eq!(same, [none.clone(), none.clone(), none.clone()]);
        // No job since: that it is not seen says nothing.
        assert_eq!(
            step(&mut open, &[], &[("a", 20.0)]),
            [none.clone(), none.clone(), none.clone()]
        );
        let fixed = step(&mut open, &[], &[("a", 30.0)]);
        assert_eq!(fixed, [none.clone(), none, vec!["a".to_owned()]]);
        assert!(open.is_empty());
    }

    #[test]
    fn worse_is_more_than_equal_runs_differ_from_the_smallest_size() {
        let mut open = BTreeMap::new();
        let mut worse = |value| step(&mut open, &[("a", value)], &[("a", 1.0)])[1].len();
        // From 1.0, the noise of 0.2 reaches to 1.5.
        assert_eq!([1.0, 1.3, 1.49, 1.6, 1.7].map(&mut worse), [0, 0, 0, 1, 0]);
        assert_eq!([1.0, 1.4, 1.6].map(&mut worse), [0, 0, 1]);
    }

    #[test]
    fn of_an_answer_with_days_the_latest_row_counts() {
        let watched = Watched::parse("key=system value=x down ran=system day=day");
        let watched = watched.expect("it is complete");
        let row = |day: &str, x: f64| {
            let cells = [("system", "s".into()), ("day", day.into()), ("x", x.into())];
            let cells = cells.map(|(n, v): (&str, serde_json::Value)| (n.to_owned(), v));
            cells.into_iter().collect::<Row>()
        };
        let all = vec![row("2026-03-14T00:00:00Z", 0.2), row("2026-03-13T00:00:00Z", 0.1)];
        let first = current(&watched, all.clone(), 0.0);
        assert_eq!(first.iter().map(|(_, row)| row["x"].as_f64()).collect::<Vec<_>>(), [Some(0.2)]);
        let later = "2026-03-15T00:00:01Z".parse::<jiff::Timestamp>().expect("a time");
        assert!(current(&watched, all, later.as_second() as f64).is_empty());
    }
}
