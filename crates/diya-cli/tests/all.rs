//! All tests of this crate in one program: linking each file for itself took most of the time.

mod cli;
mod compare;
mod control_characters;
mod convert;
mod diya_file;
mod errors;
mod fleet;
mod fleet_bad;
mod fleet_pages;
mod fleet_report;
mod fleet_script;
mod fleet_watch;
mod prompt;
mod readme;
mod replay;
mod replay_nodes;
#[path = "../../diya-report/tests/support/mod.rs"]
mod report_support;
mod schemas;
#[cfg(target_os = "linux")]
mod serve;
mod support;
#[cfg(target_os = "linux")]
mod terminal;
mod tune;
#[cfg(target_os = "linux")]
mod tune_loop;
