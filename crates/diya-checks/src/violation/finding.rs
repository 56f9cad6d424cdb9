//! The finding that a violation makes: its sentences, its seconds, where to look, and apart from
//! it the advice of its check.

use std::collections::{BTreeMap, BTreeSet};

use super::{Paths, Violation, within};
use crate::account::{self, Account};
use crate::combined_gain::{self, Saved};
use crate::finding::severity_of;
use crate::gap::Template;
use crate::header::{Number, Param};
use crate::process_names::{Names, Noun};
use crate::sentence::Sentence;
use crate::steps::JudgedFinding;
use crate::{
    Action, Advice, Check, Config, Evidence, Explained, Finding, Paragraph, Paragraphs, Severity,
    Threshold, Value, limits,
};

/// Columns of the evidence that no reader needs: the log is named above, and what is explained
/// stands in the account.
const HIDDEN: [&str; 2] = ["log", "explained_s"];

/// Column with the case that the fix is for (`### C (a shared counter)`).
const FIX_CASE: &str = "fix_case";

/// Columns in which rows about the same calls differ by the class of their seconds.
const OF_CLASS: [&str; 4] = ["class", "lost_low_s", "lost_high_s", "explained_s"];

/// Rows of evidence that a finding shows: the worst ones.
const SHOWN_ROWS: usize = 20;

/// Files and ranks that a finding names.
const NAMED: usize = 50;

/// What the violations of all logs share on the way to their findings.
pub(crate) struct Surroundings<'a> {
    pub config: &'a Config,
    pub account: &'a Account,
    pub paths: &'a Paths,
    pub names: &'a Names,
}

/// A violation in its surroundings.
struct Judging<'v> {
    violation: &'v Violation<'v>,
    check: &'v Check,
    around: &'v Surroundings<'v>,
    run_time_s: Option<f64>,
    /// The rows, the most expensive first.
    rows: Vec<usize>,
    noun: Noun,
}

/// The finding of a violation in a run of this length.
pub(crate) fn judged(
    violation: &Violation<'_>,
    around: &Surroundings<'_>,
    run_time_s: Option<f64>,
) -> JudgedFinding {
    let (rows, noun) = (violation.worst_first(), around.names.noun(violation.number));
    let check = violation.check;
    Judging { violation, check, around, run_time_s, rows, noun }.judged()
}

