//! Window functions over whole partitions.
//!
//! The engine computes `lead`, `row_number` and the like row by row, so that streams without
//! an end can have them. Our tables have an end, and the sort below keeps all rows in memory
//! anyway: column by column, the same functions take half of the time or less.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::error::Result;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::windows::{BoundedWindowAggExec, WindowAggExec};
use datafusion::physical_plan::{ExecutionPlan, InputOrderMode};
use std::sync::Arc;

/// Replaces the operator that goes row by row.
#[derive(Debug)]
pub(crate) struct WindowRule;

impl PhysicalOptimizerRule for WindowRule {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let whole = plan.transform_up(|node| {
            let window = node.downcast_ref::<BoundedWindowAggExec>();
            // The other operator needs the rows of a partition side by side.
            let Some(window) = window.filter(|w| w.input_order_mode == InputOrderMode::Sorted)
            else {
                return Ok(Transformed::no(node));
            };
            let functions = window.window_expr().to_vec();
            let is_divided = !window.partition_keys().is_empty();
            let input = Arc::clone(window.input());
            let whole = WindowAggExec::try_new(functions, input, is_divided)?;
            Ok(Transformed::yes(Arc::new(whole) as Arc<dyn ExecutionPlan>))
        });
        whole.map(|whole| whole.data)
    }

    fn name(&self) -> &str {
        "whole_windows"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::Query;
    use arrow::array::AsArray;
    use arrow::datatypes::Int64Type;
    use diya_tables::{Batches, TableId, Tables, region::RegionRow};
    use std::sync::Arc;

    /// Regions of two processes, in any order.
    fn query() -> Query {
        let mut tables = Tables::new();
        for (process, start_s) in [(1, 5.0), (0, 3.0), (1, 4.0), (0, 1.0), (0, 2.0)] {
            tables.push_region(RegionRow {
                log: 0,
                name: "step",
                category: None,
                process,
                rank: 0,
                thread: None,
                start_s,
                end_s: start_s,
                number: Some(start_s as i64),
            });
        }
        let rows = tables.take(TableId::Region).expect("has rows").into_batch();
        let table = Batches::new(TableId::Region.def(), vec![rows]);
        Query::with_all_rules(&[Arc::new(table)], 2).expect("the engine starts")
    }

    #[test]
    fn functions_see_the_rows_of_their_partition_in_order() {
        let sql = "select process, number,
                lead(number) over (partition by process order by start_s) as next,
                row_number() over (partition by process order by start_s) as place,
                sum(number) over (partition by process order by start_s) as so_far,
                sum(number) over (partition by process) as total
            from region order by process, number";
        let rows = query().run(sql).expect("it runs");
        let batch = arrow::compute::concat_batches(&rows.schema, &rows.batches).expect("rows");
        let column = |name: &str| -> Vec<Option<i64>> {
            let array = batch.column_by_name(name).expect("a column");
            let array = arrow::compute::cast(array, &arrow::datatypes::DataType::Int64);
            array.expect("numbers").as_primitive::<Int64Type>().iter().collect()
        };
        assert_eq!(column("next"), [Some(2), Some(3), None, Some(5), None]);
        assert_eq!(column("place"), [1, 2, 3, 1, 2].map(Some));
        assert_eq!(column("so_far"), [1, 3, 6, 4, 9].map(Some));
        assert_eq!(column("total"), [6, 6, 6, 9, 9].map(Some));
    }

    #[test]
    fn no_function_goes_row_by_row() {
        let sql = "explain select lead(number) over (partition by process order by start_s) \
            from region";
        let rows = query().run(sql).expect("it runs");
        let plans = rows.batches.iter().flat_map(|batch| batch.column(1).as_string::<i32>().iter());
        let plans: Vec<&str> = plans.flatten().collect();
        assert!(plans.iter().any(|plan| plan.contains("WindowAggExec")), "{plans:?}");
        assert!(!plans.iter().any(|plan| plan.contains("BoundedWindowAggExec")), "{plans:?}");
    }
}
