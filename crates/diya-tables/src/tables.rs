//! All tables of one or more logs while they are being read.

use crate::{CallTable, HeatmapTable, TableBuilder, TableId};

/// All tables; each comes into being with its first row.
#[derive(Debug)]
pub struct Tables {
    /// Timed calls.
    pub calls: CallTable,
    /// Bytes per bin of time.
    pub heatmap: HeatmapTable,
    builders: [Option<Box<TableBuilder>>; TableId::COUNT],
}

impl Default for Tables {
    fn default() -> Self {
        Self {
            calls: CallTable::default(),
            heatmap: HeatmapTable::default(),
            builders: std::array::from_fn(|_| None),
        }
    }
}

impl Tables {
    /// No rows anywhere.
    pub fn new() -> Self {
        Self::default()
    }

    /// The table, to append to.
    pub fn builder(&mut self, id: TableId) -> &mut TableBuilder {
        self.builders[id as usize].get_or_insert_with(|| Box::new(TableBuilder::new(id.def())))
    }

    /// The table, when it has rows. `call` and `heatmap` are fields instead.
    pub fn table(&self, id: TableId) -> Option<&TableBuilder> {
        self.builders[id as usize].as_deref().filter(|t| t.rows() > 0)
    }

    /// Takes the table out, when it has rows.
    pub fn take(&mut self, id: TableId) -> Option<TableBuilder> {
        self.builders[id as usize].take().map(|t| *t).filter(|t| t.rows() > 0)
    }

    /// Puts a table back that [`Self::take`] gave.
    pub fn put_back(&mut self, id: TableId, table: TableBuilder) {
        self.builders[id as usize] = Some(Box::new(table));
    }

    /// Forgets all but the first `rows` rows.
    pub fn truncate(&mut self, id: TableId, rows: usize) {
        if let Some(table) = &mut self.builders[id as usize] {
            table.truncate(rows);
        }
    }

    /// Rows of any table.
    pub fn rows(&self, id: TableId) -> usize {
        match id {
            TableId::Call => self.calls.rows(),
            TableId::Heatmap => self.heatmap.rows(),
            _ => self.table(id).map_or(0, TableBuilder::rows),
        }
    }
}
