//! Lines of findings about calls on no file, such as messages: their evidence names a call stack.

use super::beside_calls::{CALLS, text_of};
use super::cells::Cells;
use super::table;
use crate::{AskError, Session};
use diya_report::{Finding, Value};

/// The user's lines of call stacks.
pub(super) struct StackLines(Cells);

impl StackLines {
    pub fn read(session: &Session<'_>) -> Result<Self, AskError> {
        Ok(Self(table(session, "user_frame")?))
    }

    /// The line of the worst row, `build (fock.f90:80), calls MPI_Allreduce`; `None`: it names no
    /// stack, or none of the user's lines is in that.
    pub fn of(&self, log: i32, finding: &Finding) -> Option<String> {
        let worst = finding.evidence.first()?;
        let stack = worst.values.get("stack_id").filter(|id| **id != Value::Null)?;
        let origin = |row: &super::cells::Row<'_>| row.text("origin");
        let is_it = |row: &super::cells::Row<'_>| {
            row.value("stack_id") == *stack && origin(row).as_deref() == Some("user")
        };
        let source = self.0.rows(log).find(is_it)?.text("source")?;
        Some(match text_of(worst, "function") {
            Some(function) => format!("{source}{CALLS}{function}"),
            None => source,
        })
    }
}
