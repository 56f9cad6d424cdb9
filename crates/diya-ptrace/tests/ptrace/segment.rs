//! Decodes segments for the tests, from `capture/include/diya_trace.h` and
//! without the tracer's code.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// A call as the tests compare it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub function: String,
    /// Last component of the file's path.
    pub file: String,
    pub file2: String,
    pub offset: Option<i64>,
    pub requested: u64,
    pub done: i64,
    pub tid: u32,
    pub start: u64,
    pub duration: u64,
}

/// A segment.
#[derive(Debug)]
pub struct Segment {
    pub state: u32,
    pub pid: u32,
    pub parent: u32,
    pub exit_code: i32,
    pub dropped: u64,
    pub exe: String,
    pub calls: Vec<Call>,
    /// Writes and their bytes that were counted only.
    pub counted_writes: (u64, u64),
    /// Bytes written according to the heat map.
    pub heat_bytes: u64,
    pub names: HashMap<u64, String>,
}

impl Segment {
    /// Calls of one function, or on one file.
    pub fn of(&self, name: &str) -> Vec<&Call> {
        self.calls.iter().filter(|c| c.function == name || c.file == name).collect()
    }
}

/// All segments of a folder, by when they began.
pub fn segments(folder: &Path) -> Vec<Segment> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<_> = entries.map(|e| e.expect("can be listed").path()).collect();
    paths.sort_by_key(|path| {
        let name = path.to_string_lossy().into_owned();
        name.rsplit('.').nth(1).and_then(|ticks| ticks.parse::<u64>().ok())
    });
    paths.iter().map(|path| decode(&fs::read(path).expect("can be read"))).collect()
}

fn decode(bytes: &[u8]) -> Segment {
    assert!(bytes.starts_with(b"DIYASEG1"));
    let text = |at: usize| {
        let end = bytes[at..].iter().position(|&b| b == 0).expect("ends with 0");
        String::from_utf8_lossy(&bytes[at..at + end]).into_owned()
    };
    let mut segment = Segment {
        state: u32_at(bytes, 20),
        pid: u32_at(bytes, 88),
        parent: u32_at(bytes, 92),
        exit_code: u32_at(bytes, 200).cast_signed(),
        dropped: u64_at(bytes, 136),
        exe: text(592),
        calls: Vec::new(),
        counted_writes: (0, 0),
        heat_bytes: 0,
        names: HashMap::new(),
    };
    let functions = functions();
    let mut at = 8192;
    while at + 64 <= bytes.len() {
        if u32_at(bytes, at) != 0x4e49_5744 {
            at += 4096;
            continue;
        }
        let size = u32_at(bytes, at + 4) as usize;
        let end = (at + size).min(bytes.len());
        match u32_at(bytes, at + 8) {
            1 => window(bytes, at, end, &functions, &mut segment),
            2 => counters(&bytes[at + 64..end], &mut segment),
            _ => heatmap(&bytes[at + 64..end], &mut segment),
        }
        at += size;
    }
    segment.calls.sort_by_key(|call| call.start);
    segment
}

fn counters(blocks: &[u8], segment: &mut Segment) {
    const WRITE: usize = 4;
    for block in blocks.chunks_exact(2560).take_while(|block| u32_at(block, 0) == 0x5443_4e44) {
        segment.counted_writes.0 += u64_at(block, 672 + WRITE * 40);
        segment.counted_writes.1 += u64_at(block, 320);
    }
}

fn heatmap(map: &[u8], segment: &mut Segment) {
    assert_eq!(u32_at(map, 0), 0x5041_4548);
    segment.heat_bytes += (0..200).map(|bin| u64_at(map, 24 + 200 * 8 + bin * 8)).sum::<u64>();
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_ne_bytes(*bytes[at..].first_chunk().expect("long enough"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(*bytes[at..].first_chunk().expect("long enough"))
}

/// Keys of functions by number, as the schema has them.
fn functions() -> HashMap<u64, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/functions/posix.toml");
    let text = fs::read_to_string(path).expect("the schema is there");
    let field = |line: &str, name: &str| {
        let rest = line.split(&format!("{name} = ")).nth(1)?;
        Some(rest.split(',').next()?.trim_matches('"').to_string())
    };
    let lines = text.lines().filter(|line| line.contains("number ="));
    lines
        .filter_map(|line| Some((field(line, "number")?.parse().ok()?, field(line, "key")?)))
        .collect()
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn varint(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    fn zigzag(&mut self) -> i64 {
        let value = self.varint();
        (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
    }
}

#[derive(Default, Clone)]
struct Slot {
    function: u64,
    file: u64,
    offset: i64,
    size: u64,
    done: i64,
}

fn window(
    bytes: &[u8],
    at: usize,
    end: usize,
    functions: &HashMap<u64, String>,
    segment: &mut Segment,
) {
    let tid = u32_at(bytes, at + 12);
    let mut start = u64_at(bytes, at + 32);
    let mut c = Cursor { bytes: &bytes[..end], at: at + 64 };
    let mut slots = vec![Slot::default(); 64];
    let mut number = 0;
    while c.at < end {
        let tag = c.byte();
        if tag == 0 {
            break;
        }
        if tag & 1 == 0 {
            let length = c.varint() as usize;
            let next = c.at + length;
            if tag == 0x02 {
                let file = c.varint();
                let (_parent, _kind) = (c.varint(), c.byte());
                let path = String::from_utf8_lossy(&bytes[c.at..next]).into_owned();
                segment.names.insert(file, path);
            }
            c.at = next;
            continue;
        }
        if tag & 0x02 == 0 {
            let byte = c.byte();
            number = usize::from(byte & 0x7f);
            if byte & 0x80 != 0 {
                slots[number] = Slot { function: c.varint(), file: c.varint(), ..Slot::default() };
                assert_eq!(c.varint(), 0, "no call is inside another");
            }
        }
        let slot = &mut slots[number];
        let offset = match tag & 0x0c {
            0x04 => Some(slot.offset + c.zigzag()),
            0x0c => Some(slot.offset + slot.done),
            mode => {
                assert_eq!(mode, 0, "steps are not predicted");
                None
            }
        };
        slot.offset = offset.unwrap_or(slot.offset);
        if tag & 0x10 == 0 {
            slot.size = c.varint();
        }
        slot.done = if tag & 0x20 == 0 { c.zigzag() } else { slot.size.cast_signed() };
        let mut file2 = 0;
        if tag & 0x80 != 0 {
            let extension = c.byte();
            if extension & 0x01 != 0 {
                c.varint();
            }
            if extension & 0x02 != 0 {
                file2 = c.varint();
            }
        }
        start = start.wrapping_add_signed(c.zigzag());
        let name = |file| {
            let path = segment.names.get(&file).cloned().unwrap_or_default();
            path.rsplit('/').next().unwrap_or_default().to_string()
        };
        segment.calls.push(Call {
            function: functions[&slot.function].clone(),
            file: name(slot.file),
            file2: name(file2),
            offset,
            requested: slot.size,
            done: slot.done,
            tid,
            start,
            duration: c.varint(),
        });
    }
}
