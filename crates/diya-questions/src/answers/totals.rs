//! Answers that add calls up: by kind, file, track, target, function and call stack.

use super::{Column, answer};

answer! {
    /// Totals of one layer and kind.
    KindRow {
        /// Layer.
        layer: Option<String> => "string",
        /// Kind.
        kind: &'static str => "Kind",
        /// Calls.
        calls: u64 => "number",
        /// Bytes moved.
        bytes: f64 => "Bytes",
        /// Time in calls, summed over tracks.
        time_s: f64 => "Seconds",
        /// Tracks with such calls.
        tracks: usize => "number",
        /// Shortest call.
        shortest_s: f64 => "Seconds",
        /// Longest call.
        longest_s: f64 => "Seconds",
        /// The longest call.
        longest_call: usize => "CallIndex",
    }
}

answer! {
    /// Totals of one file.
    FileTotal {
        /// Index in `Description.files`.
        file: u32 => "FileIndex",
        /// Calls.
        calls: u64 => "number",
        /// Bytes moved.
        bytes: f64 => "Bytes",
        /// Time in calls, summed over tracks.
        time_s: f64 => "Seconds",
    }
}

answer! {
    /// Totals of one track.
    TrackTotal {
        /// Track.
        track: u32 => "Track",
        /// Calls.
        calls: u64 => "number",
        /// Bytes moved.
        bytes: f64 => "Bytes",
        /// Time in calls, summed over tracks.
        time_s: f64 => "Seconds",
    }
}

answer! {
    /// Totals of one storage target.
    TargetTotal {
        /// OST id.
        target: i64 => "number",
        /// Calls.
        calls: u64 => "number",
        /// Bytes moved.
        bytes: f64 => "Bytes",
        /// Time in calls, summed over tracks.
        time_s: f64 => "Seconds",
    }
}

answer! {
    /// Totals of one function, or operation where the log has no function.
    FunctionRow {
        /// Its name.
        name: String => "string",
        /// Layer.
        layer: Option<String> => "string",
        /// Kind.
        kind: &'static str => "Kind",
        /// Calls.
        calls: u64 => "number",
        /// Bytes moved.
        bytes: f64 => "Bytes",
        /// Time in calls, summed over tracks.
        time_s: f64 => "Seconds",
    }
}

answer! {
    /// Totals of the calls that a filter leaves, cut at the window.
    AreaStatistics {
        /// One row per layer and kind with calls.
        kinds: Vec<KindRow> => "readonly KindRow[]",
        /// Most time first, at most `top` rows, summed over kinds of the lowest layer of each file.
        files: Vec<FileTotal> => "readonly FileTotal[]",
        /// Likewise of each rank.
        tracks: Vec<TrackTotal> => "readonly TrackTotal[]",
        /// Bytes split at stripe edges; empty where the layout is not recorded.
        targets: Vec<TargetTotal> => "readonly TargetTotal[]",
        /// Functions; each layer by itself.
        functions: Vec<FunctionRow> => "readonly FunctionRow[]",
    }
}

answer! {
    /// Functions, or the tree of functions inside functions, as rows. A log without
    /// function names gives one row per layer and op.
    CallTree {
        /// Row of the caller; -1: the program itself. Rows come after their callers.
        parent: Column<i32> => "Int32Array",
        /// Layers.
        layer: Vec<Option<String>> => "readonly string[]",
        /// Functions.
        name: Vec<String> => "readonly string[]",
        /// Kinds.
        kind: Vec<&'static str> => "readonly Kind[]",
        /// Calls.
        calls: Column<f64> => "Float64Array",
        /// Bytes moved.
        bytes: Column<f64> => "Float64Array",
        /// Time in the calls, summed over tracks.
        inclusive_s: Column<f64> => "Float64Array",
        /// Part of it in no call made inside.
        exclusive_s: Column<f64> => "Float64Array",
        /// Inclusive time of the track of those that make such calls that has least of it.
        min_track_s: Column<f64> => "Float64Array",
        /// Their mean.
        mean_track_s: Column<f64> => "Float64Array",
        /// That of the track with most.
        max_track_s: Column<f64> => "Float64Array",
        /// This track.
        max_track: Column<i32> => "Int32Array",
        /// Tracks that make such calls.
        tracks: Column<f64> => "Float64Array",
        /// Longest call.
        longest_s: Column<f64> => "Float64Array",
    }
}

answer! {
    /// Cost of one call stack.
    StackRow {
        /// Innermost frame first.
        frames: Vec<String> => "readonly string[]",
        /// Layer.
        layer: Option<String> => "string",
        /// Kind.
        kind: &'static str => "Kind",
        /// Calls.
        calls: u64 => "number",
        /// Bytes moved.
        bytes: f64 => "Bytes",
        /// Time in calls, summed over tracks.
        time_s: f64 => "Seconds",
    }
}

answer! {
    /// Cost by call stack; empty where no stack was recorded.
    StackCosts {
        /// The stacks.
        rows: Vec<StackRow> => "readonly StackRow[]",
    }
}
