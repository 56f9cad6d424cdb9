//! The tables of the contract: columns and builders, with Arrow at the edges.
//!
//! `schema/tables/*.toml` says what the tables are; `generated/` holds what
//! follows from it. A reader fills [`Tables`]: wide tables counter by counter
//! through [`TableBuilder`], small ones row by row through `push_<table>`, and
//! the two large ones ([`CallTable`], [`HeatmapTable`]) through storage of
//! their own that keeps constant columns as runs. Whoever reads them asks for
//! Arrow record batches ([`BatchSource`]); numeric columns go there uncopied.

mod bits;
mod builder;
mod call_chunk;
mod call_table;
mod columns;
mod def;
mod frozen_calls;
mod frozen_chunk;
#[rustfmt::skip]
#[allow(missing_docs)] // the definitions say what each column number stands for
mod generated;
mod hash;
mod heatmap_table;
mod held_chunk;
mod issue;
mod packed;
mod record_id;
mod runs;
mod source;
mod sparse;
mod tables;

#[doc(hidden)] // for `columns!`
pub use arrow_array::{Array, RecordBatch};
pub use builder::TableBuilder;
pub use call_chunk::{Call, CallChunk, CallRun, NameId};
pub use call_table::{AdoptedNames, CALLS_PER_CHUNK, CallTable};
pub use columns::{CellType, Column, TimestampNs};
#[doc(hidden)]
pub use columns::{column_number, listed_column};
pub use def::{ColumnDef, Kind, NullWhen, Storage, TableDef};
pub use diya_model::{Class, IssueKind, Layer, Loss, Op, Scope};
pub use frozen_calls::FrozenCalls;
pub use generated::*;
pub use hash::{FastHashMap, FastHashSet};
pub use heatmap_table::{FrozenHeatmap, HeatmapRecord, HeatmapTable};
pub use issue::Issue;
pub use record_id::record_id;
pub use source::{BatchSource, Batches, Executor, Pieces, Work};
pub use sparse::Sparse;
pub use tables::Tables;
