//! Patterns of file names, as in a shell.

/// A pattern: `*` is any text, `?` any one character.
///
/// With a slash in it, it has to hold for the whole path; without one, for the
/// last part of it. `*` goes across slashes.
///
/// ```
/// use diya::convert::Glob;
/// assert!(Glob::new("*.h5").holds("/scratch/run/a.h5"));
/// assert!(Glob::new("/scratch/*").holds("/scratch/run/a.h5"));
/// assert!(!Glob::new("scratch/*").holds("/scratch/run/a.h5"));
/// ```
#[derive(Debug, Clone)]
pub struct Glob(Vec<char>);

impl Glob {
    /// Every text is a pattern.
    pub fn new(pattern: &str) -> Self {
        Self(pattern.chars().collect())
    }

    /// Does the pattern hold for the path?
    pub fn holds(&self, path: &str) -> bool {
        let last = path.rsplit('/').next().unwrap_or(path);
        let text = if self.0.contains(&'/') { path } else { last };
        is_match(&self.0, &text.chars().collect::<Vec<_>>())
    }
}

impl From<&str> for Glob {
    fn from(pattern: &str) -> Self {
        Self::new(pattern)
    }
}

/// In steps of pattern times text at most: only the last star is tried again.
fn is_match(pattern: &[char], text: &[char]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                last_star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || *c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((star, from)) = last_star else { return false };
                last_star = Some((star, from + 1));
                (p, t) = (star + 1, from + 1);
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn a_star_is_any_text_and_no_text() {
        assert!(Glob::new("a*b*c").holds("abc"));
        assert!(Glob::new("a*b*c").holds("aXbYbZc"));
        assert!(!Glob::new("a*b*c").holds("aXbYbZ"));
        assert!(Glob::new("*").holds(""));
    }

    #[test]
    fn a_question_mark_is_one_character() {
        assert!(Glob::new("rank?.dat").holds("/out/rank7.dat"));
        assert!(Glob::new("?").holds("ü"));
        assert!(!Glob::new("rank?.dat").holds("/out/rank10.dat"));
    }

    #[test]
    fn many_stars_end_soon() {
        assert!(!Glob::new(&"*a".repeat(40)).holds(&"a".repeat(39)));
        assert!(!Glob::new("*a*a*a*a*a*a*a*b").holds(&"a".repeat(10_000)));
    }
}
