//! The page: what a browser shows of a job, and what it asks.
//!
//! `write_html` makes the one file that is mailed; [`Held`] answers the
//! questions of a page that a server shows. Both see the calls through
//! `diya-timeline`.

mod answers;
mod calls;
mod columns;
mod files;
mod held;
mod html;
mod names;
mod rows;
mod seen;
mod tables;
mod taken;

pub use calls::{CALL_TABLES, store};
pub use diya_timeline as timeline;
pub use held::{Held, HeldError, IsWanted, PAGE_ROWS};
pub use html::{PageError, policy, served_page, write_html};
