//! Mapped files: `struct diya_mapping` and `struct diya_fault`.

use super::bytes::Bytes;
use super::clock::Ticker;
use diya_model::Layout as _;
use diya_model::segment::{self, Fault};
use std::collections::BTreeMap;

/// No page is larger; another number is damage.
const LARGEST_PAGE: u64 = 1 << 30;

/// One mapping, as it was last heard of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mapping {
    pub file: u32,
    pub bytes: u64,
    pub offset: i64,
    pub protection: u32,
    pub flags: u32,
    pub first_ticks: u64,
    pub last_ticks: u64,
    pub page_bytes: u64,
    pub touched_pages: Option<u64>,
    pub resident_pages: Option<u64>,
    pub major_faults: Option<u64>,
    pub minor_faults: Option<u64>,
    pub has_faults: bool,
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
pub(super) fn spans(mappings: &BTreeMap<u32, Mapping>, ticker: &mut Ticker) -> BTreeMap<u32, Span> {
    let mut span = |mapping: &Mapping| {
        let end = (mapping.last_ticks >= mapping.first_ticks && mapping.last_ticks > 0)
            .then(|| ticker.ns(mapping.last_ticks));
        (ticker.ns(mapping.first_ticks), end)
    };
    mappings.iter().map(|(number, mapping)| (*number, span(mapping))).collect()
}
