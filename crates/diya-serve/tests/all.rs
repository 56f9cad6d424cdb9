//! All tests of this crate in one program: linking each file for itself took most of the time.

mod fleet_page;
mod serve;
mod stop;
