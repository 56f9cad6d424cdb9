//! Archives made record by record.

use crate::{ReadError, Request, Selection, Serial};
use diya_tables::Tables;

/// Bytes of a chunk of events: short, so that small tests have several.
pub const CHUNK_BYTES: usize = 256;

/// A number with its length before it.
pub fn short(number: u64) -> Vec<u8> {
    if number == u64::MAX || number == u64::from(u32::MAX) {
        return vec![0xff];
    }
    let bytes = number.to_le_bytes();
    let count = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |at| at + 1);
    let mut all = vec![u8::try_from(count).expect("few")];
    all.extend_from_slice(&bytes[..count]);
    all
}

/// A number of one byte, of up to eight with their length, of eight, or a text.
#[derive(Debug, Clone, Copy)]
pub enum Field {
    Byte(u8),
    Short(u64),
    Full(u64),
    Text(&'static str),
}

/// A record: its kind, its length, its fields.
pub fn record(kind: u8, fields: &[Field]) -> Vec<u8> {
    let mut payload = Vec::new();
    for field in fields {
        match field {
            Field::Byte(byte) => payload.push(*byte),
            Field::Short(number) => payload.extend(short(*number)),
            Field::Full(number) => payload.extend(number.to_le_bytes()),
            Field::Text(text) => {
                payload.extend(text.as_bytes());
                payload.push(0);
            }
        }
    }
    let mut all = vec![kind, u8::try_from(payload.len()).expect("short")];
    all.extend(payload);
    all
}

/// Events of a location as records, each with its tick.
#[derive(Debug, Clone, Default)]
pub struct Events(pub Vec<(u64, Vec<u8>)>);

impl Events {
    pub fn enter(self, tick: u64, region: u64) -> Self {
        self.one(tick, 12, region)
    }

    pub fn leave(self, tick: u64, region: u64) -> Self {
        self.one(tick, 13, region)
    }

    /// An event of one number.
    pub fn number(self, tick: u64, kind: u8, number: u64) -> Self {
        self.one(tick, kind, number)
    }

    fn one(mut self, tick: u64, kind: u8, number: u64) -> Self {
        let mut bytes = vec![kind];
        bytes.extend(short(number));
        self.0.push((tick, bytes));
        self
    }

    pub fn record(mut self, tick: u64, kind: u8, fields: &[Field]) -> Self {
        self.0.push((tick, record(kind, fields)));
        self
    }

    /// Handle, mode, requested bytes, flags, number.
    pub fn begin(
        self,
        tick: u64,
        (handle, mode): (u64, u8),
        bytes: u64,
        request: (u64, u64),
    ) -> Self {
        use Field::{Byte, Short};
        let (flags, id) = request;
        let fields = [Short(handle), Byte(mode), Short(flags), Short(bytes), Short(id)];
        self.record(tick, 75, &fields)
    }

    pub fn complete(self, tick: u64, handle: u64, bytes: u64, id: u64) -> Self {
        use Field::Short;
        self.record(tick, 78, &[Short(handle), Short(bytes), Short(id)])
    }

    /// The next record has an offset.
    pub fn offset(mut self, tick: u64, place: u64) -> Self {
        use Field::{Byte, Short};
        self.0.push((tick, record(6, &[Short(1), Short(0), Byte(4), Short(place)])));
        self
    }

    fn file(&self) -> Vec<u8> {
        chunks(self.0.iter().map(|(tick, event)| (Some(*tick), event.as_slice())))
    }
}

/// A file of records in chunks, each with its tick if it has one.
pub fn chunks<'r>(records: impl Iterator<Item = (Option<u64>, &'r [u8])>) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut tick = None;
    let mut end = 0;
    for (at, record) in records {
        if bytes.is_empty() || bytes.len() + record.len() + 10 > end {
            bytes.resize(end, 0);
            bytes.extend([3, 0x42]);
            // Numbers of events, which could be taken for records.
            bytes.extend([11; 16]);
            end = bytes.len() - 18 + CHUNK_BYTES;
            tick = None;
        }
        if let Some(now) = at.filter(|_| tick != at) {
            bytes.push(5);
            bytes.extend(now.to_le_bytes());
            tick = at;
        }
        bytes.extend(record);
    }
    bytes.push(2);
    bytes
}

/// A file of definitions.
pub fn definitions(records: &[Vec<u8>]) -> Vec<u8> {
    chunks(records.iter().map(|record| (None, record.as_slice())))
}

/// An archive of one process.
#[derive(Debug, Clone)]
pub struct Made {
    pub files: Vec<(String, Vec<u8>)>,
}

/// Regions by their numbers.
pub const REGIONS: [&str; 10] = [
    "main",
    "write",
    "read",
    "open",
    "MPI_File_iwrite",
    "MPI_Wait",
    "solve",
    "MPI_File_set_view",
    "dup",
    "H5Dwrite",
];

