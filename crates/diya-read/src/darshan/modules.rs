//! The modules of the 3.x family: their numbers, names, and tables.
//!
//! Source: darshan-log-format.h (module ids) of 3.0.0 to 3.5.0. An id changed
//! its meaning twice, when H5D (3.20) and PNETCDF_VAR (3.41) were put in the
//! middle of the list.

use diya_tables::TableId;

/// Number of a module in the current format (3.41).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ModuleId(pub u8);

/// What is known of a module.
#[derive(Debug)]
pub(crate) struct Module {
    pub id: ModuleId,
    /// Name that darshan-parser prints.
    pub name: &'static str,
    /// Newest version of its records that is known; 0: opaque.
    pub newest: u32,
    /// Tables its records go to.
    pub tables: &'static [TableId],
    pub decoder: Decoder,
}

/// How the records of a module are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decoder {
    /// Fixed-size records of counters: see `layout.rs`.
    Counters(TableId),
    Lustre,
    Dxt(diya_tables::Layer),
    Mdhim,
    Apmpi,
    Heatmap,
    /// Not decoded.
    Opaque,
}

use TableId as T;
use diya_tables::Layer;

const fn counters(id: u8, name: &'static str, newest: u32, tables: &'static [TableId]) -> Module {
    Module { id: ModuleId(id), name, newest, tables, decoder: Decoder::Counters(tables[0]) }
}

const fn other(
    id: u8,
    name: &'static str,
    newest: u32,
    tables: &'static [TableId],
    decoder: Decoder,
) -> Module {
    Module { id: ModuleId(id), name, newest, tables, decoder }
}

const HIST: TableId = T::SizeHistogram;
const SIZES: TableId = T::AccessSize;

static MODULES: [Module; 18] = [
    other(0, "NULL", 0, &[], Decoder::Opaque),
    counters(1, "POSIX", 4, &[T::Posix, T::Stdio, HIST, SIZES]),
    counters(2, "MPI-IO", 3, &[T::Mpiio, HIST, SIZES]),
    counters(3, "H5F", 3, &[T::Hdf5File]),
    counters(4, "H5D", 2, &[T::Hdf5Dataset, HIST, SIZES]),
    counters(5, "PNETCDF_FILE", 3, &[T::PnetcdfFile]),
    counters(6, "PNETCDF_VAR", 1, &[T::PnetcdfVar, HIST, SIZES]),
    counters(7, "BG/Q", 2, &[T::Bgq]),
    other(8, "LUSTRE", 2, &[T::LustreComponent, T::LustreTarget], Decoder::Lustre),
    counters(9, "STDIO", 2, &[T::Stdio]),
    other(10, "DXT_POSIX", 2, &[T::Call, T::RankHost], Decoder::Dxt(Layer::Posix)),
    other(11, "DXT_MPIIO", 3, &[T::Call, T::RankHost], Decoder::Dxt(Layer::Mpiio)),
    other(12, "MDHIM", 1, &[T::Mdhim, T::MdhimServer], Decoder::Mdhim),
    other(13, "APXC", 0, &[], Decoder::Opaque),
    other(14, "APMPI", 1, &[T::Apmpi, T::ApmpiSummary, T::RankHost], Decoder::Apmpi),
    other(15, "HEATMAP", 1, &[T::Heatmap], Decoder::Heatmap),
    counters(16, "DFS", 1, &[T::Dfs, HIST, SIZES]),
    counters(17, "DAOS", 1, &[T::Daos, HIST, SIZES]),
];

/// Stands for the minor version of development logs between 3.4.0 and 3.4.1:
/// the module numbers of 3.21, and DFS behind HEATMAP.
pub(crate) const DEVELOPMENT: u32 = 40;

/// The module in a slot of the header, in a log of this minor version.
///
/// `None`: a slot without a meaning in that version.
pub(crate) fn in_slot(slot: usize, minor: u32) -> Option<ModuleId> {
    let slot = u8::try_from(slot).ok()?;
    let id = match minor {
        // PNETCDF_VAR came in 3.41.
        41.. => slot,
        // H5D came in 3.20.
        20..=DEVELOPMENT => {
            if slot <= 5 {
                slot
            } else {
                slot + 1
            }
        }
        _ => match slot {
            0..=3 => slot,
            4 => 5,
            _ => slot + 2,
        },
    };
    let newest_slot = match minor {
        41.. => u8::MAX,
        DEVELOPMENT => 15,
        20..DEVELOPMENT => 14,
        _ => 12,
    };
    (slot <= newest_slot).then_some(ModuleId(id))
}

/// Tables that a part of a log fills.
pub(crate) fn tables_of(part: &str) -> Vec<TableId> {
    match part {
        "job" => vec![T::Job, T::Mount, T::MpiHint],
        "names" => vec![T::File],
        _ => MODULES.iter().find(|m| m.name == part).map_or(Vec::new(), |m| m.tables.to_vec()),
    }
}

/// The module that darshan-parser calls so.
pub(crate) fn named(name: &str) -> Option<&'static Module> {
    MODULES.iter().find(|m| m.name == name)
}

/// What is known of the module, if anything is.
pub(crate) fn known(id: ModuleId) -> Option<&'static Module> {
    MODULES.iter().find(|m| m.id == id)
}
