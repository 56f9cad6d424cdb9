//! Which file of a C library uses which: by what it includes, and by whose functions it calls.
//!
//! `x.c` and `x.h` are one unit. A function belongs to the file that defines it, wherever it is
//! declared. The functions of our libraries have a prefix, so that hooks named like the C
//! library's are not taken for calls of them.

use std::collections::{BTreeMap, BTreeSet};

use super::SourceFile;
use super::uses::Graph;

/// Sources whose units may not form a circle.
const FOLDERS: &[&str] = &["apply/src/", "blockio/src/", "capture/src/"];

const PREFIXES: &[&str] = &["apply_", "diya_"];

/// The units that each unit uses, by their paths without extension.
pub(super) fn of_libraries(files: &[SourceFile]) -> Graph {
    let texts: Vec<(&str, &SourceFile, String)> = files
        .iter()
        .filter(|file| FOLDERS.iter().any(|folder| file.path.starts_with(folder)))
        .filter(|file| ["c", "h"].contains(&file.extension()))
        .map(|file| (unit(&file.path), file, without_comments(&file.text)))
        .collect();
    let units: BTreeSet<&str> = texts.iter().map(|(unit, ..)| *unit).collect();
    let mut homes: BTreeMap<&str, &str> = BTreeMap::new();
    for (unit, _, text) in texts.iter().filter(|(_, file, _)| file.extension() == "c") {
        homes.extend(defined(text).into_iter().map(|name| (name, *unit)));
    }
    let mut graph = Graph::new();
    for (unit, _, text) in &texts {
        let used = graph.entry((*unit).to_owned()).or_default();
        let included = included(unit, text).into_iter().filter(|other| units.contains(&**other));
        let called = called(text).into_iter().filter_map(|name| homes.get(name));
        used.extend(included.chain(called.map(|home| (*home).to_owned())));
        used.remove(*unit);
    }
    graph
}

fn unit(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(unit, _)| unit)
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| code + part.split_once("*/").map_or("", |(_, after)| after))
}

/// Functions that a file defines for others: what stands before a `{` at the start of a line.
fn defined(text: &str) -> Vec<&str> {
    let mut heads: Vec<&str> = text.split("\n{").collect();
    heads.pop();
    let signature = |head: &str| head.rfind("\n\n").map_or(0, |at| at + 2);
    heads
        .into_iter()
        .map(|head| &head[signature(head)..])
        .filter(|signature| !signature.contains("static "))
        .filter_map(|signature| words(signature.split('(').next()?).next_back())
        .filter(|name| is_ours(name))
        .collect()
}

/// Units whose headers it includes from its own folder.
fn included(unit: &str, text: &str) -> Vec<String> {
    let folder = unit.rsplit_once('/').map_or("", |(folder, _)| folder);
    text.lines()
        .filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix(".h\""))
        .map(|name| format!("{folder}/{name}"))
        .collect()
}

/// Functions that are called in bodies, which are indented; those of macros are the users'.
fn called(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with([' ', '\t']) && !line.ends_with('\\'))
        .flat_map(|line| {
            line.split('(').rev().skip(1).filter_map(|before| words(before).next_back())
        })
        .filter(|name| is_ours(name))
        .collect()
}

fn is_ours(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c: char| !is_part(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::*;

    fn uses(files: &[(&str, &str)], unit: &str) -> Vec<String> {
        let files: Vec<SourceFile> = files.iter().map(|(path, text)| file(path, text)).collect();
        of_libraries(&files)[unit].iter().cloned().collect()
    }

    #[test]
    fn a_header_and_its_source_are_one_unit() {
        let files = [
            ("capture/src/a.h", "#include \"b.h\"\n"),
            ("capture/src/a.c", "#include \"a.h\"\n#include <c.h>\n"),
            ("capture/src/b.h", ""),
        ];
        assert_eq!(uses(&files, "capture/src/a"), ["capture/src/b"]);
    }

    #[test]
    fn a_function_belongs_to_the_file_that_defines_it() {
        let files = [
            ("apply/src/all.h", "void apply_a(void);\nvoid apply_b(void);\n"),
            ("apply/src/a.c", "void apply_a(void)\n{\n    if (apply_b())\n        return;\n}\n"),
            ("apply/src/b.c", "int x;\n\nbool apply_b(void)\n{\n    return x;\n}\n"),
        ];
        assert_eq!(uses(&files, "apply/src/a"), ["apply/src/b"]);
        assert!(uses(&files, "apply/src/all").is_empty(), "a declaration is no use");
    }

    #[test]
    fn comments_and_macros_use_nothing() {
        let files = [
            ("capture/src/a.h", "#define A \\\n    diya_b() \\\n/* calls\n   diya_b() */\n"),
            ("capture/src/b.c", "void diya_b(void)\n{\n}\n"),
        ];
        assert!(uses(&files, "capture/src/a").is_empty());
    }
}
