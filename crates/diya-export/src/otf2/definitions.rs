//! The numbers of names, files and handles, and the files that say what they stand for.

use super::records::{Chunks, NOTHING, Record};
use std::collections::HashMap;
use std::hash::Hash;
use std::io::{self, Write};

/// Sizes of chunks, as Score-P writes them.
pub(super) const EVENT_CHUNK_BYTES: u64 = 1 << 20;
const DEFINITION_CHUNK_BYTES: u64 = 4 << 20;

const NS_PER_S: u64 = 1_000_000_000;

/// Paradigms of regions.
const NO_PARADIGM: u8 = 0;
const USER: u8 = 1;
const MPI: u8 = 4;

/// Roles of regions.
const FUNCTION: u8 = 1;
const FILE_IO: u8 = 27;
const FILE_IO_METADATA: u8 = 38;

/// Kinds of locations.
const THREAD: u8 = 1;
const METRICS: u8 = 3;

/// Metrics: of a user, of real numbers, whose unit is a power of ten; recorded at any time, by
/// nothing of the machine.
const USER_METRIC: u8 = 3;
const DOUBLE: u8 = 10;
const DECIMAL: u8 = 1;
const ASYNCHRONOUS: u8 = 2;
const ABSTRACT: u8 = 1;

/// Numbers from 0 in the order in which keys come.
#[derive(Debug)]
struct Numbers<K> {
    of: HashMap<K, u64>,
    keys: Vec<K>,
}

impl<K> Default for Numbers<K> {
    fn default() -> Self {
        Self { of: HashMap::new(), keys: Vec::new() }
    }
}

impl<K: Hash + Eq + Clone> Numbers<K> {
    fn of(&mut self, key: K) -> u64 {
        let next = self.keys.len() as u64;
        *self.of.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            next
        })
    }
}

/// What a region is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum RegionRole {
    /// A call that moves bytes.
    Transfer,
    /// Another call.
    Metadata,
    /// No call.
    Part,
    /// A call about messages, by the number of its role.
    Message(u8),
}

/// What distinguishes communicators: the key that all ranks have, and the step of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CommId {
    pub key: u64,
    pub step: i32,
}

impl CommId {
    const WORLD: u64 = 1;

    fn name(self) -> String {
        match self.key {
            Self::WORLD => "MPI_COMM_WORLD".to_owned(),
            key => format!("communicator {key:x}"),
        }
    }
}

/// A process: its name, its node, its locations.
#[derive(Debug)]
pub(super) struct Group {
    pub name: String,
    pub host: Option<String>,
    pub locations: Vec<Location>,
}

/// A thread, or the counters of a process: its name and the number of its events.
#[derive(Debug)]
pub(super) struct Location {
    pub name: String,
    pub is_thread: bool,
    pub events: u64,
}

/// A counter: its name, its unit, what its values are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Metric {
    pub name: String,
    pub unit: String,
    pub mode: u8,
}

/// What a counter is of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    Location(u64),
    Group(u64),
    Host(String),
}

/// What events of counters refer to: a counter, or a counter (by its number) that a location
/// records of something.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Recorded {
    Class(u64),
    Instance(u64, u64, Scope),
}

/// All definitions.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    texts: Numbers<String>,
    regions: Numbers<(String, RegionRole)>,
    files: Numbers<(String, bool)>,
    paradigms: Numbers<&'static str>,
    /// Process, paradigm, file.
    handles: Numbers<(usize, u64, u64)>,
    metrics: Numbers<Metric>,
    recorded: Numbers<Recorded>,
    /// With their ranks in order.
    comms: Numbers<(CommId, Vec<i32>)>,
    pub groups: Vec<Group>,
    /// First locations of the ranks, where there is one for each.
    pub ranks: Option<Vec<u64>>,
}

/// The attribute that says where a transfer begins.
pub(super) const OFFSET: u64 = 0;

impl Definitions {
    pub fn region(&mut self, name: &str, role: RegionRole) -> u64 {
        self.regions.of((name.to_string(), role))
    }

