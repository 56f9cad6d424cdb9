//! Numbers as printf writes them, into bytes that are already there.
//!
//! A trace has ten million lines with six numbers each; going through `fmt`
//! costs more than reading the log.

/// The two digits of 0 to 99, one pair after the other.
const PAIRS: &[u8; 200] = b"0001020304050607080910111213141516171819\
2021222324252627282930313233343536373839\
4041424344454647484950515253545556575859\
6061626364656667686970717273747576777879\
8081828384858687888990919293949596979899";

/// Digits of the largest `u64`.
const MAX_DIGITS: usize = 20;

/// Numbers below this have at most eight digits.
pub(super) const EIGHT_DIGITS: u64 = 100_000_000;

/// The eight digits of a number below [`EIGHT_DIGITS`], leading zeros as spaces
/// but for the last `keep` digits.
///
/// All digits are computed side by side in one word: halves of four, of two, of
/// one digit. Dividing by 100 and by 10 is multiplying by 10486 / 2^20 and
/// 103 / 2^10, exact for numbers below 10,000 and below 100 (Khuong, "How to
/// print integers really fast", 2017).
#[inline]
pub(super) fn eight_digits(value: u64, keep: u32) -> [u8; 8] {
    let fours = (value / 10_000) | (value % 10_000) << 32;
    let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = tens | (twos - 10 * tens) << 8;
    // The first digit is the lowest byte; a zero byte is a leading zero.
    let zeros = (ones.trailing_zeros() / 8).min(8 - keep);
    let blanks = 0x1010_1010_1010_1010 & ((1_u64 << (8 * zeros)) - 1);
    ((ones | 0x3030_3030_3030_3030) ^ blanks).to_le_bytes()
}

