//! Bytes over time, in bins of one width for the whole job.

use super::counters::Heat;
use std::collections::BTreeMap;

/// Most bins of a map, and the width of the first try: Darshan's.
const BINS: i64 = 200;
const FIRST_WIDTH_NS: i64 = 100_000_000;

/// Heat maps of one process, by layer.
#[derive(Debug)]
pub(crate) struct Heatmaps {
    pub bin_ns: i64,
    bins: usize,
    /// Bytes read and written per bin.
    pub layers: BTreeMap<u8, (Vec<i64>, Vec<i64>)>,
    /// Of reads and of writes: programs that copy do both by turns.
    near: [Near; 2],
}

/// The bin that the call before lay in: most calls lie in the same. Its bytes
/// are put in when another one comes.
#[derive(Debug, Clone, Copy, Default)]
struct Near {
    layer: u8,
    from_ns: i64,
    until_ns: i64,
    bytes: i64,
}

impl Heatmaps {
    /// Bins for a job of this length: doubled until 200 of them reach its end.
    pub fn new(job_ns: i64) -> Self {
        let mut bin_ns = FIRST_WIDTH_NS;
        while bin_ns.saturating_mul(BINS) < job_ns && bin_ns < i64::MAX / 4 {
            bin_ns *= 2;
        }
        let bins = (job_ns.max(1).saturating_add(bin_ns - 1) / bin_ns).min(BINS);
        Self {
            bin_ns,
            bins: usize::try_from(bins).unwrap_or(1),
            layers: BTreeMap::new(),
            near: Default::default(),
        }
    }

    /// Spreads the bytes of a call over the time it took.
    pub fn add(&mut self, layer: u8, is_write: bool, start_ns: i64, end_ns: i64, bytes: u64) {
        let [of_reads, of_writes] = &mut self.near;
        let near = if is_write { of_writes } else { of_reads };
        let is_near = start_ns >= near.from_ns
            && end_ns < near.until_ns
            && start_ns <= end_ns
            && near.layer == layer;
        if let (true, Ok(bytes)) = (is_near, i64::try_from(bytes)) {
            near.bytes = near.bytes.saturating_add(bytes);
            return;
        }
        let from_ns = start_ns.max(0) / self.bin_ns * self.bin_ns;
        let until_ns = from_ns.saturating_add(self.bin_ns);
        let before = std::mem::replace(near, Near { layer, from_ns, until_ns, bytes: 0 });
        self.put(before, is_write);
        self.spread(layer, is_write, start_ns, end_ns, bytes);
    }

    /// Puts in what was kept back.
    pub fn settle(&mut self) {
        let [of_reads, of_writes] = std::mem::take(&mut self.near);
        self.put(of_reads, false);
        self.put(of_writes, true);
    }

    fn put(&mut self, near: Near, is_write: bool) {
        let Near { layer, from_ns, bytes, .. } = near;
        if bytes > 0 {
            self.spread(layer, is_write, from_ns, from_ns, bytes.cast_unsigned());
        }
    }

    fn spread(&mut self, layer: u8, is_write: bool, start_ns: i64, end_ns: i64, bytes: u64) {
        let (bin_ns, bins) = (self.bin_ns, self.bins);
        let (read, written) =
            self.layers.entry(layer).or_insert_with(|| (vec![0; bins], vec![0; bins]));
        let row = if is_write { written } else { read };
        let bin_of = |ns: i64| usize::try_from(ns.max(0) / bin_ns).unwrap_or(0).min(bins - 1);
        let (first, last) = (bin_of(start_ns), bin_of(end_ns));
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let mut left = bytes;
        for (bin, cell) in row.iter_mut().enumerate().take(last + 1).skip(first) {
            let bin_end = (bin as i64 + 1).saturating_mul(bin_ns);
            let until = bin_end.min(end_ns);
            let from = (bin as i64).saturating_mul(bin_ns).max(start_ns);
            let share = if bin == last {
                left
            } else {
                let part = until.saturating_sub(from).max(0) as f64
                    / end_ns.saturating_sub(start_ns).max(1) as f64;
                ((bytes as f64 * part) as i64).min(left)
            };
            *cell = cell.saturating_add(share);
            left -= share;
        }
    }

    /// Adds a map that the process kept itself.
    pub(super) fn add_counted(&mut self, heat: &Heat) {
        for (is_write, bins) in [(false, &heat.read), (true, &heat.written)] {
            for (bin, &bytes) in bins.iter().enumerate().filter(|&(_, &bytes)| bytes > 0) {
                let start = heat.start_ns.saturating_add(heat.bin_ns.saturating_mul(bin as i64));
                let end = start.saturating_add(heat.bin_ns);
                self.add(heat.layer, is_write, start, end, bytes.cast_unsigned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_long_call_are_spread_and_none_is_lost() {
        let mut maps = Heatmaps::new(1_000_000_000);
        assert_eq!((maps.bin_ns, maps.bins), (100_000_000, 10));
        maps.add(1, true, 50_000_000, 250_000_000, 1000);
        let (_, written) = &maps.layers[&1];
        assert_eq!(written[..4], [250, 500, 250, 0]);
    }

    #[test]
    fn bins_grow_with_the_job() {
        assert_eq!(Heatmaps::new(3_600_000_000_000).bin_ns, 25_600_000_000);
    }
}
