//! Counter and heat map windows: what a process counted without recording it.

use super::bytes::Bytes;
use super::clock::Ticker;
use super::header::Header;
use super::ops;
use super::tally::{Access, Direction, OpSums};
use super::window::{Kind, Window};
use diya_model::SizeBin;

const COUNTERS_MAGIC: u32 = 0x5443_4e44;
const HEATMAP_MAGIC: u32 = 0x5041_4548;
const OPS: usize = 40;
const COMMON: usize = 16;
const HEATMAP_BINS: usize = 200;
/// Bytes of `struct diya_counters`.
const COUNTERS_BYTES: usize = 2496;

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
        let mut at = window.body.position();
        while let Some(one) = block(window.body.from(at), ticker) {
            all.push(one);
            at += COUNTERS_BYTES;
        }
    }
    all
}

fn words<const N: usize>(b: &mut Bytes<'_>) -> Option<[u64; N]> {
    let mut all = [0; N];
    for word in &mut all {
        *word = b.u64()?;
    }
    Some(all)
}

fn block(mut b: Bytes<'_>, ticker: &mut Ticker) -> Option<Counted> {
    if b.u32()? != COUNTERS_MAGIC {
        return None;
    }
    let (file, layer, _) = (b.u32()?, b.u32()?, b.u32()?);
    let (calls, ticks) = (words::<OPS>(&mut b)?, words::<OPS>(&mut b)?);
    let (failed, first, last) =
        (words::<OPS>(&mut b)?, words::<OPS>(&mut b)?, words::<OPS>(&mut b)?);
    let [bytes_read, bytes_written] = words(&mut b)?;
    let (max_read, max_written) = (b.i64()?, b.i64()?);
    let [consecutive_reads, consecutive_writes, sequential_reads, sequential_writes] =
        words(&mut b)?;
    let [switches, not_aligned, _unaligned_memory] = words(&mut b)?;
    let (size_read, size_write) =
        (words::<{ SizeBin::COUNT }>(&mut b)?, words::<{ SizeBin::COUNT }>(&mut b)?);
    let [coll_reads, coll_writes, split_reads, split_writes] = words(&mut b)?;
    let [nb_reads, nb_writes, coll_opens] = words(&mut b)?;
    let [slow_read, slow_read_size, slow_write, slow_write_size] = words(&mut b)?;
    let mut access = Access::default();
    for frequency in [&mut access.sizes, &mut access.strides] {
        for _ in 0..COMMON {
            let (value, times) = (b.i64()?, b.u64()?);
            frequency.add(value, times);
        }
    }
    let (_, _, _, _) = (b.i64()?, b.i64()?, b.i64()?, b.u32()?);
    access.open_flags = u64::from(b.u32()?);
    access.switches = switches;
    access.not_aligned = not_aligned;
    access.collective_opens = coll_opens;
    access.collective_transfers = coll_reads.saturating_add(coll_writes);
    let mut span = |ticks: u64| {
        let zero = ticker.ns(0);
        ticker.ns(ticks).saturating_sub(zero)
    };
    access.read = Direction {
        calls: calls[usize::from(ops::READ)],
        bytes: bytes_read,
        max_byte: max_read.max(0),
        consecutive: consecutive_reads,
        sequential: sequential_reads,
        sizes: size_read,
        slowest_ns: span(slow_read),
        slowest_size: slow_read_size,
        collective: coll_reads,
        split: split_reads,
        nonblocking: nb_reads,
        ..Direction::default()
    };
    access.write = Direction {
        calls: calls[usize::from(ops::WRITE)],
        bytes: bytes_written,
        max_byte: max_written.max(0),
        consecutive: consecutive_writes,
        sequential: sequential_writes,
        sizes: size_write,
        slowest_ns: span(slow_write),
        slowest_size: slow_write_size,
        collective: coll_writes,
        split: split_writes,
        nonblocking: nb_writes,
        ..Direction::default()
    };
    let mut sums = Vec::new();
    for op in 1..=ops::OPS {
        let at = usize::from(op);
        if calls[at] == 0 {
            continue;
        }
        let bytes = match op {
            ops::READ => bytes_read,
            ops::WRITE => bytes_written,
            _ => 0,
        };
        let zero = ticker.ns(0);
        sums.push((
            op,
            OpSums {
                calls: calls[at],
                failed: failed[at],
                bytes,
                busy_ns: ticker.ns(ticks[at]).saturating_sub(zero),
                inner_ns: 0,
                first_ns: ticker.ns(first[at]),
                last_ns: ticker.ns(last[at]),
            },
        ));
    }
    Some(Counted { file, layer: u8::try_from(layer).ok()?, ops: sums, access })
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
    if b.u32()? != HEATMAP_MAGIC {
        return None;
    }
    let layer = u8::try_from(b.u32()?).ok()?;
    let (bin_ticks, start_ticks) = (b.u64()?, b.u64()?);
    let signed = |bins: [u64; HEATMAP_BINS]| bins.iter().map(|n| n.cast_signed()).collect();
    let (read, written) = (signed(words(b)?), signed(words(b)?));
    let start_ns = ticker.ns(start_ticks);
    let bin_ns = ticker.ns(start_ticks.wrapping_add(bin_ticks)).saturating_sub(start_ns);
    Some(Heat { layer, start_ns, bin_ns, read, written })
}
