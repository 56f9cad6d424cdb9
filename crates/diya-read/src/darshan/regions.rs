//! Reads regions: which decoder for which module, in one chunk or in several.

use super::Log;
use super::dxt::{Dxt, Segments};
use super::header::Slot;
use super::issues::Issues;
use super::modules::{Decoder, Module};
use super::{apmpi, heatmap, layout, lustre, mdhim, modules, names, records, stride};
use crate::ReadError;
use crate::split::chunk_starts;
use crate::walk::{Budget, Damage, Part, Scratch, Sink, Walked, walk};
use diya_tables::{CallTable, IssueKind, RankHostRow, TableId, Tables, module};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Mutex;

/// Below this a region is not worth splitting.
const MIN_CHUNK_BYTES: usize = 512 * 1024;

/// Stored bytes from which a DXT region has so many calls that their table will be packed: 17
/// million at 11 bytes each, the most that a call takes in the logs of lab/costs/large-logs.md.
const PACKED_FROM_BYTES: usize = 11 << 24;

impl<'a> Log<'_, 'a> {
    /// The bytes of a region that the log contains. Missing bytes beyond its end are
    /// reported where the regions are listed, whether they are read or not.
    pub(super) fn stored(&self, region: Range<u64>) -> Result<Cow<'a, [u8]>, ReadError> {
        let have = region.start.min(self.total)..region.end.min(self.total);
        let source: &'a dyn crate::Source = self.request.source;
        Ok(source.bytes(have)?)
    }

    /// Feeds a region to a sink, and reports what went wrong.
    pub(super) fn region(
        &mut self,
        region: Range<u64>,
        name: &str,
        issues: &mut Issues,
        sink: &mut dyn Sink,
    ) -> Result<Walked, ReadError> {
        let bytes = self.stored(region.clone())?;
        let compression = self.header.compression;
        let part = Part { region: &bytes, compression, from: 0, to: bytes.len() };
        let mut walked = walk(part, &mut self.scratch, &mut self.budget, sink);
        tell(&walked, region.start, name, issues);
        // A cut region is a problem, too: what is left over is explained by it.
        if bytes.len() as u64 != region.end - region.start {
            walked.is_cut = true;
        }
        Ok(walked)
    }

    /// The first inflated bytes of a region.
    pub(super) fn collect(
        &mut self,
        region: Range<u64>,
        name: &str,
        most: usize,
        issues: &mut Issues,
    ) -> Result<Vec<u8>, ReadError> {
        let mut first = First { bytes: Vec::new(), most };
        self.region(region, name, issues, &mut first)?;
        Ok(first.bytes)
    }

    /// Decodes one module into its tables.
    pub(super) fn decode(
        &mut self,
        module: &Module,
        slot: &Slot,
        tables: &mut Tables,
        issues: &mut Issues,
    ) -> Result<(), ReadError> {
        let (log, selection, order) = (self.request.log, self.request.selection, self.header.order);
        let (region, name) = (slot.region.clone(), module.name);
        match module.decoder {
            Decoder::Counters(table) => self.counters(table, slot, name, tables, issues)?,
            Decoder::Lustre => {
                let mut sink =
                    lustre::Lustre { version: slot.version, order, log, selection, tables };
                let walked = self.region(region.clone(), name, issues, &mut sink)?;
                leftover(&walked, region.end, name, issues);
            }
            Decoder::Mdhim => {
                let mut sink = mdhim::Mdhim { order, log, selection, tables };
                let walked = self.region(region.clone(), name, issues, &mut sink)?;
                leftover(&walked, region.end, name, issues);
            }
            Decoder::Apmpi => {
                let mut sink = apmpi::Apmpi { order, log, selection, tables, has_head: false };
                let walked = self.region(region.clone(), name, issues, &mut sink)?;
                leftover(&walked, region.end, name, issues);
            }
            Decoder::Heatmap => {
                let layers = std::mem::take(&mut self.layers);
                let table = diya_tables::HeatmapTable::default();
                let mut sink = heatmap::Heatmaps { order, log, selection, layers: &layers, table };
                let walked = self.region(region.clone(), name, issues, &mut sink)?;
                tables.heatmap.append(sink.table);
                self.layers = layers;
                leftover(&walked, region.end, name, issues);
            }
            Decoder::Dxt(layer) => {
                self.dxt(Segments::of(layer, slot.version), slot, name, tables, issues)?
            }
            Decoder::Opaque => {}
        }
        Ok(())
    }

    fn counters(
        &mut self,
        table: TableId,
        slot: &Slot,
        name: &str,
        tables: &mut Tables,
        issues: &mut Issues,
    ) -> Result<(), ReadError> {
        let Some(layout) = layout::layout(table, slot.version) else { return Ok(()) };
        let before = (tables.rows(table), tables.rows(TableId::Stdio));
        let mut sink = records::Records {
            table,
            layout: &layout,
            order: self.header.order,
            log: self.request.log,
            selection: self.request.selection,
            tables,
            invalid: 0,
            streams: 0,
        };
        let walked = self.region(slot.region.clone(), name, issues, &mut sink)?;
        if walked.left_over > 0 && walked.problems.is_empty() && !walked.is_cut {
            sink.tables.truncate(table, before.0);
            sink.tables.truncate(TableId::Stdio, before.1);
            (sink.invalid, sink.streams) = (0, 0);
            if !self.odd_records(slot, name, &mut sink, issues)? {
                not_decoded(slot, tables);
                return Ok(());
            }
        }
        let (invalid, streams) = (sink.invalid, sink.streams);
        let at = Some(slot.region.start);
        if invalid > 0 {
            let effect = "records with an impossible rank were skipped";
            issues.push(IssueKind::Corrupt, Some(name), at, Some(invalid), effect.into());
        }
        if streams > 0 {
            let effect = "POSIX records of version 1 that count stream calls, too: these calls are \
                          in table stdio; bytes and times stay in table posix, as they were recorded";
            issues.push(IssueKind::Clipped, Some(name), at, Some(streams), effect.into());
        }
        Ok(())
    }

    /// Reads a module whose bytes are no multiple of the record size of its
    /// version, where its records can be found. False: they cannot.
    fn odd_records(
        &mut self,
        slot: &Slot,
        name: &str,
        sink: &mut records::Records<'_>,
        issues: &mut Issues,
    ) -> Result<bool, ReadError> {
        let unheard = &mut Issues::new(self.request.log, modules::tables_of);
        let mut names = names::Names::new(self.header.order, self.header.minor == 0);
        self.region(self.header.names.clone(), "names", unheard, &mut names)?;
        let bytes = self.collect(slot.region.clone(), name, usize::MAX, unheard)?;
        let (size, version) = (sink.layout.size, slot.version);
        let is_named = |id| names.may_name(id);
        let Some(stride) = stride::stride(&bytes, sink.layout, self.header.order, &is_named) else {
            let effect = format!(
                "the {} bytes are no multiple of the {size} bytes of a version {version} record, \
                 and no other record size fits: the module is in no table",
                bytes.len()
            );
            issues.push(IssueKind::RecordSize, Some(name), Some(slot.region.start), None, effect);
            return Ok(false);
        };
        let records = bytes.chunks_exact(stride);
        let (stray, count) = (records.remainder().len() as u64, records.len() as u64);
        for record in records {
            sink.take(record.get(..size).unwrap_or(record)).ok();
        }
        let at = Some(slot.region.start);
        if stride == size {
            let effect = format!(
                "the {count} whole records of {size} bytes are read; {stray} bytes behind them \
                 are no record"
            );
            issues.push(IssueKind::OddLength, Some(name), at, Some(stray), effect);
        } else {
            let effect = format!(
                "records of {stride} bytes where version {version} has {size}: read as if the \
                 {} bytes more came last, which no document says",
                stride - size
            );
            issues.push(IssueKind::LongerRecord, Some(name), at, Some(count), effect);
        }
        Ok(true)
    }

    fn dxt(
        &mut self,
        segments: Segments,
        slot: &Slot,
        name: &str,
        tables: &mut Tables,
        issues: &mut Issues,
    ) -> Result<(), ReadError> {
        let bytes = self.stored(slot.region.clone())?;
        let (log, selection, order) = (self.request.log, self.request.selection, self.header.order);
        let whole =
            Part { region: &bytes, compression: self.header.compression, from: 0, to: bytes.len() };
        let is_large = bytes.len() >= PACKED_FROM_BYTES;
        let new_sink = || {
            let is_packing = selection.packs_calls && is_large;
            let calls = if is_packing { CallTable::packing() } else { CallTable::default() };
            Dxt::new(segments, order, log, selection, calls)
        };
        let mut parts = self.chunks(whole, &new_sink);
        if parts.is_empty() {
            let mut sink = new_sink();
            let walked = walk(whole, &mut self.scratch, &mut self.budget, &mut sink);
            parts.push((sink, walked));
        }
        let mut seen = HashSet::new();
        for (mut sink, walked) in parts {
            sink.close();
            tell(&walked, slot.region.start, name, issues);
            if sink.missing > 0 {
                let effect = "the records refer to segments that are not in the log";
                let at = Some(slot.region.end.min(self.total));
                issues.push(
                    IssueKind::Truncated,
                    Some(name),
                    at,
                    Some(sink.missing),
                    effect.into(),
                );
            }
            for (rank, host) in &sink.hosts {
                let host = sink.calls.name(*host);
                if *rank >= 0 && seen.insert((*rank, host.to_string())) {
                    tables.push_rank_host(RankHostRow { log, rank: *rank, host, source: name });
                }
            }
            tables.calls.append(sink.calls);
        }
        Ok(())
    }

    /// Decodes a large region in chunks side by side.
    ///
    /// Empty when the region is small, or when the chunks do not fit together
    /// (a place taken for a stream start was none, a record lies across two
    /// streams, or something is damaged): then it has to be read in one go.
    fn chunks<'s>(
        &mut self,
        whole: Part<'_>,
        new_sink: &(dyn Fn() -> Dxt<'s> + Sync),
    ) -> Vec<(Dxt<'s>, Walked)> {
        let workers = self.request.workers;
        let most = (whole.region.len() / MIN_CHUNK_BYTES).min(workers.width() * 2);
        if workers.width() < 2 || most < 2 {
            return Vec::new();
        }
        let starts = chunk_starts(whole.region, most, whole.compression);
        if starts.len() < 2 {
            return Vec::new();
        }
        let slots: Vec<Mutex<Option<(Dxt<'s>, Walked)>>> =
            starts.iter().map(|_| Mutex::new(None)).collect();
        let total = self.total;
        workers.run(starts.len(), &|chunk| {
            let (Some(&from), Some(slot)) = (starts.get(chunk), slots.get(chunk)) else { return };
            let to = starts.get(chunk + 1).copied().unwrap_or(whole.to);
            let (mut scratch, mut budget, mut sink) =
                (Scratch::default(), Budget::of(total), new_sink());
            let walked = walk(Part { from, to, ..whole }, &mut scratch, &mut budget, &mut sink);
            if let Ok(mut slot) = slot.lock() {
                *slot = Some((sink, walked));
            }
        });
        let done: Option<Vec<_>> =
            slots.into_iter().map(|s| s.into_inner().ok().flatten()).collect();
        let fits = |(sink, walked): &(Dxt<'s>, Walked)| {
            walked.problems.is_empty()
                && walked.left_over == 0
                && !walked.has_overrun
                && !sink.is_open()
        };
        done.filter(|parts| parts.iter().all(fits)).unwrap_or_default()
    }
}

