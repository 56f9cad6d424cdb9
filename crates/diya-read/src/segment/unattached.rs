//! Forked children that could not make a segment: they had become another user, or left
//! for another root folder, before their first call. Their parent's header names them.

use super::bytes::Bytes;

/// Where they lie in the header: their number, then `struct diya_unattached` of
/// `diya_trace.h`.
const AT: usize = 7056;
const NAMED: usize = 16;

/// The named ones, and how many others there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unattached {
    /// Process id, and when it failed to make a segment, in ticks.
    pub children: Vec<(u32, u64)>,
    /// Further ones.
    pub others: u64,
}

impl Unattached {
    /// Reads them from a segment; older recorders left zeros there.
    pub(super) fn read(segment: &[u8], is_big_endian: bool, header_bytes: usize) -> Self {
        let bytes = segment.get(..header_bytes.min(segment.len())).unwrap_or_default();
        Self::fields(Bytes::new(bytes, is_big_endian).from(AT)).unwrap_or_default()
    }

    fn fields(mut b: Bytes<'_>) -> Option<Self> {
        let count = b.u64()?;
        let named = usize::try_from(count).unwrap_or(NAMED).min(NAMED);
        let mut children = Vec::new();
        for _ in 0..named {
            let (pid, _uid, ticks) = (b.u32()?, b.u32()?, b.u64()?);
            // 0: its process was killed while it wrote this.
            if pid != 0 {
                children.push((pid, ticks));
            }
        }
        Some(Self { others: count - children.len() as u64, children })
    }
}
