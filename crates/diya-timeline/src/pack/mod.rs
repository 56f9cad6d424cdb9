//! The pack: what a page holds of the calls, in sections of deflated columns.
//! Byte by byte: docs/formats/pack.md.

mod decode;
mod encode;
mod head;
mod levels;
mod numbers;
mod trees;

pub use decode::unpack;
pub use encode::{PackOptions, pack};

/// First bytes, with the version.
const MAGIC: &[u8; 8] = b"DIYAPAK1";

/// Why a pack cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackError {
    /// It does not begin as a pack of this version does.
    NotAPack,
    /// It ends too early, or a section does not inflate.
    Damaged(String),
}

impl std::fmt::Display for PackError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotAPack => write!(f, "these bytes are no pack of calls of this version of diya"),
            Self::Damaged(section) => {
                write!(f, "the calls in this page are damaged: section {section}")
            }
        }
    }
}

impl std::error::Error for PackError {}
