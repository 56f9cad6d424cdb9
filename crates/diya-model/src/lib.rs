//! The words of the project, each fact once: layers and how deep they are,
//! operations and their classes, the functions of the recorder and their system calls,
//! messages of MPI, what a counter means, Darshan's size bins, kinds of read issues, numbers
//! with units as text, numbers of variable length, the layout of a segment.
//!
//! A leaf crate: everything may use it, it uses nothing.

mod about;
mod class;
mod function;
mod function_name;
#[rustfmt::skip]
mod generated;
mod issue;
mod layer;
mod layout;
mod median;
mod message;
mod names;
mod op;
mod ratio;
mod role;
mod size_bin;
mod system_call;
mod units;
mod varint;

pub use about::{about_digits, about_s, about_unit, part_of_run_s, part_s};
pub use class::{CallKind, Class};
pub use function::Function;
pub use function_name::short_function;
pub use generated::{IssueKind, number, segment};
pub use issue::{Loss, Scope};
pub use layer::Layer;
pub use layout::{Layout, Source, Text};
pub use median::{median, median_class};
pub use message::{MessageFunction, MessageKind};
pub use op::Op;
pub use ratio::ratio;
pub use role::{Role, rank_time, recorded_time};
pub use size_bin::SizeBin;
pub use system_call::{Argument, SystemCall};
pub use units::{bytes_text, calls_text, percent_text, seconds_text};
pub use varint::{BadVarint, push_varint, unzigzag, varint, zigzag};
