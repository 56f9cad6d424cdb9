//! The critical path: what a job wins when calls get faster.
//!
//! Ranks wait for each other, but no log says where. The two ends of what a
//! fix saves follow from the two ends of that: ranks meet at the end of each
//! I/O phase and at each shared file (most), or only at the end of the job
//! (least). Ranks that take turns are one path: there all savings add up.

use super::load::Load;
use super::range::Range;
use crate::hash::HashMap;
use diya_tables::Layer;

/// A phase of a layer; records without phases are one of their own.
type Phase = (Layer, i32);

/// Time of each rank.
#[derive(Debug, Default)]
struct Ranks {
    /// Rank and seconds, in order of the ranks.
    by_rank: Vec<(i32, f64)>,
    /// The same, most seconds first.
    most_first: Vec<(f64, i32)>,
}

impl Ranks {
    fn of(times: HashMap<i32, f64>) -> Self {
        let mut by_rank: Vec<(i32, f64)> = times.into_iter().collect();
        by_rank.sort_unstable_by_key(|(rank, _)| *rank);
        let mut most_first: Vec<(f64, i32)> = by_rank.iter().map(|(r, s)| (*s, *r)).collect();
        most_first.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Self { by_rank, most_first }
    }

    fn most_s(&self) -> f64 {
        self.most_first.first().map_or(0.0, |(s, _)| *s)
    }

    /// How much less the slowest rank takes when some ranks take this much less:
    /// each once, in order of the ranks.
    fn gain_s(&self, saved: &[(i32, f64)]) -> f64 {
        let rest_s = |rank: i32, s: f64| {
            let at = self.by_rank.binary_search_by_key(&rank, |(rank, _)| *rank);
            (at.map_or(0.0, |at| self.by_rank[at].1) - s).max(0.0)
        };
        let changed_s = saved.iter().map(|(rank, s)| rest_s(*rank, *s)).fold(0.0, f64::max);
        let is_changed = |rank: &i32| saved.binary_search_by_key(rank, |(rank, _)| *rank).is_ok();
        let mut others = self.most_first.iter().filter(|(_, rank)| !is_changed(rank));
        let others_s = others.next().map_or(0.0, |(s, _)| *s);
        (self.most_s() - changed_s.max(others_s)).max(0.0)
    }
}

/// What ranks save, each once: entries of the same rank follow each other.
fn by_rank(saved: &[(Phase, i32, Range)], of: fn(Range) -> f64) -> Vec<(i32, f64)> {
    let of_rank = saved.chunk_by(|a, b| a.1 == b.1);
    of_rank.map(|all| (all[0].1, all.iter().map(|(.., saved)| of(*saved)).sum())).collect()
}

/// Where the time of some loads stands on the critical path.
#[derive(Debug, Default)]
pub(crate) struct Path {
    phases: HashMap<Phase, Ranks>,
    whole: Ranks,
    ranks: f64,
    limit_s: f64,
}

impl Path {
    /// The path of loads that do not contain each other. `nprocs`: ranks of the
    /// job; `limit_s`: run time of the job.
    pub fn of<'l>(
        loads: impl Iterator<Item = &'l Load>,
        nprocs: Option<i64>,
        limit_s: Option<f64>,
    ) -> Self {
        let mut phases: HashMap<Phase, HashMap<i32, f64>> = HashMap::default();
        let mut whole: HashMap<i32, f64> = HashMap::default();
        let at_once = |load: &&Load| !load.is_shared() && !load.in_turn && load.total_s > 0.0;
        for load in loads.filter(at_once) {
            let phase = phases.entry((load.layer, load.phase)).or_default();
            *phase.entry(load.rank).or_default() += load.total_s;
            *whole.entry(load.rank).or_default() += load.total_s;
        }
        Self {
            phases: phases.into_iter().map(|(phase, times)| (phase, Ranks::of(times))).collect(),
            whole: Ranks::of(whole),
            ranks: nprocs.unwrap_or(i64::MAX).max(1) as f64,
            limit_s: limit_s.unwrap_or(f64::MAX),
        }
    }

    /// What the job saves when calls of these loads take that much less time:
    /// of a shared load, less in the sum over ranks.
    pub fn gain<'l>(&self, saved: impl Iterator<Item = (&'l Load, Range)>) -> Range {
        let mut of_ranks: Vec<(Phase, i32, Range)> = Vec::new();
        let (mut shared, mut chain) = (Range::ZERO, Range::ZERO);
        for (load, saved) in saved {
            let saved = saved.within(load.total_s + load.pause_s());
            if saved.high <= 0.0 {
                continue;
            }
            if load.in_turn {
                // The next rank starts that much earlier.
                chain = chain + saved;
            } else if load.is_shared() {
                // Every rank its share, or the slowest most of all.
                let mean_s = saved.low / self.ranks;
                shared = shared + Range::new(mean_s, saved.high * load.slowest_ratio);
            } else {
                of_ranks.push(((load.layer, load.phase), load.rank, saved));
            }
        }
        let (mut low_s, mut high_s) = (0.0, 0.0);
        of_ranks.sort_by_key(|(phase, rank, _)| (*phase, *rank));
        for saved in of_ranks.chunk_by(|a, b| a.0 == b.0) {
            let Some(ranks) = self.phases.get(&saved[0].0) else { continue };
            let highs = by_rank(saved, |saved| saved.high);
            high_s += highs.iter().map(|(_, s)| *s).fold(0.0, f64::max);
            low_s += ranks.gain_s(&by_rank(saved, |saved| saved.low));
        }
        of_ranks.sort_by_key(|(_, rank, _)| *rank);
        let apart_s = self.whole.gain_s(&by_rank(&of_ranks, |saved| saved.low));
        let low_s = f64::min(low_s, apart_s) + shared.low + chain.low;
        Range::new(low_s, high_s + shared.high + chain.high).within(self.limit_s)
    }
}
