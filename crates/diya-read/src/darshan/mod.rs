//! Darshan logs of the 3.x family: versions 3.00, 3.10, 3.20, 3.21 and 3.41.
//!
//! header -> job region -> names -> one region per module. Each region is read
//! only when a table wants it. What is damaged, cut, or not known becomes a
//! row of `read_issue`; the rest is read. docs/formats/darshan.md describes
//! the bytes.

mod apmpi;
pub(crate) mod bytes;
mod dxt;
mod header;
pub(crate) mod heatmap;
pub(crate) mod issues;
mod job;
mod layout;
mod lustre;
mod mdhim;
pub(crate) mod modules;
pub(crate) mod names;
pub(crate) mod records;
mod regions;
mod stride;

pub use header::HEADER_BYTES;
pub(crate) use header::has_version_or_magic;

use crate::inflate::Compression;
use crate::walk::{Budget, Scratch};
use crate::{Format, Proof, ReadError, Request, TableSet};
use diya_tables::{IssueKind, Layer, ModuleRow, TableId, Tables};
use header::{Header, Slot};
use issues::Issues;
use modules::Decoder;
use std::collections::HashMap;

/// Everything the decoding of one log shares.
pub(crate) struct Log<'r, 'a> {
    request: &'r Request<'a>,
    header: Header,
    total: u64,
    /// Minor version that gives the module numbers: not always that of the log.
    numbering: u32,
    scratch: Scratch,
    budget: Budget,
    /// Layers behind heat map ids, where the log names them.
    layers: HashMap<u64, Layer>,
}

/// What reads these logs, and bytes that are of no kind that is known.
pub(crate) const FORMAT: Format = Format {
    begins: |_| true,
    read,
    has_derived: false,
    is_in_order: false,
    proof: Proof::Nothing,
};

/// Reads one log whose first bytes are `head`, appending to the tables.
pub(crate) fn read(
    request: &Request<'_>,
    head: &[u8],
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let total = request.source.len();
    let header = header::parse(head, total)?;
    let mut log = Log {
        request,
        numbering: header.minor,
        total,
        scratch: Scratch::default(),
        budget: Budget::of(total),
        layers: HashMap::new(),
        header,
    };
    log.skip_padding()?;
    let issues = &mut Issues::new(request.log, modules::tables_of);
    if let Some(code) = log.header.unknown_compression {
        let effect = format!("compression code {code} is unknown; the log is read as zlib");
        issues.push(IssueKind::Guessed, None, Some(16), None, effect);
    }
    let mounts = log.job(tables, issues)?;
    log.module_rows(tables, issues);
    if log.request.selection.tables.has_any(&[TableId::File, TableId::Heatmap]) {
        log.names(&mounts, tables, issues)?;
    }
    for slot in log.header.slots.clone() {
        log.module(&slot, tables, issues)?;
    }
    issues.flush(tables);
    Ok(())
}

impl Log<'_, '_> {
    /// Steps over zeros in front of the job record: some logs of library 3.4.4
    /// have 8 KiB of them. No compressed stream begins with a zero byte.
    fn skip_padding(&mut self) -> Result<(), ReadError> {
        if self.header.compression == Compression::Stored {
            return Ok(());
        }
        let job = self.stored(self.header.job(self.total))?;
        let first = job.iter().position(|byte| *byte != 0).unwrap_or(0);
        self.header.padding = u64::try_from(first).unwrap_or(0);
        Ok(())
    }

    /// Reads the job region; returns the mounts.
    fn job(
        &mut self,
        tables: &mut Tables,
        issues: &mut Issues,
    ) -> Result<Vec<(String, String)>, ReadError> {
        let region = self.header.job(self.total);
        let bytes = self.collect(region.clone(), "job", 4096, issues)?;
        let job = job::parse(&bytes, &self.header);
        if job.is_cut {
            let effect =
                "the job region is truncated; the fields of table job after this offset are null";
            issues.push(IssueKind::Truncated, Some("job"), Some(region.start), None, effect.into());
        }
        if job.is_unfinished {
            let effect = "no end time: the job was killed before Darshan could finish the log; \
                          the counters end at the kill, and shared files have one record per rank";
            issues.push(IssueKind::Unfinished, None, None, None, effect.into());
        }
        if self.header.minor == 20 {
            let effect = "Darshan 3.2.0 miscounts the most frequent access sizes: \
                          do not rely on the access columns";
            issues.push(IssueKind::KnownDefect, None, None, None, effect.into());
        }
        if job.is_development {
            self.numbering = self.development_numbering()?;
            let effect = "written by a development version of Darshan before 3.4.1: \
                          read with the job record and module numbers that it really has";
            issues.push(IssueKind::KnownDefect, None, None, None, effect.into());
        }
        job.push(&self.header, self.request.log, self.request.log_name, tables);
        Ok(job.mounts)
    }

