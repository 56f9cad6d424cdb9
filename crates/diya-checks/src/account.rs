//! What findings explain of the account of time, and what they can save at most.
//!
//! The rows of metric `time_account` add up to the run. A finding is about some of
//! them: those of its class of calls, first of all the kinds of calls (`ops`) that
//! its check names. It saves no more than these take.

use std::collections::HashMap;
use std::sync::Arc;

use diya_metrics::Catalog;
use diya_model::{Class, Op};
use diya_query::Query;
use diya_tables::{BatchSource, Batches, TableBuilder};

use crate::class::{CHILD, RUN, WRITE_SYNC, is_beside};
use crate::combined_gain::Part;
use crate::rows::Table;
use crate::{AccountRow, Explained, Value};

/// Share of the time of some calls that a finding has to cost to explain all of it:
/// whoever names half of the seconds has named their cause.
const NAMED_RATIO: f64 = 0.5;

/// Share of what recording takes that no fix can save for certain: it is measured in some of the
/// calls only.
const RECORDED_RATIO: f64 = 0.8;

/// The accounts of all logs.
#[derive(Debug, Default)]
pub(crate) struct Account {
    rows: HashMap<i64, Vec<AccountRow>>,
    /// Seconds of the run that recording took.
    recording: HashMap<i64, f64>,
}

impl Account {
    /// Empty where the metric is not among the tables: then only the run time
    /// limits what a finding can save.
    pub fn read(query: &Query) -> Self {
        let mut account = Self::default();
        let sql = "select log, layer, class, op, function, time_s, calls, bytes, files, \
                   is_at_speed from time_account where class <> 'unknown'";
        let Ok(table) = query.run(sql).and_then(|rows| Table::read(&rows)) else { return account };
        for row in 0..table.rows() {
            let text = |column| match table.value(row, column) {
                Value::Text(text) => Some(text),
                _ => None,
            };
            let Some(log) = table.value(row, "log").integer() else { continue };
            account.rows.entry(log).or_default().push(AccountRow {
                layer: text("layer").unwrap_or_default(),
                class: text("class").unwrap_or_default(),
                op: text("op"),
                function: text("function"),
                time_s: table.value(row, "time_s").number().unwrap_or(0.0),
                calls: table.value(row, "calls").integer(),
                bytes: table.value(row, "bytes").integer(),
                files: table.value(row, "files").integer(),
                is_at_speed: table.value(row, "is_at_speed") == Value::Flag(true),
                ..AccountRow::default()
            });
        }
        let recording = query.run("select log, recorder_s from recording_time");
        if let Ok(table) = recording.and_then(|rows| Table::read(&rows)) {
            for row in 0..table.rows() {
                let [log, recorder] = ["log", "recorder_s"].map(|column| table.value(row, column));
                if let (Some(log), Some(recorder_s)) = (log.integer(), recorder.number()) {
                    account.recording.insert(log, recorder_s);
                }
            }
        }
        account
    }

    /// The rows of a log.
    pub fn of(&self, log: i64) -> &[AccountRow] {
        self.rows.get(&log).map_or(&[], Vec::as_slice)
    }

    /// Seconds that calls of a class take at most: no more than all I/O, and than the
    /// run without its recording; `None` is any class.
    pub fn limit_s(&self, log: i64, class: Option<&str>, run_time_s: Option<f64>) -> f64 {
        let recorded_s = RECORDED_RATIO * self.recording.get(&log).copied().unwrap_or(0.0);
        let run_s = (run_time_s.unwrap_or(f64::INFINITY) - recorded_s).max(0.0);
        match self.of(log) {
            [] => run_s,
            rows => sum_s(rows.iter().filter(|row| is_of(row, class))).min(run_s),
        }
    }
}

fn sum_s<'r>(rows: impl Iterator<Item = &'r AccountRow>) -> f64 {
    rows.map(|row| row.time_s).sum()
}

/// Whether calls of a class can be in this row. Who waits in a library or in
/// MPI-IO waits for a read, a write or a sync.
fn is_of(row: &AccountRow, class: Option<&str>) -> bool {
    let is_above = ["wait", "library"].contains(&row.class.as_str());
    // Who waits for a program makes no call: to the account, that is computing.
    match class {
        class if is_beside(class) => return [CHILD, "computing"].contains(&row.class.as_str()),
        Some(RUN) if row.class == CHILD => return true,
        _ => {}
    }
    row.is_io()
        && match class {
            None | Some(RUN) => true,
            Some(class @ ("write" | "sync")) => {
                row.class == class || row.class == WRITE_SYNC || is_above
            }
            Some("read") => row.class == "read" || is_above,
            Some(class) => row.class == class,
        }
}

/// Whether these kinds of calls are in this row; counters do not tell kinds apart.
fn is_kind(row: &AccountRow, ops: &[String]) -> bool {
    let class = |op: &String| {
        let class = Op::from_name(op).map_or(Class::Metadata, Class::of);
        class.in_account().name()
    };
    match &row.op {
        Some(op) => ops.contains(op),
        None => ops.iter().any(|op| {
            let class = class(op);
            class == row.class || (row.class == WRITE_SYNC && ["write", "sync"].contains(&class))
        }),
    }
}

