//! A violation: the rows of one check about one log, on the way to a finding.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use diya_query::{Query, QueryError};

use crate::account::{self, Account};
use crate::class::CLASSES;
use crate::combined_gain::{self, Part, Saved};
use crate::finding::{LogVerdicts, severity_of};
use crate::gap::Template;
use crate::header::{Number, OnPart};
use crate::process_names::{Names, Noun};
use crate::rows::Table;
use crate::sentence::Sentence;
use crate::{
    Action, Check, Config, Evidence, Explained, Finding, Severity, Threshold, Value, limits,
};

/// Columns of the evidence that no reader needs: the log is named above, and what is explained
/// stands in the account.
const HIDDEN: [&str; 2] = ["log", "explained_s"];

/// Column with the case that the fix is for (`### C (a shared counter)`).
const FIX_CASE: &str = "fix_case";

/// Rows of evidence that a finding shows: the worst ones.
const SHOWN_ROWS: usize = 20;

/// Files and ranks that a finding names.
const NAMED: usize = 50;

/// A check that found something in a log.
pub(crate) struct Violation<'c> {
    pub check: &'c Check,
    /// Where the log stands among the verdicts.
    pub place: usize,
    /// Number of the log.
    pub number: i64,
    pub table: Rc<Table>,
    /// Rows of the table that are about this log.
    pub rows: Vec<usize>,
    /// Why other rows are missing; `None`: none is.
    pub on_part: Option<String>,
}

