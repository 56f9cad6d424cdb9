//! The result of a comparison: faster, slower, or equal within run-to-run variation.

use super::noise::is_beyond;
use diya_model::{bytes_text, calls_text, part_s, percent_text};
use diya_report::Confidence;
use diya_report::comparison::{ComparedRun, Noise, Outcome};

/// A change of I/O below this share of the run time does not count: see the share
/// below which I/O is not reported as a problem.
const MATTERS: f64 = 0.01;

/// Runs that differ by less transfer the same bytes, except for a header or a log line.
const SAME_BYTES: f64 = 0.01;

/// A time in both runs.
#[derive(Debug, Clone, Copy)]
struct Pair {
    before_s: f64,
    after_s: f64,
    /// Beyond the noise, and enough to matter.
    has_changed: bool,
}

impl Pair {
    fn is_slower(&self) -> bool {
        self.has_changed && self.after_s > self.before_s
    }

    fn is_faster(&self) -> bool {
        self.has_changed && self.after_s < self.before_s
    }

    /// Both times in one unit.
    fn texts(&self) -> [String; 2] {
        let whole_s = self.before_s.max(self.after_s);
        [self.before_s, self.after_s].map(|s| part_s(s, whole_s))
    }

    /// `60.0 s instead of 80.0 s (-25 %)`; from a factor of two on, the factor is clearer.
    fn text(&self) -> String {
        let (before_s, after_s) = (self.before_s, self.after_s);
        let change = match after_s / before_s {
            _ if before_s <= 0.0 || after_s <= 0.0 => String::new(),
            factor if factor >= 2.0 => format!(" ({} as long)", times(factor)),
            factor if factor <= 0.1 => format!(" ({} faster)", times(1.0 / factor)),
            factor if factor > 1.0 => format!(" (+{})", percent_text(factor - 1.0)),
            factor => format!(" ({})", percent_text(factor - 1.0)),
        };
        let [before, after] = self.texts();
        format!("{after} instead of {before}{change}")
    }
}

/// `2.5 times`, `660 times`.
fn times(factor: f64) -> String {
    match factor {
        factor if factor < 9.95 => format!("{factor:.1} times"),
        factor => format!("{} times", calls_text(factor.round() as u64)),
    }
}

/// The run-to-run variation, as a sentence.
fn by_chance(noise_ratio: f64) -> String {
    let size = match noise_ratio {
        ratio if ratio < 1.0 => percent_text(ratio),
        ratio => format!("a factor of {:.1}", ratio + 1.0),
    };
    format!("Differences below {size} count as run-to-run variation.")
}

/// Outcome, sentence and regressions.
pub(super) struct Answer {
    pub outcome: Outcome,
    pub text: String,
    pub regressions: Vec<String>,
}

/// Compares run `name` with run A.
pub(super) fn answer(name: &str, a: &ComparedRun, b: &ComparedRun, noise: Noise) -> Answer {
    let run = a.run_s.zip(b.run_s).map(|(before_s, after_s)| Pair {
        before_s,
        after_s,
        has_changed: is_beyond(before_s, after_s, noise.run_ratio),
    });
    let least_s = MATTERS * a.run_s.unwrap_or(0.0);
    let io = a.io_s.zip(b.io_s).map(|(before_s, after_s)| Pair {
        before_s,
        after_s,
        has_changed: is_beyond(before_s, after_s, noise.io_ratio)
            && (after_s - before_s).abs() >= least_s
            && same_way(a, b),
    });
    let mut regressions = Vec::new();
    if let Some(run) = run.filter(Pair::is_slower) {
        regressions.push(format!("the run takes {}", run.text()));
    }
    // Twice the work may take twice the time: then the rates are compared.
    let is_io_regression = io.is_some_and(|io| io.is_slower() && !explains(a, b, io, noise));
    if let Some(io) = io.filter(|_| is_io_regression) {
        regressions.push(format!("I/O takes {}", io.text()));
    }
    let (outcome, text) = match (run, io) {
        (None, None) => {
            let text =
                format!("{name} cannot be compared with A: the times of one run are unknown.");
            (Outcome::Unknown, text)
        }
        (run, io) => told(name, run, io, noise),
    };
    Answer { outcome, text, regressions }
}

