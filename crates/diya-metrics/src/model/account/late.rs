//! What ranks wait in collective calls until the last rank enters, and for which rank.
//!
//! The first call of each rank on a file belongs to the first round, the second to the
//! second. Where ranks make different numbers of calls, the rounds are not known.

use crate::from_calls::{Call, Calls, Stream};
use crate::hash::HashMap;
use diya_tables::Op;

/// Calls that ranks make together: log, file and kind of call.
type Key = (i32, u64, Op);

/// When each rank enters its collective calls.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    /// The last entry of each round, and its rank.
    last: HashMap<Key, Vec<(f64, i32)>>,
    /// Entries of each rank, in order.
    entries: HashMap<(Key, i32), Vec<f64>>,
}

impl Arrivals {
    /// Of the streams that `is_together` names by their number.
    pub fn of(calls: &Calls, is_together: impl Fn(usize) -> bool) -> Self {
        let mut entries: HashMap<(Key, i32), Vec<f64>> = HashMap::default();
        let is_asked = |stream: usize| calls.streams.get(stream).is_some_and(is_collective);
        calls.each_of(
            |stream| is_asked(stream) && is_together(stream),
            |call| {
                let stream = calls.stream(call);
                entries.entry((key(stream), stream.rank)).or_default().push(call.start_s);
            },
        );
        entries.values_mut().for_each(|starts| starts.sort_by(f64::total_cmp));
        let mut of_files: HashMap<Key, Vec<(i32, &[f64])>> = HashMap::default();
        for ((key, rank), starts) in &entries {
            of_files.entry(*key).or_default().push((*rank, starts));
        }
        let known = of_files.into_iter().filter(|(_, ranks)| {
            ranks.len() > 1 && ranks.iter().all(|(_, starts)| starts.len() == ranks[0].1.len())
        });
        let last = known.map(|(key, ranks)| (key, last_of_rounds(&ranks))).collect();
        Self { last, entries }
    }

    /// Seconds of a call until the last rank enters, and that rank; `None`: the rounds are
    /// not known.
    pub fn wait(&self, stream: &Stream, call: &Call) -> Option<(f64, i32)> {
        if self.last.is_empty() || !is_collective(stream) {
            return None;
        }
        let last = self.last.get(&key(stream))?;
        let starts = self.entries.get(&(key(stream), stream.rank))?;
        let (last_s, rank) = last.get(starts.partition_point(|start| *start < call.start_s))?;
        Some(((call.end_s.min(*last_s) - call.start_s).max(0.0), *rank))
    }
}

fn key(stream: &Stream) -> Key {
    (stream.log, stream.file_id, stream.op)
}

/// Whether MPI lets all ranks make such a call together: seeks and questions are made alone.
fn is_collective(stream: &Stream) -> bool {
    let together =
        [Op::Read, Op::Write, Op::Open, Op::Close, Op::Sync, Op::View, Op::Truncate, Op::Allocate];
    stream.layer == diya_tables::Layer::Mpiio
        && together.contains(&stream.op)
        && stream.is_collective != Some(false)
}

/// Of as many entries of each rank the last of each round; of equal ones the lowest rank.
fn last_of_rounds(ranks: &[(i32, &[f64])]) -> Vec<(f64, i32)> {
    let rounds = ranks.first().map_or(0, |(_, starts)| starts.len());
    let last = |round: usize| {
        let entries = ranks.iter().filter_map(|(rank, starts)| Some((*starts.get(round)?, *rank)));
        entries.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
    };
    (0..rounds).filter_map(last).collect()
}