/// Handles by their numbers: of POSIX, MPI-IO, a library that is not known, POSIX again.
const PARADIGMS: [&str; 3] = ["POSIX", "MPI-IO", "ADIOS"];

impl Made {
    /// Ticks are nanoseconds; the first is 1000.
    pub fn new(locations: &[Events]) -> Self {
        Self::with_definitions(locations, &[])
    }

    /// The same with further definitions.
    pub fn with_definitions(locations: &[Events], extra: &[Vec<u8>]) -> Self {
        use Field::{Byte, Short, Text};
        let mut texts = vec!["/tmp/a", "Offset", "host", "node"];
        texts.extend(REGIONS);
        texts.extend(PARADIGMS);
        let text =
            |name: &str| Short(texts.iter().position(|text| *text == name).expect("a text") as u64);
        let mut all = extra.to_vec();
        all.push(record(5, &[Short(1_000_000_000), Short(1000), Short(0), Short(7000)]));
        for (id, text) in texts.iter().enumerate() {
            all.push(record(10, &[Short(id as u64), Text(text)]));
        }
        all.push(record(11, &[Short(0), text("Offset"), Byte(4), Short(0)]));
        all.push(record(12, &[Short(0), text("host"), text("node"), Short(u64::MAX)]));
        all.push(record(13, &[Short(0), Short(0), Byte(1), Short(0), Short(u64::MAX)]));
        for (id, events) in locations.iter().enumerate() {
            let count = events.0.iter().filter(|(_, record)| record[0] != 6).count() as u64;
            let fields = [Short(id as u64), Short(0), Byte(1), Short(count), Short(0)];
            all.push(record(14, &fields));
        }
        for (id, name) in REGIONS.iter().enumerate() {
            let name = text(name);
            let end = [name, Byte(1), Byte(0), Short(0)];
            let start = [Short(id as u64), name, Short(0), Byte(0), Short(0), Short(0), Short(0)];
            all.push(record(15, &[start.as_slice(), &end].concat()));
        }
        for (id, name) in (0u8..).zip(PARADIGMS) {
            let fields = [Byte(id), text(name), text(name), Byte(0), Short(0), Byte(0)];
            all.push(record(8, &fields));
        }
        all.push(record(38, &[Short(0), text("/tmp/a"), Short(0)]));
        for (id, paradigm) in [(0, 0), (1, 1), (2, 2), (3, 0)] {
            let start = [Short(id), text("/tmp/a"), Short(0), Byte(paradigm)];
            let end = [Short(0), Short(u64::MAX), Short(u64::MAX)];
            all.push(record(40, &[start, [end[0], end[1], end[2], Short(0)]].concat()));
        }
        let mut files = vec![
            ("traces.otf2".to_string(), anchor(1, 1)),
            ("traces.def".into(), definitions(&all)),
        ];
        for (id, events) in locations.iter().enumerate() {
            files.push((format!("traces/{id}.evt"), events.file()));
        }
        Self { files }
    }

    pub fn without(mut self, name: &str) -> Self {
        self.files.retain(|(of, _)| of != name);
        self
    }

    pub fn with(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self = self.without(name);
        self.files.push((name.into(), bytes));
        // The anchor comes first.
        self.files.sort_by_key(|(name, _)| name != "traces.otf2");
        self
    }

    /// The bytes of a file.
    pub fn file(&mut self, name: &str) -> &mut Vec<u8> {
        let found = self.files.iter_mut().find(|(of, _)| of == name);
        &mut found.expect("a file").1
    }

    pub fn read(&self) -> Result<Tables, ReadError> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in &self.files {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, name, bytes.as_slice()).expect("memory");
        }
        read(&archive.into_inner().expect("memory"))
    }

    pub fn tables(&self) -> Tables {
        self.read().expect("an archive")
    }
}

pub fn read(source: &Vec<u8>) -> Result<Tables, ReadError> {
    let request = Request {
        source,
        log: 0,
        log_name: "made",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    let mut tables = Tables::new();
    crate::read(&request, &mut tables).map(|()| tables)
}

/// An anchor with this way of storing and compression.
pub fn anchor(substrate: u8, compression: u8) -> Vec<u8> {
    let mut bytes = vec![3, 0x42];
    bytes.extend(b"OTF2\0");
    bytes.extend([3, 2, 3, 2, 0]);
    bytes.extend((CHUNK_BYTES as u64).to_le_bytes());
    bytes.extend((CHUNK_BYTES as u64).to_le_bytes());
    bytes.extend([substrate, compression]);
    bytes.extend([0; 16]);
    bytes.extend(b"machine\0maker 1.0\0words\0");
    bytes.extend([0; 20]);
    bytes.push(2);
    bytes
}
