//! Counter and heat map windows: what a process counted without recording it.

use super::bytes::Bytes;
use super::clock::Ticker;
use super::header::Header;
use super::ops;
use super::tally::{Access, Direction, OpSums};
use super::window::{Window, WindowContent};
use diya_model::segment::{COUNTERS_MAGIC, Counters, HEATMAP_MAGIC, Heatmap, TransferCounters};

/// One thread's calls on one file in one layer.
#[derive(Debug)]
pub(super) struct Counted {
    pub file: u32,
    pub layer: u8,
    /// Sums of each operation that occurred.
    pub ops: Vec<(u8, OpSums)>,
    pub access: Access,
}

/// Bytes over time of one layer.
#[derive(Debug)]
pub(super) struct Heat {
    pub layer: u8,
    pub start_ns: i64,
    pub bin_ns: i64,
    pub read: Vec<i64>,
    pub written: Vec<i64>,
}

/// All counters of a process.
pub(super) fn counted(windows: &[Window<'_>], ticker: &mut Ticker) -> Vec<Counted> {
    let mut all = Vec::new();
    for window in windows.iter().filter(|w| w.content == WindowContent::Counters) {
        let mut body = window.body;
        while let Some(one) = block(&mut body, ticker) {
            all.push(one);
        }
    }
    all
}

/// Whether the next bytes begin so.
fn begins_with(b: &Bytes<'_>, magic: u32) -> bool {
    { *b }.fixed() == Some(magic)
}

/// Tiny transfers that a killed process had not added to its counters.
fn add_repeats(c: &mut Counters) {
    let field = |at: u32, bits: u32| c.repeats >> at & ((1 << bits) - 1);
    let (bytes, calls, larger) = (field(0, 24), field(24, 8), field(32, 8));
    let (op, moved) = if c.last_op == u32::from(ops::WRITE) {
        (ops::WRITE, &mut c.write)
    } else {
        (ops::READ, &mut c.read)
    };
    let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
    add(&mut c.ops[usize::from(op)].calls, calls);
    add(&mut moved.bytes, bytes);
    add(&mut moved.sizes[0], calls.saturating_sub(larger));
    add(&mut moved.sizes[1], larger);
    add(&mut moved.sequential, calls);
    add(&mut moved.consecutive, calls);
    if bytes > 0 {
        let last = moved.last_byte.saturating_add(bytes.cast_signed());
        moved.max_byte = moved.max_byte.max(last);
    }
}

fn block(b: &mut Bytes<'_>, ticker: &mut Ticker) -> Option<Counted> {
    if !begins_with(b, COUNTERS_MAGIC) {
        return None;
    }
    let mut c: Counters = b.fixed()?;
    let mut access = Access::default();
    add_repeats(&mut c);
    access.sizes.add((c.repeats >> 48).cast_signed(), c.repeats >> 40 & 0xff);
    for common in c.common_size {
        access.sizes.add(common.size.cast_signed(), common.calls);
    }
    for common in c.common_stride {
        access.strides.add(common.stride, common.calls);
    }
    access.open_flags = c.open_flags;
    access.switches = c.rw_switches;
    access.not_aligned = c.unaligned_file;
    access.collective_opens = c.collective_opens;
    access.collective_transfers = c.read.collective.saturating_add(c.write.collective);
    let mut span = |ticks: u64| {
        let zero = ticker.ns(0);
        ticker.ns(ticks).saturating_sub(zero)
    };
    let mut direction = |op: u8, of: &TransferCounters| Direction {
        calls: c.ops[usize::from(op)].calls,
        bytes: of.bytes,
        max_byte: of.max_byte.max(0),
        consecutive: of.consecutive,
        sequential: of.sequential,
        sizes: of.sizes,
        slowest_ns: span(of.max_ticks),
        slowest_size: of.max_size,
        collective: of.collective,
        split: of.split,
        nonblocking: of.nonblocking,
        ..Direction::default()
    };
    access.read = direction(ops::READ, &c.read);
    access.write = direction(ops::WRITE, &c.write);
    let mut sums = Vec::new();
    for op in 1..=ops::OPS {
        let calls = &c.ops[usize::from(op)];
        if calls.calls == 0 {
            continue;
        }
        let bytes = match op {
            ops::READ => c.read.bytes,
            ops::WRITE => c.write.bytes,
            _ => 0,
        };
        let zero = ticker.ns(0);
        sums.push((
            op,
            OpSums {
                calls: calls.calls,
                failed: calls.failed,
                bytes,
                busy_ns: ticker.ns(calls.ticks).saturating_sub(zero),
                inner_ns: 0,
                first_ns: ticker.ns(calls.first_ticks),
                last_ns: ticker.ns(calls.last_ticks),
            },
        ));
    }
    Some(Counted { file: c.file, layer: u8::try_from(c.layer).ok()?, ops: sums, access })
}

/// All heat maps of a process.
pub(super) fn heatmaps(windows: &[Window<'_>], _header: &Header, ticker: &mut Ticker) -> Vec<Heat> {
    let mut all = Vec::new();
    for window in windows.iter().filter(|w| w.content == WindowContent::Heatmap) {
        let mut b = window.body;
        while let Some(heat) = heat(&mut b, ticker) {
            all.push(heat);
        }
    }
    all
}

fn heat(b: &mut Bytes<'_>, ticker: &mut Ticker) -> Option<Heat> {
    if !begins_with(b, HEATMAP_MAGIC) {
        return None;
    }
    let map: Heatmap = b.fixed()?;
    let signed = |bins: &[u64]| bins.iter().map(|n| n.cast_signed()).collect();
    let start_ns = ticker.ns(map.start_ticks);
    let end_ns = ticker.ns(map.start_ticks.wrapping_add(map.bin_ticks));
    Some(Heat {
        layer: u8::try_from(map.layer).ok()?,
        start_ns,
        bin_ns: end_ns.saturating_sub(start_ns),
        read: signed(&map.read),
        written: signed(&map.written),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_model::Layout;

    #[test]
    fn tiny_calls_that_a_killed_process_kept_apart_are_added() {
        let mut counters = Counters {
            last_op: ops::WRITE.into(),
            // Three calls of 101 bytes, all in the second bin, none in common_size.
            repeats: 303 | 3 << 24 | 3 << 32 | 3 << 40 | 101 << 48,
            write: TransferCounters { bytes: 101, last_byte: 100, max_byte: 100, ..Layout::ZERO },
            ..Layout::ZERO
        };
        add_repeats(&mut counters);
        let writes = &counters.write;
        assert_eq!((counters.ops[usize::from(ops::WRITE)].calls, writes.bytes), (3, 404));
        assert_eq!((writes.sizes[1], writes.consecutive, writes.max_byte), (3, 3, 403));
    }
}
