//! A part of a dataset: the jobs that a filter leaves, for any question.
//!
//! No statement is changed: rows of other jobs are left out when a file is read, so every
//! question, also one of a facility, follows the filter.

use crate::ask::{AskError, FleetQuery};
use crate::chosen::Chosen;
use crate::live::LogHashes;
use diya_query::{CancelToken, Limits, Rows};
use std::collections::HashSet;
use std::sync::Arc;

/// Which jobs count; what is empty or `None` does not narrow.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JobFilter {
    /// Name of a system.
    pub system: String,
    /// A user: the name itself where there is one, otherwise a part of names.
    pub user: String,
    /// A program, likewise.
    pub program: String,
    /// A project of the accounting, likewise.
    pub project: String,
    /// Start in seconds since 1970: from.
    pub from_s: Option<i64>,
    /// Start in seconds since 1970: before.
    pub before_s: Option<i64>,
    /// In user, program, project or path.
    pub search: String,
}

/// The batch job that a log belongs to.
const OF_ACCOUNT: &str = include_str!("of_account.sql");

/// The project of each log that has one.
pub(crate) fn paid() -> String {
    include_str!("paid.sql").replace("$of_account", OF_ACCOUNT)
}

impl JobFilter {
    /// Whether it leaves all jobs.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a condition is about what the accounting does not have.
    fn is_of_logs(&self) -> bool {
        !self.program.trim().is_empty() || !self.search.trim().is_empty()
    }

    /// The condition, over jobs or accounts called `of`.
    fn condition(&self, of: &str, all: &str, names: &[(&str, &str)]) -> String {
        let mut terms = vec!["true".to_owned()];
        if !self.system.is_empty() {
            terms.push(format!("lower({of}.system) = {}", literal(&self.system)));
        }
        let start = format!("to_unixtime({of}.start_time)");
        terms.extend(self.from_s.map(|at| format!("{start} >= {at}")));
        terms.extend(self.before_s.map(|at| format!("{start} < {at}")));
        for (column, wanted) in names.iter().filter(|(_, wanted)| !wanted.trim().is_empty()) {
            let name = literal(wanted);
            terms.push(format!(
                "case when (select count(*) from {all} where lower({column}) = {name}) > 0 \
                 then lower({of}.{column}) = {name} \
                 else strpos(lower({of}.{column}), {name}) > 0 end"
            ));
        }
        terms.join(" and ")
    }

    fn logs_sql(&self) -> String {
        let names =
            [("user_name", &*self.user), ("program", &self.program), ("project", &self.project)];
        let mut condition = self.condition("j", "jobs", &names);
        if !self.search.trim().is_empty() {
            let text = literal(&self.search);
            let has = |column| format!("strpos(lower(j.{column}), {text}) > 0");
            let any = ["user_name", "program", "project", "path"].map(has).join(" or ");
            condition = format!("{condition} and ({any})");
        }
        let jobs = include_str!("jobs.sql").replace("$paid", &paid());
        format!("with jobs as ({jobs}) select j.log_hash from jobs as j where {condition}")
    }

    fn accounts_sql(&self, logs: &str) -> String {
        if self.is_of_logs() {
            return format!(
                "with paid as ({OF_ACCOUNT}), chosen as ({logs}) \
                 select distinct paid.row_hash as log_hash from paid \
                 join chosen on chosen.log_hash = paid.log_hash"
            );
        }
        let names = [("user_name", &*self.user), ("project", &self.project)];
        let condition = self.condition("a", "account", &names);
        format!("select a.row_hash as log_hash from account as a where {condition}")
    }
}

/// A text in small letters as SQL has it.
fn literal(text: &str) -> String {
    format!("'{}'", text.trim().to_lowercase().replace('\'', "''"))
}

impl FleetQuery {
    /// The same dataset with the jobs only that the filter leaves. Servers, peaks and places
    /// of nodes stay whole: they belong to no job.
    ///
    /// # Errors
    /// When the dataset cannot be read, or the caller gave up.
    pub fn narrowed(
        &self,
        filter: &JobFilter,
        is_cancelled: CancelToken<'_>,
    ) -> Result<Self, AskError> {
        let ask = |sql: &str| self.run_cancellable(sql, Limits::NONE, is_cancelled);
        let logs = filter.logs_sql();
        let accounts = hashes(&ask(&filter.accounts_sql(&logs))?);
        self.with_rows_of(Arc::new(Chosen { logs: hashes(&ask(&logs)?), accounts }))
    }
}

/// Identities of rows, which are called `log_hash`.
fn hashes(rows: &Rows) -> HashSet<i64> {
    let of = rows.batches.iter().filter_map(LogHashes::named);
    of.flat_map(|read| read.log_hash.values().to_vec()).collect()
}
