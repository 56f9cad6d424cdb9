//! Advice that names what the run has: `h5repack {file_name|in.h5} out.h5`.

use crate::Value;
use crate::shown::{Unit, shown};

/// Gaps that are made from the path of the file that the row is about.
const OF_FILE: [&str; 3] = ["file", "file_name", "folder"];

/// A longer name hides the code around it.
const LONGEST: usize = 60;

/// How a comment at the end of a line of code begins; behind code, two spaces come first.
const COMMENTS: [&str; 5] = ["  # ", "  // ", "  ! ", "  /* ", "  -- "];

/// Comments that would end behind this column are not put in line.
const WIDEST: usize = 120;

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Words(String),
    Gap { column: String, unit: Option<Unit>, default: String },
}

/// Text of an action with gaps `{column|default}` or `{column:unit|default}`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Template(Vec<Part>);

impl Template {
    /// Braces without a column and a `|` are code.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut words = String::new();
        let mut rest = text;
        while let Some((before, tail)) = rest.split_once('{') {
            words.push_str(before);
            let gap = tail.split_once('}').filter(|(gap, _)| !gap.contains(['{', '\n']));
            let parted = gap.and_then(|(gap, tail)| Some((gap.split_once('|')?, tail)));
            let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            let named = parted.map(|((name, default), tail)| {
                let (column, unit) =
                    name.split_once(':').map_or((name, None), |(c, u)| (c, Some(u)));
                (column, unit, default, tail)
            });
            match named.filter(|(column, ..)| !column.is_empty() && is_name(column)) {
                Some((column, unit, default, tail)) => {
                    let unit = unit.map(Unit::read).transpose()?;
                    parts.push(Part::Words(std::mem::take(&mut words)));
                    let (column, default) = (column.to_owned(), default.to_owned());
                    parts.push(Part::Gap { column, unit, default });
                    rest = tail;
                }
                None => {
                    words.push('{');
                    rest = tail;
                }
            }
        }
        words.push_str(rest);
        parts.push(Part::Words(words));
        Ok(Self(parts))
    }

    /// Columns that it names.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Gap { column, .. } if !OF_FILE.contains(&column.as_str()) => {
                Some(column.as_str())
            }
            _ => None,
        })
    }

    /// The text for no run in particular.
    pub fn defaults(&self) -> String {
        self.fill(|_| Value::Null)
    }

    /// The text with the values that `value_of` gives, and defaults for those that are missing
    /// or that code cannot hold.
    pub fn fill(&self, value_of: impl Fn(&str) -> Value) -> String {
        let file = || match value_of("file") {
            // A dataset is named after its file: `/s/a.h5:/group/name`.
            Value::Text(path) => {
                Some(path.split_once(":/").map_or(path.as_str(), |of| of.0).to_owned())
            }
            _ => None,
        };
        let of_file =
            |part: fn(&str) -> Option<&str>| file().and_then(|path| part(&path).map(str::to_owned));
        let mut text = String::new();
        for part in &self.0 {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Gap { column, unit, default } => {
                    let value = match column.as_str() {
                        "file" => file(),
                        "file_name" => of_file(|path| path.rsplit('/').next()),
                        "folder" => of_file(|path| Some(path.rsplit_once('/')?.0)),
                        _ => match value_of(column) {
                            Value::Null => None,
                            value if unit.is_none() => Some(digits(&value)),
                            value => Some(shown(&value, *unit, None)),
                        },
                    };
                    let value = value.filter(|value| is_plain(value));
                    text.push_str(value.as_deref().unwrap_or(default));
                }
            }
        }
        aligned(&text)
    }
}

/// A number as code reads it: `cb_nodes 1,008` would set one aggregator.
fn digits(value: &Value) -> String {
    match value.number() {
        Some(number) => format!("{}", number.round()),
        None => shown(value, None, None),
    }
}

