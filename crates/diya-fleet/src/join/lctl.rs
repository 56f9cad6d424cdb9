//! What `lctl get_param` prints of Lustre servers: `stats`, `brw_stats` and `job_stats`.
//!
//! All values count since the start of a server. Values of single jobs, and the parts of a
//! distribution, have `kind` other: sums over servers would count them twice.

use super::server_value::{push, push_part};
use super::time::from_seconds;
use super::{Fault, Sink};

/// Parameters that are read, by the end of their names.
const PARAMETERS: [&str; 4] = ["stats", "md_stats", "brw_stats", "job_stats"];

/// Server and parameter of a line `obdfilter.scratch-OST0000.stats=`.
fn heading(line: &str) -> Option<(&str, &str)> {
    let (name, _) = line.split_once('=')?;
    let mut parts = name.split('.');
    let (_, server, parameter) = (parts.next()?, parts.next()?, parts.next()?);
    let is_it = parts.next().is_none() && PARAMETERS.contains(&parameter);
    (is_it && !name.contains(char::is_whitespace)).then_some((server, parameter))
}

/// Whether a text is of this form.
pub fn is_it(text: &str) -> bool {
    text.lines().map(str::trim).find(|line| !line.is_empty()).and_then(heading).is_some()
}

/// Where a line stands.
#[derive(Default)]
struct Heading<'t> {
    server: &'t str,
    parameter: &'t str,
    time: Option<i64>,
    job: Option<&'t str>,
    /// Title of a table of `brw_stats`.
    title: &'t str,
}

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    let mut at = Heading::default();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if let Some((server, parameter)) = heading(line) {
            at = Heading { server, parameter, ..Heading::default() };
            continue;
        }
        let Some((first, rest)) = first_word(line) else { continue };
        match (first, at.parameter) {
            ("snapshot_time", _) => {
                let seconds = rest.split_whitespace().next().and_then(|word| word.parse().ok());
                at.time = seconds.and_then(from_seconds);
                if at.time.is_none() {
                    sink.bad(number, "snapshot_time is no time in seconds");
                }
            }
            ("start_time" | "elapsed_time" | "job_stats", _) => {}
            ("job_id", "job_stats") => {
                at.time = None;
                at.job = Some(rest.trim_matches('"')).filter(|id| !id.is_empty());
            }
            (name, "stats" | "md_stats") => counted(name, rest, &at, number, sink)?,
            (name, "job_stats") => of_job(name, rest, &at, number, sink)?,
            (name, "brw_stats") if rest.contains('|') => {
                part(name, rest, &mut at, line, number, sink)?
            }
            _ => {}
        }
    }
    Ok(())
}

/// The first word, without the signs of a list and the colon, and what follows it.
fn first_word(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches("- ");
    let end = line.find([':', ' ', '\t']).unwrap_or(line.len());
    let (first, rest) = line.split_at(end);
    (!first.is_empty()).then_some((first, rest.trim_start_matches(':').trim()))
}

/// `read_bytes 123 samples [bytes] 4096 1048576 998877`: calls, then least, most and sum.
fn counted(
    name: &str,
    rest: &str,
    at: &Heading<'_>,
    number: usize,
    sink: &mut Sink<'_>,
) -> Result<(), Fault> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let count = words.first().and_then(|word| word.parse::<f64>().ok());
    let (Some(count), Some(&"samples")) = (count, words.get(1)) else {
        sink.bad(number, &format!("{name:?} is not followed by a number of samples"));
        return Ok(());
    };
    let Some(time) = at.time else {
        sink.bad(number, "no snapshot_time before it");
        return Ok(());
    };
    push(time, at.server, &format!("{name}_samples"), true, count, sink)?;
    let sum = words.get(5).and_then(|word| word.parse::<f64>().ok());
    if let Some(sum) = sum {
        let unit = words.get(2).map_or("", |unit| unit.trim_matches(['[', ']']));
        let metric = if unit == "bytes" { name.to_owned() } else { format!("{name}_{unit}") };
        push(time, at.server, &metric, true, sum, sink)?;
    }
    Ok(())
}

/// `read_bytes: { samples: 2, unit: bytes, min: 4096, max: 8192, sum: 12288 }` of a job.
fn of_job(
    name: &str,
    rest: &str,
    at: &Heading<'_>,
    number: usize,
    sink: &mut Sink<'_>,
) -> Result<(), Fault> {
    let Some(fields) = rest.strip_prefix('{') else { return Ok(()) };
    let (Some(job), Some(time)) = (at.job, at.time) else {
        sink.bad(number, "no job_id, or no snapshot_time, before it");
        return Ok(());
    };
    let fields = fields.trim_end_matches('}').split(',').filter_map(|field| field.split_once(':'));
    let fields: Vec<(&str, &str)> = fields.map(|(key, of)| (key.trim(), of.trim())).collect();
    let value = |key: &str| {
        let (_, value) = fields.iter().find(|(known, _)| *known == key)?;
        value.parse::<f64>().ok().filter(|value| *value > 0.0)
    };
    let job = sink.names.text("job", job).into_owned();
    for (key, suffix) in [("samples", "_samples"), ("sum", "")] {
        if let Some(value) = value(key) {
            push_part(time, at.server, &format!("job/{job}/{name}{suffix}"), value, sink)?;
        }
    }
    Ok(())
}

/// A line of a table of `brw_stats`, `4K: 12 50 50 | 3 100 100`, or its title.
fn part<'t>(
    name: &str,
    rest: &str,
    at: &mut Heading<'t>,
    line: &'t str,
    number: usize,
    sink: &mut Sink<'_>,
) -> Result<(), Fault> {
    let (read, write) = rest.split_once('|').unwrap_or((rest, ""));
    let count = |text: &str| text.split_whitespace().next().and_then(|word| word.parse().ok());
    let (Some(read), Some(write)) = (count(read), count(write)) else {
        // `disk I/O size   ios   % cum % |  ios   % cum %`
        at.title = line.split("  ").next().unwrap_or_default().trim();
        return Ok(());
    };
    let Some(time) = at.time else {
        sink.bad(number, "no snapshot_time before it");
        return Ok(());
    };
    let title = at.title.to_ascii_lowercase().replace([' ', '/'], "_");
    for (op, value) in [("read", read), ("write", write)] {
        push_part(time, at.server, &format!("brw/{title}/{name}/{op}"), value, sink)?;
    }
    Ok(())
}
