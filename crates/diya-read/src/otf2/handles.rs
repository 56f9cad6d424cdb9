//! What a process has open, and where in the files it is.

use super::definitions::Definitions;
use super::names::layer;
use crate::assemble::{Assembly, NO_FILE};
use diya_model::Layer;
use std::collections::HashMap;

/// Status: writes go to the end of the file, which is not known.
const APPEND: u32 = 1 << 1;

/// Handles that lead to each other are not more than that.
const MAX_PARENTS: usize = 8;

/// A handle as the definitions have it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub file_id: u64,
    /// `None`: of a paradigm that diya has no layer for.
    pub layer: Option<Layer>,
}

/// Files of the handles, asked for once.
#[derive(Debug, Default)]
pub(super) struct Targets {
    of: HashMap<u32, Target>,
    /// The last one that was asked for.
    last: Option<(u32, Target)>,
    files: HashMap<u32, u64>,
    /// Handles without a definition.
    pub undefined: u64,
}

impl Targets {
    /// What a handle is.
    pub fn target(
        &mut self,
        handle: u32,
        definitions: &Definitions<'_>,
        assembly: &mut Assembly<'_>,
    ) -> Target {
        if let Some((last, target)) = self.last
            && last == handle
        {
            return target;
        }
        if let Some(target) = self.of.get(&handle).copied() {
            self.last = Some((handle, target));
            return target;
        }
        let defined = definitions.handles.get(handle.into());
        let layer = defined.and_then(|handle| {
            let paradigm = definitions.io_paradigms.get(handle.paradigm.into())?;
            layer(&definitions.text(*paradigm))
        });
        let mut at = defined;
        let mut file = None;
        for _ in 0..MAX_PARENTS {
            file = file.or(at.and_then(|handle| handle.file));
            at = at.and_then(|handle| definitions.handles.get(handle.parent?.into()));
        }
        let name = defined.map(|handle| definitions.text(handle.name)).unwrap_or_default();
        let file_id = match file {
            Some(file) => self.file(file, definitions, assembly),
            None if name.is_empty() => assembly.file(NO_FILE, "path_suffix"),
            // Handles of the terminal, pipes and sockets have a name and no file.
            None => assembly.file(&name, "pipe"),
        };
        self.undefined += u64::from(defined.is_none());
        let target = Target { file_id, layer };
        self.of.insert(handle, target);
        target
    }

    /// The id of a file.
    pub fn file(
        &mut self,
        file: u32,
        definitions: &Definitions<'_>,
        assembly: &mut Assembly<'_>,
    ) -> u64 {
        *self.files.entry(file).or_insert_with(|| {
            let defined = definitions.files.get(file.into());
            let path = defined.map(|file| definitions.text(file.name)).unwrap_or_default();
            let is_directory = defined.is_some_and(|file| file.is_directory);
            match (path.is_empty(), is_directory) {
                (true, _) => assembly.file(NO_FILE, "path_suffix"),
                (false, true) => assembly.file(&path, "directory"),
                (false, false) => assembly.file(&path, "file"),
            }
        })
    }
}

/// An open file: handles made by duplicating share it.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// `None`: not known.
    position: Option<u64>,
    appends: bool,
}

/// What a process has open.
#[derive(Debug, Default)]
pub(super) struct Positions {
    open: Vec<Open>,
    of: HashMap<u32, usize>,
    /// The last handle that was asked for.
    last: Option<(u32, usize)>,
}

impl Positions {
    /// A file is opened: its position is its beginning.
    pub fn opened(&mut self, handle: u32, status: u32) {
        let open = Open { position: Some(0), appends: status & APPEND != 0 };
        self.put(handle, open);
    }

    fn put(&mut self, handle: u32, open: Open) -> usize {
        self.open.push(open);
        let place = self.open.len() - 1;
        self.of.insert(handle, place);
        self.last = Some((handle, place));
        place
    }

    /// One that was open before has a position that is not known.
    fn at(&mut self, handle: u32, definitions: &Definitions<'_>) -> Option<&mut Open> {
        let last = self.last.filter(|(last, _)| *last == handle).map(|(_, place)| place);
        let place = match last.or_else(|| self.of.get(&handle).copied()) {
            Some(place) => place,
            None => {
                let status = definitions.pre_created.get(handle.into()).copied().unwrap_or(0);
                self.put(handle, Open { position: None, appends: status & APPEND != 0 })
            }
        };
        self.last = Some((handle, place));
        self.open.get_mut(place)
    }

    pub fn closed(&mut self, handle: u32) {
        self.of.remove(&handle);
        self.last = None;
    }

    pub fn duplicated(&mut self, old: u32, new: u32, definitions: &Definitions<'_>) {
        self.at(old, definitions);
        if let Some(place) = self.of.get(&old).copied() {
            self.of.insert(new, place);
            self.last = None;
        }
    }

    /// The position is set; `u64::MAX`: it is not known.
    pub fn sought(&mut self, handle: u32, place: u64, definitions: &Definitions<'_>) {
        if let Some(open) = self.at(handle, definitions) {
            open.position = Some(place).filter(|place| *place != u64::MAX);
        }
    }

    pub fn status(&mut self, handle: u32, status: u32, definitions: &Definitions<'_>) {
        if let Some(open) = self.at(handle, definitions) {
            open.appends = status & APPEND != 0;
        }
    }

    /// Where the next transfer begins.
    pub fn position(
        &mut self,
        handle: u32,
        is_write: bool,
        definitions: &Definitions<'_>,
    ) -> Option<u64> {
        let open = self.at(handle, definitions)?;
        open.position.filter(|_| !(is_write && open.appends))
    }

    /// So many bytes were moved at the position; `None`: it is not known how many.
    pub fn moved(
        &mut self,
        handle: u32,
        is_write: bool,
        bytes: Option<u64>,
        definitions: &Definitions<'_>,
    ) {
        if let Some(open) = self.at(handle, definitions) {
            let here = open.position.filter(|_| !(is_write && open.appends));
            open.position = here.zip(bytes).and_then(|(here, bytes)| here.checked_add(bytes));
        }
    }
}
