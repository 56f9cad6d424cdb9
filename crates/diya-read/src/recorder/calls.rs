//! A function and its arguments become a call, with what is known of the file by then.

use super::shape::{Shape, element_bytes, shape};
use crate::assemble::{Assembly, Known, NO_FILE, Region, TracedCall, known_function};
use diya_model::Op;
use diya_tables::FastHashMap;

/// `O_APPEND` of Linux: writes go to the end, which is not known.
const APPEND: i64 = 0o2000;

/// `SEEK_SET` and `SEEK_CUR`.
const FROM_START: i64 = 0;
const FROM_HERE: i64 = 1;

/// A function of the trace.
#[derive(Debug)]
pub(super) struct Function {
    name: String,
    known: Option<Known<'static>>,
    shape: Shape,
}

impl Function {
    pub fn of(name: &str) -> Self {
        let known = known_function(name).map(Known::from);
        Self { name: name.to_string(), known, shape: shape(name) }
    }

    /// Group of functions that are no I/O, as the category of a region.
    fn category(&self) -> &'static str {
        match &self.name {
            name if name.starts_with("MPI_") => "mpi",
            name if name.starts_with("H5") => "hdf5",
            name if name.starts_with("nc") => "netcdf",
            _ => "posix",
        }
    }
}

/// When and where a call was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub process: usize,
    pub thread: u64,
    pub start_ns: i64,
    pub end_ns: i64,
}

/// An open file of a rank.
#[derive(Debug, Clone, Copy)]
struct Open {
    file_id: u64,
    /// How often it is open: with two, each has a position of its own.
    times: u32,
    position: Option<i64>,
}

/// A file of MPI-IO.
#[derive(Debug, Clone, Copy)]
struct Handle {
    file_id: u64,
    /// Displacement and bytes of an element of the view; `None`: offsets are not bytes of the file.
    view: Option<(i64, i64)>,
}

/// What a rank has open.
///
/// Versions after 2.2 name files by their paths, 2.2 by the number that `open` returned.
#[derive(Debug, Default)]
pub(super) struct Files {
    open: FastHashMap<Vec<u8>, Open>,
    handles: FastHashMap<Vec<u8>, Handle>,
    ids: FastHashMap<Vec<u8>, u64>,
    whole: FastHashMap<Vec<u8>, Vec<u8>>,
    /// Descriptors are numbers, which `open` returned.
    has_results: bool,
}

impl Files {
    /// Files whose names are paths; of these relative ones the whole paths are known.
    pub fn with_paths(whole: &FastHashMap<&[u8], &[u8]>) -> Self {
        let whole = whole.iter().map(|(path, whole)| (path.to_vec(), whole.to_vec()));
        Self { whole: whole.collect(), ..Self::default() }
    }

    /// Files whose names are what `open` returned.
    pub fn with_results() -> Self {
        Self { has_results: true, ..Self::default() }
    }

    fn id(&mut self, path: &[u8], assembly: &mut Assembly<'_>) -> u64 {
        if let Some(id) = self.ids.get(path) {
            return *id;
        }
        let id = match path {
            b"" | b"???" => assembly.file(NO_FILE, "path_suffix"),
            path => assembly.file(&String::from_utf8_lossy(path), "file"),
        };
        self.ids.insert(path.to_vec(), id);
        id
    }

    /// The file that an argument of a call of the C library names.
    fn named(&mut self, name: &[u8], assembly: &mut Assembly<'_>) -> u64 {
        if let Some(open) = self.open.get(name) {
            return open.file_id;
        }
        // A number that no `open` returned: the file was open before recording began.
        let is_path = !self.has_results || name.parse_number().is_none();
        self.id(if is_path { name } else { b"" }, assembly)
    }

    fn handle(&mut self, name: &[u8], assembly: &mut Assembly<'_>) -> u64 {
        match self.handles.get(name) {
            Some(handle) => handle.file_id,
            None => self.id(b"", assembly),
        }
    }

    fn opened(&mut self, name: &[u8], file_id: u64, position: Option<i64>) {
        let has_results = self.has_results;
        let open = self.open.entry(name.to_vec()).or_insert(Open { file_id, times: 0, position });
        if has_results {
            *open = Open { file_id, times: 1, position };
            return;
        }
        open.times += 1;
        if open.times > 1 {
            open.position = None;
        }
    }

    fn closed(&mut self, name: &[u8]) {
        self.handles.remove(name);
        if let Some(open) = self.open.get_mut(name) {
            open.times -= 1;
            if open.times == 0 {
                self.open.remove(name);
            }
        }
    }

