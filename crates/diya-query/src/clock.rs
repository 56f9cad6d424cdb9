//! The clock of planning: ends it where a statement of somebody takes too long to plan.
//!
//! The engine plans in one piece of work that no other thread can end. Its rules are called for
//! each part of a statement, though: each call looks at the clock first (docs/decisions/0043).

use datafusion::common::tree_node::Transformed;
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{Optimizer, OptimizerConfig, OptimizerRule};
use std::sync::Arc;
use std::time::Duration;

/// What planning may take: more than ten times what the largest statements need that
/// [`bounded`](crate::bounded) allows (`examples/planning.rs` measures them).
pub(crate) const MAX_PLANNING: Duration = Duration::from_secs(10);

/// When planning has to end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    #[cfg(not(target_family = "wasm"))]
    end: Option<std::time::Instant>,
}

impl Clock {
    /// A browser has no clock: closing the page ends the work.
    pub fn start(most: Duration) -> Self {
        #[cfg(target_family = "wasm")]
        let _ = most;
        Self {
            #[cfg(not(target_family = "wasm"))]
            end: std::time::Instant::now().checked_add(most),
        }
    }

    /// An error if it is too late.
    pub fn check(self) -> Result<()> {
        #[cfg(not(target_family = "wasm"))]
        if self.end.is_some_and(|end| std::time::Instant::now() >= end) {
            let text = "planning takes too long: simplify the statement".to_owned();
            return Err(DataFusionError::Plan(text));
        }
        Ok(())
    }

    /// The same rules, each of which looks at the clock first.
    pub fn within(self, rules: Optimizer) -> Optimizer {
        let timed = |rule| -> Arc<dyn OptimizerRule + Send + Sync> {
            Arc::new(Timed { rule, clock: self })
        };
        Optimizer::with_rules(rules.rules.into_iter().map(timed).collect())
    }
}

#[derive(Debug)]
struct Timed {
    rule: Arc<dyn OptimizerRule + Send + Sync>,
    clock: Clock,
}

impl OptimizerRule for Timed {
    fn name(&self) -> &str {
        self.rule.name()
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        self.rule.apply_order()
    }

    fn rewrite(
        &self,
        plan: LogicalPlan,
        config: &dyn OptimizerConfig,
    ) -> Result<Transformed<LogicalPlan>> {
        self.clock.check()?;
        self.rule.rewrite(plan, config)
    }
}
