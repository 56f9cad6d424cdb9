//! A finding with its evidence, and the other three verdicts of a check.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Seconds, Value};

/// How much a finding weighs. The order is that of a report.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// At least 10 % of the run time can be won, and 0.1 s.
    High,
    /// At least 2 %, and 0.1 s.
    Warn,
    /// Time that no check explains.
    Unexplained,
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
    /// Id of the check: folder/name.
    pub id: String,
    /// Its short code.
    pub code: String,
    /// The layer of the calls that it is about: posix, mpiio, hdf5, ..., or what the check is about
    /// instead: job, lustre, python.
    pub layer: String,
    /// Its title.
    pub title: String,
    /// What stands above it instead of the title: of time without a known cause, its place; `None`:
    /// the title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// How much it weighs; the limits can be configured.
    pub severity: Severity,
    /// Seconds of run time that a fix saves, the best estimate; `None`: not quantifiable.
    pub saved_s: Option<Seconds>,
    /// The same, at least; `None`: not quantifiable.
    pub lost_low_s: Option<Seconds>,
    /// The same, at most; `None`: not quantifiable.
    pub lost_high_s: Option<Seconds>,
    /// Why a fix may save nothing; `None`: it saves something.
    pub zero_because: Option<String>,
    /// Rows of `time_account` that it explains, wholly or in part.
    pub explains: Vec<Explained>,
    /// Id of a more specific finding about the same calls, with most of the seconds of this one,
    /// whose fix comes first; `None`: there is none.
    pub explained_by: Option<String>,
    /// Number in the report, from 1, of the finding that counts the same time and is explained by
    /// none: that one is fixed first; `None`: this one stands on its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_time_as: Option<usize>,
    /// Fixing it saves clearly more than fixing the finding `same_time_as`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub saves_more: bool,
    /// It saves too little of the run for more than its heading.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_minor: bool,
    /// The sentence, about the worst of the evidence.
    pub text: String,
    /// Why rows are missing, where the finding follows from a part of them: its numbers are
    /// "at least"; `None`: it follows from all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_part: Option<String>,
    /// The worst rows, at most 20.
    pub evidence: Vec<Evidence>,
    /// All rows, also those that `evidence` leaves out.
    pub evidence_rows: usize,
    /// What the numbers were compared with, by parameter.
    pub thresholds: BTreeMap<String, Threshold>,
    /// Paths of the files concerned, at most 50.
    pub files: Vec<String>,
    /// Ranks concerned, at most 50; empty: all, or not told.
    pub ranks: Vec<i64>,
    /// Names of these where numbers alone say too little: processes that are no ranks, ranks of
    /// several steps; empty: numbers say enough.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<String>,
    /// First and last moment concerned, seconds since the start of the job; `None`: not known.
    pub window_s: Option<(f64, f64)>,
    /// Storage targets concerned.
    pub targets: Vec<i64>,
    /// Source lines concerned: path:line, or function (path:line).
    pub source: Vec<String>,
    /// What the lines in `source` cost, in their order; empty: calls were recorded without their
    /// stacks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<SourceLine>,
    /// The lines that `lines` leaves out, since they cost too little; `None`: none is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_lines: Option<OtherLines>,
    /// The part of its files that `lines` is about: `1 of 8 files`; `None`: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines_of: Option<String>,
    /// Lines that the fix changes, where they are none of `lines`: those that open or create what
    /// the finding is about; empty: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// The few files that most of the finding is about; empty: many share it, or it is about no
    /// file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub main_files: Vec<MainFile>,
    /// The rank that others wait for, and where it spends more time than they do; `None`: there is
    /// none, or its lines were not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateRank>,
    /// What to do, in the order of their use for this finding.
    pub actions: Vec<Action>,
    /// Gain seen elsewhere, with its source: no promise; empty where none is published.
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
    /// Words that stand before the value, such as `at least`.
    #[serde(default)]
    pub label: String,
    /// Why this value.
    pub why: String,
}

/// Seconds of run time that fixes save together, no second counted twice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Saving")] // its name in the schema and in the page
pub struct Recoverable {
    /// The best estimate; `None`: not quantifiable.
    #[serde(default)]
    pub saved_s: Option<Seconds>,
    /// At least; `None`: no lower bound but zero is known.
    pub lost_low_s: Option<Seconds>,
    /// At most; `None`: not quantifiable.
    pub lost_high_s: Option<Seconds>,
}

/// A row of the account of time: what the run time went into.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AccountRow {
    /// posix, stdio, mpiio, ..., or program: not in a call.
    pub layer: String,
    /// read, write, metadata, sync, write_sync, lock, map, wait, library, computing or unknown.
    pub class: String,
    /// Kind of call; `None`: kind not recorded, or no call.
    pub op: Option<String>,
    /// The function that was called; `None`: not recorded.
    pub function: Option<String>,
    /// Seconds of the run.
    pub time_s: Seconds,
    /// Calls in these seconds; `None`: no call.
    pub calls: Option<i64>,
    /// Bytes that they moved; `None`: no call.
    pub bytes: Option<i64>,
    /// Files they are about; `None`: no call.
    pub files: Option<i64>,
    /// Large requests, as fast as the log or a machine profile shows to be possible.
    pub is_at_speed: bool,
    /// Of `time_s` in collective calls, seconds until the last rank enters, the rest is data
    /// exchange; `None`: no collective calls, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late_s: Option<Seconds>,
    /// What is waited for: `rank 3`, `other ranks`; `None`: no wait, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub awaited: Option<String>,
}

impl AccountRow {
    /// Whether the program was in an I/O call.
    pub fn is_io(&self) -> bool {
        self.layer != "program" && self.class != "child"
    }
}