/// The text with the comments of each block of code in line: a name that was filled in moves them.
fn aligned(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut block: Option<Vec<&str>> = None;
    for line in text.split('\n') {
        match (line.trim_start().starts_with("```"), block.take()) {
            (true, None) => block = Some(Vec::new()),
            (true, Some(code)) => lines.extend(in_line(&code)),
            (false, None) => {}
            (false, Some(mut code)) => {
                code.push(line);
                block = Some(code);
                continue;
            }
        }
        lines.push(line.to_owned());
    }
    lines.extend(block.unwrap_or_default().into_iter().map(str::to_owned));
    lines.join("\n")
}

fn in_line(code: &[&str]) -> Vec<String> {
    let parts: Vec<_> = code.iter().map(|line| parted(line)).collect();
    let width = |text: &str| text.chars().count();
    let column = parts.iter().flatten().map(|(code, _)| width(code) + 2).max().unwrap_or(0);
    let of_line = |(line, part): (&&str, &Option<(&str, &str)>)| match part {
        None => (*line).to_owned(),
        Some((code, comment)) if column + width(comment) > WIDEST => format!("{code}  {comment}"),
        Some((code, comment)) => format!("{code:column$}{comment}"),
    };
    code.iter().zip(&parts).map(of_line).collect()
}

/// Code and the comment behind it.
fn parted(line: &str) -> Option<(&str, &str)> {
    let place = COMMENTS.iter().filter_map(|mark| line.find(mark)).min()?;
    let (code, comment) = line.split_at(place);
    (!code.trim().is_empty()).then(|| (code.trim_end(), comment.trim_start()))
}

/// Whether a value can stand in code of any language without quotes.
fn is_plain(value: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/@%+=:,- ".contains(c);
    !value.is_empty() && value.len() <= LONGEST && value.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, path: &str) -> String {
        let value_of = |column: &str| match column {
            "file" => Value::Text(path.to_owned()),
            "piece_bytes" => Value::Integer(4096),
            _ => Value::Null,
        };
        Template::read(text).unwrap().fill(value_of)
    }

    #[test]
    fn a_gap_names_the_file_of_the_run() {
        let text = "`h5repack {file_name|in.h5} out.h5`, `lfs setstripe {folder|DIR}`";
        assert_eq!(of(text, "/s/a.h5"), "`h5repack a.h5 out.h5`, `lfs setstripe /s`");
        assert_eq!(
            Template::read(text).unwrap().defaults(),
            "`h5repack in.h5 out.h5`, `lfs setstripe DIR`"
        );
    }

    #[test]
    fn a_dataset_is_in_its_file() {
        assert_eq!(of("h5ls {file_name|in.h5}", "/s/a.h5:/group/name"), "h5ls a.h5");
    }

    #[test]
    fn a_name_that_code_cannot_hold_stays_out() {
        assert_eq!(of("open {file|a}", "/s/a`; rm -r $x"), "open a");
        assert_eq!(of("open {file|a}", &"long/".repeat(20)), "open a");
        assert_eq!(of("in {folder|DIR}", "a.h5"), "in DIR");
    }

    #[test]
    fn values_have_their_units() {
        assert_eq!(
            of("pieces of {piece_bytes:bytes|4 KiB}, {n|some}", ""),
            "pieces of 4.00 KiB, some"
        );
    }

    #[test]
    fn numbers_without_a_unit_are_those_of_code() {
        let gap = Template::read("cb_nodes {hosts|8}").unwrap();
        assert_eq!(gap.fill(|_| Value::Integer(1008)), "cb_nodes 1008");
        assert_eq!(gap.fill(|_| Value::Real(1008.4)), "cb_nodes 1008");
    }

    #[test]
    fn comments_stay_in_line_behind_a_name() {
        let text = "Do:\n\n```python\na = load(\"{file_name|a}\")  # once\nb = a[i]     # in the loop\n\
                    # alone\n```\n\nThen  # no code";
        let filled = "Do:\n\n```python\na = load(\"map.raw\")  # once\nb = a[i]             # in the loop\n\
                      # alone\n```\n\nThen  # no code";
        assert_eq!(of(text, "/s/map.raw"), filled);
    }

    #[test]
    fn braces_of_code_stay() {
        let code = "`for (;;) { a | b; }` and `{x: 1}` and {a";
        assert_eq!(of(code, "f"), code);
    }
}
