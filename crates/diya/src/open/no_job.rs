//! A log that lost the row of its job.

use diya_tables::{Issue, IssueKind, JobRow, TableId, Tables};

/// Stands for the job of a log that was cut before it: everything that reads
/// logs goes from job to job, and would pass over this one in silence.
///
/// Only a file of diya can lose it: a Darshan log without its job is refused.
pub(super) fn push(tables: &mut Tables, log: i32, log_name: &str) {
    tables.push_job(JobRow {
        log,
        log_name,
        format: super::OWN_FORMAT,
        is_big_endian: false,
        compression: "none",
        ..JobRow::UNKNOWN
    });
    let effect = "the record of the job is missing: program, times and number of processes are \
                  unknown. `diya sql` reads the other tables that are left. Copy the file again \
                  from its source, or record the program again";
    let module = Some(TableId::Job.def().name);
    tables.push_issue(log, Issue { module, ..Issue::of_log(IssueKind::Truncated, effect) });
}
