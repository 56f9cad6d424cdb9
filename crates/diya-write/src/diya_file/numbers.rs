//! Lists of whole numbers, of real numbers, of texts.
//!
//! Numbers become differences to what is expected, and these are stored byte
//! plane by byte plane: the noise then sits in few planes, and the others
//! deflate to nothing. docs/formats/diya.md has the layout.

use super::body::Body;
use diya_model::zigzag;
use std::collections::HashMap;

/// Differences that are looked at to choose an encoding: windows of so many
/// neighbours, spread over the list.
const WINDOW: usize = 128;
const WINDOWS: usize = 8;

/// At most one in so many numbers may be stored apart from the planes: an
/// exception costs about three bytes, a plane of zeros hardly anything, but
/// each plane costs time.
const EXCEPTION_SHARE: usize = 64;

/// Appends a list; the reader knows how many there are.
pub(super) fn put_numbers(out: &mut Body, values: &[i64]) {
    let Some((&first, rest)) = values.split_first() else { return };
    if rest.iter().all(|value| *value == first) {
        out.byte(0);
        out.signed(first);
        out.bytes(&[0, 0]);
        return;
    }
    let order = best_order(values);
    let mut steps = differences(values, order);
    let center = center_of(&mut sample(&steps));
    for step in &mut steps {
        *step = zigzag(step.wrapping_sub(center)).cast_signed();
    }
    out.byte(order);
    out.signed(center);
    put_planes(out, &steps);
}

/// The numbers themselves, differences, or differences of differences.
fn best_order(values: &[i64]) -> u8 {
    let mut costs = [0_u64; 3];
    let windows = windows(values.len());
    for (order, cost) in (0..).zip(&mut costs) {
        let mut seen = Vec::with_capacity(WINDOW * WINDOWS);
        for window in windows.clone() {
            // The first differences of a window look at what lies before it.
            let steps = differences(&values[window], order);
            seen.extend(steps.into_iter().skip(usize::from(order)));
        }
        *cost = cost_of(&mut seen);
    }
    let best = (0..3_u8).min_by_key(|order| costs[usize::from(*order)]);
    best.unwrap_or(0)
}

fn windows(len: usize) -> impl Iterator<Item = std::ops::Range<usize>> + Clone {
    let count = if len <= WINDOW * WINDOWS { 1 } else { WINDOWS };
    let each = if count == 1 { len } else { WINDOW };
    (0..count).map(move |i| {
        let from = (len - each) / count * i;
        from..from + each
    })
}

fn sample(values: &[i64]) -> Vec<i64> {
    windows(values.len()).flat_map(|window| values[window].iter().copied()).collect()
}

/// Bits that the numbers need when stored as distances from their middle value.
fn cost_of(values: &mut [i64]) -> u64 {
    let center = center_of(values);
    let bits = |v: &i64| u64::from(64 - zigzag(v.wrapping_sub(center)).leading_zeros());
    values.iter().map(bits).sum()
}

/// Estimate of what [`put_numbers`] makes of a list, to compare lists.
pub(super) fn estimate(values: &[i64]) -> u64 {
    cost_of(&mut sample(values))
}

/// The centre: a value near the median, so that differences to it are small.
fn center_of(values: &mut [i64]) -> i64 {
    let middle = values.len() / 2;
    if values.is_empty() { 0 } else { *values.select_nth_unstable(middle).1 }
}

fn differences(values: &[i64], order: u8) -> Vec<i64> {
    let mut steps = values.to_vec();
    for _ in 0..order {
        let mut last = 0;
        for step in &mut steps {
            let value = *step;
            *step = value.wrapping_sub(last);
            last = value;
        }
    }
    steps
}

