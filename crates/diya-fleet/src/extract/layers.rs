//! What each layer did in a job.

use super::At;
use super::log_facts::{LAYERS, LogFacts};
use super::usage::{Use, sum};
use crate::generated::{JobLayerRow, metric};
use crate::round::to_16_bits;
use diya::model::Layer;
use diya_tables::TableBuilder;
use std::collections::HashMap;

/// Rows of `job_layer`.
pub fn push(log: &LogFacts, at: At, out: &mut TableBuilder) {
    for (layer, _) in LAYERS {
        let uses: Vec<&Use> = log.uses.iter().filter(|u| u.layer == Some(layer)).collect();
        if uses.is_empty() {
            continue;
        }
        // Ranks of files, each once, those of a file side by side.
        let mut ranks: Vec<(u64, i32)> = uses.iter().map(|u| (u.file_id, u.rank)).collect();
        ranks.sort_unstable();
        ranks.dedup();
        let files = || ranks.chunk_by(|a, b| a.0 == b.0);
        let is_single = log.nprocs == Some(1);
        let is_shared = |ranks: &&[(u64, i32)]| {
            ranks.len() > 1 || (ranks.iter().any(|(_, rank)| *rank < 0) && !is_single)
        };
        let collective = || {
            let of = [metric::MPIIO_COLLECTIVE_READS, metric::MPIIO_COLLECTIVE_WRITES];
            sum(of.map(|column| log.sums.get(column))).unwrap_or(0)
        };
        let time = |value: Option<f64>| value.map(to_16_bits);
        JobLayerRow {
            log_hash: at.log_hash,
            start_time: at.start,
            layer: layer.name(),
            files: files().count() as i64,
            files_shared: files().filter(is_shared).count() as i64,
            opens: sum(uses.iter().map(|u| u.opens)),
            reads: sum(uses.iter().map(|u| u.reads)),
            writes: sum(uses.iter().map(|u| u.writes)),
            collective_calls: (layer == Layer::Mpiio).then(collective),
            bytes_read: sum(uses.iter().map(|u| u.bytes_read)),
            bytes_written: sum(uses.iter().map(|u| u.bytes_written)),
            read_s: time(sum(uses.iter().map(|u| u.read_s))),
            write_s: time(sum(uses.iter().map(|u| u.write_s))),
            metadata_s: time(sum(uses.iter().map(|u| u.metadata_s))),
            slowest_s: time(slowest_s(uses.iter().copied())),
        }
        .push(out);
    }
}

/// The most time that a rank spent in files of its own, plus for each file of all ranks
/// the time of the slowest.
pub fn slowest_s<'u>(uses: impl Iterator<Item = &'u Use>) -> Option<f64> {
    let (mut own, mut shared): (HashMap<i32, f64>, Option<f64>) = (HashMap::new(), None);
    for of in uses {
        if of.rank < 0 {
            shared = sum([shared, of.slowest_s()]);
        } else if let Some(time_s) = of.time_s() {
            *own.entry(of.rank).or_insert(0.0) += time_s;
        }
    }
    sum([own.into_values().reduce(f64::max), shared])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_rank_counts_with_the_shared_files() {
        let own = |rank, read_s| Use { rank, read_s: Some(read_s), ..Use::default() };
        let uses = [own(0, 1.0), own(1, 2.0), own(1, 3.0), own(-1, 4.0)];
        assert_eq!(slowest_s(uses.iter()), Some(9.0));
        assert_eq!(slowest_s([].iter()), None);
    }
}
