//! Darshan logs of the 1.x and 2.x series: log versions 1.4 and 1.21 to 2.06.
//!
//! Such a log is one structure as it lay in memory, compressed as a whole: job,
//! command line and mount table, then file records of a fixed size up to the
//! end. A record holds the counters of all layers for one file; it becomes a
//! row in the table of each layer that it counts calls of.
//!
//! The format, byte by byte, and how each counter finds its column:
//! docs/formats/darshan-legacy.md. Source: darshan-log-format.h,
//! darshan-logutils.c, darshan-posix.c and darshan-mpi-io.c of the 2.x series.

mod bytes;
mod clock;
mod counters;
mod header;
mod issues;
mod layers;
mod record;
mod rows;
mod streams;
#[cfg(test)]
mod tests;
mod version;

use crate::{Format, Proof, ReadError, Request, Selection};
use clock::Clock;
use counters::DEVICE;
use diya_tables::{FileRow, IssueKind, ModuleRow, TableId, Tables};
use header::Header;
use issues::{Issues, Tally, is_device_of_other_node};
use layers::Layers;
use record::{Record, Records};
use rows::Row;
use std::collections::HashSet;
use version::Version;

/// Do these first bytes of a decompressed log begin with the version text of a
/// 1.x or 2.x log?
///
/// ```
/// use diya_read::darshan_legacy::is_legacy;
///
/// assert!(is_legacy(b"2.06\0\0\0\0\0\0\0\0\0d57"));
/// assert!(!is_legacy(b"3.41\0\0\0\0"));
/// ```
pub fn is_legacy(image: &[u8]) -> bool {
    Version::parse(image).is_some()
}

/// How these logs begin, and what reads them.
pub(crate) const FORMAT: Format = Format {
    begins: is_legacy,
    read: read_whole,
    has_derived: false,
    is_in_order: false,
    proof: Proof::Certain,
};

fn read_whole(request: &Request<'_>, _: &[u8], tables: &mut Tables) -> Result<(), ReadError> {
    let image = request.source.bytes(0..request.source.len())?;
    let compression = request.outer_compression.unwrap_or("none");
    read(&image, request.log, request.log_name, compression, request.selection, tables)
}

/// Reads the decompressed image of one log, appending to the tables.
///
/// A cut image gives the records that are whole. An error means that nothing
/// was appended: neither version nor magic number make sense.
pub fn read(
    image: &[u8],
    log: i32,
    log_name: &str,
    compression: &str,
    selection: &Selection,
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let header = header::parse(image)?;
    header.push(log, log_name, compression, tables);
    let Some(mut records) = Records::of(image, &header) else {
        let effect = "the records of this version are unknown; only table job is read";
        Issues { log, tables }.push(IssueKind::UnknownVersion, None, Some(0), None, effect);
        return Ok(());
    };
    let clock = Clock::of(&header, records.clone());
    let mut reader = Reader {
        log,
        header: &header,
        clock,
        selection,
        tally: Tally::default(),
        named: HashSet::new(),
        tables,
    };
    for record in records.by_ref() {
        reader.read_record(&record);
    }
    reader.push_modules();
    let Reader { tally, .. } = reader;
    let mut issues = Issues { log, tables };
    push_cut(image.len(), records.at(), &mut issues);
    tally.push(&header, clock, &mut issues);
    Ok(())
}

/// Reports bytes behind the last whole record, or a header that is cut.
fn push_cut(image_len: usize, whole_records_end: usize, issues: &mut Issues<'_>) {
    let bytes = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let at = Some(bytes(image_len));
    if let Some(missing) = whole_records_end.checked_sub(image_len).filter(|n| *n > 0) {
        let effect = "the data end before the file records; so many bytes of job, command line \
                      and mount table are missing, and all records";
        issues.push(IssueKind::Truncated, None, at, Some(bytes(missing)), effect);
    } else if let Some(rest) = image_len.checked_sub(whole_records_end).filter(|n| *n > 0) {
        let effect = "the data end inside a file record; so many bytes of it are left out, and \
                      every record behind them is missing";
        issues.push(IssueKind::Truncated, None, at, Some(bytes(rest)), effect);
    }
}

