//! Recording: starting programs with the recorder, and making one log of what
//! their processes left.

mod collect;
mod symbols;

pub use collect::{CollectError, CollectOptions, Summary, collect, pack};
pub use diya_launch::{
    Ended, GroupEnd, Guard, LeaderTime, LibraryError, Messages, Mode, Note, Obstacle, Program,
    RunError, Running, SegmentDirectory, Settings, apply_library, as_the_program_ended,
    asked_to_end, find, inspect, install_library, library, mounts, run, still_running, variables,
    watch,
};
pub use diya_ptrace::trace_telling;
