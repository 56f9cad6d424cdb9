//! How a command ends: exit codes and the line that explains them.

use diya::diagnose::DiagnoseError;
use diya::{AskError, OpenError};
use std::io;

/// Some of several logs could not be read; the others were.
pub const LOSSES: u8 = 1;

/// Nothing could be read, or the command line is wrong.
pub const WRONG: u8 = 2;

/// A command has done its work.
pub struct Done {
    /// Some of several logs could not be read.
    pub losses: bool,
}

impl Done {
    pub const WHOLE: Self = Self { losses: false };
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// Nothing could be read, or the command line makes no sense.
    Input(String),
    /// The query is wrong, or failed.
    Query(String),
    /// The result could not be written.
    Output(String),
    /// `diya dump`: the text ends at records that Darshan lost.
    Incomplete(String),
    /// `diya gate`: the run is not as it should be, and why.
    Gate(Vec<String>),
    /// The reader of our output has gone.
    BrokenPipe,
    /// Ctrl-C ended the work early; what is left of it, in words.
    Interrupted(String),
}

impl Failure {
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) => WRONG,
            Self::Query(_) => 3,
            Self::Output(_) => 4,
            Self::Gate(_) => 5,
            Self::BrokenPipe => 0,
            Self::Interrupted(_) => 130,
            // As darshan-parser: scripts look at it.
            Self::Incomplete(_) => 255,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(text)
            | Self::Query(text)
            | Self::Output(text)
            | Self::Incomplete(text)
            | Self::Interrupted(text) => f.write_str(text),
            Self::Gate(reasons) => write!(f, "failed: {}", reasons.join("\ndiya: failed: ")),
            Self::BrokenPipe => f.write_str("the reader of the output is gone"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::Output(format!("cannot write the output: {error}")),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<diya::input::InputError> for Failure {
    fn from(error: diya::input::InputError) -> Self {
        Self::Input(error.to_string())
    }
}

impl From<DiagnoseError> for Failure {
    fn from(error: DiagnoseError) -> Self {
        match error {
            DiagnoseError::Ask(error) => error.into(),
            other => Self::Query(other.to_string()),
        }
    }
}

impl From<AskError> for Failure {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Open(error) => error.into(),
            other => Self::Query(other.to_string()),
        }
    }
}
