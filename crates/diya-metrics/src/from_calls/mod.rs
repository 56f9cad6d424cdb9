//! Metrics over single calls and bins of time, which SQL cannot compute well:
//! intervals in time and extents in files. Each takes calls and gives rows; the
//! columns are declared in `metrics/`.

pub(crate) mod activity_map;
pub(crate) mod awaited;
mod call;
mod call_batch;
pub(crate) mod call_region;
mod calls;
pub(crate) mod exclusive;
pub(crate) mod file_pause;
pub(crate) mod file_session;
mod gap;
pub(crate) mod heat;
pub(crate) mod in_flight;
mod interpreter_samples;
mod intervals;
mod kruskal_wallis;
mod lane;
pub(crate) mod latency;
mod layout;
pub(crate) mod library_pause;
pub(crate) mod message_waits;
mod module_samples;
pub(crate) mod nesting;
mod no_files;
mod opened_spans;
pub(crate) mod overlap;
mod passed_time;
pub(crate) mod pattern;
mod period;
pub(crate) mod periods;
pub(crate) mod phases;
mod places;
mod processor_position;
mod processor_samples;
pub(crate) mod processor_work;
pub(crate) mod redundancy;
mod refreshed;
pub(crate) mod region_io;
pub(crate) mod rounds;
mod spectrum;
mod step;
pub(crate) mod steps;
pub(crate) mod stragglers;
pub(crate) mod streams;
pub(crate) mod stuck;
mod sweep;
pub(crate) mod targets;
#[cfg(test)]
mod tests;
pub(crate) mod training;
pub(crate) mod user_frame;

pub(crate) use awaited::Awaited;
pub(crate) use call::Call;
pub(crate) use call_batch::batches;
pub(crate) use calls::{Calls, Stream};
pub(crate) use exclusive::Exclusive;
pub(crate) use gap::limit_s as pause_limit_s;
pub(crate) use heat::Heat;
pub(crate) use in_flight::completions;
pub(crate) use intervals::{Union, seconds};
pub(crate) use latency::Latencies;
pub(crate) use message_waits::MessageWaits;
pub(crate) use no_files::no_files;
pub(crate) use phases::Phases;
pub use places::{Named, Places};
pub(crate) use processor_position::Position;
pub(crate) use processor_work::{Part, ProcessorWork};
pub(crate) use redundancy::Extents;
pub(crate) use rounds::Rounds;
pub(crate) use streams::Totals;
pub(crate) use targets::Targets;
pub(crate) use training::Training;
pub use training::is_fed;

/// A count as the tables hold it.
fn count(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}
