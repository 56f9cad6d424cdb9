//! Counts calls that are not recorded one by one: `struct diya_counters` and
//! `struct diya_heatmap` of a segment.
//!
//! The definitions are Darshan's (darshan-posix.c, darshan-common.h and
//! darshan-heatmap.c of 3.4): sequential is an offset beyond the last byte of
//! the call before in the same direction, consecutive is exactly the next byte;
//! a failed call moves nothing; a size of exactly the edge is in the lower bin.

use super::record::Event;
use diya_model::segment::{self as format, CommonSize, CommonStride, OpCounters};
use diya_model::{Function, Layer, Layout, Op, SizeBin};

const POSIX: u32 = Layer::Posix.number() as u32;
const OPS: usize = format::OPS as usize;
const COMMON: usize = format::COMMON as usize;
const HEAT_BINS: usize = format::HEATMAP_BINS as usize;
const FIRST_BIN_NS: u64 = 100_000_000;

/// Operation of a function; 0: none, which counts nowhere.
fn operation(function: u16) -> u8 {
    Function::of(function).map_or(0, |known| known.op.number())
}

#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    calls: u64,
    ticks: u64,
    failed: u64,
    first: u64,
    last: u64,
}

/// What is counted of reads, and of writes.
#[derive(Debug, Clone, Copy)]
struct Direction {
    bytes: u64,
    max_byte: i64,
    consecutive: u64,
    sequential: u64,
    sizes: [u64; SizeBin::COUNT],
    slowest_ticks: u64,
    slowest_size: u64,
    last_byte: i64,
}

impl Default for Direction {
    fn default() -> Self {
        Self {
            bytes: 0,
            max_byte: -1,
            consecutive: 0,
            sequential: 0,
            sizes: [0; SizeBin::COUNT],
            slowest_ticks: 0,
            slowest_size: 0,
            last_byte: 0,
        }
    }
}

/// The most frequent of some values.
#[derive(Debug, Default, Clone, Copy)]
struct Common([(i64, u64); COMMON]);

impl Common {
    /// A new value takes the place of the rarest when that was seen once only.
    fn count(&mut self, value: i64) {
        if let Some(place) = self.0.iter_mut().find(|(v, calls)| *calls == 0 || *v == value) {
            *place = (value, place.1 + 1);
        } else if let Some(rarest) = self.0.iter_mut().min_by_key(|(_, calls)| *calls)
            && rarest.1 == 1
        {
            rarest.0 = value;
        }
    }
}

/// Counters of one file.
#[derive(Debug)]
pub(super) struct Counters {
    file: u32,
    ops: [Sums; OPS],
    read: Direction,
    write: Direction,
    switches: u64,
    not_aligned: u64,
    sizes: Common,
    strides: Common,
    last_op: u8,
    open_flags: u32,
}

impl Counters {
    pub fn new(file: u32) -> Self {
        Self {
            file,
            ops: [Sums::default(); OPS],
            read: Direction::default(),
            write: Direction::default(),
            switches: 0,
            not_aligned: 0,
            sizes: Common::default(),
            strides: Common::default(),
            last_op: 0,
            open_flags: 0,
        }
    }

    /// Counts a call on a file whose blocks have so many bytes, 0: not known.
    pub fn count(&mut self, event: &Event, block_bytes: u32) {
        let op = operation(event.function);
        let sums = &mut self.ops[usize::from(op)];
        sums.calls += 1;
        sums.ticks += event.end - event.start;
        if sums.first == 0 {
            sums.first = event.start;
        }
        sums.last = event.end;
        if event.done < 0 {
            sums.failed += 1;
        } else if op == Op::Open.number() {
            self.open_flags |= event.aux.unwrap_or(0) as u32;
        } else if op == Op::Read.number() || op == Op::Write.number() {
            self.transfer(event, op, block_bytes);
        }
    }

    fn transfer(&mut self, event: &Event, op: u8, block_bytes: u32) {
        let done = event.done;
        let side = if op == Op::Write.number() { &mut self.write } else { &mut self.read };
        side.bytes += done.cast_unsigned();
        side.sizes[SizeBin::index_of(done)] += 1;
        if event.end - event.start > side.slowest_ticks {
            (side.slowest_ticks, side.slowest_size) =
                (event.end - event.start, done.cast_unsigned());
        }
        self.switches += u64::from(self.last_op != 0 && self.last_op != op);
        self.last_op = op;
        self.sizes.count(done);
        let Some(offset) = event.offset else { return };
        side.sequential += u64::from(offset > side.last_byte);
        side.consecutive += u64::from(offset == side.last_byte + 1);
        let is_ahead = offset > side.last_byte && side.last_byte != 0;
        self.strides.count(if is_ahead { offset - side.last_byte - 1 } else { 0 });
        side.last_byte = offset + done - 1;
        side.max_byte = side.max_byte.max(side.last_byte);
        self.not_aligned += u64::from(block_bytes != 0 && offset % i64::from(block_bytes) != 0);
    }

