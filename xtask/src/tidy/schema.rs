//! Every table of the contract has its page, and every page its table.

use std::collections::BTreeSet;

use super::Complaint;

/// Compares `schema/tables/*.toml` with `docs/generated/tables/*.md`, and the same of
/// `fleet`.
pub fn pages(paths: &[String]) -> Vec<Complaint> {
    ["tables", "fleet"].iter().flat_map(|folder| pages_of(paths, folder)).collect()
}

fn pages_of(paths: &[String], folder: &str) -> Vec<Complaint> {
    let tables = names(paths, &format!("schema/{folder}/"), ".toml");
    let mut pages = names(paths, &format!("docs/generated/{folder}/"), ".md");
    pages.remove("README");
    let without_page = tables.difference(&pages).map(|name| {
        let place = format!("schema/{folder}/{name}.toml");
        Complaint::error(&place, "has no page: run `cargo xtask generate`")
    });
    let without_table = pages.difference(&tables).map(|name| {
        let place = format!("docs/generated/{folder}/{name}.md");
        Complaint::error(&place, "its table is gone: delete it")
    });
    without_page.chain(without_table).collect()
}

/// Stems of the files that stand in `folder` itself and end with `suffix`.
pub fn names<'a>(paths: &'a [String], folder: &str, suffix: &str) -> BTreeSet<&'a str> {
    let stem = |path: &'a String| path.strip_prefix(folder)?.strip_suffix(suffix);
    paths.iter().filter_map(stem).filter(|name| !name.contains('/')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(paths: &[&str]) -> Vec<String> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        pages(&paths).into_iter().map(|complaint| complaint.place).collect()
    }

    #[test]
    fn a_table_with_its_page_is_fine() {
        let paths = ["schema/tables/posix.toml", "docs/generated/tables/posix.md"];
        assert!(places(&paths).is_empty());
        assert!(places(&["docs/generated/tables/README.md"]).is_empty());
    }

    #[test]
    fn a_table_without_page_and_a_page_without_table_are_errors() {
        let paths = ["schema/tables/posix.toml", "docs/generated/tables/stdio.md"];
        assert_eq!(places(&paths), ["schema/tables/posix.toml", "docs/generated/tables/stdio.md"]);
    }
}
