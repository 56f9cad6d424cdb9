//! Which calls count.

use crate::calls::Stream;
use crate::{Kind, Store};
use std::ops::Range;

/// Numbers that count, of a small range.
#[derive(Debug, Clone, Default)]
pub struct Members(Vec<bool>);

impl Members {
    /// The members among `0..all`; others are ignored.
    pub fn new(all: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut is_member = vec![false; all];
        for member in members {
            if let Some(slot) = is_member.get_mut(member) {
                *slot = true;
            }
        }
        Self(is_member)
    }

    /// Whether it counts.
    #[inline(always)]
    pub fn has(&self, number: usize) -> bool {
        self.0.get(number).copied().unwrap_or(false)
    }
}

/// Which calls count; every part narrows, `None` does not.
#[derive(Debug, Clone)]
pub struct Filter {
    /// Calls of which any part lies in [from, to), nanoseconds.
    pub window_ns: (i64, i64),
    /// Number of the log.
    pub log: Option<i32>,
    /// Tracks.
    pub tracks: Option<Members>,
    /// Layers.
    pub layers: Option<Members>,
    /// Kinds.
    pub kinds: Option<Members>,
    /// Files.
    pub files: Option<Members>,
    /// Storage targets.
    pub targets: Option<Vec<i64>>,
    /// Forms: what functions and errors have in common with calls.
    pub forms: Option<Members>,
    /// Calls that take longer than this, nanoseconds.
    pub longer_ns: Option<u64>,
    /// Bytes that a call moves; calls that move none are out.
    pub sizes_bytes: Option<Range<u64>>,
    /// Call stacks; calls without one are out.
    pub stacks: Option<Members>,
    /// Places in the program; calls without one are out.
    pub places: Option<Members>,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            window_ns: (i64::MIN, i64::MAX),
            log: None,
            tracks: None,
            layers: None,
            kinds: None,
            files: None,
            targets: None,
            forms: None,
            longer_ns: None,
            sizes_bytes: None,
            stacks: None,
            places: None,
        }
    }
}

impl Filter {
    /// Whether calls of a stream can count.
    pub fn takes(&self, store: &Store, stream: &Stream) -> bool {
        self.tracks.as_ref().is_none_or(|tracks| tracks.has(stream.track as usize))
            && self.layers.as_ref().is_none_or(|layers| layers.has(stream.layer.into()))
            && self.has_kind(stream.kind)
            && self.log.is_none_or(|log| {
                store.tracks.get(stream.track as usize).is_some_and(|track| track.log == log)
            })
    }

    /// Whether calls of a kind count.
    pub fn has_kind(&self, kind: Kind) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.has(kind as usize))
    }

    /// Whether calls of the streams that count have to be looked at one by one.
    pub fn asks_calls(&self) -> bool {
        self.files.is_some()
            || self.targets.is_some()
            || self.forms.is_some()
            || self.longer_ns.is_some()
            || self.sizes_bytes.is_some()
            || self.stacks.is_some()
            || self.places.is_some()
    }

    /// Whether every call counts, with all of its time.
    pub fn is_whole(&self) -> bool {
        self.window_ns == (i64::MIN, i64::MAX)
            && self.log.is_none()
            && self.tracks.is_none()
            && self.layers.is_none()
            && self.kinds.is_none()
            && !self.asks_calls()
    }

    /// Whether a call of a stream that counts, inside the window, counts.
    #[inline(always)]
    pub fn takes_call(&self, store: &Store, call: usize) -> bool {
        if let Some(files) = &self.files
            && !files.has(store.calls.file[call] as usize)
        {
            return false;
        }
        if let Some(forms) = &self.forms
            && !forms.has(store.calls.form[call].into())
        {
            return false;
        }
        if let Some(sizes) = &self.sizes_bytes
            && !store.calls.size_bytes.get(call).is_some_and(|bytes| sizes.contains(&bytes))
        {
            return false;
        }
        if let Some(stacks) = &self.stacks
            && !store.calls.stack.get(call).is_some_and(|stack| stacks.has(*stack as usize))
        {
            return false;
        }
        if let Some(places) = &self.places
            && !store.calls.place.get(call).is_some_and(|place| places.has(*place as usize))
        {
            return false;
        }
        if self.longer_ns.is_some_and(|longer| store.calls.duration_ns.value(call) <= longer) {
            return false;
        }
        self.targets.as_ref().is_none_or(|targets| touches(store, call, targets))
    }

    /// Streams with calls that can count.
    pub fn streams<'a>(&'a self, store: &'a Store) -> impl Iterator<Item = &'a Stream> {
        store.calls.streams.iter().filter(|stream| self.takes(store, stream))
    }

    /// Calls of a stream that count.
    pub fn calls<'a>(
        &'a self,
        store: &'a Store,
        stream: Stream,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let running = store.calls.running(stream, self.window_ns);
        running.filter(|call| self.takes_call(store, *call))
    }
}

/// Whether a request has a byte on one of the targets.
fn touches(store: &Store, call: usize, targets: &[i64]) -> bool {
    let Ok(offset) = u64::try_from(store.calls.offset_bytes[call]) else { return false };
    let Some(layout) = store.layout(store.calls.file[call]) else { return false };
    let mut is_touching = false;
    layout.split(offset, store.calls.size_bytes.value(call), |target, _| {
        is_touching |= targets.contains(&target);
    });
    is_touching
}
