//! Lines of code on a terminal: whole, with their comments in line, and as narrow as it is.
//!
//! Code is there to be copied, so a line breaks only where its language reads it as one
//! statement all the same.

use crate::text_table::width;

/// Begins of comments, behind code.
const COMMENTS: [&str; 5] = ["  /* ", "  // ", "  # ", "  ! ", "  -- "];

/// Further in than the line that goes on.
const INDENT: usize = 4;

/// How a language goes on in the next line.
struct Joint {
    /// Behind each part but the last.
    mark: &'static str,
    /// Signs after which a part may end.
    ends: &'static [&'static str],
    /// Only between brackets.
    is_inside: bool,
}

const C: Joint = Joint {
    mark: "",
    ends: &[",", ";", "(", "{", " |", " ||", " &&", " +", " /", " ="],
    is_inside: false,
};
const PYTHON: Joint =
    Joint { mark: "", ends: &[",", "(", "[", " |", " or", " and"], is_inside: true };
const FORTRAN: Joint = Joint { mark: " &", ends: &[",", "(", " ="], is_inside: false };
const SHELL: Joint = Joint { mark: " \\", ends: &[""], is_inside: false };

impl Joint {
    fn of(language: &str) -> Option<&'static Self> {
        Some(match language {
            "c" | "cpp" => &C,
            "python" => &PYTHON,
            "fortran" => &FORTRAN,
            "sh" => &SHELL,
            _ => return None,
        })
    }

    /// Where code can be cut, the last place that leaves no more than `room`: before a blank.
    fn place(&self, code: &str, room: usize) -> Option<usize> {
        let start = code.len() - code.trim_start().len();
        let (mut quote, mut depth, mut found) = (None, 0_usize, None);
        for (at, sign) in code.char_indices().skip_while(|(at, _)| *at < start) {
            match (quote, sign) {
                (Some(open), _) if open == sign => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(sign),
                (None, '(' | '[' | '{') => depth += 1,
                (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
                (None, ' ') => {
                    let before = &code[..at];
                    let is_end = self.ends.iter().any(|end| before.ends_with(end));
                    let is_narrow = width(before) + self.mark.len() <= room;
                    if is_end && is_narrow && (depth > 0 || !self.is_inside) {
                        found = Some(at);
                    }
                }
                (None, _) => {}
            }
        }
        found.filter(|at| !code[..*at].trim().is_empty())
    }
}

/// The lines in `room` columns: a comment for which there is no room behind its code goes before
/// it, and a line that is too long goes on in the next one, if its language has a way to do so.
pub(super) fn fitted(lines: &[String], language: &str, room: usize) -> Vec<String> {
    let parts: Vec<_> = lines.iter().map(|line| parted(line)).collect();
    let fits = |code: &str, comment: &str| width(code) + 2 + width(comment) <= room;
    let behind = parts.iter().filter(|(code, comment)| comment.is_some_and(|c| fits(code, c)));
    let column = behind.map(|(code, _)| width(code) + 2).max().unwrap_or(0);
    let joint = Joint::of(language);
    let of_line = |(code, comment): &(&str, Option<&str>)| match comment {
        None => broken(code, joint, room),
        Some(comment) if !fits(code, comment) => {
            let indent = code.len() - code.trim_start().len();
            let mut lines = vec![format!("{}{comment}", " ".repeat(indent))];
            lines.extend(broken(code, joint, room));
            lines
        }
        Some(comment) => {
            let blanks = if column + width(comment) <= room { column } else { width(code) + 2 };
            vec![format!("{code}{}{comment}", " ".repeat(blanks - width(code)))]
        }
    };
    parts.iter().flat_map(of_line).collect()
}

/// A line of code as several, none wider than `room` where its language allows it.
fn broken(code: &str, joint: Option<&Joint>, room: usize) -> Vec<String> {
    let indent = code.len() - code.trim_start().len() + INDENT;
    let (mut lines, mut rest) = (Vec::new(), code.to_owned());
    while let Some(joint) = joint.filter(|_| width(&rest) > room) {
        let Some(at) = joint.place(&rest, room) else { break };
        lines.push(format!("{}{}", &rest[..at], joint.mark));
        rest = format!("{}{}", " ".repeat(indent), rest[at..].trim_start());
    }
    lines.push(rest);
    lines
}

/// A line of code, and the comment behind it.
fn parted(line: &str) -> (&str, Option<&str>) {
    let indent = line.len() - line.trim_start().len();
    let comment = COMMENTS.iter().filter_map(|begin| line.rfind(begin)).max();
    match comment.filter(|at| *at > indent) {
        Some(at) => (line[..at].trim_end(), Some(line[at..].trim_start())),
        None => (line, None),
    }
}

#[cfg(test)]
mod tests {
    fn fitted(lines: &[&str], language: &str, room: usize) -> Vec<String> {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        super::fitted(&lines, language, room)
    }

    #[test]
    fn a_comment_without_room_goes_before_its_code() {
        let line = "    write(fd, a, n);  /* in the loop */";
        assert_eq!(fitted(&[line], "c", 60), [line]);
        assert_eq!(fitted(&[line], "c", 30), ["    /* in the loop */", "    write(fd, a, n);"]);
        let alone = "  # a comment that is alone";
        assert_eq!(fitted(&[alone], "", 10), [alone]);
        let block = ["open(file, ...)  ! once", "write(u) a       ! in the loop", "close(u)"];
        assert_eq!(fitted(&block, "fortran", 60), block);
        let narrow = ["open(file, ...)  ! once", "! in the loop", "write(u) a", "close(u)"];
        assert_eq!(fitted(&block, "fortran", 23), narrow);
    }

    #[test]
    fn a_long_line_goes_on_as_its_language_allows() {
        let in_30 = |language: &str, code: &str| fitted(&[code], language, 30);
        assert_eq!(
            in_30("c", "  H5Sselect_hyperslab(space, H5S_SELECT_SET, start);"),
            ["  H5Sselect_hyperslab(space,", "      H5S_SELECT_SET, start);"]
        );
        assert_eq!(
            in_30("python", "d = f.create_dataset(\"a b\", data=a, chunks=True)"),
            ["d = f.create_dataset(\"a b\",", "    data=a, chunks=True)"]
        );
        assert_eq!(
            in_30("fortran", "call h5dwrite_f(dset, type, data, dims)"),
            ["call h5dwrite_f(dset, type, &", "    data, dims)"]
        );
        assert_eq!(
            in_30("sh", "printf 'cb_nodes 8\\n' > romio-hints.txt"),
            ["printf 'cb_nodes 8\\n' > \\", "    romio-hints.txt"]
        );
    }

    #[test]
    fn what_no_line_can_end_after_stays_whole() {
        let long = "export MPICH_HINTS='*:a=b and a long text in quotes'";
        assert_eq!(fitted(&[long], "sh", 20), ["export \\", &format!("    {}", &long[7..])]);
        assert_eq!(fitted(&["total = first + second + third"], "python", 20).len(), 1);
        assert_eq!(fitted(&["select a, b, c from many_tables"], "sql", 20).len(), 1);
    }
}
