//! A planner of the engine: from what a statement means to how it runs.

use crate::clock::Clock;
use datafusion::error::Result;
use datafusion::execution::TaskContext;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::optimizer::Optimizer;
use datafusion::physical_plan::ExecutionPlan;
use std::sync::Arc;

/// A state of the engine and what its queries run with.
pub(crate) struct Planner {
    pub state: SessionState,
    pub task: Arc<TaskContext>,
}

impl Planner {
    pub fn new(state: SessionState) -> Self {
        Self { task: Arc::new(TaskContext::from(&state)), state }
    }

    /// How to run a query, planned by these rules; with a clock, only if that is done in time.
    pub async fn plan(
        &self,
        rules: Optimizer,
        plan: &LogicalPlan,
        clock: Option<Clock>,
    ) -> Result<(Arc<dyn ExecutionPlan>, &Arc<TaskContext>)> {
        let state = &self.state;
        let check = || clock.map_or(Ok(()), Clock::check);
        check()?;
        let analyzed =
            state.analyzer().execute_and_check(plan.clone(), state.config_options(), |_, _| {})?;
        let rules = match clock {
            Some(clock) => clock.within(rules),
            None => rules,
        };
        let optimized = rules.optimize(analyzed, state, |_, _| {})?;
        check()?;
        let plan = state.query_planner().create_physical_plan(&optimized, state).await?;
        Ok((plan, &self.task))
    }
}
