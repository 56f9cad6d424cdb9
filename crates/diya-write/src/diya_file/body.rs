//! The payload of a block while it is being made.

use diya_model::{push_varint, zigzag};

/// Bytes to be deflated, and bytes that deflate would only slow down.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub coded: Vec<u8>,
    pub plain: Vec<u8>,
}

impl Body {
    pub fn byte(&mut self, byte: u8) {
        self.coded.push(byte);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.coded.extend_from_slice(bytes);
    }

    /// A number of variable length.
    pub fn varint(&mut self, value: u64) {
        push_varint(&mut self.coded, value);
    }

    pub fn signed(&mut self, value: i64) {
        self.varint(zigzag(value));
    }

    /// A count or length.
    pub fn size(&mut self, size: usize) {
        self.varint(size as u64);
    }

    /// Length, then the bytes.
    pub fn text(&mut self, text: &str) {
        self.size(text.len());
        self.bytes(text.as_bytes());
    }

    /// Both lengths, then what `fill` writes: a part that a reader can step
    /// over. `part` is room that is used again.
    pub fn part(&mut self, part: &mut Body, fill: impl FnOnce(&mut Body)) {
        part.coded.clear();
        part.plain.clear();
        fill(part);
        self.size(part.coded.len());
        self.size(part.plain.len());
        self.bytes(&part.coded);
        self.plain.extend_from_slice(&part.plain);
    }
}
