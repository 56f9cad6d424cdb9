//! Where the run time went, with the names of those who are waited for.

use super::cells::{Cells, Row};
use super::table;
use crate::{AskError, Session};
use diya_checks::ProcessNames;
use diya_report::{AccountRow, Job, Report, TimePart, Value};

/// Whom ranks wait for in collective calls that different ranks enter last.
const LATE_BY_TURNS: &str = "the slowest rank of each collective call";

/// Metric `time_account` of all logs.
pub(super) struct Account {
    pub table: Cells,
    pub names: ProcessNames,
}

impl Account {
    pub fn read(session: &Session<'_>) -> Result<Self, AskError> {
        let names = ProcessNames::read(session.engine()?);
        Ok(Self { table: table(session, "time_account")?, names })
    }

    /// Rows of one log, I/O first, the longest first.
    pub fn rows(&self, log: i32) -> Vec<AccountRow> {
        let rows = self.table.rows(log).map(|row| AccountRow {
            layer: row.text("layer").unwrap_or_default(),
            class: row.text("class").unwrap_or_default(),
            op: row.text("op"),
            function: row.text("function"),
            time_s: row.number("time_s").unwrap_or(0.0),
            calls: row.integer("calls"),
            bytes: row.integer("bytes"),
            files: row.integer("files"),
            is_at_speed: row.value("is_at_speed") == Value::Flag(true),
            late_s: row.number("late_s"),
            awaited: self.awaited(log, row),
        });
        let mut rows: Vec<AccountRow> = rows.collect();
        rows.sort_by(|a, b| b.is_io().cmp(&a.is_io()).then(b.time_s.total_cmp(&a.time_s)));
        rows
    }

    /// Whom or what the ranks of a row wait for; `None`: it is no wait for others.
    fn awaited(&self, log: i32, row: Row<'_>) -> Option<String> {
        if row.value("is_wait") != Value::Flag(true) {
            return None;
        }
        if row.text("class").as_deref() == Some("lock") {
            return Some("locks".to_owned());
        }
        let log = i64::from(log);
        let late = row.integer("late_rank").map(|rank| self.names.name(log, rank));
        let others = match row.number("late_s") {
            Some(_) => LATE_BY_TURNS,
            None => self.names.others(log),
        };
        Some(late.unwrap_or_else(|| others.to_owned()))
    }
}

/// The parts of the run time of all logs of a session, in the words of a report.
pub fn time_parts(session: &mut Session<'_>) -> Result<Vec<TimePart>, AskError> {
    session.prepare(&["time_account", "peer_group", "job"])?;
    let (account, jobs) = (Account::read(session)?, table(session, "job")?);
    let mut all: Vec<TimePart> = Vec::new();
    for log in jobs.logs() {
        let nprocs = jobs.row(log).and_then(|row| row.integer("nprocs"));
        let job = Job { nprocs, ..Job::default() };
        let report = Report { job, time_account: account.rows(log), ..Report::default() };
        for part in super::verdict::time_parts(&report) {
            match all.iter_mut().find(|known| known.name == part.name) {
                Some(known) => known.time_s += part.time_s,
                None => all.push(part),
            }
        }
    }
    Ok(all)
}
