//! Which rank delayed a phase, and how long the others waited.
//!
//! What a straggler costs is the time from when half of the ranks were done
//! to when the last was, not the ratio of two ranks: a rank may move more
//! bytes than others and delay no rank. Ranks are compared with their peers
//! only: of several groups in a phase, with those that spend the most time.

use super::count;
use super::phases::{Phase, Phases, RankPart};
use crate::peers::Peers;
use crate::rows;
use diya_model::median;
use diya_tables::TableBuilder;

/// Rows of table `phase_straggler`: phases of at least two ranks.
pub(crate) fn write(phases: &Phases, peers: &Peers, table: &mut TableBuilder) {
    for phase in phases.phases.iter().filter(|phase| phase.ranks.len() > 1) {
        if let Some((_, ranks)) = phase.peers(peers).filter(|(_, ranks)| ranks.len() > 1) {
            write_phase(phase, &ranks, table);
        }
    }
}

fn write_phase(phase: &Phase, ranks: &[RankPart], table: &mut TableBuilder) {
    let by = |of: fn(&RankPart) -> f64| {
        let most = ranks.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
        let least = ranks.iter().min_by(|a, b| of(a).total_cmp(&of(b)));
        most.zip(least)
    };
    let Some((slowest, fastest)) = by(|part| part.io_s) else { return };
    let Some((last, _)) = by(|part| part.last_s) else { return };
    let mean_s = ranks.iter().map(|part| part.io_s).sum::<f64>() / ranks.len() as f64;
    let median_of = |of: fn(&RankPart) -> f64| {
        median(&mut ranks.iter().map(of).collect::<Vec<f64>>()).unwrap_or(0.0)
    };
    let median_end_s = median_of(|part| part.last_s);
    rows::PhaseStraggler {
        log: phase.log,
        layer: phase.layer.name(),
        phase: phase.number,
        ranks: count(ranks.len()),
        slowest_rank: slowest.rank,
        slowest_io_s: slowest.io_s,
        slowest_bytes: slowest.bytes,
        slowest_longest_s: slowest.longest_s,
        slowest_longest_bytes: slowest.longest_bytes,
        fastest_rank: fastest.rank,
        fastest_io_s: fastest.io_s,
        median_io_s: median_of(|part| part.io_s),
        mean_io_s: mean_s,
        imbalance_ratio: (mean_s > 0.0).then(|| slowest.io_s / mean_s),
        last_rank: last.rank,
        last_end_s: last.last_s,
        median_end_s,
        waited_s: last.last_s - median_end_s,
    }
    .push(table);
}
