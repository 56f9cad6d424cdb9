//! Differences as lines with - and +, in the columns of darshan-parser.

use super::Difference;
use std::io::{self, Write};

/// What stands for a value that a log does not have.
const NONE: &str = "-";

/// Prints the differences; nothing when there are none.
pub fn write_text(
    out: &mut dyn Write,
    (name_a, name_b): (&str, &str),
    differences: &[Difference],
) -> io::Result<()> {
    if differences.is_empty() {
        return Ok(());
    }
    writeln!(out, "--- {name_a}\n+++ {name_b}")?;
    writeln!(out, "#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>")?;
    for difference in differences {
        for (sign, value) in [('-', &difference.a), ('+', &difference.b)] {
            if let Some(value) = value {
                line(out, sign, difference, value)?;
            }
        }
    }
    Ok(())
}

fn line(out: &mut dyn Write, sign: char, of: &Difference, value: &str) -> io::Result<()> {
    let rank = of.rank.map_or(NONE.into(), |rank| rank.to_string());
    let id = of.file_id.map_or(NONE.into(), |id| id.to_string());
    let path = of.path.as_deref().unwrap_or(NONE);
    writeln!(out, "{sign} {}\t{rank}\t{id}\t{}\t{value}\t{path}", of.module, of.counter)
}