impl Judging<'_> {
    fn judged(&self) -> JudgedFinding {
        let (check, violation) = (self.check, self.violation);
        let saved = self.saved();
        let saved_s = saved.map(|saved| saved.saved_s);
        let by_seconds = || severity_of(saved_s, self.run_time_s, self.around.config);
        let severity = check.severity.unwrap_or_else(by_seconds);
        let explains = self.explains(severity);
        let groups = self.alike();
        // What the rows save adds up to what the finding saves: they may be about the same seconds.
        let of_rows_s: Option<f64> =
            self.rows.iter().map(|row| Some(self.saved_of(*row)?.saved_s)).sum();
        let share = saved_s.zip(of_rows_s).filter(|(all_s, sum_s)| all_s < sum_s);
        let share = share.map_or(1.0, |(all_s, sum_s)| all_s / sum_s);
        let evidence: Vec<Evidence> =
            groups.iter().take(SHOWN_ROWS).map(|rows| self.evidence(rows, share)).collect();
        let advice = self.advice(&explains, evidence.first());
        let is_zero = saved.is_some_and(|saved| saved.low_s <= 0.02 * saved.high_s);
        let ranks = self.integers("rank");
        let words = |text: &String| self.noun.words(text);
        let text = violation.at_least(self.claim());
        let finding = Finding {
            id: check.id.clone(),
            code: check.code.clone(),
            layer: check.layer.clone(),
            title: words(&check.title),
            heading: (severity == Severity::Unexplained).then(|| place_in(&text)),
            severity,
            saved_s,
            lost_low_s: saved.map(|saved| saved.low_s),
            lost_high_s: saved.map(|saved| saved.high_s),
            zero_because: check.zero_because.clone().filter(|_| is_zero),
            explains,
            text,
            on_part: violation.on_part.clone(),
            evidence,
            evidence_rows: groups.len(),
            thresholds: self.thresholds(),
            files: first_distinct(self.rows.iter().filter_map(|row| self.path_of(*row))),
            processes: named_processes(self.around.names, violation.number, &ranks),
            ranks,
            window_s: self.window_s(),
            targets: self.integers("ost"),
            source: first_distinct(self.rows.iter().filter_map(|row| self.text(*row, "source"))),
            // Where in the program, and what to do: the facade fills it in, from tables that
            // checks do not read.
            ..Finding::default()
        };
        JudgedFinding { finding, advice }
    }

    fn limit_s(&self, class: Option<&str>) -> f64 {
        self.around.account.limit_s(self.violation.number, class, self.run_time_s)
    }

    /// The number that the check compares with.
    fn param(&self, name: &str) -> Option<Value> {
        match self.around.config.value(self.check, name)? {
            Number::Integer(value) => Some(Value::Integer(value)),
            Number::Real(value) => Some(Value::Real(value)),
        }
    }

    fn path_of(&self, row: usize) -> Option<String> {
        let id = self.violation.file_id(row)?;
        self.around.paths.of(self.violation.number, id)
    }

    fn text(&self, row: usize, column: &str) -> Option<String> {
        match self.violation.table.value(row, column) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A value of a row; no row can lose more than the job took.
    fn value(&self, row: usize, column: &str) -> Value {
        match (self.violation.table.value(row, column), column) {
            (Value::Real(s), "lost_low_s" | "lost_high_s") => {
                Value::Real(within(s, self.run_time_s))
            }
            (value, _) => value,
        }
    }

    fn saved_of(&self, row: usize) -> Option<Saved> {
        self.violation.saved(row, |class: Option<&str>| self.limit_s(class))
    }

    /// A sentence about a row.
    fn filled(&self, sentence: &Sentence, row: usize) -> String {
        let rank = self.violation.table.value(row, "rank").integer();
        let named = rank.and_then(|rank| self.around.names.of(self.violation.number, rank));
        // The sentence names the seconds that the finding names.
        let saved = self.saved_of(row);
        let value_of = |column: &str| match (column, saved) {
            ("file", _) => self.path_of(row).map_or(Value::Null, Value::Text),
            ("rank", _) if named.is_some() => {
                named.map_or(Value::Null, |(_, label)| Value::Text(label.to_owned()))
            }
            ("lost_low_s", Some(saved)) => Value::Real(saved.low_s),
            ("lost_high_s", Some(saved)) => Value::Real(saved.high_s),
            ("saved_s", Some(saved)) => Value::Real(saved.saved_s),
            _ if self.violation.table.has(column) => self.value(row, column),
            _ => self.param(column).unwrap_or(Value::Null),
        };
        let noun = named.map_or(self.noun, |(noun, _)| noun);
        sentence.fill(value_of, |words| noun.words(words), self.run_time_s)
    }

    /// What is said of the worst row, without its saving: the heading of the finding has it.
    fn claim(&self) -> String {
        let claim = self.check.sentence.without_saving();
        self.rows.first().map(|row| self.filled(&claim, *row)).unwrap_or_default()
    }

    /// The rows, those together that differ in nothing but the class of their seconds: what else
    /// they say is about all of them, and would be read as that of one class.
    fn alike(&self) -> Vec<Vec<usize>> {
        let table = &self.violation.table;
        if self.around.config.keeps_classes || !table.has("class") {
            return self.rows.iter().map(|row| vec![*row]).collect();
        }
        let names: Vec<&String> =
            table.names().iter().filter(|name| !OF_CLASS.contains(&name.as_str())).collect();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for row in &self.rows {
            let values: Vec<Value> = names.iter().map(|name| table.value(*row, name)).collect();
            let place = *places.entry(format!("{values:?}")).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.push(*row),
                None => groups.push(vec![*row]),
            }
        }
        groups
    }

    /// The first of rows that are alike, with the seconds of all, and their share of the saving.
    fn evidence(&self, rows: &[usize], share: f64) -> Evidence {
        let row = rows.first().copied().unwrap_or_default();
        let table = &self.violation.table;
        let names = table.names().iter().filter(|name| !HIDDEN.contains(&name.as_str()));
        let mut values: BTreeMap<String, Value> =
            names.map(|name| (name.clone(), self.value(row, name))).collect();
        let saved_s: Option<f64> = rows.iter().map(|row| Some(self.saved_of(*row)?.saved_s)).sum();
        if let Some(saved_s) = saved_s {
            values.insert("saved_s".to_owned(), Value::Real(saved_s * share));
        }
        if rows.len() > 1 {
            values.insert("class".to_owned(), Value::Null);
            for column in ["lost_low_s", "lost_high_s"] {
                let number = |row: &usize| self.value(*row, column).number();
                if let Some(sum_s) = rows.iter().map(number).sum::<Option<f64>>() {
                    values.insert(column.to_owned(), Value::Real(within(sum_s, self.run_time_s)));
                }
            }
        }
        if table.has("file_id") {
            // What the row says of several files is not that of the one it names.
            let others = self.text(row, "others").unwrap_or_default();
            let file = self.path_of(row).map(|path| format!("{path}{others}"));
            values.insert("file".to_owned(), file.map_or(Value::Null, Value::Text));
        }
        Evidence { text: self.filled(&self.check.sentence, row), values }
    }

    /// What all rows save together; `None`: it cannot be quantified.
    fn saved(&self) -> Option<Saved> {
        let limit = |class: Option<&str>| self.limit_s(class);
        let parts = self.violation.parts(limit);
        (!parts.is_empty()).then(|| combined_gain::of_finding(&parts, limit))
    }

    /// Rows of the account that the finding explains; good news explains none.
    fn explains(&self, severity: Severity) -> Vec<Explained> {
        if severity == Severity::Ok {
            return Vec::new();
        }
        let rows_of_log = self.around.account.of(self.violation.number);
        let explained = self.violation.explained_parts(|class: Option<&str>| self.limit_s(class));
        let seconds = account::explained(rows_of_log, &explained, &self.check.ops);
        account::named(rows_of_log, &seconds)
    }

    /// What to do, for the case of the worst row and with its values.
    fn advice(&self, explains: &[Explained], worst: Option<&Evidence>) -> Advice {
        let directions = self.violation.directions(explains);
        // What the row says of several files is no name of one.
        let file = || self.rows.first().and_then(|row| self.path_of(*row)).map(Value::Text);
        let value_of = |column: &str| {
            if let Some(file) = (column == "file").then(file).flatten() {
                return file;
            }
            let value = worst.and_then(|row| row.values.get(column).cloned());
            value.or_else(|| self.param(column)).unwrap_or(Value::Null)
        };
        let case = self.rows.first().and_then(|row| self.text(*row, FIX_CASE));
        let check = self.check;
        let words = |text: &Paragraphs| text.map(|text| self.noun.words(text));
        let risk = |risk: &Paragraph| Paragraph { text: self.noun.words(&risk.text), ..*risk };
        Advice {
            actions: actions(check, self.noun, &directions, case.as_deref(), value_of),
            gain: check.remedy.gain.clone(),
            contraindications: check.remedy.contraindications.iter().map(risk).collect(),
            verify: words(&check.verify),
            wrong_when: words(&check.wrong_when),
        }
    }

    fn thresholds(&self) -> BTreeMap<String, Threshold> {
        let of_param = |(name, of): (&String, &Param)| {
            let (unit, why) = (of.unit.clone(), self.noun.words(&of.why));
            let label = limits::label(name, &of.unit);
            Some((name.clone(), Threshold { value: self.param(name)?, unit, label, why }))
        };
        self.check.params.iter().filter_map(of_param).collect()
    }

    fn window_s(&self) -> Option<(f64, f64)> {
        let starts = self.violation.numbers("window_start_s").reduce(f64::min);
        let ends = self.violation.numbers("window_end_s").reduce(f64::max);
        starts.zip(ends)
    }

    /// The numbers of a column, the most expensive first.
    fn integers(&self, column: &str) -> Vec<i64> {
        let value = |row: &usize| self.violation.table.value(*row, column).integer();
        let all = self.rows.iter().filter_map(value);
        first_distinct(all.filter(|number| *number >= 0))
    }
}

