//! The page of many jobs, live: its jobs, the answers to questions, and SQL of a visitor,
//! each for the jobs that a filter leaves.

use diya::Threads;
use diya_fleet::{AskError, Dataset, FleetQuery, JobFilter, Limits, LogUnavailable, Question};
use diya_page::timeline::Answer;
use diya_page::{FleetTable, fleet_answer, fleet_head};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Filters whose jobs are remembered: one person changes one filter at a time.
const FILTERS: usize = 4;

/// What SQL of a visitor may take; memory is limited by the engine, depth by `is_of_a_person`.
const OF_A_VISITOR: Limits =
    Limits { rows: 10_000, time: Duration::from_secs(30), ..Limits::OF_A_PERSON };

/// What a question may take: the folder of a facility may hold one that never ends.
const OF_A_QUESTION: Limits =
    Limits { rows: 100_000, time: Duration::from_secs(120), ..Limits::NONE };

/// What the page asks; `web/src/fleet/data.ts` sends it.
#[derive(Debug, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case", deny_unknown_fields)]
enum Asked {
    /// Totals, names of all questions, and the jobs: the dataset as it is now.
    Head {},
    /// The jobs that the filter leaves, and their totals.
    Jobs { filter: JobFilter },
    /// The answer to a question.
    Answer { question: String, filter: JobFilter },
    /// The rows of a statement.
    Sql { text: String, filter: JobFilter },
}

/// A dataset that is served.
pub struct FleetSite {
    dataset: Dataset,
    title: String,
    questions: Vec<Question>,
    most_jobs: usize,
    threads: Threads,
    open_queries: Mutex<OpenQueries>,
}

/// Datasets that are open.
#[derive(Default)]
struct OpenQueries {
    whole: Option<Arc<FleetQuery>>,
    narrowed: VecDeque<(JobFilter, Arc<FleetQuery>)>,
}

impl FleetSite {
    /// The page lists at most so many jobs; figures cover all.
    ///
    /// # Errors
    /// When the dataset cannot be read.
    pub fn new(
        dataset: Dataset,
        title: String,
        questions: Vec<Question>,
        most_jobs: usize,
        threads: Threads,
    ) -> Result<Self, AskError> {
        let open_queries = Mutex::default();
        let site = Self { dataset, title, questions, most_jobs, threads, open_queries };
        site.whole()?;
        Ok(site)
    }

    /// Name of the page.
    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// Whether the log at a path is the one that the dataset read.
    pub(crate) fn check_log(&self, path: &str) -> Result<(), LogUnavailable> {
        self.whole()?.check_log(&self.dataset, path)
    }

    /// Whether the answer goes over more than the list of the jobs.
    pub(crate) fn is_slow(body: &[u8]) -> bool {
        let asked = serde_json::from_slice(body);
        matches!(asked, Ok(Asked::Answer { .. } | Asked::Sql { .. }))
    }

    /// The answer to a request of the page.
    pub(crate) fn answer(&self, body: &[u8], is_gone: &dyn Fn() -> bool) -> Answer {
        let asked = match serde_json::from_slice(body) {
            Ok(asked) => asked,
            Err(error) => return Answer::error(&format!("this is no request: {error}")),
        };
        let answered = match self.answered(&asked, is_gone) {
            // A compaction has replaced files since the dataset was opened.
            Err(AskError::Dataset(_)) => {
                *self.open_queries() = OpenQueries::default();
                self.answered(&asked, is_gone)
            }
            other => other,
        };
        answered.unwrap_or_else(|error| Answer::error(&error.to_string()))
    }

    fn answered(&self, asked: &Asked, is_gone: &dyn Fn() -> bool) -> Result<Answer, AskError> {
        let rows = |name: &str, rows| FleetTable::new(name, rows, |_| None);
        match asked {
            Asked::Head {} => {
                // Somebody loads the page: what was ingested since is seen.
                *self.open_queries() = OpenQueries::default();
                let all = self.whole()?;
                let (totals, files) = (all.totals(Some(is_gone))?, all.files(Some(is_gone))?);
                let dataset = self.dataset.root().display().to_string();
                let head = fleet_head(&self.title, &dataset, &totals, &files, self.questions()?);
                let jobs = all.jobs(self.most_jobs, Some(is_gone))?;
                Ok(fleet_answer(head, &[rows("jobs", &jobs)]))
            }
            Asked::Jobs { filter } => {
                let of = self.of(filter, is_gone)?;
                let totals = FleetTable::new("", &of.totals(Some(is_gone))?, |_| None).objects();
                let jobs = of.jobs(self.most_jobs, Some(is_gone))?;
                let head = json!({ "totals": totals.into_iter().next() });
                Ok(fleet_answer(head, &[rows("jobs", &jobs)]))
            }
            Asked::Answer { question, filter } => {
                let found = self.questions.iter().find(|one| one.name == *question);
                let question = found.ok_or_else(|| AskError::NoQuestion(question.clone()))?;
                let of = self.of(filter, is_gone)?;
                let answer =
                    of.run_cancellable(&question.statement(&[])?, OF_A_QUESTION, Some(is_gone))?;
                let table = FleetTable::new("answer", &answer, |name| question.described(name));
                Ok(fleet_answer(Value::Null, &[table]))
            }
            Asked::Sql { text, filter } => {
                let of = self.of(filter, is_gone)?;
                let answer = of.run_cancellable(text, OF_A_VISITOR, Some(is_gone))?;
                Ok(fleet_answer(Value::Null, &[rows("answer", &answer)]))
            }
        }
    }

    /// The questions without their answers.
    fn questions(&self) -> Result<Value, AskError> {
        let of = |question: &Question| {
            let mut known = json!(question);
            known["sql"] = json!(question.statement(&[])?);
            Ok(known)
        };
        self.questions.iter().map(of).collect()
    }

    fn whole(&self) -> Result<Arc<FleetQuery>, AskError> {
        let mut open_queries = self.open_queries();
        if let Some(whole) = &open_queries.whole {
            return Ok(Arc::clone(whole));
        }
        let whole = Arc::new(self.dataset.ask(self.threads)?);
        open_queries.whole = Some(Arc::clone(&whole));
        Ok(whole)
    }

    /// The dataset with the jobs that the filter leaves.
    fn of(
        &self,
        filter: &JobFilter,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Arc<FleetQuery>, AskError> {
        let whole = self.whole()?;
        if filter.is_empty() {
            return Ok(whole);
        }
        let known = self
            .open_queries()
            .narrowed
            .iter()
            .find(|(of, _)| of == filter)
            .map(|(_, of)| of.clone());
        if let Some(known) = known {
            return Ok(known);
        }
        let narrowed = Arc::new(whole.narrowed(filter, Some(is_gone))?);
        let mut open_queries = self.open_queries();
        // Not of files that were given up in the meantime.
        if open_queries.whole.as_ref().is_some_and(|now| Arc::ptr_eq(now, &whole)) {
            open_queries.narrowed.truncate(FILTERS - 1);
            open_queries.narrowed.push_front((filter.clone(), Arc::clone(&narrowed)));
        }
        Ok(narrowed)
    }

    fn open_queries(&self) -> MutexGuard<'_, OpenQueries> {
        self.open_queries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
