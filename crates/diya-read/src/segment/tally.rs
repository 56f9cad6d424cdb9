//! Counters of one file in one layer, with Darshan's definitions.
//!
//! The recorder counts the same way when it does not record (profile mode, or
//! after its cap), so that both can be added.

use super::ops;
use diya_model::{Function, SizeBin};
use diya_tables::FastHashMap;

/// Different sizes or strides that are counted apart; rarer ones that come
/// later are not among the most frequent four, which is all that is shown.
const COMMON_VALUES: usize = 4096;

/// How often values occurred.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frequency {
    counts: FastHashMap<i64, u64>,
    /// Calls often repeat the value of the call before.
    last: (i64, u64),
}

impl Frequency {
    pub fn add(&mut self, value: i64, calls: u64) {
        if value == 0 || calls == 0 {
            return; // Darshan's: zero is the mark of an empty entry
        }
        if self.last.0 == value {
            self.last.1 = self.last.1.saturating_add(calls);
            return;
        }
        self.settle();
        self.last = (value, calls);
    }

    fn settle(&mut self) {
        let (value, calls) = std::mem::take(&mut self.last);
        if calls > 0 && (self.counts.len() < COMMON_VALUES || self.counts.contains_key(&value)) {
            let count = self.counts.entry(value).or_default();
            *count = count.saturating_add(calls);
        }
    }

    /// The most frequent four; of equals the larger value, as Darshan has it.
    pub fn top(&mut self) -> [(i64, u64); 4] {
        self.settle();
        let mut all: Vec<(i64, u64)> = self.counts.iter().map(|(&v, &n)| (v, n)).collect();
        all.sort_unstable_by_key(|&(value, calls)| std::cmp::Reverse((calls, value)));
        std::array::from_fn(|at| all.get(at).copied().unwrap_or_default())
    }

    fn merge(&mut self, mut other: Self) {
        other.settle();
        for (value, calls) in other.counts {
            self.add(value, calls);
        }
    }
}

/// What is kept for reads and for writes alike.
#[derive(Debug, Clone, Default)]
pub(crate) struct Direction {
    pub calls: u64,
    pub bytes: u64,
    pub max_byte: i64,
    pub consecutive: u64,
    pub sequential: u64,
    pub sizes: [u64; 10],
    pub slowest_ns: i64,
    pub slowest_size: u64,
    pub collective: u64,
    pub split: u64,
    pub nonblocking: u64,
    /// Last byte of the last call: where the next is expected to go on.
    pub last_byte: i64,
}

/// What the data calls on one file in one layer did.
#[derive(Debug, Clone, Default)]
pub(crate) struct Access {
    pub read: Direction,
    pub write: Direction,
    pub switches: u64,
    pub not_aligned: u64,
    pub sizes: Frequency,
    pub strides: Frequency,
    pub collective_opens: u64,
    pub open_flags: u64,
    pub collective_transfers: u64,
    last_was_write: Option<bool>,
}

/// One data call, or a run of tiny ones that follow each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DataCall {
    pub is_write: bool,
    pub offset: Option<i64>,
    pub done: u64,
    pub calls: u64,
    pub duration_ns: i64,
    pub is_collective: Option<bool>,
}

impl Access {
    /// Counts a data call that did not fail.
    pub fn add(&mut self, call: &DataCall, function: &Function, alignment: i64) {
        let DataCall { is_write, offset, done, calls, duration_ns, .. } = *call;
        if self.last_was_write.is_some_and(|was| was != is_write) {
            self.switches = self.switches.saturating_add(1);
        }
        self.last_was_write = Some(is_write);
        let each = done / calls.max(1);
        self.sizes.add(each.cast_signed(), calls);
        let way = if is_write { &mut self.write } else { &mut self.read };
        way.calls = way.calls.saturating_add(calls);
        way.bytes = way.bytes.saturating_add(done);
        if let Some(bin) = way.sizes.get_mut(SizeBin::index_of(each.try_into().unwrap_or(i64::MAX)))
        {
            *bin = bin.saturating_add(calls);
        }
        if duration_ns > way.slowest_ns {
            (way.slowest_ns, way.slowest_size) = (duration_ns, done);
        }
        if function.is_split {
            way.split = way.split.saturating_add(calls);
        } else if function.is_nonblocking {
            way.nonblocking = way.nonblocking.saturating_add(calls);
        } else if call.is_collective == Some(true) {
            way.collective = way.collective.saturating_add(calls);
        }
        self.collective_transfers =
            self.collective_transfers.saturating_add(u64::from(call.is_collective == Some(true)));
        let Some(offset) = offset else { return };
        // Darshan starts from byte 0, so that a first access at 0 is neither.
        let last = way.last_byte;
        way.sequential =
            way.sequential.saturating_add(u64::from(offset > last) + calls.saturating_sub(1));
        way.consecutive = way
            .consecutive
            .saturating_add(u64::from(offset == last.saturating_add(1)) + calls.saturating_sub(1));
        if offset > last && last != 0 {
            self.strides.add(offset.saturating_sub(last).saturating_sub(1), 1);
        }
        way.last_byte = offset.saturating_add(done.cast_signed()).saturating_sub(1);
        way.max_byte = way.max_byte.max(way.last_byte);
        if alignment > 0 && offset % alignment != 0 {
            self.not_aligned = self.not_aligned.saturating_add(1);
        }
    }

