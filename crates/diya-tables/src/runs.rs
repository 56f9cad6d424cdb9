//! Columns that repeat one value over a stretch of rows, spread out for Arrow.

use arrow_array::builder::StringViewBuilder;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, PrimitiveArray};
use arrow_buffer::{Buffer, ScalarBuffer};
use std::sync::Arc;

/// Text of at most this many bytes lies inside its view; longer text in a block.
const INLINE_BYTES: usize = 12;

/// A numeric column from `(rows, value)` stretches.
pub(crate) fn spread<T: ArrowPrimitiveType>(
    rows: usize,
    stretches: impl Iterator<Item = (usize, T::Native)>,
) -> ArrayRef {
    let mut values = Vec::with_capacity(rows);
    for (len, value) in stretches {
        values.resize(values.len() + len, value);
    }
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), None))
}

/// A text column from `(rows, text)` stretches; each text is stored once.
pub(crate) fn spread_text<'a>(
    rows: usize,
    stretches: impl Iterator<Item = (usize, Option<&'a str>)>,
) -> ArrayRef {
    let mut out = StringViewBuilder::with_capacity(rows);
    let mut last: Option<(&str, u32)> = None;
    for (len, text) in stretches {
        match text {
            None => (0..len).for_each(|_| out.append_null()),
            Some(text) if text.len() <= INLINE_BYTES => {
                (0..len).for_each(|_| out.append_value(text));
            }
            Some(text) => {
                let block = match last {
                    Some((known, block)) if known == text => block,
                    _ => out.append_block(Buffer::from(text.as_bytes())),
                };
                last = Some((text, block));
                let size = u32::try_from(text.len()).unwrap_or(u32::MAX);
                for _ in 0..len {
                    out.try_append_view(block, 0, size).expect("the block holds just this text");
                }
            }
        }
    }
    Arc::new(out.finish())
}
