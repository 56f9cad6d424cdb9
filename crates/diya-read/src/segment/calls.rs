//! Second pass over a process: calls with their times, parents and sums.
//!
//! A record is written when its call returns, so a call comes after the calls
//! made inside it. They wait for the next call of the same thread that is one
//! level further out, which is theirs.

use super::clock::Ticker;
use super::record::{Call, Records};
use super::tally::{Access, DataCall, OpSums, moves_data};
use super::window::{Window, WindowContent};
use diya_model::{Function, Layer, Op};
use diya_tables::FastHashMap;
use std::hash::Hash;

/// Calls handed on together. More would leave the caches of the processor before they are
/// looked at again: each is a few times as long as what table `call` has of it.
const BATCH_CALLS: usize = 1 << 11;
/// A batch ends at a call that is inside no other, but not later than this.
const BATCH_LIMIT: usize = 1 << 22;

/// A call on the time axis of the job.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timed {
    pub call: Call,
    pub id: u64,
    pub parent: Option<u64>,
    pub start_ns: i64,
    pub end_ns: i64,
    pub busy_ns: i64,
}

/// Sums by key. Calls often have the key of the call before, so that is looked
/// at first: it halves the time of counting.
#[derive(Debug)]
pub(crate) struct ByKey<K, V> {
    places: FastHashMap<K, usize>,
    rows: Vec<(K, V)>,
    last: Option<(K, usize)>,
}

impl<K, V> Default for ByKey<K, V> {
    fn default() -> Self {
        Self { places: FastHashMap::default(), rows: Vec::new(), last: None }
    }
}

impl<K: Copy + Eq + Hash, V: Default> ByKey<K, V> {
    /// Lets `change` work on the value of this key.
    pub fn with(&mut self, key: K, change: impl FnOnce(&mut V)) {
        if let Some(value) = self.of(key) {
            change(value);
        }
    }

    /// The value of this key.
    pub fn of(&mut self, key: K) -> Option<&mut V> {
        let place = match self.last {
            Some((last, place)) if last == key => place,
            _ => *self.places.entry(key).or_insert_with(|| {
                self.rows.push((key, V::default()));
                self.rows.len() - 1
            }),
        };
        self.last = Some((key, place));
        self.rows.get_mut(place).map(|(_, value)| value)
    }

    /// Keys and values, in the order the keys came.
    pub fn rows(&self) -> &[(K, V)] {
        &self.rows
    }

    pub fn into_rows(self) -> Vec<(K, V)> {
        self.rows
    }
}

/// Sums over all calls of one process.
#[derive(Debug, Default)]
pub(super) struct Sums {
    /// By file, function, layer and operation; function 0: counted, not recorded.
    pub functions: ByKey<(u32, u16, u8, u8), OpSums>,
    /// By file and layer.
    pub accesses: ByKey<(u32, u8), Access>,
    /// By file: hyperslab selections, as the further number of HDF5 calls says.
    pub selections: FastHashMap<u32, [u64; 5]>,
}

/// What the second pass needs to know of the process.
pub(super) struct Context<'a> {
    pub ticker: Ticker,
    /// Number of the process's first call.
    pub first_id: u64,
    /// Alignment assumed for a file.
    pub alignment: &'a dyn Fn(u32) -> i64,
}

