//! The SQL of checks, before anything runs: the subset of metrics, tables that the check
//! needs, and parameters of the right unit.

use std::collections::BTreeMap;

use diya_query::{Token, TokenKind, tokens};

use crate::header::Param;

/// What is wrong in a query, each with the byte it starts at.
pub(crate) fn lint(
    sql: &str,
    needs: &[String],
    params: &BTreeMap<String, Param>,
) -> Vec<(usize, String)> {
    let mut wrong = diya_metrics::lint(sql);
    // If this is not SQL, the lint of the line above has said so.
    let all = tokens(sql).unwrap_or_default();
    tables(&all, needs, &mut wrong);
    units(&all, params, &mut wrong);
    wrong.sort();
    wrong
}

/// Only tables of `needs` and those that `with` defines.
fn tables(all: &[Token], needs: &[String], wrong: &mut Vec<(usize, String)>) {
    let is_defined = |name: &str| {
        all.windows(3).any(|w| w[0].text == name && w[1].is("as") && w[2].is("("))
            || needs.iter().any(|need| need == name)
    };
    // In a from clause of the same depth a comma starts another table.
    let mut is_from = vec![false];
    let mut expects_table = false;
    for (place, token) in all.iter().enumerate() {
        let is_distinct = place > 0 && all[place - 1].is("distinct");
        if expects_table && token.kind == TokenKind::Word && !is_defined(&token.text) {
            let what = format!("table `{}` is not named in `needs`", token.text);
            wrong.push((token.start, what));
        }
        expects_table = false;
        if token.is("(") {
            is_from.push(false);
            continue;
        }
        if token.is(")") && is_from.len() > 1 {
            is_from.pop();
            continue;
        }
        let Some(last) = is_from.last_mut() else { continue };
        if token.is("from") && !is_distinct {
            (*last, expects_table) = (true, true);
        } else if token.is("join") || (*last && token.is(",")) {
            expects_table = true;
        } else if ["select", "where", "group", "order", "having", "union"]
            .iter()
            .any(|w| token.is(w))
        {
            *last = false;
        }
    }
}

/// Unit that the name of a column ends with.
pub(crate) fn unit_of_column(name: &str) -> Option<&'static str> {
    const SUFFIXES: &[(&str, &str)] = &[
        ("_bytes", "bytes"),
        ("_calls", "calls"),
        ("_bytes_per_s", "bytes_per_s"),
        ("_s", "s"),
        ("_ratio", "1"),
        ("_files", "files"),
        ("_ranks", "ranks"),
    ];
    if name == "calls" || name == "files" || name == "ranks" {
        return SUFFIXES.iter().find(|(suffix, _)| &suffix[1..] == name).map(|(_, unit)| *unit);
    }
    SUFFIXES.iter().find(|(suffix, _)| name.ends_with(suffix)).map(|(_, unit)| *unit)
}

/// Parameters are known, used, and compared with columns of their unit.
fn units(all: &[Token], params: &BTreeMap<String, Param>, wrong: &mut Vec<(usize, String)>) {
    const COMPARES: &[&str] = &["<", "<=", ">", ">=", "=", "<>", "!="];
    let is_compare = |t: Option<&Token>| {
        t.is_some_and(|t| t.kind == TokenKind::Sign && COMPARES.contains(&t.text.as_str()))
    };
    for (place, token) in all.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Param) {
        let Some(param) = params.get(&token.text) else {
            wrong.push((token.start, format!("${} is no parameter of the header", token.text)));
            continue;
        };
        let before = place.checked_sub(1).and_then(|p| all.get(p));
        let sides = [
            is_compare(before)
                .then(|| place.checked_sub(2).and_then(|p| left_of(all, p)))
                .flatten(),
            is_compare(all.get(place + 1)).then(|| right_of(all, place + 2)).flatten(),
        ];
        for side in sides.into_iter().flatten() {
            // A quotient has the unit of its parts, which names do not tell.
            let unit = unit_of_column(side);
            if unit.is_some_and(|unit| unit != param.unit) {
                let what = format!("${} is in {}, {side} is not", token.text, param.unit);
                wrong.push((token.start, what));
            }
        }
    }
}

/// Name of the column or function that ends at a token.
fn left_of(all: &[Token], end: usize) -> Option<&str> {
    let last = all.get(end)?;
    if last.kind == TokenKind::Word {
        return Some(&last.text);
    }
    if !last.is(")") {
        return None;
    }
    let mut depth = 0_usize;
    for place in (0..=end).rev() {
        if all[place].is(")") {
            depth += 1;
        } else if all[place].is("(") {
            depth -= 1;
            if depth == 0 {
                let name = place.checked_sub(1).map(|p| &all[p])?;
                return (name.kind == TokenKind::Word).then_some(name.text.as_str());
            }
        }
    }
    None
}

/// Name of the column or function that starts at a token: `t.column` is `column`.
fn right_of(all: &[Token], start: usize) -> Option<&str> {
    let first = all.get(start).filter(|t| t.kind == TokenKind::Word)?;
    match (all.get(start + 1), all.get(start + 2)) {
        (Some(dot), Some(column)) if dot.is(".") => Some(&column.text),
        _ => Some(&first.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Number;

    fn complaints(sql: &str) -> Vec<String> {
        let why = "test".to_owned();
        let param =
            Param { default: Number::Integer(1), unit: "bytes".to_owned(), why, fixed_by: None };
        let params = BTreeMap::from([("lim".to_owned(), param)]);
        let needs = ["posix".to_owned(), "call".to_owned()];
        lint(sql, &needs, &params).into_iter().map(|(_, what)| what).collect()
    }

    #[test]
    fn a_query_of_the_subset_passes() {
        let sql = "with a as (select log from posix group by log)\n\
                   select a.log, count(*) as n_calls, sum(c.calls) * 2 as calls\n\
                   from a join call as c on c.log = a.log\n\
                   where c.size_bytes < $lim and ratio(c.calls, 2) > 0.5\n\
                   group by a.log order by a.log limit 5";
        assert_eq!(complaints(sql), [""; 0]);
    }

    #[test]
    fn files_and_foreign_functions_are_refused() {
        assert_eq!(complaints("select log from 'a.csv'"), ["files cannot be read"]);
        let read = "select log from read_csv('a.csv')";
        assert_eq!(
            complaints(read),
            [
                "function `read_csv` is outside the subset",
                "table `read_csv` is not named in `needs`"
            ]
        );
    }

    #[test]
    fn tables_behind_a_comma_are_looked_at() {
        let sql = "select a.log from posix as a, mpiio as b where a.log = b.log";
        assert_eq!(complaints(sql), ["table `mpiio` is not named in `needs`"]);
    }

    #[test]
    fn a_parameter_is_compared_with_its_unit_only() {
        let compare = |what: &str| complaints(&format!("select log from posix where {what}"));
        assert_eq!(compare("a.read_bytes >= $lim"), [""; 0]);
        assert_eq!(compare("$lim < a.read_bytes"), [""; 0]);
        assert_eq!(compare("read_s >= $lim"), ["$lim is in bytes, read_s is not"]);
        assert_eq!(compare("$lim < a.read_calls"), ["$lim is in bytes, read_calls is not"]);
        assert_eq!(compare("a.small_ratio > $lim"), ["$lim is in bytes, small_ratio is not"]);
        assert_eq!(compare("ratio(read_bytes, read_calls) > $lim"), [""; 0]);
        assert_eq!(compare("opens > $other"), ["$other is no parameter of the header"]);
    }
}
