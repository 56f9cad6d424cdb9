//! A part of a page, with where it is.

/// A text with the line it starts at, from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Line of its first line.
    pub line: usize,
    /// The text.
    pub text: String,
}
