//! Regions, steps, epochs and notes: `struct diya_region`.

use super::clock::Ticker;
use diya_model::segment::{self, KIND_NOTE};
use diya_tables::FastHashMap;

/// One record, in ticks.
#[derive(Debug, Clone, Copy)]
pub(super) struct RegionRecord {
    pub kind: u32,
    pub name: u32,
    pub number: i64,
    start: u64,
    /// `None`: still open when the record was last written.
    end: Option<u64>,
}

impl RegionRecord {
    /// `None`: of a newer recorder, or damaged.
    pub fn of(record: segment::Region) -> Option<Self> {
        let is_known = record.kind <= KIND_NOTE && record.start_ticks > 0;
        let end = (record.end_ticks >= record.start_ticks).then_some(record.end_ticks);
        let segment::Region { kind, name, number, start_ticks, .. } = record;
        is_known.then_some(Self { kind, name, number, start: start_ticks, end })
    }
}

/// One period, in nanoseconds since the start of the job.
#[derive(Debug, Clone, Copy)]
pub(super) struct Region {
    pub record: RegionRecord,
    pub thread: u32,
    pub start_ns: i64,
    pub end_ns: i64,
}

/// The regions of a process, in the order of their starts. One that began in an earlier
/// window has two records, and the one with its end counts; one that never ended lasts until
/// `last_ns`, the last that is known of its process.
pub(super) fn of_process(
    records: &[(u32, RegionRecord)],
    last_ns: i64,
    ticker: &mut Ticker,
) -> Vec<Region> {
    let mut once: Vec<(u32, RegionRecord)> = Vec::with_capacity(records.len());
    let mut open: FastHashMap<(u32, u64, u32, u32), usize> = FastHashMap::default();
    for (thread, region) in records {
        let key = (*thread, region.start, region.kind, region.name);
        match open.remove(&key).and_then(|place| once.get_mut(place)) {
            Some(earlier) if region.end.is_some() => earlier.1 = *region,
            _ => {
                if region.end.is_none() {
                    open.insert(key, once.len());
                }
                once.push((*thread, *region));
            }
        }
    }
    once.sort_by_key(|(thread, region)| (region.start, *thread));
    let mut time = |thread, record: RegionRecord| {
        let start_ns = ticker.ns(record.start);
        let end_ns = record.end.map_or(last_ns, |end| ticker.ns(end)).max(start_ns);
        Region { record, thread, start_ns, end_ns }
    };
    once.into_iter().map(|(thread, record)| time(thread, record)).collect()
}
