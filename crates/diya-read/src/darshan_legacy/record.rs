//! File records: one per file and rank, each of the same size, to the end.
//!
//! A record holds the calls of every layer on one file. When a process opened
//! more than 1,024 files, Darshan condensed its records into one with id 0:
//! sums over files that can no longer be separated.

use super::bytes::Bytes;
use super::counters::{INTS, REALS, UNKNOWN};
use super::header::Header;
use super::version::RecordLayout;

/// One file record; counters by their position in the full list.
#[derive(Debug)]
pub(super) struct Record<'a> {
    /// Where it starts in the image.
    pub byte_offset: usize,
    pub file_id: u64,
    /// As stored; checked by whoever makes rows of it.
    pub rank: i64,
    /// End of the path, with the NULs behind it.
    pub name: &'a [u8],
    /// `None`: the version does not have the counter.
    pub ints: [Option<i64>; INTS],
    pub reals: [Option<f64>; REALS],
}

impl Record<'_> {
    /// The counter, 0 when the version does not have it.
    pub fn int(&self, counter: usize) -> i64 {
        self.ints.get(counter).copied().flatten().unwrap_or(0)
    }

    pub fn real(&self, counter: usize) -> f64 {
        self.reals.get(counter).copied().flatten().unwrap_or(0.0)
    }

    /// Is any of the counters positive? -1 says "not available".
    pub fn has_any(&self, counters: impl IntoIterator<Item = usize>) -> bool {
        counters.into_iter().any(|counter| self.int(counter) > 0)
    }

    /// Sums over all files of a process instead of one file.
    pub fn is_condensed(&self) -> bool {
        self.file_id == 0
    }

    /// One record for all ranks of the job.
    pub fn is_shared(&self) -> bool {
        self.rank == -1
    }
}

/// The records of an image, front to back.
#[derive(Debug, Clone)]
pub(super) struct Records<'a> {
    image: Bytes<'a>,
    layout: RecordLayout,
    /// Integers that the version has which says what the numbers mean.
    meant: [bool; INTS],
    reals: usize,
    at: usize,
}

impl<'a> Records<'a> {
    /// `None`: the version, and with it the record, is not known.
    pub fn of(image: &'a [u8], header: &Header) -> Option<Self> {
        let layout = header.records?;
        let mut meant = [false; INTS];
        // A version that no converter knew is read as what it was written as.
        let slots = header.meaning.slots().unwrap_or(layout.slots);
        for slot in slots {
            if let Some(is_meant) = meant.get_mut(*slot) {
                *is_meant = true;
            }
        }
        Some(Self {
            image: Bytes { bytes: image, is_big_endian: header.is_big_endian },
            layout,
            meant,
            reals: header.meaning.reals().min(layout.reals),
            at: header.version.records_at(),
        })
    }

    /// Where the next record starts.
    pub fn at(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let layout = &self.layout;
        let end = self.at.checked_add(layout.bytes)?;
        let bytes = self.image.bytes.get(self.at..end)?;
        let at = self.image.within(bytes);
        let mut record = Record {
            byte_offset: self.at,
            file_id: at.u64(0)?,
            rank: match layout.has_wide_rank {
                true => at.i64(layout.rank)?,
                false => i64::from(at.i32(layout.rank)?),
            },
            name: bytes.get(layout.name_at..)?.get(..layout.name_bytes)?,
            ints: [None; INTS],
            reals: [None; REALS],
        };
        let (ints, _) = bytes.get(layout.ints_at..)?.as_chunks::<8>();
        for (counter, word) in layout.slots.iter().zip(ints) {
            let is_meant = *counter != UNKNOWN && self.meant.get(*counter) == Some(&true);
            if let Some(slot) = record.ints.get_mut(*counter).filter(|_| is_meant) {
                *slot = at.within(word).i64(0);
            }
        }
        let (reals, _) = bytes.get(layout.reals_at..)?.as_chunks::<8>();
        for (slot, word) in record.reals.iter_mut().zip(reals).take(self.reals) {
            // What is no number was never a time.
            *slot = at.within(word).f64(0).filter(|real| real.is_finite());
        }
        self.at = end;
        Some(record)
    }
}
