//! Names and types of the columns of each metric, made from its header by `build.rs`:
//! [`diya_tables::columns`] finds a column in them when this crate is compiled.

#![allow(non_upper_case_globals)] // named as the metrics are
#![allow(dead_code)] // not every metric is read here

use diya_tables::Kind;

include!(concat!(env!("OUT_DIR"), "/headers.rs"));
