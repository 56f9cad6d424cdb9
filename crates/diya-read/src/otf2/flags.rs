//! How a file was opened, as the number that the program gave.

use diya_model::Layer;

/// Access modes.
const WRITE_ONLY: u8 = 1;
const READ_WRITE: u8 = 2;

/// Places of bits of OTF2, and what they stand for.
type Bits = &'static [(u32, i64)];

/// The flags of `open` on x86-64, or the mode of `MPI_File_open`; `None`: the layer has neither.
pub(super) fn open_flags(layer: Layer, mode: u8, creation: u32, status: u32) -> Option<i64> {
    let (access, creation_bits, status_bits): (i64, Bits, Bits) = match layer {
        Layer::Posix => (
            match mode {
                WRITE_ONLY => 1,
                READ_WRITE => 2,
                _ => 0,
            },
            &[
                (0, 0o100),
                (1, 0o1000),
                (2, 0o200_000),
                (3, 0o200),
                (4, 0o400),
                (5, 0o400_000),
                (6, 0o10_000_000),
                (7, 0o20_200_000),
            ],
            &[
                (0, 0o2_000_000),
                (1, 0o2000),
                (2, 0o4000),
                (3, 0o20_000),
                (4, 0o4_010_000),
                (5, 0o10_000),
                (6, 0o40_000),
                (7, 0o1_000_000),
            ],
        ),
        Layer::Mpiio => (
            match mode {
                WRITE_ONLY => 4,
                READ_WRITE => 8,
                _ => 2,
            },
            &[(0, 1), (3, 64), (9, 256), (10, 32)],
            &[(1, 128), (8, 16)],
        ),
        _ => return None,
    };
    let set = |flags: u32, bits: &[(u32, i64)]| {
        bits.iter().filter(|(bit, _)| flags >> bit & 1 == 1).fold(0, |all, (_, value)| all | value)
    };
    Some(access | set(creation, creation_bits) | set(status, status_bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_those_of_the_layer() {
        // Create and truncate; append.
        assert_eq!(open_flags(Layer::Posix, WRITE_ONLY, 0b11, 0b10), Some(0o3101));
        assert_eq!(open_flags(Layer::Mpiio, READ_WRITE, 0b1, 0), Some(9));
        assert_eq!(open_flags(Layer::Stdio, READ_WRITE, 0b1, 0), None);
    }
}
