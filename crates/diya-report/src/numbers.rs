//! Numbers as a reader wants them: rounded to what they are worth.

use crate::{Report, called};
use diya_findings::{Finding, LatePart, MainFile, OtherLines, SourceLine, Threshold, Value};
use diya_model::{
    Function, Layer, about_digits as digits, about_s, about_unit as unit_of, bytes_text,
    calls_text, part_of_run_s, percent_text,
};

/// A range of seconds in one unit; `None`: nothing is known.
///
/// ```
/// use diya_report::range_s;
/// assert_eq!(range_s(Some(6.04), Some(9.1)).as_deref(), Some("6 to 9.1 s"));
/// assert_eq!(range_s(Some(0.0), Some(0.25)).as_deref(), Some("up to 0.25 s"));
/// assert_eq!(range_s(None, None), None);
/// ```
pub fn range_s(low_s: Option<f64>, high_s: Option<f64>) -> Option<String> {
    let high_s = high_s?;
    let (unit_s, unit) = unit_of(high_s);
    let high = digits(high_s / unit_s);
    let low = low_s.unwrap_or(0.0);
    Some(if high_s > 0.0 && low < high_s / 50.0 {
        format!("up to {high} {unit}")
    } else {
        match digits(low / unit_s) {
            low if low == high => format!("{high} {unit}"),
            low => format!("{low} to {high} {unit}"),
        }
    })
}

/// What a fix saves: one number with its range; `None`: it cannot be quantified.
///
/// ```
/// use diya_report::saves;
/// let text = |saved, low, high| saves(Some(saved), Some(low), Some(high)).unwrap();
/// assert_eq!(text(3.2, 2.4, 4.1), "about 3.2 s (2.4 to 4.1)");
/// assert_eq!(text(3.2, 3.2, 3.2), "about 3.2 s");
/// assert_eq!(text(1.0, 0.004, 1.3), "about 1 s (0 to 1.3)");
/// assert_eq!(text(0.0, 0.0, 0.0), "nothing");
/// ```
pub fn saves(saved_s: Option<f64>, low_s: Option<f64>, high_s: Option<f64>) -> Option<String> {
    let high_s = high_s?;
    let saved_s = saved_s.unwrap_or(high_s);
    if saved_s <= 0.0 {
        return Some("nothing".to_owned());
    }
    let (unit_s, unit) = unit_of(saved_s);
    // Beside 3.2 s, 0.004 s is nothing.
    let low_s = low_s.filter(|low_s| *low_s >= high_s / 50.0).unwrap_or(0.0);
    let [saved, low, high] = [saved_s, low_s, high_s].map(|seconds| digits(seconds / unit_s));
    Some(match low == saved && high == saved {
        true => format!("about {saved} {unit}"),
        false => format!("about {saved} {unit} ({low} to {high})"),
    })
}

/// A rate of bytes.
fn rate(bytes_per_s: f64) -> String {
    // An `as` from a float saturates; a rate is not negative.
    format!("{}/s", bytes_text(bytes_per_s.max(0.0) as u64))
}