fn told(name: &str, run: Option<Pair>, io: Option<Pair>, noise: Noise) -> (Outcome, String) {
    let beside = |what: &str, pair: Option<Pair>| {
        let text = pair.map(|pair| match pair.has_changed {
            true => format!(", {what} {}", pair.text()),
            false => {
                let [before, after] = pair.texts();
                format!(", {what} {before} and {after}")
            }
        });
        text.unwrap_or_default()
    };
    match (run, io) {
        (Some(run), io) if run.has_changed => {
            let outcome = if run.is_faster() { Outcome::Faster } else { Outcome::Slower };
            let word = if run.is_faster() { "faster" } else { "slower" };
            let (io, chance) = (beside("I/O", io), by_chance(noise.run_ratio));
            (outcome, format!("{name} is {word}: the run took {}{io}. {chance}", run.text()))
        }
        (run, Some(io)) if io.has_changed => {
            let outcome = if io.is_faster() { Outcome::Faster } else { Outcome::Slower };
            let word = if io.is_faster() { "less" } else { "more" };
            let chance = by_chance(noise.io_ratio);
            let run = run.map(|run| {
                let [a, b] = run.texts();
                format!(" The run times, {a} and {b}, are equal within this variation.")
            });
            let text = format!("{name} spends {word} time in I/O: {}. {chance}", io.text());
            (outcome, format!("{text}{}", run.unwrap_or_default()))
        }
        (run, io) => {
            let run = beside("the run took", run);
            let io = beside("I/O", io);
            let both = format!("{run}{io}");
            let both = both.trim_start_matches(", ");
            (Outcome::Same, format!("{name} and A are equal within run-to-run variation: {both}."))
        }
    }
}

/// Where counters leave open how long I/O took, both ends have to move alike.
fn same_way(a: &ComparedRun, b: &ComparedRun) -> bool {
    let ends = |run: &ComparedRun| run.verdict.io_low_s.zip(run.verdict.io_high_s);
    match ends(a).zip(ends(b)) {
        Some(((low_a, high_a), (low_b, high_b))) => (low_b - low_a) * (high_b - high_a) >= 0.0,
        None => true,
    }
}

/// Is the time longer just because there is more to move?
fn explains(a: &ComparedRun, b: &ComparedRun, io: Pair, noise: Noise) -> bool {
    let bytes = |run: &ComparedRun| run.verdict.bytes.filter(|bytes| *bytes > 0);
    let Some((before, after)) = bytes(a).zip(bytes(b)) else { return false };
    let work = after as f64 / before as f64;
    work > 1.0 + SAME_BYTES
        && !is_beyond(io.before_s * work, io.after_s.max(io.before_s * work), noise.io_ratio)
}

