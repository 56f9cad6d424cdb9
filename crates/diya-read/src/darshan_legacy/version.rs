//! Version texts and what follows from them: layout of job and records.
//!
//! 2.x says its byte order by a magic number and has the same layout on every
//! machine. 1.x is the memory of the machine that wrote it: the layout follows
//! from its word size and alignment, and nothing in the log names them.
//!
//! Source: darshan-logutils.c of the 2.x series; docs/formats/darshan-legacy.md.

use super::bytes::Bytes;
use super::counters::{SLOTS_1_4, SLOTS_1_21, SLOTS_1_22, SLOTS_1_23, SLOTS_2, Slots};

/// "d57" in memory at byte 8 of every 2.x log; also shows the byte order.
pub(super) const MAGIC: u64 = 6_567_223;

/// A version text as a number: 1.21 is 121.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub u32);

impl Version {
    /// Reads "1.21", followed by NUL or the end of the text.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text = bytes.get(..bytes.len().min(8))?.split(|b| *b == 0).next()?;
        let (major, minor) = std::str::from_utf8(text).ok()?.split_once('.')?;
        let is_number = (1..=2).contains(&minor.len()) && minor.bytes().all(|b| b.is_ascii_digit());
        match major {
            "1" if is_number => minor.parse().ok().map(|m: u32| Self(100 + m)),
            "2" if is_number => minor.parse().ok().map(|m: u32| Self(200 + m)),
            _ => None,
        }
    }

    pub fn has_magic(self) -> bool {
        self.0 >= 200
    }

    /// Integers of a record in this version; `None`: the version is not known.
    pub fn slots(self) -> Option<Slots> {
        Some(match self.0 {
            104 => &SLOTS_1_4,
            121 => &SLOTS_1_21,
            122 => &SLOTS_1_22,
            123 | 124 => &SLOTS_1_23,
            200..=206 => &SLOTS_2,
            _ => return None,
        })
    }

    /// Reals of a record; always the first ones of the full list.
    pub fn reals(self) -> usize {
        match self.0 {
            ..=120 => 0,
            121 => 12,
            122..=124 => 14,
            _ => super::counters::REALS,
        }
    }

    /// Bytes of the metadata field, which came with 2.01.
    pub fn metadata_bytes(self) -> usize {
        match self.0 {
            ..=200 => 0,
            201..=203 => 64,
            _ => 1024,
        }
    }

    /// Where the records start: job and text before them have a fixed size.
    pub fn records_at(self) -> usize {
        if self.0 >= 204 { 4096 } else { 1024 }
    }
}

/// Machine that wrote a 1.x log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Machine {
    pub is_big_endian: bool,
    /// `time_t` has 8 bytes.
    has_wide_time: bool,
    /// 8-byte integers start at multiples of 8.
    is_aligned: bool,
}

/// Blue Gene/L and /P, whence all public logs of 1.21 to 1.24 come: the only
/// machine whose 1.x logs Darshan's own tools read.
pub(super) const PPC32: Machine =
    Machine { is_big_endian: true, has_wide_time: false, is_aligned: true };
const X86: Machine = Machine { is_big_endian: false, has_wide_time: false, is_aligned: false };
const X86_64: Machine = Machine { is_big_endian: false, has_wide_time: true, is_aligned: true };
const PPC64: Machine = Machine { is_big_endian: true, has_wide_time: true, is_aligned: true };

/// More processes than any machine of those years could run.
const MAX_PROCESSES: i64 = 1 << 24;

/// Places of the fields of a 1.x job structure.
#[derive(Debug, Clone, Copy)]
pub(super) struct OldJob {
    pub uid: usize,
    pub start: usize,
    pub end: usize,
    pub nprocs: usize,
    pub text: usize,
    pub has_wide_time: bool,
}

impl Machine {
    /// The machine under which the job structure makes sense.
    ///
    /// `None` when none does, as in a cut or damaged header.
    pub fn of_1x(version: Version, image: &[u8]) -> Option<Self> {
        if version == Version(104) {
            return Some(X86);
        }
        [PPC32, X86, X86_64, PPC64].into_iter().find(|machine| machine.fits(version, image))
    }

