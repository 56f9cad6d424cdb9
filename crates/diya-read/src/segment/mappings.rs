//! Mapped files: `struct diya_mapping` and `struct diya_fault`.

use super::bytes::Bytes;
use super::clock::Ticker;
use super::definitions::Definitions;
use super::merge::{Merged, seconds};
use super::process::Outcome;
use diya_model::Layout as _;
use diya_model::segment::{self, Fault};
use diya_tables::{MappingRow, PageFaultRow, Tables, record_id};
use std::collections::BTreeMap;

/// Of `mmap`: the program may store; stores go to the file.
const WRITABLE: u32 = 2;
const SHARED: u32 = 1;
/// No page is larger; another number is damage.
const LARGEST_PAGE: u64 = 1 << 30;

/// One mapping, as it was last heard of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mapping {
    pub file: u32,
    bytes: u64,
    offset: i64,
    protection: u32,
    flags: u32,
    first_ticks: u64,
    last_ticks: u64,
    page_bytes: u64,
    touched_pages: Option<u64>,
    resident_pages: Option<u64>,
    major_faults: Option<u64>,
    minor_faults: Option<u64>,
    has_faults: bool,
}

/// When it began and ended, in nanoseconds since the start of the job.
pub(super) type Span = (i64, Option<i64>);

impl Mapping {
    /// Its number, and what is said of it.
    pub fn read(b: &mut Bytes<'_>) -> Option<(u32, Self)> {
        let m: segment::Mapping = b.fixed()?;
        let known = |n: u64| (n != u64::MAX).then_some(n);
        let pages = m.bytes.div_ceil(m.page_bytes.clamp(1, LARGEST_PAGE));
        let of_pages = |n: u64| known(n).filter(|n| *n <= pages);
        let mapping = Self {
            file: m.file,
            bytes: m.bytes,
            offset: m.offset,
            protection: m.protection,
            flags: m.flags,
            first_ticks: m.first_ticks,
            last_ticks: m.last_ticks,
            page_bytes: m.page_bytes,
            touched_pages: of_pages(m.touched_pages),
            resident_pages: of_pages(m.resident_pages),
            major_faults: known(m.major_faults),
            minor_faults: known(m.minor_faults),
            has_faults: m.has_faults == 1,
        };
        Some((m.number, mapping))
    }
}

/// Faults of one record: monotonic time and offset in the mapping.
pub(super) fn read_faults(b: &mut Bytes<'_>, bytes: usize) -> Vec<(u64, u64)> {
    let fault = |fault: Fault| (fault.mono_ns, fault.offset);
    (0..bytes / Fault::BYTES).map_while(|_| b.fixed().map(fault)).collect()
}

/// The times of all mappings.
pub(super) fn spans(definitions: &Definitions, ticker: &mut Ticker) -> BTreeMap<u32, Span> {
    let mut span = |mapping: &Mapping| {
        let end = (mapping.last_ticks >= mapping.first_ticks && mapping.last_ticks > 0)
            .then(|| ticker.ns(mapping.last_ticks));
        (ticker.ns(mapping.first_ticks), end)
    };
    definitions.mappings.iter().map(|(number, mapping)| (*number, span(mapping))).collect()
}

impl Merged<'_> {
    pub(super) fn mapping_rows(&self, outcome: &Outcome, tables: &mut Tables) {
        let (log, process, rank) = (self.facts.log, outcome.process, outcome.numbers.rank);
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let none = Vec::new();
        for (number, mapping) in &outcome.definitions.mappings {
            let Some((start_ns, end_ns)) = outcome.mapping_spans.get(number).copied() else {
                continue;
            };
            let unnamed = || record_id(super::process::NO_FILE.as_bytes());
            let file_id = outcome.file_ids.get(&mapping.file).copied().unwrap_or_else(unnamed);
            let in_bytes =
                |pages: u64| signed(pages.saturating_mul(mapping.page_bytes).min(mapping.bytes));
            let faults = outcome.definitions.faults.get(number).unwrap_or(&none);
            let index = i32::try_from(*number).unwrap_or(i32::MAX);
            tables.push_mapping(MappingRow {
                log,
                process,
                rank,
                mapping: index,
                file_id,
                start_s: seconds(start_ns),
                end_s: end_ns.map(seconds),
                offset_bytes: mapping.offset,
                size_bytes: signed(mapping.bytes),
                is_writable: mapping.protection & WRITABLE != 0,
                is_shared: mapping.flags & SHARED != 0,
                touched_bytes: mapping.touched_pages.map(in_bytes),
                resident_bytes: mapping.resident_pages.map(in_bytes),
                major_faults: mapping.major_faults.map(signed),
                minor_faults: mapping.minor_faults.map(signed),
                faults_recorded: mapping.has_faults.then_some(faults.len() as i64),
            });
            let first = outcome.header.first.mono_ns;
            for (mono_ns, offset) in faults {
                let since_ns = signed(*mono_ns).saturating_sub(signed(first));
                tables.push_page_fault(PageFaultRow {
                    log,
                    process,
                    rank,
                    mapping: index,
                    file_id,
                    time_s: seconds(outcome.start_ns.saturating_add(since_ns)),
                    offset_bytes: mapping.offset.saturating_add(signed(*offset)),
                });
            }
        }
    }
}
