//! All tests of this crate in one program: linking each file for itself took most of the time.

mod conditions;
mod settings;
mod support;
mod systems;
