//! Maps for keys that are looked up once per call.

use std::collections::HashMap;

/// The standard map with a quicker hash. Its seed differs from run to run, so that a log
/// cannot be made whose keys all collide.
pub type FastHashMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;
