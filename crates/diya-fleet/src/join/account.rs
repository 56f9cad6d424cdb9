//! A job as a batch system counted it.

use super::Sink;
use crate::FleetError;
use crate::generated::AccountRow;

/// A job that has ended; names as the batch system has them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Account<'t> {
    /// As it is written, and its number.
    pub id: &'t str,
    pub job_id: Option<i64>,
    pub start: Option<i64>,
    pub end: Option<i64>,
    pub user: Option<&'t str>,
    pub project: Option<&'t str>,
    pub queue: Option<&'t str>,
    pub state: String,
    pub nodes: Option<i64>,
    pub cores: Option<i64>,
    pub run_time_s: Option<f64>,
    pub node_list: Option<&'t str>,
}

/// Adds the row.
pub fn push(of: &Account<'_>, sink: &mut Sink<'_>) -> Result<(), FleetError> {
    let names = sink.names;
    let identity = format!("{}\0{:?}", of.id, of.start);
    let start = of.start.map(|ns| names.moment(ns));
    let user = of.user.map(|user| names.text("user", user));
    let project = of.project.map(|project| names.text("project", project));
    let job_id = of.job_id.filter(|_| !names.is_release).map(|id| names.id("job", id));
    let core_hours = of.cores.zip(of.run_time_s).map(|(cores, s)| cores as f64 * s / 3600.0);
    sink.row(identity.as_bytes(), start, |row_hash, table| {
        AccountRow {
            row_hash,
            start_time: start,
            end_time: of.end.map(|ns| names.moment(ns)),
            job_id,
            user_name: user.as_deref(),
            project: project.as_deref(),
            queue: of.queue,
            state: &of.state,
            nodes: of.nodes,
            cores: of.cores,
            run_time_s: of.run_time_s,
            core_hours,
            node_list: of.node_list.filter(|_| !names.is_anonymous),
        }
        .push(table);
    })
}

/// The number of a job: the digits that it begins with.
pub fn number(id: &str) -> Option<i64> {
    let end = id.find(|c: char| !c.is_ascii_digit()).unwrap_or(id.len());
    id[..end].parse().ok()
}