/// Names of the processes where their numbers alone say too little.
fn named_processes(names: &Names, log: i64, ranks: &[i64]) -> Vec<String> {
    let labels: Option<Vec<String>> = ranks.iter().map(|rank| names.label(log, *rank)).collect();
    labels.unwrap_or_default()
}

/// The place of time without a known cause, which begins the sentence about it: `9 s in ftruncate`.
fn place_in(sentence: &str) -> String {
    sentence.split(';').next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// What to do, in the words for these processes; without what is for a direction that
/// the finding is not about.
fn actions(
    check: &Check,
    noun: Noun,
    directions: &BTreeSet<String>,
    case: Option<&str>,
    value_of: impl Fn(&str) -> Value,
) -> Vec<(Action, Paragraphs)> {
    let is_meant = |action: &Action| {
        let direction = |op: &str| if op == "flush" { "write" } else { op }.to_owned();
        let is_one = |op: &String| directions.contains(&direction(op));
        action.op.as_ref().is_none_or(|op| directions.is_empty() || is_one(op))
    };
    let of_run = |(action, (template, parts)): (&Action, &(Template, Paragraphs))| {
        // Words of code stay, also the names in it.
        let parts = parts.map(|_| noun.words(&template.fill(&value_of)));
        (action.clone(), parts)
    };
    let all = check.remedy.of_case(case).into_iter();
    all.filter(|(action, _)| is_meant(action)).map(of_run).collect()
}

fn first_distinct<T: Clone + Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    all.filter(|one| seen.insert(one.clone())).take(NAMED).collect()
}
