//! Places where a query can be ended.
//!
//! The engine hands its thread back, and thereby can be ended, where tables are read. A
//! join makes millions of rows of a few that it read, and who counts them takes them
//! all without a break: given up, such a query went on for hours.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::error::Result;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::coop::CooperativeExec;
use std::sync::Arc;

/// Puts a break behind every operator that can make more rows than it reads.
#[derive(Debug)]
pub(crate) struct YieldRule;

/// Makes several rows of one, though it has one input only.
const UNNEST: &str = "UnnestExec";

impl PhysicalOptimizerRule for YieldRule {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let broken = plan.transform_up(|node| {
            let makes_rows = node.children().len() > 1 || node.name() == UNNEST;
            Ok(match makes_rows {
                true => Transformed::yes(Arc::new(CooperativeExec::new(node))),
                false => Transformed::no(node),
            })
        });
        broken.map(|broken| broken.data)
    }

    fn name(&self) -> &str {
        "breaks"
    }

    fn schema_check(&self) -> bool {
        true
    }
}
