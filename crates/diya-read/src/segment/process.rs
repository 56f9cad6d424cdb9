//! One segment: the calls and everything else of one process.

use super::calls::{Context, Sums, read as read_calls};
use super::clock::Ticker;
use super::counters::{counted, heatmaps};
use super::definitions::Definitions;
use super::emit::Emitter;
use super::header::{ClockPoint, Header};
use super::heat::Heatmaps;
use super::mappings::{Span, spans};
use super::messages;
use super::numbering::Numbers;
use super::regions::{self, Region};
use super::stacks;
use super::started::ProgramTime;
use super::tally::moves_data;
use super::window::windows;
use diya_model::{Function, Op};
use diya_tables::{CALLS_PER_CHUNK, CallTable, FastHashMap, IssueKind, record_id};
use std::collections::BTreeMap;

/// Alignment assumed for files whose block size was not recorded.
const USUAL_ALIGNMENT: i64 = 4096;
/// Attribute that contains the alignment.
const ALIGNMENT: &str = "posix:block_size";
/// Name under which calls go whose file is not known.
pub(super) const NO_FILE: &str = "<unknown>";

/// Which process of the run this is.
pub(super) struct ProcessPosition<'a> {
    pub log: i32,
    pub process: i32,
    pub numbers: Numbers,
    pub segment: &'a str,
}

/// What the processes of a run share.
pub(super) struct Shared<'a> {
    pub ticker: &'a dyn Fn(Vec<ClockPoint>) -> Ticker,
    pub heatmaps: Heatmaps,
}

/// All of a process but its calls.
#[derive(Debug)]
pub(super) struct Outcome {
    pub header: Header,
    pub process: i32,
    pub numbers: Numbers,
    pub segment: String,
    pub segment_bytes: usize,
    pub definitions: Definitions,
    pub file_ids: FastHashMap<u32, u64>,
    pub sums: Sums,
    pub heatmaps: Heatmaps,
    pub stacks: Vec<stacks::Stack>,
    pub mapping_spans: BTreeMap<u32, Span>,
    pub regions: Vec<Region>,
    pub message_spans: Vec<(i64, i64)>,
    /// By number of a stack in the process.
    pub stack_ids: FastHashMap<u32, u64>,
    /// In nanoseconds since the start of the job.
    pub program_times: Vec<ProgramTime<i64>>,
    pub counted_calls: u64,
    pub start_ns: i64,
    pub end_ns: Option<i64>,
    pub hz: f64,
    /// Kind, byte offset, count, effect.
    pub issues: Vec<(IssueKind, Option<u64>, Option<u64>, String)>,
}

/// Reads one segment, handing on its calls.
pub(super) fn read(
    header: &Header,
    bytes: Result<Vec<u8>, String>,
    place: &ProcessPosition<'_>,
    shared: Shared<'_>,
    each: &mut dyn FnMut(CallTable),
) -> Outcome {
    let mut issues = Vec::new();
    let bytes = bytes.unwrap_or_else(|what| {
        issues.push((
            IssueKind::Truncated,
            None,
            None,
            format!("{what}; the calls of this process are missing"),
        ));
        Vec::new()
    });
    let (windows, lost) = windows(&bytes, header);
    let definitions = Definitions::read(&windows);
    if lost > 0 {
        let effect =
            format!("{lost} bytes of the segment belong to no window: calls in them are missing");
        issues.push((IssueKind::Corrupt, None, Some(lost as u64), effect));
    }
    for damage in &definitions.damage {
        let effect = "a record is damaged; the rest of its window is missing".to_string();
        issues.push((IssueKind::Corrupt, Some(damage.offset as u64), None, effect));
    }
    let mut ticker = (shared.ticker)(definitions.clock.clone());
    let file_ids: FastHashMap<u32, u64> = definitions
        .names
        .keys()
        .filter_map(|&file| Some((file, record_id(definitions.path(file)?.as_bytes()))))
        .collect();
    let (stacks, stack_ids) = stacks::stacks(&definitions);
    let blocks: FastHashMap<u32, i64> = definitions
        .attributes
        .iter()
        .filter(|(_, key, _)| key == ALIGNMENT)
        .filter_map(|(file, _, value)| Some((*file, value.parse().ok()?)))
        .collect();
    let alignment = |file: u32| blocks.get(&file).copied().unwrap_or(USUAL_ALIGNMENT);
    let mut maps = shared.heatmaps;
    let emitter = Emitter {
        log: place.log,
        rank: place.numbers.rank,
        process: place.process,
        host: &header.host,
        file_ids: &file_ids,
        no_file_id: record_id(NO_FILE.as_bytes()),
        stack_ids: &stack_ids,
    };
    let start_ns = ticker.ns(header.first.ticks);
    let span = header.last.ticks.checked_sub(header.first.ticks).filter(|&ticks| ticks > 0);
    let seen_end_ns = span.map(|_| ticker.ns(header.last.ticks));
    let hz = 1e9
        / ((ticker.ns(header.first.ticks.wrapping_add(1 << 30)) - start_ns).max(1) as f64
            / f64::from(1 << 30));
    let mut side_ticker = (shared.ticker)(definitions.clock.clone());
    let context = Context {
        ticker,
        first_id: u64::try_from(place.process).unwrap_or(0) << 40,
        alignment: &alignment,
    };
    let mut last_ns = seen_end_ns.unwrap_or(start_ns);
    let mut table = CallTable::default();
    let mut sums = read_calls(&windows, context, &mut |tid, batch| {
        for timed in batch.iter() {
            last_ns = last_ns.max(timed.end_ns);
            let Some(function) = Function::of(timed.call.function) else { continue };
            if moves_data(function.op.number()) && timed.call.error == 0 {
                let (layer, is_write) = (function.layer.number(), function.op == Op::Write);
                maps.add(layer, is_write, timed.start_ns, timed.end_ns, timed.call.done);
            }
        }
        if table.rows() + batch.len() > CALLS_PER_CHUNK && table.rows() > 0 {
            each(std::mem::take(&mut table));
        }
        emitter.append(&mut table, tid, batch);
    });
    if table.rows() > 0 {
        each(table);
    }
    let mut counted_calls: u64 = 0;
    for one in counted(&windows, &mut side_ticker) {
        counted_calls =
            one.ops.iter().fold(counted_calls, |all, (_, sums)| all.saturating_add(sums.calls));
        sums.add_counted(one);
    }
    for heat in heatmaps(&windows, header, &mut side_ticker) {
        maps.add_counted(&heat);
    }
    maps.settle();
    let mapping_spans = spans(&definitions.mappings, &mut side_ticker);
    let message_spans = messages::spans(&definitions.messages, &mut side_ticker);
    let regions = regions::of_process(&definitions.regions, last_ns, &mut side_ticker);
    let times = definitions.program_times.iter();
    let unattached = header.unattached.children.iter().map(|&(pid, at)| ProgramTime {
        pid,
        is_end: false,
        at,
        status: None,
    });
    let times = times.copied().chain(unattached);
    let program_times = times.map(|time| time.at(side_ticker.ns(time.at))).collect();
    Outcome {
        header: header.clone(),
        process: place.process,
        numbers: place.numbers,
        segment: place.segment.to_string(),
        segment_bytes: bytes.len(),
        definitions,
        file_ids,
        sums,
        heatmaps: maps,
        stacks,
        mapping_spans,
        regions,
        message_spans,
        stack_ids,
        program_times,
        counted_calls,
        start_ns,
        end_ns: seen_end_ns,
        hz,
        issues,
    }
}
