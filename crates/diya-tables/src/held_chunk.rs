//! A chunk of a growing table: as it is, or packed already.
//!
//! The calls of a large trace take three times as much room before they are packed.
//! Where a reader knows that there are many, each full chunk is packed at once, while
//! it is still in a cache; the next one fills the same memory.

use crate::bits::{Bits, span_bits, span_end};
use crate::packed::Packed;
use crate::{CallChunk, CallRun};
use arrow_array::types::{Float64Type, Int64Type};
use std::borrow::Cow;

/// Numbers of a chunk that is packed, and what was not.
#[derive(Debug)]
pub(crate) struct PackedChunk {
    pub rows: usize,
    pub offset_bytes: Packed,
    pub size_bytes: Packed,
    pub start_s: Packed,
    /// The bits of an end less those of its start.
    pub span: Packed,
    /// Runs, and the numbers that only some calls have.
    pub rest: CallChunk,
}

impl PackedChunk {
    /// Packs a chunk, and leaves behind an empty one with its memory.
    pub fn of(chunk: &mut CallChunk) -> Self {
        let spans = chunk.start_s.iter().zip(&chunk.end_s);
        let packed = Self {
            rows: chunk.len(),
            offset_bytes: Packed::new(chunk.offset_bytes.iter().map(|of| Int64Type::bits(*of))),
            size_bytes: Packed::new(chunk.size_bytes.iter().map(|of| Int64Type::bits(*of))),
            start_s: Packed::new(chunk.start_s.iter().map(|of| Float64Type::bits(*of))),
            span: Packed::new(spans.map(|(start, end)| span_bits(*start, *end))),
            rest: CallChunk::default(),
        };
        chunk.offset_bytes.clear();
        chunk.size_bytes.clear();
        chunk.start_s.clear();
        chunk.end_s.clear();
        let memory = CallChunk {
            offset_bytes: std::mem::take(&mut chunk.offset_bytes),
            size_bytes: std::mem::take(&mut chunk.size_bytes),
            start_s: std::mem::take(&mut chunk.start_s),
            end_s: std::mem::take(&mut chunk.end_s),
            ..CallChunk::default()
        };
        Self { rest: std::mem::replace(chunk, memory), ..packed }
    }

    fn unpacked(&self) -> CallChunk {
        let start_s = self.start_s.numbers(0..self.rows, Float64Type::value);
        let spans = self.span.numbers(0..self.rows, |span| span);
        let end_s = start_s.iter().zip(spans).map(|(start, span)| span_end(*start, span));
        CallChunk {
            offset_bytes: self.offset_bytes.numbers(0..self.rows, Int64Type::value),
            size_bytes: self.size_bytes.numbers(0..self.rows, Int64Type::value),
            end_s: end_s.collect(),
            start_s,
            ..self.rest.clone()
        }
    }
}

/// A chunk of a table under construction.
#[derive(Debug)]
pub(crate) enum HeldChunk {
    Plain(Box<CallChunk>),
    Packed(Box<PackedChunk>),
}

impl HeldChunk {
    /// Calls in the chunk.
    pub fn len(&self) -> usize {
        match self {
            Self::Plain(chunk) => chunk.len(),
            Self::Packed(chunk) => chunk.rows,
        }
    }

    /// The calls with their numbers.
    pub fn chunk(&self) -> Cow<'_, CallChunk> {
        match self {
            Self::Plain(chunk) => Cow::Borrowed(chunk),
            Self::Packed(chunk) => Cow::Owned(chunk.unpacked()),
        }
    }

    /// The calls with their numbers, without what is packed of them.
    pub fn into_chunk(self) -> CallChunk {
        match self {
            Self::Plain(chunk) => *chunk,
            Self::Packed(chunk) => chunk.unpacked(),
        }
    }

    /// What the calls have in common.
    pub fn runs(&self) -> &[CallRun] {
        match self {
            Self::Plain(chunk) => &chunk.runs,
            Self::Packed(chunk) => &chunk.rest.runs,
        }
    }

    pub fn runs_mut(&mut self) -> &mut Vec<CallRun> {
        match self {
            Self::Plain(chunk) => &mut chunk.runs,
            Self::Packed(chunk) => &mut chunk.rest.runs,
        }
    }

    /// Changes the numbers of the calls.
    pub fn change(&mut self, change: impl FnOnce(&mut CallChunk)) {
        match self {
            Self::Plain(chunk) => change(chunk),
            Self::Packed(chunk) => {
                let mut plain = chunk.unpacked();
                change(&mut plain);
                **chunk = PackedChunk::of(&mut plain);
            }
        }
    }
}
