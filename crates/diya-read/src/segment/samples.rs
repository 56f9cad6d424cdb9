//! Samples of the processor: record `DIYA_SAMPLES`.

use super::bytes::Bytes;
/// Samples of one thread, as one record has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Batch {
    pub tid: u32,
    /// Nanoseconds that each stands for; 0: the system does not permit samples.
    pub period_ns: u64,
    /// Taken before these, and lost.
    pub lost: u64,
    /// Monotonic time and address.
    pub samples: Vec<(u64, u64)>,
}

impl Batch {
    pub fn read(b: &mut Bytes<'_>, end: usize) -> Option<Self> {
        let (tid, period_ns, lost) = (b.varint_u32()?, b.varint()?, b.varint()?);
        let mut samples = Vec::new();
        let (mut mono_ns, mut address) = (0u64, 0u64);
        while b.position() < end {
            mono_ns = mono_ns.wrapping_add(b.varint()?);
            address = address.wrapping_add(b.zigzag()?.cast_unsigned());
            samples.push((mono_ns, address));
        }
        Some(Self { tid, period_ns, lost, samples })
    }
}
