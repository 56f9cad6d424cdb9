//! Memory that requests move: bytes that do not compress, at addresses that direct requests take.

/// Offsets, sizes and addresses of direct requests are multiples of this.
const BLOCK: usize = 4096;

/// The largest part of a request that is moved at once.
pub(crate) const MAX_BYTES: usize = 256 << 20;

/// Aligned memory.
pub(crate) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
}

impl Buffer {
    /// Zeros, for reading.
    pub fn new(size: usize) -> Self {
        let bytes = vec![0; size.min(MAX_BYTES) + BLOCK];
        let start = bytes.as_ptr().align_offset(BLOCK).min(BLOCK);
        Self { bytes, start }
    }

    /// Pseudo-random bytes, for writing: file systems that compress cannot shorten them.
    pub fn random(size: usize) -> Self {
        let mut buffer = Self::new(size);
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for bytes in buffer.bytes.chunks_mut(8) {
            // Marsaglia's xorshift.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bytes.copy_from_slice(state.to_le_bytes().get(..bytes.len()).unwrap_or(&[]));
        }
        buffer
    }

    /// So many bytes, or all.
    pub fn first(&self, size: usize) -> &[u8] {
        let end = (self.start + size).min(self.bytes.len());
        self.bytes.get(self.start..end).unwrap_or(&[])
    }

    /// The same, to be filled.
    pub fn first_mut(&mut self, size: usize) -> &mut [u8] {
        let end = (self.start + size).min(self.bytes.len());
        self.bytes.get_mut(self.start..end).unwrap_or(&mut [])
    }
}
