//! Segments: what `diya run` leaves behind for each process.
//!
//! The structures are in `schema/segment.toml`, and how they follow each other in
//! `capture/include/diya_trace.h`. A segment needs no closing
//! (the process may have been killed at any moment), so everything is read up
//! to the first byte that cannot be right, and what was lost is reported.
//!
//! [`Segment`] gives the header of one process, [`collect`] makes tables of all
//! segments of a run.

mod applied;
mod bytes;
pub(crate) mod calls;
mod clock;
mod collect;
mod counters;
mod definitions;
mod emit;
mod few_lost;
mod header;
pub(crate) mod heat;
mod identity;
mod mappings;
mod merge;
mod merge_applied;
mod merge_counters;
mod merge_frames;
mod merge_mappings;
mod merge_messages;
mod merge_processes;
mod merge_regions;
mod merge_samples;
mod messages;
mod numbering;
pub(crate) mod ops;
mod process;
mod record;
mod regions;
pub(crate) mod rows;
mod run_facts;
mod sampled;
mod samples;
mod stacks;
mod started;
mod static_libraries;
pub(crate) mod tally;
mod unattached;
mod window;
mod witness;

#[cfg(test)]
mod tests;

pub use collect::{CallSink, Segments, collect};
pub use header::{Clock, ClockPoint, Ended, Header, MAGIC, Mode, MpiFamily};
pub use identity::{Identity, PythonFrames};
pub use run_facts::{Facts, Leading, Mount, NoResolver, Resolver, SourceFrame, Symbol};
