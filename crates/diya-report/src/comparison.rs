//! Runs of a job side by side, as data: the JSON of `diya compare`. `cargo xtask generate` makes
//! `schema/comparison.schema.json` of these types and their docs.

use serde::{Deserialize, Serialize};

use crate::{Job, Severity, Verdict};

/// Version of the layout of the JSON; a larger one may have lost or renamed fields.
pub const COMPARISON_VERSION: u32 = 1;

/// What became of a job from one run to others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Version of this layout.
    pub schema_version: u32,
    /// What made the comparison: name and version.
    pub program: String,
    /// The run that the others are compared with: run A.
    pub baseline: ComparedRun,
    /// The other runs, B, C, ..., in the order given.
    pub runs: Vec<RunComparison>,
}

/// One run, or several repeats of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedRun {
    /// Logs, those of repeats one after the other.
    pub logs: Vec<String>,
    /// How often it ran.
    pub repeats: usize,
    /// What ran; of several repeats the one in the middle by run time.
    pub job: Job,
    /// Its verdict.
    pub verdict: Verdict,
    /// Run time in seconds, the geometric mean of the repeats; `None`: not recorded.
    pub run_s: Option<f64>,
    /// Seconds of I/O on the critical path, likewise; `None`: not known.
    pub io_s: Option<f64>,
}

/// How a run differs from the baseline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunComparison {
    /// The run.
    pub run: ComparedRun,
    /// The answer in one or two sentences.
    pub text: String,
    /// The answer in a word.
    pub outcome: Outcome,
    /// What is worse, beyond the noise and by enough to matter: a phrase each.
    pub regressions: Vec<String>,
    /// Where the runs did not do the same work, so that their times differ because of that, too: a
    /// phrase each.
    pub other_work: Vec<String>,
    /// What two runs of one job differ by anyway.
    pub noise: Noise,
    /// Numbers of the job and its layers.
    pub metrics: Vec<Change>,
    /// I/O phases side by side; empty: single calls were not recorded in both.
    pub phases: Vec<PhaseChange>,
    /// Files side by side, the largest change of time first; the first 1000 patterns.
    pub files: Vec<FileChange>,
    /// Requests by size.
    pub sizes: Vec<SizeChange>,
    /// Findings, what is new first.
    pub findings: Vec<FindingChange>,
}

/// What became of the time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Less time, beyond the noise.
    Faster,
    /// More time, beyond the noise.
    Slower,
    /// What differs may be noise.
    Same,
    /// Times are missing.
    #[default]
    Unknown,
}

/// Half widths of the range in which the quotient of two times lies by chance
/// in 95 of 100 pairs of runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// Of run times, as a share.
    pub run_ratio: f64,
    /// Of times and rates of I/O, as a share.
    pub io_ratio: f64,
    /// From the repeats of these runs, instead of what is known of others.
    pub is_measured: bool,
}

impl Default for Noise {
    fn default() -> Self {
        Self { run_ratio: 0.0, io_ratio: 0.0, is_measured: false }
    }
}

/// A number in both runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What it is about: job, or layer and kind of call, as `posix write`.
    pub subject: String,
    /// The metric; the end of the name tells the unit, as in tables.
    pub name: String,
    /// s, bytes, bytes/s, calls, files, or 1 for a ratio.
    pub unit: String,
    /// In the baseline; `None`: not measured.
    pub before: Option<f64>,
    /// In the other run; `None`: not measured.
    pub after: Option<f64>,
    /// `after` over `before`, less 1; `None`: one of them is missing, or 0.
    pub change_ratio: Option<f64>,
    /// More than chance explains; `None`: a side is missing. Counts have no noise.
    pub is_beyond_noise: Option<bool>,
    /// It went the worse way; `None`: neither is better.
    pub is_worse: Option<bool>,
}

/// An I/O phase in both runs, or in one of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseChange {
    /// Layer that the phases are of.
    pub layer: String,
    /// In the baseline; `None`: it lacks the phase.
    pub before: Option<PhaseSide>,
    /// In the other run; `None`: it lacks the phase.
    pub after: Option<PhaseSide>,
}