/// Where the runs did not do the same.
pub(super) fn other_work(name: &str, a: &ComparedRun, b: &ComparedRun) -> Vec<String> {
    let mut differences = Vec::new();
    let program = |run: &ComparedRun| {
        let command = run.job.command.clone()?;
        let first = command.split_whitespace().next()?;
        first.rsplit('/').next().map(str::to_owned)
    };
    if let (Some(x), Some(y)) = (program(a), program(b))
        && x != y
    {
        differences.push(format!("{name} ran {y}, A ran {x}"));
    }
    let mut amount = |what: &str, x: Option<i64>, y: Option<i64>| {
        if let (Some(x), Some(y)) = (x, y)
            && x != y
        {
            differences.push(format!("{name} ran on {y} {what}, A on {x}"));
        }
    };
    amount("processes", a.job.nprocs, b.job.nprocs);
    amount("nodes", a.job.nodes, b.job.nodes);
    if a.job.applied != b.job.applied {
        let list = |run: &ComparedRun| match run.job.applied.join(", ") {
            none if none.is_empty() => "no applied settings".to_owned(),
            settings => settings,
        };
        differences.push(format!("{name} ran with {}, A with {}", list(b), list(a)));
    }
    if let (Some(x), Some(y)) = (a.verdict.bytes, b.verdict.bytes)
        && is_beyond(x as f64, y as f64, SAME_BYTES)
    {
        let text = |bytes: i64| bytes_text(u64::try_from(bytes).unwrap_or(0));
        differences.push(format!(
            "{name} transferred {}, A {}: the cause can be a fix or different work",
            text(y),
            text(x)
        ));
    }
    for (name, run) in [("A", a), (name, b)] {
        if run.verdict.confidence == Confidence::Low {
            differences.push(format!("{name} was not recorded completely: see `diya report`"));
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_report::Verdict;

    const NOISE: Noise = Noise { run_ratio: 0.106, io_ratio: 0.106, is_measured: false };

    fn run(run_s: f64, io_s: f64, bytes: i64) -> ComparedRun {
        let confidence = Confidence::High;
        let verdict = Verdict { bytes: Some(bytes), confidence, ..Verdict::default() };
        ComparedRun { run_s: Some(run_s), io_s: Some(io_s), verdict, ..ComparedRun::default() }
    }

    fn told(a: &ComparedRun, b: &ComparedRun) -> (Outcome, String, usize) {
        let Answer { outcome, text, regressions } = answer("B", a, b, NOISE);
        (outcome, text, regressions.len())
    }

    #[test]
    fn a_gain_beyond_the_noise_is_told() {
        let (outcome, text, regressions) = told(&run(80.0, 12.0, 1), &run(60.0, 4.0, 1));
        assert_eq!((outcome, regressions), (Outcome::Faster, 0));
        assert_eq!(
            text,
            "B is faster: the run took 60.0 s instead of 80.0 s (-25 %), I/O 4.0 s instead of \
             12.0 s (-67 %). Differences below 11 % count as run-to-run variation."
        );
    }

    #[test]
    fn large_changes_are_told_as_factors() {
        let text = |before_s, after_s| Pair { before_s, after_s, has_changed: true }.text();
        assert_eq!(text(117.0, 0.18), "0.18 s instead of 117 s (650 times faster)");
        assert_eq!(text(1.0, 2.5), "2.50 s instead of 1.00 s (2.5 times as long)");
        assert_eq!(text(1.0, 1.5), "1.50 s instead of 1.00 s (+50 %)");
        assert_eq!(text(0.0, 1.5), "1.50 s instead of 0 s");
        assert_eq!(
            by_chance(6.07),
            "Differences below a factor of 7.1 count as run-to-run variation."
        );
    }

    #[test]
    fn within_the_noise_nothing_is_claimed() {
        let (outcome, text, regressions) = told(&run(80.0, 12.0, 1), &run(84.0, 13.0, 1));
        assert_eq!((outcome, regressions), (Outcome::Same, 0));
        assert!(text.starts_with("B and A are equal within run-to-run variation: "), "{text}");
    }

    #[test]
    fn slow_io_in_a_run_of_the_same_length_is_a_regression() {
        let (outcome, text, regressions) = told(&run(80.0, 12.0, 1), &run(82.0, 18.0, 1));
        assert_eq!((outcome, regressions), (Outcome::Slower, 1));
        assert!(text.contains("are equal within this variation"), "{text}");
    }

    #[test]
    fn little_io_may_double_without_harm() {
        assert_eq!(told(&run(80.0, 0.1, 1), &run(80.0, 0.2, 1)).0, Outcome::Same);
    }

    #[test]
    fn more_work_is_no_regression_of_io() {
        let (a, b) = (run(80.0, 12.0, 1000), run(85.0, 24.0, 2000));
        assert_eq!(told(&a, &b).2, 0);
        assert_eq!(other_work("B", &a, &b).len(), 1);
        assert_eq!(told(&a, &run(85.0, 48.0, 2000)).2, 1);
    }

    #[test]
    fn without_times_there_is_no_answer() {
        let empty = ComparedRun::default();
        assert_eq!(told(&empty, &empty).0, Outcome::Unknown);
    }
}
