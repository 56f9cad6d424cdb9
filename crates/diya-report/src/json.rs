//! A report as JSON.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

use crate::Report;
use crate::comparison::Comparison;
use crate::printable::is_hidden;

/// Writes a report as JSON, as `schema/report.schema.json` describes it.
///
/// Characters that a terminal would obey or that cannot be seen are written as
/// `\uXXXX`: the data stays what it is, and printing it is safe.
///
/// ```
/// use diya_report::{Report, write_json};
/// let report = Report { logs: vec!["a\u{202e}b".into()], ..Report::default() };
/// let mut json = Vec::new();
/// write_json(&mut json, &report)?;
/// assert!(String::from_utf8_lossy(&json).contains(r#""a\u202eb""#));
/// assert_eq!(serde_json::from_slice::<Report>(&json)?, report);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_json(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    write_pretty(out, report)
}

/// Writes the reports of several jobs as one array.
pub fn write_json_array(out: &mut dyn Write, reports: &[Report]) -> io::Result<()> {
    write_pretty(out, reports)
}

/// Writes a comparison as JSON.
pub fn write_comparison_json(out: &mut dyn Write, comparison: &Comparison) -> io::Result<()> {
    write_pretty(out, comparison)
}

/// Indented, with a newline at the end.
pub(crate) fn write_pretty<T: Serialize + ?Sized>(
    out: &mut dyn Write,
    value: &T,
) -> io::Result<()> {
    let formatter = Visible(PrettyFormatter::new());
    value.serialize(&mut Serializer::with_formatter(&mut *out, formatter))?;
    writeln!(out)
}

/// Indents, and writes hidden characters as escapes.
struct Visible(PrettyFormatter<'static>);

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        let mut rest = text;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_hidden(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.end_object_value(out)
    }
}