impl Violation<'_> {
    fn file_id(&self, row: usize) -> Option<u64> {
        match self.table.value(row, "file_id") {
            Value::Unsigned(id) => Some(id),
            Value::Integer(id) => u64::try_from(id).ok(),
            _ => None,
        }
    }

    fn numbers(&self, column: &str) -> impl Iterator<Item = f64> {
        self.rows.iter().filter_map(move |row| self.table.value(*row, column).number())
    }

    /// Rows, the most expensive first, else in the order of the query.
    fn worst_first(&self) -> Vec<usize> {
        let mut rows = self.rows.clone();
        let cost = |row: &usize| self.table.value(*row, "lost_high_s").number().unwrap_or(0.0);
        rows.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
        rows
    }

    /// The seconds at stake, row by row: of the class that the row names as its
    /// `class` or `op`, or else the check; no more than calls of that class take.
    pub fn parts(&self, limit: impl Fn(Option<&str>) -> f64) -> Vec<Part> {
        let part = |row: &usize| {
            let class = self.class(*row);
            let Saved { low_s, saved_s, high_s } = self.saved(*row, &limit)?;
            Some(Part { class, file_id: self.file_id(*row), low_s, saved_s, high_s })
        };
        self.rows.iter().filter_map(part).collect()
    }

    /// The seconds that each row explains: what its saving is about, or all that the row
    /// names as `explained_s`, of which a fix may save little or nothing.
    fn explained_parts(&self, limit: impl Fn(Option<&str>) -> f64) -> Vec<Part> {
        let part = |row: &usize| {
            let class = self.class(*row);
            let all_s = match self.table.value(*row, "explained_s").number() {
                Some(explained_s) => explained_s.min(limit(class.as_deref())),
                None => self.saved(*row, &limit)?.high_s,
            };
            let file_id = self.file_id(*row);
            Some(Part { class, file_id, low_s: 0.0, saved_s: 0.0, high_s: all_s })
        };
        self.rows.iter().filter_map(part).collect()
    }

    fn class(&self, row: usize) -> Option<String> {
        let named = |column| match self.table.value(row, column) {
            Value::Text(class) if CLASSES.contains(&class.as_str()) => Some(class),
            _ => None,
        };
        named("class").or_else(|| named("op")).or_else(|| self.check.class.clone())
    }

    /// Reads or writes, as the rows say, or else the calls that the finding explains;
    /// nothing where it is about both, or neither.
    fn directions(&self, explains: &[Explained]) -> BTreeSet<String> {
        let is_one = |word: &String| ["read", "write"].contains(&word.as_str());
        let text = |row: usize, column| match self.table.value(row, column) {
            Value::Text(text) => Some(text),
            _ => None,
        };
        let of_rows = |column| -> BTreeSet<String> {
            self.rows.iter().filter_map(|row| text(*row, column)).filter(is_one).collect()
        };
        let named = of_rows("op");
        let named = if named.is_empty() { of_rows("class") } else { named };
        if !named.is_empty() {
            return named;
        }
        let classes = explains.iter().map(|part| part.class.clone());
        classes.filter(is_one).collect()
    }

    /// What a row saves; `None`: it cannot be quantified.
    fn saved(&self, row: usize, limit: impl Fn(Option<&str>) -> f64) -> Option<Saved> {
        let high_s = self.table.value(row, "lost_high_s").number()?;
        let low_s = self.table.value(row, "lost_low_s").number().unwrap_or(0.0);
        let high_s = high_s.min(limit(self.class(row).as_deref()));
        Some(Saved::of(low_s, high_s, self.check.zero_because.is_some()))
    }

    /// A sentence about a part of the rows says so.
    fn at_least(&self, text: String) -> String {
        match &self.on_part {
            Some(reason) => format!(
                "{text} The log is incomplete, so the real numbers may be larger ({reason})."
            ),
            None => text,
        }
    }

    /// A value of a row; no row can lose more than the job took.
    fn value(&self, row: usize, column: &str, run_time_s: Option<f64>) -> Value {
        match (self.table.value(row, column), column) {
            (Value::Real(s), "lost_low_s" | "lost_high_s") => Value::Real(within(s, run_time_s)),
            (value, _) => value,
        }
    }

    /// Whether the finding stays true where rows are missing.
    pub fn holds(&self, finding: &Finding, log: &LogVerdicts, config: &Config) -> bool {
        match self.check.on_part {
            Some(OnPart::Holds) => true,
            // A share is there to leave trifles alone: the seconds are none.
            Some(OnPart::Seconds) => {
                severity_of(finding.saved_s, log.run_time_s, config) <= Severity::Warn
            }
            None => false,
        }
    }

    pub fn finding(
        &self,
        config: &Config,
        run_time_s: Option<f64>,
        account: &Account,
        paths: &Paths,
        names: &Names,
    ) -> Finding {
        let check = self.check;
        let noun = names.noun(self.number);
        let limit = |class: Option<&str>| account.limit_s(self.number, class, run_time_s);
        let param = |name: &str| match config.value(check, name)? {
            Number::Integer(value) => Some(Value::Integer(value)),
            Number::Real(value) => Some(Value::Real(value)),
        };
        let path_of = |row| self.file_id(row).and_then(|id| paths.of(self.number, id));
        let rows = self.worst_first();
        let claim = check.sentence.without_saving();
        let mut claims = Vec::new();
        let evidence: Vec<Evidence> = rows
            .iter()
            .take(SHOWN_ROWS)
            .map(|&row| {
                let file = || path_of(row).map_or(Value::Null, Value::Text);
                let rank = self.table.value(row, "rank").integer();
                let named = rank.and_then(|rank| names.of(self.number, rank));
                // The sentence names the seconds that the finding names.
                let saved = self.saved(row, limit);
                let value_of = |column: &str| match (column, saved) {
                    ("file", _) => file(),
                    ("rank", _) if named.is_some() => {
                        named.map_or(Value::Null, |(_, label)| Value::Text(label.to_owned()))
                    }
                    ("lost_low_s", Some(saved)) => Value::Real(saved.low_s),
                    ("lost_high_s", Some(saved)) => Value::Real(saved.high_s),
                    ("saved_s", Some(saved)) => Value::Real(saved.saved_s),
                    _ if self.table.has(column) => self.value(row, column, run_time_s),
                    _ => param(column).unwrap_or(Value::Null),
                };
                let of_row = named.map_or(noun, |(noun, _)| noun);
                let filled = |sentence: &Sentence| {
                    sentence.fill(value_of, |words| of_row.words(words), run_time_s)
                };
                let text = filled(&check.sentence);
                claims.push(filled(&claim));
                let names =
                    self.table.names().iter().filter(|name| !HIDDEN.contains(&name.as_str()));
                let mut values: BTreeMap<String, Value> =
                    names.map(|name| (name.clone(), self.value(row, name, run_time_s))).collect();
                if let Some(saved) = saved {
                    values.insert("saved_s".to_owned(), Value::Real(saved.saved_s));
                }
                if self.table.has("file_id") {
                    values.insert("file".to_owned(), file());
                }
                Evidence { text, values }
            })
            .collect();
        let parts = self.parts(limit);
        let saved = (!parts.is_empty()).then(|| combined_gain::of_finding(&parts, limit));
        let saved_s = saved.map(|saved| saved.saved_s);
        let by_seconds = || severity_of(saved_s, run_time_s, config);
        let severity = check.severity.unwrap_or_else(by_seconds);
        let rows_of_log = account.of(self.number);
        let explains = match severity {
            Severity::Ok => Vec::new(),
            _ => {
                let explained = self.explained_parts(limit);
                let seconds = account::explained(rows_of_log, &explained, &check.ops);
                account::named(rows_of_log, &seconds)
            }
        };
        let directions = self.directions(&explains);
        let value_of = |column: &str| {
            let worst = evidence.first().and_then(|row| row.values.get(column).cloned());
            worst.or_else(|| param(column)).unwrap_or(Value::Null)
        };
        let case = rows.first().and_then(|row| match self.table.value(*row, FIX_CASE) {
            Value::Text(case) => Some(case),
            _ => None,
        });
        let actions = actions(check, noun, &directions, case.as_deref(), value_of);
        let is_zero = saved.is_some_and(|saved| saved.low_s <= 0.02 * saved.high_s);
        let starts = self.numbers("window_start_s").reduce(f64::min);
        let ends = self.numbers("window_end_s").reduce(f64::max);
        let integers = |column| -> Vec<i64> {
            let all = rows.iter().filter_map(|row| self.table.value(*row, column).integer());
            first_distinct(all.filter(|number| *number >= 0))
        };
        let ranks = integers("rank");
        let all = |texts: &[String]| texts.iter().map(|text| noun.words(text)).collect();
        Finding {
            id: check.id.clone(),
            code: check.code.clone(),
            title: noun.words(&check.title),
            severity,
            saved_s,
            lost_low_s: saved.map(|saved| saved.low_s),
            lost_high_s: saved.map(|saved| saved.high_s),
            zero_because: check.zero_because.clone().filter(|_| is_zero),
            explains,
            explained_by: None,
            text: self.at_least(claims.into_iter().next().unwrap_or_default()),
            on_part: self.on_part.clone(),
            evidence,
            evidence_rows: rows.len(),
            thresholds: check
                .params
                .iter()
                .filter_map(|(name, of)| {
                    let (unit, why) = (of.unit.clone(), noun.words(&of.why));
                    let label = limits::label(name, &of.unit);
                    Some((name.clone(), Threshold { value: param(name)?, unit, label, why }))
                })
                .collect(),
            files: first_distinct(rows.iter().filter_map(|row| path_of(*row))),
            processes: named_processes(names, self.number, &ranks),
            ranks,
            window_s: starts.zip(ends),
            targets: integers("ost"),
            source: first_distinct(rows.iter().filter_map(|row| {
                match self.table.value(*row, "source") {
                    Value::Text(text) => Some(text),
                    _ => None,
                }
            })),
            lines: Vec::new(),
            other_lines: None,
            changes: Vec::new(),
            main_files: Vec::new(),
            late: None,
            actions,
            gain: check.remedy.gain.clone(),
            contraindications: all(&check.remedy.contraindications),
            verify: noun.words(&check.verify),
            wrong_when: noun.words(&check.wrong_when),
        }
    }
}

