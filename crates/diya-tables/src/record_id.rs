//! Darshan's record id: the number that stands for a name in every table.
//!
//! Who records or rewrites names must number them as Darshan does, or logs of
//! the same file would not join. Source: Bob Jenkins' public domain hash for
//! 64-bit words, `lookup8.c` (1997), which Darshan calls with an initial value
//! of 0 (darshan-core.c, `darshan_core_gen_record_id`).

/// Bytes that one round takes in.
const BLOCK_BYTES: usize = 24;

/// An arbitrary number that starts the third word of the state, in `lookup8.c`.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c13;

/// Record id of a name: a path as recorded, or that of a named object.
///
/// ```
/// assert_eq!(diya_tables::record_id(b"heatmap:POSIX"), 16_592_106_915_301_738_621);
/// ```
pub fn record_id(name: &[u8]) -> u64 {
    let mut state = [0, 0, GOLDEN_RATIO];
    let blocks = name.chunks_exact(BLOCK_BYTES);
    let rest = blocks.remainder();
    for block in blocks {
        add(&mut state, block);
        mix(&mut state);
    }
    let mut last = [0; BLOCK_BYTES];
    let (first_words, third) = rest.split_at(rest.len().min(16));
    last[..first_words.len()].copy_from_slice(first_words);
    // The lowest byte of the third word is kept for the length of the name.
    last[17..17 + third.len()].copy_from_slice(third);
    add(&mut state, &last);
    state[2] = state[2].wrapping_add(name.len() as u64);
    mix(&mut state);
    state[2]
}

fn add(state: &mut [u64; 3], block: &[u8]) {
    let (words, _) = block.as_chunks::<8>();
    for (sum, word) in state.iter_mut().zip(words) {
        *sum = sum.wrapping_add(u64::from_le_bytes(*word));
    }
}

/// Twelve steps; the shifts are those of `mix64` in `lookup8.c`: a step that
/// changes the first or third word shifts right, one of the second left.
fn mix([a, b, c]: &mut [u64; 3]) {
    for (right, left, last) in [(43, 9, 8), (38, 23, 5), (35, 49, 11), (12, 18, 22)] {
        *a = a.wrapping_sub(*b).wrapping_sub(*c) ^ (*c >> right);
        *b = b.wrapping_sub(*c).wrapping_sub(*a) ^ (*a << left);
        *c = c.wrapping_sub(*a).wrapping_sub(*b) ^ (*b >> last);
    }
}

#[cfg(test)]
mod tests {
    use super::record_id;

    /// Names and ids of `corpus/logs`, of every kind of remainder: none, one
    /// byte, a full first or second word, and part of each word.
    const PAIRS: [(&str, u64); 12] = [
        ("<STDIN>", 14_734_109_647_742_566_553),
        ("<STDOUT>", 15_920_181_672_442_173_319),
        ("heatmap:STDIO", 3_989_511_027_826_779_520),
        ("heatmap:MPIIO", 3_668_870_418_325_792_824),
        ("/scratch/demo/mi", 15_891_142_535_896_000_891),
        ("/scratch/demo/ih5", 14_311_013_006_961_023_865),
        ("/scratch/demo/p105.json", 17_584_977_295_672_443_568),
        ("/scratch/demo/strags.dat", 2_286_698_177_908_058_900),
        ("/scratch/demo/ckpt01.0004", 3_921_693_270_057_804_395),
        ("/scratch/demo/nc_indep.nc:w", 1_938_266_952_103_763_964),
        ("/scratch/demo/ih5:/Dataset-0000.0002", 15_004_085_675_681_304_663),
        (
            "/scratch/demo/mdl/test-dir.0-0/mdtest_tree.0/file.mdtest.1.1013",
            4_093_758_200_526_520_677,
        ),
    ];

    #[test]
    fn names_have_the_ids_that_logs_give_them() {
        for (name, id) in PAIRS {
            assert_eq!(record_id(name.as_bytes()), id, "{name}");
        }
    }
}