/// What the way from records to rows needs.
struct Reader<'r> {
    log: i32,
    header: &'r Header,
    clock: Clock,
    selection: &'r Selection,
    tally: Tally,
    /// Files that have their row in table `file`.
    named: HashSet<u64>,
    tables: &'r mut Tables,
}

impl Reader<'_> {
    fn read_record(&mut self, record: &Record<'_>) {
        let Some(rank) = i32::try_from(record.rank).ok().filter(|rank| *rank >= -1) else {
            self.tally.add_bad_rank(record);
            return;
        };
        let layers = Layers::of(record);
        let meaning = self.header.meaning;
        self.tally.add(record, layers, meaning);
        self.push_file(record);
        if self.selection.wants(record.file_id, rank) {
            self.push_rows(&Row {
                log: self.log,
                rank,
                record,
                layers,
                clock: self.clock,
                meaning,
            });
        }
    }

    /// The first record of a file names it.
    fn push_file(&mut self, record: &Record<'_>) {
        if !self.named.insert(record.file_id) {
            return;
        }
        let longest = record.name.len().saturating_sub(1);
        // A condensed record keeps the name of the one file it began with.
        let path = bytes::text(record.name).filter(|_| !record.is_condensed());
        self.tally.not_utf8 += u64::from(path.as_deref().is_some_and(|p| p.contains('\u{fffd}')));
        let is_whole = path.as_deref().is_some_and(|p| p.starts_with('/') && p.len() < longest);
        let device = record.ints.get(DEVICE).copied().flatten();
        let device = device.filter(|_| {
            !record.is_condensed() && !is_device_of_other_node(record, self.header.meaning)
        });
        let mount = device.and_then(|device| self.header.mount_of(device));
        if self.selection.tables.has(TableId::File) {
            self.tables.push_file(FileRow {
                log: self.log,
                file_id: record.file_id,
                path: path.as_deref(),
                mount: mount.map(|m| m.path.as_str()),
                fs_type: mount.map(|m| m.fs_type.as_str()),
                is_path_suffix: !is_whole,
                kind: None,
                parent_id: None,
            });
        }
    }

    fn push_rows(&mut self, row: &Row<'_>) {
        let wanted = self.selection.tables;
        let wants_sizes = wanted.has_any(&[TableId::SizeHistogram, TableId::AccessSize]);
        let layers = row.layers;
        // The tables of sizes are made from the wide ones afterwards.
        if layers.has_posix && (wanted.has(TableId::Posix) || wants_sizes) {
            row.push_posix(self.tables);
        }
        if layers.has_mpiio && (wanted.has(TableId::Mpiio) || wants_sizes) {
            row.push_mpiio(self.tables);
        }
        if layers.has_stdio && wanted.has(TableId::Stdio) {
            row.push_stdio(self.tables);
        }
        if layers.is_stream_data {
            streams::push(row, wanted, self.tables);
        }
        if layers.has_hdf5 && wanted.has(TableId::Hdf5File) {
            row.push_hdf5(self.tables);
        }
        if layers.has_pnetcdf && wanted.has(TableId::PnetcdfFile) {
            row.push_pnetcdf(self.tables);
        }
    }

    /// One row per layer that any record counts, named as in a log of today.
    fn push_modules(&mut self) {
        let layers = self.tally.layers;
        let used = [
            ("POSIX", layers.has_posix),
            ("MPI-IO", layers.has_mpiio),
            ("H5F", layers.has_hdf5),
            ("PNETCDF_FILE", layers.has_pnetcdf),
            ("STDIO", layers.has_stdio),
        ];
        for (module, _) in used.into_iter().filter(|(_, is_used)| *is_used) {
            self.tables.push_module(ModuleRow {
                log: self.log,
                module,
                is_partial: self.tally.has_condensed(),
                is_decoded: true,
                ..ModuleRow::UNKNOWN
            });
        }
    }
}
