//! `sacct --parsable2`: a header line with names, then a job or a step a line.

use super::account::{Account, number, push};
use super::time::{duration_s, moment};
use super::{Fault, Sink};

/// States of jobs that have not ended.
const OPEN: [&str; 7] =
    ["pending", "running", "suspended", "requeued", "resizing", "configuring", "completing"];

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let header = lines.next().map_or("", |(_, line)| line);
    let names: Vec<String> =
        header.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
    let place = |name: &str| names.iter().position(|known| known == name);
    let (Some(id), Some(state), Some(start), Some(end)) =
        (place("jobid"), place("state"), place("start"), place("end"))
    else {
        return Err(Fault::File(
            "it has no header with JobID, State, Start and End: `sacct --parsable2 \
             --format=JobID,JobIDRaw,User,Account,Partition,State,Start,End,Elapsed,NNodes,NCPUS,NodeList`"
                .to_owned(),
        ));
    };
    for (at, line) in lines {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if cells.len() < names.len() {
            sink.bad(at, &format!("{} columns instead of {}", cells.len(), names.len()));
            continue;
        }
        let cell = |name: &str| place(name).and_then(|place| known(cells[place]));
        // "CANCELLED by 1000"
        let state = cells[state].split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        let is_step = cells[id].contains('.');
        if is_step || state.is_empty() || OPEN.contains(&state.trim_end_matches('+')) {
            sink.left_out();
            continue;
        }
        let (start, end) = (moment(cells[start], sink.zone), moment(cells[end], sink.zone));
        if end.is_none() {
            sink.bad(at, &format!("{} is no time of an end", cells[place("end").unwrap_or(0)]));
            continue;
        }
        let count = |name: &str| cell(name).and_then(|text| text.parse().ok());
        let span_s = || Some((end? - start?) as f64 / 1e9).filter(|s| *s >= 0.0);
        push(
            &Account {
                id: cells[id],
                job_id: cell("jobidraw").or(Some(cells[id])).and_then(number),
                start,
                end,
                user: cell("user"),
                project: cell("account"),
                queue: cell("partition"),
                state: state.trim_end_matches('+').to_owned(),
                nodes: count("nnodes").or_else(|| count("allocnodes")),
                cores: count("alloccpus").or_else(|| count("ncpus")),
                run_time_s: cell("elapsed").and_then(duration_s).or_else(span_s),
                node_list: cell("nodelist"),
            },
            sink,
        )?;
    }
    Ok(())
}

/// A value that is one.
fn known(text: &str) -> Option<&str> {
    let is_none = ["", "Unknown", "None", "None assigned", "(null)"].contains(&text);
    (!is_none).then_some(text)
}
