//! Objects that the interpreter makes for a library are that library's work.
//!
//! `json.loads` spends most of its time outside of its own library: in the interpreter, which
//! allocates objects, fills dictionaries and looks for garbage. A sample names the innermost code
//! only, but what the interpreter makes objects for runs between them: the library itself, other
//! compiled code, or the loop that interprets a program. The nearest of these in time decides.

use super::processor_samples::{Helps, Samples, TakenSample};
use crate::work_kinds::Work;

/// Who is farther away in time, in seconds, is not whom it works for.
fn reach_s(of: &TakenSample) -> f64 {
    let least_s = match of.helps {
        Helps::Nobody => return 0.0,
        Helps::Objects => 0.01f64,
        Helps::Garbage => 0.3,
    };
    least_s.max(4.0 * of.weight_s)
}

/// Gives these samples to the library that they work for.
pub(super) fn attribute(samples: &mut Samples) {
    let mut threads = std::mem::take(&mut samples.threads);
    for taken in threads.values_mut() {
        of_thread(samples, taken);
    }
    samples.threads = threads;
}

fn of_thread(samples: &Samples, taken: &mut [TakenSample]) {
    let decides = |of: &TakenSample| {
        let work = samples.code(of).0;
        of.helps == Helps::Nobody && !matches!(work, Work::Shared | Work::Recorder)
    };
    // Of each sample the next one that decides, from its own position on.
    let mut next: Vec<Option<usize>> = vec![None; taken.len()];
    let mut found = None;
    for at in (0..taken.len()).rev() {
        found = if decides(&taken[at]) { Some(at) } else { found };
        next[at] = found;
    }
    let mut last: Option<usize> = None;
    for at in 0..taken.len() {
        if next[at] == Some(at) {
            last = Some(at);
            continue;
        }
        let of = taken[at];
        let away_s = |other: usize| (taken[other].time_s - of.time_s).abs();
        let near = last.into_iter().chain(next[at]);
        let nearest = near.min_by(|a, b| away_s(*a).total_cmp(&away_s(*b)));
        let reach_s = reach_s(&of);
        if let Some(other) = nearest.filter(|other| away_s(*other) <= reach_s) {
            let (work, toward) = (samples.code(&taken[other]).0, taken[other].toward);
            if makes_objects(work) {
                (taken[at].code, taken[at].toward) = (taken[other].code, toward);
            }
        }
    }
}

/// Libraries that turn bytes into objects, or back.
fn makes_objects(work: Work) -> bool {
    matches!(
        work,
        Work::Text | Work::Serialisation | Work::Decoding | Work::Hdf5 | Work::Netcdf | Work::Task
    )
}

#[cfg(test)]
mod tests {
    use super::super::processor_samples::Toward;
    use super::*;

    /// Works of samples a millisecond apart: `j` of a library that reads text, `e` of the loop of
    /// programs, `n` of other compiled code, `o` and `g` of the interpreter's objects and garbage.
    fn works(of: &str) -> String {
        let mut samples = Samples::default();
        let text = samples.add_code(Work::Text, "_json.so");
        let python = samples.add_code(Work::Python, "libpython.so");
        let own = samples.add_code(Work::Own, "numpy.so");
        let sample = |(at, letter): (usize, char)| TakenSample {
            time_s: at as f64 * 1e-3,
            weight_s: 1e-3,
            code: match letter {
                'j' => text,
                'n' => own,
                _ => python,
            },
            toward: Toward::Unknown,
            helps: match letter {
                'o' => Helps::Objects,
                'g' => Helps::Garbage,
                _ => Helps::Nobody,
            },
        };
        samples.threads.insert((0, 0, 1), of.chars().enumerate().map(sample).collect());
        attribute(&mut samples);
        let letter = |of: &TakenSample| match samples.code(of).0 {
            Work::Text => 't',
            Work::Own => 'n',
            _ => 'p',
        };
        samples.threads[&(0, 0, 1)].iter().map(letter).collect()
    }

    #[test]
    fn objects_belong_to_the_library_that_they_are_made_for() {
        assert_eq!(works("jooojoo"), "ttttttt");
        assert_eq!(works("eoojoo"), "pptttt");
        assert_eq!(works("noon"), "nppn", "numpy takes and gives what the program works with");
    }

    #[test]
    fn what_is_far_away_decides_nothing() {
        let sorts = "o".repeat(40);
        let all = works(&format!("jo{sorts}e"));
        assert_eq!(all.matches('t').count(), 11, "{all}");
        assert_eq!(works(&format!("j{}e", "g".repeat(40))).matches('t').count(), 21);
    }

    #[test]
    fn the_loop_of_programs_is_distinguished_where_there_are_symbols() {
        let of = |function, is_inside| Helps::of(Work::Python, function, is_inside);
        assert_eq!(of("_PyEval_EvalFrameDefault", true), Helps::Nobody);
        assert_eq!(of("_PyEval_EvalFrameDefault", false), Helps::Objects);
        assert_eq!(of("_PyObject_Malloc", true), Helps::Objects);
        assert_eq!(of("gc_collect_main", true), Helps::Garbage);
        assert_eq!(of("", false), Helps::Nobody);
        assert_eq!(Helps::of(Work::Own, "insertdict", true), Helps::Nobody);
    }
}