    pub fn comm(&mut self, id: CommId, ranks: &[i32]) -> u64 {
        self.comms.of((id, ranks.to_vec()))
    }

    pub fn file(&mut self, path: &str, is_directory: bool) -> u64 {
        self.files.of((path.to_string(), is_directory))
    }

    pub fn paradigm(&mut self, identification: &'static str) -> u64 {
        self.paradigms.of(identification)
    }

    pub fn handle(&mut self, process: usize, paradigm: u64, file: u64) -> u64 {
        self.handles.of((process, paradigm, file))
    }

    pub fn metric(&mut self, metric: Metric) -> u64 {
        self.metrics.of(metric)
    }

    /// What events of a counter refer to.
    pub fn metric_of(&mut self, metric: u64, recorder: u64, scope: Scope) -> u64 {
        let class = self.recorded.of(Recorded::Class(metric));
        self.recorded.of(Recorded::Instance(class, recorder, scope))
    }

    /// Writes the global definitions; returns the number of records.
    pub fn write(
        mut self,
        out: impl Write,
        length_ns: u64,
        start_ns: Option<i64>,
    ) -> io::Result<u64> {
        let records = self.records();
        let mut chunks = Chunks::new(out, DEFINITION_CHUNK_BYTES);
        let start = start_ns.and_then(|ns| u64::try_from(ns).ok()).unwrap_or(NOTHING);
        chunks.definition(&Record::new(5).ints([NS_PER_S, 0, length_ns, start]))?;
        for (id, text) in (0..).zip(&self.texts.keys) {
            chunks.definition(&Record::new(10).int(id).text(text))?;
        }
        for record in &records {
            chunks.definition(record)?;
        }
        chunks.finish()?;
        Ok(1 + (self.texts.keys.len() + records.len()) as u64)
    }