fn put_planes(out: &mut Body, steps: &[i64]) {
    let mut by_bytes = [0_usize; 9];
    for step in steps {
        let bits = 64 - step.cast_unsigned().leading_zeros() as usize;
        by_bytes[bits.div_ceil(8)] += 1;
    }
    let most = steps.len() / EXCEPTION_SHARE;
    let above = |width: usize| by_bytes[width + 1..].iter().sum::<usize>();
    let width = (0..8).find(|width| above(*width) <= most).unwrap_or(8);
    out.byte(width as u8);
    out.size(above(width));
    let mut plane = Vec::with_capacity(steps.len());
    for number in 0..width {
        plane.clear();
        plane.extend(steps.iter().map(|step| (step >> (8 * number)) as u8));
        let is_plain = is_noise(&plane);
        out.byte(u8::from(is_plain));
        if is_plain { &mut out.plain } else { &mut out.coded }.extend_from_slice(&plane);
    }
    if width == 8 || above(width) == 0 {
        return;
    }
    let is_apart = |step: &i64| step.cast_unsigned() >> (8 * width) != 0;
    let mut last = 0;
    for (place, step) in steps.iter().enumerate().filter(|(_, step)| is_apart(step)) {
        out.size(place - last);
        out.varint(step.cast_unsigned() >> (8 * width));
        last = place;
    }
}

/// Entropy, in bits, from which on a byte is not worth a code of its own.
const NOISE_BITS: f64 = 7.6;
/// Fewer bytes cost no time and say little about themselves.
const MIN_NOISE_BYTES: usize = 4096;

/// Would deflate make nothing of these bytes? They are nearly equally frequent,
/// and hardly any four of them come again.
fn is_noise(bytes: &[u8]) -> bool {
    if bytes.len() < MIN_NOISE_BYTES {
        return false;
    }
    let mut counts = [0_u32; 256];
    bytes.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let all = bytes.len() as f64;
    let share = |count: u32| f64::from(count) / all;
    let bits = |count: &u32| if *count == 0 { 0.0 } else { -share(*count) * share(*count).log2() };
    if counts.iter().map(bits).sum::<f64>() < NOISE_BITS {
        return false;
    }
    let mut seen = vec![0_u32; 1 << 14];
    let is_again = |four: &[u8]| {
        let four = four.iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
        let place = (four.wrapping_mul(0x9e37_79b1) >> 18) as usize;
        std::mem::replace(&mut seen[place], four) == four
    };
    bytes.windows(4).map(is_again).filter(|again| *again).count() < bytes.len() / 16
}

/// What real numbers are multiplied with to become whole ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// Nothing fits: their bits.
    Bits,
    /// 10^9: seconds recorded in whole nanoseconds.
    Nano,
    /// 2^k: the difference of two clock readings, which keeps the last bit of
    /// the larger one.
    Binary(u8),
}

impl Scale {
    /// The scale that keeps every bit of all the numbers.
    pub fn of<'a>(values: impl Iterator<Item = &'a f64> + Clone) -> Self {
        if values.clone().all(|v| nano(*v).is_some()) {
            return Self::Nano;
        }
        let mut most = 0;
        for value in values.clone() {
            match binary_places(*value) {
                Some(places) => most = most.max(places),
                None => return Self::Bits,
            }
        }
        // Below 2^62, so that differences of two numbers fit as well.
        let limit = 2_f64.powi(62 - i32::from(most));
        if values.into_iter().all(|v| v.abs() < limit) { Self::Binary(most) } else { Self::Bits }
    }

    pub fn put(self, out: &mut Body) {
        match self {
            Self::Bits => out.byte(0),
            Self::Nano => out.byte(1),
            Self::Binary(places) => out.bytes(&[2, places]),
        }
    }

    /// The whole number that stands for a number of this scale.
    pub fn whole(self, value: f64) -> i64 {
        match self {
            Self::Bits => value.to_bits().cast_signed(),
            Self::Nano => nearest(value * 1e9) as i64,
            Self::Binary(places) => (value * 2_f64.powi(i32::from(places))) as i64,
        }
    }
}

/// The nearest whole number. `round` is a call into the C library; adding and taking
/// off 1.5 * 2^52 leaves no room for what is behind the point. Of two that are as
/// near the even one is taken, which no caller can tell: both are then not exact.
fn nearest(value: f64) -> f64 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    if value.abs() < 2e15 { (value + SHIFT) - SHIFT } else { value.round() }
}

