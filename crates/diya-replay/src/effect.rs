//! What requests mean for each other, and for the files before the replay.

/// Flags of `open`, with the numbers of x86-64, as logs have them.
pub const CREATE: i64 = 0o100;
/// The file must not exist.
pub const EXCLUSIVE: i64 = 0o200;
/// The file is emptied.
pub const TRUNCATE: i64 = 0o1000;

/// A write returns when its data is durable.
pub const DATA_SYNC: i64 = 0o10_000;
/// The same, and for what belongs to the data; it contains [`DATA_SYNC`].
pub const SYNC: i64 = 0o4_010_000;

/// What a request means for others of the same file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Effect {
    /// Number of the file; `None`: it concerns no file.
    pub file: Option<u32>,
    /// Folder that is made or removed in the log and has to be there.
    pub folder: Option<u32>,
    /// Open file that several threads of a process use.
    pub slot: Option<u32>,
    /// It opens or closes it.
    pub is_slot_change: bool,
    /// It makes, removes or cuts the file.
    pub is_change: bool,
    /// It is the same whether or not others have made the file.
    pub is_free: bool,
    /// Bytes that the file has to have.
    pub needs_bytes: Option<u64>,
    /// It read up to the end of the file.
    pub is_short: bool,
    /// Bytes that the file has afterwards, if more than before.
    pub grows_to: Option<u64>,
}

/// State of a file before the replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Initial {
    /// It is not there.
    #[default]
    Absent,
    /// A file of so many bytes.
    File(u64),
    /// A directory.
    Directory,
}

/// A request waits until a thread has done so many requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// Number of the thread.
    pub lane: u32,
    /// Requests.
    pub done: u32,
}
