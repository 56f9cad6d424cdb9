//! Reads `schema/tables/*.toml` and checks what the generators rely on.

use diya_model::Role;
use serde::Deserialize;
use std::path::Path;

/// One table of the contract.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    pub name: String,
    pub version: u32,
    pub doc: String,
    pub rows: String,
    /// A `push_<table>` function with a row struct is generated: for tables
    /// that are filled field by field rather than from a list of counters.
    #[serde(default)]
    pub typed_rows: bool,
    /// `columns` (default) or `runs`: see `diya-tables/src/runs.rs`.
    #[serde(default = "columns_storage")]
    pub storage: String,
    pub columns: Vec<Column>,
}

fn columns_storage() -> String {
    "columns".into()
}

/// One column of a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub unit: String,
    pub doc: String,
    /// What null means; `version` stands for the text every counter shares.
    pub null: Option<String>,
    /// Which recorded value the reader turns into null.
    pub null_when: Option<String>,
    /// The counter in a Darshan log.
    pub darshan: Option<String>,
    /// What the counter means, whatever its name: see `diya-model/src/role.rs`.
    pub role: Option<String>,
    /// Kind of call it counts, where that says more than the role.
    call: Option<String>,
}

impl Column {
    pub fn role(&self) -> Option<Role> {
        self.role.as_deref().and_then(Role::from_name)
    }

    /// Kind of call it counts, as `call_count` names it.
    pub fn call(&self) -> Option<&str> {
        let role = self.role().filter(|role| role.is_calls())?;
        Some(self.call.as_deref().unwrap_or(role.name()))
    }

    pub fn is_nullable(&self) -> bool {
        self.null.is_some() || self.null_when.is_some()
    }

    /// What null means in this column, for the reference page.
    pub fn null_text(&self) -> Option<&str> {
        match (self.null.as_deref(), self.null_when.as_deref()) {
            (Some("version"), _) => Some("not in this version of the record"),
            (Some(text), _) => Some(text),
            (None, Some("minus_one")) => {
                Some("not in this version of the record, or -1 in the log: not available")
            }
            (None, Some("zero")) => {
                Some("0 in the log: never happened; or not in this version of the record")
            }
            (None, Some(_)) => Some("0 in a record of one rank: there is nothing to compare"),
            (None, None) => None,
        }
    }
}

/// Types of columns.
pub const KINDS: [&str; 7] = ["bool", "i32", "i64", "u64", "f64", "str", "timestamp_ns"];
const NULL_RULES: [&str; 3] = ["minus_one", "zero", "zero_unshared"];

/// All tables of a folder, by name; each begins with one of these columns.
pub fn load(folder: &Path, keys: &[&str]) -> Result<Vec<Table>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut tables = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ext| ext != "toml") {
            continue;
        }
        let at = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|e| at(&e))?;
        let table: Table = toml::from_str(&text).map_err(|e| at(&e))?;
        check(&table, keys).map_err(|e| at(&e))?;
        if path.file_stem().is_none_or(|stem| *stem != *table.name) {
            return Err(at(&"the file is not named after its table"));
        }
        tables.push(table);
    }
    tables.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tables)
}

fn check(table: &Table, keys: &[&str]) -> Result<(), String> {
    for column in &table.columns {
        let name = &column.name;
        if !KINDS.contains(&column.kind.as_str()) {
            return Err(format!("column {name}: unknown type {}", column.kind));
        }
        if column.null_when.as_deref().is_some_and(|rule| !NULL_RULES.contains(&rule)) {
            return Err(format!("column {name}: null_when is one of {NULL_RULES:?}"));
        }
        if column.role.is_some() && column.role().is_none() {
            return Err(format!("column {name}: role is one of {:?}", Role::ALL));
        }
        if column.call.is_some() && column.call().is_none() {
            return Err(format!("column {name}: call stands beside a role of calls only"));
        }
        if column.unit.is_empty() || column.doc.is_empty() {
            return Err(format!("column {name}: unit and doc are required"));
        }
        if table.columns.iter().filter(|other| other.name == *name).count() > 1 {
            return Err(format!("column {name} twice"));
        }
    }
    match table.columns.first() {
        Some(first) if keys.contains(&first.name.as_str()) => Ok(()),
        _ => Err(format!("the first column is one of {keys:?}")),
    }
}