/// Seconds of each row that a finding of these parts explains. `ops`: the kinds of
/// calls that its check names.
pub(crate) fn explained(rows: &[AccountRow], parts: &[Part], ops: &[String]) -> Vec<f64> {
    let mut of_rows = vec![0.0; rows.len()];
    let mut classes: HashMap<Option<&str>, f64> = HashMap::new();
    for part in parts {
        *classes.entry(part.class.as_deref()).or_default() += part.high_s;
    }
    for (class, mut seconds) in classes {
        let (first, others): (Vec<usize>, Vec<usize>) = (0..rows.len())
            .filter(|at| is_of(&rows[*at], class))
            .partition(|at| is_kind(&rows[*at], ops));
        // Who names most of the writes and of what a library does around them names both; else
        // writes are writes first of all.
        let of_both_s: f64 = others.iter().map(|at| rows[*at].time_s).sum();
        let (same, above): (Vec<usize>, Vec<usize>) = others.into_iter().partition(|at| {
            seconds >= NAMED_RATIO * of_both_s || class.is_some_and(|of| rows[*at].class == of)
        });
        for places in [first, same, above].iter().filter(|places| !places.is_empty()) {
            let all_s: f64 = places.iter().map(|at| rows[*at].time_s).sum();
            if all_s <= 0.0 || seconds <= 0.0 {
                continue;
            }
            let ratio = if seconds >= NAMED_RATIO * all_s { 1.0 } else { seconds / all_s };
            for at in places {
                of_rows[*at] = f64::max(of_rows[*at], rows[*at].time_s * ratio);
            }
            seconds -= all_s;
        }
    }
    of_rows
}

/// The rows with such seconds, as a finding names them.
pub(crate) fn named(rows: &[AccountRow], seconds: &[f64]) -> Vec<Explained> {
    let all = rows.iter().zip(seconds).filter(|(_, s)| **s > 0.0);
    all.map(|(row, s)| Explained {
        layer: row.layer.clone(),
        class: row.class.clone(),
        op: row.op.clone(),
        time_s: *s,
    })
    .collect()
}

/// Table `explained`: what all findings of each log explain, no more than there is.
pub(crate) fn table<'l>(
    account: &Account,
    metrics: &Catalog,
    logs: impl Iterator<Item = (i64, &'l [Explained])>,
) -> Option<Arc<dyn BatchSource>> {
    let def = metrics.get("explained")?.def;
    let mut table = TableBuilder::new(def);
    for (log, explained) in logs {
        for row in account.of(log).iter().filter(|row| row.is_io()) {
            let is_it =
                |e: &&Explained| (&e.layer, &e.class, &e.op) == (&row.layer, &row.class, &row.op);
            let sum_s: f64 = explained.iter().filter(is_it).map(|e| e.time_s).sum();
            if sum_s > 0.0 {
                table.push_i32(0, i32::try_from(log).ok());
                table.push_str(1, Some(&row.layer));
                table.push_str(2, Some(&row.class));
                table.push_str(3, row.op.as_deref());
                table.push_f64(4, Some(sum_s.min(row.time_s)));
                table.end_row();
            }
        }
    }
    Some(Arc::new(Batches::new(def, vec![table.into_batch()])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(class: &str, op: &str, time_s: f64) -> AccountRow {
        let layer = if class == "computing" { "program" } else { "posix" }.to_owned();
        let op = (!op.is_empty()).then(|| op.to_owned());
        AccountRow { layer, class: class.to_owned(), op, time_s, ..AccountRow::default() }
    }

    fn rows() -> Vec<AccountRow> {
        vec![
            row("write", "write", 6.0),
            row("metadata", "open", 1.0),
            row("metadata", "truncate", 8.0),
            row("wait", "", 2.0),
            row("computing", "", 83.0),
        ]
    }

    fn of(rows: Vec<AccountRow>) -> Account {
        Account { rows: HashMap::from([(0, rows)]), recording: HashMap::new() }
    }

    #[test]
    fn nothing_saves_what_recording_takes() {
        let mut account = of(rows());
        account.recording.insert(0, 5.0);
        assert_eq!(account.limit_s(0, Some("run"), Some(10.0)), 6.0);
    }

    fn part(class: Option<&str>, high_s: f64) -> Part {
        let class = class.map(str::to_owned);
        Part { class, file_id: None, low_s: 0.0, saved_s: high_s, high_s }
    }

    #[test]
    fn nothing_saves_more_than_its_rows_take() {
        let account = of(rows());
        let limit_s = |class| account.limit_s(0, class, Some(100.0));
        assert_eq!(limit_s(Some("write")), 8.0);
        assert_eq!(limit_s(Some("metadata")), 9.0);
        assert_eq!(limit_s(Some("run")), 17.0);
        assert_eq!(limit_s(None), 17.0);
        assert_eq!(account.limit_s(1, None, Some(100.0)), 100.0);
    }

    #[test]
    fn writes_and_syncs_that_the_log_does_not_separate_limit_both() {
        let account = of(vec![row("write_sync", "", 55.0)]);
        let limit_s = |class| account.limit_s(0, Some(class), Some(100.0));
        assert_eq!(["write", "sync", "read"].map(limit_s), [55.0, 55.0, 0.0]);
        let syncs = ["sync".to_owned()];
        assert_eq!(explained(account.of(0), &[part(Some("sync"), 50.0)], &syncs), [55.0]);
    }

    #[test]
    fn a_finding_about_writes_explains_these_before_the_library_around_them() {
        let rows = [row("write", "write", 0.2), row("library", "open", 0.3)];
        assert_eq!(explained(&rows, &[part(Some("write"), 0.2)], &[]), [0.2, 0.0]);
    }

    #[test]
    fn a_finding_about_opens_does_not_explain_truncates() {
        let opens = ["open".to_owned()];
        assert_eq!(
            explained(&rows(), &[part(Some("metadata"), 0.8)], &opens),
            [0.0, 1.0, 0.0, 0.0, 0.0]
        );
    }

    #[test]
    fn a_small_part_of_a_row_explains_that_part() {
        assert_eq!(
            explained(&rows(), &[part(Some("metadata"), 0.9)], &[]),
            [0.0, 0.1, 0.8, 0.0, 0.0]
        );
    }
}
