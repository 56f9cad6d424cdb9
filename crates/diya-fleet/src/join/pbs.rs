//! Accounting logs of PBS: `time;type;id;key=value ...`, a record a line.

use super::account::{Account, number, push};
use super::time::{duration_s, from_seconds};
use super::{Fault, Sink};

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    let mut is_pbs = false;
    for (at, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let mut parts = line.splitn(4, ';');
        let (Some(_), Some(kind), Some(id), Some(rest)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            sink.bad(at, "no `time;type;id;values`");
            continue;
        };
        is_pbs = true;
        // Ends of jobs; the other records are about queueing, starts and licences.
        if kind != "E" {
            sink.left_out();
            continue;
        }
        let value = |key: &str| {
            let found =
                rest.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
            found.map(|text| text.trim_matches('"')).filter(|text| !text.is_empty())
        };
        let time = |key: &str| value(key).and_then(|text| text.parse().ok()).and_then(from_seconds);
        let count = |key: &str| value(key).and_then(|text| text.parse::<i64>().ok());
        let (start, end) = (time("start"), time("end"));
        if end.is_none() {
            sink.bad(at, "a record E without end=");
            continue;
        }
        let hosts = value("exec_host");
        push(
            &Account {
                id,
                job_id: number(id),
                start,
                end,
                user: value("user"),
                // PBS writes its default project where none was named.
                project: value("account")
                    .or(value("project").filter(|of| *of != "_pbs_project_default")),
                queue: value("queue"),
                state: state(value("Exit_status")).to_owned(),
                nodes: count("Resource_List.nodect").or_else(|| hosts.map(nodes)),
                cores: count("resources_used.ncpus").or_else(|| count("Resource_List.ncpus")),
                run_time_s: value("resources_used.walltime")
                    .and_then(duration_s)
                    .or_else(|| Some((end? - start?) as f64 / 1e9).filter(|s| *s >= 0.0)),
                node_list: hosts,
            },
            sink,
        )?;
    }
    if is_pbs || text.trim().is_empty() {
        return Ok(());
    }
    Err(Fault::File("it is no accounting log of PBS: no line is `time;type;id;values`".to_owned()))
}

/// What an exit status means (PBS Professional, Administrator's Guide, job exit codes).
fn state(status: Option<&str>) -> &'static str {
    match status.and_then(|text| text.parse::<i64>().ok()) {
        Some(0) => "completed",
        Some(-29) => "timeout",
        // 256 and the number of a signal; qdel sends SIGTERM.
        Some(271) => "cancelled",
        Some(_) => "failed",
        None => "unknown",
    }
}

/// Different nodes of `node1/0*4+node2/1`.
fn nodes(hosts: &str) -> i64 {
    let names = hosts.split('+').map(|host| host.split('/').next().unwrap_or(host));
    let names: std::collections::HashSet<&str> = names.collect();
    i64::try_from(names.len()).unwrap_or(i64::MAX)
}
