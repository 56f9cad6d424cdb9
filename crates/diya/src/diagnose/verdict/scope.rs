//! Time that a log of this kind cannot show: without it, only the recorded I/O can be called
//! fine.

use std::collections::BTreeSet;

use diya_report::{Report, printable};

/// So many kinds are named; the list of unknown checks has all.
const NAMED: usize = 3;

/// Libraries whose calls are named only for a job that uses them.
const LIBRARIES: [&str; 4] = ["HDF5", "MPI-IO", "NetCDF", "PnetCDF"];

/// `Not in the log, so not judged: the time of NetCDF calls, compression, directory listings
/// and 6 more.` `None`: logs of this kind hold the time of all I/O.
pub(super) fn scope(report: &Report) -> Option<String> {
    let hidden = report.unknown.iter().filter(|unknown| unknown.hides_time);
    let topics: BTreeSet<&str> = hidden.filter_map(|u| u.topic.as_deref()).collect();
    let uses = |library: &str| report.job.stacks.iter().any(|stack| stack == library);
    let (of_library, others): (Vec<&str>, Vec<&str>) =
        topics.iter().partition(|topic| library_of(topic).is_some());
    let used = of_library.into_iter().filter(|topic| library_of(topic).is_some_and(uses));
    let named: Vec<_> = used.chain(others).take(NAMED).map(printable).collect();
    let (last, first) = named.split_last()?;
    let list = match (topics.len() - named.len(), first.is_empty()) {
        (0, true) => last.to_string(),
        (0, false) => format!("{} and {last}", first.join(", ")),
        (1, _) => format!("{} and one more", named.join(", ")),
        (more, _) => format!("{} and {more} more", named.join(", ")),
    };
    Some(format!("Not in the log, so not judged: the time of {list}."))
}

fn library_of(topic: &str) -> Option<&str> {
    topic.split(' ').next().filter(|word| LIBRARIES.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::Unknown;

    fn report(topics: &[&str], stacks: &[&str]) -> Report {
        let mut report = Report::default();
        report.unknown.extend(topics.iter().map(|topic| Unknown {
            topic: Some((*topic).to_owned()),
            hides_time: *topic != "aggregators",
            ..Unknown::default()
        }));
        report.job.stacks = stacks.iter().map(|&stack| stack.to_owned()).collect();
        report
    }

    #[test]
    fn the_libraries_of_the_job_come_first() {
        let topics = ["HDF5 attributes", "NetCDF calls", "aggregators", "failed opens", "locks"];
        assert_eq!(
            scope(&report(&topics, &["NetCDF", "POSIX"])).as_deref(),
            Some(
                "Not in the log, so not judged: the time of NetCDF calls, failed opens, locks and \
                 one more."
            )
        );
        assert_eq!(
            scope(&report(&["locks", "locks"], &[])).as_deref(),
            Some("Not in the log, so not judged: the time of locks.")
        );
        assert_eq!(scope(&report(&["aggregators"], &["POSIX"])), None);
    }
}
