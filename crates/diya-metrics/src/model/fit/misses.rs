//! Reads that a cache answers, but for some: most of their time may be in the few that come
//! from the storage.

use super::{Group, MEMORY_BYTE_S, MEMORY_S};

/// So many times what memory takes at most shows that something else served the request.
const SLOWER: f64 = 2.0;

/// Share of the requests from which on they are misses: a process that loses the processor in
/// the middle of a call (once in some milliseconds) makes fewer calls slow.
const MANY: f64 = 0.01;

/// Share of the time that is in requests which no memory served; 0 where they are few.
pub(super) fn ratio(groups: &[Group], sizes: &[f64]) -> f64 {
    let (mut calls, mut missed, mut time_s, mut missed_s) = (0.0, 0.0, 0.0, 0.0);
    for (group, size) in groups.iter().zip(sizes) {
        let most_s = SLOWER * (MEMORY_S + size * MEMORY_BYTE_S);
        let each = group.calls / group.durations_s.len().max(1) as f64;
        for duration_s in group.durations_s.iter().map(|s| f64::from(*s)) {
            let is_missed = duration_s > most_s;
            calls += each;
            time_s += each * duration_s;
            missed += if is_missed { each } else { 0.0 };
            missed_s += if is_missed { each * duration_s } else { 0.0 };
        }
    }
    if time_s > 0.0 && missed >= MANY * calls { missed_s / time_s } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::Sizes;

    fn missed(slow: i64) -> f64 {
        let mut sizes = Sizes::default();
        for at in 0..1000 {
            sizes.add(1, 88, if at < slow { 50e-6 } else { 0.6e-6 });
        }
        sizes.fit(false).expect("there are requests").missed_ratio
    }

    #[test]
    fn reads_from_the_storage_among_those_from_a_cache_are_most_of_the_time() {
        assert!((missed(25) - 0.68).abs() < 0.01, "{}", missed(25));
        assert_eq!(missed(5), 0.0);
    }
}
