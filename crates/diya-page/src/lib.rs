//! The page: what a browser shows of a job, and what it asks.
//!
//! `write_html` makes the one file that is mailed; [`LoadedJob`] answers the
//! questions of a page that a server shows. Both see the calls through
//! `diya-timeline`. `write_fleet_html` makes the page of many jobs.

mod answers;
mod call_importer;
mod call_index;
mod calls;
mod columns;
mod files;
mod fleet;
mod html;
mod loaded_job;
mod numbering;
mod places;
mod rows;
mod tables;

pub use calls::{CALL_TABLES, store};
pub use diya_report::{Value, html_text};
pub use diya_timeline as timeline;
pub use fleet::{
    FleetTable, fleet_answer, fleet_head, fleet_policy, served_fleet_page, write_fleet_html,
};
pub use html::{PageError, policy, served_page, write_html};
pub use loaded_job::{LoadError, LoadedJob, PAGE_ROWS};