    fn fits(self, version: Version, image: &[u8]) -> bool {
        let job = self.job(version);
        let at = Bytes { bytes: image, is_big_endian: self.is_big_endian };
        let time = |place| match job.has_wide_time {
            true => at.i64(place),
            false => at.i32(place).map(i64::from),
        };
        let (Some(start), Some(end)) = (time(job.start), time(job.end)) else { return false };
        let nprocs = at.i32(job.nprocs).map(i64::from);
        nprocs.is_some_and(|n| (1..=MAX_PROCESSES).contains(&n)) && start >= 0 && end >= start
    }

    /// Version text (10 bytes), user id, start, end, processes; then the text.
    pub fn job(self, version: Version) -> OldJob {
        let has_wide_time = self.has_wide_time;
        match (version, has_wide_time) {
            // A word that is no user id stands before it, and five after nprocs.
            (Version(104), _) => {
                OldJob { uid: 16, start: 20, end: 24, nprocs: 28, text: 52, has_wide_time }
            }
            (_, false) => {
                OldJob { uid: 12, start: 16, end: 20, nprocs: 24, text: 28, has_wide_time }
            }
            (_, true) => {
                OldJob { uid: 12, start: 16, end: 24, nprocs: 32, text: 40, has_wide_time }
            }
        }
    }
}

/// Places of the parts of a file record; the id is at its start.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordLayout {
    pub slots: Slots,
    pub reals: usize,
    pub rank: usize,
    pub has_wide_rank: bool,
    pub ints_at: usize,
    pub reals_at: usize,
    pub name_at: usize,
    /// Bytes of the name, with its NUL.
    pub name_bytes: usize,
    pub bytes: usize,
}

impl RecordLayout {
    /// Layout of the records; `None` when the version is not known.
    pub fn of(version: Version, machine: Machine) -> Option<Self> {
        let slots = version.slots()?;
        let reals = version.reals();
        let is_new = version.has_magic();
        let ints_at = match (version, machine.is_aligned) {
            _ if is_new => 32,
            // A word that counts up by 4 from record to record, a rank, a zero.
            (Version(104), _) => 20,
            (_, true) => 16,
            (_, false) => 12,
        };
        let reals_at = ints_at + slots.len() * 8;
        let end = reals_at + reals * 8;
        let (name_at, name_bytes) = if is_new { (16, 16) } else { (end, 12) };
        // The structure ends where the next one could start.
        let bytes = match (is_new, machine.is_aligned) {
            (true, _) => end,
            (false, true) => end + 16,
            (false, false) => end + 12,
        };
        let rank = if version == Version(104) { 12 } else { 8 };
        let has_wide_rank = is_new;
        Some(Self {
            slots,
            reals,
            rank,
            has_wide_rank,
            ints_at,
            reals_at,
            name_at,
            name_bytes,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record_bytes(version: u32, machine: Machine) -> Option<usize> {
        RecordLayout::of(Version(version), machine).map(|layout| layout.bytes)
    }

    /// All public logs of Blue Gene and of 2.x divide into records of these sizes.
    #[test]
    fn record_sizes_are_those_of_the_logs() {
        let sizes = [(121, 1192), (122, 1248), (123, 1264), (124, 1264), (200, 1328), (206, 1328)];
        for (version, bytes) in sizes {
            assert_eq!(record_bytes(version, PPC32), Some(bytes), "{version}");
        }
        assert_eq!(record_bytes(104, X86), Some(992));
    }

    /// The sizes that a comment in darshan-logutils.c (2.x) gives for 1.21 and
    /// 1.22 are 8 bytes smaller than those of Blue Gene: those of a 32-bit PC.
    #[test]
    fn a_32_bit_pc_leaves_out_the_padding() {
        assert_eq!(record_bytes(121, X86), Some(1184));
        assert_eq!(record_bytes(122, X86), Some(1240));
        assert_eq!(record_bytes(121, X86_64), Some(1192));
    }

    #[test]
    fn a_version_text_ends_with_nul() {
        assert_eq!(Version::parse(b"1.21\0\0\0\0"), Some(Version(121)));
        assert_eq!(Version::parse(b"1.4\0"), Some(Version(104)));
        assert_eq!(Version::parse(b"2.06\0"), Some(Version(206)));
        for other in [&b"3.41\0"[..], b"2.061\0", b"2.x\0", b"2.\0", b"12.0\0", b"", b"2.0 text"] {
            assert_eq!(Version::parse(other), None, "{other:?}");
        }
    }
}
