//! What a server holds of one job: all tables, the calls, the report; answers
//! every question of a page.

use super::answers::{Diagnosis, Timeline};
use super::calls::{CALL_TABLES, store};
use super::tables;
use diya::context::{Context, ContextError};
use diya::diagnose::{CheckSet, DiagnoseError, MetricRows, diagnose};
use diya::input::Input;
use diya::{AskError, OpenOptions, Session, TableId};
use diya_query::CancelToken;
use diya_read::Workers as _;
use diya_report::Report;
use diya_timeline::{Answer, DescribeQuestion, Orders, Question, Store};
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

/// A job could not be held for a page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The logs could not be read or judged.
    #[error(transparent)]
    Diagnose(#[from] DiagnoseError),
    /// A table could not be read.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// What is known from outside the logs does not fit them.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The report has no form in JSON.
    #[error("the report could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Rows of each metric table in the report of a page: its views read some of
/// them row by row.
pub const PAGE_ROWS: usize = 100_000;
/// One job that a page asks about.
///
/// Its calls can be asked for as soon as they are read: judging a hundred million of
/// them takes ten times as long. Questions wait for what they need.
#[derive(Default)]
pub struct LoadedJob {
    timeline: OnceLock<Result<Timeline, String>>,
    diagnosis: OnceLock<Result<Diagnosis, String>>,
}

impl LoadedJob {
    /// Reads the logs of one job, judges them, and keeps all tables.
    pub fn open(
        inputs: Vec<Input>,
        options: OpenOptions<'static>,
        checks: &CheckSet,
        context: &Context,
    ) -> Result<Self, LoadError> {
        let held = Self::default();
        held.fill(inputs, options, checks, context)?;
        Ok(held)
    }

    /// The same on a thread of its own: gives what can be asked at once.
    pub fn start(
        inputs: Vec<Input>,
        options: OpenOptions<'static>,
        checks: Arc<CheckSet>,
        context: Arc<Context>,
    ) -> Arc<Self> {
        let held = Arc::new(Self::default());
        let own = Arc::clone(&held);
        std::thread::spawn(move || {
            let fill = || own.fill(inputs, options, &checks, &context);
            // Who waits for an answer must get one, however this thread ends.
            let outcome = catch_unwind(AssertUnwindSafe(fill)).unwrap_or_else(|_| {
                own.fail("internal error while analysing this log; details are in the terminal where diya runs");
                Ok(())
            });
            if let Err(error) = outcome {
                own.fail(&error.to_string());
            }
        });
        held
    }

    fn fill(
        &self,
        inputs: Vec<Input>,
        options: OpenOptions<'static>,
        checks: &CheckSet,
        context: &Context,
    ) -> Result<(), LoadError> {
        let threads = options.threads;
        let mut session = Session::of_jobs(vec![inputs], options);
        context.add_to(&mut session)?;
        // Everything at once: each later wish would read the logs anew.
        let all = TableId::ALL.into_iter().map(|id| id.def().name);
        session.prepare(&all.collect::<Vec<_>>())?;
        let store = store(&session.tables_named(CALL_TABLES), threads);
        store.build_grids(&|tasks, work| threads.run(tasks, work));
        // Set once: no other code fills this.
        let _first = self.timeline.set(Ok(Timeline { store, orders: Orders::default() }));
        let reports = diagnose(&mut session, checks, &MetricRows::All(PAGE_ROWS))?;
        let report = reports.into_iter().next().unwrap_or_default();
        let page_report = tables::answer(&report)?;
        let _first = self.diagnosis.set(Ok(Diagnosis { session, report, page_report }));
        Ok(())
    }

    /// What is not there yet will not come.
    fn fail(&self, reason: &str) {
        let _there = self.timeline.set(Err(reason.to_owned()));
        let _there = self.diagnosis.set(Err(reason.to_owned()));
    }

    /// Whether the job could not be read or judged.
    pub fn has_failed(&self) -> bool {
        self.diagnosis.get().is_some_and(Result::is_err)
    }

    /// Calls that are held; 0: not read yet.
    pub fn calls(&self) -> usize {
        let timeline = self.timeline.get().and_then(|timeline| timeline.as_ref().ok());
        timeline.map_or(0, |timeline| timeline.store.calls.len())
    }

    /// The report; waits for it. `None`: the job could not be judged.
    pub fn report(&self) -> Option<&Report> {
        self.diagnosis().ok().map(|diagnosis| &diagnosis.report)
    }

    /// The calls; waits for them. `None`: the job could not be read.
    pub fn store(&self) -> Option<&Store> {
        self.timeline().ok().map(|timeline| &timeline.store)
    }

    fn timeline(&self) -> Result<&Timeline, String> {
        self.timeline.wait().as_ref().map_err(Clone::clone)
    }

    fn diagnosis(&self) -> Result<&Diagnosis, String> {
        self.diagnosis.wait().as_ref().map_err(Clone::clone)
    }

    /// Answers a question of the page: `web/README.md`, "The wire format".
    pub fn answer(&self, question: &Question) -> Answer {
        self.answer_cancellable(question, None)
    }

    /// The same; what the engine works on ends when it is cancelled.
    pub fn answer_cancellable(&self, question: &Question, is_cancelled: CancelToken<'_>) -> Answer {
        self.answered(question, is_cancelled).unwrap_or_else(|text| Answer::error(&text))
    }

    fn answered(
        &self,
        question: &Question,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Answer, String> {
        match question {
            // A page that can do without the diagnosis for now says so.
            Question::Describe(DescribeQuestion { is_early: true })
                if self.diagnosis.get().is_none() =>
            {
                self.timeline()?.describe(json!([]), false)
            }
            Question::Describe(_) => self.timeline()?.describe(self.diagnosis()?.tables(), true),
            Question::Report(_) => Ok(self.diagnosis()?.page_report.clone()),
            Question::Table(asked) => self.diagnosis()?.table(asked, is_cancelled),
            Question::Sql(asked) => self.diagnosis()?.sql(asked, is_cancelled),
            _ => self.timeline()?.answer(question),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_timeline::ReportQuestion;
    use serde_json::Value;

    /// The head of an answer: JSON behind a magic number and a length.
    fn head(held: &LoadedJob, question: &Question) -> Value {
        let answer = held.answer(question);
        let [bytes, _columns] = answer.parts();
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
        serde_json::from_slice(&bytes[8..8 + length as usize]).unwrap()
    }

    /// A job whose calls are read and that is not judged yet.
    fn read() -> LoadedJob {
        let held = LoadedJob::default();
        let timeline = Timeline { store: Store::default(), orders: Orders::default() };
        assert!(held.timeline.set(Ok(timeline)).is_ok());
        held
    }

    const EARLY: &Question = &Question::Describe(DescribeQuestion { is_early: true });

    #[test]
    fn a_page_is_described_before_its_job_is_judged() {
        let early = head(&read(), EARLY);
        assert_eq!(early["has_sql"], false);
        assert_eq!(early["tables"], json!([]));
        assert_eq!(early["source"], "server");
    }

    #[test]
    fn a_job_that_cannot_be_judged_still_shows_its_calls() {
        let held = read();
        held.fail("the disk is full");
        assert!(held.has_failed());
        assert_eq!(head(&held, EARLY)["error"], "the disk is full");
        assert_eq!(head(&held, &Question::Report(ReportQuestion {}))["error"], "the disk is full");
        assert!(held.store().is_some());
    }
}
