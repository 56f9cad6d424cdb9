//! `NAME.def`: what the numbers in records of events stand for.

use super::bytes::{NOTHING, Rest, reference};
use super::chunks::{Reading, records};
use super::tables::ById;
use std::borrow::Cow;

/// Kinds of records; others are passed over.
mod kind {
    pub const CLOCK: u8 = 5;
    pub const PARADIGM: u8 = 6;
    pub const IO_PARADIGM: u8 = 8;
    pub const STRING: u8 = 10;
    pub const ATTRIBUTE: u8 = 11;
    pub const NODE: u8 = 12;
    pub const LOCATION_GROUP: u8 = 13;
    pub const LOCATION: u8 = 14;
    pub const REGION: u8 = 15;
    pub const GROUP: u8 = 18;
    pub const METRIC_MEMBER: u8 = 19;
    pub const METRIC_CLASS: u8 = 20;
    pub const METRIC_INSTANCE: u8 = 21;
    pub const COMM: u8 = 22;
    pub const NODE_DOMAIN: u8 = 27;
    pub const CALLING_CONTEXT: u8 = 34;
    pub const IO_FILE: u8 = 38;
    pub const IO_DIRECTORY: u8 = 39;
    pub const IO_HANDLE: u8 = 40;
    pub const IO_PRE_CREATED: u8 = 41;
}

/// Name of the attribute that says where in its file an operation begins.
const OFFSET: &str = "offset";

/// The group of the locations that ranks are numbered by: its kind before version 1.2, its kind
/// since then, and its paradigm.
const OLD_MPI_LOCATIONS: u8 = 6;
pub(super) const COMM_LOCATIONS: u8 = 4;
pub(super) const MPI: u8 = 4;

/// The kind of a group of locations that is no process.
const ACCELERATOR: u8 = 2;

/// The kind of a location that has metrics only, of no thread.
const METRIC_LOCATION: u8 = 3;

/// The domain of a node of which all processes share memory.
const SHARED_MEMORY: u8 = 1;

/// The clock of the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockProperties {
    /// Ticks a second.
    pub resolution: u64,
    /// Tick at which the trace begins.
    pub first: u64,
    /// Nanoseconds since 1970 at that tick.
    pub real_ns: Option<u64>,
}

/// A node of the machine, or what holds nodes.
#[derive(Debug)]
pub(super) struct Node {
    pub name: u32,
    pub class: u32,
    pub parent: u32,
}

/// A process, or an accelerator.
#[derive(Debug)]
pub(super) struct LocationGroup {
    pub name: u32,
    pub is_accelerator: bool,
    pub node: u32,
    /// The process that uses the accelerator.
    pub creator: Option<u32>,
}

/// A thread, a stream of an accelerator, or a source of metrics.
#[derive(Debug)]
pub(super) struct Location {
    pub name: u32,
    pub is_thread: bool,
    pub events: u64,
    pub group: u32,
}

/// A function or a part of one.
#[derive(Debug)]
pub(super) struct Region {
    pub name: u32,
    pub role: u8,
    pub paradigm: u8,
}

/// Locations of ranks, locations of other kinds, regions.
#[derive(Debug)]
pub(super) struct Group {
    pub kind: u8,
    pub paradigm: u8,
    pub members: Vec<u64>,
}

/// An open file.
#[derive(Debug)]
pub(super) struct Handle {
    pub name: u32,
    pub file: Option<u32>,
    pub paradigm: u8,
    pub parent: Option<u32>,
}

/// A file or directory.
#[derive(Debug)]
pub(super) struct File {
    pub name: u32,
    pub is_directory: bool,
}

/// One value of a metric.
#[derive(Debug)]
pub(super) struct MetricMember {
    pub name: u32,
    /// What the value is (lower half) and which time it is of (upper half).
    pub mode: u8,
    /// The unit is a power of ten, or else of two.
    pub is_decimal: bool,
    pub exponent: i64,
    pub unit: u32,
}

/// A metric that is recorded by one location and is of something else.
#[derive(Debug)]
pub(super) struct MetricInstance {
    pub class: u32,
    /// What `of` is: a location, a location group, a node, a group.
    pub scope: u8,
    pub of: u64,
}

