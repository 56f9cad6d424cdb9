//! A page of Markdown as far as checks use it: header, sections, fenced blocks.
//!
//! Every part keeps its line, so that a later error in it can be reported with
//! file and line.

use crate::CheckError;

/// A page cut into its parts.
pub(crate) struct Page<'t> {
    pub path: &'t str,
    /// Text between the `+++` lines; it starts at line 2.
    pub header: String,
    pub title: String,
    pub sections: Vec<Section<'t>>,
}

/// What stands under a heading.
pub(crate) struct Section<'t> {
    pub heading: &'t str,
    /// Line of the heading, from 1.
    pub line: usize,
    /// The lines below it.
    pub lines: Vec<&'t str>,
}

/// What stands between two fences.
pub(crate) struct Fenced<'t> {
    /// What stands behind the opening fence: `sql applies`.
    pub info: &'t str,
    /// Line of the first line inside, from 1.
    pub line: usize,
    pub text: String,
}

impl<'t> Page<'t> {
    pub fn cut(path: &'t str, text: &'t str) -> Result<Self, CheckError> {
        let lines: Vec<&str> = text.lines().collect();
        let wrong = |line, what: &str| Err(CheckError::page(path, line, what));
        if lines.first() != Some(&"+++") {
            return wrong(1, "a check starts with a line +++ and its header");
        }
        let Some(length) = lines[1..].iter().position(|line| *line == "+++") else {
            return wrong(1, "the header has no closing line +++");
        };
        let (header, rest) = (&lines[1..=length], &lines[length + 2..]);
        let body = Section { heading: "", line: length + 2, lines: rest.to_vec() };
        let (before, sections) = body.split("## ");
        let mut before = before.into_iter().filter(|(_, line)| !line.trim().is_empty());
        let Some((line, title)) = before.next() else {
            return wrong(length + 3, "the title `# ...` is missing");
        };
        let Some(title) = title.strip_prefix("# ") else {
            return wrong(line, "the title `# ...` is expected here");
        };
        if let Some((line, _)) = before.next() {
            return wrong(line, "between title and first section nothing is expected");
        }
        Ok(Self { path, header: header.join("\n"), title: title.trim().to_owned(), sections })
    }
}

impl<'t> Section<'t> {
    /// Lines before the first heading of a level, numbered, and what follows
    /// each heading. A heading inside a fence is none.
    pub fn split(&self, prefix: &str) -> (Vec<(usize, &'t str)>, Vec<Section<'t>>) {
        let (mut before, mut parts, mut is_fenced) = (Vec::new(), Vec::<Section<'t>>::new(), false);
        for (place, line) in self.lines.iter().enumerate() {
            let number = self.line + 1 + place;
            is_fenced ^= line.starts_with("```");
            match (line.strip_prefix(prefix), parts.last_mut()) {
                (Some(heading), _) if !is_fenced => {
                    parts.push(Section {
                        heading: heading.trim(),
                        line: number,
                        lines: Vec::new(),
                    });
                }
                (_, Some(part)) => part.lines.push(line),
                (_, None) => before.push((number, *line)),
            }
        }
        (before, parts)
    }

    /// Fenced blocks, in order.
    pub fn fenced(&self, path: &str) -> Result<Vec<Fenced<'t>>, CheckError> {
        let mut blocks = Vec::new();
        let mut open: Option<Fenced<'t>> = None;
        for (place, line) in self.lines.iter().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(info), None) => {
                    let line = self.line + place + 2;
                    open = Some(Fenced { info: info.trim(), line, text: String::new() });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        match open {
            Some(block) => Err(CheckError::page(path, block.line - 1, "this block is not closed")),
            None => Ok(blocks),
        }
    }

    /// Its words, without blank lines around them.
    pub fn text(&self) -> String {
        self.lines.join("\n").trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_inside_a_fence_is_none() {
        let text = "+++\na = 1\n+++\n\n# T\n\n## One\n```sh\n## no\n```\n## Two\nwords\n";
        let page = Page::cut("a.md", text).unwrap();
        let headings: Vec<_> = page.sections.iter().map(|s| (s.heading, s.line)).collect();
        assert_eq!(headings, [("One", 7), ("Two", 11)]);
        let blocks = page.sections[0].fenced("a.md").unwrap();
        assert_eq!((blocks[0].info, blocks[0].line, blocks[0].text.as_str()), ("sh", 9, "## no\n"));
        assert_eq!((page.title.as_str(), page.header.as_str()), ("T", "a = 1"));
    }

    #[test]
    fn a_page_without_header_is_told_by_line() {
        let error = Page::cut("a.md", "# T\n").err().unwrap().to_string();
        assert_eq!(error, "a.md:1: a check starts with a line +++ and its header");
    }

    #[test]
    fn an_open_block_is_told_by_line() {
        let section = Section { heading: "x", line: 4, lines: vec!["", "```sql", "select 1"] };
        let error = section.fenced("a.md").err().unwrap().to_string();
        assert_eq!(error, "a.md:6: this block is not closed");
    }
}
