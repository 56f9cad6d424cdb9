//! Tables of many logs become rows of the dataset.
//!
//! Everything is computed here, in one pass over the tables and one over the files of
//! each log: with and without findings, from one log or a thousand, a log has the same
//! rows.

mod activity;
mod cells;
mod facts;
mod findings;
mod job;
mod layers;
mod layout;
mod log_facts;
mod metric;
mod place;
mod record;
mod stripes;
mod usage;

pub use facts::read;
pub use findings::LogFindings;
pub use job::{program, user_of_path};
pub use log_facts::{COUNTERS, LogFacts};

use crate::names::Names;
use crate::rows::Rows;

/// What is known of a log beside its tables.
pub struct LogKey<'k> {
    /// Identity of its content.
    pub log_hash: i64,
    /// Where it lies.
    pub path: &'k str,
    /// Bytes as stored.
    pub size_bytes: i64,
}

/// Appends the rows of one log.
pub fn push(
    log: &LogFacts,
    key: &LogKey<'_>,
    judged: Option<&LogFindings>,
    names: &Names,
    rows: &mut Rows,
) {
    let start = job::start(log, names);
    let at = At { log_hash: key.log_hash, start };
    let files = record::files(log);
    let layout = layout::of(log);
    let bins = activity::bins(log, &files);
    let totals = metric::totals(log, &files);
    record::push(log, &files, &layout, at, names, &mut rows.record);
    layers::push(log, at, &mut rows.job_layer);
    layout::push(log, &files, &layout, at, names, &mut rows.job_target);
    facts::push_hosts(log, &totals, at, names, &mut rows.rank_host);
    activity::push(&bins, at, &mut rows.activity);
    metric::push(log, &files, &layout, &totals, at, &mut rows.metric);
    if let Some(judged) = judged {
        judged.push(at, names, &mut rows.finding);
    }
    job::push(
        &job::Job { log, key, files: &files, bins: &bins, totals: &totals, judged },
        at,
        names,
        rows,
    );
}

/// First columns of every row.
#[derive(Clone, Copy)]
pub struct At {
    pub log_hash: i64,
    pub start: Option<i64>,
}
