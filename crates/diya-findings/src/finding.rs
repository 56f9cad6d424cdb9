//! A finding with its evidence, and the other three verdicts of a check.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Value;

/// How much a finding weighs. The order is that of a report.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// At least 10 % of the run time.
    High,
    /// At least 2 % of the run time.
    Warn,
    /// Below, or not quantifiable.
    #[default]
    Info,
    /// Good news.
    Ok,
}

/// A reported problem with its evidence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Finding {
    /// Id of the check.
    pub id: String,
    /// Its short code.
    pub code: String,
    /// Its title.
    pub title: String,
    /// How much it weighs.
    pub severity: Severity,
    /// Seconds of run time that a fix wins at least; `None`: not quantifiable.
    pub lost_low_s: Option<f64>,
    /// Seconds of run time that a fix wins at most; `None`: not quantifiable.
    pub lost_high_s: Option<f64>,
    /// Id of a finding that says more closely what this one sees, and covers
    /// most of its seconds: its fix comes first.
    pub explained_by: Option<String>,
    /// The sentence, about the worst of the evidence.
    pub text: String,
    /// Why rows are missing, where the finding follows from a part of them: its
    /// numbers are "at least"; `None`: from all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_part: Option<String>,
    /// The worst rows, at most 20.
    pub evidence: Vec<Evidence>,
    /// All rows, also those that `evidence` leaves out.
    pub evidence_rows: usize,
    /// What the numbers were compared with, by parameter.
    pub thresholds: BTreeMap<String, Threshold>,
    /// Paths of the files concerned.
    pub files: Vec<String>,
    /// Ranks concerned; empty: all, or not told.
    pub ranks: Vec<i64>,
    /// Their names where numbers alone say too little: processes that are no ranks,
    /// ranks of several steps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<String>,
    /// First and last moment concerned, seconds since the start of the job.
    pub window_s: Option<(f64, f64)>,
    /// Storage targets concerned.
    pub targets: Vec<i64>,
    /// Source lines concerned.
    pub source: Vec<String>,
    /// What to do.
    pub actions: Vec<Action>,
    /// Gain seen elsewhere, with its source.
    pub gain: String,
    /// When the actions do harm.
    pub contraindications: Vec<String>,
    /// Which number must move after the fix.
    pub verify: String,
    /// When the finding is wrong.
    pub wrong_when: String,
}

/// A number that a check compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// Its value, in `unit`.
    pub value: Value,
    /// bytes, calls, s, files, ranks, or 1 for a ratio.
    pub unit: String,
    /// Why this value.
    pub why: String,
}

/// Seconds of run time that can be won, as a range.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Recoverable {
    /// At least; `None`: no lower bound but zero is known.
    pub lost_low_s: Option<f64>,
    /// At most; `None`: not quantifiable.
    pub lost_high_s: Option<f64>,
}

/// One row of evidence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The sentence about this row.
    pub text: String,
    /// Its values by column; the name tells the unit.
    pub values: BTreeMap<String, Value>,
}

/// A check that found nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckName {
    /// Id of the check.
    pub id: String,
    /// Its title.
    pub title: String,
}

/// A check that could not say anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unknown {
    /// Id of the check.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Why.
    pub reason: String,
}

/// Something to do, for one software stack or for all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// Stack or language it is for: POSIX, MPI-IO, HDF5, Python, C++, ...; `any` for all.
    pub stack: String,
    /// Direction it is for, `read` or `write`; `None`: both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// Markdown, with its snippets.
    pub text: String,
}
