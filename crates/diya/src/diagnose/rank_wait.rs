//! Who waits for whom in messages of MPI, as the verdict says it.

use super::cells::{Cells, Row};
use super::table;
use crate::{AskError, Session};
use diya_report::{RankDoes, RankTurn, RankWait, Value};
use std::collections::BTreeMap;

/// One rank is the cause if it is for this share of the waits.
const ONE_CAUSE: f64 = 0.75;

/// A rank that waits for a smaller share of what the longest waits is not named.
const LEAST_OF_LONGEST: f64 = 0.5;

/// A part below this share of the wait is not named.
const LEAST_PART: f64 = 0.1;

/// State of a call that waits for nobody.
const TRANSFER: &str = "transfer";

/// Metric `message_wait`.
pub(super) struct RankWaits {
    waits: Cells,
    path: Cells,
    is_sampled: bool,
}

/// Seconds of rows, by some key.
fn sums<'a, K: Ord>(rows: &[Row<'a>], key: impl Fn(&Row<'a>) -> Option<K>) -> Vec<(K, f64)> {
    let mut sums: BTreeMap<K, f64> = BTreeMap::new();
    for row in rows {
        if let Some(key) = key(row) {
            *sums.entry(key).or_default() += wait_s(row);
        }
    }
    let mut sums: Vec<(K, f64)> = sums.into_iter().collect();
    sums.sort_by(|a, b| b.1.total_cmp(&a.1));
    sums
}

fn wait_s(row: &Row<'_>) -> f64 {
    row.number("wait_s").unwrap_or(0.0)
}

fn id(row: &Row<'_>, column: &str) -> Option<u64> {
    match row.value(column) {
        Value::Unsigned(id) => Some(id),
        _ => None,
    }
}

impl RankWaits {
    pub fn read(session: &Session<'_>) -> Result<Self, AskError> {
        let samples = session.table("processor_sample");
        let is_sampled = samples.is_some_and(|table| table.rows() > 0);
        let (waits, path) = (table(session, "message_wait")?, table(session, "message_path")?);
        Ok(Self { waits, path, is_sampled })
    }

    /// Seconds of messages on the way that took the time of the run.
    pub fn messages_s(&self, log: i32) -> Option<f64> {
        let is_message = |row: &Row<'_>| row.text("activity").as_deref() == Some("message");
        let time_s = |row: Row<'_>| row.number("time_s").unwrap_or(0.0);
        let rows = self.path.rows(log);
        (rows.len() > 0).then(|| self.path.rows(log).filter(is_message).map(time_s).sum())
    }

    /// What the rank that is longest in messages waits for most.
    pub fn of(&self, log: i32, frames: &Cells, files: &Cells) -> Option<RankWait> {
        let all: Vec<Row<'_>> = self.waits.rows(log).collect();
        let is_transfer = |row: &Row<'_>| row.text("state").as_deref() == Some(TRANSFER);
        let (moving, waiting): (Vec<Row<'_>>, Vec<Row<'_>>) =
            all.iter().copied().partition(is_transfer);
        let rank = |row: &Row<'_>| row.integer("rank");
        let of_ranks = sums(&all, rank).len();
        let longest_s = |rows: &[Row<'_>]| sums(rows, rank).first().map_or(0.0, |of| of.1);
        let is_transfer = longest_s(&moving) > longest_s(&waiting);
        let rows = if is_transfer { moving } else { waiting };
        let causes = sums(&rows, |row| row.integer("cause_rank"));
        let sum_s: f64 = causes.iter().map(|of| of.1).sum();
        let cause_rank = causes.first().filter(|of| of.1 >= ONE_CAUSE * sum_s).map(|of| of.0);
        let turns = match cause_rank {
            None if !is_transfer => turns(&rows, log, frames),
            _ => Vec::new(),
        };
        let about: Vec<Row<'_>> = match cause_rank {
            Some(cause) => {
                rows.into_iter().filter(|r| r.integer("cause_rank") == Some(cause)).collect()
            }
            None => rows,
        };
        let waiters = sums(&about, rank);
        let (first, wait_s) = *waiters.first()?;
        let ranks = waiters.iter().filter(|of| of.1 >= LEAST_OF_LONGEST * wait_s).map(|of| of.0);
        let of_first: Vec<Row<'_>> =
            about.iter().copied().filter(|row| rank(row) == Some(first)).collect();
        let places = sums(&of_first, |row| Some((row.text("function")?, id(row, "stack_id"))));
        let ((function, stack), _) = places.into_iter().next()?;
        let doing = sums(&of_first, |row| Some((row.text("activity")?, id(row, "file_id"))));
        let worth = doing.into_iter().filter(|of| of.1 >= LEAST_PART * wait_s);
        Some(RankWait {
            ranks: ranks.collect(),
            wait_s,
            of_ranks: i64::try_from(of_ranks).unwrap_or(i64::MAX),
            cause_rank,
            is_transfer,
            function,
            source: stack.and_then(|stack| source(log, frames, stack)),
            parts: worth
                .map(|((activity, file), time_s)| RankDoes {
                    activity,
                    file: file.and_then(|file| path(log, files, file)),
                    time_s,
                    is_sampled: self.is_sampled,
                })
                .collect(),
            turns,
            sum_s,
        })
    }
}

/// The two ranks that wait for each other longest.
fn turns(rows: &[Row<'_>], log: i32, frames: &Cells) -> Vec<RankTurn> {
    let pair = |row: &Row<'_>| Some((row.integer("rank")?, row.integer("cause_rank")?));
    let pairs = sums(rows, pair);
    let Some(&((rank, cause), wait_s)) = pairs.first() else { return Vec::new() };
    let back = pairs.iter().find(|of| of.0 == (cause, rank) && of.1 >= LEAST_OF_LONGEST * wait_s);
    let both = pairs.first().into_iter().chain(back);
    let turn = |((rank, cause_rank), wait_s): &((i64, i64), f64)| {
        let of: Vec<Row<'_>> =
            rows.iter().copied().filter(|row| pair(row) == Some((*rank, *cause_rank))).collect();
        let places = sums(&of, |row| Some((row.text("function")?, id(row, "stack_id"))));
        let ((function, stack), _) = places.into_iter().next()?;
        let source = stack.and_then(|stack| source(log, frames, stack));
        Some(RankTurn { rank: *rank, cause_rank: *cause_rank, wait_s: *wait_s, function, source })
    };
    let turns: Vec<RankTurn> = both.filter_map(turn).collect();
    if turns.len() == 2 { turns } else { Vec::new() }
}

/// The user's line in a call stack.
fn source(log: i32, frames: &Cells, stack: u64) -> Option<String> {
    let is_it = |row: &Row<'_>| {
        id(row, "stack_id") == Some(stack) && row.text("origin").as_deref() == Some("user")
    };
    frames.rows(log).find(is_it)?.text("source")
}

fn path(log: i32, files: &Cells, file: u64) -> Option<String> {
    let path = files.rows(log).find(|row| id(row, "file_id") == Some(file))?.text("path")?;
    path.rsplit('/').next().map(str::to_owned)
}
