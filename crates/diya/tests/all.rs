//! All tests of this crate in one program: linking each file for itself took most of the time.

mod convert;
mod damaged;
mod diya_file;
mod hostile;
mod impossible;
mod jobs;
mod known_answers;
mod merge_and_diff;
mod session;
mod trace_directories;
mod views;
