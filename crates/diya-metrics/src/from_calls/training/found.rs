//! A step as it was recognised.

use crate::from_calls::lane::Span;

/// Fewer are no training.
pub(super) const LEAST_STEPS: usize = 10;

/// A step of about the middle length is at most so many times longer or shorter.
pub(super) const ABOUT: f64 = 4.0;

/// One step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    pub span: Span,
    /// As the program counts.
    pub number: Option<i64>,
}
