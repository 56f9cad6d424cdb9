//! Places in the columns that are filled side by side.

use crate::Calls;
use crate::narrow::{Wide, narrow};
use crate::new_call::{NewCall, Traced};

/// Places of one stream in a row, for one thread to fill from the first on.
#[derive(Debug, Default)]
pub struct ColumnSlice<'c> {
    /// Position of the first.
    pub(crate) first: usize,
    used: usize,
    pub(crate) start_ns: &'c mut [i64],
    pub(crate) duration_ns: &'c mut [u32],
    pub(crate) offset_bytes: &'c mut [i64],
    pub(crate) size_bytes: &'c mut [u32],
    pub(crate) file: &'c mut [u32],
    pub(crate) form: &'c mut [u16],
    wide: [Vec<Wide>; 2],
    /// One per call from the first one that has any on; empty: none has.
    traced: Vec<Traced>,
}

/// What a room holds besides its columns, when it is given back.
#[derive(Debug)]
pub struct Filled {
    /// Places without a call at the end of the room.
    pub(crate) unused: std::ops::Range<usize>,
    pub(crate) first: usize,
    /// Durations and sizes that 32 bits do not hold.
    pub(crate) wide: [Vec<Wide>; 2],
    pub(crate) traced: Vec<Traced>,
}

impl<'c> ColumnSlice<'c> {
    /// All places.
    pub(crate) fn whole(calls: &'c mut Calls) -> Self {
        Self {
            start_ns: &mut calls.start_ns,
            duration_ns: calls.duration_ns.raw_mut(),
            offset_bytes: &mut calls.offset_bytes,
            size_bytes: calls.size_bytes.raw_mut(),
            file: &mut calls.file,
            form: &mut calls.form,
            ..Self::default()
        }
    }

    /// What begins at a place of the whole.
    pub(crate) fn starting_at(self, place: usize) -> Self {
        let skipped = place - self.first;
        self.split(skipped).1
    }

    /// The first so many places, and the others.
    pub(crate) fn split(self, places: usize) -> (Self, Self) {
        let places = places.min(self.start_ns.len());
        let start_ns = self.start_ns.split_at_mut(places);
        let duration_ns = self.duration_ns.split_at_mut(places);
        let offset_bytes = self.offset_bytes.split_at_mut(places);
        let size_bytes = self.size_bytes.split_at_mut(places);
        let file = self.file.split_at_mut(places);
        let form = self.form.split_at_mut(places);
        let head = Self {
            first: self.first,
            start_ns: start_ns.0,
            duration_ns: duration_ns.0,
            offset_bytes: offset_bytes.0,
            size_bytes: size_bytes.0,
            file: file.0,
            form: form.0,
            ..Self::default()
        };
        let tail = Self {
            first: self.first + places,
            start_ns: start_ns.1,
            duration_ns: duration_ns.1,
            offset_bytes: offset_bytes.1,
            size_bytes: size_bytes.1,
            file: file.1,
            form: form.1,
            ..Self::default()
        };
        (head, tail)
    }

    /// Takes the next call, of a file and a form; one without a place left is dropped.
    #[inline(always)]
    pub fn push(&mut self, (file, form): (u32, u16), call: NewCall) {
        let at = self.used;
        if at >= self.start_ns.len() {
            return;
        }
        self.used = at + 1;
        let place = self.first + at;
        let [durations, sizes] = &mut self.wide;
        let duration_ns = u64::try_from(call.end_ns.saturating_sub(call.start_ns)).unwrap_or(0);
        self.start_ns[at] = call.start_ns;
        self.duration_ns[at] = narrow(place, Some(duration_ns), durations);
        self.offset_bytes[at] = call.offset_bytes.and_then(|o| i64::try_from(o).ok()).unwrap_or(-1);
        self.size_bytes[at] = narrow(place, call.size_bytes, sizes);
        self.file[at] = file;
        self.form[at] = form;
        if let Some(traced) = call.traced {
            self.traced.resize(at, Traced::default());
            self.traced.push(traced);
        }
    }

    /// Gives the columns back.
    pub fn filled(self) -> Filled {
        let end = self.first + self.start_ns.len();
        let unused = self.first + self.used..end;
        Filled { unused, first: self.first, wide: self.wide, traced: self.traced }
    }
}