/// All that is needed of the file.
#[derive(Debug, Default)]
pub(super) struct Definitions<'a> {
    pub clock: Option<ClockProperties>,
    strings: ById<&'a [u8]>,
    /// Names of attributes.
    attributes: ById<u32>,
    /// Attributes that are offsets, in order.
    offsets: Vec<u32>,
    pub nodes: ById<Node>,
    pub shared_memory: ById<()>,
    pub location_groups: ById<LocationGroup>,
    pub locations: ById<Location>,
    pub regions: ById<Region>,
    pub groups: Vec<Group>,
    /// Positions in them, by number.
    group_at: ById<usize>,
    /// Groups of communicators.
    comms: ById<u32>,
    /// The first communicator of most ranks.
    pub world: Option<u32>,
    /// Names of the numbers in regions and groups.
    pub paradigms: ById<u32>,
    /// Names of the numbers in handles: `POSIX`, `ISOC`, `MPI-IO`, ...
    pub io_paradigms: ById<u32>,
    pub files: ById<File>,
    pub handles: ById<Handle>,
    /// Status flags of handles that were open before the program began.
    pub pre_created: ById<u32>,
    pub metric_members: ById<MetricMember>,
    /// Members of each class of metrics.
    pub metric_classes: ById<Vec<u32>>,
    pub metric_instances: ById<MetricInstance>,
    /// Regions of calling contexts.
    pub contexts: ById<u32>,
    pub reading: Reading,
}

impl<'a> Definitions<'a> {
    /// Reads the bytes of the file, in chunks of this size.
    pub fn of(bytes: &'a [u8], chunk_bytes: u64) -> Self {
        let mut all = Self::default();
        all.reading = records(bytes, chunk_bytes, |kind, record| all.record(kind, record));
        all.sort();
        all
    }

    fn record(&mut self, kind: u8, mut rest: Rest<'a>) -> Option<()> {
        match kind {
            kind::CLOCK => {
                let (resolution, first) = (rest.u64()?, rest.u64()?);
                let _length = rest.u64()?;
                // Archives before version 3 do not have it.
                let real_ns = rest.u64().filter(|ns| *ns != u64::MAX);
                self.clock = Some(ClockProperties { resolution, first, real_ns });
            }
            kind::PARADIGM => self.paradigms.push(rest.u8()?.into(), rest.u32()?),
            kind::IO_PARADIGM => self.io_paradigms.push(rest.u8()?.into(), rest.u32()?),
            kind::STRING => self.strings.push(rest.u32()?.into(), rest.text()?),
            kind::ATTRIBUTE => self.attributes.push(rest.u32()?.into(), rest.u32()?),
            kind::NODE => {
                let id = rest.u32()?;
                let (name, class, parent) = (rest.u32()?, rest.u32()?, rest.u32()?);
                self.nodes.push(id.into(), Node { name, class, parent });
            }
            kind::NODE_DOMAIN => {
                let id = rest.u32()?;
                if rest.u8()? == SHARED_MEMORY {
                    self.shared_memory.push(id.into(), ());
                }
            }
            kind::LOCATION_GROUP => {
                let (id, name) = (rest.u32()?, rest.u32()?);
                let is_accelerator = rest.u8()? == ACCELERATOR;
                // Archives before version 3 do not have the creator.
                let (node, creator) = (rest.u32()?, rest.u32().and_then(reference));
                let group = LocationGroup { name, is_accelerator, node, creator };
                self.location_groups.push(id.into(), group);
            }
            kind::LOCATION => {
                let id = rest.u64()?;
                let (name, is_thread) = (rest.u32()?, rest.u8()? != METRIC_LOCATION);
                let (events, group) = (rest.u64()?, rest.u32()?);
                self.locations.push(id, Location { name, is_thread, events, group });
            }
            kind::REGION => {
                let (id, name) = (rest.u32()?, rest.u32()?);
                let (_description, _kind) = (rest.u32()?, rest.u8()?);
                let _place = (rest.u32()?, rest.u32()?, rest.u32()?);
                // Archives of version 1.0 do not have what follows.
                let _symbol = rest.u32();
                let (role, paradigm) = (rest.u8().unwrap_or(0), rest.u8().unwrap_or(0));
                self.regions.push(id.into(), Region { name, role, paradigm });
            }
            kind::GROUP => {
                let (id, _name) = (rest.u32()?, rest.u32()?);
                let (old_kind, count) = (rest.u8()?, rest.u32()?);
                let members: Vec<u64> = (0..count).map_while(|_| rest.u64()).collect();
                // Archives before version 1.2 have the first kind only.
                let (kind, paradigm) = match old_kind {
                    OLD_MPI_LOCATIONS => (COMM_LOCATIONS, MPI),
                    _ => (0, 0),
                };
                let (kind, paradigm) = (rest.u8().unwrap_or(kind), rest.u8().unwrap_or(paradigm));
                self.group_at.push(id.into(), self.groups.len());
                self.groups.push(Group { kind, paradigm, members });
            }
            kind::COMM => {
                let (id, _name) = (rest.u32()?, rest.u32()?);
                self.comms.push(id.into(), rest.u32()?);
            }
            kind::METRIC_MEMBER => {
                let (id, name) = (rest.u32()?, rest.u32()?);
                let (_description, _kind) = (rest.u32()?, rest.u8()?);
                let (mode, _type, is_decimal) = (rest.u8()?, rest.u8()?, rest.u8()? != 0);
                let (exponent, unit) = (rest.i64()?, rest.u32()?);
                let member = MetricMember { name, mode, is_decimal, exponent, unit };
                self.metric_members.push(id.into(), member);
            }
            kind::METRIC_CLASS => {
                let (id, count) = (rest.u32()?, rest.u8()?);
                let members = (0..count).map(|_| rest.u32()).collect::<Option<_>>()?;
                self.metric_classes.push(id.into(), members);
            }
            kind::METRIC_INSTANCE => {
                let (id, class, _recorder) = (rest.u32()?, rest.u32()?, rest.u64()?);
                let (scope, of) = (rest.u8()?, rest.u64()?);
                self.metric_instances.push(id.into(), MetricInstance { class, scope, of });
            }
            kind::CALLING_CONTEXT => self.contexts.push(rest.u32()?.into(), rest.u32()?),
            kind::IO_FILE | kind::IO_DIRECTORY => {
                let is_directory = kind == kind::IO_DIRECTORY;
                self.files.push(rest.u32()?.into(), File { name: rest.u32()?, is_directory });
            }
            kind::IO_HANDLE => {
                let (id, name) = (rest.u32()?, rest.u32()?);
                let (file, paradigm) = (reference(rest.u32()?), rest.u8()?);
                let (_flags, _communicator) = (rest.u32()?, rest.u32()?);
                let parent = reference(rest.u32()?);
                self.handles.push(id.into(), Handle { name, file, paradigm, parent });
            }
            kind::IO_PRE_CREATED => {
                let (id, _mode) = (rest.u32()?, rest.u8()?);
                self.pre_created.push(id.into(), rest.u32()?);
            }
            _ => {}
        }
        Some(())
    }

