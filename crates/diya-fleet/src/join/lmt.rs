//! A `mysqldump` of LMT: `INSERT INTO` of the tables with data, of the names of targets and
//! servers, and of the times.

use super::server_value::push;
use super::time::moment;
use super::{Fault, Sink};
use std::collections::HashMap;

/// Whether a text is of this form.
pub fn is_it(text: &str) -> bool {
    text.contains("INSERT INTO `") && text.contains("CREATE TABLE `")
}

/// Rows of a table with the line of each.
type Rows = Vec<(usize, Vec<String>)>;

/// Tables with data: the column that names whose, and the table with the names.
const DATA: [(&str, &str, &str, &str); 3] = [
    ("OST_DATA", "OST_ID", "OST_INFO", "OST_NAME"),
    ("OSS_DATA", "OSS_ID", "OSS_INFO", "HOSTNAME"),
    ("MDS_DATA", "MDS_ID", "MDS_INFO", "MDS_NAME"),
];

/// Columns that count since the start of a server.
const COUNTERS: [&str; 2] = ["READ_BYTES", "WRITE_BYTES"];

#[derive(Default)]
struct Dump {
    columns: HashMap<String, Vec<String>>,
    rows: HashMap<String, Rows>,
}

impl Dump {
    /// Place of a column.
    fn place(&self, table: &str, column: &str) -> Option<usize> {
        self.columns.get(table)?.iter().position(|known| known == column)
    }

    /// One column by another.
    fn names(&self, table: &str, key: &str, name: &str) -> HashMap<&str, &str> {
        let places = self.place(table, key).zip(self.place(table, name));
        let rows = self.rows.get(table).into_iter().flatten();
        rows.filter_map(|(_, cells)| {
            let (key, name) = places?;
            Some((cells.get(key)?.as_str(), cells.get(name)?.as_str()))
        })
        .collect()
    }
}

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    let dump = parse(text, sink);
    let times = dump.names("TIMESTAMP_INFO", "TS_ID", "TIMESTAMP");
    if times.is_empty() {
        return Err(Fault::File(
            "a dump of MySQL without rows of TIMESTAMP_INFO: dump the whole database of LMT, or \
             export CSV with a column for the time"
                .to_owned(),
        ));
    }
    for (table, id, info, name) in DATA {
        let names = dump.names(info, id, name);
        let (Some(id), Some(ts)) = (dump.place(table, id), dump.place(table, "TS_ID")) else {
            continue;
        };
        for (line, cells) in dump.rows.get(table).into_iter().flatten() {
            let cell = |place: usize| cells.get(place).map_or("", String::as_str);
            let time = times.get(cell(ts)).and_then(|time| moment(time, sink.zone));
            let (Some(time), Some(server)) = (time, names.get(cell(id))) else {
                sink.bad(*line, &format!("{table}: its time or its name is not in the dump"));
                continue;
            };
            for (place, column) in dump.columns[table].iter().enumerate() {
                let is_value = place != id && place != ts;
                if let (true, Ok(value)) = (is_value, cell(place).parse()) {
                    let is_counter = COUNTERS.contains(&column.as_str());
                    push(time, server, &column.to_ascii_lowercase(), is_counter, value, sink)?;
                }
            }
        }
    }
    Ok(())
}

/// Columns and rows of all tables.
fn parse(text: &str, sink: &mut Sink<'_>) -> Dump {
    let mut dump = Dump::default();
    let mut made: Option<String> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let quoted = |after: &str| {
            let (name, rest) = line.trim().strip_prefix(after)?.split_once('`')?;
            Some((name.to_owned(), rest))
        };
        if let Some((table, _)) = quoted("CREATE TABLE `") {
            dump.columns.insert(table.clone(), Vec::new());
            made = Some(table);
        } else if let Some((table, rest)) = quoted("INSERT INTO `") {
            match rest.trim().strip_prefix("VALUES").map(tuples) {
                Some(Some(tuples)) => {
                    let rows = tuples.into_iter().map(|cells| (number, cells));
                    dump.rows.entry(table).or_default().extend(rows);
                }
                _ => sink.bad(number, "INSERT INTO without VALUES (...), or a quote does not end"),
            }
        } else if let (Some((column, _)), Some(table)) = (quoted("`"), &made) {
            dump.columns.entry(table.clone()).or_default().push(column);
        } else if line.starts_with(')') {
            made = None;
        }
    }
    dump
}

/// The cells of `(1,'a'),(2,'b');`; `None`: a quote or a bracket does not end.
fn tuples(text: &str) -> Option<Vec<Vec<String>>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut is_inside, mut is_quoted) = (false, false);
    let mut signs = text.chars();
    while let Some(c) = signs.next() {
        match c {
            '\\' if is_quoted => cell.push(signs.next()?),
            '\'' => is_quoted = !is_quoted,
            _ if is_quoted => cell.push(c),
            '(' if !is_inside => is_inside = true,
            ',' if is_inside => row.push(std::mem::take(&mut cell)),
            ')' if is_inside => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
                is_inside = false;
            }
            _ if is_inside => cell.push(c),
            _ => {}
        }
    }
    (!is_inside && !is_quoted).then_some(rows)
}
