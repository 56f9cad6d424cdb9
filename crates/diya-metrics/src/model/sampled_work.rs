//! I/O work between calls that samples of the processor show: converting text, packing,
//! what libraries of formats do there. Where a log has samples nothing of it is guessed.

use crate::from_calls::{Calls, Part, Position, ProcessorWork};
use crate::hash::{HashMap, HashSet};
use crate::relay::Relays;
use crate::work_kinds::Work;
use diya_tables::{Layer, Op};
use std::collections::BTreeMap;

/// Libraries that compute with numbers, and convert none to text.
const MATHEMATICS: [&str; 8] =
    ["libm.so", "libmvec", "libblas", "libopenblas", "liblapack", "libmkl", "libfftw", "libgsl"];

/// Work of one kind on one file, of one process or of those that follow one another.
#[derive(Debug, Clone)]
pub(super) struct Done {
    pub rank: i32,
    pub work: Work,
    pub library: String,
    pub layer: Layer,
    pub op: Op,
    pub file_id: u64,
    pub passed_s: f64,
}

/// What is done between calls, by log, and inside calls by installed programs.
#[derive(Debug, Default)]
pub(super) struct Worked {
    between: HashMap<i32, Vec<Done>>,
    tasks: HashMap<i32, Vec<Done>>,
}

impl Worked {
    /// From the samples of all logs.
    pub fn of(work: &ProcessorWork, calls: &Calls, relays: &Relays) -> Self {
        let mut all = Self::default();
        for part in &work.parts {
            let of_log = all.between.entry(part.log).or_default();
            of_log.extend(done(part, calls, relays).filter(|_| part.place == Position::Between));
            if part.work == Work::Task && part.place == Position::Call {
                all.tasks.entry(part.log).or_default().extend(done(part, calls, relays));
            }
        }
        all
    }

    /// Whether samples say what is done between the calls of a log.
    pub fn is_known(&self, log: i32) -> bool {
        self.between.contains_key(&log)
    }

    /// What is done between its calls.
    pub fn of_log(&self, log: i32) -> &[Done] {
        self.between.get(&log).map_or(&[], Vec::as_slice)
    }

    /// What installed programs are called for and do inside calls of libraries.
    pub fn tasks(&self, log: i32) -> &[Done] {
        self.tasks.get(&log).map_or(&[], Vec::as_slice)
    }

    /// The logs with samples.
    pub fn logs(&self) -> impl Iterator<Item = i32> {
        self.between.keys().copied()
    }

    /// Converting text, by process, file and direction: seconds at least, and at most. In
    /// `numbers`, files of nothing but numbers, what interpreters and libraries do beside it
    /// may be for it, too.
    pub fn text(&self, log: i32, numbers: &HashSet<(i32, u64)>) -> BTreeMap<TextKey, (f64, f64)> {
        let mut text: BTreeMap<TextKey, (f64, f64)> = BTreeMap::new();
        for done in self.of_log(log) {
            let is_text = done.work == Work::Text;
            let is_for_it = numbers.contains(&(log, done.file_id))
                && (done.work == Work::Python
                    || (done.work == Work::Own && is_for_formats(&done.library)));
            let (low_s, high_s) = match (is_text, is_for_it) {
                (true, _) => (done.passed_s, done.passed_s),
                (false, true) => (0.0, done.passed_s),
                (false, false) => continue,
            };
            let key = (done.rank, done.file_id, done.layer, done.op == Op::Write);
            let sum = text.entry(key).or_default();
            *sum = (sum.0 + low_s, sum.1 + high_s);
        }
        text.retain(|_, (low_s, _)| *low_s > 0.0);
        text
    }
}

/// May a library convert numbers for a program? The program itself computes.
fn is_for_formats(library: &str) -> bool {
    library.contains(".so") && !MATHEMATICS.iter().any(|name| library.starts_with(name))
}

/// Process, file, layer, and whether it is written.
pub(super) type TextKey = (i32, u64, Layer, bool);

fn done(part: &Part, calls: &Calls, relays: &Relays) -> Option<Done> {
    let stream = &calls.streams[part.stream? as usize];
    Some(Done {
        rank: relays.of(part.log, part.rank),
        work: part.work,
        library: part.library.clone(),
        layer: stream.layer,
        op: stream.op,
        file_id: stream.file_id,
        passed_s: part.passed_s,
    })
}
