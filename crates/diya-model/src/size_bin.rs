//! The ten request sizes that Darshan counts apart.
//!
//! Source: `DARSHAN_BUCKET_INC` in darshan-common.h of Darshan 3.5.0, the same in
//! 2.x: a request of exactly the upper edge is in the lower bin.

/// One range of request sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeBin {
    /// Its name in columns: `size_read_100_1k`.
    pub name: &'static str,
    /// Smallest request.
    pub smallest_bytes: i64,
    /// Largest request; the last bin has none.
    pub largest_bytes: Option<i64>,
}

impl SizeBin {
    /// How many there are.
    pub const COUNT: usize = 10;

    /// All bins, by size.
    pub const ALL: [Self; Self::COUNT] = [
        bin("0_100", 0, Some(100)),
        bin("100_1k", 101, Some(1 << 10)),
        bin("1k_10k", (1 << 10) + 1, Some(10 << 10)),
        bin("10k_100k", (10 << 10) + 1, Some(100 << 10)),
        bin("100k_1m", (100 << 10) + 1, Some(1 << 20)),
        bin("1m_4m", (1 << 20) + 1, Some(4 << 20)),
        bin("4m_10m", (4 << 20) + 1, Some(10 << 20)),
        bin("10m_100m", (10 << 20) + 1, Some(100 << 20)),
        bin("100m_1g", (100 << 20) + 1, Some(1 << 30)),
        bin("1g_plus", (1 << 30) + 1, None),
    ];

    /// Position in [`SizeBin::ALL`] of the bin of a request.
    ///
    /// ```
    /// use diya_model::SizeBin;
    /// assert_eq!([0, 100, 101, 1 << 30].map(SizeBin::index_of), [0, 0, 1, 8]);
    /// ```
    #[inline]
    pub fn index_of(bytes: i64) -> usize {
        Self::ALL.partition_point(|bin| bin.largest_bytes.is_some_and(|largest| largest < bytes))
    }

    /// Position in [`SizeBin::ALL`] of the bin with this name.
    pub fn index_of_name(name: &str) -> Option<usize> {
        Self::ALL.iter().position(|bin| bin.name == name)
    }
}

const fn bin(name: &'static str, smallest_bytes: i64, largest_bytes: Option<i64>) -> SizeBin {
    SizeBin { name, smallest_bytes, largest_bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_at_an_edge_is_in_the_lower_bin() {
        for (index, bin) in SizeBin::ALL.iter().enumerate() {
            assert_eq!(SizeBin::index_of(bin.smallest_bytes), index);
            assert_eq!(SizeBin::index_of(bin.largest_bytes.unwrap_or(i64::MAX)), index);
            assert_eq!(SizeBin::index_of_name(bin.name), Some(index));
        }
        assert_eq!(SizeBin::index_of(-1), 0);
    }

    #[test]
    fn each_bin_begins_where_the_one_below_ends() {
        for pair in SizeBin::ALL.windows(2) {
            assert_eq!(pair[0].largest_bytes, Some(pair[1].smallest_bytes - 1));
        }
    }
}
