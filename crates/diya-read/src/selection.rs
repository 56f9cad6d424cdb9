//! What is wanted of a log: a reader does not touch the rest.

use diya_tables::TableId;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// A set of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TableSet(u64);

impl TableSet {
    /// No table.
    pub const NONE: Self = Self(0);
    /// Every table.
    pub const ALL: Self = Self(u64::MAX);

    /// The set and this table.
    pub const fn with(self, table: TableId) -> Self {
        Self(self.0 | 1 << table as u64)
    }

    /// The set without this table.
    pub const fn without(self, table: TableId) -> Self {
        Self(self.0 & !(1 << table as u64))
    }

    /// Tables of either set.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Tables of this set that are not in the other.
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Is the table in the set?
    pub const fn has(self, table: TableId) -> bool {
        self.0 >> table as u64 & 1 == 1
    }

    /// Is any of these tables in the set?
    pub fn has_any(self, tables: &[TableId]) -> bool {
        tables.iter().any(|&t| self.has(t))
    }
}

impl FromIterator<TableId> for TableSet {
    fn from_iter<I: IntoIterator<Item = TableId>>(tables: I) -> Self {
        tables.into_iter().fold(Self::NONE, Self::with)
    }
}

/// What is wanted of a log.
///
/// `job`, `mount`, `module`, `mpi_hint` and `read_issue` always come: they
/// cost next to nothing and say what the rest is worth.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Tables wanted.
    pub tables: TableSet,
    /// Only records of these files; `None`: of all.
    pub file_ids: Option<HashSet<u64>>,
    /// Only records of these ranks, and those of all ranks (-1); `None`: of all.
    pub ranks: Option<RangeInclusive<i32>>,
    /// Pack the calls of a trace that has very many while it is read: for those who go over
    /// whole columns of the finished tables. Single calls then cost the unpacking of a chunk.
    pub packs_calls: bool,
}

impl Selection {
    /// Everything.
    pub fn all() -> Self {
        Self::tables(TableSet::ALL)
    }

    /// These tables, of all files and ranks.
    pub fn tables(tables: TableSet) -> Self {
        Self { tables, file_ids: None, ranks: None, packs_calls: false }
    }

    /// Is a record of this file and rank wanted?
    pub fn wants(&self, file_id: u64, rank: i32) -> bool {
        self.file_ids.as_ref().is_none_or(|ids| ids.contains(&file_id))
            && self.ranks.as_ref().is_none_or(|ranks| rank == -1 || ranks.contains(&rank))
    }
}
