//! What a library in front of the recorder applied.

use super::builder::{Builder, definition};
use super::{issues, tables};
use diya_tables::{TableId, Tables, applied};

/// Files, calls asked and issued, bytes; then setting, value, path, reason.
fn account(numbers: [u8; 4], texts: [&str; 4]) -> Vec<u8> {
    let texts = texts.map(|text| [text.as_bytes(), &[0]].concat()).concat();
    definition(0x22, &[&numbers[..], &texts].concat())
}

/// Setting, why not, files, calls asked and issued.
type Row = (String, Option<String>, i64, Option<i64>, Option<i64>);

fn rows(tables: &Tables) -> Vec<Row> {
    let Some(rows) = tables.table(TableId::Applied) else { return Vec::new() };
    let row = |row| {
        let number = |column| rows.i64(column, row);
        let setting = rows.str(applied::SETTING, row).unwrap_or_default().to_owned();
        let why = rows.str(applied::WHY_NOT, row).map(str::to_owned);
        let files = number(applied::FILES).unwrap_or(-1);
        (setting, why, files, number(applied::CALLS_ASKED), number(applied::CALLS_ISSUED))
    };
    (0..rows.rows()).map(row).collect()
}

#[test]
fn the_last_account_of_a_setting_counts() {
    let records = [
        account([1, 20, 1, 90], ["write_buffer", "4194304", "/out", ""]),
        account([2, 0, 0, 0], ["write_buffer", "4194304", "/shared", "several write it"]),
        account([3, 100, 2, 90], ["write_buffer", "4194304", "/out", ""]),
        account([4, 0, 0, 0], ["hdf5_alignment", "1048576", "/a.h5", ""]),
    ];
    let (tables, _) = tables(vec![Builder::new(5).window(6, 0, &records).bytes()]);
    let row = |setting: &str, why: Option<&str>, files, asked, issued| {
        (setting.to_owned(), why.map(str::to_owned), files, asked, issued)
    };
    assert_eq!(
        rows(&tables),
        [
            row("hdf5_alignment", None, 4, None, None),
            row("write_buffer", None, 3, Some(100), Some(2)),
            row("write_buffer", Some("several write it"), 2, None, None),
        ]
    );
    assert_eq!(issues(&tables), []);
}

#[test]
fn an_account_without_a_setting_is_damage() {
    let records = [account([1, 1, 1, 1], ["", "", "", ""])];
    let (tables, _) = tables(vec![Builder::new(5).window(6, 0, &records).bytes()]);
    assert_eq!(rows(&tables), []);
    assert_eq!(issues(&tables).len(), 1);
}
