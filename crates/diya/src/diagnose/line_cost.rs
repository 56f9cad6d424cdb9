//! What a source line costs, and which lines its function is called from.

use super::beside_calls::CALLS;
use diya_report::{Caller, SourceLine};
use std::collections::BTreeMap;

/// What stands between two callers of a line in metric `user_frame`.
const BETWEEN: &str = " < ";

/// Share of the line below which a caller is not named.
const NAMED_SHARE: f64 = 0.02;

/// Callers that a line names.
const NAMED: usize = 4;

/// Calls of a line, by the lines around it.
#[derive(Debug, Default)]
pub(super) struct LineCost {
    /// Whole name of the function.
    pub symbol: Option<String>,
    by_callers: BTreeMap<String, (i64, f64)>,
}

impl LineCost {
    /// Adds calls made below these callers.
    pub fn add(&mut self, callers: String, calls: i64, time_s: f64) {
        let sum = self.by_callers.entry(callers).or_default();
        *sum = (sum.0.saturating_add(calls), sum.1 + time_s);
    }

    /// Seconds of all of it.
    pub fn time_s(&self) -> f64 {
        self.by_callers.values().map(|sum| sum.1).sum()
    }

    /// The line with its sums, in a layer.
    pub fn line(self, source: String, layer: &str) -> SourceLine {
        let sums = || self.by_callers.values();
        let named = source.split(" (").next().unwrap_or_default();
        SourceLine {
            layer: layer.to_owned(),
            calls: sums().map(|sum| sum.0).sum(),
            time_s: sums().map(|sum| sum.1).sum(),
            callers: self.callers(at(&source)),
            symbol: self.symbol.filter(|symbol| symbol != named),
            source,
        }
    }

    /// The nearest callers that differ: a wrapper that one line calls is passed over, and so is the
    /// line itself, which a comprehension of Python is called from.
    fn callers(&self, own: &str) -> Vec<Caller> {
        let has_times = self.by_callers.values().any(|sum| sum.1 > 0.0);
        let weight = |sum: &(i64, f64)| if has_times { sum.1 } else { sum.0 as f64 };
        let all: f64 = self.by_callers.values().map(weight).sum();
        let mut chains: Vec<(Vec<&str>, f64)> = self
            .by_callers
            .iter()
            .filter(|(callers, _)| !callers.is_empty())
            .map(|(callers, sum)| {
                let chain = callers.split(BETWEEN).skip_while(|caller| at(caller) == own);
                (chain.collect::<Vec<&str>>(), weight(sum))
            })
            .collect();
        for level in 0.. {
            let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
            for (chain, weight) in &chains {
                if let Some(caller) = chain.get(level) {
                    *sums.entry(caller).or_default() += weight;
                }
            }
            sums.retain(|_, weight| *weight >= NAMED_SHARE * all);
            if sums.len() > 1 {
                let share = |(source, weight): (&str, f64)| Caller {
                    source: source.to_owned(),
                    share: weight / all,
                };
                let mut callers: Vec<Caller> = sums.into_iter().map(share).collect();
                callers.sort_by(|a, b| b.share.total_cmp(&a.share));
                callers.truncate(NAMED);
                return callers;
            }
            let Some(only) = sums.into_keys().next() else { break };
            chains.retain(|(chain, _)| chain.get(level) == Some(&only));
        }
        // Of a function that one place calls, what has to change is often that place.
        let nearest = chains.first().and_then(|(chain, _)| chain.first());
        nearest.map(|of| Caller { source: (*of).to_owned(), share: 1.0 }).into_iter().collect()
    }
}

/// `file:line)` of a line: `f (a.py:3), calls read`.
fn at(source: &str) -> &str {
    let line = source.split(CALLS).next().unwrap_or_default();
    line.rsplit_once('(').map_or(line, |(_, at)| at.rsplit('/').next().unwrap_or(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn callers(chains: &[(&str, i64, f64)]) -> Vec<(String, f64)> {
        let mut cost = LineCost::default();
        for (callers, calls, time_s) in chains {
            cost.add((*callers).to_owned(), *calls, *time_s);
        }
        let line = cost.line("put (set.f90:3)".to_owned(), "posix");
        line.callers.into_iter().map(|caller| (caller.source, caller.share)).collect()
    }

    #[test]
    fn a_line_is_not_called_from_itself() {
        let chains = [("put (/home/me/set.f90:3) < main (/home/me/set.f90:9)", 4, 1.0)];
        assert_eq!(callers(&chains), [("main (/home/me/set.f90:9)".to_owned(), 1.0)]);
    }

    #[test]
    fn a_helper_names_the_places_that_call_it() {
        let found =
            callers(&[("a (m.c:1)", 10, 3.0), ("b (m.c:9)", 90, 1.0), ("c (m.c:12)", 1, 0.01)]);
        let share = |at: usize| (found[at].1 * 100.0).round();
        assert_eq!(found.len(), 2, "the third one is less than 2 %");
        assert_eq!((found[0].0.as_str(), share(0), share(1)), ("a (m.c:1)", 75.0, 25.0));
    }

    #[test]
    fn a_wrapper_around_a_wrapper_is_passed_over() {
        let found =
            callers(&[("put (m.c:2) < a (m.c:20)", 1, 1.0), ("put (m.c:2) < b (m.c:30)", 1, 1.0)]);
        let names: Vec<&str> = found.iter().map(|(source, _)| source.as_str()).collect();
        assert_eq!(names, ["a (m.c:20)", "b (m.c:30)"]);
    }

    #[test]
    fn one_caller_is_the_nearest() {
        let found = callers(&[("find (m.c:1) < main (m.c:9)", 1, 1.0)]);
        assert_eq!(found, [("find (m.c:1)".to_owned(), 1.0)]);
        assert!(callers(&[("", 1, 1.0)]).is_empty());
    }

    #[test]
    fn without_times_calls_are_the_share() {
        let found = callers(&[("a (m.c:1)", 30, 0.0), ("b (m.c:9)", 10, 0.0)]);
        assert_eq!(found[0], ("a (m.c:1)".to_owned(), 0.75));
    }
}
