//! What fixing all findings together saves.
//!
//! Findings see the same calls from several sides: many small reads are often
//! random reads and reads of the same bytes. So the seconds of one class of
//! calls in one file count once, those of the finding that holds the most of
//! them; and no class saves more than it takes in the account of time
//! (docs/reference/lost-time.md).

use std::collections::BTreeMap;

use crate::Recoverable;
use crate::class::{CHILD, DECODING, MAKING, RUN, is_beside};

/// Metrics that the verdicts themselves are made of, whatever checks need.
pub const METRICS_NEEDED: &[&str] = &["time_account", "explained", "peer_group", "recording_time"];

/// Where the estimate lies between the least and the most that a fix can save.
/// Measured gains (lab/gains/lost-time-validation.md) lie near the upper end: with four
/// fifths of the way 56 of 65 are within a factor of 2, with the middle 48.
const ESTIMATE: f64 = 0.8;

/// How many times the low end the high one is at most, unless a fix may save nothing.
const WIDEST: f64 = 3.0;

/// A part of what one finding can win.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// Class of the calls; `None`: of several.
    pub class: Option<String>,
    /// File they are in; `None`: of several.
    pub file_id: Option<u64>,
    pub low_s: f64,
    /// The best estimate.
    pub saved_s: f64,
    pub high_s: f64,
}

/// Seconds that a fix saves: at least, the best estimate, at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Saved {
    pub low_s: f64,
    pub saved_s: f64,
    pub high_s: f64,
}

impl Saved {
    /// From the least and the most. A least of nothing is kept where it `may_be_zero`
    /// for a reason; elsewhere it only means that the log has no bound.
    pub fn of(low_s: f64, high_s: f64, may_be_zero: bool) -> Self {
        let high_s = high_s.max(0.0);
        let low_s = low_s.clamp(0.0, high_s);
        let saved_s = low_s + ESTIMATE * (high_s - low_s);
        let low_s = if may_be_zero { low_s } else { low_s.max(high_s / WIDEST) };
        Self { low_s: low_s.min(saved_s), saved_s, high_s }
    }
}

/// What a finding saves of each class and in all: at least the most of its
/// rows, which can be about the same seconds, at most their sum.
pub(crate) fn of_finding(parts: &[Part], limit: impl Fn(Option<&str>) -> f64) -> Saved {
    let of = |seconds: fn(&Part) -> f64| {
        let mut classes: BTreeMap<Option<&str>, f64> = BTreeMap::new();
        for part in parts {
            *classes.entry(part.class.as_deref()).or_default() += seconds(part);
        }
        let sum_s: f64 = classes.into_iter().map(|(class, s)| s.min(limit(class))).sum();
        sum_s.min(all_s(parts, &limit)).max(0.0)
    };
    let (saved_s, high_s) = (of(|part| part.saved_s), of(|part| part.high_s));
    let low_s = parts.iter().map(|part| part.low_s).fold(0.0, f64::max);
    let low_s = if parts.iter().all(is_narrow) { low_s.max(high_s / WIDEST) } else { low_s };
    Saved { low_s: low_s.min(saved_s), saved_s, high_s }
}

/// What parts can save at most: the I/O, and where one is about programs that were started or
/// about decoding, also the time beside it.
pub(crate) fn all_s<'p>(
    parts: impl IntoIterator<Item = &'p Part>,
    limit: impl Fn(Option<&str>) -> f64,
) -> f64 {
    let has_more = |part: &Part| is_beside(part.class.as_deref());
    let beside_s = if parts.into_iter().any(has_more) { limit(Some(CHILD)) } else { 0.0 };
    limit(None) + beside_s
}

/// Whether the range of a part is at most [`WIDEST`] wide. A sum of such parts is as narrow
/// as each of them.
fn is_narrow(part: &Part) -> bool {
    part.low_s * WIDEST >= part.high_s * 0.99
}

/// What all findings of a log save together; `None`: nothing that can be quantified.
pub(crate) fn of_all(
    findings: impl Iterator<Item = Vec<Part>>,
    limit: impl Fn(Option<&str>) -> f64,
) -> Option<Recoverable> {
    let findings: Vec<Vec<Part>> = findings.collect();
    let Saved { low_s, saved_s, high_s } = union(&findings, limit)?;
    let (saved_s, lost_low_s, lost_high_s) = (Some(saved_s), Some(low_s), Some(high_s));
    Some(Recoverable { saved_s, lost_low_s, lost_high_s })
}

