//! Numbers of variable length (LEB128): seven bits a byte, lowest first. Segments
//! and `.diya` files consist of them.

/// Why bytes are no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadVarint {
    /// The bytes end inside the number.
    CutOff,
    /// The number is longer than 64 bits.
    TooLong,
}

/// The number at the start of `bytes`, and the bytes after it.
///
/// ```
/// use diya_model::{BadVarint, varint};
/// assert_eq!(varint(&[0xac, 0x02, 0x07]), Ok((300, &[0x07][..])));
/// assert_eq!(varint(&[0xac]), Err(BadVarint::CutOff));
/// ```
#[inline]
pub fn varint(bytes: &[u8]) -> Result<(u64, &[u8]), BadVarint> {
    match bytes.split_first() {
        // Most numbers are small.
        Some((first, rest)) if *first < 0x80 => Ok((u64::from(*first), rest)),
        _ => long_varint(bytes),
    }
}

fn long_varint(bytes: &[u8]) -> Result<(u64, &[u8]), BadVarint> {
    let (mut value, mut left) = (0_u64, bytes);
    for shift in (0..64).step_by(7) {
        let (byte, rest) = left.split_first().ok_or(BadVarint::CutOff)?;
        value |= u64::from(byte & 0x7f) << shift;
        left = rest;
        if *byte < 0x80 {
            // The tenth byte holds the last bit alone.
            let fits = shift < 63 || *byte <= 1;
            return if fits { Ok((value, left)) } else { Err(BadVarint::TooLong) };
        }
    }
    Err(BadVarint::TooLong)
}

/// Appends a number.
#[inline]
pub fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Moves the sign into the lowest bit, so that small negative numbers stay short.
#[inline]
pub const fn zigzag(value: i64) -> u64 {
    (value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned()
}

/// Undoes [`zigzag`].
#[inline]
pub const fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length_lead_back() {
        for value in (0..64).flat_map(|bit| [1_u64 << bit, (1 << bit) - 1]).chain([u64::MAX]) {
            let mut bytes = Vec::new();
            push_varint(&mut bytes, value);
            assert_eq!(varint(&bytes), Ok((value, &[][..])));
            for cut in 0..bytes.len() {
                assert_eq!(varint(&bytes[..cut]), Err(BadVarint::CutOff), "{value}");
            }
        }
    }

    #[test]
    fn more_than_64_bits_are_no_number() {
        let mut tenth_byte = [0xff; 10];
        tenth_byte[9] = 0x01;
        assert_eq!(varint(&tenth_byte), Ok((u64::MAX, &[][..])));
        tenth_byte[9] = 0x02;
        assert_eq!(varint(&tenth_byte), Err(BadVarint::TooLong));
        assert_eq!(varint(&[0x80; 11]), Err(BadVarint::TooLong));
    }

    #[test]
    fn signs_lead_back() {
        for value in [0, -1, 1, -2, i64::MIN, i64::MAX] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }
}
