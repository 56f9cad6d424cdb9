//! Which settings really help: a command runs with some of them, and the times decide.
//!
//! [`Space`] holds what can be tried: settings that a program can be given, each off, as
//! predicted, or with another value. [`Search`] says what to run next, by successive halving,
//! and when to stop. Who runs the command tells it the outcome: nothing here starts a program.
//! Reasons: docs/decisions/0057.

mod answer;
mod figures;
mod order;
mod page;
mod search;
mod space;
mod text;

pub use answer::{Answer, RunReport, SettingLine, TrialsReport, TriedReport, ValuesReport};
pub use figures::{Figures, Metric, Outcome};
pub use page::write_page;
pub use search::{Next, Search, Tried, Why};
pub use space::{Knob, NotTried, Point, Space};
pub use text::write_trials;