    /// Adds what another thread or process counted.
    pub fn merge(&mut self, other: Self) {
        self.read.merge(&other.read);
        self.write.merge(&other.write);
        self.switches = self.switches.saturating_add(other.switches);
        self.not_aligned = self.not_aligned.saturating_add(other.not_aligned);
        self.sizes.merge(other.sizes);
        self.strides.merge(other.strides);
        self.collective_opens = self.collective_opens.saturating_add(other.collective_opens);
        self.open_flags |= other.open_flags;
        self.collective_transfers =
            self.collective_transfers.saturating_add(other.collective_transfers);
    }
}

impl Direction {
    fn merge(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.max_byte = self.max_byte.max(other.max_byte);
        self.consecutive = self.consecutive.saturating_add(other.consecutive);
        self.sequential = self.sequential.saturating_add(other.sequential);
        for (mine, theirs) in self.sizes.iter_mut().zip(other.sizes) {
            *mine = mine.saturating_add(theirs);
        }
        if other.slowest_ns > self.slowest_ns {
            (self.slowest_ns, self.slowest_size) = (other.slowest_ns, other.slowest_size);
        }
        self.collective = self.collective.saturating_add(other.collective);
        self.split = self.split.saturating_add(other.split);
        self.nonblocking = self.nonblocking.saturating_add(other.nonblocking);
    }
}

/// Sums over the calls of one function, or one operation, on one file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpSums {
    pub calls: u64,
    pub failed: u64,
    pub bytes: u64,
    pub busy_ns: i64,
    /// Time of calls made inside these.
    pub inner_ns: i64,
    pub first_ns: i64,
    pub last_ns: i64,
}

impl Default for OpSums {
    fn default() -> Self {
        Self {
            calls: 0,
            failed: 0,
            bytes: 0,
            busy_ns: 0,
            inner_ns: 0,
            first_ns: i64::MAX,
            last_ns: i64::MIN,
        }
    }
}

impl OpSums {
    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.failed = self.failed.saturating_add(other.failed);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.busy_ns = self.busy_ns.saturating_add(other.busy_ns);
        self.inner_ns = self.inner_ns.saturating_add(other.inner_ns);
        self.first_ns = self.first_ns.min(other.first_ns);
        self.last_ns = self.last_ns.max(other.last_ns);
    }
}

/// Does the operation move data?
pub(crate) fn moves_data(op: u8) -> bool {
    matches!(op, ops::READ | ops::WRITE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_model::{Layer, Op};

    const PLAIN: Function = Function::plain(1, "write", Layer::Posix, Op::Write);

    fn write(offset: i64, done: u64) -> DataCall {
        DataCall {
            is_write: true,
            offset: Some(offset),
            done,
            calls: 1,
            duration_ns: 5,
            is_collective: None,
        }
    }

    #[test]
    fn a_write_loop_is_consecutive_but_for_its_first_call() {
        let mut access = Access::default();
        for at in 0..8 {
            access.add(&write(at * 4096, 4096), &PLAIN, 4096);
        }
        assert_eq!((access.write.consecutive, access.write.sequential), (7, 7));
        assert_eq!((access.write.max_byte, access.not_aligned), (8 * 4096 - 1, 0));
        assert_eq!(access.strides.top()[0], (0, 0));
    }

    #[test]
    fn strides_are_gaps_and_the_first_offset_is_none() {
        let mut access = Access::default();
        for at in 0..4 {
            access.add(&write(1000 + at * 1000, 100), &PLAIN, 0);
        }
        assert_eq!(access.strides.top()[0], (900, 3));
        assert_eq!((access.write.sequential, access.write.consecutive), (4, 0));
    }
}
