//! The report as data. `cargo xtask generate` makes `schema/report.schema.json` of these types and
//! their docs, whose first paragraph describes a field for readers of the JSON.
//!
//! Names and meanings are a contract: a field is added, never renamed or
//! removed, within one [`SCHEMA_VERSION`].

use std::collections::BTreeMap;

use crate::printable;
use diya_findings::{AccountRow, CheckName, Finding, Recoverable, Seconds, Unknown, Value};
use serde::{Deserialize, Serialize};

/// Version of the layout of the JSON; a larger one may have lost or renamed fields.
pub const SCHEMA_VERSION: u32 = 1;

/// What is said about the logs of one job.
///
/// ```
/// use diya_report::{Report, SCHEMA_VERSION};
/// let report = Report { logs: vec!["a.darshan".into()], ..Report::default() };
/// let json = serde_json::to_string(&report)?;
/// let again: Report = serde_json::from_str(&json)?;
/// assert_eq!((again.schema_version, again), (SCHEMA_VERSION, report));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of this layout.
    pub schema_version: u32,
    /// What made the report: name and version.
    pub program: String,
    /// Logs it is about, as they were given.
    pub logs: Vec<String>,
    /// What ran.
    pub job: Job,
    /// The answer, and what it stands on.
    pub verdict: Verdict,
    /// Where the run time went, I/O first, the longest first: rows that add up to it.
    #[serde(default)]
    pub time_account: Vec<AccountRow>,
    /// `time_account` by what readers call its parts, as the verdict names them: rows that add up
    /// to it; empty: no account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub time_parts: Vec<TimePart>,
    /// What fixing all findings saves, no second counted twice; `None`: not quantifiable, or
    /// nothing was found.
    #[serde(default)]
    pub all_fixed: Option<Recoverable>,
    /// `all_fixed` in words, where it says more than the findings do; `None`: there are less than
    /// two findings, or no saving is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<String>,
    /// How often the first report was right for programs that nobody tuned on, from logs of this
    /// kind; `None`: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track_record: Option<String>,
    /// Which recording would show what is unknown; `None`: no check lacks data that one has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub better_recording: Option<String>,
    /// What recording took of the run; `None`: not measured, or too little for a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<String>,
    /// Problems, the first to look at first.
    pub findings: Vec<Finding>,
    /// Checks that applied and found nothing.
    pub passed: Vec<CheckName>,
    /// Checks with nothing to ask about in these logs.
    pub not_applicable: Vec<CheckName>,
    /// Checks that could not tell.
    pub unknown: Vec<Unknown>,
    /// Checks and metrics that were skipped because they are wrong themselves.
    #[serde(default)]
    pub problems: Vec<Problem>,
    /// Metric tables by name.
    #[serde(default)]
    pub metrics: BTreeMap<String, MetricTable>,
}

impl Default for Report {
    /// Nothing known yet, in the layout of today.
    fn default() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            program: format!("diya {}", env!("CARGO_PKG_VERSION")),
            logs: Vec::new(),
            job: Job::default(),
            verdict: Verdict::default(),
            time_account: Vec::new(),
            time_parts: Vec::new(),
            all_fixed: None,
            together: None,
            track_record: None,
            better_recording: None,
            recording: None,
            findings: Vec::new(),
            passed: Vec::new(),
            not_applicable: Vec::new(),
            unknown: Vec::new(),
            problems: Vec::new(),
            metrics: BTreeMap::new(),
        }
    }
}

/// What ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Job {
    /// Id given by the batch system; `None`: not recorded.
    pub id: Option<i64>,
    /// Command line; `None`: not recorded.
    pub command: Option<String>,
    /// MPI processes; `None`: not recorded.
    pub nprocs: Option<i64>,
    /// Programs of the processes, the most frequent first, with their number where a program
    /// ran several times: `4 solver`; `uname for 2.1 ms`: it runs for a moment; empty: one program,
    /// or not recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// Machines; `None`: not recorded.
    pub nodes: Option<i64>,
    /// Start, RFC 3339 in UTC; `None`: not recorded.
    pub start: Option<String>,
    /// Run time in seconds; `None`: not recorded.
    pub run_s: Option<f64>,
    /// Software seen in the logs, as remedies name it, the nearest to the program first: Python,
    /// HDF5, MPI-IO, POSIX, Lustre, ...
    pub stacks: Vec<String>,
    /// Settings of `diya run --apply`: `VARIABLE=VALUE`, or `VARIABLE:KEY=VALUE` where the variable
    /// names a file, or `SETTING=VALUE` or `auto` inside the processes; empty: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub applied: Vec<String>,
    /// What these settings did inside the processes, such as `write_buffer: 3 calls instead of
    /// 40,000 calls in 1 file`, and where one was left out, and why; empty: none.
    ///
    /// Sums of table `applied`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub applied_effects: Vec<String>,
    /// What the program, or a library in it, said of itself with `diya_note`: the first texts, all
    /// are in the metric `program_note`; empty: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Programs that the line about the job names.
