//! Logs damaged on purpose, the same way each time.

/// One way to damage a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// Cut at this byte.
    Cut(usize),
    /// This bit of this byte turned over.
    Flip(usize, u8),
    /// So many bytes from here on overwritten with noise of this seed.
    Overwrite(usize, usize, u64),
}

/// Pseudo-random numbers that are the same everywhere: splitmix64 (Steele,
/// Lea, Flood 2014).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// Cuts at evenly spread places, flipped bits and overwritten blocks at random
/// ones. Half of the flips and blocks hit the first 2 KiB, where the header is.
pub fn damages(len: usize, cuts: usize, flips: usize, blocks: usize, seed: u64) -> Vec<Damage> {
    let mut numbers = Numbers(seed);
    let mut out: Vec<Damage> = (0..cuts).map(|i| Damage::Cut(len * i / cuts)).collect();
    let place = |numbers: &mut Numbers, i: usize| {
        numbers.below(if i.is_multiple_of(2) { len } else { len.min(2048) })
    };
    for i in 0..flips {
        let at = place(&mut numbers, i);
        out.push(Damage::Flip(at, (numbers.next() % 8) as u8));
    }
    for i in 0..blocks {
        let at = place(&mut numbers, i);
        let size = 1 + numbers.below(512);
        out.push(Damage::Overwrite(at, size, numbers.next()));
    }
    out
}

impl Damage {
    /// The log with this damage.
    pub fn apply(self, log: &[u8]) -> Vec<u8> {
        let mut bytes = log.to_vec();
        match self {
            Self::Cut(at) => bytes.truncate(at),
            Self::Flip(at, bit) => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
            Self::Overwrite(at, size, seed) => {
                let mut numbers = Numbers(seed);
                for byte in bytes.iter_mut().skip(at).take(size) {
                    *byte = numbers.next() as u8;
                }
            }
        }
        bytes
    }
}
