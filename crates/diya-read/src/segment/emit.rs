//! Calls of one batch as runs of table `call`.
//!
//! Calls of a kind are brought together, so that what they share is kept once:
//! a program that writes to two files in turn gives two runs.

use super::calls::Timed;
use super::tally::moves_data;
use diya_model::Function;
use diya_tables::{CallChunk, CallRun, CallTable, FastHashMap, Layer, NameId, Op};
use std::ops::Range;

/// What all calls of a process have in common.
pub(super) struct Emitter<'a> {
    pub log: i32,
    pub rank: i32,
    pub process: i32,
    pub host: &'a str,
    /// Ids of the process's files.
    pub file_ids: &'a FastHashMap<u32, u64>,
    /// Id of calls without a file.
    pub no_file_id: u64,
    /// Ids of the process's stacks.
    pub stack_ids: &'a FastHashMap<u32, u64>,
}

/// What the calls of a run share, before names are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    file: u32,
    function: u16,
    error: i32,
    is_collective: Option<bool>,
    has_offset: bool,
}

impl Key {
    #[inline]
    fn of(timed: &Timed) -> Self {
        let call = &timed.call;
        Self {
            file: call.file,
            function: call.function,
            error: call.error,
            is_collective: call.is_collective,
            has_offset: call.offset.is_some(),
        }
    }
}

/// Places of the calls of each key, by their start: calls made inside others come before
/// them in a segment.
fn groups(batch: &[Timed]) -> Vec<(Key, Vec<usize>)> {
    let mut groups: Vec<(Key, Vec<usize>)> = Vec::new();
    let mut by_key: FastHashMap<Key, usize> = FastHashMap::default();
    let mut last: Option<(Key, usize)> = None;
    for (at, timed) in batch.iter().enumerate() {
        let key = Key::of(timed);
        let group = match last {
            Some((known, group)) if known == key => group,
            _ => *by_key.entry(key).or_insert_with(|| {
                groups.push((key, Vec::new()));
                groups.len() - 1
            }),
        };
        last = Some((key, group));
        if let Some((_, members)) = groups.get_mut(group) {
            members.push(at);
        }
    }
    for (_, members) in &mut groups {
        let start = |at: &usize| batch.get(*at).map(|t| t.start_ns);
        if !members.is_sorted_by_key(start) {
            members.sort_by_key(start);
        }
    }
    groups
}

