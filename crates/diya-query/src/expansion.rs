//! How many tables a statement reads once its common tables are written out.
//!
//! The engine plans a common table (`with t as (..)`) again at each place that names it: a
//! statement of some hundred signs can stand for thousands of tables.

use crate::QueryError;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{ObjectName, Query, Visit as _, Visitor};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Tables that a statement of a person may read.
const MAX_TABLES: usize = 64;

/// Refuses what reads too many tables.
pub(crate) fn limited(statement: &Statement) -> Result<(), QueryError> {
    let found = tables(statement);
    if found > MAX_TABLES {
        let text = format!(
            "the statement is too large: with its common tables written out it reads {found} \
             tables, at most {MAX_TABLES}"
        );
        return Err(QueryError::Sql(text));
    }
    Ok(())
}

fn tables(statement: &Statement) -> usize {
    match statement {
        Statement::Statement(statement) => {
            let mut tables = Tables::default();
            let _: ControlFlow<()> = statement.visit(&mut tables);
            tables.sum
        }
        Statement::Explain(explain) => tables(&explain.statement),
        _ => 0,
    }
}

/// Tables met so far. A common table counts where it is defined, and again wherever it is
/// named: twice what is planned, at most.
#[derive(Default)]
struct Tables {
    sum: usize,
    /// The sum at the beginning of each query that is open.
    before: Vec<usize>,
    /// Queries that define a common table, by their place in memory, with its name.
    defines: HashMap<*const Query, String>,
    /// Tables that each common table stands for.
    stands_for: HashMap<String, usize>,
}

impl Visitor for Tables {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for common in query.with.iter().flat_map(|with| &with.cte_tables) {
            let name = common.alias.name.value.to_ascii_lowercase();
            self.defines.insert(std::ptr::from_ref(common.query.as_ref()), name);
        }
        self.before.push(self.sum);
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let before = self.before.pop().unwrap_or_default();
        if let Some(name) = self.defines.remove(&std::ptr::from_ref(query)) {
            self.stands_for.insert(name, self.sum.saturating_sub(before).max(1));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        let name = relation.to_string().to_ascii_lowercase();
        let tables = self.stands_for.get(name.trim_matches('"')).copied().unwrap_or(1);
        self.sum = self.sum.saturating_add(tables);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::sql::parser::DFParser;

    fn tables_of(sql: &str) -> usize {
        DFParser::parse_sql(sql).unwrap().iter().map(tables).sum()
    }

    #[test]
    fn a_common_table_counts_wherever_it_is_named() {
        assert_eq!(tables_of("select 1"), 0);
        assert_eq!(tables_of("select * from posix a join posix b on a.log = b.log"), 2);
        assert_eq!(tables_of("with t as (select * from posix) select * from t, T"), 3);
        assert_eq!(
            tables_of("with t as (select 1) select * from t where x in (select x from t)"),
            2
        );
    }

    #[test]
    fn a_statement_that_doubles_is_refused_before_it_is_planned() {
        let twice = |at: usize| format!(", t{} as (select a.log from t{at} a, t{at} b)", at + 1);
        let sql = |levels: usize| {
            let levels: String = (0..levels).map(twice).collect();
            format!("with t0 as (select log from posix){levels} select count(*) from t0")
        };
        assert!(tables_of(&sql(30)) > 1 << 30);
        let error = crate::statements(&sql(11)).unwrap_err().to_string();
        assert!(error.contains("tables, at most 64"), "{error}");
        assert!(crate::statements(&sql(4)).is_ok());
    }
}