/// Reads all calls of a process, giving them in batches of one thread, and
/// returns the sums.
pub(super) fn read(
    windows: &[Window<'_>],
    context: Context<'_>,
    each: &mut dyn FnMut(u32, &mut Vec<Timed>),
) -> Sums {
    let Context { mut ticker, first_id, alignment } = context;
    let mut sums = Sums::default();
    let mut pass =
        Pass { next_id: first_id, batch: Vec::new(), waiting: Vec::new(), has_parents: false };
    let mut thread = None;
    for window in windows.iter().filter(|w| w.content == WindowContent::Records) {
        if thread.is_some_and(|tid| tid != window.tid) {
            pass.hand_over(thread, &mut sums, each);
        }
        thread = Some(window.tid);
        let mut records = Records::of(window);
        while let Some(call) = records.next_call() {
            let timed = pass.timed(call, &mut ticker);
            sums.count(&timed, alignment);
            pass.add(timed);
            let is_outermost = pass.waiting.is_empty();
            let is_full = pass.batch.len() >= BATCH_CALLS && is_outermost;
            if is_full || pass.batch.len() >= BATCH_LIMIT {
                pass.hand_over(thread, &mut sums, each);
            }
        }
    }
    pass.hand_over(thread, &mut sums, each);
    sums
}

struct Pass {
    next_id: u64,
    batch: Vec<Timed>,
    /// Calls of the batch made inside another that has not come yet.
    waiting: Vec<usize>,
    /// A call of the batch was made inside another of it.
    has_parents: bool,
}

impl Pass {
    #[inline(always)]
    fn timed(&mut self, call: Call, ticker: &mut Ticker) -> Timed {
        let id = self.next_id;
        self.next_id += 1;
        let start_ns = ticker.ns(call.start);
        let end_ns = ticker.ns(call.end).max(start_ns);
        let busy_ns = if call.calls == 1 {
            end_ns.saturating_sub(start_ns)
        } else {
            let share = call.busy as f64 / (call.end - call.start).max(1) as f64;
            (end_ns.saturating_sub(start_ns) as f64 * share).round() as i64
        };
        Timed { call, id, parent: None, start_ns, end_ns, busy_ns }
    }

    #[inline(always)]
    fn add(&mut self, timed: Timed) {
        let Timed { call, id, .. } = &timed;
        while let Some(inner) = self.waiting.last().and_then(|&at| self.batch.get_mut(at)) {
            if inner.call.depth <= call.depth {
                break;
            }
            // A call left by longjmp or by its thread ending has no record; what
            // was made inside it must not go to the next one.
            if inner.call.start >= call.start {
                inner.parent = Some(*id);
                self.has_parents = true;
            }
            self.waiting.pop();
        }
        if call.depth > 0 {
            self.waiting.push(self.batch.len());
        }
        self.batch.push(timed);
    }

    fn hand_over(
        &mut self,
        thread: Option<u32>,
        sums: &mut Sums,
        each: &mut dyn FnMut(u32, &mut Vec<Timed>),
    ) {
        self.waiting.clear();
        if let Some(tid) = thread.filter(|_| !self.batch.is_empty()) {
            if std::mem::take(&mut self.has_parents) {
                sums.charge_parents(&self.batch);
            }
            each(tid, &mut self.batch);
        }
        self.batch.clear();
    }
}

impl Sums {
    #[inline(always)]
    fn count(&mut self, timed: &Timed, alignment: &dyn Fn(u32) -> i64) {
        let call = &timed.call;
        let Some(function) = Function::of(call.function) else { return };
        let (layer, op) = (function.layer.number(), function.op.number());
        let has_data = moves_data(op) && call.error == 0;
        let key = (call.file, call.function, layer, op);
        let one = OpSums {
            calls: call.calls,
            failed: u64::from(call.error != 0),
            bytes: if has_data { call.done } else { 0 },
            busy_ns: timed.busy_ns,
            inner_ns: 0,
            first_ns: timed.start_ns,
            last_ns: timed.end_ns,
        };
        self.functions.with(key, |sums| sums.merge(&one));
        let is_collective = call.is_collective.or(function.is_collective);
        if has_data {
            let data = DataCall {
                is_write: function.op == Op::Write,
                offset: call.offset,
                done: call.done,
                calls: call.calls,
                duration_ns: timed.busy_ns,
                is_collective,
            };
            let block = alignment(call.file);
            self.accesses.with((call.file, layer), |access| access.add(&data, function, block));
            if function.layer == Layer::Hdf5Dataset {
                let class = call.aux.and_then(|aux| usize::try_from(aux).ok());
                let counts = self.selections.entry(call.file).or_default();
                if let Some(count) = class.and_then(|class| counts.get_mut(class)) {
                    *count += 1;
                }
            }
        } else if function.op == Op::Open && call.error == 0 {
            self.accesses.with((call.file, layer), |access| {
                access.open_flags |= call.aux.unwrap_or(0);
                access.collective_opens += u64::from(is_collective == Some(true));
            });
        }
    }

    /// Time of inner calls is taken off the calls they were made in.
    fn charge_parents(&mut self, batch: &[Timed]) {
        let Some(first) = batch.first().map(|t| t.id) else { return };
        for inner in batch.iter().filter(|inner| inner.parent.is_some()) {
            let Some(parent) = inner
                .parent
                .and_then(|id| batch.get(usize::try_from(id.checked_sub(first)?).ok()?))
            else {
                continue;
            };
            let Some(function) = Function::of(parent.call.function) else { continue };
            let (layer, op) = (function.layer.number(), function.op.number());
            let key = (parent.call.file, parent.call.function, layer, op);
            self.functions.with(key, |sums| {
                sums.inner_ns = sums.inner_ns.saturating_add(inner.busy_ns);
            });
        }
    }

    /// Adds what was counted without being recorded.
    pub fn add_counted(&mut self, counted: super::counters::Counted) {
        for (op, sums) in counted.ops {
            let key = (counted.file, 0, counted.layer, op);
            self.functions.with(key, |mine| mine.merge(&sums));
        }
        self.accesses.with((counted.file, counted.layer), |mine| mine.merge(counted.access));
    }
}
