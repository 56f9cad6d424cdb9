//! The job region: who ran what, and which file systems were mounted.
//!
//! Darshan keeps 4096 bytes for it: a record of fixed size, then one text of
//! command line and mounts. Source: `struct darshan_job` of darshan-log-format.h
//! and `DARSHAN_EXE_LEN`.

use super::{fixed_text, rows_of};
use crate::Loss;
use diya_tables::{TableBuilder, TableId, Tables, job, mount};

/// Bytes of the whole region, uncompressed.
const MAX_JOB_BYTES: usize = 4096;

const METADATA_BYTES: usize = 1024;

/// What Darshan puts at the end of a command line that is too long.
const TRUNCATED: &str = "<TRUNCATED>";

/// The region; `None` when there is no such job.
pub(super) fn bytes(tables: &Tables, log: i32, losses: &mut Vec<Loss>) -> Option<Vec<u8>> {
    let jobs = tables.table(TableId::Job)?;
    let row = rows_of(jobs, log).next()?;
    let mut out = Vec::with_capacity(MAX_JOB_BYTES);
    let number = |column| jobs.i64(column, row);
    let (start_s, start_ns) = split(number(job::START_TIME));
    let (end_s, end_ns) = split(number(job::END_TIME));
    let uid = number(job::UID).unwrap_or(-1);
    // Readers divide by the number of processes; a job has at least one.
    let nprocs = number(job::NPROCS).unwrap_or(1);
    let job_id = number(job::JOB_ID).unwrap_or(-1);
    for value in [uid, start_s, start_ns, end_s, end_ns, nprocs, job_id] {
        out.extend(value.to_le_bytes());
    }
    let mut field = [0; METADATA_BYTES];
    if fixed_text(&metadata(jobs, row), &mut field) {
        let effect = "bytes of metadata are kept, the rest does not fit";
        losses.push(Loss { part: "job", count: METADATA_BYTES as u64 - 1, effect });
    }
    out.extend(field);
    out.extend(text(tables, jobs, row, MAX_JOB_BYTES - out.len() - 1, losses).as_bytes());
    out.push(0);
    Some(out)
}

/// Seconds and nanoseconds of a time; 0 is Darshan's mark for none.
fn split(time_ns: Option<i64>) -> (i64, i64) {
    let ns = time_ns.unwrap_or(0);
    (ns.div_euclid(1_000_000_000), ns.rem_euclid(1_000_000_000))
}

/// key=value lines, each ended: PyDarshan drops what follows the last line end.
/// The version of the recording library is always among them, because readers
/// look for it there.
fn metadata(jobs: &TableBuilder, row: usize) -> String {
    let recorded = jobs.str(job::METADATA, row).unwrap_or_default();
    let has_version = recorded.lines().any(|line| line.starts_with("lib_ver="));
    let version = jobs.str(job::LIBRARY_VERSION, row).filter(|_| !has_version);
    let mut text = version.map_or(String::new(), |version| format!("lib_ver={version}\n"));
    text.push_str(recorded);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Command line and mounts in at most `room` bytes.
fn text(
    tables: &Tables,
    jobs: &TableBuilder,
    row: usize,
    room: usize,
    losses: &mut Vec<Loss>,
) -> String {
    let command = jobs.str(job::COMMAND_LINE, row).or_else(|| jobs.str(job::EXE, row));
    // The first line break ends the command line.
    let mut text = command.unwrap_or_default().replace(['\n', '\0'], " ");
    if text.len() > room {
        text.truncate(text.floor_char_boundary(room - TRUNCATED.len()));
        text.push_str(TRUNCATED);
        let effect = "bytes of the command line are kept, the rest does not fit";
        losses.push(Loss { part: "job", count: room as u64, effect });
    }
    let mut missing = 0;
    if let Some(mounts) = tables.table(TableId::Mount) {
        let log = jobs.i32(job::LOG, row).unwrap_or(0);
        for row in rows_of(mounts, log) {
            let mount = mounts.str(mount::MOUNT, row).unwrap_or_default();
            let fs_type = mounts.str(mount::FS_TYPE, row).unwrap_or_default();
            let line = format!("\n{fs_type}\t{mount}");
            if text.len() + line.len() <= room {
                text.push_str(&line);
            } else {
                missing += 1;
            }
        }
    }
    if missing > 0 {
        let effect = "mounts are left out, they do not fit";
        losses.push(Loss { part: "job", count: missing, effect });
    }
    text
}
