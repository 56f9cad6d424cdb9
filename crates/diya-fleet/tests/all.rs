//! All tests of this crate in one program: linking each file for itself took most of the time.

mod answers;
mod fleet;
mod join;
mod join_formats;
mod narrow;