const PROGRAMS_NAMED: usize = 3;

impl Job {
    /// The programs behind the number of processes, ` (4 solver, uname)`; empty for one program.
    pub fn programs(&self) -> String {
        let named = self.programs.iter().take(PROGRAMS_NAMED).map(|name| printable(name));
        let named: Vec<_> = named.collect();
        match self.programs.len() {
            0 => String::new(),
            all if all > named.len() => {
                format!(" ({}, {} more programs)", named.join(", "), all - named.len())
            }
            _ => format!(" ({})", named.join(", ")),
        }
    }
}

/// How far the numbers of a verdict can be trusted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Much is missing or had to be guessed.
    #[default]
    Low,
    /// Counters without times of single calls: ranges instead of numbers.
    Medium,
    /// Every call is known.
    High,
}

/// What a report says about the I/O of a run: one of four answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictKind {
    /// I/O is not the problem.
    NotTheProblem,
    /// The findings cost this much.
    Findings,
    /// I/O takes much of the run, and runs at the speed that the log or a machine profile shows to
    /// be possible.
    AtSpeed,
    /// Could not be judged, and `text` says why.
    #[default]
    NotJudged,
}

/// The answer, and what it stands on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Verdict {
    /// Which of the four answers it is.
    pub kind: VerdictKind,
    /// The answer in one or two sentences.
    pub text: String,
    /// The same without the parts of the run time, which a picture shows; empty: made before there
    /// was one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub brief: String,
    /// `io_s` over `run_s`; `None`: one of them is not known.
    pub io_share: Option<f64>,
    /// Seconds of the run that I/O took on the critical path: the sum of its rows in
    /// `time_account`; `None`: not known.
    pub io_s: Option<f64>,
    /// Equal to `io_s`.
    pub io_low_s: Option<f64>,
    /// Equal to `io_s`.
    pub io_high_s: Option<f64>,
    /// Run time in seconds; `None`: not recorded.
    pub run_s: Option<f64>,
    /// Bytes read and written; `None`: not known.
    pub bytes: Option<i64>,
    /// `bytes` over `io_s`; `None`: one of them is not known, or no time.
    pub throughput_bytes_per_s: Option<f64>,
    /// How far these numbers can be trusted.
    pub confidence: Confidence,
    /// What could not be seen, a phrase each.
    pub not_captured: Vec<String>,
    /// I/O time may be missing: the kernel counted much more than was recorded, or records
    /// of a layer are lost. Without a finding there is no verdict.
    #[serde(default)]
    pub is_part_unseen: bool,
    /// Seconds of the run that recording took (metric `recording_time`): at least, where there are
    /// several processes; `None`: not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorder_s: Option<f64>,
    /// Seconds of the run, at least, in which no process used a processor or was in a recorded call
    /// (metric `idle_time`); `None`: not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_s: Option<f64>,
    /// Seconds in which a program of the run decoded pictures, by samples of the processor; `None`:
    /// none, or not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decoding_s: Option<f64>,
    /// Seconds in which the leading thread of the run was one of a program that its processes started
    /// (table `leader_time`); `None`: none, or not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub children_s: Option<f64>,
    /// The same by program; `None`: none, or not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Started>,
    /// What takes most of the run, where that is no I/O of its own; `None`: nothing that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<Leader>,
    /// Time of ranks in MPI besides calls on files, by samples of the processor; `None`: no ranks, or
    /// not all were sampled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages: Option<Messages>,
    /// Seconds of messages that wait for nobody, on the way through the ranks that took the time of
    /// the run (table `message_path`); `None`: messages were not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messages_s: Option<f64>,
    /// Waits for other ranks in messages of MPI (table `message_wait`); `None`: none, or messages were
    /// not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_wait: Option<RankWait>,
    /// What the leading thread of the run waited for longest, besides calls on files (table
    /// `leader_time`); `None`: for nothing, or not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited: Option<Waited>,
}

