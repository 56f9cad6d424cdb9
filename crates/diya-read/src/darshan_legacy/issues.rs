//! What could not be read, was guessed, or has no column: rows of `read_issue`.
//!
//! Counted for each record, reported once per log: a log has one version,
//! and what that version could not do concerns all of its records.
//!
//! Source: darshan_log_print_version_warnings in darshan-logutils.c and the
//! ChangeLog of the 2.x series; docs/formats/darshan-legacy.md, section 8.

use super::clock::Clock;
use super::counters::*;
use super::header::Header;
use super::layers::Layers;
use super::record::Record;
use super::rows::is_clipped;
use super::version::Version;
use diya_tables::{Issue, IssueKind, TableId, Tables};

/// Records by what is the matter with them.
#[derive(Debug, Default)]
pub(super) struct Tally {
    bad_rank: u64,
    first_bad_rank_at: Option<u64>,
    pub not_utf8: u64,
    condensed: u64,
    without_calls: u64,
    mixed_data: u64,
    stream_data: u64,
    shared_times: u64,
    shared: u64,
    clipped: u64,
    without_column: u64,
    device_of_other_node: u64,
    /// Layers that any record counts.
    pub layers: Layers,
}

impl Tally {
    pub fn add(&mut self, record: &Record<'_>, layers: Layers, meaning: Version) {
        let one_if = u64::from;
        self.condensed += one_if(record.is_condensed());
        self.without_calls += one_if(layers.is_none());
        self.mixed_data += one_if(layers.is_mixed_data);
        self.stream_data += one_if(layers.is_stream_data);
        self.shared_times += one_if(layers.shares_times());
        self.shared += one_if(record.is_shared());
        let max_bytes = [MAX_BYTE_READ, MAX_BYTE_WRITTEN];
        self.clipped += one_if(max_bytes.iter().any(|c| is_clipped(meaning, record.int(*c))));
        let homeless = (COMBINERS..HINTS).chain(EXTENTS..STRIDES).chain([SIZE_AT_OPEN]);
        self.without_column += one_if(record.has_any(homeless));
        self.device_of_other_node += one_if(is_device_of_other_node(record, meaning));
        self.layers.has_posix |= layers.has_posix;
        self.layers.has_stdio |= layers.has_stdio;
        self.layers.has_mpiio |= layers.has_mpiio;
        self.layers.has_hdf5 |= layers.has_hdf5;
        self.layers.has_pnetcdf |= layers.has_pnetcdf;
    }

    /// The bytes of such a record are damaged, or belong to another version.
    pub fn add_bad_rank(&mut self, record: &Record<'_>) {
        self.bad_rank += 1;
        self.first_bad_rank_at =
            self.first_bad_rank_at.or_else(|| u64::try_from(record.byte_offset).ok());
    }

    pub fn has_condensed(&self) -> bool {
        self.condensed > 0
    }

    /// Appends to `read_issue`.
    pub fn push(&self, header: &Header, clock: Clock, out: &mut Issues<'_>) {
        self.push_damage(header, out);
        self.push_losses(out);
        self.push_limits(header.meaning, clock, out);
    }

    fn push_damage(&self, header: &Header, out: &mut Issues<'_>) {
        if self.bad_rank > 0 {
            let effect = "records with an invalid rank are ignored";
            out.push(IssueKind::Corrupt, None, self.first_bad_rank_at, Some(self.bad_rank), effect);
        }
        if header.bad_mount_lines > 0 {
            let effect = "lines of the mount table that are not device, type and mount point: \
                          left out";
            out.push(
                IssueKind::Corrupt,
                Some("mounts"),
                None,
                Some(header.bad_mount_lines),
                effect,
            );
        }
        if header.is_rare_machine {
            let effect = match header.version {
                Version(104) => {
                    "only one log of version 1.4 is known: counters that are 0 throughout it \
                     could not be named and are null"
                }
                _ => {
                    "a 1.x log that was not written on Blue Gene: no such log is known, the \
                     layout was inferred from the rules of that machine"
                }
            };
            out.push(IssueKind::InferredLayout, None, None, None, effect);
        }
        if self.condensed > 0 {
            let effect = "processes that opened more than 1,024 files: each has one record with \
                          file_id 0 that sums over its files";
            out.push(IssueKind::PartialModule, None, None, Some(self.condensed), effect);
        }
        if self.not_utf8 > 0 {
            let effect = "names that are not UTF-8; invalid bytes are replaced by U+FFFD";
            out.push(IssueKind::Clipped, None, None, Some(self.not_utf8), effect);
        }
    }

