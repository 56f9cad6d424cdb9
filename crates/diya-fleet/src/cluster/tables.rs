//! The tables of a dataset, as an engine outside diya reads them: folders of Parquet files.

use crate::dataset::Dataset;
use crate::{FleetError, manifest};
use diya_tables::{Kind, TableDef};
use std::path::{Path, PathBuf};

/// A table for another engine.
#[derive(Debug, serde::Serialize)]
pub(super) struct Table {
    name: &'static str,
    folder: PathBuf,
    columns: Vec<(&'static str, &'static str)>,
    folders: Vec<(&'static str, &'static str)>,
    constants: Vec<(&'static str, i64)>,
}

impl Dataset {
    /// All tables. Another engine reads every row: a dataset with rows that no longer count
    /// has to be compacted first.
    pub(super) fn tables_for_others(&self) -> Result<Vec<Table>, FleetError> {
        if self.live()?.is_some() {
            return Err(FleetError::NotCompact(self.root().to_path_buf()));
        }
        let root = std::path::absolute(self.root()).map_err(FleetError::file(self.root()))?;
        Ok(crate::TABLES.iter().map(|def| table(def, &root)).collect())
    }
}

fn table(def: &TableDef, root: &Path) -> Table {
    let columns = def.columns.iter().map(|column| (column.name, kind(column.kind))).collect();
    let mut folders = vec![("system", "str"), ("year", "i64"), ("month", "i64")];
    let mut constants = Vec::new();
    // Its parts are the commits of the dataset: logs of all months are in one.
    if def.name == manifest::DEF.name {
        folders.truncate(1);
        constants = vec![("year", 0), ("month", 0)];
    }
    Table { name: def.name, folder: root.join(def.name), columns, folders, constants }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::I32 | Kind::I64 | Kind::U64 => "i64",
        Kind::F64 => "f64",
        Kind::Str => "str",
        Kind::TimestampNs => "timestamp_ns",
    }
}