/// A phase of one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseSide {
    /// Number of the phase, from 0.
    pub phase: i64,
    /// Start, seconds since the start of the job.
    pub start_s: f64,
    /// End less start, seconds.
    pub duration_s: f64,
    /// Bytes read.
    pub bytes_read: i64,
    /// Bytes written.
    pub bytes_written: i64,
    /// Reads, writes and syncs.
    pub calls: i64,
}

/// Files of one pattern in both runs, or in one of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileChange {
    /// Path, with `#` for numbers, dates and hashes, and `*` for folders that differ.
    pub pattern: String,
    /// Layer that the numbers are of.
    pub layer: String,
    /// In the baseline; `None`: it lacks them.
    pub before: Option<FileSide>,
    /// In the other run; `None`: it lacks them.
    pub after: Option<FileSide>,
}

/// Files of one pattern in one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct FileSide {
    /// How many.
    pub files: i64,
    /// Reads and writes; `None`: not recorded.
    pub calls: Option<i64>,
    /// Opens; `None`: not recorded.
    pub opens: Option<i64>,
    /// Bytes read; `None`: not recorded.
    pub bytes_read: Option<i64>,
    /// Bytes written; `None`: not recorded.
    pub bytes_written: Option<i64>,
    /// Seconds in calls, summed over ranks; `None`: not recorded.
    pub time_s: Option<f64>,
}

/// Requests of one size in both runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SizeChange {
    /// Layer.
    pub layer: String,
    /// read or write.
    pub op: String,
    /// Smallest size of the bin, bytes.
    pub size_lo_bytes: i64,
    /// Largest size of the bin, bytes; `None`: it has no upper end.
    pub size_hi_bytes: Option<i64>,
    /// Requests in the baseline.
    pub calls_before: i64,
    /// Requests in the other run.
    pub calls_after: i64,
    /// Their share of the requests of this layer and direction in the baseline; `None`: it has
    /// none.
    pub before_ratio: Option<f64>,
    /// The same in the other run; `None`: it has none.
    pub after_ratio: Option<f64>,
}

/// What became of a finding. The order is that of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Only the other run has it.
    New,
    /// It costs more, beyond the noise.
    More,
    /// It costs less, beyond the noise.
    Less,
    /// Only the baseline has it.
    Gone,
    /// It costs what it did.
    #[default]
    Same,
}

/// A finding in both runs, or in one of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FindingChange {
    /// What became of it.
    pub fate: Fate,
    /// Id of the check.
    pub id: String,
    /// Its title.
    pub title: String,
    /// In the baseline; `None`: it lacks the finding.
    pub before: Option<FindingSide>,
    /// In the other run; `None`: it lacks the finding.
    pub after: Option<FindingSide>,
    /// Why it may be gone or new without any change: the check could not judge the run without the
    /// finding; `None`: it could.
    pub unknown: Option<String>,
}

/// A finding in one run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FindingSide {
    /// How much it weighs; the limits can be configured.
    pub severity: Severity,
    /// Seconds that a fix saves, the best estimate; `None`: not quantifiable.
    #[serde(default)]
    pub saved_s: Option<f64>,
    /// The same, at least; `None`: not quantifiable.
    pub lost_low_s: Option<f64>,
    /// The same, at most; `None`: not quantifiable.
    pub lost_high_s: Option<f64>,
    /// Id of a finding that explains it; `None`: none does.
    pub explained_by: Option<String>,
    /// The sentence.
    pub text: String,
}

impl FindingSide {
    /// Seconds at stake, which severity follows.
    pub fn cost_s(&self) -> Option<f64> {
        let middle_s =
            || self.lost_high_s.map(|high_s| f64::midpoint(self.lost_low_s.unwrap_or(0.0), high_s));
        self.saved_s.or_else(middle_s)
    }
}
