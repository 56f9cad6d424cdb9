//! What fixing all findings together would win.
//!
//! Findings see the same calls from several sides: many small reads are often
//! random reads and reads of the same bytes. So the seconds of one class of
//! calls in one file count once, those of the finding that holds the most of
//! them; and no class wins more than it takes on the critical path
//! (docs/lost-time.md).

use std::collections::{BTreeMap, HashMap};

use diya_query::Query;

use crate::offence::Offence;
use crate::rows::Table;
use crate::{Recoverable, Value};

/// Metrics that the verdicts themselves are made of, whatever checks need.
pub const METRICS_NEEDED: &[&str] = &["critical_path", "peer_group"];

/// Classes whose seconds do not overlap; `None` is "any of them". And "run":
/// any of them, and seconds beside the calls, such as those of messages, which
/// only the run time limits.
pub(crate) const CLASSES: &[&str] = &["read", "write", "metadata", "sync", "wait", RUN];

const RUN: &str = "run";

/// Seconds on the critical path of each log, by class of calls.
#[derive(Debug, Default)]
pub(crate) struct Budget(HashMap<i64, HashMap<String, f64>>);

impl Budget {
    /// Empty where the metric is not among the tables: then only the run time
    /// limits what a finding can win.
    pub fn read(query: &Query) -> Self {
        let mut budget = Self::default();
        let sql = "select log, class, high_s from critical_path where layer = 'job'";
        let Ok(table) = query.run(sql).and_then(|rows| Table::read(&rows)) else { return budget };
        for row in 0..table.rows() {
            let (log, class) = (table.value(row, "log").integer(), table.value(row, "class"));
            let seconds = table.value(row, "high_s").number();
            if let (Some(log), Value::Text(class), Some(seconds)) = (log, class, seconds) {
                budget.0.entry(log).or_default().insert(class, seconds);
            }
        }
        budget
    }

    /// Seconds that calls of a class take at most. A class without seconds
    /// takes none, where the log has any; `None`: not known.
    pub fn of(&self, log: i64, class: Option<&str>) -> Option<f64> {
        let classes = self.0.get(&log)?;
        let of = |class: &str| classes.get(class).copied().unwrap_or(0.0);
        // Whoever makes fewer calls spares the pauses beside them as well.
        let all = classes.get("all").map(|all| all + of("pause"));
        match class {
            None => all,
            Some(RUN) => None,
            Some(class) => {
                // Who waits in MPI-IO waits for a read, a write or a sync.
                let waits =
                    if matches!(class, "read" | "write" | "sync") { of("wait") } else { 0.0 };
                Some(all?.min(of(class) + waits + of("pause")))
            }
        }
    }
}

impl Budget {
    /// The same, at most the run time.
    pub fn limit_s(&self, log: i64, class: Option<&str>, run_time_s: Option<f64>) -> f64 {
        let run_s = run_time_s.unwrap_or(f64::INFINITY);
        self.of(log, class).unwrap_or(run_s).min(run_s).max(0.0)
    }
}

/// A part of what one finding can win.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// Class of the calls; `None`: of several.
    pub class: Option<String>,
    /// File they are in; `None`: of several.
    pub file_id: Option<u64>,
    pub low_s: f64,
    pub high_s: f64,
}

/// What a finding wins of each class and in all: at least the most of its
/// rows, which can be about the same seconds, at most their sum.
pub(crate) fn of_finding(parts: &[Part], limit: impl Fn(Option<&str>) -> f64) -> (f64, f64) {
    let mut classes: BTreeMap<Option<&str>, f64> = BTreeMap::new();
    for part in parts {
        *classes.entry(part.class.as_deref()).or_default() += part.high_s;
    }
    let run_s = classes.remove(&Some(RUN)).map_or(0.0, |s| s.min(limit(Some(RUN))));
    let high_s: f64 = classes.into_iter().map(|(class, s)| s.min(limit(class))).sum();
    let high_s = high_s.min(limit(None)).max(run_s).max(0.0);
    let low_s = parts.iter().map(|part| part.low_s).fold(0.0, f64::max);
    (low_s.min(high_s), high_s)
}