    /// As a segment has it; what only MPI-IO has stays 0.
    pub fn layout(&self) -> format::Counters {
        let direction = |of: &Direction| format::TransferCounters {
            bytes: of.bytes,
            max_byte: of.max_byte,
            last_byte: of.last_byte,
            consecutive: of.consecutive,
            sequential: of.sequential,
            max_ticks: of.slowest_ticks,
            max_size: of.slowest_size,
            sizes: of.sizes,
            ..Layout::ZERO
        };
        format::Counters {
            magic: format::COUNTERS_MAGIC,
            file: self.file,
            layer: POSIX,
            last_op: self.last_op.into(),
            rw_switches: self.switches,
            unaligned_file: self.not_aligned,
            open_flags: self.open_flags.into(),
            common_size: self
                .sizes
                .0
                .map(|(size, calls)| CommonSize { size: size.cast_unsigned(), calls }),
            write: direction(&self.write),
            read: direction(&self.read),
            ops: self.ops.map(|s| OpCounters {
                calls: s.calls,
                ticks: s.ticks,
                failed: s.failed,
                first_ticks: s.first,
                last_ticks: s.last,
            }),
            common_stride: self.strides.0.map(|(stride, calls)| CommonStride { stride, calls }),
            ..Layout::ZERO
        }
    }
}

/// Bytes over time: bins that double in width when time runs past the last.
#[derive(Debug)]
pub(super) struct Heatmap {
    bin_ns: u64,
    start: u64,
    read: [u64; HEAT_BINS],
    written: [u64; HEAT_BINS],
}

impl Heatmap {
    pub fn new(start: u64) -> Self {
        Self { bin_ns: FIRST_BIN_NS, start, read: [0; HEAT_BINS], written: [0; HEAT_BINS] }
    }

    /// Spreads what a call moved over the bins it took; whether it moved any.
    pub fn count(&mut self, event: &Event) -> bool {
        let op = operation(event.function);
        if event.done <= 0 || (op != Op::Read.number() && op != Op::Write.number()) {
            return false;
        }
        let (start, end) =
            (event.start.saturating_sub(self.start), event.end.saturating_sub(self.start));
        while end / self.bin_ns >= HEAT_BINS as u64 {
            for bins in [&mut self.read, &mut self.written] {
                *bins = std::array::from_fn(|i| {
                    bins.get(2 * i..2 * i + 2).map_or(0, |pair| pair.iter().sum())
                });
            }
            self.bin_ns *= 2;
        }
        let bins = if op == Op::Write.number() { &mut self.written } else { &mut self.read };
        let (first, last) = (start / self.bin_ns, end / self.bin_ns);
        let mut left = event.done.cast_unsigned();
        for bin in first..last {
            let time = (bin + 1) * self.bin_ns - start.max(bin * self.bin_ns);
            let share =
                u128::from(event.done.cast_unsigned()) * u128::from(time) / u128::from(end - start);
            bins[bin as usize] += share as u64;
            left -= share as u64;
        }
        bins[last as usize] += left;
        true
    }

    /// As a segment has it.
    pub fn layout(&self) -> format::Heatmap {
        format::Heatmap {
            magic: format::HEATMAP_MAGIC,
            layer: POSIX,
            bin_ticks: self.bin_ns,
            start_ticks: self.start,
            read: self.read,
            written: self.written,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_model::number as f;

    fn write(offset: i64, done: i64) -> Event {
        Event {
            function: f::WRITE,
            offset: Some(offset),
            requested: 64,
            done,
            start: 10,
            end: 30,
            ..Event::default()
        }
    }

    #[test]
    fn writes_one_after_the_other_are_consecutive() {
        let mut counters = Counters::new(1);
        for at in 0..4 {
            counters.count(&write(at * 64, 64), 4096);
        }
        counters.count(&write(256, -28), 4096);
        let writes = &counters.ops[usize::from(Op::Write.number())];
        assert_eq!((writes.calls, writes.failed, writes.ticks), (5, 1, 100));
        assert_eq!((counters.write.bytes, counters.write.max_byte), (256, 255));
        assert_eq!((counters.write.consecutive, counters.write.sequential), (3, 3));
        assert_eq!((counters.write.sizes[0], counters.not_aligned), (4, 3));
    }

    #[test]
    fn a_size_of_exactly_the_edge_is_in_the_lower_bin() {
        let mut counters = Counters::new(1);
        for size in [100, 101, 1024, 1025] {
            counters.count(&write(0, size), 0);
        }
        assert_eq!(counters.write.sizes[..3], [1, 2, 1]);
    }

    #[test]
    fn a_transfer_is_spread_over_the_bins_it_took() {
        let mut heat = Heatmap::new(0);
        let event = Event { start: FIRST_BIN_NS / 2, end: FIRST_BIN_NS * 3 / 2, ..write(0, 1000) };
        assert!(heat.count(&event));
        assert_eq!(heat.written[..3], [500, 500, 0]);
        let late = Event { start: FIRST_BIN_NS * 300, end: FIRST_BIN_NS * 300 + 1, ..write(0, 7) };
        heat.count(&late);
        assert_eq!((heat.written[0], heat.written[150], heat.bin_ns), (1000, 7, 2 * FIRST_BIN_NS));
    }
}
