//! Lines of darshan-dxt-parser: records of calls, each behind five lines about it.

use crate::Request;
use crate::darshan::issues::Issues;
use diya_tables::{Call, CallRun, Issue, IssueKind, Layer, Op, RankHostRow, TableId, Tables};
use std::collections::{BTreeMap, BTreeSet};

/// Record of which lines come.
#[derive(Debug, Clone, Default)]
struct Record {
    id: u64,
    rank: i32,
    host: String,
    module: &'static str,
    /// Calls that the lines before it announce, and that are still to come.
    left: i64,
    offset: u64,
}

/// The calls of a text.
pub(super) struct Trace<'a> {
    request: &'a Request<'a>,
    record: Option<Record>,
    hosts: BTreeSet<(i32, String, &'static str)>,
    modules: BTreeMap<&'static str, u64>,
    /// Calls that begin and end at the same printed time.
    instant: u64,
    pub names: Vec<(u64, String)>,
}

impl<'a> Trace<'a> {
    pub fn new(request: &'a Request<'a>) -> Self {
        Self {
            request,
            record: None,
            hosts: BTreeSet::new(),
            modules: BTreeMap::new(),
            instant: 0,
            names: Vec::new(),
        }
    }

    /// Does the text have calls at all?
    pub fn has_records(&self) -> bool {
        !self.modules.is_empty() || !self.names.is_empty()
    }

    /// Does it have calls of this module?
    pub fn has(&self, module: &str) -> bool {
        self.modules.contains_key(module)
    }

    /// Takes in a line about a record, without its `#`; false: it is another line.
    pub fn note(&mut self, note: &str, offset: u64, issues: &mut Issues) -> bool {
        let Some(note) = note.strip_prefix(" DXT, ") else { return false };
        let mut parts = note.split(", ").filter_map(|part| part.split_once(": "));
        match parts.next() {
            Some(("file_id", id)) => {
                self.close(issues);
                let id = id.parse().unwrap_or_default();
                // A name can hold commas.
                let name = note.split_once("file_name: ").map_or("", |(_, name)| name);
                self.names.push((id, name.to_string()));
                self.record = Some(Record { id, offset, ..Record::default() });
            }
            Some(("rank", rank)) => {
                if let Some(record) = &mut self.record {
                    record.rank = rank.parse().unwrap_or_default();
                    record.host = parts.next().map_or(String::new(), |(_, host)| host.to_string());
                }
            }
            Some(("write_count", writes)) => {
                let reads = parts.next().map_or("0", |(_, reads)| reads);
                let count = |text: &str| text.trim().parse::<i64>().unwrap_or(0).max(0);
                if let Some(record) = &mut self.record {
                    record.left = count(writes).saturating_add(count(reads));
                }
            }
            _ => {}
        }
        true
    }

    /// Takes in a line about a call; false: it makes no sense.
    pub fn segment(&mut self, line: &str, tables: &mut Tables) -> bool {
        let Some(record) = &mut self.record else { return false };
        let mut fields = line.split_whitespace();
        let mut field = || fields.next();
        let (layer, module) = match field() {
            Some("X_POSIX") => (Layer::Posix, "DXT_POSIX"),
            Some("X_MPIIO") => (Layer::Mpiio, "DXT_MPIIO"),
            _ => return false,
        };
        let rank = field().and_then(|rank| rank.parse::<i32>().ok());
        let op = match field() {
            Some("write") => Op::Write,
            Some("read") => Op::Read,
            _ => return false,
        };
        let _segment = field();
        let mut number = || field().and_then(|number| number.parse::<i64>().ok());
        let (Some(rank), Some(offset), Some(size)) = (rank, number(), number()) else {
            return false;
        };
        let mut time = || fields.next().and_then(|time| time.parse::<f64>().ok());
        let (Some(start_s), Some(end_s)) = (time(), time()) else { return false };
        record.module = module;
        record.left -= 1;
        *self.modules.entry(module).or_default() += 1;
        self.instant += u64::from(start_s >= end_s);
        if !record.host.is_empty() {
            self.hosts.insert((rank, record.host.clone(), module));
        }
        let selection = self.request.selection;
        if !selection.tables.has(TableId::Call) || !selection.wants(record.id, rank) {
            return true;
        }
        let host = Some(record.host.as_str()).filter(|host| !host.is_empty());
        let run = CallRun {
            host: host.map(|host| tables.calls.name_id(host)),
            has_offset: offset >= 0,
            ..CallRun::new(self.request.log, layer, op, record.id, rank)
        };
        // A target of Lustre, in brackets, stands where the thread is not printed.
        let thread = fields.next().and_then(|thread| thread.parse().ok());
        let call = Call {
            offset_bytes: offset.max(0),
            size_bytes: size,
            start_s,
            end_s: end_s.max(start_s),
            thread,
            ..Call::default()
        };
        tables.calls.push(run, call);
        true
    }

    fn close(&mut self, issues: &mut Issues) {
        let Some(record) = self.record.take() else { return };
        if record.left != 0 {
            let effect = "a record has another number of calls than the line before it says";
            let module = Some(record.module).filter(|module| !module.is_empty());
            let count = Some(record.left.unsigned_abs());
            issues.push(IssueKind::Truncated, module, Some(record.offset), count, effect.into());
        }
    }

    /// The text has ended.
    pub fn finish(&mut self, issues: &mut Issues, tables: &mut Tables) {
        self.close(issues);
        if self.request.selection.tables.has(TableId::RankHost) {
            for (rank, host, source) in &self.hosts {
                let log = self.request.log;
                tables.push_rank_host(RankHostRow { log, rank: *rank, host, source });
            }
        }
        if self.instant > 0 {
            let effect = "times have four digits: calls of less than 0.1 ms appear to take no time";
            let issue = Issue::of_log(IssueKind::Untimed, effect);
            let (module, tables_of) = (self.modules.keys().next().copied(), [TableId::Call]);
            let count = Some(self.instant);
            tables
                .push_issue(self.request.log, Issue { module, count, tables: &tables_of, ..issue });
        }
    }
}
