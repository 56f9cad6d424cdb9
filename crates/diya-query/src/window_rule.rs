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
