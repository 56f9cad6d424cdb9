//! All tests of this crate in one program: linking each file for itself took most of the time.

mod context;
mod corpus;
mod counter_track;
mod counters;
mod filters;
mod known_answers;
mod mapped;
mod processor_work;
mod readers;
mod recording_time;
mod regions;
mod roles;
mod roofline;
mod sql;
mod summary;
mod support;
mod training;
mod unseen;
