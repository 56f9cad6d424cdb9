//! `NAME/N.def`: how the numbers and the clock of one location become those of all.

use super::bytes::Rest;
use super::chunks::records;
use std::collections::HashMap;

/// Kinds of records.
const MAPPING_TABLE: u8 = 5;
const CLOCK_OFFSET: u8 = 6;

/// What a table of numbers is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mapped {
    String = 0,
    Attribute = 1,
    Region = 3,
    Metric = 5,
    Comm = 6,
    CallingContext = 10,
    IoFile = 12,
    IoHandle = 13,
}

/// Tables there can be: some more than version 3 has.
const KINDS: usize = 32;

/// Numbers of a location and those of the global definitions.
#[derive(Debug)]
enum IdMap {
    Dense(Vec<u64>),
    Sparse(HashMap<u64, u64>),
}

/// What one location says of itself.
#[derive(Debug, Default)]
pub(super) struct Local {
    maps: [Option<IdMap>; KINDS],
    clock: Vec<ClockPoint>,
    /// Records that make no sense.
    pub damaged: u64,
}

/// By how much the clock of a location is behind at a time.
#[derive(Debug, Clone, Copy)]
struct ClockPoint {
    time: u64,
    offset: i64,
}

impl Local {
    /// Reads the bytes of the file, in chunks of this size.
    pub fn of(bytes: &[u8], chunk_bytes: u64) -> Self {
        let mut all = Self::default();
        let reading = records(bytes, chunk_bytes, |kind, record| match kind {
            MAPPING_TABLE => all.mapping(record),
            CLOCK_OFFSET => all.clock_offset(record),
            // Definitions that only this location has are not referred to by others.
            _ => Some(()),
        });
        all.damaged = reading.damaged + u64::from(!reading.is_whole);
        all
    }

    fn mapping(&mut self, mut rest: Rest<'_>) -> Option<()> {
        let kind = rest.u8()?;
        let (count, is_sparse) = (rest.u64()?, rest.u8()? != 0);
        // A pair or number takes at least a byte of what is there.
        let map = if is_sparse {
            let pairs = (0..count).map_while(|_| Some((rest.u64()?, rest.u64()?)));
            IdMap::Sparse(pairs.collect())
        } else {
            IdMap::Dense((0..count).map_while(|_| rest.u64()).collect())
        };
        let slot = self.maps.get_mut(usize::from(kind))?;
        slot.get_or_insert(map);
        Some(())
    }

    fn clock_offset(&mut self, mut rest: Rest<'_>) -> Option<()> {
        let point = ClockPoint { time: rest.full_u64()?, offset: rest.i64()? };
        if self.clock.last().is_some_and(|last| last.time >= point.time) {
            return None;
        }
        self.clock.push(point);
        Some(())
    }

    /// The global number of a number of this location.
    pub fn global(&self, kind: Mapped, id: u32) -> u32 {
        let map = self.maps.get(kind as usize).and_then(Option::as_ref);
        let found = match map {
            None => return id,
            Some(IdMap::Dense(ids)) => usize::try_from(id).ok().and_then(|at| ids.get(at)),
            Some(IdMap::Sparse(ids)) => ids.get(&id.into()),
        };
        found.and_then(|global| u32::try_from(*global).ok()).unwrap_or(id)
    }

    /// The time of a tick of this location on the clock of all.
    ///
    /// Between two points the offset grows evenly, and goes on so before the first and
    /// behind the last. One point alone does not count, as for the library of OTF2.
    pub fn corrected(&self, time: u64) -> u64 {
        let later = self.clock.partition_point(|point| point.time < time);
        let last = self.clock.len().saturating_sub(1);
        let at = later.clamp(1, last.max(1));
        let (Some(from), Some(to)) = (self.clock.get(at - 1), self.clock.get(at)) else {
            return time;
        };
        let rise = to.offset.saturating_sub(from.offset) as f64;
        let slope = rise / to.time.saturating_sub(from.time) as f64;
        let since = i128::from(time) - i128::from(from.time);
        let grown = (slope * since as f64).round_ties_even();
        let offset = from.offset.saturating_add(grown as i64);
        time.saturating_add_signed(offset)
    }
}
