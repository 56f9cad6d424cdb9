//! What can be lost of a log. The kinds are in `schema/read_issues.toml`.

use crate::IssueKind;
use crate::names::names;

/// What a log lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loss {
    /// Nothing that a table should hold is missing or wrong.
    None,
    /// Rows or values are missing; what is there is right.
    Missing,
    /// Rows are there that can be wrong.
    Doubtful,
}

names!(Loss {
    None "none",
    Missing "missing",
    Doubtful "doubtful",
});

/// What an issue is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names say it
pub enum Scope {
    Log,
    Module,
    Table,
    Rank,
    Process,
    File,
}

names!(Scope {
    Log "log",
    Module "module",
    Table "table",
    Rank "rank",
    Process "process",
    File "file",
});

impl IssueKind {
    /// The kind with this name.
    ///
    /// ```
    /// use diya_model::{IssueKind, Loss};
    /// let kind = IssueKind::from_name("truncated");
    /// assert_eq!(kind.map(IssueKind::loss), Some(Loss::Missing));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// What a row of this kind is about.
    pub fn scope_of(self, module: Option<&str>) -> Scope {
        match self.scope() {
            // Such losses name no part of the file, and still are not of all of it.
            scope @ (Scope::Rank | Scope::Process) => scope,
            scope if module.is_some() => scope,
            _ => Scope::Log,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back() {
        assert!(
            IssueKind::ALL.into_iter().all(|kind| IssueKind::from_name(kind.name()) == Some(kind))
        );
        assert!(Loss::ALL.iter().all(|&loss| Loss::from_name(loss.name()) == Some(loss)));
        assert!(Scope::ALL.iter().all(|&scope| Scope::from_name(scope.name()) == Some(scope)));
    }
}
