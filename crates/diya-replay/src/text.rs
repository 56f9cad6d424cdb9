//! The estimate and the summary as text.

use crate::recording::LeftOut;
use crate::summary::{Class, Estimate, Summary};
use diya::model::{bytes_text, calls_text, seconds_text};
use diya::report::{NO_VALUE, TextTable};
use std::io::{self, Write};
use std::path::Path;

/// Columns before a row.
const INDENT: usize = 2;

/// Functions that are listed one by one.
const MAX_LISTED: usize = 6;

/// What the replay will do; asked about before it begins.
///
/// # Errors
///
/// Those of `out`.
pub fn write_estimate(
    out: &mut dyn Write,
    estimate: &Estimate,
    folder: &Path,
    has_gaps: bool,
) -> io::Result<()> {
    let Estimate { calls, threads, files, prepared_files, left_out_calls, .. } = *estimate;
    let thread = if threads == 1 { "thread" } else { "threads" };
    writeln!(out, "replay below {}", folder.display())?;
    writeln!(
        out,
        "  requests    {} calls by {threads} {thread}: {} read, {} written",
        calls_text(calls),
        bytes_text(estimate.read_bytes),
        bytes_text(estimate.written_bytes)
    )?;
    writeln!(
        out,
        "  files       {}; {} prepared before, {}",
        calls_text(files),
        calls_text(prepared_files),
        bytes_text(estimate.prepared_bytes)
    )?;
    writeln!(out, "  space       at most {}", bytes_text(estimate.most_bytes))?;
    let seconds = if has_gaps { estimate.recorded_s } else { estimate.io_s };
    writeln!(out, "  time        about {} at the speed of the recording", seconds_text(seconds))?;
    if left_out_calls > 0 {
        writeln!(out, "  not issued  {} calls, listed at the end", calls_text(left_out_calls))?;
    }
    Ok(())
}

/// What the replay did, beside the recording; tables of at most so many columns where a number
/// is given.
///
/// # Errors
///
/// Those of `out`.
pub fn write_summary(
    out: &mut dyn Write,
    summary: &Summary,
    room: Option<usize>,
) -> io::Result<()> {
    let times = match summary.gap_factor {
        1.0 => ratio_text(summary.elapsed_s, summary.recorded_s),
        0.0 => ", with gaps".to_owned(),
        _ => ", with whole gaps".to_owned(),
    };
    let takes = if summary.is_predicted { "is estimated to take" } else { "took" };
    writeln!(
        out,
        "The replay {takes} {}, the recording {}{times}.",
        seconds_text(summary.elapsed_s),
        seconds_text(summary.recorded_s)
    )?;
    writeln!(out)?;
    let [issued, moved, now] = match summary.is_predicted {
        true => ["planned", "planned", "estimated"],
        false => ["issued", "moved", "now"],
    };
    let heads = ["class", "recorded", issued, "recorded", moved, "recorded", now, "ratio"];
    let mut table = TextTable::new(heads.map(|head| (head, head != "class")));
    for class in &summary.classes {
        table.row(cells(class));
    }
    if let Some(room) = room {
        table.fit_columns(room.saturating_sub(INDENT));
    }
    table.write(out, INDENT)?;
    writeln!(out)?;
    let of = match summary.transforms.is_empty() {
        true => "the recording".to_owned(),
        false => format!("the plan with {}", summary.transforms.join(", ")),
    };
    for transform in &summary.idle_transforms {
        writeln!(out, "{transform} changes nothing: the log has no such calls.")?;
    }
    match summary.is_equal {
        _ if summary.is_predicted => {}
        true => writeln!(out, "Calls and bytes equal those of {of}.")?,
        false => writeln!(out, "Calls or bytes differ from those of {of}.")?,
    }
    if !summary.different.is_empty() {
        let different: Vec<String> = summary
            .different
            .iter()
            .take(MAX_LISTED)
            .map(|(function, calls)| format!("{function} {}", calls_text(*calls)))
            .collect();
        writeln!(
            out,
            "{} succeed or fail otherwise than in the recording: {}",
            calls_phrase(summary.different_calls),
            different.join(", ")
        )?;
    }
    write_left_out(out, &summary.left_out, room)
}

fn cells(class: &Class) -> [String; 8] {
    let is_transfer = class.recorded_bytes > 0 || class.issued_bytes > 0;
    let bytes = |bytes| if is_transfer { bytes_text(bytes) } else { NO_VALUE.to_owned() };
    let ratio = match class.recorded_s > 1e-9 {
        true => format!("{:.2}", class.issued_s / class.recorded_s),
        false => NO_VALUE.to_owned(),
    };
    [
        class.class.to_string(),
        calls_text(class.recorded_calls),
        calls_text(class.issued_calls),
        bytes(class.recorded_bytes),
        bytes(class.issued_bytes),
        seconds_text(class.recorded_s),
        seconds_text(class.issued_s),
        ratio,
    ]
}

fn write_left_out(
    out: &mut dyn Write,
    left_out: &[LeftOut],
    room: Option<usize>,
) -> io::Result<()> {
    let calls: u64 = left_out.iter().map(|out| out.calls).sum();
    if calls == 0 {
        return Ok(());
    }
    let seconds: f64 = left_out.iter().map(|out| out.busy_s).sum();
    writeln!(
        out,
        "\nNot issued: {}, {} in the recording.",
        calls_phrase(calls),
        seconds_text(seconds)
    )?;
    let mut table = TextTable::new([("", false), ("", true), ("", false)]);
    for LeftOut { function, reason, calls, .. } in left_out.iter().take(MAX_LISTED) {
        table.row([function.to_string(), calls_text(*calls), reason.to_string()]);
    }
    if let Some(room) = room {
        table.wrap_last(room.saturating_sub(INDENT));
    }
    table.write(out, INDENT)?;
    match left_out.len().saturating_sub(MAX_LISTED) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more; --json lists all"),
    }
}

fn calls_phrase(calls: u64) -> String {
    format!("{} {}", calls_text(calls), if calls == 1 { "call" } else { "calls" })
}

fn ratio_text(now_s: f64, recorded_s: f64) -> String {
    match recorded_s > 1e-9 {
        true => format!(" ({:.2} of it)", now_s / recorded_s),
        false => String::new(),
    }
}
