//! Call stacks, named so that the same place in the program has the same id in
//! every process, wherever its modules were loaded.

use super::definitions::{Definitions, Frame};
use diya_tables::{FastHashMap, record_id};

/// One frame.
#[derive(Debug, Clone)]
pub(super) enum StackFrame {
    /// Machine code: module, its build id, and the address in its file.
    Native { module: String, build_id: Option<String>, address: u64 },
    /// Machine code outside every known module.
    Unknown { address: u64 },
    /// A line of an interpreted program.
    Interpreted(Frame),
}

/// A stack, innermost frame first.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    pub id: u64,
    pub frames: Vec<StackFrame>,
}

/// All stacks of a process, and the ids of its own numbers for them.
pub(super) fn stacks(definitions: &Definitions) -> (Vec<Stack>, FastHashMap<u32, u64>) {
    let mut all = Vec::new();
    let mut ids = FastHashMap::default();
    let mut numbers: Vec<u32> =
        definitions.stacks.keys().chain(definitions.stack_frames.keys()).copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        let interpreted = definitions.stack_frames.get(&number).into_iter().flatten();
        let mut frames: Vec<StackFrame> = interpreted
            .filter_map(|frame| definitions.frames.get(frame).cloned())
            .map(StackFrame::Interpreted)
            .collect();
        let native = definitions.stacks.get(&number).into_iter().flatten();
        frames.extend(native.map(|&address| locate(address, definitions)));
        let id = id_of(&frames);
        ids.insert(number, id);
        all.push(Stack { id, frames });
    }
    (all, ids)
}

/// A return address points behind the call; the byte before belongs to it.
fn locate(address: u64, definitions: &Definitions) -> StackFrame {
    match place_of(address.saturating_sub(1), definitions) {
        StackFrame::Unknown { .. } => StackFrame::Unknown { address },
        known => known,
    }
}

/// The module that holds an address, and where in its file.
pub(super) fn place_of(address: u64, definitions: &Definitions) -> StackFrame {
    // The latest first: an address range may be used again after dlclose.
    let module = definitions.modules.iter().rev().find(|m| (m.base..m.end).contains(&address));
    module.map_or(StackFrame::Unknown { address }, |m| StackFrame::Native {
        module: m.path.clone(),
        build_id: m.build_id.clone(),
        address: (address - m.base).wrapping_add(m.file_offset),
    })
}

fn id_of(frames: &[StackFrame]) -> u64 {
    use std::fmt::Write as _;
    let mut text = String::new();
    for frame in frames {
        let _ = match frame {
            StackFrame::Native { module, build_id, address } => {
                write!(text, "{}+{address:x};", build_id.as_deref().unwrap_or(module))
            }
            StackFrame::Unknown { address } => write!(text, "?{address:x};"),
            StackFrame::Interpreted(f) => write!(text, "{}:{}:{};", f.file, f.function, f.line),
        };
    }
    record_id(text.as_bytes())
}
