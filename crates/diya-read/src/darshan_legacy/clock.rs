//! Points in time: what the stored ones count from; and whether any were taken.
//!
//! Up to log version 2.02 Darshan stored what `MPI_Wtime` gave: seconds since
//! 1970 on Linux clusters, since the start of the program on Blue Gene/P, since
//! something unknown on Blue Gene/Q. From 2.03 on they count from `MPI_Init`.
//! The log contains the start and end of the job, so all times together show which it is.
//!
//! Source: ChangeLog of Darshan 2.2.9; darshan_log_print_version_warnings in
//! darshan-logutils.c (2.x); docs/formats/darshan-legacy.md, section 7.

use super::counters::{
    F_MAX_WRITE_TIME, POSIX_FREADS, POSIX_FWRITES, POSIX_READS, POSIX_WRITES, TIMESTAMPS,
};
use super::header::Header;
use super::record::Record;
use super::version::Version;

/// First log version whose points in time count from `MPI_Init`.
const FIRST_NORMALIZED: Version = Version(203);

/// The job's times are cut to whole seconds.
const SLACK_S: f64 = 1.0;

/// What points in time count from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Origin {
    /// `MPI_Init`, as the columns do.
    JobStart,
    /// Something near the start of the program: they fit into the run time.
    ProgramStart,
    /// 1970; the job started at this second.
    Epoch { start_s: f64 },
    /// They fit neither the run time nor the time of the job.
    Unknown,
}

/// How to read the times of a log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub origin: Origin,
    /// False under `DARSHAN_DISABLE_TIMING`, which leaves 0 in every time.
    pub is_running: bool,
}

impl Clock {
    /// Looks at all times of a log.
    pub fn of<'a>(header: &Header, records: impl Iterator<Item = Record<'a>>) -> Self {
        let (mut first_s, mut last_s) = (f64::INFINITY, 0.0_f64);
        let (mut has_data_calls, mut has_times) = (false, false);
        for record in records {
            let stamps = record.reals.iter().take(TIMESTAMPS).flatten();
            for time in stamps.filter(|time| **time > 0.0) {
                first_s = first_s.min(*time);
                last_s = last_s.max(*time);
            }
            has_data_calls |=
                record.has_any([POSIX_READS, POSIX_WRITES, POSIX_FREADS, POSIX_FWRITES]);
            has_times |= (TIMESTAMPS..=F_MAX_WRITE_TIME).any(|time| record.real(time) > 0.0);
        }
        let origin = match header.meaning < FIRST_NORMALIZED && last_s > 0.0 {
            true => origin(header, first_s, last_s),
            false => Origin::JobStart,
        };
        let has_no_reals = header.meaning.reals() == 0;
        Self { origin, is_running: has_times || has_no_reals || !has_data_calls }
    }

    /// Seconds since the start of the job; `None` also for what never happened.
    pub fn since_start_s(self, stored: Option<f64>) -> Option<f64> {
        let stored = stored.filter(|time| *time > 0.0)?;
        match self.origin {
            Origin::JobStart | Origin::ProgramStart => Some(stored),
            Origin::Epoch { start_s } => Some(stored - start_s),
            Origin::Unknown => None,
        }
    }

    /// A time that was taken; `None` where the clock did not run.
    pub fn duration_s(self, stored: Option<f64>) -> Option<f64> {
        stored.filter(|_| self.is_running)
    }
}

fn origin(header: &Header, first_s: f64, last_s: f64) -> Origin {
    let seconds = |s: i64| i32::try_from(s).ok().map(f64::from);
    let times = header.start_s.and_then(seconds).zip(header.run_time_s().and_then(seconds));
    match times {
        Some((_, run_time_s)) if last_s <= run_time_s + SLACK_S => Origin::ProgramStart,
        Some((start_s, run_time_s))
            if first_s >= start_s && last_s <= start_s + run_time_s + SLACK_S =>
        {
            Origin::Epoch { start_s }
        }
        _ => Origin::Unknown,
    }
}

impl Origin {
    /// What `read_issue` says of it, if anything.
    pub fn effect(self) -> Option<&'static str> {
        match self {
            Self::JobStart => None,
            Self::ProgramStart => Some(
                "points in time are those of the clock of MPI_Wtime in this log version; they fit \
                 into the run time and are taken as seconds since the start of the job",
            ),
            Self::Epoch { .. } => Some(
                "points in time are seconds since 1970 in this log version; the start of the job, \
                 known in whole seconds, was subtracted: they may be late by up to 1 s",
            ),
            Self::Unknown => Some(
                "points in time are those of the clock of MPI_Wtime in this log version, and they \
                 fit neither the run time nor the time of the job: all of them are null",
            ),
        }
    }
}
