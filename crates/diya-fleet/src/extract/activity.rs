//! When a job moved its bytes.

use super::At;
use super::log_facts::LogFacts;
use super::record::JobFile;
use crate::generated::ActivityRow;
use crate::round::{to_24_bits, to_three_digits};
use diya::model::Op;
use diya_tables::TableBuilder;

/// Bins of a run.
pub const BINS: usize = 16;

/// Bytes in each bin.
#[derive(Debug, Default)]
pub struct Bins {
    /// Length of a bin; `None`: the run time is not recorded.
    pub bin_s: Option<f64>,
    pub read: [f64; BINS],
    pub written: [f64; BINS],
    pub is_estimate: bool,
    /// Whether any read or write has a time.
    has_time: bool,
}

/// The bins of a log: from its heat map, or from its records.
pub fn bins(log: &LogFacts, files: &[JobFile<'_>]) -> Bins {
    let mut bins = Bins::default();
    let Some(run_s) = log.run_time_s.filter(|run_s| *run_s > 0.0) else { return bins };
    let bin_s = run_s / BINS as f64;
    bins.bin_s = Some(bin_s);
    if log.heat.iter().any(|of| !of.is_empty()) {
        let [read, written] = &log.heat;
        for (of, to) in [(read, &mut bins.read), (written, &mut bins.written)] {
            for (start, width, bytes) in of {
                to[bin(start + width / 2.0, bin_s)] += *bytes as f64;
            }
        }
        bins.has_time = true;
        return bins;
    }
    bins.is_estimate = true;
    for of in files.iter().filter(|file| !file.is_stream).flat_map(|file| &file.uses) {
        for (span, bytes, to) in [
            (of.read_span_s, of.bytes_read, &mut bins.read),
            (of.write_span_s, of.bytes_written, &mut bins.written),
        ] {
            if let (Some(span), Some(bytes)) = (span, bytes.filter(|bytes| *bytes > 0)) {
                bins.has_time = true;
                spread(span, bytes as f64, bin_s, to);
            }
        }
    }
    bins
}

fn bin(moment_s: f64, bin_s: f64) -> usize {
    // Moments before the start or after the end belong to the first and the last bin.
    ((moment_s / bin_s).max(0.0) as usize).min(BINS - 1)
}

/// Spreads bytes evenly over a span of time.
fn spread((from, to): (f64, f64), bytes: f64, bin_s: f64, bins: &mut [f64; BINS]) {
    let (first, last) = (bin(from, bin_s), bin(to, bin_s));
    if to <= from || first == last {
        bins[first] += bytes;
        return;
    }
    let end = (BINS as f64) * bin_s;
    let (from, to) = (from.clamp(0.0, end), to.clamp(0.0, end));
    for (number, bin) in bins.iter_mut().enumerate().take(last + 1).skip(first) {
        let start = number as f64 * bin_s;
        let part = (to.min(start + bin_s) - from.max(start)).max(0.0);
        *bin += bytes * part / (to - from);
    }
}

/// Below this a job has no temporal class: published clusterings leave such jobs out.
const SMALL_BYTES: f64 = (100 << 20) as f64;

/// A bin is active with this share of the bytes of its direction.
const ACTIVE_SHARE: f64 = 0.02;

/// At this share of active bins a job is steady.
const STEADY_BINS: usize = BINS * 3 / 4;

impl Bins {
    /// When the bytes moved, in a word.
    pub fn temporal_class(&self) -> Option<&'static str> {
        self.bin_s?;
        let total: f64 = self.read.iter().chain(&self.written).sum();
        if total < SMALL_BYTES {
            return Some("none");
        }
        if !self.has_time {
            return None;
        }
        let most = |of: &[f64; BINS], part: &[f64]| {
            let all: f64 = of.iter().sum();
            all >= SMALL_BYTES / 2.0 && part.iter().sum::<f64>() > 0.5 * all
        };
        let reads_first = most(&self.read, &self.read[..2]);
        let writes_last = most(&self.written, &self.written[BINS - 2..]);
        let active: Vec<bool> = (0..BINS)
            .map(|bin| self.read[bin] + self.written[bin] >= ACTIVE_SHARE * total)
            .collect();
        let bursts = (0..BINS).filter(|&bin| active[bin] && (bin == 0 || !active[bin - 1])).count();
        Some(match (reads_first, writes_last) {
            (true, true) => "read_first_write_last",
            (true, false) => "read_first",
            (false, true) => "write_last",
            _ if bursts >= 3 => "periodic",
            _ if active.iter().filter(|is_active| **is_active).count() >= STEADY_BINS => "steady",
            _ => "bursty",
        })
    }
}

/// Rows of `activity`.
pub fn push(bins: &Bins, at: At, out: &mut TableBuilder) {
    let Some(bin_s) = bins.bin_s else { return };
    for (op, of) in [(Op::Read, &bins.read), (Op::Write, &bins.written)] {
        for (number, bytes) in of.iter().enumerate() {
            let bytes = if bins.is_estimate { to_three_digits(*bytes) } else { *bytes as i64 };
            if bytes > 0 {
                ActivityRow {
                    log_hash: at.log_hash,
                    start_time: at.start,
                    op: op.name(),
                    bin: number as i64,
                    bin_s: to_24_bits(bin_s),
                    bytes,
                    is_estimate: bins.is_estimate,
                }
                .push(out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(read: &[(usize, f64)], written: &[(usize, f64)]) -> Option<&'static str> {
        let mut bins = Bins { bin_s: Some(1.0), has_time: true, ..Bins::default() };
        read.iter().for_each(|(bin, gib)| bins.read[*bin] = gib * 1e9);
        written.iter().for_each(|(bin, gib)| bins.written[*bin] = gib * 1e9);
        bins.temporal_class()
    }

    #[test]
    fn jobs_have_a_temporal_class() {
        assert_eq!(of(&[(0, 4.0)], &[]), Some("read_first"));
        assert_eq!(of(&[(0, 4.0)], &[(15, 1.0)]), Some("read_first_write_last"));
        assert_eq!(of(&[], &[(3, 1.0), (7, 1.0), (11, 1.0)]), Some("periodic"));
        assert_eq!(of(&[], &[(3, 1.0), (4, 1.0)]), Some("bursty"));
        assert_eq!(of(&[(0, 0.001)], &[]), Some("none"));
        let steady: Vec<(usize, f64)> = (0..16).map(|bin| (bin, 1.0)).collect();
        assert_eq!(of(&steady, &[]), Some("steady"));
    }

    #[test]
    fn bytes_are_spread_over_the_bins_of_a_span() {
        let mut bins = [0.0; BINS];
        spread((0.5, 2.5), 8.0, 1.0, &mut bins);
        assert_eq!(bins[..4], [2.0, 4.0, 2.0, 0.0]);
        let mut bins = [0.0; BINS];
        spread((-5.0, 100.0), 16.0, 1.0, &mut bins);
        assert_eq!(bins, [1.0; BINS]);
    }
}
