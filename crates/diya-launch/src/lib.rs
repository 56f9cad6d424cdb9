//! Starts programs so that their I/O is recorded.
//!
//! The recorder is a C library that the dynamic linker loads before others
//! (`LD_PRELOAD`). It writes a segment per process into a private folder on the
//! node; this crate makes the folder, starts the program, passes signals on,
//! and finds the segments afterwards. It reads none of them.

mod directory;
mod environment;
mod group;
mod leader;
mod library;
mod memory;
mod mounts;
mod note;
mod program;
mod run;
mod running;
mod segments;

pub use directory::{DirectoryError, SegmentDirectory};
pub use environment::{Messages, Mode, Settings, variables};
pub use group::{GroupEnd, Guard, asked_to_end, watch};
pub use leader::{LeaderTime, Watch};
pub use library::{LibraryError, apply_library, install_library, library};
pub use memory::keep_memory;
pub use mounts::mounts;
pub use note::Note;
pub use program::{LAUNCHERS, Obstacle, Program, inspect};
pub use run::{Ended, RunError, as_the_program_ended, run};
pub use running::{Running, still_running};
pub use segments::{SegmentFile, find};