impl Emitter<'_> {
    /// Appends calls of one thread to a table.
    pub fn append(&self, table: &mut CallTable, tid: u32, batch: &[Timed]) {
        let Some(first) = batch.first().map(Key::of) else { return };
        let is_in_order = || batch.is_sorted_by_key(|timed| timed.start_ns);
        if batch.iter().all(|timed| Key::of(timed) == first) && is_in_order() {
            let (run, moves) = self.run(&first, table);
            self.append_parts(table, run, batch.len(), |chunk, part| {
                self.put(chunk, tid, moves, batch.get(part).unwrap_or_default().iter());
            });
            return;
        }
        for (key, members) in groups(batch) {
            let (run, moves) = self.run(&key, table);
            self.append_parts(table, run, members.len(), |chunk, part| {
                let part = members.get(part).unwrap_or_default();
                self.put(chunk, tid, moves, part.iter().filter_map(|&at| batch.get(at)));
            });
        }
    }

    /// So many calls of one run, as the chunks of a table have room for them.
    fn append_parts(
        &self,
        table: &mut CallTable,
        run: CallRun,
        calls: usize,
        mut put: impl FnMut(&mut CallChunk, Range<usize>),
    ) {
        let mut from = 0;
        while from < calls {
            let (chunk, room) = table.open(run);
            let until = calls.min(from + room);
            put(chunk, from..until);
            table.commit(until - from);
            from = until;
        }
    }

    fn run(&self, key: &Key, table: &mut CallTable) -> (CallRun, bool) {
        let function = Function::of(key.function);
        let layer = function.map_or(Layer::Posix, |f| f.layer);
        let op = function.map_or(Op::Other, |f| f.op);
        let name =
            |table: &mut CallTable, text: &str| -> Option<NameId> { Some(table.name_id(text)) };
        let moves = function.is_some_and(|f| moves_data(f.op.number()));
        let file_id = self.file_ids.get(&key.file).copied().unwrap_or(self.no_file_id);
        let run = CallRun::new(self.log, layer, op, file_id, self.rank);
        let run = CallRun {
            host: name(table, self.host),
            function: function.and_then(|f| name(table, f.name)),
            process: Some(self.process),
            error: if key.error == 0 { None } else { name(table, &errno_name(key.error)) },
            is_collective: key.is_collective.or(function.and_then(|f| f.is_collective)),
            has_offset: key.has_offset,
            has_size: moves,
            ..run
        };
        (run, moves)
    }

    /// Column by column: what few calls have costs the others nothing.
    fn put<'t>(
        &self,
        chunk: &mut CallChunk,
        tid: u32,
        moves: bool,
        calls: impl Iterator<Item = &'t Timed> + Clone,
    ) {
        let first = chunk.len();
        let whole = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        chunk.offset_bytes.extend(calls.clone().map(|t| t.call.offset.unwrap_or(0)));
        chunk.size_bytes.extend(calls.clone().map(|t| whole(t.call.done)));
        chunk.start_s.extend(calls.clone().map(|t| t.start_ns as f64 / 1e9));
        chunk.end_s.extend(calls.clone().map(|t| t.end_ns as f64 / 1e9));
        chunk.thread.pad(first);
        chunk.thread.extend(calls.clone().map(|_| u64::from(tid)));
        chunk.call_id.pad(first);
        chunk.call_id.extend(calls.clone().map(|t| t.id));
        if moves {
            chunk.requested_bytes.pad(first);
            chunk.requested_bytes.extend(calls.clone().map(|t| whole(t.call.requested)));
        }
        let stack_of =
            |stack: u32| if stack == 0 { None } else { self.stack_ids.get(&stack).copied() };
        for (at, timed) in (first..).zip(calls) {
            let call = &timed.call;
            if !moves && call.requested > 0 {
                chunk.requested_bytes.set(at, whole(call.requested));
            }
            if let Some(parent) = timed.parent {
                chunk.parent_id.set(at, parent);
            }
            if let Some(stack) = stack_of(call.stack) {
                chunk.stack_id.set(at, stack);
            }
            if let Some(aux) = call.aux {
                chunk.aux.set(at, aux.cast_signed());
            }
            if call.calls != 1 {
                chunk.calls.set(at, whole(call.calls));
                chunk.busy_s.set(at, timed.busy_ns as f64 / 1e9);
            }
        }
    }
}

/// Name of an error number of Linux, as people know it.
pub(super) fn errno_name(number: i32) -> String {
    const NAMES: [(i32, &str); 44] = [
        (1, "EPERM"),
        (2, "ENOENT"),
        (3, "ESRCH"),
        (4, "EINTR"),
        (5, "EIO"),
        (6, "ENXIO"),
        (7, "E2BIG"),
        (9, "EBADF"),
        (10, "ECHILD"),
        (11, "EAGAIN"),
        (12, "ENOMEM"),
        (13, "EACCES"),
        (14, "EFAULT"),
        (16, "EBUSY"),
        (17, "EEXIST"),
        (18, "EXDEV"),
        (19, "ENODEV"),
        (20, "ENOTDIR"),
        (21, "EISDIR"),
        (22, "EINVAL"),
        (23, "ENFILE"),
        (24, "EMFILE"),
        (25, "ENOTTY"),
        (26, "ETXTBSY"),
        (27, "EFBIG"),
        (28, "ENOSPC"),
        (29, "ESPIPE"),
        (30, "EROFS"),
        (31, "EMLINK"),
        (32, "EPIPE"),
        (34, "ERANGE"),
        (35, "EDEADLK"),
        (36, "ENAMETOOLONG"),
        (37, "ENOLCK"),
        (38, "ENOSYS"),
        (39, "ENOTEMPTY"),
        (40, "ELOOP"),
        (61, "ENODATA"),
        (75, "EOVERFLOW"),
        (95, "EOPNOTSUPP"),
        (107, "ENOTCONN"),
        (110, "ETIMEDOUT"),
        (116, "ESTALE"),
        (122, "EDQUOT"),
    ];
    let known = NAMES.binary_search_by_key(&number, |&(n, _)| n).ok().and_then(|at| NAMES.get(at));
    known.map_or_else(|| format!("E{number}"), |(_, name)| (*name).to_string())
}
