//! Written by `cargo xtask generate` from `schema/functions`.

mod functions;

use super::Function;
pub(crate) use functions::FUNCTIONS;
