//! What darshan-parser and darshan-dxt-parser print: counters or calls of a Darshan log.
//!
//! docs/formats/darshan-parser-text.md describes the lines. What is read of them goes into
//! the tables that the log itself would fill, with the digits that were printed.

mod dxt_lines;
mod head;
mod records;

#[cfg(test)]
mod tests;

use crate::assemble::Damage;
use crate::darshan::issues::Issues;
use crate::darshan::modules::tables_of;
use crate::lines::Lines;
use crate::{Format, Proof, ReadError, Request};
use diya_tables::{IssueKind, Tables};
use dxt_lines::Trace;
use head::Head;
use records::Records;

/// How these texts begin, and what reads them.
pub(crate) const FORMAT: Format = Format {
    begins: is_darshan_text,
    read,
    has_derived: false,
    is_in_order: true,
    proof: Proof::Certain,
};

/// First line of both programs; logs of 3.20 have a warning before it.
const FIRST: &[u8] = b"# darshan log version: ";

/// Is this the text of darshan-parser or darshan-dxt-parser?
pub fn is_darshan_text(head: &[u8]) -> bool {
    head.starts_with(b"#") && memchr::memmem::find(head, FIRST).is_some()
}

/// Reads a text, appending to the tables.
pub(crate) fn read(
    request: &Request<'_>,
    _head: &[u8],
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let mut issues = Issues::new(request.log, tables_of);
    let mut head = Head::default();
    let mut records = Records::new(request);
    let mut trace = Trace::new(request);
    let mut damage = Damage::none(IssueKind::Corrupt);
    let mut lines = Lines::of(request.source);
    while let Some(line) = lines.next_line()? {
        let text = String::from_utf8_lossy(line.text);
        if !line.is_whole {
            let effect = "the text ends inside of a line: the rest is missing";
            issues.push(IssueKind::Truncated, None, Some(line.offset), None, effect.into());
            break;
        }
        let is_read = match text.strip_prefix('#') {
            Some(note) => trace.note(note, line.offset, &mut issues) || head.note(note),
            None if text.starts_with(' ') => trace.segment(&text, tables),
            // Sums of `--total`, `--perf` and `--file`: they follow from the records.
            None if text.is_empty() || !text.contains('\t') => true,
            None => records.line(&text, tables),
        };
        if !is_read {
            damage.add(line.offset);
        }
    }
    records.finish(&mut issues, tables);
    trace.finish(&mut issues, tables);
    if damage.count > 0 {
        let effect = "lines that make no sense are skipped";
        let (at, count) = (Some(damage.first_offset), Some(damage.count));
        issues.push(damage.kind, None, at, count, effect.into());
    }
    records.names.add_all(&trace.names);
    records.names.rows(request, &head.mounts, tables);
    let is_trace = trace.has_records();
    head.rows(
        request,
        is_trace,
        &|module| records.has(module) || trace.has(module),
        &mut issues,
        tables,
    );
    issues.flush(tables);
    Ok(())
}
