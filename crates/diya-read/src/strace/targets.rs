//! What a call is about: its file, its place in it, its bytes.

use super::arguments::{descriptor, integer, open_flags, text};
use super::descriptors::{Opened, Table};
use super::paths::kind_of;
use super::reader::{Made, Reader, Target};
use super::system_calls::{Shape, as_op, control_op, requested};
use crate::assemble::Known;
use diya_model::Op;

impl Reader<'_> {
    /// What a call is about, and what it does to the descriptors of its process.
    pub(super) fn target(
        &mut self,
        made: &Made<'_>,
        arguments: &[&str],
        table: &mut Table,
    ) -> Option<(Known<'static>, Target)> {
        let argument = |at: usize| arguments.get(at).copied().unwrap_or_default();
        let function = made.syscall.function;
        let has_failed = made.outcome.error.is_some();
        let mut target = Target::default();
        let mut known = Known::from(function);
        match made.syscall.shape {
            Shape::Open { dir, path, flags } => {
                let named = self.named(made.group, dir.map(argument), argument(path), table);
                target.aux = flags.and_then(|at| open_flags(argument(at)));
                let flags = target.aux.unwrap_or(0);
                let result = descriptor(made.outcome.value).filter(|_| !has_failed);
                let real = result.as_ref().and_then(|d| d.path.as_deref().map(str::to_string));
                let number = result.and_then(|d| d.number);
                let Some(path) = real.or(named) else {
                    // With -e raw= the path is an address: the call counts, its file is unknown.
                    if let Some(number) = number {
                        self.descriptors.close(table, number);
                    }
                    return Some((known, target));
                };
                let kind = if flags & 0o200_000 != 0 { "directory" } else { kind_of(&path) };
                target.file_id = Some(self.assembly.file(&path, kind));
                if let Some(number) = number {
                    let is_append = flags & 0o2000 != 0;
                    let position = (kind == "file").then_some(0);
                    let opened = Opened { path, position, is_append };
                    self.descriptors.open(table, number, opened, flags & 0o2_000_000 != 0);
                }
            }
            Shape::Data { is_vector, offset } => {
                target.requested = requested(arguments, is_vector);
                let done = integer(made.outcome.value).filter(|_| !has_failed).unwrap_or(0);
                target.size = Some(done.max(0));
                let explicit = offset.and_then(|at| integer(argument(at))).filter(|at| *at >= 0);
                let position = self.moved(argument(0), &mut target, done, offset, table, known.op);
                target.offset = if offset.is_some() { explicit } else { position };
            }
            Shape::Seek => {
                let (path, number) = self.descriptor(argument(0), table);
                target.file_id = path;
                let whence = ["SEEK_SET", "SEEK_CUR", "SEEK_END", "SEEK_DATA", "SEEK_HOLE"];
                let whence = whence.iter().position(|name| *name == argument(2));
                let whence = whence.and_then(|at| i64::try_from(at).ok());
                target.aux = whence.or_else(|| integer(argument(2)).filter(|n| (0..5).contains(n)));
                target.offset = integer(made.outcome.value).filter(|_| !has_failed);
                if let Some(opened) = number.and_then(|n| self.descriptors.get(table, n)) {
                    opened.position = target.offset.or(opened.position);
                }
            }
            Shape::Close => {
                let (file, number) = self.descriptor(argument(0), table);
                target.file_id = file;
                if let Some(number) = number {
                    self.descriptors.close(table, number);
                }
            }
            Shape::CloseRange => {
                let first = integer(argument(0)).unwrap_or(0);
                let last = integer(argument(1)).unwrap_or(i64::MAX);
                let range = first..=last;
                let closed = table.keys().copied().filter(|n| range.contains(&i64::from(*n)));
                let closed: Vec<i32> = closed.collect();
                closed.into_iter().for_each(|number| self.descriptors.close(table, number));
            }
            Shape::Dup | Shape::Control => {
                let (file, old) = self.descriptor(argument(0), table);
                target.file_id = file;
                if made.syscall.shape == Shape::Control {
                    known = as_op(function, control_op(argument(1)));
                }
                let new = descriptor(made.outcome.value).and_then(|d| d.number);
                if let (Op::Dup, false, Some(old), Some(new)) = (known.op, has_failed, old, new) {
                    let closes = arguments.iter().any(|a| a.contains("CLOEXEC"));
                    self.descriptors.dup(table, old, new, closes);
                }
            }
            Shape::Map => {
                // Memory without a file is no I/O.
                let (file, number) = self.descriptor(argument(4), table);
                number.filter(|number| *number >= 0)?;
                target.file_id = file;
                target.offset = integer(argument(5));
                target.requested = integer(argument(1));
            }
            Shape::Descriptor => {
                let (file, number) = self.descriptor(argument(0), table);
                target.file_id = file;
                // How far the pointers of a folder or an ioctl move a position is not shown.
                let moves = matches!(known.op, Op::List);
                if let Some(opened) = number.and_then(|n| self.descriptors.get(table, n))
                    && moves
                {
                    opened.position = None;
                }
            }
            Shape::Path(at) => {
                let path = self.named(made.group, None, argument(at), table);
                target.file_id = path.map(|path| self.assembly.file(&path, kind_of(&path)));
            }
            Shape::At(at) => {
                let dir = argument(at);
                let path = self.named(made.group, Some(dir), argument(at + 1), table);
                target.file_id = match path {
                    Some(path) => Some(self.assembly.file(&path, kind_of(&path))),
                    None => self.descriptor(dir, table).0,
                };
            }
            Shape::ChangeFolder => {
                let path = self.named(made.group, None, argument(0), table)?;
                target.file_id = Some(self.assembly.file(&path, "directory"));
                if let (false, Some(group)) =
                    (has_failed, self.processes.groups.get_mut(made.group))
                {
                    group.cwd = Some(path);
                }
            }
            Shape::Folder => {
                if let (Some(path), Some(group)) =
                    (text(argument(0)), self.processes.groups.get_mut(made.group))
                {
                    group.cwd = Some(path.into_owned());
                }
                return None;
            }
            // Only a program that could not be started is a call, as in own recordings.
            Shape::Execute => {
                let path = self.named(made.group, None, argument(0), table)?;
                if !has_failed {
                    return None;
                }
                target.file_id = Some(self.assembly.file(&path, "file"));
            }
            Shape::Bare => {}
            Shape::Spawn | Shape::Copy { .. } => return None,
        }
        Some((known, target))
    }

    pub(super) fn copy(&mut self, made: &Made<'_>, arguments: &[&str], table: &mut Table) {
        let Shape::Copy { from, from_offset, to, to_offset, size } = made.syscall.shape else {
            return;
        };
        let argument = |at: usize| arguments.get(at).copied().unwrap_or_default();
        let done = integer(made.outcome.value).filter(|_| made.outcome.error.is_none());
        for (at, offset, op) in [(from, from_offset, Op::Read), (to, to_offset, Op::Write)] {
            let mut target = Target {
                size: Some(done.unwrap_or(0).max(0)),
                requested: integer(argument(size)),
                ..Target::default()
            };
            // `[4096]`, or NULL where it is the position of the descriptor.
            let number = |at| argument(at).trim_start_matches('[').split([' ', ']']).next();
            let own = offset.and_then(number).and_then(integer);
            let offset = offset.filter(|_| own.is_some());
            let position =
                self.moved(argument(at), &mut target, done.unwrap_or(0), offset, table, op);
            target.offset = own.or(position);
            self.push(made, as_op(made.syscall.function, op), &target);
        }
    }
}
