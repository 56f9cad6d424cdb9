//! A column of numbers in as few bytes as they need, exactly.
//!
//! Offsets follow the end of the request before, times come after each other, sizes
//! are alike: a hundred million calls of four numbers take 1 GB instead of 3.2.
//! Blocks of [`BLOCK`] numbers are kept as differences to the least one, in whole
//! bytes; of the numbers themselves, or of the steps between them, whichever is
//! smaller. Reading a number costs about a nanosecond.

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
    pub fn new(numbers: impl ExactSizeIterator<Item = u64>) -> Self {
        let len = numbers.len();
        let (mut blocks, mut bytes) = (Vec::with_capacity(len.div_ceil(BLOCK)), Vec::new());
        let mut block = Vec::with_capacity(BLOCK);
        for (at, number) in (1..).zip(numbers) {
            block.push(number);
            if block.len() == BLOCK || at == len {
                blocks.push(put(&mut block, &mut bytes));
                block.clear();
            }
        }
        bytes.extend_from_slice(&TAIL);
        // It stays for as long as the table does.
        bytes.shrink_to_fit();
        Self { blocks, bytes, len }
    }

    /// All numbers.
    pub fn numbers<T>(&self, number: impl Fn(u64) -> T) -> Vec<T> {
        let mut numbers = Vec::with_capacity(self.len);
        for (at, block) in self.blocks.iter().enumerate() {
            let count = BLOCK.min(self.len - at * BLOCK);
            let bytes = self.bytes.get(block.at as usize..).unwrap_or_default();
            let rest = Rest { bytes, width: usize::from(block.width), least: block.least };
            if block.has_steps {
                let mut last = block.first;
                numbers.push(number(last));
                numbers.extend((0..count - 1).map(|step| {
                    last = last.wrapping_add(rest.at(step));
                    number(last)
                }));
            } else {
                numbers.extend((0..count).map(|place| number(rest.at(place))));
            }
        }
        numbers
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

/// Appends the bytes of a block, which may be changed on the way.
fn put(block: &mut [u64], bytes: &mut Vec<u8>) -> Block {
    let first = block.first().copied().unwrap_or(0);
    let at = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let (least, width) = span(block);
    let steps: Vec<u64> = block.windows(2).map(|two| two[1].wrapping_sub(two[0])).collect();
    // Steps back are large numbers: they count from the largest of them.
    let (least_step, step_width) = span(&steps);
    let (numbers, least, width, has_steps) = match step_width < width {
        true => (steps.as_slice(), least_step, step_width, true),
        false => (&*block, least, width, false),
    };
    for number in numbers {
        let rest = number.wrapping_sub(least).to_le_bytes();
        bytes.extend_from_slice(rest.get(..usize::from(width)).unwrap_or_default());
    }
    Block { least, first, at, width, has_steps }
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
        assert_eq!(packed.numbers(|number| number), numbers);
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
        let back = packed.numbers(f64::from_bits);
        assert!(back.iter().zip(&times).all(|(a, b)| a.to_bits() == b.to_bits()));
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
