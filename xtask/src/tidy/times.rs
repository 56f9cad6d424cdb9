//! The times of a layer's counters pass the one rule for negative and missing times
//! (`diya_model::recorded_time`) before a statement computes with them.

use super::{Complaint, SourceFile};

/// SQL functions that apply the rule.
const RULES: [&str; 2] = ["recorded_time", "rank_time"];

/// A variance is no time.
const NO_TIME: &str = "f_variance_rank_time";

/// Counters of time in the SQL of metrics and checks that stand outside of [`RULES`].
pub fn unchecked(file: &SourceFile) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (first, sql) in statements(file) {
        for (line, name) in outside(&sql) {
            let what = format!("`{name}` may be negative: `recorded_time({name})`");
            complaints.push(Complaint::at(file, first + line, what));
        }
    }
    complaints
}

/// The SQL of a file, each part with its first line from 0.
fn statements(file: &SourceFile) -> Vec<(usize, String)> {
    let is_in = |folder: &str, extension: &str| {
        file.path.starts_with(folder) && file.extension() == extension
    };
    if is_in("metrics/", "sql") {
        return vec![(0, file.text.clone())];
    }
    let mut parts: Vec<(usize, String)> = Vec::new();
    let mut is_sql = false;
    for (at, line) in file.text.lines().enumerate().filter(|_| is_in("checks/", "md")) {
        if line.starts_with("```") {
            is_sql = line.starts_with("```sql");
            parts.extend(is_sql.then(|| (at + 1, String::new())));
        } else if let Some((_, part)) = parts.last_mut().filter(|_| is_sql) {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

/// Names of counters of time that no function of [`RULES`] encloses, with their lines. A column
/// that is only passed on (`p.f_read_time,`) is not computed with.
fn outside(sql: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let (mut found, mut open) = (Vec::new(), Vec::<bool>::new());
    for (at, line) in sql.lines().enumerate() {
        let code = line.split("--").next().unwrap_or_default();
        let column = code.trim().trim_start_matches("select ").trim_end_matches(',');
        let is_passed_on = column.chars().all(is_word);
        let mut word = "";
        let mut rest = code;
        while let Some(c) = rest.chars().next() {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(c.len_utf8());
            let (token, tail) = rest.split_at(length);
            match c {
                '(' => open.push(RULES.contains(&word)),
                ')' => drop(open.pop()),
                _ => {}
            }
            let name = token.rsplit('.').next().unwrap_or(token);
            let is_time = name.starts_with("f_") && name.ends_with("_time") && name != NO_TIME;
            if is_time && !is_passed_on && !open.contains(&true) {
                found.push((at, token));
            }
            word = token;
            rest = tail;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    #[test]
    fn a_time_is_used_inside_the_rule_or_passed_on() {
        let found = |sql: &str| unchecked(&file("metrics/all/a.sql", sql)).len();
        assert_eq!(found("select p.f_read_time,\n  f_write_time\nfrom posix as p"), 0);
        assert_eq!(found("select max(recorded_time(f_read_time + f_meta_time)) as s"), 0);
        assert_eq!(
            found("select rank_time(rank, f_read_time, f_read_time, f_slowest_rank_time)"),
            0
        );
        assert_eq!(found("select sqrt(f_variance_rank_time), f_open_start_timestamp as s"), 0);
        assert_eq!(found("-- f_read_time is a sum\nselect 1"), 0);
        assert_eq!(found("select sum(f_read_time) as s,\n recorded_time(1) + p.f_write_time"), 2);
    }

    #[test]
    fn of_a_check_only_the_statements_count() {
        let page = "f_read_time of\n```sql evidence\nselect f_read_time as s\n```\n```fixture posix\n\
                    f_read_time f_write_time\n```\n";
        let complaints = unchecked(&file("checks/posix/a.md", page));
        let places: Vec<&str> = complaints.iter().map(|c| c.place.as_str()).collect();
        assert_eq!(places, ["checks/posix/a.md:3"]);
    }
}
