//! Plans statements over tables that show only the columns a statement names.
//!
//! Tables of counters have a hundred columns and more. The engine carries the
//! columns of a table through every step of a plan until it drops those that
//! the query does not use; leaving them out beforehand makes planning two to three
//! times as fast, and planning is what most queries over small logs cost.

use crate::scan::Table;
use crate::tokens::{Token, is_wildcard, words};
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
    tokens: &[Token],
    statement: &Statement,
) -> Option<LogicalPlan> {
    let words = words(tokens);
    // `from t` alone means all of its columns.
    let is_all = tokens.first().is_some_and(|first| first.is("from"))
        || (0..tokens.len()).any(|at| is_wildcard(tokens, at));
    if is_all || UNNAMED.iter().any(|word| words.contains(*word)) {
        return None;
    }
    let narrow = Narrow { state, tables, words };
    SqlToRel::new(&narrow).statement_to_plan(statement.clone()).ok()
}

/// Words of statements whose columns are not all named: `natural join`, and
/// `table x` for `select * from x`.
const UNNAMED: &[&str] = &["natural", "table", "describe", "show", "explain"];

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