    /// Adds a call. `result` is that of 2.2, which has some.
    pub fn call(
        &mut self,
        function: &Function,
        args: &[&[u8]],
        result: Option<i32>,
        at: Moment,
        assembly: &mut Assembly<'_>,
    ) {
        let Moment { process, thread, start_ns, end_ns } = at;
        let Some(known) = function.known else {
            let (name, category) = (function.name.as_str(), function.category());
            // A function of the program: its name is its second argument.
            let own = args.get(1).filter(|_| name == "user_function");
            let own = own.map(|name| String::from_utf8_lossy(name));
            let name = own.as_deref().unwrap_or(name);
            let thread = Some(thread);
            let step = None;
            assembly.region(&Region { process, thread, name, category, step, start_ns, end_ns });
            return;
        };
        let has_failed = self.has_results && known.op == Op::Open && result == Some(-1);
        let what = self.what(function.shape, args, result.filter(|_| !has_failed), assembly);
        let moves = matches!(known.op, Op::Read | Op::Write);
        let size = what.size.filter(|_| moves);
        assembly.call(&TracedCall {
            process,
            thread,
            function: known,
            file_id: what.file_id,
            offset: what.offset.filter(|offset| *offset >= 0),
            size,
            requested: size,
            start_ns,
            end_ns,
            error: has_failed.then_some("unknown"),
            aux: what.aux,
        });
    }

    fn what(
        &mut self,
        shape: Shape,
        args: &[&[u8]],
        result: Option<i32>,
        assembly: &mut Assembly<'_>,
    ) -> What {
        let text = |at: usize| args.get(at).copied().unwrap_or_default();
        let number = |at: usize| text(at).parse_number();
        let nothing = What { file_id: 0, offset: None, size: None, aux: None };
        match shape {
            Shape::Open { path, flags, letters } => {
                let path = self.whole.get(text(path)).cloned().unwrap_or(text(path).to_vec());
                let file_id = self.named(&path, assembly);
                let flags = flags.and_then(number);
                let appends = flags.is_some_and(|flags| flags & APPEND != 0)
                    || letters.is_some_and(|at| text(at).contains(&b'a'));
                let position = (!appends).then_some(0);
                if !self.has_results {
                    self.opened(&path, file_id, position);
                } else if let Some(descriptor) = result {
                    self.opened(descriptor.to_string().as_bytes(), file_id, position);
                }
                What { file_id, aux: flags, ..nothing }
            }
            Shape::OpenHandle => {
                let file_id = self.id(text(1), assembly);
                self.handles.insert(text(4).to_vec(), Handle { file_id, view: Some((0, 1)) });
                What { file_id, aux: number(2), ..nothing }
            }
            Shape::Close => {
                let name = text(0);
                let is_handle = self.handles.contains_key(name);
                let file_id = if is_handle {
                    self.handle(name, assembly)
                } else {
                    self.named(name, assembly)
                };
                self.closed(name);
                What { file_id, ..nothing }
            }
            Shape::Data { file, size, offset } => {
                let file_id = self.named(text(file), assembly);
                let size = size.and_then(|(of, items)| {
                    let items = items.map_or(Some(1), number)?;
                    number(of)?.checked_mul(items).filter(|size| *size >= 0)
                });
                let offset = match (offset, self.open.get_mut(text(file))) {
                    (Some(at), _) => number(at),
                    (None, Some(open)) => {
                        let here = open.position;
                        open.position = here.zip(size).and_then(|(here, n)| here.checked_add(n));
                        here
                    }
                    (None, None) => None,
                };
                What { file_id, offset, size, ..nothing }
            }
            Shape::Elements { offset, count } => {
                let file_id = self.handle(text(0), assembly);
                let view = self.handles.get(text(0)).and_then(|handle| handle.view);
                let bytes = element_bytes(text(count + 1)).zip(number(count));
                let size = bytes.and_then(|(of, count)| of.checked_mul(count)).filter(|n| *n >= 0);
                let offset = offset
                    .and_then(number)
                    .zip(view)
                    .and_then(|(at, (from, element))| at.checked_mul(element)?.checked_add(from));
                What { file_id, offset, size, ..nothing }
            }
            Shape::Seek => {
                let file_id = self.named(text(0), assembly);
                if let Some(open) = self.open.get_mut(text(0)) {
                    open.position = match (number(2), number(1)) {
                        (Some(FROM_START), to) if open.times == 1 => to,
                        (Some(FROM_HERE), by) => {
                            open.position.zip(by).and_then(|(here, by)| here.checked_add(by))
                        }
                        _ => None,
                    };
                }
                What { file_id, ..nothing }
            }
            Shape::View => {
                let file_id = self.handle(text(0), assembly);
                // A file type that is its element type has no holes: offsets count its elements.
                let element = element_bytes(text(2)).filter(|_| text(2) == text(3));
                if let Some(handle) = self.handles.get_mut(text(0)) {
                    handle.view = number(1).zip(element);
                }
                What { file_id, ..nothing }
            }
            Shape::File(at) => What { file_id: self.named(text(at), assembly), ..nothing },
            Shape::Handle => What { file_id: self.handle(text(0), assembly), ..nothing },
            Shape::Bare => What { file_id: self.id(b"", assembly), ..nothing },
        }
    }
}

/// What the arguments of a call say.
#[derive(Debug, Clone, Copy)]
struct What {
    file_id: u64,
    offset: Option<i64>,
    size: Option<i64>,
    aux: Option<i64>,
}

trait ParseNumber {
    /// The whole text as a decimal number.
    fn parse_number(&self) -> Option<i64>;
}

impl ParseNumber for [u8] {
    fn parse_number(&self) -> Option<i64> {
        std::str::from_utf8(self).ok()?.parse().ok()
    }
}
