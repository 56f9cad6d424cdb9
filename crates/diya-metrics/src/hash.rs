//! The maps and sets of this crate: they are looked up once per call or file.

pub(crate) use diya_tables::{FastHashMap as HashMap, FastHashSet as HashSet};
