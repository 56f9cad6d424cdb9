//! Every check names a log in which it has to find something, and one that only resembles its
//! fault. `scripts/confusion.sh` compares: without both, nothing shows that a check works.

use super::{Complaint, SourceFile};

/// Lists of logs in the header of a check, and what a log of each is.
const LISTS: [(&str, &str); 2] = [("planted", "its fault"), ("look_alikes", "a look-alike")];

/// Checks without a log of their fault or without a look-alike.
pub fn lacking(files: &[SourceFile]) -> Vec<Complaint> {
    files.iter().filter(|file| is_check(file)).flat_map(lacks).collect()
}

fn is_check(file: &SourceFile) -> bool {
    file.path.starts_with("checks/") && file.extension() == "md"
}

/// A header that is no TOML names no log; `diya checks test` says where it is wrong.
fn lacks(file: &SourceFile) -> impl Iterator<Item = Complaint> {
    let header: toml::Table =
        file.text.split("+++\n").nth(1).and_then(|text| text.parse().ok()).unwrap_or_default();
    LISTS.into_iter().filter_map(move |(list, what)| {
        let logs = header.get(list).and_then(toml::Value::as_array);
        logs.is_none_or(Vec::is_empty).then(|| {
            let wanted =
                format!("`{list}` names no log of {what} (CONTRIBUTING.md, Plant a fault)");
            Complaint::error(&file.path, wanted)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn found(path: &str, header: &str) -> usize {
        lacking(&[file(path, &format!("+++\nid = \"posix/a\"\n{header}\n+++\n# A\n"))]).len()
    }

    #[test]
    fn a_check_needs_a_log_of_its_fault_and_a_look_alike() {
        let check = "checks/posix/a.md";
        let both = "planted = [\"scenario:one\"]\nlook_alikes = [\n    \"scenario:two\",\n]";
        assert_eq!(found(check, both), 0);
        assert_eq!(found(check, "planted = [\"scenario:one\"]"), 1);
        assert_eq!(found(check, "planted = []\nlook_alikes = [\"scenario:two\"]"), 1);
        assert_eq!(found(check, ""), 2);
        assert_eq!(found("docs/checks/posix/a.md", ""), 0);
    }

    #[test]
    fn names_in_the_text_do_not_count() {
        let text = "+++\nid = \"posix/a\"\n+++\nplanted = [\"a\"]\nlook_alikes = [\"b\"]\n";
        assert_eq!(lacking(&[file("checks/posix/a.md", text)]).len(), 2);
    }
}
