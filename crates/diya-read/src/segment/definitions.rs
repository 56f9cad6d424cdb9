//! First pass over a process: what its records define, and how many calls
//! there are. A call may name a file that another thread defined, so the calls
//! wait for the second pass.

use super::applied::Applied;
use super::header::ClockPoint;
use super::mappings::Mapping;
use super::messages::Messages;
use super::record::{Damage, Record, Records};
use super::regions::RegionRecord;
use super::samples::Batch;
use super::started::{ProgramTime, Started};
use super::window::{Window, WindowContent};
use diya_model::segment::NAME_ATTRIBUTE;
use diya_tables::FastHashMap;
use std::collections::{BTreeMap, HashSet};

/// Objects in objects in files: no format goes deeper.
const MAX_PARENTS: usize = 4;

/// A file, or something in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub path: String,
    /// Number of the file it lies in; 0: none.
    pub parent: u32,
    /// As `enum diya_name_kind`.
    pub kind: u8,
}

/// A module of the program.
#[derive(Debug, Clone)]
pub(super) struct Module {
    pub base: u64,
    pub end: u64,
    pub file_offset: u64,
    pub build_id: Option<String>,
    pub path: String,
}

/// A line of an interpreted program.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub file: String,
    pub function: String,
    pub line: u64,
}

/// Everything the records define.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub names: FastHashMap<u32, Name>,
    pub clock: Vec<ClockPoint>,
    pub stacks: FastHashMap<u32, Vec<u64>>,
    pub modules: Vec<Module>,
    pub attributes: Vec<(u32, String, String)>,
    pub frames: FastHashMap<u32, Frame>,
    pub stack_frames: FastHashMap<u32, Vec<u32>>,
    pub started: Vec<Started>,
    /// In ticks.
    pub program_times: Vec<ProgramTime<u64>>,
    pub mappings: BTreeMap<u32, Mapping>,
    /// By mapping: monotonic time and offset.
    pub faults: FastHashMap<u32, Vec<(u64, u64)>>,
    pub samples: Vec<Batch>,
    pub region_names: FastHashMap<u32, String>,
    /// With their thread.
    pub regions: Vec<(u32, RegionRecord)>,
    pub applied: Applied,
    pub messages: Messages,
    pub threads: HashSet<u32>,
    /// Call records, runs counted as one.
    pub records: u64,
    /// Calls in them.
    pub calls: u64,
    pub damage: Vec<Damage>,
}

impl Definitions {
    /// Reads all windows of records.
    pub fn read(windows: &[Window<'_>]) -> Self {
        let mut all = Self::default();
        for window in windows.iter().filter(|w| w.content == WindowContent::Records) {
            let (mut records, before) = (Records::of(window), all.records);
            let mut calls = 0;
            while let Some(record) = records.next_other(&mut calls) {
                match record {
                    Ok(Record::Region(record)) => all.regions.push((window.tid, record)),
                    Ok(Record::Message(call)) => all.messages.calls.push((window.tid, call)),
                    Ok(record) => all.add(record),
                    Err(damage) => all.damage.push(damage),
                }
            }
            all.records += calls;
            all.calls = all.calls.saturating_add(calls);
            if all.records > before {
                all.threads.insert(window.tid);
            }
        }
        all
    }

    fn add(&mut self, record: Record<'_>) {
        match record {
            Record::Call(call) => {
                self.records += 1;
                self.calls = self.calls.saturating_add(call.calls);
            }
            Record::Name { file, parent, kind, path } => {
                self.names.insert(file, Name { path: text(path), parent, kind });
            }
            Record::Clock(point) => self.clock.push(point),
            Record::Stack { stack, addresses } => {
                self.stacks.insert(stack, addresses);
            }
            Record::Module { base, end, file_offset, build_id, path } => {
                let build_id = (!build_id.is_empty()).then(|| hex(build_id));
                self.modules.push(Module { base, end, file_offset, build_id, path: text(path) });
            }
            Record::Attribute { file, key, value } => {
                self.attributes.push((file, text(key), text(value)));
            }
            Record::Frame { frame, line, file, function } => {
                let frame_text = Frame { file: text(file), function: text(function), line };
                self.frames.insert(frame, frame_text);
            }
            Record::StackFrames { stack, frames } => {
                self.stack_frames.insert(stack, frames);
            }
            Record::Started { pid, reason, program } => {
                self.started.push(Started { pid, reason, program: text(program) });
            }
            Record::ProgramTime { pid, is_end, ticks, status } => {
                self.program_times.push(ProgramTime { pid, is_end, at: ticks, status });
            }
            Record::Mapping { number, mapping } => {
                self.mappings.insert(number, mapping);
            }
            Record::Faults { mapping, faults } => {
                self.faults.entry(mapping).or_default().extend(faults);
            }
            Record::Samples(batch) => self.samples.push(batch),
            Record::RegionName { name, text: words } => {
                self.region_names.insert(name, text(words));
            }
            Record::Applied(account) => self.applied.add(account),
            Record::Messages(counted) => self.messages.counted.push(counted),
            Record::Communicator(one) => self.messages.communicators.push(one),
            // With their thread, where the window is known.
            Record::Region(_) | Record::Message(_) | Record::Other => {}
        }
    }

    /// Path of a file, with what it lies in: `file.h5:/group/dataset@attribute`.
    pub fn path(&self, file: u32) -> Option<String> {
        let mut name = self.names.get(&file)?;
        let mut parts = vec![name.path.as_str()];
        // A damaged segment may say that a lies in b and b in a.
        for _ in 0..MAX_PARENTS {
            let Some(parent) = self.names.get(&name.parent).filter(|_| name.parent != 0) else {
                break;
            };
            parts.push(if name.kind == NAME_ATTRIBUTE { "@" } else { ":" });
            parts.push(&parent.path);
            name = parent;
        }
        parts.reverse();
        Some(parts.concat())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}
