//! What there is to ask for: the calls, and the names behind their numbers.

use crate::{Branch, Calls, Kind, Layout, layer_depth};
use std::sync::OnceLock;

/// One log.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Log {
    /// Its name, as given.
    pub name: String,
    /// Run time in seconds; None: not recorded.
    pub run_s: Option<f64>,
}

/// One rank of one log that made calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Track {
    /// Number of the log.
    pub log: i32,
    /// Rank.
    pub rank: i32,
    /// Number of the host.
    pub host: Option<u32>,
}

/// A file or a named object in one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct File {
    /// Number of the log.
    pub log: i32,
    /// `file_id` of the tables.
    pub id: u64,
    /// None: the log holds no name.
    pub path: Option<String>,
    /// File in which a dataset or variable lies.
    pub parent: Option<u32>,
    /// How it is striped; empty: not recorded.
    pub layout: Layout,
}

/// What calls have in common but for place and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Form {
    /// Number of the operation.
    pub op: u8,
    /// Number of the function.
    pub function: Option<u32>,
    /// Made by all ranks of a communicator together; None: not recorded.
    pub is_collective: Option<bool>,
    /// Number of the errno name.
    pub error: Option<u32>,
}

/// Where in the program calls are made, as it names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// Numbers of the regions around, innermost first.
    pub regions: Vec<u32>,
    /// Number of the step.
    pub step: Option<i64>,
}

/// How many of the calls are here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holding {
    /// Every one.
    #[default]
    All,
    /// Sums over all of them; one by one the worst and a sample.
    Grid,
    /// The logs hold none.
    Nothing,
}

/// The calls and all that is known about them.
#[derive(Debug, Default)]
pub struct Store {
    /// By number.
    pub logs: Vec<Log>,
    /// Layers that occur, nearest to the program first.
    pub layers: Vec<String>,
    /// Operations that occur.
    pub ops: Vec<String>,
    /// Functions that occur.
    pub functions: Vec<String>,
    /// Hosts that occur.
    pub hosts: Vec<String>,
    /// errno names that occur.
    pub errors: Vec<String>,
    /// What calls have in common.
    pub forms: Vec<Form>,
    /// By log, then rank.
    pub tracks: Vec<Track>,
    /// By number.
    pub files: Vec<File>,
    /// Frames of each call stack, innermost first, as text.
    pub stacks: Vec<Vec<String>>,
    /// Names of regions that occur.
    pub regions: Vec<String>,
    /// Places in the program that calls are made at.
    pub places: Vec<Place>,
    /// How many of the calls are here.
    pub holding: Holding,
    /// Rows of table `call` in the logs.
    pub rows_in_all: u64,
    /// What the reader has to know, in words.
    pub note: Option<String>,
    /// The calls.
    pub calls: Calls,
    /// Sums over all calls, one grid per layer: made at need, or read from a pack.
    /// [`Store::prepare`] makes the room.
    pub grids: Vec<OnceLock<crate::grid::Grid>>,
    /// The trees of all calls, flat and nested: made at need, or read from a pack, which may
    /// hold a part of the calls only.
    pub trees: [OnceLock<Vec<Branch>>; 2],
}

impl Store {
    /// Depth of each layer below the program.
    pub fn depth(&self, layer: u8) -> u8 {
        self.layers.get(usize::from(layer)).map_or(0, |name| layer_depth(name))
    }

    /// Form of a call.
    pub fn form(&self, call: usize) -> Form {
        let form = self.calls.form.get(call).map(|form| usize::from(*form));
        form.and_then(|form| self.forms.get(form)).copied().unwrap_or_default()
    }

    /// Kind of an operation.
    pub fn kind_of(&self, op: u8) -> Kind {
        self.ops.get(usize::from(op)).map_or(Kind::Metadata, |op| Kind::of_op(op))
    }

    /// Where in the program a call is made.
    pub fn place(&self, call: usize) -> Option<&Place> {
        self.places.get(*self.calls.place.get(call)? as usize)
    }

    /// The first and the last step that has calls.
    pub fn steps(&self) -> Option<(i64, i64)> {
        let steps = || self.places.iter().filter_map(|place| place.step);
        Some((steps().min()?, steps().max()?))
    }

    /// How a file is striped.
    pub fn layout(&self, file: u32) -> Option<&Layout> {
        self.files.get(file as usize).map(|f| &f.layout).filter(|l| !l.is_empty())
    }

    /// From the first to the last moment of any job, nanoseconds.
    pub fn window_ns(&self) -> (i64, i64) {
        let run_s = self.logs.iter().filter_map(|log| log.run_s).fold(0.0, f64::max);
        let (first, last) = self.calls.span_ns().unwrap_or((0, 0));
        let (first, last) = self
            .grids
            .iter()
            .filter_map(OnceLock::get)
            .fold((first, last), |(first, last), grid| {
                (first.min(grid.from_ns), last.max(grid.to_ns))
            });
        (first.min(0), last.max(ns_of(run_s)).max(1))
    }

    /// Storage targets that calls can be split over, in order.
    pub fn targets(&self) -> Vec<i64> {
        let all = self.files.iter().flat_map(|file| file.layout.targets());
        let mut all: Vec<i64> = all.collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Whole nanoseconds of a time in seconds, the nearest; NaN is 0.
///
/// ```
/// use diya_timeline::ns_of;
/// assert_eq!([1.5e-9, 2.4e-9, -1.5e-9].map(ns_of), [2, 2, -2]);
/// assert_eq!([f64::INFINITY, f64::NAN].map(ns_of), [i64::MAX, 0]);
/// ```
#[inline]
pub fn ns_of(seconds: f64) -> i64 {
    // As `round` does it, which is a call into the C library for each time.
    let ns = seconds * 1e9;
    let whole = ns as i64; // saturates; NaN becomes 0
    let rest = ns - whole as f64;
    whole.saturating_add(i64::from(rest >= 0.5) - i64::from(rest <= -0.5))
}

/// Seconds of a time in nanoseconds.
pub fn s_of(ns: i64) -> f64 {
    // Division, not a product with 1e-9: the nearest number to the decimal one.
    ns as f64 / 1e9
}

#[cfg(test)]
mod tests {
    use super::{ns_of, s_of};

    /// docs/decisions/0044: what tables in seconds keep.
    #[test]
    fn nanoseconds_survive_as_seconds_of_a_long_job() {
        let end_ns: i64 = 48 * 86_400 * 1_000_000_000;
        // Steps of a prime number: no multiple of a power of two comes again and again.
        let times = (0..1_000_000i64).map(|step| step * 999_999_937 % end_ns * 1_009 % end_ns);
        for ns in times.chain([0, 1, end_ns - 1, end_ns]) {
            assert_eq!(ns_of(s_of(ns)), ns);
        }
    }
}
