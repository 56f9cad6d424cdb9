//! Counter and heat map windows: what a process counted without recording it.

use super::bytes::Bytes;
use super::clock::Ticker;
use super::header::Header;
use super::ops;
use super::tally::{Access, Direction, OpSums};
use super::window::{Kind, Window};
use diya_model::segment::{COUNTERS_MAGIC, Counters, HEATMAP_MAGIC, Heatmap};

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
    for window in windows.iter().filter(|w| w.kind == Kind::Counters) {
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
    let is_write = c.last_op == u32::from(ops::WRITE);
    let (op, moved, sizes, sequential, consecutive, last_byte, max_byte) = if is_write {
        (
            ops::WRITE,
            &mut c.bytes_written,
            &mut c.size_write,
            &mut c.sequential_writes,
            &mut c.consecutive_writes,
            c.last_byte_written,
            &mut c.max_byte_written,
        )
    } else {
        (
            ops::READ,
            &mut c.bytes_read,
            &mut c.size_read,
            &mut c.sequential_reads,
            &mut c.consecutive_reads,
            c.last_byte_read,
            &mut c.max_byte_read,
        )
    };
    let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
    add(&mut c.calls[usize::from(op)], calls);
    add(moved, bytes);
    add(&mut sizes[0], calls.saturating_sub(larger));
    add(&mut sizes[1], larger);
    add(sequential, calls);
    add(consecutive, calls);
    if bytes > 0 {
        *max_byte = (*max_byte).max(last_byte.saturating_add(bytes.cast_signed()));
    }
}

fn block(b: &mut Bytes<'_>, ticker: &mut Ticker) -> Option<Counted> {
    if !begins_with(b, COUNTERS_MAGIC) {
        return None;
    }
    let mut c: Counters = b.fixed()?;
    let mut access = Access::default();
    if c.has_repeats == 1 {
        add_repeats(&mut c);
        access.sizes.add((c.repeats >> 48).cast_signed(), c.repeats >> 40 & 0xff);
    }
    for common in c.common_size {
        access.sizes.add(common.size.cast_signed(), common.calls);
    }
    for common in c.common_stride {
        access.strides.add(common.stride, common.calls);
    }
    access.open_flags = u64::from(c.open_flags);
    access.switches = c.rw_switches;
    access.not_aligned = c.unaligned_file;
    access.collective_opens = c.collective_opens;
    access.collective_transfers = c.collective_reads.saturating_add(c.collective_writes);
    let mut span = |ticks: u64| {
        let zero = ticker.ns(0);
        ticker.ns(ticks).saturating_sub(zero)
    };
    access.read = Direction {
        calls: c.calls[usize::from(ops::READ)],
        bytes: c.bytes_read,
        max_byte: c.max_byte_read.max(0),
        consecutive: c.consecutive_reads,
        sequential: c.sequential_reads,
        sizes: c.size_read,
        slowest_ns: span(c.max_read_ticks),
        slowest_size: c.max_read_size,
        collective: c.collective_reads,
        split: c.split_reads,
        nonblocking: c.nonblocking_reads,
        ..Direction::default()
    };
    access.write = Direction {
        calls: c.calls[usize::from(ops::WRITE)],
        bytes: c.bytes_written,
        max_byte: c.max_byte_written.max(0),
        consecutive: c.consecutive_writes,
        sequential: c.sequential_writes,
        sizes: c.size_write,
        slowest_ns: span(c.max_write_ticks),
        slowest_size: c.max_write_size,
        collective: c.collective_writes,
        split: c.split_writes,
        nonblocking: c.nonblocking_writes,
        ..Direction::default()
    };
    let mut sums = Vec::new();
    for op in 1..=ops::OPS {
        let at = usize::from(op);
        if c.calls[at] == 0 {
            continue;
        }
        let bytes = match op {
            ops::READ => c.bytes_read,
            ops::WRITE => c.bytes_written,
            _ => 0,
        };
        let zero = ticker.ns(0);
        sums.push((
            op,
            OpSums {
                calls: c.calls[at],
                failed: c.failed[at],
                bytes,
                busy_ns: ticker.ns(c.ticks[at]).saturating_sub(zero),
                inner_ns: 0,
                first_ns: ticker.ns(c.first_ticks[at]),
                last_ns: ticker.ns(c.last_ticks[at]),
            },
        ));
    }
    Some(Counted { file: c.file, layer: u8::try_from(c.layer).ok()?, ops: sums, access })
}

/// All heat maps of a process.
pub(super) fn heatmaps(windows: &[Window<'_>], _header: &Header, ticker: &mut Ticker) -> Vec<Heat> {
    let mut all = Vec::new();
    for window in windows.iter().filter(|w| w.kind == Kind::Heatmap) {
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
            has_repeats: 1,
            // Three calls of 101 bytes, all in the second bin, none in common_size.
            repeats: 303 | 3 << 24 | 3 << 32 | 3 << 40 | 101 << 48,
            bytes_written: 101,
            last_byte_written: 100,
            max_byte_written: 100,
            ..Layout::ZERO
        };
        add_repeats(&mut counters);
        assert_eq!((counters.calls[usize::from(ops::WRITE)], counters.bytes_written), (3, 404));
        assert_eq!((counters.size_write[1], counters.consecutive_writes), (3, 3));
        assert_eq!(counters.max_byte_written, 403);
    }
}
