//! Darshan logs of version 3.41, as Darshan 3.4.1 and later write them.
//!
//! job region -> names -> one region per module, each one compressed stream;
//! the header, which says where they are, comes first. Nulls become Darshan's
//! marks again. docs/formats/darshan-writing.md says what a log cannot hold;
//! docs/formats/darshan.md describes the bytes.

mod apmpi;
mod counters;
mod dxt;
mod header;
mod heatmap;
mod job;
mod lustre;
mod mdhim;
mod names;
mod pack;

use crate::{Loss, WriteError};
use diya_tables::{Layer, TableBuilder, TableId, Tables, module, mpi_hint};
use header::Header;
use pack::Packer;

pub use pack::Compression;

/// How to write a log.
#[derive(Debug, Clone, Copy, Default)]
pub struct DarshanOptions {
    /// Compression of its regions.
    pub compression: Compression,
    /// Keep the thread of each call: DXT_POSIX version 2 and DXT_MPIIO version
    /// 3, of which PyDarshan up to 3.5.0 reads no segment.
    pub has_threads: bool,
}

/// A log and what it lacks of the tables.
#[derive(Debug, Default)]
pub struct Written {
    /// The bytes of the log.
    pub bytes: Vec<u8>,
    /// What the format has no place for.
    pub losses: Vec<Loss>,
}

/// Columns `log`, `file_id` and `rank` are the first three of every table of records.
const LOG: usize = 0;
const FILE_ID: usize = 1;
const RANK: usize = 2;

/// Tables that a Darshan log stores, tables that a reader computes from others, and
/// tables that the user gives beside the log. diya reports the rows of any other table
/// as lost, so that a new table is never dropped in silence.
const WRITTEN: [TableId; 30] = [
    TableId::AccessSize,
    TableId::Apmpi,
    TableId::ApmpiSummary,
    TableId::Bgq,
    TableId::Call,
    TableId::Daos,
    TableId::Dfs,
    TableId::File,
    TableId::Hdf5Dataset,
    TableId::Hdf5File,
    TableId::Heatmap,
    TableId::Job,
    TableId::LustreComponent,
    TableId::LustreTarget,
    TableId::MachineProfile,
    TableId::Mdhim,
    TableId::MdhimServer,
    TableId::Module,
    TableId::Mount,
    TableId::MpiHint,
    TableId::Mpiio,
    TableId::PnetcdfFile,
    TableId::PnetcdfVar,
    TableId::Posix,
    TableId::RankHost,
    TableId::ReadIssue,
    TableId::ServerMetric,
    TableId::SizeHistogram,
    TableId::Stdio,
    TableId::Topology,
];

/// Writes the log of this number as a Darshan log.
///
/// ```
/// let mut tables = diya_tables::Tables::new();
/// let error = diya_write::darshan::write(&tables, 0, &Default::default()).unwrap_err();
/// assert!(error.to_string().contains("job has no row"));
/// ```
pub fn write(tables: &Tables, log: i32, options: &DarshanOptions) -> Result<Written, WriteError> {
    let mut writer = Writer {
        tables,
        log,
        options: *options,
        header: Header::new(options.compression),
        out: vec![0; header::HEADER_BYTES],
        losses: Vec::new(),
    };
    writer.regions()?;
    let Writer { header, mut out, losses, .. } = writer;
    out[..header::HEADER_BYTES].copy_from_slice(&header.bytes());
    Ok(Written { bytes: out, losses })
}

struct Writer<'t> {
    tables: &'t Tables,
    log: i32,
    options: DarshanOptions,
    header: Header,
    out: Vec<u8>,
    losses: Vec<Loss>,
}

/// Records of a module, whatever they are.
trait Records {
    /// Does the log hold any?
    fn is_empty(&self) -> bool;
    /// Puts them all into the region.
    fn pack(&self, into: &mut Packer) -> std::io::Result<()>;
}

impl<'t> Writer<'t> {
    fn regions(&mut self) -> Result<(), WriteError> {
        let job = job::bytes(self.tables, self.log, &mut self.losses)
            .ok_or(WriteError::NoJob(self.log))?;
        self.region("job", &job)?;
        let names = names::bytes(self.tables, self.log, &mut self.losses);
        self.header.names = self.region("names", &names)?;
        // In the order of the module numbers, as Darshan writes them.
        for slot in 1..header::MODULES {
            self.module(slot)?;
        }
        self.partial_flags();
        self.tell_unwritten();
        Ok(())
    }

