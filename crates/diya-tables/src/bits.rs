//! Numbers of calls as the bits that are packed.

use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int64Type};

/// Numbers as bits and back.
pub(crate) trait Bits: ArrowPrimitiveType {
    fn bits(value: Self::Native) -> u64;
    fn value(bits: u64) -> Self::Native;
}

impl Bits for Int64Type {
    fn bits(value: i64) -> u64 {
        value.cast_unsigned()
    }

    fn value(bits: u64) -> i64 {
        bits.cast_signed()
    }
}

impl Bits for Float64Type {
    fn bits(value: f64) -> u64 {
        value.to_bits()
    }

    fn value(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

/// The bits of an end less those of its start: how long calls took lies closer together
/// than when they ended.
pub(crate) fn span_bits(start_s: f64, end_s: f64) -> u64 {
    end_s.to_bits().wrapping_sub(start_s.to_bits())
}

/// The end again.
pub(crate) fn span_end(start_s: f64, span: u64) -> f64 {
    f64::from_bits(start_s.to_bits().wrapping_add(span))
}