/// Names of the processes where their numbers alone say too little.
fn named_processes(names: &Names, log: i64, ranks: &[i64]) -> Vec<String> {
    let labels: Option<Vec<String>> = ranks.iter().map(|rank| names.label(log, *rank)).collect();
    labels.unwrap_or_default()
}

/// What to do, in the words for these processes; without what is for a direction that
/// the finding is not about.
fn actions(
    check: &Check,
    noun: Noun,
    directions: &BTreeSet<String>,
    case: Option<&str>,
    value_of: impl Fn(&str) -> Value,
) -> Vec<Action> {
    let is_meant = |action: &Action| {
        let direction = |op: &str| if op == "flush" { "write" } else { op }.to_owned();
        let is_one = |op: &String| directions.contains(&direction(op));
        action.op.as_ref().is_none_or(|op| directions.is_empty() || is_one(op))
    };
    let of_run = |(action, template): (&Action, &Template)| Action {
        // Words of code stay, also the names in it.
        text: noun.words(&template.fill(&value_of)),
        ..action.clone()
    };
    let all = check.remedy.of_case(case).into_iter();
    all.filter(|(action, _)| is_meant(action)).map(of_run).collect()
}

/// Counters of broken clocks can say more than the whole run took.
fn within(s: f64, run_time_s: Option<f64>) -> f64 {
    run_time_s.map_or(s, |run| s.min(run)).max(0.0)
}

fn first_distinct<T: Clone + Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    all.filter(|one| seen.insert(one.clone())).take(NAMED).collect()
}

/// Names of the files that violations are about.
pub(crate) struct Paths(HashMap<(i64, u64), String>);

impl Paths {
    /// One query for all of them, for as many files as are named anyway.
    pub fn read(query: &Query, violations: &[Violation<'_>]) -> Result<Self, QueryError> {
        let named = violations.iter().flat_map(|violation| {
            let rows = violation.worst_first().into_iter().take(NAMED);
            rows.filter_map(|row| violation.file_id(row)).collect::<Vec<_>>()
        });
        let ids: BTreeSet<u64> = named.collect();
        if ids.is_empty() {
            return Ok(Self(HashMap::new()));
        }
        let list: Vec<String> = ids.iter().map(u64::to_string).collect();
        let sql =
            format!("select log, file_id, path from file where file_id in ({})", list.join(", "));
        let table = Table::read(&query.run(&sql)?)?;
        let names = (0..table.rows()).filter_map(|row| {
            let log = table.value(row, "log").integer()?;
            match (table.value(row, "file_id"), table.value(row, "path")) {
                (Value::Unsigned(id), Value::Text(path)) => Some(((log, id), path)),
                _ => None,
            }
        });
        Ok(Self(names.collect()))
    }

    fn of(&self, log: i64, file_id: u64) -> Option<String> {
        self.0.get(&(log, file_id)).cloned()
    }
}
