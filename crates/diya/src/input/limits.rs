//! How much of an archive is read, and who takes its logs.

use super::Input;

/// No log is larger than this; a member that claims to be is not read.
pub(super) const MAX_MEMBER_BYTES: u64 = 16 << 30;

/// A small archive can unpack to any size: as of a file that is compressed as a whole, no more
/// than this is read of a compressed member. Its reader says that the rest is missing.
const MAX_UNPACKED_BYTES: u64 = 1 << 30;

/// Members that are in memory at the same time may have so many bytes together, or four times
/// those of the archive if that is more.
const MAX_TOGETHER_BYTES: u64 = 4 << 30;

/// What a member costs beside its bytes and its name.
pub(super) const MEMBER_BYTES: u64 = 256;

/// How many bytes of an archive are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Of a member.
    pub member: u64,
    /// Of members that are in memory at the same time.
    pub together: u64,
}

impl Limits {
    /// Of an archive of this size, whose members unpack to more than it.
    pub fn packed(archive_bytes: u64) -> Self {
        Self { member: MAX_UNPACKED_BYTES, ..Self::plain(archive_bytes) }
    }

    /// Of an archive of this size, whose members are in it as they are.
    pub fn plain(archive_bytes: u64) -> Self {
        let together = MAX_TOGETHER_BYTES.max(archive_bytes.saturating_mul(4));
        Self { member: MAX_MEMBER_BYTES, together }
    }
}

/// Who takes logs; false: no more of them.
pub(super) type Visit<'v> = dyn FnMut(Input) -> bool + 'v;
