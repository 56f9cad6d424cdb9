//! Numbers of few bytes, one after another.

use diya_model::{push_varint, unzigzag, varint, zigzag};

pub use diya_model::push_varint as put;

/// Appends a number that may be negative.
pub fn put_signed(out: &mut Vec<u8>, value: i64) {
    push_varint(out, zigzag(value));
}

/// Reads numbers one by one; after the end, and at one of more than 64 bits, it gives `None`.
pub struct Numbers<'a>(pub &'a [u8]);

impl Numbers<'_> {
    /// The next number.
    #[inline]
    pub fn next(&mut self) -> Option<u64> {
        let (value, rest) = varint(self.0).ok()?;
        self.0 = rest;
        Some(value)
    }

    /// The next number that may be negative.
    #[inline]
    pub fn next_signed(&mut self) -> Option<i64> {
        self.next().map(unzigzag)
    }

    /// The next number, when it fits.
    pub fn next_as<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.next()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let values = [0, 1, -1, 63, -64, 64, 1 << 40, i64::MAX, i64::MIN];
        let mut bytes = Vec::new();
        values.iter().for_each(|value| put_signed(&mut bytes, *value));
        let mut numbers = Numbers(&bytes);
        assert_eq!(values.map(Some), values.map(|_| numbers.next_signed()));
        assert_eq!(numbers.next(), None);
    }

    #[test]
    fn a_number_without_end_is_none() {
        assert_eq!(Numbers(&[0x80; 30]).next(), None);
    }

    #[test]
    fn a_number_of_more_than_64_bits_is_none() {
        let mut bytes = [0xff; 10];
        bytes[9] = 0x02;
        assert_eq!(Numbers(&bytes).next(), None);
    }
}
