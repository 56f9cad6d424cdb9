//! A batch of logs: bytes in, rows out; planning is shared by all of them.

use crate::extract::{self, LogFacts, LogFindings, LogKey};
use crate::names::{Names, first_64};
use crate::rows::Rows;
use arrow::array::RecordBatch;
use diya::diagnose::{CheckSet, CheckSetError, DiagnoseError, MetricRows, diagnose};
use diya::input::Input;
use diya::{
    AskError, OpenError, OpenOptions, Refused, Selection, Session, TableSet, Threads, Trace,
};
use diya_query::Plans;
use diya_tables::TableId;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A log in memory or in a large file, known by its content.
pub struct Log {
    /// Its bytes.
    pub input: Input,
    /// Where it lies.
    pub path: String,
    pub size_bytes: u64,
    pub content: u128,
}

/// What became of the logs, in their order: rows are there, or why not.
pub type Outcomes = Vec<Result<(), String>>;

/// Rows by the number of their table, and what became of each log.
pub type Done = (Vec<(usize, RecordBatch)>, Outcomes);

/// Checks, and the plans of their statements, which all batches share.
pub struct Judge {
    checks: CheckSet,
    plans: Plans,
}

impl Judge {
    /// With the checks that come with diya.
    pub fn builtin() -> Result<Self, CheckSetError> {
        Ok(Self { checks: CheckSet::builtin()?, plans: Plans::default() })
    }
}

/// Reads logs, judges them where there is a judge, and gives their rows.
///
/// Each log ends with rows or with a reason. What stops a whole batch stops the logs
/// alone that are to blame: it is halved until they are found.
pub fn read(logs: &[Log], judge: Option<&Judge>, names: &Names) -> Done {
    if logs.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let work = || tables(logs, judge).map(|of| push(logs, of, names));
    let reason = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(done)) => return done,
        Ok(Err(reason)) => reason,
        Err(_) => "reading it stopped in the middle, which is a fault of diya".to_owned(),
    };
    if logs.len() == 1 {
        return (Vec::new(), vec![Err(reason)]);
    }
    let (first, second) = logs.split_at(logs.len() / 2);
    let (mut rows, mut outcomes) = read(first, judge, names);
    let (more, others) = read(second, judge, names);
    rows.extend(more);
    outcomes.extend(others);
    (rows, outcomes)
}

/// What was read of a batch.
struct ReadBatch {
    facts: Vec<LogFacts>,
    judged: Vec<Option<LogFindings>>,
    refused: Vec<Option<String>>,
}

fn tables(logs: &[Log], judge: Option<&Judge>) -> Result<ReadBatch, String> {
    // The name of an input is its number: reports are found by it.
    let inputs = logs.iter().enumerate().map(|(number, log)| {
        let mut input = log.input.clone();
        input.name = number.to_string();
        input
    });
    let inputs: Vec<Input> = inputs.collect();
    // Batches run side by side already.
    let options = OpenOptions { threads: Threads::new(1), ..OpenOptions::default() };
    let mut judged: Vec<Option<LogFindings>> = logs.iter().map(|_| None).collect();
    let Some(judge) = judge else {
        let wanted: TableSet = extract::COUNTERS.into_iter().collect();
        let options = OpenOptions { selection: Selection::tables(wanted), ..options };
        let trace = Trace::open(&inputs, &options).map_err(reason)?;
        let find = |id: TableId| Some(std::sync::Arc::clone(trace.table(id)));
        let facts = extract::read(&find, logs.len());
        return Ok(ReadBatch { facts, judged, refused: reasons(trace.refused(), logs.len()) });
    };
    let mut session = Session::new(inputs, options);
    session.share_plans(judge.plans.clone());
    let reports =
        diagnose(&mut session, &judge.checks, &MetricRows::None).map_err(|e| match e {
            DiagnoseError::Ask(AskError::Open(error)) => reason(error),
            other => other.to_string(),
        })?;
    for report in reports {
        let number = report.logs.first().and_then(|name| name.parse::<usize>().ok());
        if let Some(place) = number.and_then(|number| judged.get_mut(number)) {
            *place = Some(report.into());
        }
    }
    let find = |id: TableId| session.table(id.def().name).cloned();
    let facts = extract::read(&find, logs.len());
    Ok(ReadBatch { facts, judged, refused: reasons(session.refused(), logs.len()) })
}

/// Why a log cannot be read, the same words whether others were read beside it or not.
fn reason(error: OpenError) -> String {
    match error {
        OpenError::Refused(refused) => refused.reason,
        other => other.to_string(),
    }
}

fn reasons(refused: &[Refused], logs: usize) -> Vec<Option<String>> {
    let mut reasons = vec![None; logs];
    for refusal in refused {
        let place = usize::try_from(refusal.log).ok().and_then(|log| reasons.get_mut(log));
        if let Some(place) = place {
            *place = Some(refusal.reason.clone());
        }
    }
    reasons
}

fn push(logs: &[Log], of: ReadBatch, names: &Names) -> Done {
    let ReadBatch { facts, judged, refused } = of;
    let mut rows = Rows::new();
    let all = logs.iter().zip(facts).zip(judged).zip(refused);
    let outcomes = all.map(|(((log, facts), judged), refused)| {
        if let Some(reason) = refused {
            return Err(reason);
        }
        if !facts.has_job {
            return Err("no row of a job was read from it".to_owned());
        }
        let key = LogKey {
            log_hash: first_64(log.content),
            path: &log.path,
            size_bytes: i64::try_from(log.size_bytes).unwrap_or(i64::MAX),
        };
        extract::push(&facts, &key, judged.as_ref(), names, &mut rows);
        Ok(())
    });
    let outcomes = outcomes.collect();
    (rows.into_batches(), outcomes)
}
