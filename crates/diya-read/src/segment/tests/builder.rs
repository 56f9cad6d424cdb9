//! Segments made by hand, as small as a test needs. Offsets are written out: they must not
//! change with the layout that the reader is generated from.

use crate::segment::collect::Segments;

/// A process's segment under construction.
pub struct Builder {
    header: Vec<u8>,
    windows: Vec<Vec<u8>>,
}

pub fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

pub fn zigzag(value: i64) -> Vec<u8> {
    varint((value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned())
}

/// A record with a length: tag, length, payload.
pub fn definition(tag: u8, payload: &[u8]) -> Vec<u8> {
    [&[tag][..], &varint(payload.len() as u64), payload].concat()
}

/// Name record of a file.
pub fn name(file: u32, path: &str) -> Vec<u8> {
    let payload = [&varint(u64::from(file))[..], &[0, 0], path.as_bytes()].concat();
    definition(0x02, &payload)
}

/// A call with everything explicit: a new slot each time.
pub struct Record {
    pub slot: u8,
    pub function: u16,
    pub file: u32,
    pub depth: u16,
    pub offset: Option<i64>,
    pub size: u64,
    /// `None`: all done.
    pub result: Option<i64>,
    /// Since the start of the call before.
    pub start: i64,
    pub duration: u64,
}

impl Record {
    pub fn bytes(&self) -> Vec<u8> {
        let offset = if self.offset.is_some() { 0x04 } else { 0 };
        let done = if self.result.is_none() { 0x20 } else { 0 };
        let mut out = vec![0x01 | offset | done | 0x40, 0x80 | self.slot];
        out.extend(varint(u64::from(self.function)));
        out.extend(varint(u64::from(self.file)));
        out.extend(varint(u64::from(self.depth)));
        out.extend(self.offset.map(zigzag).unwrap_or_default());
        out.extend(varint(self.size));
        out.extend(self.result.map(zigzag).unwrap_or_default());
        out.extend(zigzag(self.start));
        out.extend(varint(self.duration));
        out
    }
}

impl Builder {
    /// A process of this number that recorded from second 100 to 101 with a
    /// clock of one tick per nanosecond.
    pub fn new(pid: u32) -> Self {
        let mut header = vec![0; 8192];
        header[..8].copy_from_slice(b"DIYASEG1");
        let mut b = Self { header, windows: Vec::new() };
        for (at, value) in [(8, 2), (12, 0x0102_0304), (16, 8192), (20, 2), (24, 1), (28, 2)] {
            b.set_u32(at, value);
        }
        let second = 1_000_000_000u64;
        for (at, value) in [
            (40, 100 * second),
            (48, 100 * second),
            (56, 1_000_100 * second),
            (64, 101 * second),
            (72, 101 * second),
            (80, 1_000_101 * second),
        ] {
            b.set_u64(at, value);
        }
        b.set_u32(88, pid);
        for at in [104, 108, 116, 200] {
            b.set_u32(at, u32::MAX);
        }
        b.set_text(208, "node1");
        b.set_text(592, "/opt/sim");
        b.set_text(3664, "/opt/sim");
        b
    }

    pub fn set_u32(&mut self, at: usize, value: u32) {
        self.header[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    pub fn set_u64(&mut self, at: usize, value: u64) {
        self.header[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }

    fn set_text(&mut self, at: usize, text: &str) {
        self.header[at..at + text.len()].copy_from_slice(text.as_bytes());
    }

    /// Makes it a rank of an MPI job.
    pub fn rank(mut self, rank: u32, size: u32) -> Self {
        for (at, value) in [(104, rank), (108, size), (112, 1)] {
            self.set_u32(at, value);
        }
        self
    }

    /// Adds a window of records whose times start with the process.
    pub fn window(mut self, tid: u32, sequence: u32, records: &[Vec<u8>]) -> Self {
        let mut window = vec![0; 64];
        let mut put = |at: usize, value: u32| {
            window[at..at + 4].copy_from_slice(&value.to_le_bytes());
        };
        for (at, value) in [(0, 0x4e49_5744), (4, 4096), (8, 1), (12, tid), (16, sequence)] {
            put(at, value);
        }
        window[32..40].copy_from_slice(&(100_000_000_000u64).to_le_bytes());
        window.extend(records.concat());
        assert!(window.len() <= 4096, "a test's window is one page");
        window.resize(4096, 0);
        self.windows.push(window);
        self
    }

    pub fn bytes(self) -> Vec<u8> {
        [self.header, self.windows.concat()].concat()
    }
}

/// Segments in memory.
pub struct InMemory(pub Vec<Vec<u8>>);

impl Segments for InMemory {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn name(&self, _: usize) -> &str {
        "test.seg"
    }

    fn bytes(&self, at: usize) -> usize {
        self.0[at].len()
    }

    fn head(&self, at: usize) -> Result<Vec<u8>, String> {
        Ok(self.0[at].clone())
    }

    fn load(&self, at: usize) -> Result<Vec<u8>, String> {
        Ok(self.0[at].clone())
    }
}
