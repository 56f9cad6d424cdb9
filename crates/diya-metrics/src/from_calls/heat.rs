//! I/O over time from heat maps, for logs without single calls: Darshan keeps
//! the bytes of each layer and rank in some hundred bins of time.
//!
//! A bin is as short as these tables see: phases closer than that are one.

use super::gap::limit_s;
use super::period::Signal;
use crate::rows;
use diya_tables::{BatchSource, TableBuilder, heatmap};
use std::collections::BTreeMap;
use std::sync::Arc;

diya_tables::columns! {
    struct Cells of heatmap {
        log: i32,
        layer: str,
        op: str,
        bin: i32,
        bin_width_s: f64,
        bytes: i64,
    }
}

/// Bytes of all ranks in each bin.
#[derive(Debug, Default)]
struct Map {
    width_s: f64,
    read: Vec<f64>,
    written: Vec<f64>,
}

/// Heat maps of all logs and layers.
#[derive(Debug, Default)]
pub(crate) struct Heat {
    maps: BTreeMap<(i32, String), Map>,
}

impl Heat {
    /// Adds up the ranks.
    pub fn of(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut heat = Self::default();
        for of in Cells::all(tables) {
            let (logs, bins) = (of.log.values(), of.bin.values());
            let (widths, bytes) = (of.bin_width_s.values(), of.bytes.values());
            let (mut row, rows) = (0, of.rows());
            while row < rows {
                // A record is a run of rows in which the bins count up.
                let mut end = row + 1;
                while end < rows && bins[end] > bins[end - 1] {
                    end += 1;
                }
                let map = heat.maps.entry((logs[row], of.layer.value(row).to_owned())).or_default();
                map.add(widths[row], of.op.value(row), &bytes[row..end]);
                row = end;
            }
        }
        heat.maps.retain(|_, map| map.read.iter().chain(&map.written).any(|b| *b > 0.0));
        heat
    }

    /// Rows of table `heatmap_phase`.
    pub fn write_phases(&self, table: &mut TableBuilder) {
        for ((log, layer), map) in &self.maps {
            for (number, phase) in (0..).zip(map.phases()) {
                let sum = |bins: &[f64]| bins[phase.from..phase.to].iter().sum::<f64>() as i64;
                let busy = (phase.from..phase.to).filter(|bin| map.moved(*bin) > 0.0).count();
                rows::HeatmapPhase {
                    log: *log,
                    layer,
                    phase: number,
                    start_s: phase.from as f64 * map.width_s,
                    end_s: phase.to as f64 * map.width_s,
                    duration_s: (phase.to - phase.from) as f64 * map.width_s,
                    busy_s: busy as f64 * map.width_s,
                    pause_before_s: phase.pause_s,
                    bytes_read: sum(&map.read),
                    bytes_written: sum(&map.written),
                    bin_width_s: map.width_s,
                }
                .push(table);
            }
        }
    }

    /// Rows of table `heatmap_period`.
    pub fn write_periods(&self, table: &mut TableBuilder) {
        for ((log, layer), map) in &self.maps {
            let both = map.read.iter().zip(&map.written).map(|(r, w)| r + w).collect();
            let signals =
                [("all", both), ("read", map.read.clone()), ("write", map.written.clone())];
            for (op, samples) in signals {
                let Some(samples) = trimmed(samples) else { continue };
                let length_s = samples.len() as f64 * map.width_s;
                let period = Signal::of(samples, map.width_s).period();
                rows::HeatmapPeriod {
                    log: *log,
                    layer,
                    op,
                    period_s: period.map(|p| p.period_s),
                    confidence_ratio: period.map(|p| p.confidence),
                    periods: period.map(|p| length_s / p.period_s),
                    autocorrelation_ratio: period.map(|p| p.autocorrelation),
                    spectral_ratio: period.map(|p| p.spectral),
                    outlier: period.map(|p| p.outlier),
                    agreement_ratio: period.map(|p| p.agreement),
                    length_s,
                    bin_width_s: map.width_s,
                }
                .push(table);
            }
        }
    }
}

/// Bins from..to with bytes, and the pause before them.
struct ActiveBins {
    from: usize,
    to: usize,
    pause_s: Option<f64>,
}

impl Map {
    fn add(&mut self, width_s: f64, op: &str, bytes: &[i64]) {
        let bins = if op == "read" { &mut self.read } else { &mut self.written };
        if bins.len() < bytes.len() {
            bins.resize(bytes.len(), 0.0);
        }
        for (bin, more) in bins.iter_mut().zip(bytes) {
            *bin += (*more).max(0) as f64;
        }
        self.width_s = self.width_s.max(width_s);
        let most = self.read.len().max(self.written.len());
        self.read.resize(most, 0.0);
        self.written.resize(most, 0.0);
    }

    fn moved(&self, bin: usize) -> f64 {
        self.read[bin] + self.written[bin]
    }

    /// Runs of bins with bytes, joined across pauses that separate none.
    fn phases(&self) -> Vec<ActiveBins> {
        let mut phases: Vec<ActiveBins> = Vec::new();
        for bin in (0..self.read.len()).filter(|bin| self.moved(*bin) > 0.0) {
            match phases.last_mut() {
                Some(last) if last.to == bin => last.to = bin + 1,
                last => {
                    let pause_s = last.map(|last| (bin - last.to) as f64 * self.width_s);
                    phases.push(ActiveBins { from: bin, to: bin + 1, pause_s });
                }
            }
        }
        let mut pauses: Vec<f64> = phases.iter().filter_map(|s| s.pause_s).collect();
        let span_s = phases.last().zip(phases.first());
        let span_s = span_s.map_or(0.0, |(b, a)| (b.to - a.from) as f64 * self.width_s);
        // Half a bin: a pause of one whole bin may be one between phases.
        let limit = limit_s(&mut pauses, span_s, self.width_s / 2.0);
        let mut joined: Vec<ActiveBins> = Vec::new();
        for bins in phases {
            let is_new = bins.pause_s.is_none_or(|p| limit.is_some_and(|limit| p >= limit));
            match joined.last_mut() {
                Some(last) if !is_new => last.to = bins.to,
                _ => joined.push(bins),
            }
        }
        joined
    }
}

/// From the first bin with bytes to the last; nothing when none has any.
fn trimmed(samples: Vec<f64>) -> Option<Vec<f64>> {
    let first = samples.iter().position(|s| *s > 0.0)?;
    let last = samples.iter().rposition(|s| *s > 0.0)?;
    Some(samples[first..=last].to_vec())
}
