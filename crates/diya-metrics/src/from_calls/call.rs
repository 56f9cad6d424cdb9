//! One row of table `call`.

/// The numbers of one row of table `call`. Times in seconds since the start of
/// the job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call {
    pub start_s: f64,
    pub end_s: f64,
    /// Time inside the calls of this row.
    pub busy_s: f64,
    /// First byte; -1 when the call has no place in the file.
    pub(super) offset: i64,
    /// Bytes moved; 0 when the call moves none.
    pub size_bytes: i64,
    /// It moved no byte, though it could have; false also when that is not known.
    pub is_empty: bool,
    /// It failed, such as the search for a file that is not there.
    pub is_failed: bool,
    /// Calls of this row.
    pub calls: i64,
    /// Position in [`Calls::streams`].
    pub stream: u32,
    /// Number of the thread in this analysis; `NO_THREAD` when not recorded.
    pub thread: u32,
    /// Id of the call inside which this one was made; 0: none, or not recorded.
    pub parent: u64,
}

/// The thread was not recorded.
pub(super) const NO_THREAD: u32 = u32::MAX;

impl Call {
    /// First byte, when the call has a place in the file.
    pub fn offset(&self) -> Option<i64> {
        (self.offset >= 0).then_some(self.offset)
    }

    /// First byte and the one after the last, when bytes were moved there.
    pub fn extent(&self) -> Option<(i64, i64)> {
        let from = self.offset().filter(|_| self.size_bytes > 0)?;
        Some((from, from.saturating_add(self.size_bytes)))
    }
}