/// A row of `time_account` that a finding explains.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Explained {
    /// As in `time_account`.
    pub layer: String,
    /// As in `time_account`.
    pub class: String,
    /// Kind of call; `None`: kind not recorded, or no call.
    pub op: Option<String>,
    /// Seconds of the row that are explained.
    pub time_s: Seconds,
}

/// One row of evidence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// The sentence about this row.
    pub text: String,
    /// Its values by column; the end of the name tells the unit: _bytes, _s, _calls, _ratio.
    pub values: BTreeMap<String, Value>,
}

/// A check that found nothing, or that did not apply.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckName {
    /// Id of the check: folder/name.
    pub id: String,
    /// Its title.
    pub title: String,
}

/// A check that could not tell.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "UnknownCheck")] // its name in the schema and in the page
pub struct Unknown {
    /// Id of the check: folder/name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Why.
    pub reason: String,
    /// What the check is about, in words, where this kind of log does not hold the calls that it
    /// judges; `None`: other logs of this kind can be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// This kind of log does not hold the time of these calls either: it counts as time outside
    /// I/O; `false`: it does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hides_time: bool,
}

/// What a line of the program's own code costs: the calls of it that a finding is about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename = "SourceCost")] // its name in the schema and in the page
pub struct SourceLine {
    /// The line, as in `source` of the finding.
    pub source: String,
    /// The whole name of its function; `None`: `source` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Layer of these calls: those that they make in the layers below are not counted; empty: not
    /// known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub layer: String,
    /// Calls made there.
    pub calls: i64,
    /// Seconds in them, summed over ranks.
    pub time_s: f64,
    /// Lines that its function is called from, the most expensive first; empty: there is one, or
    /// none.
    ///
    /// Of a list whose neighbours have the same single caller, the first line has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub callers: Vec<Caller>,
}

/// Lines that a finding does not name, so that its lines add up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct OtherLines {
    /// How many there are.
    pub lines: i64,
    /// Calls made there.
    pub calls: i64,
    /// Seconds in them, summed over ranks.
    pub time_s: f64,
}

/// A file that a finding is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MainFile {
    /// Its path.
    pub path: String,
    /// Its size at least: the end of the last byte that was read, written or mapped; `None`: not
    /// recorded.
    pub size_bytes: Option<i64>,
}

/// A rank that others wait for, and what it does meanwhile.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LateRank {
    /// What it is called: `rank 3`.
    pub name: String,
    /// Places where it spends more time than the mean of the other ranks, the largest difference
    /// first.
    pub parts: Vec<LatePart>,
}

/// A place where a late rank spends more time than the others.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LatePart {
    /// `call`: in the calls of a line; `between`: from the calls of a line to those of the next;
    /// `code`: in code of the program, by samples of the processor.
    pub kind: String,
    /// The line: function (file:line), and what it calls.
    pub source: String,
    /// The line of the next call; `None`: not between two calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Seconds of this rank.
    pub time_s: f64,
    /// Mean of the other ranks.
    pub others_s: f64,
}

/// A line of the program that calls the function of another line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Caller {
    /// Function (file:line).
    pub source: String,
    /// Its part of the seconds of the line, or of the calls where these take no time.
    pub share: f64,
}

/// Something to do, for one software stack or for all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action {
    /// Stack or language it is for: POSIX, MPI-IO, HDF5, Python, C++, ...; `any` for all.
    pub stack: String,
    /// Direction it is for; `flush`: writes that a flush in the program causes; `None`: all of
    /// them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// The case that it is for, of a check that tells cases apart; `None`: every other one. A
    /// report holds what is for its case, and names none.
    #[serde(skip)]
    pub case: Option<String>,
    /// It fits the language, the library and the direction of this finding: a report shows only
    /// these at once, and they come first; `false`: it does not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fits: bool,
    /// Markdown, with its snippets.
    pub text: String,
}

impl Action {
    /// What it is for, as a heading; `None`: for every program.
    ///
    /// ```
    /// use diya_findings::Action;
    /// let heading = |stack: &str, op: Option<&str>| {
    ///     Action { stack: stack.into(), op: op.map(Into::into), ..Action::default() }.heading()
    /// };
    /// assert_eq!(heading("HDF5", Some("read")).unwrap(), "HDF5, reading");
    /// assert_eq!(heading("any", Some("write")).unwrap(), "Writing");
    /// assert_eq!(heading("MPI-IO", None).unwrap(), "MPI-IO");
    /// assert_eq!(heading("Fortran", Some("flush")).unwrap(), "Fortran, flushing");
    /// assert_eq!(heading("any", None), None);
    /// let of_case = Action { stack: "C".into(), case: Some("counter".into()), ..Action::default() };
    /// assert_eq!(of_case.heading().unwrap(), "C (counter)");
    /// ```
    pub fn heading(&self) -> Option<String> {
        let general = || "any software".to_owned();
        match &self.case {
            Some(case) => Some(format!("{} ({case})", self.software().unwrap_or_else(general))),
            None => self.software(),
        }
    }

    /// Software and direction.
    fn software(&self) -> Option<String> {
        let doing = self.op.as_deref().map(|op| match op {
            "read" => "reading",
            "flush" => "flushing",
            _ => "writing",
        });
        match (self.stack.as_str(), doing) {
            ("any", None) => None,
            ("any", Some("reading")) => Some("Reading".to_owned()),
            ("any", Some("flushing")) => Some("Flushing".to_owned()),
            ("any", Some(_)) => Some("Writing".to_owned()),
            (stack, None) => Some(stack.to_owned()),
            (stack, Some(doing)) => Some(format!("{stack}, {doing}")),
        }
    }
}
