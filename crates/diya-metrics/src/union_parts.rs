//! Statements without the parts that read empty tables only.
//!
//! Planning each part of a wide `union all` costs the engine milliseconds.

use diya_query::{tokens, union_parts, words};
use std::collections::HashSet;
use std::sync::OnceLock;

/// The parts of a statement, looked for when it is run first.
#[derive(Debug, Default)]
pub(crate) struct UnionParts(OnceLock<Vec<Part>>);

#[derive(Debug)]
struct Part {
    sql: String,
    /// The words of this part, with the names of its tables. `None`: the part is not valid SQL.
    words: Option<HashSet<String>>,
}

impl UnionParts {
    /// The statement, whose parts these are, for these tables, which have rows.
    pub fn without_empty(&self, sql: &str, filled: &[&str]) -> String {
        let part = |sql: &str| Part {
            sql: sql.to_owned(),
            words: tokens(sql).ok().map(|tokens| words(&tokens)),
        };
        let parts = self.0.get_or_init(|| union_parts(sql).into_iter().map(part).collect());
        // A word that only looks like a table keeps a part, which does no harm.
        let has_rows = |part: &&Part| {
            let words = part.words.as_ref();
            words.is_none_or(|words| filled.iter().any(|table| words.contains(*table)))
        };
        let kept: Vec<&str> = parts.iter().filter(has_rows).map(|part| part.sql.as_str()).collect();
        if kept.is_empty() { sql.to_owned() } else { kept.join("\nunion all\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_with_rows_are_run() {
        let kept = |sql: &str, filled: &[&str]| UnionParts::default().without_empty(sql, filled);
        let sql = "select log from posix\nunion all\nselect log from mpiio as m";
        assert_eq!(kept(sql, &["mpiio"]), "select log from mpiio as m");
        assert_eq!(kept(sql, &["posix", "mpiio"]), sql);
        assert_eq!(kept(sql, &[]), sql);
        let with = format!("with a as (\n{sql}\n) select log from a");
        assert_eq!(kept(&with, &["mpiio"]), with);
    }
}
