//! LUSTRE: how files are striped. Records of varying size.
//!
//! Version 1 if all layouts came from such records, because only they hold the
//! number of targets of the file system; otherwise version 2. Source:
//! darshan-lustre-log-format.h.

use super::pack::Packer;
use super::{FILE_ID, RANK, Records, base, fixed_text, rows_of};
use diya_tables::{TableBuilder, TableId, Tables, lustre_component as column, lustre_target};
use std::collections::HashMap;
use std::io::{self, Write as _};

const POOL_BYTES: usize = 16;

/// A file on a rank.
type Key = (u64, i32);

pub(super) struct Lustre<'t> {
    components: Option<&'t TableBuilder>,
    /// Rows of the components of each record, in the order of the log.
    records: Vec<(Key, Vec<usize>)>,
    /// Targets of each component, in stripe order.
    targets: HashMap<(Key, i32), Vec<i64>>,
    pub version: u32,
}

impl<'t> Lustre<'t> {
    pub fn new(tables: &'t Tables, log: i32) -> Self {
        let components = tables.table(TableId::LustreComponent);
        let mut records: Vec<(Key, Vec<usize>)> = Vec::new();
        let mut is_version_1 = true;
        for (table, row) in components.iter().flat_map(|t| rows_of(t, log).map(move |r| (t, r))) {
            let is_first = table.i32(column::COMPONENT, row) == Some(0);
            match records.last_mut() {
                Some((key, rows)) if *key == key_of(table, row) && !is_first => rows.push(row),
                _ => records.push((key_of(table, row), vec![row])),
            }
            is_version_1 &= is_plain(table, row);
        }
        let mut targets: HashMap<(Key, i32), Vec<i64>> = HashMap::new();
        if let Some(table) = tables.table(TableId::LustreTarget) {
            for row in rows_of(table, log) {
                let component = table.i32(lustre_target::COMPONENT, row).unwrap_or(0);
                let ost = table.i64(lustre_target::OST_ID, row).unwrap_or(-1);
                targets.entry((key_of(table, row), component)).or_default().push(ost);
            }
        }
        Self { components, records, targets, version: if is_version_1 { 1 } else { 2 } }
    }

    fn targets(&self, key: Key, table: &TableBuilder, row: usize) -> &[i64] {
        let component = table.i32(column::COMPONENT, row).unwrap_or(0);
        self.targets.get(&(key, component)).map_or(&[], Vec::as_slice)
    }

    fn version_1(&self, key: Key, table: &TableBuilder, row: usize) -> Vec<u8> {
        let mut bytes = base(key.0, key.1).to_vec();
        let fields = [
            column::OSTS,
            column::MDTS,
            column::STRIPE_OFFSET,
            column::STRIPE_SIZE,
            column::STRIPE_COUNT,
        ];
        bytes.extend(fields.iter().flat_map(|&c| number(table, c, row)));
        let targets = self.targets(key, table, row);
        bytes.extend(targets.iter().flat_map(|ost| ost.to_le_bytes()));
        // The C struct has room for one target even when there is none.
        bytes.resize(bytes.len() + if targets.is_empty() { 8 } else { 0 }, 0);
        bytes
    }

    fn version_2(&self, key: Key, table: &TableBuilder, rows: &[usize]) -> Vec<u8> {
        let stripes: usize = rows.iter().map(|&row| self.targets(key, table, row).len()).sum();
        let mut bytes = base(key.0, key.1).to_vec();
        bytes.extend((rows.len() as u64).to_le_bytes());
        bytes.extend((stripes as u64).to_le_bytes());
        for &row in rows {
            let fields = [
                column::STRIPE_SIZE,
                column::STRIPE_COUNT,
                column::STRIPE_PATTERN,
                column::FLAGS,
                column::EXT_START,
                column::EXT_END,
                column::MIRROR_ID,
            ];
            bytes.extend(fields.iter().flat_map(|&c| number(table, c, row)));
            let mut pool = [0; POOL_BYTES];
            // A pool name has at most 15 bytes (LOV_MAXPOOLNAME of Lustre).
            fixed_text(table.str(column::POOL_NAME, row).unwrap_or_default(), &mut pool);
            bytes.extend(pool);
        }
        let targets = rows.iter().flat_map(|&row| self.targets(key, table, row));
        bytes.extend(targets.flat_map(|ost| ost.to_le_bytes()));
        bytes
    }
}

fn key_of(table: &TableBuilder, row: usize) -> Key {
    (table.u64(FILE_ID, row).unwrap_or(0), table.i32(RANK, row).unwrap_or(-1))
}

/// Does the row say what a version 1 record says, and no more?
fn is_plain(table: &TableBuilder, row: usize) -> bool {
    let later = [column::STRIPE_PATTERN, column::FLAGS, column::EXT_END, column::MIRROR_ID];
    table.i32(column::COMPONENT, row) == Some(0)
        && table.i64(column::OSTS, row).is_some()
        && table.str(column::POOL_NAME, row).is_none()
        && later.iter().all(|&c| table.i64(c, row).is_none())
}

/// -1 stands for "not available".
fn number(table: &TableBuilder, column: usize, row: usize) -> [u8; 8] {
    table.i64(column, row).unwrap_or(-1).to_le_bytes()
}

impl Records for Lustre<'_> {
    fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    fn pack(&self, into: &mut Packer) -> io::Result<()> {
        let Some(table) = self.components else { return Ok(()) };
        for (key, rows) in &self.records {
            let bytes = match rows.as_slice() {
                [row] if self.version == 1 => self.version_1(*key, table, *row),
                rows => self.version_2(*key, table, rows),
            };
            into.write_all(&bytes)?;
        }
        Ok(())
    }
}
