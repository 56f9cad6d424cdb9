//! Questions of a page and the answers, as they are sent (`web/README.md`, "The wire format").
//!
//! The page's types are made from these: `web/src/data/generated/questions.ts` and `answers.ts`.
//! A crate of its own, as the decoder in each page compiles what walks over calls
//! for speed, and this for size.

mod answers;
mod json;

pub use answers::*;
use json::{FromJson, choice, object};

/// The enum of questions and its parser, from one list: what is missing in one of
/// them is missing in both.
macro_rules! questions {
    ($($(#[$doc:meta])* $variant:ident($name:literal): $of:ty,)*) => {
        /// One question. Sent as JSON, with its name in the field `method`.
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[cfg_attr(test, ts(tag = "method"))]
        pub enum Question {
            $($(#[$doc])* #[cfg_attr(test, ts(rename = $name))] $variant($of),)*
        }

        impl Question {
            /// Reads a question; the text of an error is for the reader of the page.
            pub fn parse(json: &[u8]) -> Result<Self, String> {
                let value: serde_json::Value = serde_json::from_slice(json)
                    .map_err(|error| format!("the question is no JSON: {error}"))?;
                match value["method"].as_str().unwrap_or_default() {
                    $($name => <$of>::from_json(&value).map(Self::$variant),)*
                    other => Err(format!("there is no question {other:?}")),
                }
            }
        }
    };
}

questions! {
    /// What there is to ask for.
    Describe("describe"): DescribeQuestion,
    /// The report, with all its tables.
    Report("report"): ReportQuestion,
    /// A picture of calls.
    Tile("tile"): TileQuestion,
    /// How many tracks are in which kind of call, moment by moment.
    Activity("activity"): ActivityQuestion,
    /// The call of a track at a moment, or nearest to it.
    NearestCall("nearest_call"): NearestCallQuestion,
    /// Everything about one call.
    Call("call"): CallQuestion,
    /// Calls one by one.
    Calls("calls"): CallsQuestion,
    /// Totals of the calls that a filter leaves.
    AreaStatistics("area_statistics"): AreaQuestion,
    /// Functions with their cost.
    CallTree("call_tree"): TreeQuestion,
    /// Cost by call stack.
    StackCosts("stack_costs"): StackQuestion,
    /// A part of a table, sorted and searched.
    Table("table"): TableQuestion,
    /// An answer of the SQL engine.
    Sql("sql"): SqlQuestion,
}

object! {
    /// What there is to ask for.
    #[derive(Default)]
    DescribeQuestion {
        /// The calls suffice: the diagnosis may follow.
        is_early: bool,
    }
}

object! {
    /// The report.
    ReportQuestion {}
}

object! {
    /// How many tracks are in which kind of call.
    ActivityQuestion {
        /// Which calls; its window must not be null.
        filter: CallFilter,
        /// Moments that the window is cut into.
        cells: u32,
    }
}

object! {
    /// The call of a track at a moment.
    NearestCallQuestion {
        /// Which calls.
        filter: CallFilter,
        /// Track.
        track: u32,
        /// Moment.
        at_s: f64,
        /// How far away it may be.
        tolerance_s: f64,
    }
}

object! {
    /// One call.
    #[derive(Default)]
    CallQuestion {
        /// Number of the call among those that are held.
        index: u32,
    }
}

object! {
    /// A list of calls.
    CallsQuestion {
        /// Which calls.
        filter: CallFilter,
        /// Their order.
        by: OrderBy,
        /// The most that are given.
        limit: u32,
    }
}

object! {
    /// Totals.
    #[derive(Default)]
    AreaQuestion {
        /// Which calls.
        filter: CallFilter,
        /// The most files, tracks and targets that are given.
        top: u32,
    }
}

object! {
    /// Functions with their cost.
    TreeQuestion {
        /// Which calls.
        filter: CallFilter,
        /// As a tree of functions inside functions; else one row per function.
        is_nested: bool,
    }
}

object! {
    /// Cost by call stack.
    StackQuestion {
        /// Which calls.
        filter: CallFilter,
    }
}

object! {
    /// A statement for the SQL engine.
    SqlQuestion {
        /// One statement.
        text: String,
        /// The most rows that are given; null: as many as a page can take.
        limit: Option<u32>,
    }
}

object! {
    /// Which calls count. Every field narrows; null, or a field that is missing, does not.
    /// Tracks, files, layers and targets that the job does not have match nothing.
    #[derive(Default)]
    CallFilter {
        /// Number of the log.
        log: Option<i32>,
        /// Calls that end after this.
        #[cfg_attr(test, ts(type = "Seconds | null"))]
        start_s: Option<f64>,
        /// Calls that start before this.
        #[cfg_attr(test, ts(type = "Seconds | null"))]
        end_s: Option<f64>,
        /// Indices in the list of tracks.
        #[cfg_attr(test, ts(type = "readonly Track[] | null"))]
        tracks: Option<Vec<u32>>,
        /// Indices in the list of files.
        #[cfg_attr(test, ts(type = "readonly FileIndex[] | null"))]
        files: Option<Vec<u32>>,
        /// Kinds: read, write, metadata, wait.
        #[cfg_attr(test, ts(type = "readonly Kind[] | null"))]
        kinds: Option<Vec<String>>,
        /// Names of layers.
        #[cfg_attr(test, ts(type = "readonly string[] | null"))]
        layers: Option<Vec<String>>,
        /// Storage targets, by their number in the file system.
        #[cfg_attr(test, ts(type = "readonly number[] | null"))]
        targets: Option<Vec<i64>>,
        /// Names of functions; of operations, where the log has no name of the function.
        #[cfg_attr(test, ts(type = "readonly string[] | null", optional))]
        functions: Option<Vec<String>>,
        /// Names of errors, such as `ENOSPC`.
        #[cfg_attr(test, ts(type = "readonly string[] | null", optional))]
        errors: Option<Vec<String>>,
        /// Names of regions of the program: calls in one of them, at any depth.
        #[cfg_attr(test, ts(type = "readonly string[] | null", optional))]
        regions: Option<Vec<String>>,
        /// Numbers of steps of the program.
        #[cfg_attr(test, ts(type = "readonly number[] | null", optional))]
        steps: Option<Vec<i64>>,
        /// Calls that take longer than this.
        #[cfg_attr(test, ts(type = "Seconds | null", optional))]
        longer_s: Option<f64>,
        /// Calls that move at least so many bytes.
        #[cfg_attr(test, ts(type = "number | null", optional))]
        least_bytes: Option<f64>,
        /// Calls that move fewer bytes than this.
        #[cfg_attr(test, ts(type = "number | null", optional))]
        below_bytes: Option<f64>,
        /// A frame of the call stack, as recorded.
        #[cfg_attr(test, ts(type = "string | null", optional))]
        frame: Option<String>,
    }
}

object! {
    /// What the cells of a picture count, and which calls.
    TileQuestion {
        /// Which calls.
        filter: CallFilter,
        /// From left to right.
        x: TileAxis,
        /// From top to bottom.
        y: TileAxis,
        /// Only where an axis is `track`; null: all tracks, by log and rank.
        order: Option<TrackOrder>,
        /// What is summed.
        #[cfg_attr(test, ts(type = "readonly Plane[]"))]
        planes: Vec<Plane>,
        /// Exact where sums would do; missing: sums.
        #[cfg_attr(test, ts(optional, type = "boolean"))]
        refine: bool,
    }
}

object! {
    /// One axis of a picture, cut into equal cells.
    TileAxis {
        /// What it counts.
        of: AxisOf,
        /// Start of the first cell.
        from: f64,
        /// End of the last cell.
        to: f64,
        /// Number of cells.
        cells: u32,
        /// Cells are equal in the logarithm.
        log: bool,
    }
}

choice! {
    /// What an axis counts.
    AxisOf {
        /// Seconds since the start of the job.
        Time = "time",
        /// Positions in the order of tracks; may be fractions.
        Track = "track",
        /// Bytes in a file.
        Offset = "offset",
        /// Bytes of a request.
        Size = "size",
        /// Seconds of a call.
        Duration = "duration",
        /// Positions in the list of storage targets.
        Target = "target",
    }
}

object! {
    /// Tracks from top to bottom.
    TrackOrder {
        /// Same id, same tracks: who answers may keep it.
        id: String,
        /// null: those that were sent with this id.
        #[cfg_attr(test, ts(type = "readonly number[] | null"))]
        tracks: Option<Vec<u32>>,
    }
}

choice! {
    /// What a cell holds.
    Plane {
        /// Share of the time in reads.
        BusyRead = "busy_read",
        /// Share of the time in writes.
        BusyWrite = "busy_write",
        /// Share of the time in calls that move no data.
        BusyMetadata = "busy_metadata",
        /// Share of the time in waiting.
        BusyWait = "busy_wait",
        /// Bytes moved.
        Bytes = "bytes",
        /// Calls that start there.
        Calls = "calls",
        /// Duration of the longest call.
        Longest = "longest",
        /// Share of the time in libraries while no call below runs; where it is asked for, the
        /// other shares are without it, and that of collective calls counts as waiting.
        BusyLibrary = "busy_library",
    }
}

choice! {
    /// Order of a list of calls.
    OrderBy {
        /// Earliest first.
        Start = "start",
        /// Longest first.
        Duration = "duration",
        /// Largest first.
        Size = "size",
    }
}

object! {
    /// A part of a table.
    TableQuestion {
        /// Name of the table.
        name: String,
        /// Number of the first row.
        first: u32,
        /// The most rows that are given.
        count: u32,
        /// null: the order of the table. Nulls last.
        sort: Option<TableSort>,
        /// Rows in which any text column holds this; empty: all.
        search: String,
    }
}

object! {
    /// The column that a table is sorted by.
    TableSort {
        /// Its name.
        column: String,
        /// Largest first.
        is_descending: bool,
    }
}

#[cfg(test)]
mod tests;
