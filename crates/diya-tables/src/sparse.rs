//! A number per call that some calls do not have.
//!
//! Costs nothing while no call of a chunk has it, and no bits about who has
//! it while all of them do.

use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, PrimitiveArray, new_null_array};
use arrow_buffer::{ArrowNativeType, BooleanBufferBuilder, NullBuffer, ScalarBuffer};
use std::sync::Arc;

/// Values of the calls of a chunk and which calls have one.
#[derive(Debug, Default)]
pub struct Sparse<T> {
    /// One per call, or empty when no call of the chunk has one; calls at the
    /// end that have none may be left out.
    values: Vec<T>,
    /// One bit per value, from the first missing one on.
    known: Option<BooleanBufferBuilder>,
}

impl<T: Clone> Clone for Sparse<T> {
    fn clone(&self) -> Self {
        let known = self.known.as_ref().map(|known| {
            let mut copy = BooleanBufferBuilder::new(known.len());
            copy.append_packed_range(0..known.len(), known.as_slice());
            copy
        });
        Self { values: self.values.clone(), known }
    }
}

impl<T: Copy + Default> Sparse<T> {
    /// No call has a value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a call.
    pub fn get(&self, call: usize) -> Option<T> {
        let is_known =
            self.known.as_ref().is_none_or(|known| call < known.len() && known.get_bit(call));
        self.values.get(call).copied().filter(|_| is_known)
    }

    /// Makes room for the values of so many calls.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, calls: usize) {
        if self.values.capacity() < calls {
            self.values.reserve_exact(calls - self.values.len());
        }
    }

    /// Gives call number `call` a value; calls before it that have none stay
    /// without. Calls come in order.
    #[inline]
    pub fn set(&mut self, call: usize, value: T) {
        self.pad(call);
        self.values.push(value);
        if let Some(known) = &mut self.known {
            known.append(true);
        }
    }

    /// Gives the next calls a value each.
    #[inline(always)]
    pub fn extend(&mut self, values: impl IntoIterator<Item = T>) {
        self.values.extend(values);
        if let Some(known) = &mut self.known {
            known.append_n(self.values.len() - known.len(), true);
        }
    }

    /// Says that calls before number `calls` without a value have none.
    #[inline]
    pub fn pad(&mut self, calls: usize) {
        if self.values.len() < calls {
            self.pad_missing(calls);
        }
    }

    fn pad_missing(&mut self, calls: usize) {
        let have = self.values.len();
        let known = self.known.get_or_insert_with(|| {
            let mut known = BooleanBufferBuilder::new(calls);
            known.append_n(have, true);
            known
        });
        known.append_n(calls - have, false);
        self.values.resize(calls, T::default());
    }

    /// One value per call as far as any has one; a call that has none shows 0.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Does every call up to the last with a value have one?
    pub fn is_complete(&self) -> bool {
        self.known.is_none()
    }
}

impl<T: ArrowNativeType> Sparse<T> {
    /// As an Arrow column of `calls` rows.
    pub(crate) fn into_array<A: ArrowPrimitiveType<Native = T>>(
        mut self,
        calls: usize,
    ) -> Option<ArrayRef> {
        if self.is_empty() {
            return None;
        }
        self.pad(calls);
        let nulls = self.known.map(|mut known| NullBuffer::new(known.finish()));
        Some(Arc::new(PrimitiveArray::<A>::new(ScalarBuffer::from(self.values), nulls)))
    }
}

/// The column, or one of nulls where no call has a value.
pub(crate) fn or_nulls<A: ArrowPrimitiveType>(column: Option<ArrayRef>, calls: usize) -> ArrayRef {
    column.unwrap_or_else(|| new_null_array(&A::DATA_TYPE, calls))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array;
    use arrow_array::types::Int64Type;

    #[test]
    fn calls_without_a_value_stay_without() {
        let mut sparse = Sparse::default();
        sparse.set(2, 7_i64);
        sparse.set(3, 0);
        let values: Vec<_> = (0..5).map(|call| sparse.get(call)).collect();
        assert_eq!(values, [None, None, Some(7), Some(0), None]);
        let column = sparse.into_array::<Int64Type>(6).expect("there are values");
        assert_eq!((column.len(), column.null_count()), (6, 4));
    }

    #[test]
    fn values_of_all_calls_need_no_bits() {
        let mut sparse = Sparse::default();
        sparse.extend([1_u64, 2, 3]);
        sparse.pad(3);
        assert!(sparse.is_complete());
        assert_eq!(sparse.get(2), Some(3));
    }
}
