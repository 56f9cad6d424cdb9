//! Joins that claim no order that they do not keep.
//!
//! A hash join keeps the order of the rows that it probes with. The engine also appends the
//! order of the rows in its table, which repeat for each probe: then aggregates and windows
//! above leave out a sort that they need, and a group comes out several times
//! (<https://github.com/apache/datafusion/issues/25052>).

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::execution_plan::{ChildrenPropertiesMode, ReplaceChildrenOptions};
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use std::sync::Arc;

/// Hides the order of the rows that a hash join puts in its table. Runs before sorts are
/// placed.
#[derive(Debug)]
pub(crate) struct OrderRule;

/// After this rule of the engine the sides of joins are settled.
pub(crate) const AFTER: &str = "join_selection";

const HASH_JOIN: &str = "HashJoinExec";

impl PhysicalOptimizerRule for OrderRule {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let hidden = plan.transform_up(|node| {
            let [table, probe] = node.children()[..] else { return Ok(Transformed::no(node)) };
            if node.name() != HASH_JOIN {
                return Ok(Transformed::no(node));
            }
            let table = Arc::new(UnorderedExec::new(Arc::clone(table)));
            let children: Vec<Arc<dyn ExecutionPlan>> = vec![table, Arc::clone(probe)];
            let anew = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            node.replace_children(children, anew).map(Transformed::yes)
        });
        hidden.map(|hidden| hidden.data)
    }

    fn name(&self) -> &str {
        "order_of_joins"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Hands rows on, and says nothing about their order.
#[derive(Debug)]
struct UnorderedExec {
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl UnorderedExec {
    fn new(input: Arc<dyn ExecutionPlan>) -> Self {
        let nothing = EquivalenceProperties::new(input.schema());
        let properties = PlanProperties::clone(input.properties()).with_eq_properties(nothing);
        Self { input, properties: Arc::new(properties) }
    }
}

impl DisplayAs for UnorderedExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "UnorderedExec")
    }
}

impl ExecutionPlan for UnorderedExec {
    fn name(&self) -> &str {
        "UnorderedExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(Self::new(children.swap_remove(0))))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        self.input.execute(partition, context)
    }
}