/// Seconds that two findings both are about, by the best estimate.
pub(crate) fn shared_s(a: &[Part], b: &[Part], limit: impl Fn(Option<&str>) -> f64) -> f64 {
    let of = |parts: &[Vec<Part>]| union_of(parts, |part| part.saved_s, &limit);
    let (a, b) = (a.to_vec(), b.to_vec());
    let each_s = of(std::slice::from_ref(&a)) + of(std::slice::from_ref(&b));
    (each_s - of(&[a, b])).max(0.0)
}

fn union(findings: &[Vec<Part>], limit: impl Fn(Option<&str>) -> f64) -> Option<Saved> {
    if findings.iter().all(Vec::is_empty) {
        return None;
    }
    let high_s = union_of(findings, |part| part.high_s, &limit);
    let saved_s = union_of(findings, |part| part.saved_s, &limit).min(high_s);
    let low_s = least(findings, &limit);
    let narrow: Vec<Vec<Part>> = findings
        .iter()
        .map(|parts| parts.iter().filter(|part| is_narrow(part)).cloned().collect())
        .collect();
    let low_s = low_s.max(union_of(&narrow, |part| part.high_s, &limit) / WIDEST);
    Some(Saved { low_s: low_s.min(saved_s), saved_s, high_s })
}

/// What all fixes save at least: within one class parts can be about the same seconds, of
/// several files, too, since processes work side by side; seconds of two classes are different.
fn least(findings: &[Vec<Part>], limit: impl Fn(Option<&str>) -> f64) -> f64 {
    let mut classes: BTreeMap<Option<&str>, f64> = BTreeMap::new();
    for part in findings.iter().flatten() {
        let most = classes.entry(part.class.as_deref()).or_default();
        *most = most.max(part.low_s);
    }
    sum_of_classes(classes, limit)
}

fn union_of(
    findings: &[Vec<Part>],
    seconds: fn(&Part) -> f64,
    limit: impl Fn(Option<&str>) -> f64,
) -> f64 {
    let (mut files, mut wide) = (BTreeMap::new(), BTreeMap::new());
    for parts in findings {
        // Rows of one finding about one file and class are different seconds;
        // rows of different findings may be the same.
        let (mut of_files, mut of_wide) = (BTreeMap::new(), BTreeMap::new());
        for part in parts {
            let class = part.class.as_deref();
            match part.file_id {
                Some(file) => *of_files.entry((class, file)).or_insert(0.0) += seconds(part),
                None => *of_wide.entry(class).or_insert(0.0) += seconds(part),
            }
        }
        for (key, s) in of_files {
            let most = files.entry(key).or_insert(0.0f64);
            *most = most.max(s);
        }
        for (key, s) in of_wide {
            let most = wide.entry(key).or_insert(0.0f64);
            *most = most.max(s);
        }
    }
    let mut classes: BTreeMap<Option<&str>, f64> = BTreeMap::new();
    for ((class, _), s) in files {
        *classes.entry(class).or_default() += s;
    }
    for (class, s) in wide {
        let most = classes.entry(class).or_default();
        *most = most.max(s);
    }
    sum_of_classes(classes, limit)
}

