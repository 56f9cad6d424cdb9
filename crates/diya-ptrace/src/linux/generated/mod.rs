//! Written by `cargo xtask generate` from `schema/functions`.

// Functions of the C library that are no system calls have a number as well.
#[allow(dead_code)]
pub(super) mod functions;
