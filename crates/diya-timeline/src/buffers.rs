//! Buffers that a page writes to and reads from, when all of this is a wasm module.

use crate::Answer;
use std::collections::BTreeMap;

/// Buffers by address. One belongs to the module until it is freed, so no
/// pointer is ever followed.
#[derive(Debug, Default)]
pub struct Buffers(BTreeMap<usize, Vec<u8>>);

impl Buffers {
    /// Room for so many bytes; address of the first.
    pub fn room(&mut self, bytes: usize) -> usize {
        // One byte at least: an empty buffer has no address of its own.
        self.keep(vec![0; bytes.max(1)])
    }

    /// Gives room back.
    pub fn free(&mut self, at: usize) {
        self.0.remove(&at);
    }

    /// The first bytes of a buffer, which is given up.
    pub fn take(&mut self, at: usize, bytes: usize) -> Vec<u8> {
        let mut buffer = self.0.remove(&at).unwrap_or_default();
        buffer.truncate(bytes);
        buffer
    }

    /// Address of the answer, behind its length and four bytes that keep what
    /// follows at a multiple of 8.
    pub fn lend(&mut self, answer: &Answer) -> usize {
        let mut buffer = Vec::with_capacity(answer.len() + 8);
        buffer.extend_from_slice(&u32::try_from(answer.len()).unwrap_or(0).to_le_bytes());
        buffer.extend_from_slice(&[0; 4]);
        answer.parts().iter().for_each(|part| buffer.extend_from_slice(part));
        self.keep(buffer)
    }

    fn keep(&mut self, buffer: Vec<u8>) -> usize {
        let at = buffer.as_ptr() as usize;
        self.0.insert(at, buffer);
        at
    }
}