    /// All records but those of the clock and of texts, which come before them.
    fn records(&mut self) -> Vec<Record> {
        let mut text = |text: &str| self.texts.of(text.to_string());
        let empty = text("");
        let mut all = vec![
            Record::new(6).byte(MPI).int(text("mpi")).byte(1),
            Record::new(6).byte(USER).int(text("user")).byte(1),
        ];
        for (id, name) in (0..).zip(&self.paradigms.keys) {
            let name = text(name);
            all.push(Record::new(8).byte(id).ints([name, name]).byte(0).int(0).byte(0));
        }
        all.push(Record::new(11).ints([OFFSET, text("Offset")]).byte(4).int(empty));
        let (machine, node) = (text("machine"), text("node"));
        all.push(Record::new(12).ints([0, machine, machine, NOTHING]));
        let mut hosts: Vec<&str> =
            self.groups.iter().filter_map(|group| group.host.as_deref()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        for (id, host) in (1..).zip(&hosts) {
            all.push(Record::new(12).ints([id, text(host), node, 0]));
        }
        // Memory is shared on a node.
        all.extend((1..).zip(&hosts).map(|(id, _)| Record::new(27).int(id).byte(1)));
        for (id, group) in (0..).zip(&self.groups) {
            let host = group.host.as_deref().and_then(|host| hosts.binary_search(&host).ok());
            let parent = host.map_or(0, |at| at as u64 + 1);
            all.push(Record::new(13).ints([id, text(&group.name)]).byte(1).ints([parent, NOTHING]));
        }
        let mut location = 0;
        for (id, group) in (0..).zip(&self.groups) {
            for Location { name, is_thread, events } in &group.locations {
                let kind = if *is_thread { THREAD } else { METRICS };
                let record = Record::new(14).ints([location, text(name)]).byte(kind);
                all.push(record.ints([*events, id]));
                location += 1;
            }
        }
        for (id, (name, role)) in (0..).zip(&self.regions.keys) {
            let is_mpi = name.starts_with("MPI_");
            let (role, paradigm) = match role {
                RegionRole::Transfer if is_mpi => (FILE_IO, MPI),
                RegionRole::Metadata if is_mpi => (FILE_IO_METADATA, MPI),
                RegionRole::Transfer => (FILE_IO, NO_PARADIGM),
                RegionRole::Metadata => (FILE_IO_METADATA, NO_PARADIGM),
                RegionRole::Part => (FUNCTION, USER),
                RegionRole::Message(role) => (*role, MPI),
            };
            let name = text(name);
            let place = [NOTHING, 0, 0];
            let record = Record::new(15).ints([id, name, empty]).byte(0).ints(place);
            all.push(record.int(name).byte(role).byte(paradigm).int(0));
        }
        if let Some(ranks) = &self.ranks {
            let record = Record::new(18).ints([0, empty]).byte(6).int(ranks.len() as u64);
            let record = ranks.iter().fold(record, |record, rank| record.int(*rank));
            all.push(record.byte(4).byte(MPI).int(0));
            // Groups of ranks, each with its number of before version 3; then who uses them.
            for (id, (comm, ranks)) in (1..).zip(&self.comms.keys) {
                let record = Record::new(18).ints([id, empty]).byte(4).int(ranks.len() as u64);
                let ranks = ranks.iter().map(|rank| u64::try_from(*rank).unwrap_or(0));
                all.push(ranks.fold(record, Record::int).byte(5).byte(MPI).int(0));
                all.push(Record::new(22).ints([id - 1, text(&comm.name()), id, NOTHING, 0]));
            }
        }
        for (id, metric) in (0..).zip(&self.metrics.keys) {
            let record = Record::new(19).ints([id, text(&metric.name), empty]).byte(USER_METRIC);
            let record = record.byte(metric.mode).byte(DOUBLE).byte(DECIMAL);
            all.push(record.ints([0, text(&metric.unit)]));
        }
        for (id, recorded) in (0..).zip(&self.recorded.keys) {
            all.push(match recorded {
                Recorded::Class(metric) => {
                    let record = Record::new(20).int(id).byte(1).int(*metric);
                    record.byte(ASYNCHRONOUS).byte(ABSTRACT)
                }
                Recorded::Instance(class, recorder, scope) => {
                    let (kind, of) = match scope {
                        Scope::Location(location) => (0, *location),
                        Scope::Group(group) => (1, *group),
                        Scope::Host(host) => {
                            let at = hosts.binary_search(&host.as_str());
                            (2, at.map_or(0, |at| at as u64 + 1))
                        }
                    };
                    Record::new(21).ints([id, *class, *recorder]).byte(kind).int(of)
                }
            });
        }
        for (id, (path, is_directory)) in (0..).zip(&self.files.keys) {
            let kind = if *is_directory { 39 } else { 38 };
            all.push(Record::new(kind).ints([id, text(path), 0]));
        }
        for (id, (_, paradigm, file)) in (0..).zip(&self.handles.keys) {
            let record = Record::new(40).ints([id, empty, *file]).byte(*paradigm as u8);
            all.push(record.ints([0, NOTHING, NOTHING]));
        }
        all
    }

    /// The bytes of the anchor.
    pub fn anchor(locations: u64, definitions: u64) -> Vec<u8> {
        let mut bytes = b"\x03\x42OTF2\0".to_vec();
        // Versions of the anchor, of the format, and of the library that writes so.
        bytes.extend([3, 2, 3, 0, 0]);
        bytes.extend(EVENT_CHUNK_BYTES.to_le_bytes());
        bytes.extend(DEFINITION_CHUNK_BYTES.to_le_bytes());
        // A file for each location, no compression.
        bytes.extend([1, 1]);
        bytes.extend(locations.to_le_bytes());
        bytes.extend(definitions.to_le_bytes());
        let creator = concat!("diya ", env!("CARGO_PKG_VERSION"));
        for text in ["", creator, ""] {
            bytes.extend(text.bytes());
            bytes.push(0);
        }
        // No properties, no number of the archive, no snapshots, no thumbnails.
        bytes.extend([0; 4 + 8 + 4 + 4]);
        bytes.extend([2, 1, 0]);
        bytes
    }
}
