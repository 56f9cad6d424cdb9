//! A column of numbers in as few bytes as they need, exactly.
//!
//! Offsets follow the end of the request before, times come after each other, sizes
//! are alike: a hundred million calls of four numbers take 1 GB instead of 3.2.
//! Blocks of [`BLOCK`] numbers are kept as differences to the least one, in whole
//! bytes; of the numbers themselves, or of the steps between them, whichever is
//! smaller. Reading a number costs about a nanosecond.

use std::ops::Range;

/// Numbers per block: few enough that one which is out of line (the first call of
/// another rank) widens few others.
const BLOCK: usize = 512;

/// Bytes behind the last number, so that each can be read as eight.
const TAIL: [u8; 8] = [0; 8];

/// One block.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// The number, or step, that the others are counted from.
    least: u64,
    /// The first number, where steps are kept.
    first: u64,
    /// Where its bytes begin.
    at: u32,
    /// Bytes per number; 0: all are the least one.
    width: u8,
    has_steps: bool,
}

/// The column.
#[derive(Debug)]
pub(crate) struct Packed {
    blocks: Vec<Block>,
    bytes: Vec<u8>,
    len: usize,
}

impl Packed {
    /// Packs numbers; those of a sign or a fraction go by their bits.
    pub fn new(mut numbers: impl ExactSizeIterator<Item = u64>) -> Self {
        let len = numbers.len();
        let (mut blocks, mut bytes) = (Vec::with_capacity(len.div_ceil(BLOCK)), Vec::new());
        let mut block = [0; BLOCK];
        for first in (0..len).step_by(BLOCK) {
            let count = BLOCK.min(len - first);
            let places = block.iter_mut().take(count);
            places.zip(numbers.by_ref()).for_each(|(place, number)| *place = number);
            blocks.push(put(block.get(..count).unwrap_or_default(), &mut bytes));
        }
        bytes.extend_from_slice(&TAIL);
        // It stays for as long as the table does.
        bytes.shrink_to_fit();
        Self { blocks, bytes, len }
    }

    /// The numbers of these rows; rows beyond the last one have none.
    pub fn numbers<T>(&self, rows: Range<usize>, number: impl Fn(u64) -> T) -> Vec<T> {
        let rows = rows.start..rows.end.min(self.len);
        let mut numbers = Vec::with_capacity(rows.len());
        let mut at = rows.start;
        while at < rows.end {
            let (block, from) = (at / BLOCK, at % BLOCK);
            let to = BLOCK.min(rows.end - block * BLOCK);
            self.append(block, from..to, &number, &mut numbers);
            at = block * BLOCK + to;
        }
        numbers
    }

    /// Appends some numbers of a block.
    #[inline(always)]
    fn append<T>(
        &self,
        block: usize,
        places: Range<usize>,
        number: &impl Fn(u64) -> T,
        numbers: &mut Vec<T>,
    ) {
        let Some(block) = self.blocks.get(block) else { return };
        let bytes = self.bytes.get(block.at as usize..).unwrap_or_default();
        let rest = Rest { bytes, width: usize::from(block.width), least: block.least };
        if !block.has_steps {
            numbers.extend(places.map(|place| number(rest.at(place))));
            return;
        }
        // Where one is follows from all before it.
        let steps = (1..=places.start).map(|place| rest.at(place - 1));
        let mut last = steps.fold(block.first, u64::wrapping_add);
        numbers.push(number(last));
        numbers.extend((places.start + 1..places.end).map(|place| {
            last = last.wrapping_add(rest.at(place - 1));
            number(last)
        }));
    }
}

/// What is left of a block's numbers when the least one is taken away.
struct Rest<'b> {
    bytes: &'b [u8],
    width: usize,
    least: u64,
}

impl Rest<'_> {
    #[inline(always)]
    fn at(&self, place: usize) -> u64 {
        let from = place * self.width;
        let word = self.bytes.get(from..from + 8).and_then(|bytes| bytes.first_chunk());
        let word = word.map_or(0, |word| u64::from_le_bytes(*word));
        let unused = 64 - 8 * self.width as u32;
        // A shift by all bits is none at all.
        let rest = if self.width == 0 { 0 } else { word << unused >> unused };
        self.least.wrapping_add(rest)
    }
}

