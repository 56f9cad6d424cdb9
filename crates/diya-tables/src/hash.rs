//! Maps and sets for keys that are looked up once per call or file.

use std::collections::{HashMap, HashSet};

/// The standard map with a quicker hash. Its seed differs from run to run, so that a log
/// cannot be made whose keys all collide.
pub type FastHashMap<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// The standard set with the same hash.
pub type FastHashSet<T> = HashSet<T, foldhash::fast::RandomState>;
