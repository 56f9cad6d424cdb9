//! The critical path: what a job wins when calls get faster.
//!
//! Ranks wait for each other, but no log says where. The two ends of what a
//! fix wins follow from the two ends of that: ranks meet at the end of each
//! I/O phase and at each shared file (most), or only at the end of the job
//! (least).

use super::load::Load;
use super::range::Range;
use diya_tables::Layer;
use std::collections::{BTreeMap, HashMap};

/// A phase of a layer; records without phases are one of their own.
type Phase = (Layer, i32);

/// Time of each rank, most first.
#[derive(Debug, Default)]
struct Ranks {
    sorted: Vec<(f64, i32)>,
}

impl Ranks {
    fn of(times: &HashMap<i32, f64>) -> Self {
        let mut sorted: Vec<(f64, i32)> = times.iter().map(|(rank, s)| (*s, *rank)).collect();
        sorted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Self { sorted }
    }

    fn most_s(&self) -> f64 {
        self.sorted.first().map_or(0.0, |(s, _)| *s)
    }

    /// How much less the slowest rank takes when some ranks take this much less.
    fn gain_s(&self, saved: &HashMap<i32, f64>, times: &HashMap<i32, f64>) -> f64 {
        let rest = |rank: &i32, s: &f64| (times.get(rank).copied().unwrap_or(0.0) - s).max(0.0);
        let changed_s = saved.iter().map(|(rank, s)| rest(rank, s)).fold(0.0, f64::max);
        let mut others = self.sorted.iter().filter(|(_, rank)| !saved.contains_key(rank));
        let others_s = others.next().map_or(0.0, |(s, _)| *s);
        (self.most_s() - changed_s.max(others_s)).max(0.0)
    }
}

/// Where the time of some loads stands on the critical path.
#[derive(Debug, Default)]
pub(crate) struct Path {
    phases: HashMap<Phase, (HashMap<i32, f64>, Ranks)>,
    whole: (HashMap<i32, f64>, Ranks),
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
        let mut path = Self {
            ranks: nprocs.unwrap_or(i64::MAX).max(1) as f64,
            limit_s: limit_s.unwrap_or(f64::MAX),
            ..Self::default()
        };
        for load in loads.filter(|load| !load.is_shared() && load.total_s > 0.0) {
            let phase = &mut path.phases.entry((load.layer, load.phase)).or_default().0;
            *phase.entry(load.rank).or_default() += load.total_s;
            *path.whole.0.entry(load.rank).or_default() += load.total_s;
        }
        for (times, ranks) in path.phases.values_mut() {
            *ranks = Ranks::of(times);
        }
        path.whole.1 = Ranks::of(&path.whole.0);
        path
    }

    /// What the job wins when calls of these loads take that much less time:
    /// of a shared load, less in the sum over ranks.
    pub fn gain<'l>(&self, saved: impl Iterator<Item = (&'l Load, Range)>) -> Range {
        let mut phases: BTreeMap<Phase, HashMap<i32, Range>> = BTreeMap::new();
        let mut whole: HashMap<i32, f64> = HashMap::new();
        let mut shared = Range::ZERO;
        for (load, saved) in saved {
            let saved = saved.within(load.total_s + load.pause_s());
            if load.is_shared() {
                // Every rank its share, or the slowest most of all.
                let mean_s = saved.low / self.ranks;
                shared = shared + Range::new(mean_s, saved.high * load.slowest_ratio);
            } else {
                let phase = phases.entry((load.layer, load.phase)).or_default();
                let sum = phase.entry(load.rank).or_default();
                *sum = *sum + saved;
                *whole.entry(load.rank).or_default() += saved.low;
            }
        }
        let (mut low_s, mut high_s) = (0.0, 0.0);
        for (phase, saved) in &phases {
            let Some((times, ranks)) = self.phases.get(phase) else { continue };
            high_s += saved.values().map(|s| s.high).fold(0.0, f64::max);
            let lows = saved.iter().map(|(rank, s)| (*rank, s.low)).collect();
            low_s += ranks.gain_s(&lows, times);
        }
        let apart_s = self.whole.1.gain_s(&whole, &self.whole.0);
        let low_s = f64::min(low_s, apart_s) + shared.low;
        Range::new(low_s, high_s + shared.high).within(self.limit_s)
    }
}
