//! Table `processor_sample` by thread, each sample with the kind of work that its
//! code does.

use crate::hash::HashMap;
use crate::installed::Installed;
use crate::work_kinds::{Work, WorkKinds};
use diya_tables::{BatchSource, processor_sample};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

diya_tables::columns! {
    struct SampleColumns of processor_sample {
        log: i32,
        process: i32,
        rank: i32,
        thread: u64,
        time_s: f64,
        weight_s: f64,
        module: str,
        function: str,
        is_inside: bool,
    }
}

/// Log, rank, thread as recorded.
pub(super) type Thread = (i32, i32, u64);

/// One sample.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakenSample {
    pub time_s: f64,
    pub weight_s: f64,
    /// Position in [`Samples::codes`].
    pub code: u32,
    /// Which of the calls beside it packing and unpacking are for.
    pub toward: Toward,
    /// Whether it works for other code.
    pub helps: Helps,
}

/// What code that packs or decodes does, by the name of its function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Toward {
    #[default]
    Unknown,
    /// It takes apart what was read.
    Read,
    /// It makes what will be written.
    Write,
}

impl Toward {
    fn of(work: Work, function: &str) -> Self {
        const UNPACKS: [&str; 3] = ["inflate", "decompress", "decode"];
        const PACKS: [&str; 3] = ["deflate", "compress", "encode"];
        if !matches!(work, Work::Compression | Work::Decoding) {
            return Self::Unknown;
        }
        let name = function.to_ascii_lowercase();
        match () {
            () if UNPACKS.iter().any(|word| name.contains(word)) => Self::Read,
            () if PACKS.iter().any(|word| name.contains(word)) => Self::Write,
            () => Self::Unknown,
        }
    }
}

/// What the code of a sample says about who it works for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Helps {
    /// It works for itself.
    #[default]
    Nobody,
    /// It makes, changes or frees objects.
    Objects,
    /// It looks for garbage among all objects: now and then, for long.
    Garbage,
}

impl Helps {
    /// Of code in the interpreter, where its symbols tell the loop of programs from the rest.
    pub fn of(work: Work, function: &str, is_inside: bool) -> Self {
        const LOOPS: [&str; 3] = ["_PyEval_", "PyEval_", "_TAIL_CALL_"];
        const GARBAGE: [&str; 4] = ["gc_collect", "visit_", "deduce_unreachable", "_traverse"];
        let is_loop = is_inside && LOOPS.iter().any(|name| function.starts_with(name));
        match () {
            () if work != Work::Python || function.is_empty() || is_loop => Self::Nobody,
            () if GARBAGE.iter().any(|name| function.contains(name)) => Self::Garbage,
            () => Self::Objects,
        }
    }
}

/// All samples, the recorder's own, too: what passes for them passes for no other.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// In the order of time.
    pub threads: BTreeMap<Thread, Vec<TakenSample>>,
    /// Kind of work, and number of the library.
    codes: Vec<(Work, u32)>,
    libraries: Vec<String>,
}

impl Samples {
    /// What an installed program packs or formats is its task, also where a rank started it.
    pub fn read(tables: &[Arc<dyn BatchSource>], installed: &Installed) -> Self {
        let mut all = Self::default();
        let mut kinds = WorkKinds::default();
        let mut numbers: HashMap<(Work, String), u32> = HashMap::default();
        for of in SampleColumns::all(tables) {
            let (logs, ranks, threads) = (of.log.values(), of.rank.values(), of.thread.values());
            let (times, weights) = (of.time_s.values(), of.weight_s.values());
            for row in 0..of.rows() {
                let [module, function] =
                    [&of.module, &of.function].map(|text| text.get(row).unwrap_or_default());
                let is_inside = of.is_inside.value(row);
                let work = match kinds.of_code(module, function, is_inside) {
                    Work::Text | Work::Fortran | Work::Compression
                        if installed.is_process(logs[row], of.process.value(row)) =>
                    {
                        Work::Task
                    }
                    work => work,
                };
                let is_number = times[row].is_finite() && weights[row].is_finite();
                if !is_number || weights[row] <= 0.0 {
                    continue;
                }
                let code = *numbers.entry((work, short(module))).or_insert_with_key(|key| {
                    let next = u32::try_from(all.codes.len()).unwrap_or(u32::MAX);
                    all.codes.push((work, next));
                    all.libraries.push(key.1.clone());
                    next
                });
                let thread = all.threads.entry((logs[row], ranks[row], threads[row])).or_default();
                let (time_s, weight_s) = (times[row], weights[row]);
                thread.push(TakenSample {
                    time_s,
                    weight_s,
                    code,
                    toward: Toward::of(work, function),
                    helps: Helps::of(work, function, is_inside),
                });
            }
        }
        for taken in all.threads.values_mut() {
            taken.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
        }
        all
    }

    /// A further kind of work by a library, as a code for samples.
    pub fn add_code(&mut self, work: Work, library: &str) -> u32 {
        let next = u32::try_from(self.codes.len()).unwrap_or(u32::MAX);
        self.codes.push((work, next));
        self.libraries.push(library.to_owned());
        next
    }

    /// Gives samples of a thread that were seen in the interpreter another code.
    pub fn set_code(&mut self, thread: Thread, range: Range<usize>, code: u32) {
        let taken = self.threads.get_mut(&thread).and_then(|taken| taken.get_mut(range));
        for sample in taken.into_iter().flatten() {
            let work = self.codes.get(sample.code as usize).map(|code| code.0);
            if matches!(work, Some(Work::Python | Work::Shared)) {
                sample.code = code;
            }
        }
    }

    /// Kind of work, and number of the library.
    pub fn code(&self, taken: &TakenSample) -> (Work, u32) {
        self.codes.get(taken.code as usize).copied().unwrap_or((Work::Own, 0))
    }

    /// Name of a library.
    pub fn library(&self, number: u32) -> String {
        self.libraries.get(number as usize).cloned().unwrap_or_default()
    }
}

/// A library's name without its version, and without what packages and the interpreter
/// add: `libz.so`, `_json.so`. The file name of a program.
fn short(module: &str) -> String {
    let file = module.rsplit('/').next().unwrap_or_default();
    match (file.find(".cpython-"), file.find(".so")) {
        (Some(at), _) => format!("{}.so", &file[..at]),
        (None, Some(at)) => file[..at + 3].to_owned(),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Toward, short};
    use crate::work_kinds::Work;

    #[test]
    fn names_of_functions_say_whether_they_pack() {
        let of = |function| Toward::of(Work::Compression, function);
        assert_eq!(of("inflateBackEnd"), Toward::Read);
        assert_eq!(of("BZ2_bzDecompress"), Toward::Read);
        assert_eq!(of("deflate_slow"), Toward::Write);
        assert_eq!(of("crc32_z"), Toward::Unknown);
        assert_eq!(Toward::of(Work::Text, "inflate"), Toward::Unknown);
    }

    #[test]
    fn a_library_has_a_short_name() {
        assert_eq!(short("/lib/x86_64-linux-gnu/libz.so.1.2.13"), "libz.so");
        assert_eq!(short("/v/_json.cpython-311-x86_64-linux-gnu.so"), "_json.so");
        assert_eq!(short("/home/me/simulate"), "simulate");
    }
}
