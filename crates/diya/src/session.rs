//! Questions to a set of logs: reads just the tables that a question names.

use crate::input::Input;
use crate::{OpenError, OpenOptions, Refused, Trace};
use diya_query::{Query, QueryError, Rows};
use diya_read::{Selection, TableSet};
use diya_tables::TableId;

/// A question could not be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The logs could not be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The query is wrong or failed.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Logs and the tables read of them so far.
pub struct Session<'a> {
    inputs: Vec<Input>,
    options: OpenOptions<'a>,
    loaded: TableSet,
    open: Option<(Trace, Query)>,
}

impl<'a> Session<'a> {
    /// Nothing is read yet.
    pub fn new(inputs: Vec<Input>, options: OpenOptions<'a>) -> Self {
        Self { inputs, options, loaded: TableSet::NONE, open: None }
    }

    /// Answers every statement in the text.
    pub fn ask(&mut self, sql: &str) -> Result<Vec<Rows>, AskError> {
        let statements = diya_query::statements(sql)?;
        let mut answers = Vec::with_capacity(statements.len());
        for statement in statements {
            let named = statement.tables.iter().filter_map(|name| crate::table_named(name));
            let needed = named.map(crate::needed_for).fold(TableSet::NONE, TableSet::union);
            answers.push(self.load(needed)?.1.run(&statement.sql)?);
        }
        Ok(answers)
    }

    /// The logs with at least these tables.
    fn load(&mut self, needed: TableSet) -> Result<&(Trace, Query), AskError> {
        if self.open.is_none() || self.loaded.union(needed) != self.loaded {
            let tables = self.loaded.union(needed);
            let selection = Selection { tables, ..self.options.selection.clone() };
            let trace =
                Trace::open(&self.inputs, &OpenOptions { selection, ..self.options.clone() })?;
            let query = Query::new(trace.tables(), self.options.threads.count())?;
            self.loaded = tables;
            self.open = Some((trace, query));
        }
        self.open.as_ref().ok_or(AskError::Open(OpenError::Nothing))
    }

    /// Rows of `read_issue` in what was read so far.
    pub fn issues(&self) -> usize {
        self.open.as_ref().map_or(0, |(trace, _)| trace.table(TableId::ReadIssue).rows())
    }

    /// Logs that were refused in what was read so far.
    pub fn refused(&self) -> &[Refused] {
        self.open.as_ref().map_or(&[], |(trace, _)| trace.refused())
    }
}
