//! Which tables of a log cannot be trusted, and why.
//!
//! A check that needs a damaged table says "unknown", never "pass" (invariant
//! 1 of ARCHITECTURE.md).

use std::collections::{BTreeSet, HashMap};

use diya_metrics::Catalog;
use diya_model::Role;
use diya_tables::{Loss, TableId};

use crate::Value;
use crate::rows::Table;

/// Tables that derive from those of several layers.
const OF_LAYERS: &[&str] = &["size_histogram", "access_size"];

/// Whether one of these is the table of a layer that moves data.
fn has_layer(tables: &BTreeSet<String>) -> bool {
    let of_layers = TableId::ALL.into_iter().map(TableId::def);
    let mut moving = of_layers.filter(|def| def.with_role(Role::Read).next().is_some());
    moving.any(|def| tables.contains(def.name))
}

/// Tables that are filled only where it was asked for: no rows mean "not
/// captured", not "did not happen".
pub(crate) const ON_REQUEST: &[&str] = &["call", "heatmap", "op_count", "stack_frame", "process"];

/// What is damaged, by log.
#[derive(Debug, Default)]
pub(crate) struct Damage(HashMap<i64, Vec<Lost>>);

/// Libraries whose calls were not recorded, by log: the layer of their checks, and why.
#[derive(Debug, Default)]
pub(crate) struct Unseen(Vec<(i64, String, String)>);

impl Unseen {
    /// From rows with the columns log, module and effect.
    pub fn read(issues: &Table) -> Self {
        let text = |row, column| match issues.value(row, column) {
            Value::Text(text) => Some(text),
            _ => None,
        };
        let of_row = |row| {
            let log = issues.value(row, "log").integer()?;
            Some((log, text(row, "module")?, text(row, "effect")?))
        };
        Self((0..issues.rows()).filter_map(of_row).collect())
    }

    /// Why a check of this layer has no answer for a log.
    pub fn of(&self, log: i64, layer: &str) -> Option<&str> {
        let found = self.0.iter().find(|(of, module, _)| *of == log && module == layer);
        found.map(|(_, _, effect)| effect.as_str())
    }
}

#[derive(Debug)]
struct Lost {
    loss: Loss,
    /// `None`: any table.
    tables: Option<BTreeSet<String>>,
    reason: String,
}

/// What damage means to a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Affected {
    /// Rows that are there can be wrong.
    pub is_doubtful: bool,
    /// The part of the log, and what happened to it.
    pub reason: String,
}

impl Damage {
    /// From rows with the columns log, module, effect, loss, tables.
    pub fn read(issues: &Table) -> Self {
        let mut damage = Self::default();
        let text = |row, column| match issues.value(row, column) {
            Value::Text(text) => Some(text),
            _ => None,
        };
        for row in 0..issues.rows() {
            let Some(log) = issues.value(row, "log").integer() else { continue };
            // A loss of a name that is not known is one all the same.
            let loss = text(row, "loss").and_then(|name| Loss::from_name(&name));
            let loss = loss.unwrap_or(Loss::Missing);
            if loss == Loss::None {
                continue;
            }
            let effect = text(row, "effect").unwrap_or_default();
            let reason = match text(row, "module") {
                Some(module) => format!("{module}: {effect}"),
                None => effect,
            };
            let tables = text(row, "tables");
            let tables = tables.map(|names| names.split(',').map(str::to_owned).collect());
            damage.0.entry(log).or_default().push(Lost { loss, tables, reason });
        }
        damage
    }

    /// What is lost of these tables of a log; `None`: nothing.
    pub fn of(&self, log: i64, needed: &BTreeSet<String>) -> Option<Affected> {
        // A check on what could not be read is not hindered by it.
        if needed.contains("read_issue") {
            return None;
        }
        let mut lost = self.0.get(&log)?.iter().filter(|lost| lost.concerns(needed)).peekable();
        let reason = lost.peek()?.reason.clone();
        let is_doubtful = lost.any(|lost| lost.loss == Loss::Doubtful);
        Some(Affected { is_doubtful, reason })
    }
}

impl Lost {
    /// A histogram is of the layers whose tables are needed, too; of any layer
    /// where none is.
    fn concerns(&self, needed: &BTreeSet<String>) -> bool {
        let Some(lost) = &self.tables else { return true };
        let is_shared = |table: &&String| OF_LAYERS.contains(&table.as_str());
        let mut both = lost.intersection(needed);
        let is_of_other_layers = has_layer(lost) && has_layer(needed);
        both.any(|table| !is_shared(&table) || !is_of_other_layers)
    }
}

/// The base tables without which a check, or a metric that it needs, has no
/// answer.
pub(crate) fn necessary_tables(needs: &[String], metrics: &Catalog) -> BTreeSet<String> {
    let names: Vec<&str> = needs.iter().map(String::as_str).collect();
    metrics.necessary_tables(&names).into_iter().map(str::to_owned).collect()
}

/// The base tables that a check reads itself or through metrics.
pub(crate) fn base_tables(needs: &[String], metrics: &Catalog) -> BTreeSet<String> {
    let names: Vec<&str> = needs.iter().map(String::as_str).collect();
    metrics.base_tables(&names).into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_was_not_seen_concerns_the_checks_of_its_layer() {
        let unseen = Unseen(vec![(0, "hdf5".to_owned(), "static".to_owned())]);
        assert_eq!(unseen.of(0, "hdf5"), Some("static"));
        assert_eq!(unseen.of(1, "hdf5"), None);
        assert_eq!(unseen.of(0, "posix"), None);
    }

    fn tables(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn lost(loss: Loss, of: &[&str]) -> Lost {
        let tables = (!of.is_empty()).then(|| tables(of));
        Lost { loss, tables, reason: format!("{of:?}") }
    }

    fn damage(lost: Vec<Lost>) -> Damage {
        Damage(HashMap::from([(0, lost)]))
    }

    #[test]
    fn a_damaged_module_concerns_its_tables_only() {
        let damage = damage(vec![lost(Loss::Missing, &["posix"])]);
        let reason = |log, needed: &[&str]| damage.of(log, &tables(needed)).map(|a| a.reason);
        assert_eq!(reason(0, &["posix"]).as_deref(), Some("[\"posix\"]"));
        assert_eq!(reason(0, &["stdio"]), None);
        assert_eq!(reason(1, &["posix"]), None);
    }

    #[test]
    fn a_cut_log_concerns_all_but_the_check_on_cut_logs() {
        let damage = damage(vec![lost(Loss::Missing, &[])]);
        assert!(damage.of(0, &tables(&["stdio"])).is_some());
        assert_eq!(damage.of(0, &tables(&["job", "read_issue"])), None);
    }

    #[test]
    fn a_histogram_is_of_the_layers_that_are_needed() {
        let damage = damage(vec![lost(Loss::Missing, &["hdf5_dataset", "size_histogram"])]);
        assert_eq!(damage.of(0, &tables(&["posix", "size_histogram"])), None);
        assert!(damage.of(0, &tables(&["size_histogram"])).is_some());
        assert!(damage.of(0, &tables(&["hdf5_dataset", "size_histogram"])).is_some());
    }

    #[test]
    fn one_doubtful_part_makes_the_whole_doubtful() {
        let parts = vec![lost(Loss::Missing, &["posix"]), lost(Loss::Doubtful, &["job"])];
        let damage = damage(parts);
        let is_doubtful = |needed: &[&str]| damage.of(0, &tables(needed)).map(|a| a.is_doubtful);
        assert_eq!(is_doubtful(&["posix"]), Some(false));
        assert_eq!(is_doubtful(&["posix", "job"]), Some(true));
    }
}
