//! The table of docs/guide/views/README.md: what each view of the page answers.
//!
//! Title and question are the first lines of the view's page of the guide. Its row stands where
//! its tab stands: the folder of the view in `web/src/views` declares its place.

use std::path::{Path, PathBuf};

const PAGE: &str = "docs/guide/views/README.md";
const BEGIN: &str = "<!-- views: `cargo xtask generate` writes the table -->\n";
const END: &str = "<!-- views: end -->\n";

struct Row {
    place: u32,
    id: String,
    title: String,
    question: String,
}

/// The list of the guide, with the rows of today between its marks.
pub fn files(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let folder = root.join("web/src/views");
    let fail = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut rows = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(fail)? {
        let id = entry.map_err(fail)?.file_name().to_string_lossy().into_owned();
        let declared = read(root, &format!("web/src/views/{id}/view.ts"), place)?;
        let page = format!("docs/guide/views/{id}.md");
        let (title, question) = read(root, &page, title_and_question)?;
        rows.push(Row { place: declared, id, title, question });
    }
    rows.sort_by_key(|row| row.place);
    Ok(vec![(PathBuf::from(PAGE), super::between(root, PAGE, [BEGIN, END], &table(&rows))?)])
}

/// What `parse` finds in a file, or what the file should have.
fn read<T>(
    root: &Path,
    path: &str,
    parse: fn(&str) -> Result<T, &'static str>,
) -> Result<T, String> {
    let text = std::fs::read_to_string(root.join(path)).map_err(|e| format!("{path}: {e}"))?;
    parse(&text).map_err(|what| format!("{path}: {what}"))
}

fn place(declaration: &str) -> Result<u32, &'static str> {
    let mut lines = declaration.lines().filter_map(|line| line.trim().strip_prefix("place: "));
    let number = lines.next().and_then(|rest| rest.strip_suffix(',')?.parse().ok());
    number.ok_or("a line `place: NUMBER,` must say where the view stands")
}

/// The first line and the first paragraph, which is one line.
fn title_and_question(page: &str) -> Result<(String, String), &'static str> {
    let mut paragraphs = page.split("\n\n").map(str::trim);
    let title = paragraphs.next().and_then(|line| line.strip_prefix("# "));
    let question = paragraphs.next().filter(|text| !text.is_empty() && !text.contains('\n'));
    let both = title.zip(question).map(|(title, question)| (title.to_owned(), question.to_owned()));
    both.ok_or("begin with `# NAME`, a blank line and, in one line, the question that it answers")
}

fn table(rows: &[Row]) -> String {
    let mut out = "| view | answers |\n|---|---|\n".to_owned();
    for Row { id, title, question, .. } in rows {
        out += &format!("| [{title}]({id}.md) | {question} |\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_a_line_of_the_declaration() {
        assert_eq!(place("export const view = {\n  name: \"A\",\n  place: 30,\n};\n"), Ok(30));
        assert!(place("export const view = { name: \"A\" };\n").is_err());
    }

    #[test]
    fn a_page_begins_with_its_name_and_its_question() {
        let found = title_and_question("# Ranks\n\nWhich are slow?\n\n![Ranks](ranks.png)\n");
        assert_eq!(found, Ok(("Ranks".to_owned(), "Which are slow?".to_owned())));
        assert!(title_and_question("# Ranks\n").is_err());
        assert!(title_and_question("# Ranks\n\nTwo\nlines\n").is_err());
    }
}
