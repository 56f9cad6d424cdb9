//! Answers about calls: pictures of many, columns of some, everything about one.

use super::{Column, Planes, answer};

answer! {
    /// Cells row by row, the first row first; 0 where nothing is.
    TileAnswer {
        /// Cells from left to right.
        width: usize => "number",
        /// Cells from top to bottom.
        height: usize => "number",
        /// False: drawn from sums, or still coarse.
        is_exact: bool => "boolean",
        /// The planes that were asked for.
        planes: Planes => "Readonly<Partial<Record<Plane, Float32Array>>>",
    }
}

answer! {
    /// How many tracks are in which kind of call, moment by moment.
    Activity {
        /// The layers.
        layers: Vec<String> => "readonly string[]",
        /// Moments that the window is cut into.
        cells: usize => "number",
        /// For `layers[l]`, kind k and cell c at `(l * 4 + k) * cells + c`: mean number of tracks
        /// inside such a call.
        busy_tracks: Column<f32> => "Float32Array",
        /// Likewise, bytes per second moved.
        bytes_per_s: Column<f32> => "Float32Array",
        /// Longest call per layer and cell, `l * cells + c`, seconds.
        longest_s: Column<f32> => "Float32Array",
    }
}

answer! {
    /// Calls as columns. NaN, and -1 in a column of indices: not recorded.
    CallColumns {
        /// Calls that are here.
        count: usize => "number",
        /// Calls that fit, also those left out by `limit`.
        count_in_all: usize => "number",
        /// Number of the call among those that are held.
        index: Column<u32> => "Uint32Array",
        /// Track.
        track: Column<u32> => "Uint32Array",
        /// Index in `Description.layers`.
        layer: Column<u8> => "Uint8Array",
        /// Index in `Description.ops`.
        op: Column<u8> => "Uint8Array",
        /// Index in `Description.files`.
        file: Column<i32> => "Int32Array",
        /// Index in `Description.functions`.
        function: Column<i32> => "Int32Array",
        /// Offset in the file.
        offset_bytes: Column<f64> => "Float64Array",
        /// Bytes moved.
        size_bytes: Column<f64> => "Float64Array",
        /// Start, seconds since the start of the job.
        start_s: Column<f64> => "Float64Array",
        /// End.
        end_s: Column<f64> => "Float64Array",
        /// Calls in this row; more than 1 in a run of tiny calls.
        calls: Column<f64> => "Float64Array",
        /// Call inside which this one was made.
        parent: Column<i32> => "Int32Array",
        /// Number of its call stack.
        stack: Column<i32> => "Int32Array",
        /// Id of the thread; NaN: its process has one, or it was not recorded.
        thread: Column<f64> => "Float64Array",
        /// 1: a collective call; 0: none, or not recorded.
        is_collective: Column<u8> => "Uint8Array",
    }
}

answer! {
    /// Everything about one call.
    CallDetail {
        /// The call itself in row 0, then the calls made inside it (all depths, by start).
        calls: CallColumns => "CallColumns",
        /// Calls around it, innermost first.
        around: CallColumns => "CallColumns",
        /// True where nesting follows from times of one rank and file, not from the log.
        is_nesting_inferred: bool => "boolean",
        /// Targets that hold its bytes; empty: none, or layout not recorded.
        targets: Vec<i64> => "readonly number[]",
        /// True, false, or not recorded.
        is_collective: Option<bool> => "boolean | null",
        /// errno name.
        error: Option<String> => "string | null",
        /// Innermost frame first, such as `main.c:12 write_all`; empty: not recorded.
        stack: Vec<String> => "readonly string[]",
        /// Regions of the program around it, innermost first; empty: in none.
        regions: Vec<String> => "readonly string[]",
        /// Step of the program; null: in none.
        step: Option<i64> => "number | null",
    }
}

answer! {
    /// One call, where there is one.
    CallAnswer {
        /// null: no call is there.
        detail: Option<CallDetail> => "CallDetail | null",
    }
}
