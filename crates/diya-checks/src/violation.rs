//! A violation: the rows of one check about one log, on the way to a finding.

mod finding;

pub(crate) use finding::{Surroundings, judged};

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use diya_query::{Query, QueryError};

use crate::class::CLASSES;
use crate::combined_gain::{Part, Saved};
use crate::finding::{LogVerdicts, severity_of};
use crate::header::OnPart;
use crate::rows::Table;
use crate::{Check, Config, Explained, Finding, Severity, Value};

/// Files of a violation that are looked up, no more than a finding names.
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
}

/// Counters of broken clocks can say more than the whole run took.
fn within(s: f64, run_time_s: Option<f64>) -> f64 {
    run_time_s.map_or(s, |run| s.min(run)).max(0.0)
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