    /// Development versions between 3.4.0 and 3.4.1 wrote the new header but
    /// the old job record, and at first the old module numbers, too. Slot 14
    /// then holds heat maps, which begin with one of three known ids.
    fn development_numbering(&mut self) -> Result<u32, ReadError> {
        let Some(slot) = self.header.slots.get(14).cloned() else { return Ok(self.header.minor) };
        if slot.region.is_empty() || slot.region.end > self.total {
            return Ok(self.header.minor);
        }
        let start =
            self.collect(slot.region, "HEATMAP", 8, &mut Issues::new(0, modules::tables_of))?;
        let id = bytes::Cursor::new(&start, self.header.order).u64();
        let is_heatmap = id.and_then(heatmap::layer_of).is_some();
        Ok(if is_heatmap { modules::DEVELOPMENT } else { self.header.minor })
    }

    fn module_rows(&self, tables: &mut Tables, issues: &mut Issues) {
        let log = self.request.log;
        let mut part = |module: &str, region: &std::ops::Range<u64>| {
            tables.push_module(ModuleRow {
                log,
                module,
                module_id: None,
                version: None,
                offset_bytes: Some(region.start),
                stored_bytes: Some(region.end.saturating_sub(region.start)),
                is_partial: false,
                is_decoded: true,
            });
        };
        part("header", &(0..self.header.len));
        part("job", &self.header.job(self.total));
        part("names", &self.header.names);
        self.beyond_the_end("names", &self.header.names, issues);
        for slot in self.header.slots.iter().filter(|s| !s.region.is_empty() || s.is_partial) {
            let id = modules::in_slot(slot.slot, self.numbering);
            let module = id.and_then(modules::known);
            let unknown = format!("module {}", slot.slot);
            let name = module.map_or(unknown.as_str(), |m| m.name);
            // darshan-merge leaves the bit of the empty NULL module set.
            if slot.is_partial && name != "NULL" {
                let effect = "Darshan ran out of memory for this module: records are missing";
                issues.push(IssueKind::PartialModule, Some(name), None, None, effect.into());
            }
            if slot.region.is_empty() {
                continue;
            }
            self.beyond_the_end(name, &slot.region, issues);
            tables.push_module(ModuleRow {
                log,
                module: name,
                module_id: id.map(|id| i32::from(id.0)),
                version: i32::try_from(slot.version).ok(),
                offset_bytes: Some(slot.region.start),
                stored_bytes: Some(slot.region.end - slot.region.start),
                is_partial: slot.is_partial,
                is_decoded: module.is_some_and(|m| (1..=m.newest).contains(&slot.version)),
            });
        }
    }

    /// A cut log is reported as cut even when the missing part is not asked for.
    fn beyond_the_end(&self, name: &str, region: &std::ops::Range<u64>, issues: &mut Issues) {
        let missing = region.end - region.end.min(self.total).max(region.start.min(region.end));
        if missing > 0 {
            let effect = "bytes of this part lie beyond the end of the log";
            issues.push(
                IssueKind::Truncated,
                Some(name),
                Some(self.total),
                Some(missing),
                effect.into(),
            );
        }
    }

    fn names(
        &mut self,
        mounts: &[(String, String)],
        tables: &mut Tables,
        issues: &mut Issues,
    ) -> Result<(), ReadError> {
        let mut names = names::Names::new(self.header.order, self.header.minor == 0);
        let region = self.header.names.clone();
        self.region(region, "names", issues, &mut names)?;
        if names.conflicts > 0 {
            let effect = "ids with a second, different name; the first name is kept";
            issues.push(
                IssueKind::DuplicateName,
                Some("names"),
                None,
                Some(names.conflicts),
                effect.into(),
            );
        }
        if names.not_utf8 > 0 {
            let effect = "names that are not UTF-8; invalid bytes are replaced by U+FFFD";
            issues.push(
                IssueKind::Clipped,
                Some("names"),
                None,
                Some(names.not_utf8),
                effect.into(),
            );
        }
        self.layers = names.heatmap_layers();
        if self.request.selection.tables.has(TableId::File) {
            names.push(self.request.log, mounts, tables);
        }
        Ok(())
    }

    fn module(
        &mut self,
        slot: &Slot,
        tables: &mut Tables,
        issues: &mut Issues,
    ) -> Result<(), ReadError> {
        if slot.region.is_empty() {
            return Ok(());
        }
        let module = modules::in_slot(slot.slot, self.numbering).and_then(modules::known);
        let Some(module) = module else {
            let name = format!("module {}", slot.slot);
            let effect = "an unknown module; it is in no table";
            let at = Some(slot.region.start);
            issues.push(IssueKind::UnknownModule, Some(&name), at, None, effect.into());
            return Ok(());
        };
        if module.decoder == Decoder::Opaque {
            let effect = "diya does not decode this module; it is in no table";
            let at = Some(slot.region.start);
            issues.push(IssueKind::UnknownModule, Some(module.name), at, None, effect.into());
            return Ok(());
        }
        if !(1..=module.newest).contains(&slot.version) {
            let effect = format!(
                "records have unknown version {} (known: 1 to {}); the module is in no table",
                slot.version, module.newest
            );
            let at = Some(slot.region.start);
            issues.push(IssueKind::UnknownVersion, Some(module.name), at, None, effect);
            return Ok(());
        }
        if !self.wants(module.tables) {
            return Ok(());
        }
        self.decode(module, slot, tables, issues)
    }

    fn wants(&self, of: &[TableId]) -> bool {
        let tables: TableSet = self.request.selection.tables;
        tables.has_any(of)
    }
}
