//! Columns that repeat one value over a run of rows, spread out for Arrow.

use arrow_array::builder::StringViewBuilder;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray, new_null_array};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer, ScalarBuffer};
use arrow_schema::DataType;
use std::sync::Arc;

/// A numeric column from `(rows, value)` runs.
pub(crate) fn spread<T: ArrowPrimitiveType>(
    rows: usize,
    runs: impl Iterator<Item = (usize, T::Native)>,
) -> ArrayRef {
    let mut values = Vec::with_capacity(rows);
    for (len, value) in runs {
        values.resize(values.len() + len, value);
    }
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), None))
}

/// A numeric column from `(rows, value)` runs, some without a value.
pub(crate) fn spread_optional<T: ArrowPrimitiveType>(
    rows: usize,
    runs: impl Iterator<Item = (usize, Option<T::Native>)> + Clone,
) -> ArrayRef {
    let Some(nulls) = known_in(rows, runs.clone().map(|(len, value)| (len, value.is_some())))
    else {
        return new_null_array(&T::DATA_TYPE, rows);
    };
    let mut values = Vec::with_capacity(rows);
    for (len, value) in runs {
        values.resize(values.len() + len, value.unwrap_or_default());
    }
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), Some(nulls)))
}

/// A column of flags from `(rows, flag)` runs, some without one.
pub(crate) fn spread_flags(
    rows: usize,
    runs: impl Iterator<Item = (usize, Option<bool>)> + Clone,
) -> ArrayRef {
    let Some(nulls) = known_in(rows, runs.clone().map(|(len, flag)| (len, flag.is_some()))) else {
        return new_null_array(&DataType::Boolean, rows);
    };
    let mut flags = BooleanBufferBuilder::new(rows);
    runs.for_each(|(len, flag)| flags.append_n(len, flag.unwrap_or(false)));
    Arc::new(BooleanArray::new(flags.finish(), Some(nulls)))
}

/// Which rows have a value; `None`: not one of them.
fn known_in(rows: usize, runs: impl Iterator<Item = (usize, bool)>) -> Option<NullBuffer> {
    let mut known = BooleanBufferBuilder::new(rows);
    let mut has_any = false;
    for (len, is_known) in runs {
        known.append_n(len, is_known);
        has_any |= is_known;
    }
    has_any.then(|| NullBuffer::new(known.finish()))
}

/// A text column from `(rows, text)` runs; each text is stored once.
pub(crate) fn spread_text<'a>(
    rows: usize,
    runs: impl Iterator<Item = (usize, Option<&'a str>)>,
) -> ArrayRef {
    let mut out = StringViewBuilder::with_capacity(rows).with_deduplicate_strings();
    for (len, text) in runs {
        match text {
            None => (0..len).for_each(|_| out.append_null()),
            Some(text) => out.try_append_value_n(text, len).expect("names are below 4 GiB"),
        }
    }
    Arc::new(out.finish())
}
