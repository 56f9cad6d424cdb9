//! Calls that submit asynchronous requests or wait for them, by what these do.
//!
//! `io_submit` of direct reads reads: the kernel does part of the work inside it, and
//! the program waits for the rest in `io_getevents`. Their time belongs to the class of
//! the requests, which the completions say: those on the same file, else all of the
//! process.

use super::{Class, Key, Share, Shares};
use crate::from_calls::{Calls, Stream, completions};
use crate::hash::HashMap;
use crate::relay::Relays;
use diya_tables::{BatchSource, Layer, Op};
use std::collections::BTreeMap;
use std::sync::Arc;

type Counts = BTreeMap<Class, i64>;

/// How many requests of each class processes had completed.
#[derive(Debug, Default)]
pub(super) struct Requests {
    /// By log, process and layer.
    all: HashMap<(i32, i32, Layer), Counts>,
    /// The same by file.
    files: HashMap<(i32, i32, Layer, u64), Counts>,
}

impl Requests {
    pub fn of(tables: &[Arc<dyn BatchSource>], calls: &Calls, relays: &Relays) -> Self {
        let mut found = Self::default();
        completions(tables, calls, |request| {
            let rank = relays.of(request.log, request.rank);
            let key = (request.log, rank, request.layer);
            let class = Class::of(request.op);
            *found.all.entry(key).or_default().entry(class).or_default() += 1;
            let file = (request.log, rank, request.layer, request.file_id);
            *found.files.entry(file).or_default().entry(class).or_default() += 1;
        });
        found
    }

    /// The classes that the time of a stream belongs to, and the share of each.
    /// `class`: what its operation alone says.
    pub fn classes(&self, stream: &Stream, class: Class) -> Vec<(Class, f64)> {
        let is_about_others = matches!(stream.op, Op::Submit | Op::Wait);
        let key = (stream.log, stream.rank, stream.layer);
        let on_file = || self.files.get(&(key.0, key.1, key.2, stream.file_id));
        let counts = (is_about_others && class == Class::Metadata)
            .then(|| on_file().or_else(|| self.all.get(&key)))
            .flatten();
        let Some(counts) = counts else { return vec![(class, 1.0)] };
        let sum: i64 = counts.values().sum();
        counts.iter().map(|(class, count)| (*class, *count as f64 / sum.max(1) as f64)).collect()
    }
}

/// Of calls that submit or wait, what they and the requests did together: the time is in
/// the first, the bytes in the others.
pub(super) fn together(shares: &Shares, (layer, class, op): Key) -> Option<Share> {
    if !matches!(op, Some(Op::Submit | Op::Wait)) {
        return None;
    }
    let mut all = Share::default();
    for ((_, _, op), share) in shares.iter().filter(|((l, c, _), _)| (*l, *c) == (layer, class)) {
        all.time_s += share.time_s;
        all.bytes = all.bytes.saturating_add(share.bytes);
        if !matches!(op, Some(Op::Submit | Op::Wait)) {
            all.calls = all.calls.saturating_add(share.calls);
        }
        for (file, time_s) in &share.files {
            *all.files.entry(*file).or_default() += time_s;
        }
    }
    Some(all)
}