/// Corrects the row of a module that turned out not to be what its version says.
fn not_decoded(slot: &Slot, tables: &mut Tables) {
    let modules = tables.builder(TableId::Module);
    let start = Some(slot.region.start);
    // Rows of this log are the last ones.
    let row =
        (0..modules.rows()).rev().find(|row| modules.u64(module::OFFSET_BYTES, *row) == start);
    if let Some(row) = row {
        modules.set_bool(module::IS_DECODED, row, false);
    }
}

/// Rows of `read_issue` for what a walk met.
fn tell(walked: &Walked, region_start: u64, name: &str, issues: &mut Issues) {
    for problem in &walked.problems {
        let at = region_start.saturating_add(problem.at as u64);
        issues.push(problem.kind, Some(name), Some(at), problem.count, problem.effect.clone());
    }
}

fn leftover(walked: &Walked, region_end: u64, name: &str, issues: &mut Issues) {
    if walked.left_over > 0 && walked.problems.is_empty() && !walked.is_cut {
        let effect = "the last bytes are not a complete record";
        let count = Some(walked.left_over as u64);
        issues.push(IssueKind::Truncated, Some(name), Some(region_end), count, effect.into());
    }
}

/// Keeps the first bytes.
struct First {
    bytes: Vec<u8>,
    most: usize,
}

impl Sink for First {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage> {
        let room = self.most.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        Ok(bytes.len())
    }

    fn reset(&mut self) {}
}