fn sum_of_classes(
    mut classes: BTreeMap<Option<&str>, f64>,
    limit: impl Fn(Option<&str>) -> f64,
) -> f64 {
    // Seconds of several classes may be those of any one of them.
    let any_s = classes.remove(&None).unwrap_or(0.0);
    let run_s = classes.remove(&Some(RUN)).unwrap_or(0.0);
    let beside_s: f64 =
        [CHILD, DECODING, MAKING].iter().filter_map(|class| classes.remove(&Some(class))).sum();
    let beside_s = beside_s.min(limit(Some(CHILD)));
    let of_classes: f64 = classes.into_iter().map(|(class, s)| s.min(limit(class))).sum();
    of_classes.max(any_s).max(run_s).min(limit(None)).max(0.0) + beside_s.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(class: &str, file: u64, low_s: f64, high_s: f64) -> Part {
        let class = (!class.is_empty()).then(|| class.to_owned());
        Part { class, file_id: (file > 0).then_some(file), low_s, saved_s: high_s, high_s }
    }

    fn ends(saved: Option<Saved>) -> Option<(f64, f64)> {
        saved.map(|saved| (saved.low_s, saved.high_s))
    }

    fn no_limit(_: Option<&str>) -> f64 {
        f64::INFINITY
    }

    #[test]
    fn seconds_of_one_class_in_one_file_count_once() {
        let small = vec![part("read", 1, 1.0, 5.0), part("read", 2, 0.0, 2.0)];
        let again = vec![part("read", 1, 3.0, 4.0)];
        assert_eq!(ends(union(&[small, again], no_limit)), Some((3.0, 7.0)));
    }

    #[test]
    fn a_finding_about_all_files_holds_those_of_each() {
        let each = vec![part("read", 1, 0.0, 5.0), part("read", 2, 0.0, 2.0)];
        assert_eq!(
            ends(union(&[each.clone(), vec![part("read", 0, 0.0, 6.0)]], no_limit)),
            Some((0.0, 7.0))
        );
        assert_eq!(
            ends(union(&[each, vec![part("read", 0, 0.0, 9.0)]], no_limit)),
            Some((0.0, 9.0))
        );
    }

    #[test]
    fn classes_add_up_as_far_as_the_critical_path_goes() {
        let reads = vec![part("read", 1, 2.0, 5.0)];
        let writes = vec![part("write", 1, 1.0, 4.0)];
        let both = [reads, writes];
        assert_eq!(ends(union(&both, no_limit)), Some((3.0, 9.0)));
        let limit = |class: Option<&str>| if class == Some("write") { 3.0 } else { 7.5 };
        assert_eq!(ends(union(&both, limit)), Some((3.0, 7.5)));
    }

    #[test]
    fn seconds_of_any_class_may_be_those_already_counted() {
        let all = [vec![part("read", 1, 0.0, 5.0)], vec![part("", 0, 0.0, 4.0)]];
        assert_eq!(ends(union(&all, no_limit)), Some((0.0, 5.0)));
        assert_eq!(ends(union(&[Vec::new()], no_limit)), None);
    }

    #[test]
    fn seconds_beside_the_calls_are_no_more_than_all_io() {
        let sent = vec![part("run", 0, 1.0, 8.0)];
        assert_eq!(ends(Some(of_finding(&sent, |_| 6.0))), Some((1.0, 6.0)));
        let reads = vec![part("read", 1, 2.0, 5.0)];
        assert_eq!(ends(union(&[reads, sent], |_| 9.0)), Some((2.0, 8.0)));
    }

    #[test]
    fn the_estimate_lies_near_the_upper_end_and_the_low_end_at_a_third() {
        let of = |low_s, high_s, may_be_zero| {
            let Saved { low_s, saved_s, high_s } = Saved::of(low_s, high_s, may_be_zero);
            [low_s, saved_s, high_s]
        };
        assert_eq!(of(0.0, 3.0, false), [1.0, 2.4000000000000004, 3.0]);
        assert_eq!(of(2.0, 3.0, false), [2.0, 2.8, 3.0]);
        assert_eq!(of(0.0, 3.0, true), [0.0, 2.4000000000000004, 3.0]);
    }

    #[test]
    fn the_sum_of_narrow_ranges_is_narrow() {
        let of_files: Vec<Part> = (1..=9).map(|file| part("read", file, 0.4, 1.0)).collect();
        assert_eq!(ends(Some(of_finding(&of_files, no_limit))), Some((3.0, 9.0)));
        assert_eq!(ends(union(&[of_files], no_limit)), Some((3.0, 9.0)));
        let open = vec![part("write", 1, 0.0, 9.0), part("read", 1, 0.4, 0.9)];
        assert_eq!(ends(Some(of_finding(&open, no_limit))), Some((0.4, 9.9)));
    }

    #[test]
    fn files_of_many_ranks_win_no_more_than_the_path() {
        let of_ranks: Vec<Part> = (1..=100).map(|file| part("sync", file, 0.5, 1.0)).collect();
        let limit = |class: Option<&str>| if class.is_some() { 1.0 } else { 8.0 };
        assert_eq!(ends(Some(of_finding(&of_ranks, limit))), Some((0.5, 1.0)));
    }
}
