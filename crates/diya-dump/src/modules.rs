//! The modules of the log, and how the records of each are printed.

use diya_tables::{TableId, Tables, module};

/// How the records of a module are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Printer {
    /// One line per counter of a table.
    Counters(TableId),
    Lustre,
    Mdhim,
    Apmpi,
    Heatmap,
    /// Printed by `--dxt` only.
    Dxt,
    /// Nothing is known of its records.
    Opaque,
}

/// A module that the log mentions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Module<'t> {
    pub name: &'t str,
    /// `None` where the format has no module numbers.
    pub id: Option<i32>,
    /// `None` where the format has no module versions.
    pub version: Option<i32>,
    /// Bytes in the log; `None` where the module has no region of its own.
    pub stored_bytes: Option<u64>,
    pub is_partial: bool,
    pub is_decoded: bool,
    pub printer: Printer,
}

impl Module<'_> {
    /// Has a region in the log, or records without one.
    pub fn has_data(&self) -> bool {
        self.stored_bytes != Some(0)
    }

    /// Totals, file counts and bandwidth exist for it.
    pub fn has_summary(&self) -> bool {
        use TableId::{Daos, Dfs, Mpiio, Posix, Stdio};
        matches!(self.printer, Printer::Counters(Posix | Mpiio | Stdio | Dfs | Daos))
    }

    /// darshan-parser 3.0 to 3.3 listed its files.
    pub fn has_file_list(&self) -> bool {
        use TableId::{Mpiio, Posix, Stdio};
        matches!(self.printer, Printer::Counters(Posix | Mpiio | Stdio))
    }
}

/// Rows of table `module` that stand for other parts of the log.
const PARTS: [&str; 3] = ["header", "job", "names"];

/// The modules that the log mentions, in its order.
pub(super) fn list(tables: &Tables) -> Vec<Module<'_>> {
    let Some(table) = tables.table(TableId::Module) else { return Vec::new() };
    let modules = (0..table.rows()).filter_map(|row| {
        let name = table.str(module::MODULE, row).filter(|name| !PARTS.contains(name))?;
        Some(Module {
            name,
            id: table.i32(module::MODULE_ID, row),
            version: table.i32(module::VERSION, row),
            stored_bytes: table.u64(module::STORED_BYTES, row),
            is_partial: table.bool(module::IS_PARTIAL, row).unwrap_or(false),
            is_decoded: table.bool(module::IS_DECODED, row).unwrap_or(false),
            printer: printer(name),
        })
    });
    modules.collect()
}

/// Bytes of a part of the log that is no module.
pub(super) fn part_bytes(tables: &Tables, part: &str) -> Option<u64> {
    let table = tables.table(TableId::Module)?;
    let row = (0..table.rows()).find(|row| table.str(module::MODULE, *row) == Some(part))?;
    table.u64(module::STORED_BYTES, row)
}

fn printer(name: &str) -> Printer {
    match name {
        "POSIX" => Printer::Counters(TableId::Posix),
        "MPI-IO" => Printer::Counters(TableId::Mpiio),
        "STDIO" => Printer::Counters(TableId::Stdio),
        "H5F" => Printer::Counters(TableId::Hdf5File),
        "H5D" => Printer::Counters(TableId::Hdf5Dataset),
        "PNETCDF_FILE" => Printer::Counters(TableId::PnetcdfFile),
        "PNETCDF_VAR" => Printer::Counters(TableId::PnetcdfVar),
        "BG/Q" => Printer::Counters(TableId::Bgq),
        "DFS" => Printer::Counters(TableId::Dfs),
        "DAOS" => Printer::Counters(TableId::Daos),
        "LUSTRE" => Printer::Lustre,
        "MDHIM" => Printer::Mdhim,
        "APMPI" => Printer::Apmpi,
        "HEATMAP" => Printer::Heatmap,
        "DXT_POSIX" | "DXT_MPIIO" => Printer::Dxt,
        _ => Printer::Opaque,
    }
}
