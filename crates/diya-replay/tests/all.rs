//! All tests of this crate in one program: linking each file for itself took most of the time.

mod common;
mod nodes;
mod own_time;
mod replay;
mod transforms;
