//! Writes images byte by byte, by rules of its own: it shares no layout with
//! the reader, only the positions of counters in the full list.

/// Counters that a version lacks.
fn absent(version: &str) -> (Vec<usize>, usize) {
    match version {
        "1.21" => (vec![23, 24, 25, 60, 61, 138, 139, 140, 141, 142, 143], 12),
        "1.22" => (vec![138, 139, 140, 141, 142, 143], 14),
        "1.23" | "1.24" => (vec![140, 141, 142, 143], 14),
        _ => (Vec::new(), 18),
    }
}

/// What kind of machine a 1.x log was written on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abi {
    /// 4-byte times, 8-byte alignment.
    Ppc32,
    /// 4-byte times, 4-byte alignment.
    X86,
    /// 8-byte times, 8-byte alignment.
    X86_64,
}

/// A log to be written.
#[derive(Debug, Clone)]
pub struct Log {
    pub version: &'static str,
    pub abi: Abi,
    pub start_s: i32,
    pub end_s: i32,
    pub metadata: &'static str,
    pub text: &'static str,
    pub records: Vec<Record>,
}

/// A file record to be written.
#[derive(Debug, Clone, Default)]
pub struct Record {
    pub file_id: u64,
    pub rank: i64,
    pub name: &'static str,
    pub ints: Vec<(usize, i64)>,
    pub reals: Vec<(usize, f64)>,
}

impl Record {
    /// A record of all ranks for one file.
    pub fn shared(name: &'static str) -> Self {
        Self { file_id: 77, rank: -1, name, ..Self::default() }
    }

    pub fn int(mut self, counter: usize, value: i64) -> Self {
        self.ints.push((counter, value));
        self
    }

    pub fn real(mut self, counter: usize, value: f64) -> Self {
        self.reals.push((counter, value));
        self
    }
}

impl Log {
    /// Big-endian, as the logs of Blue Gene.
    pub fn new(version: &'static str) -> Self {
        Self {
            version,
            abi: Abi::Ppc32,
            start_s: 1_000_000,
            end_s: 1_000_009,
            metadata: "",
            text: "/home/u/app -n 4",
            records: Vec::new(),
        }
    }

    pub fn with(mut self, record: Record) -> Self {
        self.records.push(record);
        self
    }

    pub fn image(&self) -> Vec<u8> {
        let mut out = Out { bytes: Vec::new(), is_big_endian: self.abi == Abi::Ppc32 };
        let is_new = self.version.starts_with('2');
        if is_new {
            self.new_job(&mut out)
        } else {
            self.old_job(&mut out)
        }
        out.bytes.extend(self.text.as_bytes());
        let is_small = !is_new || matches!(self.version, "2.00" | "2.01" | "2.02" | "2.03");
        out.pad_to(if is_small { 1024 } else { 4096 });
        for record in &self.records {
            self.record(record, is_new, &mut out);
        }
        out.bytes
    }

    fn new_job(&self, out: &mut Out) {
        out.bytes.extend(self.version.as_bytes());
        out.pad_to(8);
        for value in [6_567_223, 1000, self.start_s, self.end_s, 4, 4711] {
            out.u64(i64::from(value).cast_unsigned());
        }
        out.bytes.extend(self.metadata.as_bytes());
        out.pad_to(match self.version {
            "2.00" => 56,
            "2.01" | "2.02" | "2.03" => 120,
            _ => 1080,
        });
    }

    fn old_job(&self, out: &mut Out) {
        out.bytes.extend(self.version.as_bytes());
        out.pad_to(12);
        out.u32(1000);
        for time in [self.start_s, self.end_s] {
            match self.abi {
                Abi::X86_64 => out.u64(i64::from(time).cast_unsigned()),
                Abi::Ppc32 | Abi::X86 => out.u32(time.cast_unsigned()),
            }
        }
        out.u32(4);
        if self.abi == Abi::X86_64 {
            out.u32(0);
        }
    }

    fn record(&self, record: &Record, is_new: bool, out: &mut Out) {
        let (absent, reals) = absent(self.version);
        let mut name = record.name.as_bytes().to_vec();
        out.u64(record.file_id);
        if is_new {
            out.u64(record.rank.cast_unsigned());
            name.resize(16, 0);
            out.bytes.extend(&name);
        } else {
            let rank = i32::try_from(record.rank).expect("a rank of 1.x has 4 bytes");
            out.u32(rank.cast_unsigned());
            if self.abi != Abi::X86 {
                out.u32(0);
            }
        }
        let last = |values: &[(usize, i64)], at| {
            values.iter().rev().find(|(place, _)| *place == at).map_or(0, |(_, value)| *value)
        };
        for counter in (0..144).filter(|counter| !absent.contains(counter)) {
            out.u64(last(&record.ints, counter).cast_unsigned());
        }
        for real in 0..reals {
            let value = record.reals.iter().find(|(place, _)| *place == real);
            out.u64(value.map_or(0.0, |(_, value)| *value).to_bits());
        }
        if !is_new {
            name.resize(if self.abi == Abi::X86 { 12 } else { 16 }, 0);
            out.bytes.extend(&name);
        }
    }
}

struct Out {
    bytes: Vec<u8>,
    is_big_endian: bool,
}

impl Out {
    fn u64(&mut self, value: u64) {
        let word = if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
        self.bytes.extend(word);
    }

    fn u32(&mut self, value: u32) {
        let word = if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
        self.bytes.extend(word);
    }

    fn pad_to(&mut self, len: usize) {
        assert!(self.bytes.len() <= len, "the test gives more text than fits");
        self.bytes.resize(len, 0);
    }
}
