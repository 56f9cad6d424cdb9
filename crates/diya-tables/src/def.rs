//! What a table and a column are: the types behind `generated/`.

use crate::TableId;
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use diya_model::{Layer, Role};
use std::collections::HashMap;
use std::sync::Arc;

/// A table of the contract.
#[derive(Debug)]
pub struct TableDef {
    /// Name, as in SQL.
    pub name: &'static str,
    /// Version of its columns; a change is a new column or an upgrader.
    pub version: u32,
    /// What it holds.
    pub doc: &'static str,
    /// What one row is, and in which order rows come.
    pub rows: &'static str,
    /// How it is kept in memory.
    pub storage: Storage,
    /// Its columns, in order.
    pub columns: &'static [ColumnDef],
}

/// How a table is kept in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// One vector per column.
    Columns,
    /// Columns that are constant over long runs are kept once per run.
    Runs,
}

/// A column of the contract.
#[derive(Debug)]
pub struct ColumnDef {
    /// Name, as in SQL.
    pub name: &'static str,
    /// Type of its values.
    pub kind: Kind,
    /// Unit of its values.
    pub unit: &'static str,
    /// Which recorded value the reader turns into null.
    pub null_when: NullWhen,
    /// Name of the counter in a Darshan log.
    pub darshan: Option<&'static str>,
    /// What null means; `None`: it never is.
    pub null: Option<&'static str>,
    /// What it holds.
    pub doc: &'static str,
    /// What it means, in a table of a layer.
    pub role: Option<Role>,
    /// Kind of call it counts, as `call_count` names it.
    pub call: Option<&'static str>,
}

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Kind {
    Bool,
    I32,
    I64,
    U64,
    F64,
    Str,
    TimestampNs,
}

/// Which recorded value stands for "not measured" and becomes null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NullWhen {
    /// Every recorded value is a value.
    Never,
    /// -1: Darshan's mark for a counter that is not available.
    MinusOne,
    /// 0: a time stamp of something that never happened.
    Zero,
    /// 0 in a record of one rank: ranks are compared in shared records only.
    ZeroUnshared,
}

/// Constructor for `generated/`, which stays one line per column with it.
pub(crate) const fn column(
    name: &'static str,
    kind: Kind,
    unit: &'static str,
    null_when: NullWhen,
    darshan: Option<&'static str>,
    null: Option<&'static str>,
    doc: &'static str,
) -> ColumnDef {
    ColumnDef { name, kind, unit, null_when, darshan, null, doc, role: None, call: None }
}

impl ColumnDef {
    /// For `generated/`: the column with its role, and the kind of call it counts.
    pub(crate) const fn means(self, role: Role, call: Option<&'static str>) -> Self {
        Self { role: Some(role), call, ..self }
    }
}

impl Kind {
    /// Its name, as in `schema/tables` and in the headers of metrics.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U64 => "u64",
            Self::F64 => "f64",
            Self::Str => "str",
            Self::TimestampNs => "timestamp_ns",
        }
    }

    /// Type of the column in Arrow.
    ///
    /// Text is a view type: the many columns that repeat a short word (layer,
    /// op, host) then cost no copies, and the SQL engine groups by them on its
    /// fast path.
    pub fn arrow(self) -> DataType {
        match self {
            Self::Bool => DataType::Boolean,
            Self::I32 => DataType::Int32,
            Self::I64 => DataType::Int64,
            Self::U64 => DataType::UInt64,
            Self::F64 => DataType::Float64,
            Self::Str => DataType::Utf8View,
            Self::TimestampNs => DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
        }
    }
}

impl TableId {
    /// The table with this name.
    ///
    /// ```
    /// # use diya_tables::TableId;
    /// assert_eq!(TableId::from_name("posix"), Some(TableId::Posix));
    /// assert_eq!(TableId::from_name("poxis"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.def().name == name)
    }

    /// The table with the counters of a layer: one record per file and rank. `None`: no log has
    /// counters of this layer.
    pub fn of_layer(layer: Layer) -> Option<Self> {
        Self::from_name(layer.name())
    }

    /// The tables with the counters of a layer.
    pub fn of_layers() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|id| Layer::from_name(id.def().name).is_some())
    }
}

impl TableDef {
    /// Arrow schema; unit and meaning travel as metadata of each field.
    pub fn arrow_schema(&self) -> SchemaRef {
        let fields: Vec<Field> = self
            .columns
            .iter()
            .map(|c| {
                let about = HashMap::from([
                    ("unit".to_string(), c.unit.to_string()),
                    ("doc".to_string(), c.doc.to_string()),
                ]);
                Field::new(c.name, c.kind.arrow(), c.null.is_some()).with_metadata(about)
            })
            .collect();
        let about = HashMap::from([("diya.table_version".to_string(), self.version.to_string())]);
        Arc::new(Schema::new_with_metadata(fields, about))
    }

    /// Numbers of the columns with this role; none: the layer does not record it.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = usize> {
        let columns = self.columns.iter().enumerate();
        columns.filter(move |(_, column)| column.role == Some(role)).map(|(number, _)| number)
    }

    /// Numbers of the columns that count calls, each with the kind of call.
    pub fn calls(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let columns = self.columns.iter().enumerate();
        columns.filter_map(|(number, column)| Some((number, column.call?)))
    }

    /// Number of the column with this name.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == name)
    }
}
