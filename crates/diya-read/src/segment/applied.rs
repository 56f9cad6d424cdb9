//! What a library in front of the recorder applied to a process: `APPLIED` records.

use super::bytes::Bytes;
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
pub(super) struct Applied(pub BTreeMap<(String, String), Told>);

/// What was said last.
#[derive(Debug)]
pub(super) struct Told {
    /// Files, calls asked and issued, bytes.
    pub numbers: [u64; 4],
    pub value: String,
    pub path: String,
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
