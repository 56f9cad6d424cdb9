//! How often diagnoses were right: the foot of each report, and a page of `diya explain`.

use diya_checks::Unknown;

/// Written by `lab/rounds/page.py`, from the first tries of all rounds.
pub(crate) const PAGE: &str = include_str!("../../../../docs/reference/accuracy.md");

/// The name by which `diya explain` prints the page.
pub(crate) const NAME: &str = "accuracy";

/// The sentence about logs of this format: the page has one for recordings, one for logs of
/// Darshan, and one for all others.
pub(super) fn of(format: Option<&str>) -> Option<String> {
    let place = match format? {
        "diya" => 0,
        format if format.starts_with("darshan") => 1,
        _ => 2,
    };
    let sentence = PAGE.lines().filter_map(|line| line.strip_prefix("> ")).nth(place)?;
    let sentence = sentence.trim_end_matches('.');
    Some(format!("{sentence} (`diya explain {NAME}`)."))
}

/// The recording that has what this log lacks: for checks that need more data, and for work on files
/// between the calls, which looks like computing without call stacks.
pub(super) fn better_recording(
    format: Option<&str>,
    unknown: &[Unknown],
    has_stacks: bool,
) -> Option<String> {
    let lacks_data = unknown.iter().any(|check| check.topic.is_some());
    let way = match format? == "diya" {
        false if lacks_data => "`diya run --stacks` records it.",
        true if !has_stacks => {
            "`diya run --stacks` shows what of the computing is work on files, and the lines."
        }
        _ => return None,
    };
    Some(way.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_each_kind_have_a_sentence_of_their_own() {
        let [diya, darshan, strace] = ["diya", "darshan-legacy", "strace"].map(of_format);
        assert!(diya.contains("first for") && diya.contains("among the first three"), "{diya}");
        assert!(darshan.contains("Darshan"), "{darshan}");
        assert!(strace.contains("not measured"), "{strace}");
        assert_eq!(of(None), None);
    }

    #[test]
    fn a_log_that_lacks_data_has_a_better_recording() {
        let unknown = [Unknown { topic: Some("locks".to_owned()), ..Unknown::default() }];
        assert!(better_recording(Some("darshan"), &unknown, false).is_some());
        assert!(better_recording(Some("diya"), &[], false).is_some());
        assert_eq!(better_recording(Some("diya"), &unknown, true), None);
        assert_eq!(better_recording(Some("darshan"), &[], false), None);
    }

    fn of_format(format: &str) -> String {
        of(Some(format)).unwrap_or_default()
    }
}
