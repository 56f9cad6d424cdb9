//! Numbers of few bytes: seven bits each, the lowest first; signed ones with the
//! sign in the lowest bit.

/// Appends a number.
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a number that may be negative.
pub fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, ((value << 1) ^ (value >> 63)) as u64);
}

/// Reads numbers one by one; after the end it gives `None`.
pub struct Numbers<'a>(pub &'a [u8]);

impl Numbers<'_> {
    /// The next number.
    #[inline]
    pub fn next(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if *byte < 0x80 {
                return Some(value);
            }
            shift += 7;
        }
    }

    /// The next number that may be negative.
    #[inline]
    pub fn next_signed(&mut self) -> Option<i64> {
        let value = self.next()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
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
}
