//! The four classes of calls that the page has colours for.

use diya_model::Layer;

/// What a call does, in four classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Moves data to the program.
    Read,
    /// Moves data from the program.
    Write,
    /// Open, close, seek, stat and all else that moves no data.
    Metadata,
    /// Sync, flush, lock: moves nothing, and waits for the storage or for others.
    Wait,
}

impl Kind {
    /// All kinds, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Read, Self::Write, Self::Metadata, Self::Wait];

    /// Name, as in questions and answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Metadata => "metadata",
            Self::Wait => "wait",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind of an operation, by its name in table `call`.
    ///
    /// ```
    /// use diya_timeline::Kind;
    /// assert_eq!(Kind::of_op("write"), Kind::Write);
    /// assert_eq!(Kind::of_op("datasync"), Kind::Wait);
    /// assert_eq!(Kind::of_op("seek"), Kind::Metadata);
    /// ```
    pub fn of_op(op: &str) -> Self {
        match op {
            "read" => Self::Read,
            "write" => Self::Write,
            "sync" | "datasync" | "sync_map" | "flush" | "wait" | "lock" => Self::Wait,
            _ => Self::Metadata,
        }
    }
}

/// How deep a layer is, by its name; one that is not known is a library above MPI-IO.
pub fn layer_depth(layer: &str) -> u8 {
    Layer::from_name(layer).map_or(Layer::Hdf5File.depth(), Layer::depth)
}
