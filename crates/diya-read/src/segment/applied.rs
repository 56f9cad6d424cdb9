//! What a library in front of the recorder applied to a process: `APPLIED` records.

use super::bytes::Bytes;
use super::merge::Merged;
use super::process::Outcome;
use diya_tables::{AppliedRow, Tables};
use std::collections::BTreeMap;

/// One account: of a setting, and of one outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Account<'a> {
    pub files: u64,
    pub asked: u64,
    pub issued: u64,
    pub bytes: u64,
    pub setting: &'a [u8],
    pub value: &'a [u8],
    pub path: &'a [u8],
    /// Empty: it was applied.
    pub why: &'a [u8],
}

impl<'a> Account<'a> {
    pub fn read(b: &mut Bytes<'a>) -> Option<Self> {
        let (files, asked, issued, bytes) = (b.varint()?, b.varint()?, b.varint()?, b.varint()?);
        let (setting, value, path, why) = (b.text(), b.text(), b.text(), b.text());
        (!setting.is_empty()).then_some(Self {
            files,
            asked,
            issued,
            bytes,
            setting,
            value,
            path,
            why,
        })
    }
}

/// Accounts by setting and reason: files, calls asked and issued, bytes, value, path. A process
/// tells more than once (before each program that it becomes): the last counts.
#[derive(Debug, Default)]
pub(super) struct Applied(BTreeMap<(String, String), Told>);

#[derive(Debug)]
struct Told {
    numbers: [u64; 4],
    value: String,
    path: String,
}

impl Applied {
    pub fn add(&mut self, account: Account<'_>) {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let Account { files, asked, issued, bytes, setting, value, path, why } = account;
        let numbers = [files, asked, issued, bytes];
        let told = Told { numbers, value: text(value), path: text(path) };
        self.0.insert((text(setting), text(why)), told);
    }
}

impl Merged<'_> {
    pub(super) fn applied_rows(&self, outcome: &Outcome, tables: &mut Tables) {
        let filled = |text: &'_ str| (!text.is_empty()).then(|| text.to_owned());
        for ((setting, why), told) in &outcome.definitions.applied.0 {
            let [files, asked, issued, bytes] =
                told.numbers.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
            let counted = |number| (why.is_empty() && asked > 0).then_some(number);
            tables.push_applied(AppliedRow {
                log: self.facts.log,
                process: outcome.process,
                rank: outcome.numbers.rank,
                setting,
                value: filled(&told.value).as_deref(),
                why_not: filled(why).as_deref(),
                files,
                path: filled(&told.path).as_deref(),
                calls_asked: counted(asked),
                calls_issued: counted(issued),
                bytes: counted(bytes),
            });
        }
    }
}