/// Whole nanoseconds, when the number is exactly their quotient with 10^9.
fn nano(value: f64) -> Option<i64> {
    let whole = nearest(value * 1e9);
    let is_exact = whole.abs() < 9e15 && (whole / 1e9).to_bits() == value.to_bits();
    // A negative zero would come back as a positive one.
    (is_exact && (whole != 0.0 || value.is_sign_positive())).then_some(whole as i64)
}

/// Binary places behind the point.
fn binary_places(value: f64) -> Option<u8> {
    if value == 0.0 {
        return value.is_sign_positive().then_some(0);
    }
    let bits = value.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7ff).ok()? - 1023;
    if !(-60..1024).contains(&exponent) {
        return None;
    }
    let zeros = i32::try_from((bits & ((1 << 52) - 1)).trailing_zeros().min(52)).ok()?;
    let places = (52 - zeros - exponent).max(0);
    u8::try_from(places).ok().filter(|places| *places <= 60)
}

/// Appends a list of real numbers; nothing of them is lost.
pub(super) fn put_reals(out: &mut Body, values: &[f64]) {
    let scale = Scale::of(values.iter());
    scale.put(out);
    put_numbers(out, &values.iter().map(|v| scale.whole(*v)).collect::<Vec<i64>>());
}

/// Appends a list of texts, each different one once where they repeat.
pub(super) fn put_texts(out: &mut Body, texts: &[&str]) {
    let mut places: HashMap<&str, i64> = HashMap::new();
    let mut distinct = Vec::new();
    let places: Vec<i64> = texts
        .iter()
        .map(|text| {
            *places.entry(text).or_insert_with(|| {
                distinct.push(*text);
                distinct.len() as i64 - 1
            })
        })
        .collect();
    if distinct.len() * 2 > texts.len() {
        out.byte(0);
        put_plain(out, texts);
        return;
    }
    out.byte(1);
    out.size(distinct.len());
    put_plain(out, &distinct);
    put_numbers(out, &places);
}

fn put_plain(out: &mut Body, texts: &[&str]) {
    put_numbers(out, &texts.iter().map(|text| text.len() as i64).collect::<Vec<i64>>());
    texts.iter().for_each(|text| out.bytes(text.as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(values: &[i64]) -> Vec<u8> {
        let mut out = Body::default();
        put_numbers(&mut out, values);
        assert!(out.plain.is_empty());
        out.coded
    }

    #[test]
    fn the_example_of_the_format_page() {
        let bytes = [1, 0x80, 1, 1, 0, 0, 0x7f, 0, 0, 0, 0x80];
        assert_eq!(coded(&[0, 64, 128, 192, 320]), bytes);
    }

    #[test]
    fn equal_numbers_take_four_bytes() {
        assert_eq!(coded(&[7; 1000]), [0, 14, 0, 0]);
        assert_eq!(coded(&[]), [0u8; 0]);
    }

    #[test]
    fn a_few_large_numbers_stand_apart() {
        let mut values = vec![5; 1000];
        values[500] = 5 + (1 << 40);
        // Order, center, width 0, one exception at 500.
        assert_eq!(coded(&values)[..6], [0, 10, 0, 1, 0xf4, 3]);
    }

    #[test]
    fn bytes_that_repeat_are_no_noise() {
        let noise: Vec<u8> =
            (0..65_536_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        let random: Vec<u8> = (0..65_536_u64)
            .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(i | 1) >> 40) as u8)
            .collect();
        assert!(is_noise(&random) && !is_noise(&noise[..4096].repeat(16)));
        assert!(!is_noise(&vec![1; 65_536]) && !is_noise(&random[..100]));
    }

    #[test]
    fn a_scale_is_used_only_where_nothing_is_lost() {
        let scale = |values: &[f64]| Scale::of(values.iter());
        assert_eq!(scale(&[0.0, 1e-9, 12.345]), Scale::Nano);
        assert_eq!(scale(&[0.5_f64.powi(20), 3.25]), Scale::Binary(20));
        assert_eq!(scale(&[0.1, -0.0]), Scale::Bits);
        assert_eq!(scale(&[f64::NAN]), Scale::Bits);
        assert_eq!(scale(&[1e300]), Scale::Bits);
    }
}
