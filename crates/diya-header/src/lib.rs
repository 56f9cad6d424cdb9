//! What heads a file that declares a table: what the table is, in words; lines with a key;
//! and a line for each column.
//!
//! A file of SQL says it in the comment lines before its statement:
//!
//! ```text
//! -- Calls and bytes of each file.        first paragraph: what the table is
//! --
//! -- Metadata is one kind, since ...      any more paragraphs: notes
//! --
//! -- needs: file, posix                   a key that the caller knows
//! -- bytes | i64 | bytes | bytes moved | not recorded
//! ```
//!
//! A column is name, type, unit, meaning, and, where a value can be null, what that means.
//! A file without a statement says the same in TOML (`of_toml`). Build scripts and programs
//! read both here, so a file means the same to all of them.

mod sql;
mod toml;

use std::borrow::Cow;

/// A part of a file: borrowed from it, or put together from several lines.
pub type Text<'t> = Cow<'t, str>;

/// The header of a file, and what follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header<'t> {
    /// Path of the file, as errors name it.
    pub file: Text<'t>,
    /// Lines of the header.
    pub lines: usize,
    /// What the table is, and what else there is to know.
    pub paragraphs: Cow<'t, [Text<'t>]>,
    /// What stands behind a key.
    pub keys: Cow<'t, [Key<'t>]>,
    /// The columns, in order.
    pub columns: Cow<'t, [Column<'t>]>,
    /// The statement; empty where none follows.
    pub body: Text<'t>,
}

/// A line with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key<'t> {
    /// Its line, from 1.
    pub line: usize,
    /// The key.
    pub name: Text<'t>,
    /// What it says; names of a list have commas between them.
    pub value: Text<'t>,
}

/// A line that declares a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column<'t> {
    /// Its line, from 1.
    pub line: usize,
    /// Its name.
    pub name: Text<'t>,
    /// Its type.
    pub kind: Text<'t>,
    /// Its unit.
    pub unit: Text<'t>,
    /// What it says.
    pub doc: Text<'t>,
    /// What null means, where it can be null.
    pub null: Option<Text<'t>>,
}

/// A key that a header may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Once at most.
    Once(&'static str),
    /// Any number of times.
    Often(&'static str),
}

impl Known {
    fn name(self) -> &'static str {
        match self {
            Self::Once(name) | Self::Often(name) => name,
        }
    }
}

/// The keys of the files of `metrics/`, which several programs read.
pub const METRIC_KEYS: &[Known] = &[
    Known::Once("question"),
    Known::Once("rows"),
    Known::Once("needs"),
    Known::Once("requires"),
    Known::Once("also"),
    Known::Once("reads"),
    Known::Once("computed"),
    Known::Once("filled"),
];

/// What is wrong with a header, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderError {
    /// Path of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl std::fmt::Display for HeaderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.what)
    }
}

impl std::error::Error for HeaderError {}

impl<'t> Header<'t> {
    /// What stands behind a key.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|of| of.name == key).map(|of| &*of.value)
    }

    /// The names behind a key; none where it is missing.
    pub fn list(&self, key: &str) -> Vec<&str> {
        self.value(key).into_iter().flat_map(|names| names.split(',')).map(str::trim).collect()
    }

    /// Name of the table: that of its file, without folders and extension.
    pub fn name(&self) -> &str {
        let name = self.file.rsplit('/').next().unwrap_or(&self.file);
        name.rsplit_once('.').map_or(name, |(name, _)| name)
    }

    /// A fault in a line of the file.
    pub fn error(&self, line: usize, what: impl Into<String>) -> HeaderError {
        HeaderError { file: self.file.to_string(), line, what: what.into() }
    }

    fn new(file: &'t str) -> Self {
        Self {
            file: file.into(),
            lines: 0,
            paragraphs: Cow::Borrowed(&[]),
            keys: Cow::Borrowed(&[]),
            columns: Cow::Borrowed(&[]),
            body: "".into(),
        }
    }

    fn push_key(&mut self, known: &[Known], key: Key<'t>) -> Result<(), HeaderError> {
        let may_repeat =
            known.iter().any(|of| matches!(of, Known::Often(name) if *name == key.name));
        if !may_repeat && self.value(&key.name).is_some() {
            return Err(self.error(key.line, format!("`{}` stands there twice", key.name)));
        }
        self.keys.to_mut().push(key);
        Ok(())
    }
}
