//! What has to be there before the replay, found by going through the calls in their order.

use crate::effect::{CREATE, EXCLUSIVE, Effect, Initial, TRUNCATE};
use crate::operation::Operation;
use crate::path::folders;

use crate::recording::ReplayFile;
use crate::step::Step;
use std::collections::HashMap;

#[derive(Debug, Clone, Copy, Default)]
struct State {
    initial: Option<Initial>,
    exists: bool,
    size: u64,
    most: u64,
    /// A call of the log makes it.
    is_made: bool,
    /// A call on it succeeded.
    is_used: bool,
}

impl State {
    /// A call succeeded that needs it. Who made it is not always recorded: the new name of a
    /// renamed file is not.
    fn must_exist(&mut self, kind: Initial) {
        if !self.exists {
            self.initial = match self.initial {
                None | Some(Initial::Absent) => Some(kind),
                known => known,
            };
            self.exists = true;
        }
    }
}

/// Files while the calls pass by.
pub(crate) struct Files {
    states: Vec<State>,
    /// The folder of each file, where the log has calls on it.
    folders: Vec<Option<u32>>,
}

impl Files {
    pub fn of(files: &[ReplayFile]) -> Self {
        let numbers: HashMap<&str, u32> =
            files.iter().zip(0..).map(|(file, number)| (file.below.as_str(), number)).collect();
        let folder = |file: &ReplayFile| {
            let (folder, _) = file.below.rsplit_once('/')?;
            numbers.get(folder).copied()
        };
        Self {
            states: vec![State::default(); files.len()],
            folders: files.iter().map(folder).collect(),
        }
    }

    /// Follows one call.
    pub fn see(&mut self, step: &Step) -> Effect {
        if step.operation == Operation::Meet {
            return Effect::default();
        }
        let Some(state) = self.states.get_mut(step.file as usize) else { return Effect::default() };
        let mut effect = Effect { file: Some(step.file), ..Effect::default() };
        effect.folder = self.folders.get(step.file as usize).copied().flatten();
        let flags = if step.operation == Operation::Open { step.aux.unwrap_or(0) } else { 0 };
        state.is_used |= !step.has_failed;
        match step.operation {
            _ if step.has_failed => {
                // The name was taken, or it was not.
                let is_there = step.operation == Operation::Mkdir || flags & EXCLUSIVE != 0;
                let kind = if step.operation == Operation::Mkdir {
                    Initial::Directory
                } else {
                    Initial::File(0)
                };
                state.exists |= is_there && state.initial.is_none();
                state.initial.get_or_insert(if is_there { kind } else { Initial::Absent });
            }
            Operation::Open | Operation::OpenStream => {
                // Without flags, the open makes the file if somebody writes it.
                let may_make = step.aux.is_none() || step.operation == Operation::OpenStream;
                match may_make || flags & CREATE != 0 {
                    true => effect.is_free = true,
                    false => state.must_exist(Initial::File(0)),
                }
                if !may_make {
                    state.initial.get_or_insert_default();
                    effect.is_change = flags & TRUNCATE != 0 || !state.exists;
                    state.exists = true;
                }
                if flags & TRUNCATE != 0 {
                    state.size = 0;
                }
            }
            Operation::Mkdir => {
                state.initial.get_or_insert_default();
                state.is_made = true;
                effect.is_change = true;
                state.exists = true;
            }
            Operation::OpenDir | Operation::List | Operation::Rewind => {
                state.must_exist(Initial::Directory)
            }
            Operation::Rmdir => {
                state.must_exist(Initial::Directory);
                effect.is_change = true;
                state.exists = false;
            }
            Operation::Unlink | Operation::Rename => {
                state.must_exist(Initial::File(0));
                effect.is_change = true;
                state.exists = false;
                state.size = 0;
            }
            Operation::Read | Operation::StreamRead => {
                let end = step.offset.unwrap_or(0).saturating_add(step.bytes);
                let end = if step.bytes > 0 { end } else { 0 };
                state.must_exist(Initial::File(end));
                effect.is_short = step.is_short();
                effect.needs_bytes = Some(end).filter(|end| *end > 0);
                if end > state.size {
                    state.initial = Some(Initial::File(end));
                    state.size = end;
                }
            }
            Operation::Write | Operation::StreamWrite => {
                state.initial.get_or_insert_default();
                let end = step.offset.unwrap_or(0).saturating_add(step.bytes);
                if end > state.size {
                    effect.grows_to = Some(end);
                    state.size = end;
                }
                state.exists = true;
            }
            Operation::Truncate | Operation::Ftruncate => {
                state.must_exist(Initial::File(0));
                let size = step.offset.unwrap_or(0);
                match size >= state.size {
                    true => effect.grows_to = Some(size),
                    false => effect.is_change = true,
                }
                state.size = size;
            }
            // A stream whose `fclose` is recorded may have been made without a write.
            Operation::Close | Operation::Flush | Operation::StreamSeek => {}
            _ => state.must_exist(Initial::File(0)),
        }
        state.most = state.most.max(state.size);
        effect
    }

    /// What has to be there, by file; and the largest bytes of all files together.
    pub fn finish(self, files: &[ReplayFile]) -> (Vec<Initial>, u64) {
        let most = self.states.iter().fold(0_u64, |sum, state| sum.saturating_add(state.most));
        let used = files.iter().zip(&self.states).filter(|(_, state)| state.is_used);
        let above = folders(used.map(|(file, _)| file.below.as_str()));
        let all_above = folders(files.iter().map(|file| file.below.as_str()));
        let there = files.iter().zip(&self.states);
        let there = there.filter(|(_, state)| state.initial.is_some_and(|i| i != Initial::Absent));
        let above_there = folders(there.map(|(file, _)| file.below.as_str()));
        let initial = |(file, state): (&ReplayFile, &State)| {
            let (name, initial) = (file.below.as_str(), state.initial.unwrap_or_default());
            let is_folder = file.is_directory || above.contains(name);
            match initial {
                // A folder without which a file cannot be there.
                _ if above_there.contains(name) => Initial::Directory,
                Initial::Absent if above.contains(name) && !state.is_made => Initial::Directory,
                Initial::File(_) if is_folder => Initial::Directory,
                // Only asked about, and others looked for something below it.
                Initial::File(0) if all_above.contains(name) => Initial::Directory,
                known => known,
            }
        };
        let initial = files.iter().zip(&self.states).map(initial).collect();
        (initial, most)
    }
}
