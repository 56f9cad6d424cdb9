//! What a rank has open, by the names that its calls use.

use super::arguments::number;
use super::names::Names;
use crate::assemble::{Assembly, NO_FILE};
use diya_tables::FastHashMap;

/// An open file of a rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    pub file_id: u64,
    /// How often it is open: with two, each has a position of its own.
    pub times: u32,
    pub position: Option<i64>,
}

/// A file of MPI-IO.
#[derive(Debug, Clone, Copy)]
pub(super) struct Handle {
    pub file_id: u64,
    /// Displacement and bytes of an element of the view; `None`: offsets are not bytes of the file.
    pub view: Option<(i64, u8)>,
}

/// What a name stands for.
#[derive(Debug, Default)]
struct Named {
    /// Of the path that it is.
    id: Option<u64>,
    open: Option<Open>,
    handle: Option<Handle>,
}

/// What a rank has open.
///
/// Versions after 2.2 name files by their paths, 2.2 by the number that `open` returned.
#[derive(Debug)]
pub(super) struct Files<'n> {
    pub names: &'n mut Names,
    named: FastHashMap<u32, Named>,
    whole: &'n FastHashMap<u32, u32>,
    /// Descriptors are numbers, which `open` returned.
    pub has_results: bool,
}

impl<'n> Files<'n> {
    /// Files whose names are paths, or else what `open` returned; of these relative paths the
    /// whole ones are known.
    pub fn new(names: &'n mut Names, whole: &'n FastHashMap<u32, u32>, has_results: bool) -> Self {
        Self { names, named: FastHashMap::default(), whole, has_results }
    }

    /// The path as a whole, where that is known.
    pub fn whole(&self, path: u32) -> u32 {
        self.whole.get(&path).copied().unwrap_or(path)
    }

    fn of(&mut self, name: u32) -> &mut Named {
        self.named.entry(name).or_default()
    }

    /// Id of a path.
    pub fn id(&mut self, path: u32, assembly: &mut Assembly<'_>) -> u64 {
        let named = self.named.entry(path).or_default();
        *named.id.get_or_insert_with(|| match self.names.text(path) {
            b"" | b"???" => assembly.file(NO_FILE, "path_suffix"),
            path => assembly.file(&String::from_utf8_lossy(path), "file"),
        })
    }

    /// Id of the file whose name is not known.
    pub fn no_id(&mut self, assembly: &mut Assembly<'_>) -> u64 {
        let nothing = self.names.number(b"");
        self.id(nothing, assembly)
    }

    /// The file that an argument of a call of the C library names.
    pub fn named(&mut self, name: u32, assembly: &mut Assembly<'_>) -> u64 {
        if let Some(open) = self.open(name) {
            return open.file_id;
        }
        // A number that no `open` returned: the file was open before recording began.
        let is_path = !self.has_results || number(self.names.text(name)).is_none();
        if is_path { self.id(name, assembly) } else { self.no_id(assembly) }
    }

    /// The open file of this name.
    pub fn open(&mut self, name: u32) -> Option<&mut Open> {
        self.of(name).open.as_mut()
    }

    /// The file of MPI-IO of this name.
    pub fn handle(&mut self, name: u32) -> Option<&mut Handle> {
        self.of(name).handle.as_mut()
    }

    /// Id of the file of MPI-IO of this name.
    pub fn handle_id(&mut self, name: u32, assembly: &mut Assembly<'_>) -> u64 {
        match self.handle(name) {
            Some(handle) => handle.file_id,
            None => self.no_id(assembly),
        }
    }

    /// A file of MPI-IO is opened.
    pub fn opened_handle(&mut self, name: u32, file_id: u64) {
        self.of(name).handle = Some(Handle { file_id, view: Some((0, 1)) });
    }

    /// A file is opened.
    pub fn opened(&mut self, name: u32, file_id: u64, position: Option<i64>) {
        let has_results = self.has_results;
        match &mut self.of(name).open {
            Some(open) if !has_results => {
                open.times += 1;
                open.position = None;
            }
            open => *open = Some(Open { file_id, times: 1, position }),
        }
    }

    /// A file is closed.
    pub fn closed(&mut self, name: u32) {
        let named = self.of(name);
        named.handle = None;
        if let Some(open) = &mut named.open {
            open.times -= 1;
            if open.times == 0 {
                named.open = None;
            }
        }
    }
}