/// Appends the bytes of a block.
fn put(block: &[u64], bytes: &mut Vec<u8>) -> Block {
    let first = block.first().copied().unwrap_or(0);
    let at = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let (least, width) = span(block);
    let mut steps = [0; BLOCK];
    let later = block.iter().skip(1);
    for (step, (one, next)) in steps.iter_mut().zip(block.iter().zip(later)) {
        *step = next.wrapping_sub(*one);
    }
    let steps = steps.get(..block.len().saturating_sub(1)).unwrap_or_default();
    // Steps back are large numbers: they count from the largest of them.
    let (least_step, step_width) = span(steps);
    let (numbers, least, width, has_steps) = match step_width < width {
        true => (steps, least_step, step_width, true),
        false => (block, least, width, false),
    };
    write(numbers, least, usize::from(width), bytes);
    Block { least, first, at, width, has_steps }
}

/// Appends the distances to the least number, in so many bytes each.
fn write(numbers: &[u64], least: u64, width: usize, bytes: &mut Vec<u8>) {
    let end = bytes.len() + numbers.len() * width;
    let mut at = bytes.len();
    bytes.resize(end + TAIL.len(), 0);
    for number in numbers {
        // Eight bytes at once: those beyond the width are zero, and the next number's.
        if let Some(room) = bytes.get_mut(at..).and_then(|room| room.first_chunk_mut()) {
            *room = number.wrapping_sub(least).to_le_bytes();
        }
        at += width;
    }
    bytes.truncate(end);
}

/// The least of the numbers, as signed ones, and the bytes that the distances to it
/// take.
fn span(numbers: &[u64]) -> (u64, u8) {
    let signed = || numbers.iter().map(|number| number.cast_signed());
    let (least, most) = (signed().min().unwrap_or(0), signed().max().unwrap_or(0));
    let distance = most.wrapping_sub(least).cast_unsigned();
    (least.cast_unsigned(), (64 - distance.leading_zeros()).div_ceil(8) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(numbers: &[u64]) -> Packed {
        let packed = Packed::new(numbers.iter().copied());
        assert_eq!(packed.numbers(0..numbers.len(), |number| number), numbers);
        packed
    }

    #[test]
    fn any_numbers_come_back() {
        packed(&[]);
        packed(&[7]);
        packed(&[u64::MAX, 0, 1 << 63, (1 << 63) - 1, 5]);
        let mut noise = 1_u64;
        let numbers: Vec<u64> = (0..5 * BLOCK as u64 + 3)
            .map(|at| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                noise >> (at / 100 % 64)
            })
            .collect();
        packed(&numbers);
    }

    #[test]
    fn fractions_come_back_bit_by_bit() {
        let times = [0.1_f64, -0.0, f64::NAN, f64::INFINITY, 1e-300, 123.456];
        let packed = Packed::new(times.iter().map(|time| time.to_bits()));
        let back = packed.numbers(0..times.len(), f64::from_bits);
        assert!(back.iter().zip(&times).all(|(a, b)| a.to_bits() == b.to_bits()));
    }

    #[test]
    fn some_rows_are_those_of_the_whole() {
        for factor in [1, 1 << 40] {
            let numbers: Vec<u64> = (0..3 * BLOCK as u64).map(|at| at * at * factor).collect();
            let packed = packed(&numbers);
            for rows in [0..1, 7..9, BLOCK - 1..BLOCK + 1, 5..3 * BLOCK, BLOCK..2 * BLOCK, 4..4] {
                assert_eq!(packed.numbers(rows.clone(), |number| number), numbers[rows]);
            }
        }
    }

    #[test]
    fn what_is_alike_or_follows_takes_no_bytes() {
        let alike = [4096; 3 * BLOCK];
        let following: Vec<u64> = (0..3 * BLOCK as u64).map(|at| at * 61).collect();
        for numbers in [&alike[..], &following] {
            assert_eq!(packed(numbers).bytes.len(), TAIL.len());
        }
    }
}