/// Time in MPI besides calls on files: messages, and waiting for other ranks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Messages {
    /// The rank with the most.
    pub most_rank: i64,
    /// Its seconds.
    pub most_s: f64,
    /// The rank with the least.
    pub least_rank: i64,
    /// Its seconds.
    pub least_s: f64,
    /// Seconds in which that rank works, whatever it does; less than others wait for it: it
    /// sleeps, or waits for something else.
    pub least_busy_s: f64,
}

/// Ranks that wait for another one in messages of MPI.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RankWait {
    /// Ranks that wait, the longest first.
    pub ranks: Vec<i64>,
    /// Seconds of the one that waits longest.
    pub wait_s: f64,
    /// Ranks that exchange messages.
    pub of_ranks: i64,
    /// The rank that three quarters of the waits are for; `None`: for several, or no wait but moving data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause_rank: Option<i64>,
    /// No wait: the messages move data, or their partner is not known.
    pub is_transfer: bool,
    /// The function with most of these seconds.
    pub function: String,
    /// The user's line that calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What those do meanwhile who are waited for, the longest first.
    pub parts: Vec<RankDoes>,
    /// Where ranks wait for each other: two that do, the longer wait first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<RankTurn>,
    /// Seconds of all ranks that they wait.
    pub sum_s: f64,
}

/// One of two ranks that wait for each other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RankTurn {
    /// The rank that waits.
    pub rank: i64,
    /// The one that it waits for.
    pub cause_rank: i64,
    /// Seconds.
    pub wait_s: f64,
    /// The function with most of them.
    pub function: String,
    /// The user's line that calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// What a rank does while others wait for it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RankDoes {
    /// As in table `message_wait`: read, write, computing, idle ...
    pub activity: String,
    /// The file, of calls on one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Seconds, of the rank that waits longest.
    pub time_s: f64,
    /// Samples of the processor say whether it worked.
    pub is_sampled: bool,
}

/// A wait that is no call on a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Waited {
    /// As in table `leader_time`: `sleep`, `network`, `lock` ...
    pub activity: String,
    /// The program that waited, where it is not the one that the command names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// What for, where most of the time it was one place: host and port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Seconds.
    pub time_s: f64,
}

/// Programs that a run waits for, which its processes started.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Started {
    /// Seconds of the run.
    pub time_s: f64,
    /// Those with the most time, the longest first.
    pub programs: Vec<StartedProgram>,
}

/// A program that a run waits for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StartedProgram {
    /// Its name.
    pub program: String,
    /// Seconds of the run.
    pub time_s: f64,
    /// How often it was started; `None`: not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<i64>,
    /// How many of it were there at a time, on average, while there was one; `None`: not recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<f64>,
}

/// What takes most of a run besides its I/O.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Leader {
    /// `message-wait`, `child`, `decoding`, `sleep`, `network`, `socket`, `lock` or `core`.
    pub class: String,
    /// Seconds of the run.
    pub time_s: f64,
}

/// A part of the run time, as readers call it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TimePart {
    /// What readers call it: `write`, `waiting for rank 3`.
    pub name: String,
    /// Class of calls, as in `time_account`; `exchange`: collective calls after the last rank
    /// has entered.
    pub class: String,
    /// Seconds of the run.
    pub time_s: Seconds,
    /// What is waited for; `None`: it is no wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub awaited: Option<String>,
    /// It follows from pauses between calls, so that no picture of calls has it; `false`: it does
    /// not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_between_calls: bool,
}

impl TimePart {
    /// Whether the program was in an I/O call, or waited for one; not where it waited for a program
    /// that it started.
    pub fn is_io(&self) -> bool {
        !matches!(self.class.as_str(), "child" | "computing" | "message" | "unknown")
    }
}

/// A check or a metric that was skipped because it is wrong itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Its id or name, or the file it is in.
    pub what: String,
    /// Why, with file and line where they are known.
    pub reason: String,
}

/// A metric table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Table")] // its name in the schema and in the page
pub struct MetricTable {
    /// What it holds, in one sentence.
    pub title: String,
    /// Its columns, in order.
    pub columns: Vec<MetricColumn>,
    /// Rows, a value per column; a large table is cut.
    pub rows: Vec<Vec<Value>>,
    /// Rows of the whole table, also those that `rows` leaves out.
    pub rows_in_all: u64,
}

/// A column of a metric table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Column")] // its name in the schema and in the page
pub struct MetricColumn {
    /// Name, as in SQL.
    pub name: String,
    /// Type of its values: bool, i32, i64, u64, f64, str or timestamp_ns.
    #[serde(rename = "type")]
    pub kind: String,
    /// Unit of its values; 1 for a ratio.
    pub unit: String,
    /// What it holds, and what null means.
    pub doc: String,
}