/// Writes the digits of `value` at the end of `field`; gives their start.
///
/// The field must be wide enough; digits that do not fit would be lost.
#[inline]
pub(super) fn fill_right(field: &mut [u8], mut value: u64) -> usize {
    let mut at = field.len();
    while value >= 100 {
        let pair = (value % 100) as usize * 2;
        value /= 100;
        at -= 2;
        field[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if value >= 10 {
        let pair = value as usize * 2;
        at -= 2;
        field[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        at -= 1;
        field[at] = b'0' + value as u8;
    }
    at
}

/// Appends `value`, as `%lu`.
pub(super) fn push_u64(out: &mut Vec<u8>, value: u64) {
    let mut digits = [0; MAX_DIGITS];
    let start = fill_right(&mut digits, value);
    out.extend_from_slice(&digits[start..]);
}

/// Appends `value`, as `%ld`.
pub(super) fn push_i64(out: &mut Vec<u8>, value: i64) {
    if value < 0 {
        out.push(b'-');
    }
    push_u64(out, value.unsigned_abs());
}

/// Scaled values up to this have an error below [`TIE`], so that everything
/// further from a tie than that rounds the right way.
const MAX_SCALED: f64 = 1e11;
const TIE: f64 = 1e-4;

/// `value` times 10 to the `DIGITS`, rounded as printf rounds the exact value.
///
/// `None`: not certain by plain arithmetic (negative, very large, or close to
/// the middle between two results, where the product's own rounding counts).
#[inline]
pub(super) fn scaled<const DIGITS: u32>(value: f64) -> Option<u64> {
    let product = value * 10_u64.pow(DIGITS) as f64;
    if !(value.is_sign_positive() && product < MAX_SCALED) {
        return None;
    }
    let whole = product as u64;
    let rest = product - whole as f64;
    ((rest - 0.5).abs() > TIE).then_some(whole + u64::from(rest > 0.5))
}

/// Appends `value`, as `%.<DIGITS>f`.
pub(super) fn push_fixed<const DIGITS: u32>(out: &mut Vec<u8>, value: f64) {
    let power = 10_u64.pow(DIGITS);
    let Some(scaled) = scaled::<DIGITS>(value) else {
        out.extend_from_slice(exact(value, DIGITS).as_bytes());
        return;
    };
    push_u64(out, scaled / power);
    let point = out.len();
    out.resize(point + 1 + DIGITS as usize, b'0');
    out[point] = b'.';
    fill_right(&mut out[point + 1..], scaled % power);
}

/// The slow way, exact for every value; only the name of NaN differs.
pub(super) fn exact(value: f64, digits: u32) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() { "-nan" } else { "nan" }.to_string();
    }
    format!("{value:.*}", digits as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed<const DIGITS: u32>(value: f64) -> String {
        let mut out = Vec::new();
        push_fixed::<DIGITS>(&mut out, value);
        String::from_utf8(out).expect("digits")
    }

    #[test]
    fn integers_have_no_padding() {
        for value in [0, 9, 10, 99, 100, 12_345, i64::MAX, -1, -1_000, i64::MIN] {
            let mut out = Vec::new();
            push_i64(&mut out, value);
            assert_eq!(String::from_utf8(out).expect("digits"), value.to_string());
        }
        let mut out = Vec::new();
        push_u64(&mut out, u64::MAX);
        assert_eq!(out, b"18446744073709551615");
    }

    #[test]
    fn digits_stand_at_the_right_end_of_the_field() {
        let mut field = *b"          ";
        assert_eq!(fill_right(&mut field, 8_388_608), 3);
        assert_eq!(&field, b"   8388608");
    }

    #[test]
    fn eight_digits_at_once_are_the_same_digits() {
        for value in [0, 7, 10, 99, 100, 9_999, 10_000, 123_456, 99_999_999] {
            assert_eq!(eight_digits(value, 1), format!("{value:>8}").as_bytes());
        }
        assert_eq!(&eight_digits(42, 5), b"   00042");
        for value in (0..EIGHT_DIGITS).step_by(9_973) {
            assert_eq!(eight_digits(value, 8), format!("{value:08}").as_bytes());
        }
    }

    /// What glibc 2.36 prints.
    #[test]
    fn a_tie_goes_to_the_even_digit() {
        assert_eq!(fixed::<4>(0.03125), "0.0312");
        assert_eq!(fixed::<4>(0.09375), "0.0938");
        assert_eq!(fixed::<4>(0.15625), "0.1562");
        assert_eq!(fixed::<4>(1.03125), "1.0312");
        assert_eq!(fixed::<6>(7.0 / 128.0), "0.054688");
        assert_eq!(fixed::<6>(9.0 / 128.0), "0.070312");
    }

    #[test]
    fn ordinary_times_have_all_their_zeros() {
        assert_eq!(fixed::<4>(0.0), "0.0000");
        assert_eq!(fixed::<4>(9.071_94), "9.0719");
        assert_eq!(fixed::<6>(3.367_671_234), "3.367671");
        assert_eq!(fixed::<4>(0.999_96), "1.0000");
        assert_eq!(fixed::<6>(1e-7), "0.000000");
        assert_eq!(fixed::<6>(1_795_173_741.5), "1795173741.500000");
    }

    #[test]
    fn what_is_no_ordinary_time_is_printed_as_printf_does() {
        assert_eq!(fixed::<6>(-1.0), "-1.000000");
        assert_eq!(fixed::<4>(-0.0), "-0.0000");
        assert_eq!(fixed::<6>(f64::INFINITY), "inf");
        assert_eq!(fixed::<6>(f64::NAN), "nan");
        assert_eq!(fixed::<6>(-f64::NAN), "-nan");
        assert_eq!(fixed::<6>(1e22), "10000000000000000000000.000000");
    }

    /// Many values close to where rounding changes, compared with the exact way.
    #[test]
    fn the_fast_way_never_differs_from_the_exact_one() {
        let mut state = 0x9e37_79b9_7f4a_7c13_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let middle = (state >> 24) as f64 / 1e4 * 0.1;
            for value in [middle, middle.next_up(), middle.next_down(), middle + 5e-5] {
                assert_eq!(fixed::<4>(value), exact(value, 4), "{value:e}");
                assert_eq!(fixed::<6>(value), exact(value, 6), "{value:e}");
            }
        }
    }
}
