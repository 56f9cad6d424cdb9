//! Requests of one client of GekkoFS in JSON: lists of starts, ends and sizes.
//!
//! The lists have no names of files. Whether they are reads or writes stands in `io_type` or, in
//! files of FTIO, only in the name of the file.

use super::{Row, Rows};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The first member stands in so many bytes.
const HEAD_BYTES: u64 = 256;

#[derive(Debug, Default)]
struct Client {
    hostname: String,
    pid: i64,
    io_type: Option<String>,
    start_t_micro: Vec<Option<i64>>,
    end_t_micro: Vec<Option<i64>>,
    req_size: Vec<Option<i64>>,
}

/// Are these the requests of a client?
pub(super) fn is_one(path: &Path) -> bool {
    let mut head = Vec::new();
    path.extension().is_some_and(|ending| ending == "json")
        && File::open(path).is_ok_and(|file| file.take(HEAD_BYTES).read_to_end(&mut head).is_ok())
        && is_head(&head)
}

/// Members are sorted by name, or in the order in which GekkoFS sends them.
fn is_head(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let first = text.trim_start().strip_prefix('{').map(str::trim_start);
    let is_name = |name: &str| first.is_some_and(|first| first.starts_with(name));
    is_name("\"avg_thruput_mib\"") || is_name("\"init_t\"") && text.contains("\"start_t_micro\"")
}

/// Adds the requests of a client, which is a rank.
pub(super) fn add(path: &Path, client: usize, rows: &mut Rows) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    add_text(&std::fs::read(path)?, &name, client, rows)
}

pub(super) fn add_text(text: &[u8], name: &str, client: usize, rows: &mut Rows) -> io::Result<()> {
    let mut of = Client::default();
    let read = serde_json::Deserializer::from_slice(text).deserialize_map(Members(&mut of));
    if let Err(e) = read {
        // Members are sorted by name: the starts are the last list, a request before the cut is whole.
        if !e.is_eof() || of.start_t_micro.is_empty() {
            let (line, column) = (e.line(), e.column());
            let what = format!("requests of GekkoFS, line {line}, column {column}: {e}");
            return Err(io::Error::other(what));
        }
        // Digits of the last number may be missing.
        if text.last().is_some_and(u8::is_ascii_digit) {
            of.start_t_micro.pop();
        }
        of.keep_whole_requests();
        rows.is_cut = true;
    }
    let kind = of.io_type.as_deref().unwrap_or(name);
    let function = ["read", "write"].into_iter().find(|kind_of| kind.starts_with(kind_of));
    let function = function.ok_or_else(|| {
        let way_out = "begin the name of the file with read_ or write_";
        io::Error::other(format!("requests of GekkoFS: reads or writes is not known; {way_out}"))
    })?;
    let requests = of.start_t_micro.len().max(of.end_t_micro.len()).max(of.req_size.len());
    for at in 0..requests {
        let of_list = |list: &[Option<i64>]| list.get(at).copied().flatten();
        let ns = |list: &[Option<i64>]| of_list(list).and_then(|us| us.checked_mul(1_000));
        rows.add(&Row {
            start_ns: ns(&of.start_t_micro),
            end_ns: ns(&of.end_t_micro),
            function,
            rank: i64::try_from(client).unwrap_or(i64::MAX),
            thread: of.pid,
            host: &of.hostname,
            bytes: of_list(&of.req_size),
            ..Row::default()
        })?;
    }
    Ok(())
}

impl Client {
    /// Drops what stands behind the shortest list.
    fn keep_whole_requests(&mut self) {
        let lists = [&mut self.start_t_micro, &mut self.end_t_micro, &mut self.req_size];
        let whole = lists.iter().map(|list| list.len()).filter(|len| *len > 0).min().unwrap_or(0);
        lists.into_iter().for_each(|list| list.truncate(whole));
    }
}

/// Fills a client member by member, so that a cut leaves what stood before it.
struct Members<'c>(&'c mut Client);

impl<'de> Visitor<'de> for Members<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the lists of a client")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let client = self.0;
        while let Some(name) = members.next_key::<String>()? {
            match name.as_str() {
                "hostname" => client.hostname = members.next_value()?,
                "pid" => client.pid = members.next_value()?,
                "io_type" => client.io_type = members.next_value()?,
                "start_t_micro" => members.next_value_seed(List(&mut client.start_t_micro))?,
                "end_t_micro" => members.next_value_seed(List(&mut client.end_t_micro))?,
                "req_size" => members.next_value_seed(List(&mut client.req_size))?,
                _ => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// Fills a list number by number.
struct List<'l>(&'l mut Vec<Option<i64>>);

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, text: D) -> Result<(), D::Error> {
        text.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of whole numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<(), A::Error> {
        while let Some(number) = numbers.next_element()? {
            self.0.push(number);
        }
        Ok(())
    }
}
