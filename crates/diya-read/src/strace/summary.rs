//! The table that `strace -c` and `-C` print: how often each call was made, and how long it took.

/// Names of the columns; `-U` chooses among them.
const COLUMNS: [&str; 9] =
    ["%", "time", "seconds", "shortest", "longest", "usecs/call", "calls", "errors", "syscall"];
/// What stands above the table where a program has calls of two kinds.
const TITLE: &str = "System call usage summary for ";

/// What was read of the table.
#[derive(Debug, Default)]
pub(super) struct Summary {
    has_begun: bool,
    /// Rows: names of calls.
    pub kinds: u64,
}

/// Does the table begin with this line?
pub(super) fn is_head(line: &str) -> bool {
    let mut words = line.split_whitespace().peekable();
    words.peek().is_some()
        && words.clone().any(|word| word == "syscall")
        && words.all(|word| COLUMNS.contains(&word))
        || line.starts_with(TITLE)
}

impl Summary {
    /// Takes in a line; false: it is none of the table.
    pub fn line(&mut self, line: &str) -> bool {
        if is_head(line) {
            self.has_begun = true;
            return true;
        }
        if !self.has_begun {
            return false;
        }
        let is_rule = |word: &str| word.bytes().all(|byte| byte == b'-');
        let is_number = |word: &str| word.parse::<f64>().is_ok();
        if line.split_whitespace().all(is_rule) {
            return true;
        }
        let mut names = line.split_whitespace().filter(|word| !is_number(word));
        let (name, more) = (names.next(), names.next());
        let has_numbers = line.split_whitespace().any(is_number);
        let is_row = name.is_some() && more.is_none() && has_numbers;
        self.kinds += u64::from(is_row && name != Some("total"));
        is_row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_a_summary_can_be_chosen() {
        for head in [
            "% time     seconds  usecs/call     calls    errors syscall",
            "syscall              calls     seconds",
            "syscall           longest shortest  usecs/call    errors     calls",
            "System call usage summary for 'x32' mode:",
        ] {
            assert!(is_head(head), "{head}");
        }
        assert!(!is_head("% time     seconds") && !is_head("") && !is_head("a syscall"));
    }

    #[test]
    fn rows_are_counted_and_other_lines_are_none() {
        let mut summary = Summary::default();
        assert!(!summary.line("100.00    0.000000           0        51         2 total"));
        let rows = [
            "% time     seconds  usecs/call     calls    errors syscall",
            "------ ----------- ----------- --------- --------- ----------------",
            "  0.00    0.000000           0         1         1 ioctl",
            "  0.00    0.000000           0         3           close",
            "------ ----------- ----------- --------- --------- ----------------",
            "100.00    0.000000           0        51         2 total",
        ];
        assert!(rows.iter().all(|row| summary.line(row)));
        assert!(!summary.line("the program said 5"));
        assert_eq!(summary.kinds, 2);
    }
}