    fn push_losses(&self, out: &mut Issues<'_>) {
        if self.without_calls > 0 {
            let effect = "records without calls; they are only in table file";
            out.push(IssueKind::Misfit, None, None, Some(self.without_calls), effect);
        }
        if self.mixed_data > 0 {
            let effect = "records that sum POSIX and stream calls: their bytes, sizes and times \
                          are in table posix, and null in table stdio";
            out.push(IssueKind::Misfit, Some("STDIO"), None, Some(self.mixed_data), effect);
        }
        if self.stream_data > 0 {
            let effect = "records of streams: order, alignment and strides of their requests \
                          have no column and are left out";
            out.push(IssueKind::Misfit, Some("STDIO"), None, Some(self.stream_data), effect);
        }
        if self.without_column > 0 {
            let effect = "records with kinds and extents of MPI datatypes, or the size of the file \
                          at open: these have no column and are left out";
            out.push(IssueKind::Misfit, None, None, Some(self.without_column), effect);
        }
        if self.shared_times > 0 {
            let effect = "records with one set of points in time for several layers: first and \
                          last call of any of them, given in the table of each";
            out.push(IssueKind::KnownDefect, None, None, Some(self.shared_times), effect);
        }
    }

    /// What the log version could not do, as far as it shows in a table.
    fn push_limits(&self, meaning: Version, clock: Clock, out: &mut Issues<'_>) {
        let has_calls = !self.layers.is_none();
        if let Some(effect) = clock.origin.effect() {
            out.push(IssueKind::KnownDefect, None, None, None, effect);
        }
        if !clock.is_running {
            let effect = "no call took any time: the job ran with DARSHAN_DISABLE_TIMING; \
                          durations are null";
            out.push(IssueKind::KnownDefect, None, None, None, effect);
        }
        let is_timed = has_calls && meaning.reals() > 0;
        if is_timed && meaning <= Version(205) {
            let effect = "before log version 2.06 f_open_start_timestamp is the end of the first \
                          open, not its start";
            out.push(IssueKind::KnownDefect, None, None, None, effect);
        }
        if has_calls && meaning <= Version(201) {
            let effect = "before log version 2.02 counts can be wrong where several threads of a \
                          process used a file";
            out.push(IssueKind::KnownDefect, None, None, None, effect);
        }
        if self.shared > 0 && meaning == Version(200) {
            let effect = "Darshan 2.0.0 miscounts the variances and the fastest rank of shared \
                          files; log version 2.00 does not tell it from later releases";
            out.push(IssueKind::KnownDefect, None, None, Some(self.shared), effect);
        }
        if is_timed && meaning <= Version(122) {
            let effect = "before log version 1.23 the time of syncs is in f_meta_time, not in \
                          f_write_time";
            out.push(IssueKind::KnownDefect, Some("POSIX"), None, None, effect);
        }
        if self.device_of_other_node > 0 {
            let effect = "log version 1.23 gives files of ranks above 0 the device numbers of \
                          their own node: their mount is null";
            out.push(IssueKind::KnownDefect, None, None, Some(self.device_of_other_node), effect);
        }
        if self.clipped > 0 {
            let effect = "before log version 2.02 offsets ended at 2,147,483,647 on 32-bit \
                          machines: max_byte_read or max_byte_written at that limit is null";
            out.push(IssueKind::Clipped, None, None, Some(self.clipped), effect);
        }
    }
}

/// Device numbers of 1.23 are those of the node of the rank.
pub(super) fn is_device_of_other_node(record: &Record<'_>, meaning: Version) -> bool {
    meaning == Version(123) && record.rank > 0
}

/// Rows of `read_issue` of one log.
pub(super) struct Issues<'t> {
    pub log: i32,
    pub tables: &'t mut Tables,
}

impl Issues<'_> {
    pub fn push(
        &mut self,
        kind: IssueKind,
        module: Option<&str>,
        byte_offset: Option<u64>,
        count: Option<u64>,
        effect: &str,
    ) {
        let tables: &[TableId] = match module {
            Some("mounts") => &[TableId::Mount, TableId::File],
            _ => &[],
        };
        let issue = Issue { kind, module, tables, byte_offset, count, effect };
        self.tables.push_issue(self.log, issue);
    }
}