/// Numbers with ranges in short: `0-3, 7 and 12 more`.
pub(crate) fn ranges(numbers: &[i64], most: usize) -> String {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for number in sorted {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => runs.push((number, number)),
        }
    }
    let shown = runs.iter().take(most).map(|(start, end)| match end - start {
        0 => start.to_string(),
        1 => format!("{start}, {end}"),
        _ => format!("{start}-{end}"),
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    let left: i64 = runs.iter().skip(most).map(|(start, end)| end - start + 1).sum();
    if left > 0 {
        text.push_str(&format!(" and {left} more"));
    }
    text
}

/// A ratio: a share as a percentage, more than a whole as a multiple.
pub(crate) fn ratio(value: f64) -> String {
    match value.abs() {
        size if size >= 9.95 => format!("{value:.0} times"),
        size if size > 1.0 => {
            let text = format!("{value:.1}");
            format!("{} times", text.trim_end_matches(".0"))
        }
        _ => percent_text(value),
    }
}

/// A value in the unit that the name of its column contains, seconds as a part of the run;
/// `None`: null.
pub(crate) fn cell(column: &str, value: &Value, run_s: Option<f64>) -> Option<String> {
    let unit = match column {
        name if name.ends_with("_bytes_per_s") => "bytes_per_s",
        name if name == "bytes" || name.ends_with("_bytes") => "bytes",
        name if name.ends_with("_ratio") => "1",
        // For people phases begin at one; tables keep their index.
        "phase" => return value.number().map(|index| calls_text(index as u64 + 1)),
        // The estimate as the heading has it.
        "saved_s" | "lost_low_s" | "lost_high_s" => return value.number().map(about_s),
        // Moments, not times that are a part of others.
        "window_start_s" | "window_end_s" => "s",
        name if name.ends_with("_s") => {
            return value.number().map(|seconds| part_of_run_s(seconds, run_s));
        }
        // Names of things, not amounts.
        "rank" | "ost" | "log" | "line" => "name",
        name if name.ends_with("_id") => "name",
        _ => "",
    };
    of_unit(unit, value)
}

/// A threshold with its reason: `min_calls = 1,000 calls: fewer rarely take much time`.
pub(crate) fn threshold_text(name: &str, limit: &Threshold) -> Option<String> {
    Some(format!("{name} = {}: {}", parameter_text(&limit.unit, &limit.value)?, limit.why))
}

/// The value of a parameter of a check with its unit: `1,000 calls`, `100 MiB`, `5 %`.
///
/// ```
/// use diya_report::{Value, parameter_text};
/// let text = |unit, value| parameter_text(unit, &value).unwrap();
/// assert_eq!(text("bytes", Value::Integer(104_857_600)), "100 MiB");
/// assert_eq!((text("calls", Value::Integer(1)), text("1", Value::Integer(4))), ("1 call".into(), "4".into()));
/// assert_eq!((text("1", Value::Real(0.05)), text("1", Value::Real(1.8))), ("5 %".into(), "1.8".into()));
/// ```
pub fn parameter_text(unit: &str, value: &Value) -> Option<String> {
    let number = value.number();
    Some(match unit {
        // From one on it is a number of things or a factor, not a share.
        "1" if number.is_some_and(|number| number.abs() >= 1.0) => of_unit("", value)?,
        "1" => number.map_or_else(|| of_unit(unit, value), |share| Some(share_text(share)))?,
        "bytes" => of_unit(unit, value)?.replace(".00 ", " "),
        "calls" | "files" | "ranks" => {
            let one = number == Some(1.0);
            let unit = if one { unit.trim_end_matches('s') } else { unit };
            format!("{} {unit}", of_unit("", value)?)
        }
        "s" => number.map(about_s)?,
        _ => of_unit(unit, value)?,
    })
}

/// A share as a percentage without zeros at its end: `5 %`, `0.5 %`.
fn share_text(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A value in a unit: bytes, bytes_per_s, s, 1, name, or a count of anything.
pub(crate) fn of_unit(unit: &str, value: &Value) -> Option<String> {
    Some(match (value, unit) {
        (Value::Null, _) => return None,
        (Value::Text(text), _) => text.clone(),
        (Value::Flag(flag), _) => if *flag { "yes" } else { "no" }.to_owned(),
        (Value::Integer(number), "name") => number.to_string(),
        (Value::Unsigned(number), "name") => number.to_string(),
        (value, "bytes") => bytes_text(value.number()?.max(0.0).round() as u64),
        (value, "bytes_per_s") => rate(value.number()?),
        (value, "s") => diya_model::seconds_text(value.number()?),
        (value, "1") => ratio(value.number()?),
        (Value::Integer(number), _) if *number < 0 => number.to_string(),
        (Value::Integer(number), _) => calls_text(number.unsigned_abs()),
        (Value::Unsigned(number), _) => calls_text(*number),
        (Value::Real(number), _) if number.fract() == 0.0 && number.abs() < 1e15 => {
            let sign = if *number < 0.0 { "-" } else { "" };
            format!("{sign}{}", calls_text(number.abs() as u64))
        }
        (Value::Real(number), _) if number.abs() >= 0.1 => format!("{number:.1}"),
        (Value::Real(number), _) => format!("{number:e}"),
    })
}

/// What a line of the program costs: `12,000 calls, 3.2 s`; of a line that calls a function which
/// is not recorded itself, and may make many calls that are: `12,000 POSIX calls, 3.2 s`.
pub(crate) fn line_cost_text(line: &SourceLine, run_s: Option<f64>) -> String {
    let is_recorded = |name: &str| Function::ALL.iter().any(|function| function.name == name);
    let counts_others =
        called(&line.source).is_some_and(|names| !names.split(", ").all(is_recorded));
    let layer = Layer::from_name(&line.layer).map(Layer::software);
    let text = cost_text(line.calls, line.time_s, run_s);
    match layer.filter(|_| counts_others) {
        Some(software) => text.replacen(" call", &format!(" {software} call"), 1),
        None => text,
    }
}

/// Calls and their time: `12,000 calls, 3.2 s`.
pub(crate) fn cost_text(calls: i64, time_s: f64, run_s: Option<f64>) -> String {
    let calls = counted(calls, "call", "calls");
    // Of calls that only start something, such as a process, no time was taken.
    if time_s > 0.0 { format!("{calls}, {}", part_of_run_s(time_s, run_s)) } else { calls }
}

/// The lines that a finding does not name: `3 other lines: 55 calls, 1.2 ms`.
pub(crate) fn other_lines_text(rest: &OtherLines, run_s: Option<f64>) -> String {
    let lines = counted(rest.lines, "other line", "other lines");
    format!("{lines}: {}", cost_text(rest.calls, rest.time_s, run_s))
}

/// The sum of all lines of a finding, and what it is a sum of: the saving counts time of the run.
/// `None`: one line of one process is its own sum.
pub(crate) fn lines_sum_text(report: &Report, finding: &Finding) -> Option<String> {
    let rest = finding.other_lines.as_ref();
    let is_several = finding.lines.len() > 1 || rest.is_some();
    let has_ranks = report.job.nprocs.is_some_and(|count| count > 1);
    if finding.lines.is_empty() || !(is_several || has_ranks || finding.lines_of.is_some()) {
        return None;
    }
    let calls =
        finding.lines.iter().map(|line| line.calls).sum::<i64>() + rest.map_or(0, |r| r.calls);
    let time_s =
        finding.lines.iter().map(|line| line.time_s).sum::<f64>() + rest.map_or(0.0, |r| r.time_s);
    let is_more = report.verdict.run_s.is_some_and(|run_s| time_s > run_s);
    let ranks = match has_ranks {
        true if is_more => " (sum of all processes; the run takes less)",
        true => " (sum of all processes)",
        false => "",
    };
    let of = finding.lines_of.as_ref().map(|files| format!(", {files}")).unwrap_or_default();
    Some(match is_several {
        true => {
            format!("all lines{of}: {}{ranks}", cost_text(calls, time_s, report.verdict.run_s))
        }
        false if has_ranks => format!("calls and time: sum of all processes{of}"),
        false => format!("calls and time{of}"),
    })
}

/// A file's size behind its name: `  (1.20 GiB)`.
pub(crate) fn size_text(file: &MainFile) -> String {
    let bytes = file.size_bytes.and_then(|bytes| u64::try_from(bytes).ok()).filter(|b| *b > 0);
    bytes.map_or_else(String::new, |bytes| format!("  ({})", bytes_text(bytes)))
}

/// Where a late rank spends its time: `between a (a.c:3) and b (a.c:9)`.
pub fn late_place(part: &LatePart) -> String {
    let (source, until) = (bare_place(&part.source), part.until.as_deref().map(bare_place));
    match (part.kind.as_str(), until) {
        ("between", Some(until)) if until == source => format!("between two calls at {source}"),
        ("between", Some(until)) => format!("between {source} and {until}"),
        ("code", _) => format!("of processor time in {source}"),
        _ => format!("in {}", without_folders(&part.source)),
    }
}

/// Without the folders of the file, and without what the line calls: `save (a.c:30)`.
fn bare_place(source: &str) -> String {
    without_folders(source.split("), calls ").next().map_or(source, |place| {
        // The closing bracket belongs to the place.
        source.get(..place.len() + 1).unwrap_or(place)
    }))
}

/// Without the folders of the file: `save (a.c:30), calls fsync`.
pub(crate) fn without_folders(source: &str) -> String {
    let Some((name, rest)) = source.rsplit_once(" (") else { return source.to_owned() };
    let (place, calls) = rest.split_once(')').unwrap_or((rest, ""));
    let file = place.rsplit('/').next().unwrap_or(place);
    format!("{name} ({file}){calls}")
}

/// `1 file`, `40,000 files`.
pub fn counted(number: i64, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        n if n < 0 => format!("{n} {many}"),
        n => format!("{} {many}", diya_model::calls_text(n.unsigned_abs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceLine;

    #[test]
    fn calls_below_a_function_are_not_said_to_be_its_own() {
        let of = |source: &str| {
            let (source, layer) = (source.to_owned(), "posix".to_owned());
            let line =
                SourceLine { source, layer, calls: 506, time_s: 1.0, ..SourceLine::default() };
            line_cost_text(&line, None)
        };
        assert_eq!(of("fetch (a.c:51), calls gzread"), "506 POSIX calls, 1.00 s");
        assert_eq!(of("main (a.c:29), calls pwrite"), "506 calls, 1.00 s");
        assert_eq!(of("main (a.c:29)"), "506 calls, 1.00 s");
    }

    #[test]
    fn both_ends_of_a_range_share_a_unit() {
        assert_eq!(range_s(Some(0.3), Some(9.0)).unwrap(), "0.3 to 9 s");
        assert_eq!(range_s(Some(9.0), Some(9.01)).unwrap(), "9 s");
        assert_eq!(range_s(Some(0.0), Some(0.0)).unwrap(), "0 s");
        assert_eq!(range_s(Some(900.0), Some(5400.0)).unwrap(), "15 to 90 min");
        assert_eq!(range_s(None, Some(40_000.0)).unwrap(), "up to 11 h");
    }

    #[test]
    fn lines_have_a_sum_that_says_what_it_adds_up() {
        let line = |calls, time_s| SourceLine { calls, time_s, ..SourceLine::default() };
        let of = |nprocs, lines: Vec<SourceLine>, rest: bool| {
            let other_lines = rest.then_some(OtherLines { lines: 2, calls: 3, time_s: 0.5 });
            let finding = Finding { lines, other_lines, ..Finding::default() };
            let job = crate::Job { nprocs: Some(nprocs), ..crate::Job::default() };
            let verdict = crate::Verdict { run_s: Some(1.8), ..crate::Verdict::default() };
            let report = Report { job, verdict, ..Report::default() };
            lines_sum_text(&report, &finding).unwrap_or_default()
        };
        assert_eq!(of(1, vec![line(4, 1.5)], false), "");
        assert_eq!(of(1, vec![line(4, 1.5)], true), "all lines: 7 calls, 2.00 s");
        assert_eq!(
            of(4, vec![line(4, 1.5), line(1, 0.5)], false),
            "all lines: 5 calls, 2.00 s (sum of all processes; the run takes less)"
        );
        assert_eq!(of(4, vec![line(4, 1.5)], false), "calls and time: sum of all processes");
    }

    #[test]
    fn a_late_rank_is_between_two_lines() {
        let place = |kind: &str, source: &str, until: Option<&str>| {
            late_place(&LatePart {
                kind: kind.to_owned(),
                source: source.to_owned(),
                until: until.map(str::to_owned),
                ..LatePart::default()
            })
        };
        let (read, write) = ("load (/s/a.c:3), calls read", "save (/s/a.c:9), calls write");
        assert_eq!(place("between", read, Some(write)), "between load (a.c:3) and save (a.c:9)");
        assert_eq!(place("between", read, Some(read)), "between two calls at load (a.c:3)");
        assert_eq!(place("code", "react (/s/b.c:30)", None), "of processor time in react (b.c:30)");
        assert_eq!(place("call", read, None), "in load (a.c:3), calls read");
        assert_eq!(place("call", "main", None), "in main");
    }

    #[test]
    fn neighbours_are_one_stretch() {
        assert_eq!(ranges(&[100, 97, 98, 99, 4, 5, 9], 9), "4, 5, 9, 97-100");
        assert_eq!(ranges(&[1, 3, 5, 7, 8, 9], 2), "1, 3 and 4 more");
        assert_eq!(ranges(&[], 2), "");
    }

    #[test]
    fn the_name_of_a_column_tells_the_unit() {
        assert_eq!(cell("small_bytes", &Value::Integer(1536), None).unwrap(), "1.50 KiB");
        assert_eq!(cell("fast_bytes_per_s", &Value::Real(1048576.0), None).unwrap(), "1.00 MiB/s");
        assert_eq!(cell("small_ratio", &Value::Real(0.5), None).unwrap(), "50 %");
        assert_eq!(cell("imbalance_ratio", &Value::Real(5.95), None).unwrap(), "6 times");
        assert_eq!(cell("imbalance_ratio", &Value::Real(2.5), None).unwrap(), "2.5 times");
        assert_eq!(cell("rank", &Value::Integer(1024), None).unwrap(), "1024");
        assert_eq!(cell("calls", &Value::Integer(1024), None).unwrap(), "1,024");
        assert_eq!(cell("calls", &Value::Real(3.0), None).unwrap(), "3");
        assert_eq!(cell("calls", &Value::Null, None), None);
    }
}
