//! Limits in words: what stands before the value of a parameter.

/// Words for the name of a parameter: `at least` for `min_calls` in calls, `factor: at
/// least` for `min_factor`. What the unit says already is left out.
pub(crate) fn label(name: &str, unit: &str) -> String {
    let (first, rest) = name.split_once('_').unwrap_or((name, ""));
    let bound = match first {
        "min" | "few" | "least" => "at least",
        "max" | "most" => "at most",
        _ => return of_name(name),
    };
    let rest = rest.strip_suffix("_ratio").unwrap_or(rest);
    let is_unit = matches!(
        (rest, unit),
        ("ratio" | "", _) | ("s" | "seconds", "s") | ("calls", "calls") | ("files", "files")
    ) || rest == unit;
    match (first, is_unit) {
        ("few", true) => "if they are slow, at least".to_owned(),
        ("least", _) => "saving: at least".to_owned(),
        (_, true) => bound.to_owned(),
        _ => format!("{}: {bound}", rest.replace('_', " ")),
    }
}

/// Names that say themselves how they compare.
fn of_name(name: &str) -> String {
    if name == "worth_ratio" {
        return "saving of the run: at least".to_owned();
    }
    let words = [("_below", "below"), ("_to", "up to"), ("_from", "from"), ("_bytes", "from")];
    let found = words.iter().find_map(|(end, word)| Some((name.strip_suffix(end)?, word)));
    match found {
        Some((what, word)) => format!("{}: {word}", what.replace('_', " ")),
        None => format!("{}:", name.replace('_', " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn a_limit_reads_as_words() {
        assert_eq!(label("min_calls", "calls"), "at least");
        assert_eq!(label("min_ratio", "1"), "at least");
        assert_eq!(label("min_factor", "1"), "factor: at least");
        assert_eq!(label("max_period", "s"), "period: at most");
        assert_eq!(label("small_below", "bytes"), "small: below");
        assert_eq!(label("few_calls", "calls"), "if they are slow, at least");
        assert_eq!(label("worth_ratio", "1"), "saving of the run: at least");
        assert_eq!(label("own", "bytes"), "own:");
    }
}
