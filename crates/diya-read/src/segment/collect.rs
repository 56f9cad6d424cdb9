//! All segments of a run become tables.
//!
//! Calls go to a [`CallSink`] batch by batch, since a run may have more of them
//! than fit into memory; everything else is returned as tables.

use super::clock::{Speed, Ticker};
use super::header::{Header, MAGIC};
use super::heat::Heatmaps;
use super::merge::Merged;
use super::numbering::{Numbers, number};
use super::process::{Outcome, ProcessPosition, Shared, read};
use super::run_facts::{Facts, Resolver};
use crate::{Selection, Workers, derive};
use diya_tables::{CallRun, CallTable, FastHashMap, Issue, IssueKind, NameId, Tables};
use std::sync::Mutex;

/// What becomes of calls, in the order of processes, threads and time.
///
/// Encoding is done side by side, so that a run with more calls than fit into
/// memory passes through.
pub trait CallSink<B>: Sync {
    /// Makes what is kept of a table of calls.
    fn encode(&self, calls: &CallTable) -> Vec<B>;
}

/// Calls of small processes go together until there are so many.
const CALLS_TOGETHER: usize = diya_tables::CALLS_PER_CHUNK;

/// The segments of a run.
pub trait Segments: Sync {
    /// How many there are.
    fn count(&self) -> usize;
    /// Name of one, for messages.
    fn name(&self, at: usize) -> &str;
    /// How long it is.
    fn bytes(&self, at: usize) -> usize;
    /// Its first bytes, at least the header if there are so many.
    fn head(&self, at: usize) -> Result<Vec<u8>, String>;
    /// All of its bytes.
    fn load(&self, at: usize) -> Result<Vec<u8>, String>;
}

struct Found {
    at: usize,
    header: Header,
}

/// Makes tables of segments; what could not be read becomes `read_issue`.
pub fn collect<B: Send>(
    segments: &dyn Segments,
    facts: &Facts,
    resolver: &dyn Resolver,
    workers: &dyn Workers,
    sink: &dyn CallSink<B>,
    take: &mut dyn FnMut(B),
) -> Tables {
    let mut tables = Tables::new();
    let mut found = headers(segments, facts, &mut tables);
    let clocks = Clocks::of(&found, facts);
    found.sort_by_key(|f| (clocks.real_ns(&f.header), f.header.host.clone(), f.header.pid));
    let numbers = number(&found.iter().map(|f| &f.header).collect::<Vec<_>>());
    let job_ns = clocks.job_ns(&found, facts);
    let mut merged = Merged::new(facts);
    let before = derive::Before::of(&tables);
    let mut small = CallTable::default();
    let all: Vec<(usize, &Found, Numbers)> =
        found.iter().zip(numbers).enumerate().map(|(at, (f, n))| (at, f, n)).collect();
    for wave in all.chunks(workers.width().max(1) * 2) {
        let results: Vec<Slot<B>> = wave.iter().map(|_| Mutex::new(None)).collect();
        workers.run(wave.len(), &|at| {
            let (Some((process, one, numbers)), Some(slot)) = (wave.get(at), results.get(at))
            else {
                return;
            };
            let place = ProcessPosition {
                log: facts.log,
                process: i32::try_from(*process).unwrap_or(i32::MAX),
                numbers: *numbers,
                segment: segments.name(one.at),
            };
            let ticker = |points| clocks.ticker(&one.header, points);
            let shared = Shared { ticker: &ticker, heatmaps: Heatmaps::new(job_ns) };
            let mut parts = Vec::new();
            let mut waiting = Vec::new();
            let outcome = read(&one.header, segments.load(one.at), &place, shared, &mut |calls| {
                waiting.push(calls);
                // One for each worker: more would only be more memory.
                if waiting.len() >= workers.width() {
                    encode(&mut waiting, sink, workers, &mut parts);
                }
            });
            encode(&mut waiting, sink, workers, &mut parts);
            if let Ok(mut slot) = slot.lock() {
                *slot = Some((outcome, parts));
            }
        });
        for (outcome, parts) in results.into_iter().filter_map(|r| r.into_inner().ok()?) {
            merged.add(outcome, &mut tables);
            for part in parts {
                if matches!(part, Part::Encoded(_)) || small.rows() >= CALLS_TOGETHER / 2 {
                    sink.encode(&std::mem::take(&mut small)).into_iter().for_each(&mut *take);
                }
                match part {
                    Part::Encoded(parts) => parts.into_iter().for_each(&mut *take),
                    Part::Calls(calls) => absorb(&mut small, &calls),
                }
            }
        }
    }
    sink.encode(&small).into_iter().for_each(&mut *take);
    merged.finish(job_ns, clocks.start_real(), resolver, &mut tables);
    derive::fill(&Selection::all(), &before, &mut tables);
    tables
}

