//! Answers to the questions, as they are sent: the types of the page follow from these.
//!
//! A field has its type here and, behind `=>`, in the page, where units are branded. Columns stand
//! behind the JSON (`web/README.md`, "The wire format"); a [`Column`] is what names one of them.

mod calls;
mod json;
mod totals;

pub use calls::*;
pub use json::{Column, Planes, ToJson};
pub use totals::*;

use json::answer;
use serde_json::Value;

answer! {
    /// How many of the calls are held.
    Holding {
        /// Rows of `call` in the logs.
        rows_in_all: u64 => "number",
        /// Rows that can be asked for one by one.
        rows_held: usize => "number",
        /// all: tiles and statistics are exact. grid: tiles come from sums over all calls, single
        /// calls are the worst and a sample. none: counters only.
        kind: &'static str => r#""all" | "grid" | "none""#,
        /// What the reader has to know, in words; null: nothing.
        note: Option<String> => "string | null",
    }
}

answer! {
    /// From the first to the last moment, seconds since the start of the job.
    TimeRange {
        /// First moment.
        start_s: f64 => "Seconds",
        /// Last moment.
        end_s: f64 => "Seconds",
    }
}

answer! {
    /// A log.
    LogEntry {
        /// Its name, as given.
        name: String => "string",
        /// Run time; null: not recorded.
        run_s: Option<f64> => "Seconds | null",
    }
}

answer! {
    /// One track for each log and rank with calls, by log, then rank.
    TrackColumns {
        /// Number of the log.
        log: Column<i32> => "Int32Array",
        /// Rank.
        rank: Column<i32> => "Int32Array",
        /// Index in `hosts`; -1: not recorded.
        host: Column<i32> => "Int32Array",
    }
}

answer! {
    /// A file or named object, with calls or without.
    FileEntry {
        /// Number of the log.
        log: i32 => "number",
        /// `file_id` of the tables, in decimal: it needs all 64 bits.
        file_id: String => "string",
        /// null: the log holds no name. Hostile text: show, never interpret.
        path: Option<String> => "string | null",
        /// First component of the layout; null: not recorded.
        stripe_bytes: Option<u64> => "Bytes | null",
        /// Its targets; null: not recorded.
        stripe_count: Option<usize> => "number | null",
    }
}

answer! {
    /// A table.
    TableEntry {
        /// Its name in SQL.
        name: String => "string",
        /// What it holds.
        title: String => "string",
        /// base: as read from the log. metric: derived.
        kind: &'static str => r#""base" | "metric""#,
        /// Its rows.
        rows: usize => "number",
    }
}

answer! {
    /// What there is to ask for.
    Description {
        /// Version of the questions and answers.
        interface_version: u32 => "number",
        /// Who answers.
        source: &'static str => r#""pack" | "server" | "browser" | "memory""#,
        /// How many of the calls are held.
        holding: Holding => "Holding",
        /// From the first to the last moment of any job.
        window: TimeRange => "TimeRange",
        /// The logs.
        logs: Vec<LogEntry> => "readonly LogEntry[]",
        /// Values of `call.layer` that occur, the layer nearest to the program first.
        layers: Vec<String> => "readonly string[]",
        /// Values of `call.op`; `ops[i]` belongs to class `op_kinds[i]`.
        ops: Vec<String> => "readonly string[]",
        /// Colours of `ops`.
        op_kinds: Vec<&'static str> => "readonly Kind[]",
        /// Values of `call.function`.
        functions: Vec<String> => "readonly string[]",
        /// Names of errors of calls, such as `ENOSPC`.
        errors: Vec<String> => "readonly string[]",
        /// Names of the regions of the program that calls are made in.
        regions: Vec<String> => "readonly string[]",
        /// The first and the last step of the program that has calls; null: none was recorded.
        steps: Option<[i64; 2]> => "readonly [number, number] | null",
        /// Values of `call.host`.
        hosts: Vec<String> => "readonly string[]",
        /// The tracks.
        tracks: TrackColumns => "TrackColumns",
        /// The files.
        files: Vec<FileEntry> => "readonly FileEntry[]",
        /// Storage targets (OST ids) that calls can be split over; empty: layout not recorded.
        targets: Vec<i64> => "readonly number[]",
        /// The tables.
        tables: Vec<TableEntry> => "readonly TableEntry[]",
        /// Whether the question `sql` is answered.
        has_sql: bool => "boolean",
    }
}

answer! {
    /// A column of a table.
    TableColumn {
        /// Its name.
        name: String => "string",
        /// bool, i32, i64, u64, f64, str or timestamp_ns.
        r#type: &'static str => "string",
        /// Its unit.
        unit: &'static str => "string",
        /// What it holds, and what null means.
        doc: String => "string",
    }
}

answer! {
    /// Row-wise: tables are for reading, not for drawing.
    TableRows {
        /// The columns.
        columns: Vec<TableColumn> => "readonly TableColumn[]",
        /// The rows.
        rows: Vec<Value> => "readonly (readonly Value[])[]",
        /// Rows of the whole table.
        rows_in_all: usize => "number",
    }
}

#[cfg(test)]
mod tests {
    use super::json::TypeScript;
    use super::*;

    /// The page's types, as they follow from those of this folder.
    fn typescript() -> String {
        let head = "// Made from crates/diya-questions/src/answers; to make it again:\n\
                    // DIYA_BLESS=1 cargo test -p diya-questions\n\n\
                    import type { Kind } from \"../../base/kinds\";\n\
                    import type { Bytes, CallIndex, FileIndex, Seconds, Track } from \"../../base/units\";\n\
                    import type { Plane } from \"./questions\";\n\
                    import type { Value } from \"./report\";\n";
        let types = [
            Holding::typescript(),
            TimeRange::typescript(),
            LogEntry::typescript(),
            TrackColumns::typescript(),
            FileEntry::typescript(),
            TableEntry::typescript(),
            Description::typescript(),
            TableColumn::typescript(),
            TableRows::typescript(),
            TileAnswer::typescript(),
            Activity::typescript(),
            CallColumns::typescript(),
            CallDetail::typescript(),
            CallAnswer::typescript(),
            KindRow::typescript(),
            FileTotal::typescript(),
            TrackTotal::typescript(),
            TargetTotal::typescript(),
            FunctionRow::typescript(),
            AreaStatistics::typescript(),
            CallTree::typescript(),
            StackRow::typescript(),
            StackCosts::typescript(),
        ];
        types.iter().fold(head.to_owned(), |text, one| format!("{text}\n{one}"))
    }

    #[test]
    fn the_page_takes_answers_of_these_types() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/data/generated/answers.ts");
        if std::env::var_os("DIYA_BLESS").is_some() {
            std::fs::write(file, typescript()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), typescript());
    }

    #[test]
    fn what_is_not_recorded_is_null_and_a_column_is_named() {
        let log = LogEntry { name: "a".to_owned(), run_s: None };
        assert_eq!(log.to_json(), serde_json::json!({ "name": "a", "run_s": null }));
        let named = serde_json::json!({ "$column": ["u32", 0, 2] });
        assert_eq!(Column::<u32>::named(named.clone()).to_json(), named);
    }
}
