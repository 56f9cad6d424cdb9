//! How often diagnoses were right: the foot of each report, and a page of `diya explain`.

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

    fn of_format(format: &str) -> String {
        of(Some(format)).unwrap_or_default()
    }
}
