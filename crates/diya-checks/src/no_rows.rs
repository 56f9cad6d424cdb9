//! Queries that have no rows, known without planning them.

use diya_query::{Token, tokens};

/// Whether a query cannot have rows since one of its tables has none: planning
/// it would take longer than all else. Only of queries that read every table
/// they name by inner joins.
pub(crate) fn has_no_rows(sql: &str, is_empty: impl Fn(&str) -> bool) -> bool {
    let Ok(all) = tokens(sql) else { return false };
    let is_word = |word: &str| all.iter().filter(|token| token.is(word)).count();
    let is_plain = is_word("select") == 1
        && ["left", "right", "full", "union"].iter().all(|word| is_word(word) == 0);
    let reads =
        |pair: &[Token]| (pair[0].is("from") || pair[0].is("join")) && is_empty(&pair[1].text);
    is_plain && all.windows(2).any(reads)
}

#[cfg(test)]
mod tests {
    use super::has_no_rows;

    #[test]
    fn a_query_that_joins_an_empty_table_has_no_rows() {
        let without_mpiio = |sql: &str| has_no_rows(sql, |table| table == "mpiio");
        assert!(without_mpiio("select log from mpiio group by log"));
        assert!(without_mpiio("select a.log from posix as a join mpiio as b on b.log = a.log"));
        assert!(!without_mpiio("select log from posix group by log"));
        assert!(!without_mpiio(
            "select a.log from posix as a left join mpiio as b on b.log = a.log"
        ));
        assert!(!without_mpiio("select log from posix where log not in (select log from mpiio)"));
        assert!(!without_mpiio("select log from posix union all select log from mpiio"));
    }
}
