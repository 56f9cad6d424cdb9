//! Fewer digits: numbers that compress, and sums that are equal in any order.

/// To 24 bits, seven digits.
pub fn to_24_bits(value: f64) -> f64 {
    let short = value as f32;
    if short.is_finite() { f64::from(short) } else { value }
}

/// To 16 bits, five digits.
pub fn to_16_bits(value: f64) -> f64 {
    let short = value as f32;
    if !short.is_finite() {
        return value;
    }
    // Half of the last bit that stays, then the seven bits after it are cut off.
    let bits = short.to_bits().wrapping_add(0x40) & !0x7f;
    let rounded = f32::from_bits(bits);
    if rounded.is_finite() { f64::from(rounded) } else { f64::from(short) }
}

/// A number of bytes to three digits.
pub fn to_three_digits(bytes: f64) -> i64 {
    if bytes < 1000.0 {
        return bytes.round() as i64;
    }
    let unit = 10f64.powf(bytes.log10().floor() - 2.0);
    ((bytes / unit).round() * unit) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_keeps_its_first_digits() {
        assert_eq!(to_24_bits(1.0), 1.0);
        assert!((to_24_bits(123.456_789_012) / 123.456_789_012 - 1.0).abs() < 1e-7);
        assert!((to_16_bits(123.456_789_012) / 123.456_789_012 - 1.0).abs() < 1e-5);
    }

    #[test]
    fn sums_in_another_order_are_equal() {
        let (a, b) = (0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1);
        assert_ne!(a, b);
        assert_eq!(to_24_bits(a), to_24_bits(b));
    }

    #[test]
    fn bytes_are_rounded_to_three_digits() {
        assert_eq!(
            [0.0, 999.4, 1234.0, 9_876_543.0].map(to_three_digits),
            [0, 999, 1230, 9_880_000]
        );
    }
}
