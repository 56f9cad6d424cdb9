//! Segments: what `diya run` leaves behind for each process.
//!
//! The layout is in `capture/include/diya_trace.h`. A segment needs no closing
//! (the process may have been killed at any moment), so everything is read up
//! to the first byte that cannot be right, and what was lost is reported.
//!
//! [`Segment`] gives the header of one process, [`collect`] makes tables of all
//! segments of a run.

mod bytes;
mod calls;
mod clock;
mod collect;
mod counters;
mod definitions;
mod emit;
mod generated;
mod header;
mod heat;
mod identity;
mod mappings;
mod merge;
mod merge_counters;
mod merge_frames;
mod merge_processes;
mod numbering;
mod ops;
mod process;
mod record;
mod rows;
mod samples;
mod stacks;
mod started;
mod tally;
mod unattached;
mod window;
mod witness;

#[cfg(test)]
mod tests;

pub use collect::{
    CallSink, Facts, Mount, NoResolver, Resolver, Segments, SourceFrame, Symbol, collect,
};
pub use header::{Clock, ClockPoint, Ended, Header, MAGIC, Mode, MpiFamily};
pub use identity::{Identity, PythonFrames};

use std::sync::OnceLock;

/// A function the recorder knows, as `schema/functions` lists it.
#[derive(Debug)]
pub(crate) struct Function {
    pub number: u16,
    pub name: &'static str,
    /// Number of its layer, from 1.
    pub layer: u8,
    /// Number of its operation, from 1.
    pub op: u8,
    /// Made by all ranks together; `None`: the function alone does not say.
    pub is_collective: Option<bool>,
    /// Returns before the data have moved.
    pub is_nonblocking: bool,
    /// One half of a split collective call.
    pub is_split: bool,
}

impl Function {
    pub(crate) const fn new(
        number: u16,
        name: &'static str,
        layer: u8,
        op: u8,
        is_collective: Option<bool>,
        is_nonblocking: bool,
        is_split: bool,
    ) -> Self {
        Self { number, name, layer, op, is_collective, is_nonblocking, is_split }
    }

    /// The function with this number; a newer recorder may know more than we.
    pub fn of(number: u16) -> Option<&'static Self> {
        // Asked several times per call: by place, not by search.
        static PLACES: OnceLock<Vec<Option<&'static Function>>> = OnceLock::new();
        let places = PLACES.get_or_init(|| {
            let mut places = Vec::new();
            for function in generated::FUNCTIONS {
                let at = usize::from(function.number);
                places.resize(places.len().max(at + 1), None);
                if let Some(place) = places.get_mut(at) {
                    *place = Some(function);
                }
            }
            places
        });
        places.get(usize::from(number)).copied().flatten()
    }
}
