//! Text of strace: one line per system call.
//!
//! docs/formats/strace.md describes the lines and what each option of strace adds.

mod arguments;
mod clock;
mod descriptors;
mod leader;
mod line;
mod paths;
mod processes;
mod programs;
mod reader;
mod summary;
mod system_calls;
mod targets;

#[cfg(test)]
mod tests;

use crate::assemble::{About, Damage};
use crate::lines::Lines;
use crate::{Format, Proof, ReadError, Request};
use diya_tables::{Issue, IssueKind, TableId, Tables};
use line::Event;
use reader::Reader;

/// How these texts begin, and what reads them.
pub(crate) const FORMAT: Format =
    Format { begins: is_strace, read, has_derived: false, is_in_order: true, proof: Proof::Likely };

/// Lines that may come before the first one of strace, such as output of the program.
const MAX_OTHER_LINES: usize = 5;

/// Is this a text of strace? One of its first lines has a process or a time, and a call or
/// the mark of an end; or it begins the table of `strace -c`.
pub fn is_strace(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| *byte == b'\n').take(MAX_OTHER_LINES).peekable();
    while let Some(line) = lines.next() {
        let mut text = String::from_utf8_lossy(line);
        if summary::is_head(&text) {
            return true;
        }
        // The first line, of `execve`, can be longer than what is looked at.
        if lines.peek().is_none() {
            text.to_mut().push_str(") = 0");
        }
        let Some(line) = line::parse(&text) else { continue };
        match line.event {
            Event::Note => {}
            Event::Call { .. } | Event::Begun { .. }
                if line.time.is_none() && line.pid.is_none() => {}
            _ => return true,
        }
    }
    false
}

/// Reads a text, appending to the tables.
pub(crate) fn read(
    request: &Request<'_>,
    _head: &[u8],
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let mut reader = Reader::new(request);
    let mut foreign = Damage::none(IssueKind::Corrupt);
    let mut cut = Damage::none(IssueKind::Truncated);
    let mut lines = Lines::of(request.source);
    while let Some(line) = lines.next_line()? {
        let is_read = match std::str::from_utf8(line.text) {
            Ok(text) => text.is_empty() || reader.line(text),
            Err(_) => reader.line(&String::from_utf8_lossy(line.text)),
        };
        if !line.is_whole {
            cut.add(line.offset);
        } else if !is_read {
            foreign.add(line.offset);
        }
    }
    if !reader.has_calls() && reader.untimed > 0 {
        return Err(ReadError::NoTimes { lines: reader.untimed });
    }
    if !reader.has_calls() && reader.summary.kinds > 0 && !reader.has_processes() {
        return Err(ReadError::StraceSummary { kinds: reader.summary.kinds });
    }
    for (damage, effect) in [
        (foreign, "lines that are none of strace's, or damaged, are skipped"),
        (cut, "the text ends inside of a line: strace was killed, or the file is cut"),
    ] {
        if damage.count > 0 {
            let (byte_offset, count) = (Some(damage.first_offset), Some(damage.count));
            let issue = Issue::of_log(damage.kind, effect);
            tables.push_issue(request.log, Issue { byte_offset, count, ..issue });
        }
    }
    let clock = reader.clock;
    let (untimed, is_coarse) = (reader.untimed, clock.is_coarse);
    let has_durations = reader.without_duration == 0;
    for (is_so, kind, effect, count) in [
        (
            !has_durations,
            IssueKind::Untimed,
            "strace ran without -T: how long calls took is not recorded, and is shown as 0 s",
            reader.without_duration,
        ),
        (
            is_coarse,
            IssueKind::Untimed,
            "strace ran with -t: times are whole seconds; use -ttt for microseconds",
            reader.calls(),
        ),
        (untimed > 0, IssueKind::Corrupt, "lines without a time are skipped", untimed),
    ] {
        if is_so {
            let concerned = &[TableId::Call, TableId::OpCount, TableId::Posix];
            let issue = Issue::of_log(kind, effect);
            let issue =
                Issue { module: Some("posix"), tables: concerned, count: Some(count), ..issue };
            tables.push_issue(request.log, issue);
        }
    }
    reader.unfinished(tables);
    let about = About {
        format: "strace",
        is_real_time: clock.is_real,
        has_durations,
        has_threads: true,
        ..About::default()
    };
    reader.into_assembly().finish(&about, tables);
    Ok(())
}