    /// What own traces hold and Darshan logs do not.
    fn tell_unwritten(&mut self) {
        let is_dxt = |layer| matches!(layer, Layer::Posix | Layer::Mpiio);
        let runs = self.tables.calls.runs();
        let count: usize =
            runs.filter(|r| r.log == self.log && !is_dxt(r.layer)).map(|r| r.len).sum();
        let mut tell = |part, count: usize, effect| {
            if count > 0 {
                self.losses.push(Loss { part, count: count as u64, effect });
            }
        };
        tell("call", count, "calls of layers that have no DXT module");
        // Hints of the job are lines of its metadata; those of a file have no place.
        let hints = self.tables.table(TableId::MpiHint);
        let of_files = hints.map_or(0, |table| {
            let is_of_file = |row: &usize| table.u64(mpi_hint::FILE_ID, *row).is_some();
            rows_of(table, self.log).filter(is_of_file).count()
        });
        tell("mpi_hint", of_files, "hints of single files cannot be stored in a Darshan log");
        for id in TableId::ALL.into_iter().filter(|id| !WRITTEN.contains(id)) {
            let rows = self.tables.table(id).map_or(0, |table| rows_of(table, self.log).count());
            tell(id.def().name, rows, "rows cannot be stored in a Darshan log");
        }
    }

    fn module(&mut self, slot: usize) -> Result<(), WriteError> {
        let (tables, log) = (self.tables, self.log);
        if let Some(module) = counters::module(slot) {
            let Some(table) = tables.table(module.table) else { return Ok(()) };
            let records = counters::Counters::new(table, log, module, &mut self.losses);
            return self.records(slot, module.name, records.version, &records);
        }
        match slot {
            8 => {
                let records = lustre::Lustre::new(tables, log);
                self.records(slot, "LUSTRE", records.version, &records)
            }
            10 => self.dxt(slot, "DXT_POSIX", Layer::Posix),
            11 => self.dxt(slot, "DXT_MPIIO", Layer::Mpiio),
            12 => self.records(slot, "MDHIM", 1, &mdhim::Mdhim::new(tables, log)),
            14 => self.records(slot, "APMPI", 1, &apmpi::Apmpi::new(tables, log)),
            15 => {
                let records = heatmap::Heatmaps::new(tables, log, &mut self.losses);
                self.records(slot, "HEATMAP", 1, &records)
            }
            _ => Ok(()),
        }
    }

    fn dxt(&mut self, slot: usize, name: &'static str, layer: Layer) -> Result<(), WriteError> {
        let has_threads = self.options.has_threads;
        let calls = &self.tables.calls;
        let records = dxt::Dxt::new(calls, self.log, layer, name, has_threads, &mut self.losses);
        self.records(slot, name, records.version(), &records)
    }

    fn records(
        &mut self,
        slot: usize,
        name: &'static str,
        version: u32,
        records: &dyn Records,
    ) -> Result<(), WriteError> {
        if records.is_empty() {
            return Ok(());
        }
        let region = self.packed(name, |packer| records.pack(packer))?;
        self.header.module(slot, version, region);
        Ok(())
    }

    fn region(&mut self, part: &'static str, bytes: &[u8]) -> Result<(u64, u64), WriteError> {
        self.packed(part, |packer| std::io::Write::write_all(packer, bytes))
    }

    /// Appends a region; gives its offset and length.
    fn packed(
        &mut self,
        part: &'static str,
        fill: impl FnOnce(&mut Packer) -> std::io::Result<()>,
    ) -> Result<(u64, u64), WriteError> {
        let start = self.out.len();
        let mut packer = Packer::new(self.options.compression, std::mem::take(&mut self.out));
        let done = fill(&mut packer).and_then(|()| packer.finish());
        self.out = done.map_err(|source| WriteError::Compress { part, source })?;
        Ok((start as u64, (self.out.len() - start) as u64))
    }

    /// Darshan's word that it ran out of memory for a module goes along.
    fn partial_flags(&mut self) {
        let Some(modules) = self.tables.table(TableId::Module) else { return };
        for row in rows_of(modules, self.log) {
            let id = modules.i32(module::MODULE_ID, row).and_then(|id| usize::try_from(id).ok());
            if let (Some(true), Some(id)) = (modules.bool(module::IS_PARTIAL, row), id) {
                self.header.partial(id);
            }
        }
    }
}

/// Rows of a log in a table.
fn rows_of(table: &TableBuilder, log: i32) -> impl Iterator<Item = usize> + '_ {
    (0..table.rows()).filter(move |row| table.i32(LOG, *row) == Some(log))
}

/// Id and rank at the head of every record.
fn base(id: u64, rank: i32) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&id.to_le_bytes());
    bytes[8..].copy_from_slice(&i64::from(rank).to_le_bytes());
    bytes
}

/// Text in a field of fixed size that ends with at least one NUL; true when it
/// did not fit.
fn fixed_text(text: &str, field: &mut [u8]) -> bool {
    let room = field.len().saturating_sub(1);
    let text = text.split('\0').next().unwrap_or_default();
    let end = text.floor_char_boundary(room.min(text.len()));
    field[..end].copy_from_slice(&text.as_bytes()[..end]);
    end < text.len()
}
