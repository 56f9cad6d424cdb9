//! A call without its times.

use crate::assemble::Known;

/// What a call did, beside the time it took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Done<'p> {
    pub function: Known<'p>,
    pub file_id: u64,
    pub offset: Option<u64>,
    pub size: Option<u64>,
    pub requested: Option<u64>,
    pub error: Option<&'static str>,
    pub aux: Option<i64>,
}

impl<'p> Done<'p> {
    /// A call that moved nothing.
    pub fn of(function: Known<'p>, file_id: u64) -> Self {
        Self {
            function,
            file_id,
            offset: None,
            size: None,
            requested: None,
            error: None,
            aux: None,
        }
    }
}
