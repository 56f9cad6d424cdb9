//! What obfuscation does to each column. A table that is not listed here is
//! dropped: a new one must not leak by being forgotten.

use super::super::job::library_only;
use super::{Keyed, Names};
use diya_tables::{Kind, TableBuilder, TableId, file, job};
use diya_write::rows::copy_cell;

/// The table with new names and ids; `None`: it is dropped.
pub(super) fn renamed(
    id: TableId,
    table: &TableBuilder,
    names: &Names,
    keyed: &Keyed,
) -> Option<TableBuilder> {
    if !is_kept(id) {
        return None;
    }
    let mut out = TableBuilder::new(table.def());
    for row in 0..table.rows() {
        for (column, def) in table.def().columns.iter().enumerate() {
            let cell = Cell { id, name: def.name, row };
            match def.kind {
                Kind::Str => {
                    let text = table.str(column, row);
                    let new = text.and_then(|text| cell.text(table, text, names, keyed));
                    out.push_str(column, new.as_deref());
                }
                // Columns of this unit hold ids that are hashes of names.
                Kind::U64 if def.unit == "file_id" => {
                    out.push_u64(column, table.u64(column, row).map(|id| names.id(id)));
                }
                Kind::I64 if id == TableId::Job && [job::UID, job::JOB_ID].contains(&column) => {
                    out.push_i64(column, table.i64(column, row).map(|n| keyed.id(def.name, n)));
                }
                _ => copy_cell(table, column, row, &mut out),
            }
        }
        out.end_row();
    }
    Some(out)
}

/// Tables without text, or whose text [`Cell::text`] knows.
fn is_kept(id: TableId) -> bool {
    use TableId as T;
    matches!(
        id,
        T::AccessSize
            | T::Apmpi
            | T::ApmpiSummary
            | T::Bgq
            | T::Daos
            | T::Dfs
            | T::File
            | T::Hdf5Dataset
            | T::Hdf5File
            | T::Job
            | T::LustreComponent
            | T::LustreTarget
            | T::Mdhim
            | T::MdhimServer
            | T::Module
            | T::Mount
            | T::Mpiio
            | T::OpCount
            | T::PnetcdfFile
            | T::PnetcdfVar
            | T::Posix
            | T::RankHost
            | T::ReadIssue
            | T::SizeHistogram
            | T::Stdio
    )
}

/// A text in a table.
struct Cell {
    id: TableId,
    name: &'static str,
    row: usize,
}

impl Cell {
    fn text(
        &self,
        table: &TableBuilder,
        text: &str,
        names: &Names,
        keyed: &Keyed,
    ) -> Option<String> {
        Some(match (self.id, self.name) {
            (TableId::File, "path") => {
                let id = table.u64(file::FILE_ID, self.row).unwrap_or(0);
                names.name_of(id)?.to_string()
            }
            (TableId::File | TableId::Mount, "mount") => names.mount(text)?.to_string(),
            (TableId::Job, "metadata") => library_only(text),
            (TableId::Job, "exe" | "command_line") => {
                let exe = table.str(job::EXE, self.row).unwrap_or_default();
                keyed.text("exe", exe)
            }
            // A log's own name often contains user, program and job.
            (TableId::Job, "log_name") => keyed.text("log", text),
            (TableId::Apmpi, "node_name") | (TableId::RankHost, "host") => keyed.text("host", text),
            // Shorter than the 15 bytes that Lustre allows.
            (TableId::LustreComponent, "pool_name") => keyed.text("pool", text)[..12].to_string(),
            (TableId::Dfs | TableId::Daos, "pool_uuid" | "cont_uuid") => {
                let (upper, lower) = (keyed.text("uuid", text), keyed.text("uuid2", text));
                format!(
                    "{}-{}-{}-{}-{lower:.12}",
                    &upper[..8],
                    &upper[8..12],
                    &upper[12..],
                    &lower[12..]
                )
            }
            _ => text.to_string(),
        })
    }
}
