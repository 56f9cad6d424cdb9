//! Failures as the typed exceptions of `diya.errors`.

use diya::diagnose::{CheckSetError, DiagnoseError};
use diya::input::InputError;
use diya::{AskError, OpenError};
use diya_compare::CompareError;
use diya_fleet::FleetError;
use diya_page::PageError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::path::Path;

/// Why something could not be done.
#[derive(Debug)]
pub struct Failure {
    /// Name of the exception in `diya.errors`.
    kind: &'static str,
    text: String,
    /// The log, and where and why, where it is about one.
    file: Option<String>,
    offset: Option<u64>,
    reason: String,
}

impl Failure {
    fn of(kind: &'static str, text: String) -> Self {
        Self { kind, reason: text.clone(), text, file: None, offset: None }
    }

    /// A fault of diya itself.
    pub fn internal() -> Self {
        let text = "internal error of diya; details are on standard error";
        Self::of("InternalError", text.to_owned())
    }

    /// A setting makes no sense.
    pub fn of_setting(text: String) -> Self {
        Self::of("SettingError", text)
    }

    /// A folder, or an archive with several logs, where one log is needed.
    pub fn of_many(path: &Path, count: usize) -> Self {
        let reason = format!("no log, but a folder or an archive with logs ({count}): name one");
        let file = path.display().to_string();
        let text = format!("{file}: {reason}");
        Self { reason, file: Some(file), ..Self::of("OpenError", text) }
    }

    /// What came from a fork: threads of the other process are not in this one.
    pub fn of_fork() -> Self {
        let text = "this job was opened in another process; open its logs again in this one";
        Self::of("SettingError", text.to_owned())
    }

    /// As an exception.
    pub fn raise(self, py: Python<'_>) -> PyErr {
        let Self { kind, text, file, offset, reason } = self;
        let made = py
            .import("diya.errors")
            .and_then(|module| module.getattr(kind))
            .and_then(|class| class.call1((text.as_str(), file, offset, reason)));
        match made {
            Ok(exception) => PyErr::from_value(exception),
            // The package is not whole: the text is what can be said.
            Err(_) => PyRuntimeError::new_err(text),
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        let file = match &error {
            InputError::Missing(name, _)
            | InputError::NoLog(name)
            | InputError::Squashfs(name, _)
            | InputError::Cut(name, _)
            | InputError::EmptyArchive(name)
            | InputError::TooLarge(name, _)
            | InputError::Mapping(name, _)
            | InputError::Io { name, .. } => Some(name.clone()),
            _ => None,
        };
        let text = error.to_string();
        let prefix = file.as_ref().map(|file| format!("{file}: "));
        let reason = prefix.and_then(|prefix| text.strip_prefix(&prefix)).unwrap_or(&text);
        Self { reason: reason.to_owned(), file, ..Self::of("OpenError", text) }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        let text = error.to_string();
        match error {
            OpenError::Input(error) => error.into(),
            OpenError::Refused(refused) => Self {
                file: Some(refused.name),
                offset: refused.byte_offset,
                reason: refused.reason,
                ..Self::of("FormatError", text)
            },
            _ => Self::of("OpenError", text),
        }
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Open(error) => error.into(),
            other => Self::of("QueryError", other.to_string()),
        }
    }
}

impl From<DiagnoseError> for Failure {
    fn from(error: DiagnoseError) -> Self {
        match error {
            DiagnoseError::Ask(error) => error.into(),
            other => Self::of("QueryError", other.to_string()),
        }
    }
}

impl From<CheckSetError> for Failure {
    fn from(error: CheckSetError) -> Self {
        Self::of("SettingError", error.to_string())
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        let text = error.to_string();
        match error {
            CompareError::Diagnose(error) => error.into(),
            CompareError::Refused { log, reason } => {
                Self { file: Some(log), reason, ..Self::of("FormatError", text) }
            }
            _ => Self::of("SettingError", text),
        }
    }
}

impl From<FleetError> for Failure {
    fn from(error: FleetError) -> Self {
        Self::of("OpenError", error.to_string())
    }
}

impl From<diya_fleet::AskError> for Failure {
    fn from(error: diya_fleet::AskError) -> Self {
        let text = error.to_string();
        match error {
            diya_fleet::AskError::Dataset(error) => error.into(),
            diya_fleet::AskError::Query(_) => Self::of("QueryError", text),
            diya_fleet::AskError::NoQuestion(_) => Self::of("UnknownNameError", text),
            _ => Self::of("SettingError", text),
        }
    }
}

impl From<PageError> for Failure {
    fn from(error: PageError) -> Self {
        Self::of("InternalError", error.to_string())
    }
}