/// Encodes tables that fill a chunk by themselves, side by side.
fn encode<B: Send>(
    waiting: &mut Vec<CallTable>,
    sink: &dyn CallSink<B>,
    workers: &dyn Workers,
    parts: &mut Vec<Part<B>>,
) {
    let tables = std::mem::take(waiting);
    let is_large = |calls: &CallTable| calls.rows() >= CALLS_TOGETHER / 2;
    let encoded: Vec<Mutex<Vec<B>>> = tables.iter().map(|_| Mutex::new(Vec::new())).collect();
    let work = |at: usize| {
        let (Some(calls), Some(slot)) = (tables.get(at), encoded.get(at)) else { return };
        if let (true, Ok(mut slot)) = (is_large(calls), slot.lock()) {
            *slot = sink.encode(calls);
        }
    };
    workers.run(tables.len(), &work);
    for (calls, blocks) in tables.into_iter().zip(encoded) {
        parts.push(match blocks.into_inner() {
            Ok(blocks) if is_large(&calls) => Part::Encoded(blocks),
            _ => Part::Calls(calls),
        });
    }
}

/// What reading one process gave, once it is there.
type Slot<B> = Mutex<Option<(Outcome, Vec<Part<B>>)>>;

/// Calls of a process, encoded at once when they fill a chunk by themselves.
enum Part<B> {
    Encoded(Vec<B>),
    Calls(CallTable),
}

/// Appends call by call, so that small tables share a chunk.
fn absorb(into: &mut CallTable, calls: &CallTable) {
    for chunk in calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            let mut name = |id: Option<NameId>| id.map(|id| into.name_id(calls.name(id)));
            let (host, function, error) = (name(run.host), name(run.function), name(run.error));
            let run = CallRun { host, function, error, ..*run };
            for call in at..at + run.len {
                into.push(run, chunk.call(call));
            }
            at += run.len;
        }
    }
}

fn headers(segments: &dyn Segments, facts: &Facts, tables: &mut Tables) -> Vec<Found> {
    let mut found = Vec::new();
    for at in 0..segments.count() {
        let header = segments.head(at).and_then(|head| {
            // A process killed within microseconds of its first call has left
            // an empty file: nothing was recorded, nothing is lost.
            if head.iter().take(MAGIC.len()).all(|&b| b == 0) {
                Ok(None)
            } else {
                Header::read(&head).map(Some)
            }
        });
        match header {
            Ok(Some(header)) => found.push(Found { at, header }),
            Ok(None) => {}
            Err(what) => {
                let name = segments.name(at);
                let effect =
                    format!("segment {name}: {what}; the calls of this process are missing");
                let issue = Issue::of_log(IssueKind::MissingProcess, &effect);
                let (module, byte_offset) = (Some(name), Some(0));
                tables.push_issue(facts.log, Issue { module, byte_offset, ..issue });
            }
        }
    }
    found
}

/// The time axis of the job over all nodes.
struct Clocks {
    /// Real time less monotonic time, per node.
    offsets: FastHashMap<String, i128>,
    speeds: FastHashMap<String, Speed>,
    zero_real_ns: i128,
}

impl Clocks {
    fn of(found: &[Found], facts: &Facts) -> Self {
        let mut offsets: FastHashMap<String, Vec<i128>> = FastHashMap::default();
        let mut speeds: FastHashMap<String, Speed> = FastHashMap::default();
        for Found { header, .. } in found {
            let offset = i128::from(header.first.real_ns) - i128::from(header.first.mono_ns);
            offsets.entry(header.host.clone()).or_default().push(offset);
            if let Some(speed) = Speed::of(header)
                && speeds.get(&header.host).is_none_or(|known| known.over_ns < speed.over_ns)
            {
                speeds.insert(header.host.clone(), speed);
            }
        }
        let offsets: FastHashMap<String, i128> = offsets
            .into_iter()
            .map(|(host, mut all)| {
                all.sort_unstable();
                let middle = all.get(all.len() / 2).copied().unwrap_or(0);
                (host, middle)
            })
            .collect();
        let mut clocks = Self { offsets, speeds, zero_real_ns: 0 };
        let first = found.iter().map(|f| clocks.real_ns(&f.header)).min();
        let start = facts.start_ns.map(i128::from);
        clocks.zero_real_ns = match (first, start) {
            (Some(first), Some(start)) => first.min(start),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => 0,
        };
        clocks
    }

    fn start_real(&self) -> i128 {
        self.zero_real_ns
    }

    fn offset(&self, header: &Header) -> i128 {
        self.offsets.get(&header.host).copied().unwrap_or(0)
    }

    /// When the process began, since 1970.
    fn real_ns(&self, header: &Header) -> i128 {
        i128::from(header.first.mono_ns) + self.offset(header)
    }

    fn job_ns(&self, found: &[Found], facts: &Facts) -> i64 {
        let last = found
            .iter()
            .map(|f| i128::from(f.header.last.mono_ns) + self.offset(&f.header))
            .chain(facts.end_ns.map(i128::from))
            .max();
        last.map_or(0, |last| i64::try_from(last - self.zero_real_ns).unwrap_or(0)).max(0)
    }

    fn ticker(&self, header: &Header, mut points: Vec<super::header::ClockPoint>) -> Ticker {
        points.push(header.first);
        if header.last.ticks > header.first.ticks {
            points.push(header.last);
        }
        let speed = self.speeds.get(&header.host).map(|s| s.ns_per_tick);
        let zero = self.zero_real_ns - self.offset(header);
        Ticker::new(points, zero, speed.unwrap_or_else(|| Speed::nominal(header)))
    }
}
