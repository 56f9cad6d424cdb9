//! Collects rows of `read_issue` while a log is being read.

use diya_tables::{Issue, IssueKind, TableId, Tables};

/// Tables that a part of a log fills, by the name of the part; none: that is
/// not known, and any can be concerned.
pub(crate) type TablesOf = fn(&str) -> Vec<TableId>;

/// Rows of one log.
pub(crate) struct Issues {
    log: i32,
    tables_of: TablesOf,
    rows: Vec<Row>,
}

struct Row {
    kind: IssueKind,
    module: Option<String>,
    byte_offset: Option<u64>,
    count: Option<u64>,
    effect: String,
}

/// A log with damage in thousands of places says no more than this about each
/// module and kind: the count goes on in the last row.
const MAX_ROWS_PER_KIND: usize = 16;

impl Issues {
    pub fn new(log: i32, tables_of: TablesOf) -> Self {
        Self { log, tables_of, rows: Vec::new() }
    }

    pub fn push(
        &mut self,
        kind: IssueKind,
        module: Option<&str>,
        byte_offset: Option<u64>,
        count: Option<u64>,
        effect: String,
    ) {
        let alike = |r: &&mut Row| r.kind == kind && r.module.as_deref() == module;
        let known = self.rows.iter_mut().filter(alike).count();
        if known >= MAX_ROWS_PER_KIND {
            if let Some(last) = self.rows.iter_mut().rfind(alike) {
                last.count = Some(last.count.unwrap_or(0).saturating_add(count.unwrap_or(1)));
                last.byte_offset = None;
                last.effect = format!("more issues like the previous one: {effect}");
            }
            return;
        }
        let module = module.map(str::to_string);
        self.rows.push(Row { kind, module, byte_offset, count, effect });
    }

    pub fn flush(&mut self, tables: &mut Tables) {
        for row in self.rows.drain(..) {
            let concerned = row.module.as_deref().map(self.tables_of).unwrap_or_default();
            let issue = Issue {
                kind: row.kind,
                module: row.module.as_deref(),
                tables: &concerned,
                byte_offset: row.byte_offset,
                count: row.count,
                effect: &row.effect,
            };
            tables.push_issue(self.log, issue);
        }
    }
}
