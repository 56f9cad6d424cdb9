//! Traces in JSON: the Trace Event Format of Chrome and Perfetto, and DFTracer's `.pfw`.
//!
//! docs/formats/chrome-trace.md and docs/formats/dftracer.md describe the events.

mod event;
mod names;
mod objects;
mod reader;
mod repair;
mod scan;

#[cfg(test)]
mod tests;

use crate::assemble::{About, Damage};
use crate::{Format, Proof, ReadError, Request};
use diya_tables::{Issue, IssueKind, TableId, Tables};
use event::event as read_event;
use memchr::memmem::find;
use objects::{Found, Objects};
use reader::Reader;

/// How these texts begin, and what reads them.
pub(crate) const FORMAT: Format = Format {
    begins: is_json_trace,
    read,
    has_derived: false,
    is_in_order: true,
    proof: Proof::Certain,
};

/// Members by which the start of such a text is known.
const MARKS: [&[u8]; 6] = [
    b"\"ph\"",
    b"\"traceEvents\"",
    b"\"displayTimeUnit\"",
    b"\"otherData\"",
    b"\"schemaVersion\"",
    b"\"deviceProperties\"",
];

/// Is this a list of trace events?
pub fn is_json_trace(head: &[u8]) -> bool {
    let text = without_mark(head).trim_ascii_start();
    text.starts_with(b"[")
        && find(text, b"{").is_none()
        && text.iter().all(|byte| b"[ ]\r\n\t".contains(byte))
        || (text.starts_with(b"[") || text.starts_with(b"{"))
            && MARKS.iter().any(|mark| find(text, mark).is_some())
}

/// The text without the mark of UTF-8 (byte order mark) that programs of Windows put first.
fn without_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head)
}

/// Did DFTracer write it?
fn is_dftracer(head: &[u8]) -> bool {
    [&b"\"cat\":\"dftracer\""[..], b"\"cat\": \"dftracer\"", b"\"fhash\"", b"\"hhash\""]
        .iter()
        .any(|mark| find(head, mark).is_some())
}

/// Reads a text, appending to the tables.
pub(crate) fn read(
    request: &Request<'_>,
    head: &[u8],
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let is_dftracer = is_dftracer(head);
    let mut reader = Reader::new(request, is_dftracer);
    let mut objects = Objects::of(request.source, head)?;
    let mut damage = Damage::none(IssueKind::Corrupt);
    while objects.find_start()? {
        let text = objects.at_hand();
        let quick = scan::event(text).and_then(|(event, length)| {
            let text = text.get(..length)?;
            let is_event = event.phase().is_some();
            reader.event(&event, text).then_some((length, is_event))
        });
        if let Some((length, is_event)) = quick {
            objects.skip(length);
            if is_event {
                objects.is_event();
            }
            continue;
        }
        match objects.next_object()? {
            Found::Object(offset, text) => {
                let mut repaired = String::new();
                let event = read_event(text, &mut repaired);
                let is_event = event.as_ref().is_none_or(|event| event.phase().is_some());
                if !event.is_some_and(|event| reader.event(&event, text)) {
                    damage.add(offset);
                }
                if is_event {
                    objects.is_event();
                }
            }
            Found::Damage(offset) => damage.add(offset),
            Found::End => break,
        }
    }
    let push = |tables: &mut Tables, kind, offset, count: u64, effect: &str| {
        if count > 0 {
            let issue = Issue::of_log(kind, effect);
            let concerned = &[TableId::Call, TableId::Region, TableId::CounterSample];
            let (byte_offset, count) = (offset, Some(count));
            tables
                .push_issue(request.log, Issue { byte_offset, count, tables: concerned, ..issue });
        }
    };
    let offset = Some(damage.first_offset);
    push(tables, damage.kind, offset, damage.count, "events that are damaged are skipped");
    let is_open = u64::from(objects.has_list && !objects.is_closed);
    let end = Some(request.source.len());
    let effect = "the list of events is not closed: its writer was stopped, or the file is cut";
    push(tables, IssueKind::Unfinished, end, is_open, effect);
    reader.finish_issues(&push, tables);
    let about = About {
        format: if is_dftracer { "dftracer" } else { "chrome" },
        log_version: None,
        library_version: reader.version.clone(),
        is_real_time: reader.is_real_time(),
        has_durations: true,
        has_nesting: true,
        has_threads: true,
        nprocs: None,
    };
    reader.into_assembly().finish(&about, tables);
    Ok(())
}
