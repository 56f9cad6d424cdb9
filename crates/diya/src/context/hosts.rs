//! Lists of node names as SLURM writes them: `nid[0001-0003,0007],login1`.

/// Names that one list may stand for. No machine has more nodes; a list of
/// ranges of ranges could stand for any number.
const MOST: usize = 1_000_000;

/// All names in the list; what is wrong with it otherwise.
pub(super) fn expand(list: &str) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for part in split(list)? {
        expand_one(part, &mut names)?;
    }
    Ok(names)
}

/// Parts between commas that stand outside brackets.
fn split(list: &str) -> Result<Vec<&str>, String> {
    let (mut parts, mut from, mut is_inside) = (Vec::new(), 0, false);
    for (at, c) in list.char_indices() {
        match c {
            '[' if !is_inside => is_inside = true,
            ']' if is_inside => is_inside = false,
            '[' | ']' => return Err(format!("brackets do not match in {list:?}")),
            ',' if !is_inside => {
                parts.push(&list[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    if is_inside {
        return Err(format!("brackets do not match in {list:?}"));
    }
    parts.push(&list[from..]);
    Ok(parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect())
}

/// One name, with any number of brackets in it.
fn expand_one(part: &str, names: &mut Vec<String>) -> Result<(), String> {
    let Some((before, rest)) = part.split_once('[') else {
        if names.len() >= MOST {
            return Err(format!("more than {MOST} nodes"));
        }
        names.push(part.to_owned());
        return Ok(());
    };
    let (ranges, after) = rest.split_once(']').unwrap_or((rest, ""));
    for range in ranges.split(',') {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            let number = text.parse::<usize>().ok().filter(|_| digits);
            number.ok_or_else(|| format!("{text:?} in {part:?} is no number"))
        };
        let (first, last) = (number(from)?, number(to)?);
        if last < first || last - first >= MOST {
            return Err(format!("{range:?} in {part:?} is no range of nodes"));
        }
        for at in first..=last {
            expand_one(&format!("{before}{at:0width$}{after}", width = from.len()), names)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_keep_their_zeros() {
        let names = expand("nid[0009-0011,0100], login1,c[1-2]n[0-1]").expect("is right");
        let all = "nid0009 nid0010 nid0011 nid0100 login1 c1n0 c1n1 c2n0 c2n1";
        assert_eq!(names.join(" "), all);
    }

    #[test]
    fn lists_without_sense_are_refused() {
        for list in ["n[1-", "n]1[", "n[2-1]", "n[a-b]", "n[1-99999999999]", "n[[1]]", "n[]"] {
            assert!(expand(list).is_err(), "{list}");
        }
        assert!(expand("a[1-9999]b[1-9999]").is_err());
    }
}
