//! Names of files without what changes from run to run: numbers, dates, hashes.

/// Shortest run of hexadecimal digits that is taken for a hash.
const HASH_DIGITS: usize = 8;

/// Longest ending that may hold a digit of its own: `.h5`, `.nc4`, `.bp5`.
const ENDING_CHARS: usize = 4;

/// The path with `#` for each number and hash in it.
///
/// The digits of endings such as `.h5` are a part of the name, and stay.
pub(super) fn pattern(path: &str) -> String {
    let (name, ending) = split_ending(path);
    let mut pattern = String::with_capacity(path.len());
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        if !first.is_ascii_alphanumeric() {
            pattern.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        if is_hash(word) {
            pattern.push('#');
        } else {
            without_numbers(word, &mut pattern);
        }
        rest = tail;
    }
    pattern.push_str(ending);
    pattern
}

/// The last part of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What comes before the last part of a path.
pub(super) fn folder(path: &str) -> &str {
    path.strip_suffix(file_name(path)).unwrap_or_default()
}

/// An ending begins with a letter: `.0001` is a number.
fn split_ending(path: &str) -> (&str, &str) {
    let name_start = path.len() - file_name(path).len();
    let ending = path[name_start..].rfind('.').map(|at| at + name_start).filter(|at| {
        let ending = &path[at + 1..];
        ending.len() <= ENDING_CHARS && ending.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    path.split_at(ending.unwrap_or(path.len()))
}

/// Letters and digits both, or it is a word or a number.
fn is_hash(word: &str) -> bool {
    word.len() >= HASH_DIGITS
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
}

fn without_numbers(word: &str, pattern: &mut String) {
    let mut was_digit = false;
    for c in word.chars() {
        let is_digit = c.is_ascii_digit();
        if !is_digit {
            pattern.push(c);
        } else if !was_digit {
            pattern.push('#');
        }
        was_digit = is_digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_dates_and_hashes_are_left_out() {
        assert_eq!(pattern("/scratch/job123/out.0007"), "/scratch/job#/out.#");
        assert_eq!(pattern("/run-2021-03-04T10:11:12/a"), "/run-#-#-#T#:#:#/a");
        assert_eq!(pattern("/cache/3f2504e04f89/x"), "/cache/#/x");
        assert_eq!(pattern("plt00100/Cell_D_00012"), "plt#/Cell_D_#");
    }

    #[test]
    fn endings_and_words_stay() {
        assert_eq!(pattern("/a/dump12.h5"), "/a/dump#.h5");
        assert_eq!(pattern("/a/deadbeef"), "/a/deadbeef");
        assert_eq!(pattern("/données/été"), "/données/été");
        assert_eq!(pattern(""), "");
    }
}
