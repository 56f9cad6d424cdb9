//! A row of each metric that Rust computes, made from its header by `build.rs`: a
//! field per column, `Option` where the header says what null means.

use diya_tables::TableBuilder;

include!(concat!(env!("OUT_DIR"), "/rows.rs"));
