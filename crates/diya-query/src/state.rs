//! How the engine plans: which of its rules run, and for how many threads.
//!
//! Planning is most of what a query over small tables costs. Half of the rules
//! look for savings in running that such tables cannot give back; those that
//! serve one construct are left out where a statement does not have it. What
//! the short list cannot plan, the whole one does.

use crate::memory::MeasuredPool;
use crate::order_rule::{AFTER, OrderRule};
use crate::window_rule::WindowRule;
use crate::yield_rule::YieldRule;
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::optimizer::Optimizer;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::prelude::SessionConfig;
use std::collections::HashSet;
use std::sync::Arc;

/// A planner with the functions of this crate and all rules of the engine.
pub(crate) fn new(threads: usize, memory_bytes: usize) -> Result<SessionState> {
    let mut config =
        SessionConfig::new().with_target_partitions(threads).with_information_schema(true);
    // Unit and meaning of a column are metadata, and of two columns that meet in a union the
    // engine keeps those of the first while it plans and what both share when it checks the plan.
    config.options_mut().execution.skip_physical_aggregate_schema_check = true;
    let pool = Arc::new(MeasuredPool::new(memory_bytes));
    let mut state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(RuntimeEnvBuilder::new().with_memory_pool(pool).build_arc()?)
        .with_default_features()
        .with_physical_optimizer_rules(physical_rules())
        .build();
    crate::functions::register(&mut state)?;
    // What `now()` answers.
    state.mark_start_execution();
    Ok(state)
}

/// The rules of the engine for plans that run, and ours.
fn physical_rules() -> Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> {
    let mut rules = PhysicalOptimizer::new().rules;
    let place = rules.iter().position(|rule| rule.name() == AFTER).map_or(0, |at| at + 1);
    rules.insert(place, Arc::new(OrderRule));
    rules.push(Arc::new(WindowRule));
    rules.push(Arc::new(YieldRule));
    rules
}

/// What all queries may hold at a time: half of what is free. Without a limit a
/// forgotten join condition takes the machine down before it takes its time.
pub fn most_memory_bytes() -> usize {
    let free = || -> Option<usize> {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kib: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
        kib.checked_mul(512)
    };
    free().unwrap_or(UNKNOWN_MEMORY_BYTES)
}

/// Used where the free memory is unknown, as in a browser.
const UNKNOWN_MEMORY_BYTES: usize = 1 << 30;

/// Rules that look for savings only, or for what tables of diya do not have.
const SAVING: &[&str] = &[
    "optimize_unions",
    "unions_to_filter",
    "eliminate_join",
    "eliminate_duplicated_expr",
    "eliminate_filter",
    "propagate_empty_relation",
    "filter_null_join_keys",
    "eliminate_outer_join",
    "single_distinct_aggregation_to_group_by",
    "eliminate_group_by_constant",
    "common_sub_expression_eliminate",
    "extract_leaf_expressions",
    "push_down_leaf_projections",
];

/// Rules that serve one construct, and the words that it is written with.
const SERVING: &[(&str, &[&str])] = &[
    ("rewrite_set_comparison", &["any", "some", "all"]),
    ("replace_distinct_aggregate", &["distinct", "union", "intersect", "except"]),
    ("decorrelate_predicate_subquery", &["in", "exists", "any", "some", "all"]),
    ("decorrelate_lateral_join", &["lateral"]),
    ("eliminate_limit", &["limit", "offset", "fetch", "top"]),
    ("push_down_limit", &["limit", "offset", "fetch", "top"]),
];

/// Rules for plans that run, which save nothing on one thread and few rows.
const SAVING_LATE: &[&str] = &[
    "aggregate_statistics",
    "LimitedDistinctAggregation",
    "FilterPushdown",
    "FilterPushdown(Post)",
    "WindowTopN",
    "ProjectionPushdown",
    "LimitAggregation",
    "LimitPushPastWindows",
    "HashJoinBuffering",
    "TopKRepartition",
    "PushdownSort",
    "whole_windows",
];

/// Rules that put rows in order and pieces together for those that need it, and
/// the words of statements with such needs. On one thread only a union comes in
/// pieces, and an `order by` at the end sorts by itself: what is left are windows
/// and aggregates that go by an order. Where a plan needs it all the same,
/// `SanityCheckPlan` refuses it, and the whole list plans it again.
const ORDERING: &[&str] =
    &["OutputRequirements", "EnsureRequirements", "OptimizeAggregateOrder", "LimitPushdown"];
const ORDERED: &[&str] = &[
    "over",
    "union",
    "intersect",
    "except",
    "recursive",
    "first_value",
    "last_value",
    "nth_value",
    "array_agg",
    "string_agg",
];

/// Which side of a join is put in memory matters from some thousand rows on.
const SIDES: &str = "join_selection";

/// How much of the engine's planning is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lean {
    /// All but what looks for savings.
    Ordered,
    /// Nor what orders rows for operators that need it.
    Sided,
    /// Nor what looks at how many rows there are.
    Plain,
}

/// The same planner, with the same tables, for one thread and few rows.
pub(crate) fn lean(state: &SessionState, how: Lean) -> SessionState {
    let mut config = state.config().clone().with_target_partitions(1);
    config.options_mut().optimizer.max_passes = 1;
    let rules = state.optimizers().iter().filter(|rule| !SAVING.contains(&rule.name()));
    let is_late = |name: &str| {
        !SAVING_LATE.contains(&name)
            && (how == Lean::Ordered || !ORDERING.contains(&name))
            && (how != Lean::Plain || name != SIDES)
    };
    let late = state.physical_optimizers().iter().filter(|rule| is_late(rule.name()));
    SessionStateBuilder::new_from_existing(state.clone())
        .with_config(config)
        .with_optimizer_rules(rules.cloned().collect())
        .with_physical_optimizer_rules(late.cloned().collect())
        .build()
}

/// Whether a statement of these words orders rows or puts pieces together.
pub(crate) fn is_ordered(words: &HashSet<String>) -> bool {
    ORDERED.iter().any(|word| words.contains(*word))
}

/// The rules that a statement of these words is in need of.
pub(crate) fn rules_for(state: &SessionState, words: &HashSet<String>) -> Optimizer {
    let is_needed = |name: &str| {
        let serving = SERVING.iter().find(|(rule, _)| *rule == name);
        serving.is_none_or(|(_, of)| of.iter().any(|word| words.contains(*word)))
    };
    let rules = state.optimizers().iter().filter(|rule| is_needed(rule.name()));
    Optimizer::with_rules(rules.cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_that_is_left_out_is_one_of_the_engine() {
        let state = new(1, 1 << 20).expect("the engine starts");
        let early: Vec<&str> = state.optimizers().iter().map(|rule| rule.name()).collect();
        let late: Vec<&str> = state.physical_optimizers().iter().map(|rule| rule.name()).collect();
        let serving = SERVING.iter().map(|(name, _)| name);
        assert!(SAVING.iter().chain(serving).all(|name| early.contains(name)), "{early:?}");
        let left_out = SAVING_LATE.iter().chain(ORDERING).chain([&SIDES, &AFTER]);
        assert!(left_out.into_iter().all(|name| late.contains(name)), "{late:?}");
    }
}
