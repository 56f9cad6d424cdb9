//! A function and its arguments become a call, with what is known of the file by then.

use super::arguments::{Arguments, Target};
use super::files::Files;
use super::shape::{Shape, shape};
use crate::assemble::{Assembly, Known, Region, TracedCall, known_function};
use diya_model::Op;
use std::borrow::Cow;
use std::num::NonZero;

/// A function of the trace.
#[derive(Debug)]
pub(super) struct Function {
    name: String,
    known: Option<Known<'static>>,
    pub shape: Shape,
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

impl Files<'_> {
    /// Adds a call. `result` is that of 2.2, which has some.
    pub fn call(
        &mut self,
        function: &Function,
        arguments: Arguments,
        result: Option<i32>,
        at: Moment,
        assembly: &mut Assembly<'_>,
    ) {
        let Moment { process, thread, start_ns, end_ns } = at;
        let Some(known) = function.known else {
            let own = match arguments {
                Arguments::Own(name) => String::from_utf8_lossy(self.names.text(name)),
                _ => Cow::Borrowed(function.name.as_str()),
            };
            let (name, category) = (own.as_ref(), function.category());
            let thread = Some(thread);
            let step = None;
            assembly.region(&Region { process, thread, name, category, step, start_ns, end_ns });
            return;
        };
        let has_failed = self.has_results && known.op == Op::Open && result == Some(-1);
        let what = self.what(arguments, result.filter(|_| !has_failed), assembly);
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
        arguments: Arguments,
        result: Option<i32>,
        assembly: &mut Assembly<'_>,
    ) -> What {
        let nothing = What { file_id: 0, offset: None, size: None, aux: None };
        match arguments {
            Arguments::Open { path, flags, appends } => {
                let path = self.whole(path);
                let file_id = self.named(path, assembly);
                let position = (!appends).then_some(0);
                if !self.has_results {
                    self.opened(path, file_id, position);
                } else if let Some(descriptor) = result {
                    let descriptor = self.names.number(descriptor.to_string().as_bytes());
                    self.opened(descriptor, file_id, position);
                }
                What { file_id, aux: flags.get(), ..nothing }
            }
            Arguments::OpenHandle { path, handle, mode } => {
                let file_id = self.id(path, assembly);
                self.opened_handle(handle, file_id);
                What { file_id, aux: mode.get(), ..nothing }
            }
            Arguments::Close { file } => {
                let handle = self.handle(file).map(|handle| handle.file_id);
                let file_id = handle.unwrap_or_else(|| self.named(file, assembly));
                self.closed(file);
                What { file_id, ..nothing }
            }
            Arguments::Data { file, size, offset, is_here } => {
                let (size, mut offset) = (size.get(), offset.get());
                let file_id = match self.open(file) {
                    Some(open) if is_here => {
                        offset = open.position;
                        open.position = offset.zip(size).and_then(|(at, n)| at.checked_add(n));
                        open.file_id
                    }
                    Some(open) => open.file_id,
                    None => self.named(file, assembly),
                };
                What { file_id, offset, size, ..nothing }
            }
            Arguments::Elements { handle, size, offset } => {
                let file_id = self.handle_id(handle, assembly);
                let view = self.handle(handle).and_then(|handle| handle.view);
                let offset = offset.get().zip(view).and_then(|(at, (from, element))| {
                    at.checked_mul(i64::from(element))?.checked_add(from)
                });
                What { file_id, offset, size: size.get(), ..nothing }
            }
            Arguments::Seek { file, to } => {
                let file_id = self.named(file, assembly);
                if let Some(open) = self.open(file) {
                    open.position = match to {
                        Target::FromStart(to) if open.times == 1 => to.get(),
                        Target::FromHere(by) => {
                            open.position.zip(by.get()).and_then(|(here, by)| here.checked_add(by))
                        }
                        _ => None,
                    };
                }
                What { file_id, ..nothing }
            }
            Arguments::View { handle, from, element } => {
                let file_id = self.handle_id(handle, assembly);
                if let Some(handle) = self.handle(handle) {
                    handle.view = from.get().zip(element.map(NonZero::get));
                }
                What { file_id, ..nothing }
            }
            Arguments::File(file) => What { file_id: self.named(file, assembly), ..nothing },
            Arguments::Handle(handle) => {
                What { file_id: self.handle_id(handle, assembly), ..nothing }
            }
            Arguments::Bare | Arguments::Own(_) => {
                What { file_id: self.no_id(assembly), ..nothing }
            }
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