    fn sort(&mut self) {
        self.strings.sort();
        self.attributes.sort();
        self.nodes.sort();
        self.shared_memory.sort();
        self.location_groups.sort();
        self.locations.sort();
        self.regions.sort();
        self.paradigms.sort();
        self.io_paradigms.sort();
        self.files.sort();
        self.handles.sort();
        self.pre_created.sort();
        self.contexts.sort();
        self.comms.sort();
        self.group_at.sort();
        let mut most = 0;
        let ids: Vec<u64> = self.comms.iter().map(|(id, _)| id).collect();
        for id in ids.into_iter().filter_map(|id| u32::try_from(id).ok()) {
            let size = self.group_of(id).map_or(0, |group| group.members.len());
            if size > most {
                (self.world, most) = (Some(id), size);
            }
        }
        self.metric_members.sort();
        self.metric_classes.sort();
        self.metric_instances.sort();
        let is_offset = |name: &u32| self.text(*name).eq_ignore_ascii_case(OFFSET);
        let offsets = self.attributes.iter().filter(|(_, name)| is_offset(name));
        self.offsets = offsets.filter_map(|(id, _)| u32::try_from(id).ok()).collect();
    }

    /// The text of this number; empty: it has none.
    pub fn text(&self, id: u32) -> Cow<'a, str> {
        let text = if id == NOTHING { None } else { self.strings.get(id.into()) };
        text.map_or(Cow::Borrowed(""), |text| String::from_utf8_lossy(text))
    }

    /// The group of a communicator.
    pub fn group_of(&self, comm: u32) -> Option<&Group> {
        let group = *self.comms.get(comm.into())?;
        self.groups.get(*self.group_at.get(group.into())?)
    }

    /// Is this attribute the place of an operation in its file?
    pub fn is_offset(&self, attribute: u32) -> bool {
        self.offsets.binary_search(&attribute).is_ok()
    }
}