/// What all findings of a log win together; `None`: nothing that can be told.
pub(crate) fn of_all(
    findings: &[&Offence<'_>],
    limit: impl Fn(Option<&str>) -> f64,
) -> Option<Recoverable> {
    let parts: Vec<Vec<Part>> = findings.iter().map(|finding| finding.parts()).collect();
    let (low_s, high_s) = union(&parts, limit)?;
    Some(Recoverable { lost_low_s: Some(low_s), lost_high_s: Some(high_s) })
}

fn union(findings: &[Vec<Part>], limit: impl Fn(Option<&str>) -> f64) -> Option<(f64, f64)> {
    let (mut files, mut wide) = (BTreeMap::new(), BTreeMap::new());
    let mut low_s = 0.0f64;
    for parts in findings.iter().filter(|parts| !parts.is_empty()) {
        // Rows of one finding about one file and class are different seconds;
        // rows of different findings may be the same.
        let (mut of_files, mut of_wide) = (BTreeMap::new(), BTreeMap::new());
        for part in parts {
            low_s = low_s.max(part.low_s);
            let class = part.class.as_deref();
            match part.file_id {
                Some(file) => *of_files.entry((class, file)).or_insert(0.0) += part.high_s,
                None => *of_wide.entry(class).or_insert(0.0) += part.high_s,
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
    // Seconds of several classes may be those of any one of them.
    let any_s = classes.remove(&None);
    let run_s = classes.remove(&Some(RUN));
    if classes.is_empty() && any_s.is_none() && run_s.is_none() {
        return None;
    }
    let run_s = run_s.map_or(0.0, |s| s.min(limit(Some(RUN))));
    let told_s: f64 = classes.into_iter().map(|(class, s)| s.min(limit(class))).sum();
    let high_s = told_s.max(any_s.unwrap_or(0.0)).min(limit(None)).max(run_s).max(0.0);
    Some((low_s.min(high_s), high_s))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(class: &str, file: u64, low_s: f64, high_s: f64) -> Part {
        let class = (!class.is_empty()).then(|| class.to_owned());
        Part { class, file_id: (file > 0).then_some(file), low_s, high_s }
    }

    fn no_limit(_: Option<&str>) -> f64 {
        f64::INFINITY
    }

    #[test]
    fn seconds_of_one_class_in_one_file_count_once() {
        let small = vec![part("read", 1, 1.0, 5.0), part("read", 2, 0.0, 2.0)];
        let again = vec![part("read", 1, 3.0, 4.0)];
        assert_eq!(union(&[small, again], no_limit), Some((3.0, 7.0)));
    }

    #[test]
    fn a_finding_about_all_files_holds_those_of_each() {
        let each = vec![part("read", 1, 0.0, 5.0), part("read", 2, 0.0, 2.0)];
        assert_eq!(
            union(&[each.clone(), vec![part("read", 0, 0.0, 6.0)]], no_limit),
            Some((0.0, 7.0))
        );
        assert_eq!(union(&[each, vec![part("read", 0, 0.0, 9.0)]], no_limit), Some((0.0, 9.0)));
    }

    #[test]
    fn classes_add_up_as_far_as_the_critical_path_goes() {
        let reads = vec![part("read", 1, 2.0, 5.0)];
        let writes = vec![part("write", 1, 1.0, 4.0)];
        let both = [reads, writes];
        assert_eq!(union(&both, no_limit), Some((2.0, 9.0)));
        let limit = |class: Option<&str>| if class == Some("write") { 3.0 } else { 7.5 };
        assert_eq!(union(&both, limit), Some((2.0, 7.5)));
    }

    #[test]
    fn seconds_of_any_class_may_be_those_already_counted() {
        let all = [vec![part("read", 1, 0.0, 5.0)], vec![part("", 0, 0.0, 4.0)]];
        assert_eq!(union(&all, no_limit), Some((0.0, 5.0)));
        assert_eq!(union(&[Vec::new()], no_limit), None);
    }

    #[test]
    fn seconds_beside_the_calls_are_limited_by_the_run_alone() {
        let limit = |class: Option<&str>| if class == Some("run") { 9.0 } else { 3.0 };
        let sent = vec![part("run", 0, 1.0, 8.0)];
        assert_eq!(of_finding(&sent, limit), (1.0, 8.0));
        let reads = vec![part("read", 1, 2.0, 5.0)];
        assert_eq!(union(&[reads, sent], limit), Some((2.0, 8.0)));
    }

    #[test]
    fn files_of_many_ranks_win_no_more_than_the_path() {
        let of_ranks: Vec<Part> = (1..=100).map(|file| part("sync", file, 0.5, 1.0)).collect();
        let limit = |class: Option<&str>| if class.is_some() { 1.0 } else { 8.0 };
        assert_eq!(of_finding(&of_ranks, limit), (0.5, 1.0));
    }
}
