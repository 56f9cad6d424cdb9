//! What the rows of the account are about.

use diya_tables::Op;

/// What time is spent on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::model) enum Class {
    Read,
    Write,
    Metadata,
    Sync,
    /// Writes and syncs, of which only the sum is known.
    WriteSync,
    Lock,
    Map,
    /// In collective MPI-IO calls while no call below runs, for the turns of others, or for
    /// a file to come.
    Wait,
    /// In a library while no call below runs.
    Library,
    /// Converting numbers to text and back, between calls.
    Text,
    /// Starting programs, and waiting for their end.
    Child,
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Metadata => "metadata",
            Self::Sync => "sync",
            Self::WriteSync => "write_sync",
            Self::Lock => "lock",
            Self::Map => "map",
            Self::Wait => "wait",
            Self::Library => "library",
            Self::Text => "text",
            Self::Child => "child",
        }
    }

    /// That of a call that makes no others.
    pub fn of(op: Op) -> Self {
        use diya_model::Class as Of;
        match Of::of(op).in_account() {
            Of::Read => Self::Read,
            Of::Write => Self::Write,
            Of::Sync => Self::Sync,
            Of::Lock => Self::Lock,
            Of::Map => Self::Map,
            Of::Child => Self::Child,
            Of::Metadata | Of::Completion => Self::Metadata,
        }
    }
}
