//! Plans statements over tables that show only the columns a statement names.
//!
//! Tables of counters have a hundred columns and more. The engine carries the
//! columns of a table through every step of a plan until it drops those that
//! nobody asked for; leaving them out beforehand makes planning two to three
//! times as fast, and planning is what most queries over small logs cost.

use crate::scan::Table;
use arrow::datatypes::DataType;
use datafusion::common::TableReference;
use datafusion::config::ConfigOptions;
use datafusion::datasource::provider_as_source;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::planner::{ContextProvider, ExprPlanner, RelationPlanner};
use datafusion::logical_expr::{
    AggregateUDF, HigherOrderUDF, LogicalPlan, ScalarUDF, TableSource, WindowUDF,
};
use datafusion::sql::parser::Statement;
use datafusion::sql::planner::SqlToRel;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The statement as a plan; `None`: it names columns in another way than by
/// their names, or tables that are not among these.
pub(crate) fn plan(
    state: &SessionState,
    tables: &HashMap<&'static str, Table>,
    sql: &str,
    statement: &Statement,
) -> Option<LogicalPlan> {
    let words = words(sql);
    if has_wildcard(sql) || UNNAMED.iter().any(|word| words.contains(*word)) {
        return None;
    }
    let narrow = Narrow { state, tables, words };
    SqlToRel::new(&narrow).statement_to_plan(statement.clone()).ok()
}

/// Words of statements whose columns are not all named: `natural join`, and
/// `table x` for `select * from x`.
const UNNAMED: &[&str] = &["natural", "table", "describe", "show", "explain"];

/// Every word of a text: names of columns are among them.
pub(crate) fn words(sql: &str) -> HashSet<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    sql.split(|c| !is_name(c)).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
}

/// Whether a star stands for columns: not in `count(*)`, nor for a product.
fn has_wildcard(sql: &str) -> bool {
    sql.match_indices('*').any(|(place, _)| {
        let before = sql[..place].trim_end();
        let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
        let is_list = word.is_some_and(|word| {
            ["select", "distinct", "all"].iter().any(|w| word.eq_ignore_ascii_case(w))
        });
        is_list || before.ends_with([',', '.'])
    }) || sql.trim_start().get(..4).is_some_and(|start| start.eq_ignore_ascii_case("from"))
}

/// What a statement may refer to.
struct Narrow<'s> {
    state: &'s SessionState,
    tables: &'s HashMap<&'static str, Table>,
    words: HashSet<String>,
}

impl ContextProvider for Narrow<'_> {
    fn get_table_source(&self, name: TableReference) -> Result<Arc<dyn TableSource>> {
        let TableReference::Bare { table } = &name else {
            return Err(DataFusionError::Plan(format!("table '{name}' not found")));
        };
        let not_found = || DataFusionError::Plan(format!("table '{name}' not found"));
        let table = self.tables.get(table.as_ref()).ok_or_else(not_found)?;
        Ok(provider_as_source(Arc::new(table.narrowed(|column| self.words.contains(column)))))
    }

    fn get_expr_planners(&self) -> &[Arc<dyn ExprPlanner>] {
        self.state.expr_planners()
    }

    fn get_relation_planners(&self) -> &[Arc<dyn RelationPlanner>] {
        self.state.relation_planners()
    }

    fn get_function_meta(&self, name: &str) -> Option<Arc<ScalarUDF>> {
        self.state.scalar_functions().get(name).cloned()
    }

    fn get_higher_order_meta(&self, name: &str) -> Option<Arc<HigherOrderUDF>> {
        self.state.higher_order_functions().get(name).cloned()
    }

    fn get_aggregate_meta(&self, name: &str) -> Option<Arc<AggregateUDF>> {
        self.state.aggregate_functions().get(name).cloned()
    }

    fn get_window_meta(&self, name: &str) -> Option<Arc<WindowUDF>> {
        self.state.window_functions().get(name).cloned()
    }

    fn get_variable_type(&self, _: &[String]) -> Option<DataType> {
        None
    }

    fn options(&self) -> &ConfigOptions {
        self.state.config_options()
    }

    fn udf_names(&self) -> Vec<String> {
        self.state.scalar_functions().keys().cloned().collect()
    }

    fn higher_order_function_names(&self) -> Vec<String> {
        self.state.higher_order_functions().keys().cloned().collect()
    }

    fn udaf_names(&self) -> Vec<String> {
        self.state.aggregate_functions().keys().cloned().collect()
    }

    fn udwf_names(&self) -> Vec<String> {
        self.state.window_functions().keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_a_wildcard_a_count_or_a_product() {
        for sql in ["select * from t", "select a, * from t", "select t.* from t", "from t"] {
            assert!(has_wildcard(sql), "{sql}");
        }
        for sql in ["select count(*) from t", "select a * b from t", "select (a) * 2 from t"] {
            assert!(!has_wildcard(sql), "{sql}");
        }
    }

    #[test]
    fn names_are_words_quoted_or_not() {
        let words = words("select t.\"a\", B from t");
        assert!(["a", "b", "t"].iter().all(|word| words.contains(*word)));
    }
}
