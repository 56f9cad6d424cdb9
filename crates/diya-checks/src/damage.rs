//! Which tables of a log cannot be trusted, and why.
//!
//! A check that needs a damaged table says "unknown", never "pass" (invariant
//! 1 of ARCHITECTURE.md).

use std::collections::{BTreeSet, HashMap};

use diya_metrics::Catalog;

use crate::Value;
use crate::rows::Table;

/// Kinds of `read_issue` after which rows are missing or wrong. The others
/// tell how old logs differ (misfit, known_defect, clipped), or concern what no
/// check reads (unknown_module, duplicate_name); a job that was killed
/// (unfinished) did what its counters say.
const DAMAGING: &[&str] = &[
    "truncated",
    "checksum",
    "corrupt",
    "unknown_version",
    "partial_module",
    "limit",
    "not_recorded",
    "refused",
];

/// Tables, and the modules of a Darshan log that fill them. Logs of our own
/// name their parts as the tables.
const MODULES: &[(&str, &[&str])] = &[
    ("posix", &["POSIX"]),
    ("stdio", &["STDIO"]),
    ("mpiio", &["MPI-IO", "MPIIO"]),
    ("hdf5_file", &["H5F", "HDF5"]),
    ("hdf5_dataset", &["H5D"]),
    ("pnetcdf_file", &["PNETCDF_FILE", "PNETCDF"]),
    ("pnetcdf_var", &["PNETCDF_VAR"]),
    ("lustre_component", &["LUSTRE"]),
    ("lustre_target", &["LUSTRE"]),
    ("call", &["DXT_POSIX", "DXT_MPIIO"]),
    ("heatmap", &["HEATMAP"]),
    ("dfs", &["DFS"]),
    ("daos", &["DAOS"]),
    ("apmpi", &["APMPI"]),
    ("file", &["names"]),
];

/// Tables that derive from those of several layers.
const OF_LAYERS: &[&str] = &["size_histogram", "access_size"];
const LAYERS: &[&str] = &["posix", "stdio", "mpiio", "hdf5_dataset", "pnetcdf_var", "dfs", "daos"];

/// Tables that are filled only where it was asked for: no rows mean "not
/// captured", not "did not happen".
pub(crate) const ON_REQUEST: &[&str] = &["call", "heatmap", "op_count", "stack_frame", "process"];

/// What is damaged, by log.
#[derive(Debug, Default)]
pub(crate) struct Damage(HashMap<i64, Vec<Lost>>);

#[derive(Debug)]
struct Lost {
    /// `None`: the whole log.
    module: Option<String>,
    effect: String,
}

impl Damage {
    /// From rows with the columns log, kind, module, effect.
    pub fn read(issues: &Table) -> Self {
        let mut damage = Self::default();
        let text = |row, column| match issues.value(row, column) {
            Value::Text(text) => Some(text),
            _ => None,
        };
        for row in 0..issues.rows() {
            let (Some(log), Some(kind)) = (issues.value(row, "log").integer(), text(row, "kind"))
            else {
                continue;
            };
            if DAMAGING.contains(&kind.as_str()) {
                let effect = text(row, "effect").unwrap_or(kind);
                let module = text(row, "module");
                damage.0.entry(log).or_default().push(Lost { module, effect });
            }
        }
        damage
    }

    /// Why one of these tables of a log cannot be trusted; `None`: all can.
    pub fn of(&self, log: i64, tables: &BTreeSet<String>) -> Option<String> {
        let lost = self.0.get(&log)?;
        // A check on what could not be read is not hindered by it.
        if tables.contains("read_issue") {
            return None;
        }
        lost.iter().find_map(|lost| match &lost.module {
            None => Some(lost.effect.clone()),
            Some(module) if tables.iter().any(|t| fills(module, t, tables)) => {
                Some(format!("{module}: {}", lost.effect))
            }
            Some(_) => None,
        })
    }
}

/// Whether a part of a log fills a table. A histogram is of the layers whose
/// tables are needed, too; of any layer where none is.
fn fills(module: &str, table: &str, needed: &BTreeSet<String>) -> bool {
    if table == module {
        return true;
    }
    if OF_LAYERS.contains(&table) {
        let names_layer = LAYERS.iter().any(|layer| needed.contains(*layer));
        return !names_layer && LAYERS.iter().any(|layer| fills(module, layer, needed));
    }
    MODULES.iter().any(|(name, modules)| *name == table && modules.contains(&module))
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

    fn tables(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn lost(module: Option<&str>) -> Damage {
        let module = module.map(str::to_owned);
        Damage(HashMap::from([(0, vec![Lost { module, effect: "cut".to_owned() }])]))
    }

    #[test]
    fn a_damaged_module_concerns_its_table_only() {
        let damage = lost(Some("POSIX"));
        assert_eq!(damage.of(0, &tables(&["posix"])).as_deref(), Some("POSIX: cut"));
        assert_eq!(damage.of(0, &tables(&["stdio"])), None);
        assert_eq!(damage.of(1, &tables(&["posix"])), None);
    }

    #[test]
    fn a_cut_log_concerns_all_but_the_check_on_cut_logs() {
        let damage = lost(None);
        assert_eq!(damage.of(0, &tables(&["stdio"])).as_deref(), Some("cut"));
        assert_eq!(damage.of(0, &tables(&["job", "read_issue"])), None);
    }

    #[test]
    fn a_histogram_is_of_the_layers_that_are_needed() {
        let damage = lost(Some("H5D"));
        assert_eq!(damage.of(0, &tables(&["posix", "size_histogram"])), None);
        assert!(damage.of(0, &tables(&["size_histogram"])).is_some());
        assert!(damage.of(0, &tables(&["hdf5_dataset", "size_histogram"])).is_some());
    }
}
