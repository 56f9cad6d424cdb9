//! What `diya run --apply` did inside the processes, in words.

use super::cells::Cells;
use diya_report::counted;
use std::collections::BTreeMap;

/// Sums over processes.
#[derive(Default)]
struct Sums {
    files: i64,
    asked: i64,
    issued: i64,
}

/// A phrase per setting and outcome of the table `applied`: what was applied before what was not.
pub(super) fn effects(applied: &Cells, log: i32) -> Vec<String> {
    let mut all = BTreeMap::<(Option<String>, String), Sums>::new();
    for row in applied.rows(log) {
        let (why_not, setting) = (row.text("why_not"), row.text("setting").unwrap_or_default());
        let sums = all.entry((why_not, setting)).or_default();
        let add = |to: &mut i64, column| {
            *to = to.saturating_add(row.integer(column).unwrap_or(0));
        };
        add(&mut sums.files, "files");
        add(&mut sums.asked, "calls_asked");
        add(&mut sums.issued, "calls_issued");
    }
    all.into_iter().map(|((why_not, setting), sums)| phrase(&setting, why_not, &sums)).collect()
}

fn phrase(setting: &str, why_not: Option<String>, sums: &Sums) -> String {
    let files = counted(sums.files, "file", "files");
    match why_not {
        Some(why) => format!("{setting}: not for {files}: {why}"),
        None if sums.asked > 0 => {
            let calls = |number| counted(number, "call", "calls");
            format!("{setting}: {} instead of {} in {files}", calls(sums.issued), calls(sums.asked))
        }
        None => format!("{setting}: {files}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_short_sentences() {
        let sums = Sums { files: 1, asked: 40_000, issued: 3 };
        let gained = phrase("write_buffer", None, &sums);
        assert_eq!(gained, "write_buffer: 3 calls instead of 40,000 calls in 1 file");
        let why = Some("several processes write it".to_owned());
        let left = phrase("write_buffer", why, &Sums { files: 2, ..Sums::default() });
        assert_eq!(left, "write_buffer: not for 2 files: several processes write it");
        let set = phrase("hdf5_alignment", None, &Sums { files: 4, ..Sums::default() });
        assert_eq!(set, "hdf5_alignment: 4 files");
    }
}
