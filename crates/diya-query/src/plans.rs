//! Plans that are kept from one set of tables to the next.
//!
//! Who asks the same statements of one batch of logs after the other plans them once: planning
//! takes a third of the time of all checks over a thousand small logs. A plan leaves without
//! its tables and comes back with others, whose columns are the same by their definitions.
//!
//! What an operator holds while it runs is made anew for each run. One operator is an exception:
//! scalar subqueries leave what they find in a place that all copies of their plan share. Such a
//! plan is taken out while it runs.

use crate::scan::{Scan, Table};
use crate::state::Lean;
use arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use diya_tables::{BatchSource, Batches};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Plans of statements by their text. Clones share them.
#[derive(Clone, Default)]
pub struct Plans(Arc<Mutex<HashMap<String, Known>>>);

/// Statements that are known at most; the checks have less than a thousand, each in some
/// forms, since parts that read empty tables are left out.
const MOST: usize = 8192;

/// A statement that was planned.
struct Known {
    traits: Traits,
    plans: Vec<Kept>,
}

struct Kept {
    lean: Lean,
    plan: Plan,
    /// Whether it can run several times at once.
    is_shared: bool,
}

/// Operator whose copies share what its parts have found.
const UNSHARED: &str = "ScalarSubqueryExec";

/// What decides how a statement is planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Tables that it names.
    pub tables: Vec<String>,
    /// Whether it puts rows in order or pieces together.
    pub is_ordered: bool,
}

/// How a statement runs, and the columns of its result.
#[derive(Clone)]
pub(crate) struct Plan {
    pub root: Arc<dyn ExecutionPlan>,
    pub schema: SchemaRef,
}

impl Plans {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        // Nothing panics while it is held, and if so: an entry is put in whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of a statement.
    pub(crate) fn traits(&self, sql: &str) -> Option<Traits> {
        self.all().get(sql).map(|known| known.traits.clone())
    }

    /// A plan made with as many rules, over these tables.
    pub(crate) fn take(
        &self,
        sql: &str,
        lean: Lean,
        tables: &HashMap<&'static str, Table>,
    ) -> Option<Plan> {
        let plan = {
            let mut all = self.all();
            let plans = &mut all.get_mut(sql)?.plans;
            let place = plans.iter().position(|kept| kept.lean == lean)?;
            match plans[place].is_shared {
                true => plans[place].plan.clone(),
                false => plans.swap_remove(place).plan,
            }
        };
        let root = with_sources(plan.root, &|scan| {
            let table = tables.get(scan.table().name)?;
            std::ptr::eq(table.source().def(), scan.table()).then(|| Arc::clone(table.source()))
        });
        Some(Plan { root: root.ok()??, ..plan })
    }

    /// Keeps a plan that has run, unless it is there.
    pub(crate) fn keep(&self, sql: &str, traits: &Traits, lean: Lean, plan: &Plan) {
        let is_there =
            |known: &Known| known.plans.iter().any(|kept| kept.lean == lean && kept.is_shared);
        if self.all().get(sql).is_some_and(is_there) {
            return;
        }
        // The tables of the run that is over are not held by it.
        let empty = |scan: &Scan| -> Option<Arc<dyn BatchSource>> {
            Some(Arc::new(Batches::new(scan.table(), Vec::new())))
        };
        let Ok(Some(root)) = with_sources(Arc::clone(&plan.root), &empty) else { return };
        let Ok(has_own_place) = root.exists(|node| Ok(node.name() == UNSHARED)) else { return };
        let plan = Plan { root, schema: Arc::clone(&plan.schema) };
        let mut all = self.all();
        if all.len() < MOST || all.contains_key(sql) {
            let known = all.entry(sql.to_owned());
            let fresh = || Known { traits: traits.clone(), plans: Vec::new() };
            let plans = &mut known.or_insert_with(fresh).plans;
            plans.push(Kept { lean, plan, is_shared: !has_own_place });
        }
    }
}

/// The plan over other tables, as if it had never run; `None`: one of them is not there.
fn with_sources(
    root: Arc<dyn ExecutionPlan>,
    source: &dyn Fn(&Scan) -> Option<Arc<dyn BatchSource>>,
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let mut is_whole = true;
    let changed = root.transform_up(|node| {
        let Some(scan) = node.downcast_ref::<Scan>() else {
            return Ok(Transformed::yes(node.reset_state()?));
        };
        let source = source(scan);
        is_whole &= source.is_some();
        Ok(match source {
            Some(source) => Transformed::yes(Arc::new(scan.over(source)) as Arc<dyn ExecutionPlan>),
            None => Transformed::new(node, false, TreeNodeRecursion::Stop),
        })
    })?;
    Ok(is_whole.then_some(changed.data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;
    use arrow::array::AsArray;
    use arrow::datatypes::Int64Type;
    use diya_tables::{TableBuilder, TableId};

    /// An engine over table `rank_host` with so many rows.
    fn query(plans: &Plans, rows: i32) -> Query {
        let def = TableId::RankHost.def();
        let mut table = TableBuilder::new(def);
        for rank in 0..rows {
            table.push_i32(0, Some(0));
            table.push_i32(1, Some(rank));
            table.push_str(2, Some("a"));
            table.push_str(3, Some("APMPI"));
            table.end_row();
        }
        let table: Arc<dyn BatchSource> = Arc::new(Batches::new(def, vec![table.into_batch()]));
        let mut query = Query::new(&[table], 1).unwrap();
        query.share_plans(plans.clone());
        query
    }

    fn number(query: &Query, sql: &str) -> i64 {
        query.run(sql).unwrap().batches[0].column(0).as_primitive::<Int64Type>().value(0)
    }

    /// Plans of a statement that lie ready.
    fn kept(plans: &Plans, sql: &str) -> usize {
        plans.all().get(sql).map_or(0, |known| known.plans.len())
    }

    /// A join, whose one side is held in memory, and a subquery.
    const STATEMENTS: [&str; 2] = [
        "select count(*) as n from rank_host a join rank_host b on a.rank = b.rank",
        "select count(*) as n from rank_host where rank >= (select min(rank) from rank_host)",
    ];

    #[test]
    fn a_kept_plan_reads_the_tables_of_its_run() {
        let plans = Plans::default();
        for sql in STATEMENTS {
            for rows in [3, 5, 1] {
                assert_eq!(number(&query(&plans, rows), sql), i64::from(rows), "{sql}");
                assert_eq!(kept(&plans, sql), 1, "{sql}");
            }
        }
    }

    #[test]
    fn threads_that_share_plans_do_not_see_the_rows_of_each_other() {
        let plans = Plans::default();
        std::thread::scope(|scope| {
            for rows in 1..5 {
                let plans = &plans;
                scope.spawn(move || {
                    let query = query(plans, rows);
                    for sql in STATEMENTS.iter().cycle().take(100) {
                        assert_eq!(number(&query, sql), i64::from(rows), "{sql}");
                    }
                });
            }
        });
    }

    #[test]
    fn what_a_person_asks_is_not_kept() {
        let plans = Plans::default();
        let limits = crate::Limits::OF_A_PERSON;
        query(&plans, 1).run_within(STATEMENTS[0], limits).unwrap();
        assert_eq!(kept(&plans, STATEMENTS[0]), 0);
    }

    #[test]
    fn the_tables_of_a_run_end_with_it() {
        let plans = Plans::default();
        let query = query(&plans, 2);
        number(&query, STATEMENTS[0]);
        let rows = query.tables["rank_host"].source();
        // The table itself and the catalog of the engine.
        assert_eq!(Arc::strong_count(rows), 2);
    }
}
