//! Units of the field as types, so that mixing them does not compile.
//!
//! A leaf crate: everything may use it, it uses nothing. The types are thin
//! (one number each); they exist for signatures and for printing.

mod about;
mod format;

pub use about::{about_digits, about_s, about_unit};
pub use format::{bytes_text, calls_text, seconds_text};

/// A number of bytes: a size, never a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub u64);

/// A share or quotient of two like quantities.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Ratio(pub f64);

/// A span of time in seconds.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Seconds(pub f64);

/// An MPI rank; -1 stands for a record of all ranks of the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub i32);

impl Rank {
    /// The rank of records that Darshan reduced over all ranks.
    pub const ALL: Self = Self(-1);
}

/// The quotient, or `None` when the divisor is zero or something is missing:
/// a missing measurement is not a ratio of zero.
///
/// ```
/// use diya_units::{Ratio, ratio};
/// assert_eq!(ratio(Some(1.0), Some(4.0)), Some(Ratio(0.25)));
/// assert_eq!(ratio(Some(1.0), Some(0.0)), None);
/// ```
pub fn ratio(part: Option<f64>, whole: Option<f64>) -> Option<Ratio> {
    match (part, whole) {
        (Some(part), Some(whole)) if whole != 0.0 => Some(Ratio(part / whole)),
        _ => None,
    }
}

impl std::fmt::Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&bytes_text(self.0))
    }
}

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&seconds_text(self.0))
    }
}
