//! What a file is that is no log: its kind by the first bytes, and what can be done with it.
//!
//! The only place that decides this, for every file that no reader takes.

use crate::ReadError;
use std::fmt::Write as _;

/// How files of other programs begin: bytes, what they are, and the way out, if there is one.
const BEGINNINGS: [(&[u8], &str, &str); 33] = [
    (b"\x7fELF", "a program or a library (ELF)", RECORD),
    (b"MZ", "a program of Windows", ""),
    (b"#!", "a script", RECORD),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", RECORD_WRITER),
    (b"CDF\x01", "a NetCDF file", RECORD_WRITER),
    (b"CDF\x02", "a NetCDF file", RECORD_WRITER),
    (b"CDF\x05", "a NetCDF file", RECORD_WRITER),
    (b"\x93NUMPY", "an array of NumPy", RECORD_WRITER),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", ""),
    (b"\xff\xd8\xff", "a JPEG image", ""),
    (b"GIF8", "a GIF image", ""),
    (b"%PDF-", "a PDF document", "name the log that the document is about"),
    (b"SQLite format 3\0", "an SQLite database", ""),
    (b"PAR1", "a Parquet file whose columns are not known", MAP),
    (b"ARROW1", "an Arrow file whose columns are not known", MAP),
    (b"PK\x03\x04", "a zip archive", UNPACK),
    (b"PK\x05\x06", "an empty zip archive", ""),
    (b"\xfd7zXZ\0", "a file compressed with xz", "unpack it with `xz -d`"),
    (b"\x04\x22\x4d\x18", "a file compressed with lz4", "unpack it with `lz4 -d`"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (b"Rar!", "a rar archive", UNPACK),
    (b"\x1f\x8b", "a file compressed with gzip", "unpack it with `gzip -d`"),
    (b"BZh", "a file compressed with bzip2", "unpack it with `bzip2 -d`"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with zstd", "unpack it with `zstd -d`"),
    (b"!<arch>\n", "a library of object files (ar)", ""),
    (b"PERFILE2", "a recording of perf", ""),
    (b"gmon", "a profile of gprof", ""),
    (b"\xff\xfe", "a text in UTF-16", "convert it with `iconv -f UTF-16 -t UTF-8`"),
    (b"\xfe\xff", "a text in UTF-16", "convert it with `iconv -f UTF-16 -t UTF-8`"),
    (b"<?xml", "XML", ""),
    (b"<!DOCTYPE", "a page in HTML", "download the file itself, not the page that shows it"),
    (b"<html", "a page in HTML", "download the file itself, not the page that shows it"),
    (b"version https://git-lfs", "a pointer of Git LFS", "fetch the file with `git lfs pull`"),
];

const RECORD: &str = "record a program with `diya run -o FILE.diya -- PROGRAM`";
const RECORD_WRITER: &str = "name a log of the program that wrote it, not its data";
const UNPACK: &str = "unpack it, and name a log that it holds";
const MAP: &str = "say what its columns are with a mapping (docs/formats/mapping.md)";
const STRACE: &str = "record it with `strace -f -ttt -T -y -o FILE`";

/// Documents of other programs: members that all of them have, what they are, and the way out.
const DOCUMENTS: [(&[&str], &str, &str); 4] = [
    (
        &["schema", "pid", "nodes"],
        "an execution trace of PyTorch: operators and tensors, no times and no calls for files",
        "record the run with `diya run`, or trace it with torch.profiler and name the Chrome trace",
    ),
    (&["cells", "nbformat"], "a notebook of Jupyter", RECORD),
    (&["findings", "verdict"], "a report of diya", "name the log that it is about"),
    (&["argv", "metrics"], "counters of Metric Proxy, without calls for files", RECORD),
];

/// Names of members or columns that are shown.
const MAX_NAMES: usize = 6;
/// Letters of a name or a line that are shown.
const MAX_LETTERS: usize = 40;

/// The error for a file that begins with these bytes, which no reader takes.
pub(crate) fn refuse(head: &[u8], compression: Option<&str>) -> ReadError {
    let (mut kind, way_out) = kind(head);
    if let Some(compression) = compression {
        let _ = write!(kind, ", compressed with {compression}");
    }
    let way_out = if way_out.is_empty() { String::new() } else { format!("; {way_out}") };
    ReadError::Foreign { kind, way_out }
}

fn kind(head: &[u8]) -> (String, &'static str) {
    let known = BEGINNINGS.iter().find(|(bytes, ..)| head.starts_with(bytes));
    if let Some((_, kind, way_out)) = known {
        return ((*kind).to_string(), way_out);
    }
    if head.iter().all(|byte| *byte == 0) {
        return ("zeros: it was made, but never written".into(), "copy the file again");
    }
    if let [0x80, 2..=5, ..] = head {
        return ("a pickle of Python".into(), "");
    }
    match text(head) {
        Some(text) => kind_of_text(text),
        None => {
            packed(head).map_or_else(|| (bytes(head), "copy the file again"), |kind| (kind, ""))
        }
    }
}

/// The bytes as a text, if they are one; the last character may be cut.
fn text(head: &[u8]) -> Option<&str> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(head.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let is_shown = |letter: char| !letter.is_control() || matches!(letter, '\n' | '\r' | '\t');
    text.chars().all(is_shown).then_some(text)
}

fn kind_of_text(text: &str) -> (String, &'static str) {
    let trimmed = text.trim_start();
    if trimmed.starts_with(['{', '[']) {
        let names = members(trimmed);
        let has_all = |of: &[&str]| of.iter().all(|name| names.contains(name));
        if let Some((_, kind, way_out)) = DOCUMENTS.iter().find(|(of, ..)| has_all(of)) {
            return ((*kind).to_string(), way_out);
        }
        return match names.is_empty() {
            true => ("JSON that diya does not know".into(), ""),
            false => (format!("JSON with the members {}", listed(&names)), ""),
        };
    }
    let mut lines = trimmed.lines();
    let (first, second) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    if first.split_once('(').is_some_and(|(name, rest)| {
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
            && rest.contains(") = ")
    }) {
        return ("a text of strace without times".into(), STRACE);
    }
    for delimiter in [',', '\t', ';', '|'] {
        let columns: Vec<&str> =
            first.split(delimiter).map(|name| name.trim_matches('"')).collect();
        if columns.len() > 1 && second.split(delimiter).count() == columns.len() {
            return (format!("a table of text with the columns {}", listed(&columns)), MAP);
        }
    }
    let starts = ["import ", "from ", "def ", "#include", "use ", "package ", "program "];
    if starts.iter().any(|start| trimmed.starts_with(start)) {
        return (format!("source code that begins with {:?}", short(first)), RECORD);
    }
    (format!("a text that begins with {:?}", short(first)), "")
}

/// Names of the members of the outermost object, or of the first one in a list.
fn members(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let Some(open) = text.find('{') else { return names };
    let mut rest = text.get(open..).unwrap_or_default();
    let mut depth = 0usize;
    while let Some(at) = rest.find(['{', '}', '[', ']', '"']) {
        let (_, found) = rest.split_at(at);
        rest = found.get(1..).unwrap_or_default();
        match found.as_bytes().first() {
            Some(b'"') => {
                let Some(end) = end_of_text(rest) else { break };
                let name = rest.get(..end).unwrap_or_default();
                rest = rest.get(end + 1..).unwrap_or_default();
                if depth == 1 && rest.trim_start().starts_with(':') {
                    names.push(name);
                }
            }
            Some(b'{' | b'[') => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        if depth == 0 {
            break;
        }
    }
    names
}

/// Where the mark stands that ends a text of JSON.
fn end_of_text(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

/// A map of MessagePack whose first name is a text.
fn packed(head: &[u8]) -> Option<String> {
    let (count_bytes, rest) = match head.split_first()? {
        (0x81..=0x8f, rest) => (0, rest),
        (0xde, rest) => (2, rest),
        (0xdf, rest) => (4, rest),
        _ => return None,
    };
    let (&length, rest) = rest.get(count_bytes..)?.split_first()?;
    let (length, rest) = match length {
        0xa1..=0xbf => (usize::from(length & 0x1f), rest),
        0xd9 => (usize::from(*rest.first()?), rest.get(1..)?),
        _ => return None,
    };
    let name = text(rest.get(..length)?)?;
    if name == "argv" {
        return Some(
            "MessagePack of Metric Proxy or FTIO: counters, without calls for files".into(),
        );
    }
    Some(format!("MessagePack that begins with the member {:?}", short(name)))
}

fn bytes(head: &[u8]) -> String {
    let hex = head.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    format!("of a kind that diya does not know: it begins with the bytes {hex}")
}

fn listed(names: &[&str]) -> String {
    let more = if names.len() > MAX_NAMES { ", ..." } else { "" };
    let names = names.iter().take(MAX_NAMES).map(|name| format!("{:?}", short(name)));
    format!("{}{more}", names.collect::<Vec<_>>().join(", "))
}

fn short(text: &str) -> String {
    let mut letters = text.trim_end().chars();
    let start: String = letters.by_ref().take(MAX_LETTERS).collect();
    if letters.next().is_some() { format!("{start}...") } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(head: &[u8]) -> String {
        refuse(head, None).to_string()
    }

    #[test]
    fn files_of_other_programs_are_named_with_a_way_out() {
        for (bytes, kind) in [
            (&b"\x7fELF\x02\x01\x01\0"[..], "a program or a library (ELF)"),
            (b"\x89HDF\r\n\x1a\n\0\0", "an HDF5 file"),
            (b"PK\x03\x04\x14\0", "a zip archive; unpack it"),
            (b"\xfd7zXZ\0\0\x04", "xz -d"),
            (b"%PDF-1.4\n%", "a PDF document"),
            (b"SQLite format 3\0\x10\0", "an SQLite database"),
            (b"PAR1\x15\x04", "docs/formats/mapping.md"),
            (b"#!/bin/sh\necho\n", "a script"),
            (b"\xff\xfe{\0", "iconv"),
            (b"\x80\x04\x95\0", "a pickle of Python"),
            (b"\x82\xa4init\x01\xa3end\x02", "MessagePack that begins with the member \"init\""),
            (b"\0\0\0\0", "zeros"),
            (b"\x01\x02\x03\x9c", "01 02 03 9c"),
        ] {
            assert!(says(bytes).contains(kind), "{}", says(bytes));
        }
    }

    #[test]
    fn json_is_named_by_its_first_members() {
        let text = br#" {"name":"1.0","links":[{"id":1,"x":"a\"b"}],"pid":{"a":1}, "cut": "#;
        let expected = r#"JSON with the members "name", "links", "pid", "cut";"#;
        assert!(says(text).contains(expected), "{}", says(text));
        assert!(says(br#"[{"a":1},{"b":2}]"#).contains(r#"JSON with the members "a";"#));
        assert!(says(b"[1, 2]").contains("JSON that diya does not know"));
        let operators =
            br#"{"schema": "1.1.1", "pid": 7, "nodes": [{"id": 2, "name": "aten::add"}]}"#;
        assert!(says(operators).contains("PyTorch"), "{}", says(operators));
        assert!(says(operators).contains("torch.profiler"), "{}", says(operators));
        assert!(says(b"\x82\xa4argv\x90\xa7metrics\x80").contains("Metric Proxy"));
    }

    #[test]
    fn texts_are_named_by_what_they_look_like() {
        for (text, kind) in [
            ("rank,start,end\n1,2,3\n", r#"the columns "rank", "start", "end"; say what"#),
            ("openat(AT_FDCWD, \"a\", O_RDONLY) = 3\n", "a text of strace without times"),
            ("import os\nprint(1)\n", "source code"),
            ("notes, of a log\nand more", r#"a text that begins with "notes, of a log""#),
            ("<!DOCTYPE html><html>", "a page in HTML"),
        ] {
            assert!(says(text.as_bytes()).contains(kind), "{}", says(text.as_bytes()));
        }
        let packed = refuse(b"some words", Some("gzip")).to_string();
        assert!(packed.contains("compressed with gzip"), "{packed}");
    }
}
