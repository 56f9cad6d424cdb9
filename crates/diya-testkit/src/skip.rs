//! Tests whose samples are not part of the repository.

use std::io::Write as _;

/// Names the test that is running as skipped, and why. In CI every sample is
/// there: a test that passes because nothing was tested would hide a fault.
///
/// # Panics
///
/// Where the environment has `CI=true`.
pub fn skip(missing: &str) {
    skip_in(missing, std::env::var_os("CI").is_some_and(|ci| ci == "true"));
}

fn skip_in(missing: &str, is_ci: bool) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    assert!(!is_ci, "{missing}: in CI nothing is skipped");
    // Past `eprintln!`, which the test harness keeps to itself where a test passes.
    let _ = writeln!(std::io::stderr(), "skipped {test}: {missing}");
}

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic(expected = "no sample: in CI nothing is skipped")]
    fn a_missing_sample_fails_in_ci() {
        super::skip_in("no sample", true);
    }
}
