//! Rows of any file, by a mapping: two members of one tar file.
//!
//! docs/formats/mapping.md describes the mapping.

mod mapping;
mod rows;

#[cfg(test)]
mod tests;

use crate::assemble::{About, Assembly, Damage};
use crate::{Format, Proof, ReadError, Request};
use diya_tables::{Issue, IssueKind, TableId, Tables};
use mapping::{Since, mapping, refusal};
use rows::Rows;

/// How these files begin, and what reads them.
pub(crate) const FORMAT: Format = Format {
    begins: is_mapped,
    read,
    has_derived: false,
    is_in_order: false,
    proof: Proof::Certain,
};

/// Name of the first member: the mapping. The second one is text with separators.
pub const MAPPING_MEMBER: &str = "diya-mapping.toml";

/// Is this a mapping with its file?
pub fn is_mapped(head: &[u8]) -> bool {
    crate::members::is_tar(head)
        && head.strip_prefix(MAPPING_MEMBER.as_bytes()).is_some_and(|rest| rest.starts_with(&[0]))
}

/// Reads a mapping and its file, appending to the tables.
pub(crate) fn read(
    request: &Request<'_>,
    _head: &[u8],
    tables: &mut Tables,
) -> Result<(), ReadError> {
    let bytes = request.source.bytes(0..request.source.len())?;
    let mut members = Vec::new();
    let mut archive = tar::Archive::new(&*bytes);
    for entry in archive.entries().into_iter().flatten().map_while(Result::ok) {
        let from = usize::try_from(entry.raw_file_position()).unwrap_or(usize::MAX);
        let size = usize::try_from(entry.size()).unwrap_or(usize::MAX);
        let rest = bytes.get(from..).unwrap_or_default();
        members.push((rest.get(..size).unwrap_or(rest), rest.len() < size, from));
    }
    let [(text, ..), (data, is_cut, data_at), ..] = members.as_slice() else {
        return Err(refusal("the mapping or its file is missing, or cut".into()));
    };
    let mapping = mapping(text)?;
    let mut assembly = Assembly::new(request);
    let mut rows = Rows::of(&mapping, data)?;
    let mut damage = Damage::none(IssueKind::Corrupt);
    let mut first = None;
    while let Some(row) = rows.next_row(&mut assembly) {
        if let Err((offset, reason)) = row {
            damage.add(offset.saturating_add(u64::try_from(*data_at).unwrap_or(0)));
            first.get_or_insert(reason);
        }
    }
    if let (true, Some(reason)) = (rows.read == 0, &first) {
        let count = damage.count;
        return Err(refusal(format!("none of {count} rows can be read; the first: {reason}")));
    }
    let concerned = &[TableId::Call, TableId::Region];
    if let Some(reason) = first {
        let effect = format!("rows that the mapping does not fit are skipped; the first: {reason}");
        let issue = Issue::of_log(damage.kind, &effect);
        let (byte_offset, count) = (Some(damage.first_offset), Some(damage.count));
        tables.push_issue(request.log, Issue { byte_offset, count, tables: concerned, ..issue });
    }
    if *is_cut || bytes.len() < data_at + data.len() + END_BYTES {
        let issue = Issue::of_log(IssueKind::Truncated, "the file is cut: rows are missing");
        tables.push_issue(request.log, Issue { tables: concerned, ..issue });
    }
    let has_durations = mapping.columns.end.is_some() || mapping.columns.duration.is_some();
    if !has_durations {
        let effect = "the mapping names no end and no duration: calls are shown with 0 s";
        tables.push_issue(request.log, Issue::of_log(IssueKind::Untimed, effect));
    }
    let about = About {
        format: "mapped",
        is_real_time: mapping.columns.start.since == Since::Epoch,
        has_durations,
        has_nesting: mapping.columns.thread.is_some(),
        has_threads: mapping.columns.thread.is_some(),
        ..About::default()
    };
    assembly.finish(&about, tables);
    Ok(())
}

/// What a tar file ends with at least.
const END_BYTES: usize = 1024;
