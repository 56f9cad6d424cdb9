//! No column by its number: a column has a name and a type, and `diya_tables::columns!`
//! reads it by them.

use super::{Complaint, SourceFile};

/// Files that hand a number on, which comes from a role, from a constant with the name of
/// the column, or stands for every column of a table.
const BY_ROLE_OR_CONSTANT: &[&str] = &[
    "crates/diya-export/src/chrome_regions.rs",
    "crates/diya-export/src/dftracer.rs",
    "crates/diya-export/src/otf2/mod.rs",
    "crates/diya-export/src/readable.rs",
    "crates/diya-export/src/rows.rs",
    "crates/diya-fleet/src/extract/cells.rs",
    "crates/diya-fleet/src/hash.rs",
    "crates/diya-metrics/src/model/counters.rs",
    "crates/diya-page/src/files.rs",
    "crates/diya-tables/src/frozen_calls.rs",
];

/// Columns of record batches that code outside of tests reads by number.
pub fn by_number(file: &SourceFile) -> Vec<Complaint> {
    let is_code = file.path.starts_with("crates/") && file.path.contains("/src/");
    let is_test = file.path.contains("/tests/") || file.path.ends_with("/tests.rs");
    if file.extension() != "rs" || !is_code || is_test {
        return Vec::new();
    }
    let may_hand_on = BY_ROLE_OR_CONSTANT.contains(&file.path.as_str());
    let code = file.text.lines().take_while(|line| line.trim() != "#[cfg(test)]").enumerate();
    code.filter(|(_, line)| reads_number(line, may_hand_on))
        .map(|(at, _)| {
            Complaint::at(file, at, "a column by its number: declare it with `columns!`")
        })
        .collect()
}

fn reads_number(line: &str, may_hand_on: bool) -> bool {
    line.match_indices(".column(").any(|(at, call)| {
        let argument = line[at + call.len()..].split([')', ',']).next().unwrap_or_default();
        let is_number = argument.starts_with(|c: char| c.is_ascii_digit());
        let is_batch = line[..at].ends_with("batch") || line[..at].ends_with("keys");
        let is_handed_on = is_batch && !argument.contains("::");
        is_number || (is_handed_on && !may_hand_on)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn a_number_is_refused_and_a_name_is_not() {
        let found = |path: &str, line: &str| by_number(&file(path, line)).len();
        let (own, test) = ("crates/diya/src/a.rs", "crates/diya/tests/a.rs");
        assert_eq!(found(own, "batch.column(3).as_string_view()"), 1);
        assert_eq!(found(own, "let int = |at: usize| batch.column(at)"), 1);
        assert_eq!(found(own, "batch.column(job::LOG)"), 0);
        assert_eq!(found(own, "table.def().column(name)"), 0);
        assert_eq!(found(test, "batch.column(3)"), 0);
        assert_eq!(found(own, "#[cfg(test)]\nmod tests { batch.column(3) }"), 0);
        assert_eq!(found(BY_ROLE_OR_CONSTANT[0], "self.batch.column(column)"), 0);
        assert_eq!(found(BY_ROLE_OR_CONSTANT[0], "self.batch.column(1)"), 1);
    }
}
