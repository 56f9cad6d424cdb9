//! What a thread can be seen doing.

/// What a thread is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Activity {
    /// On a processor, in its own code or in the kernel.
    Processor,
    /// Ready, while others have the cores.
    Core,
    /// In a call on a file, or waiting for a device.
    Disk,
    /// For a time that it chose.
    Sleep,
    /// A connection to another host, or to a server of this one.
    Network,
    /// For clients.
    Listening,
    /// A socket between processes of this host.
    Socket,
    Pipe,
    /// A process that it started.
    Child,
    /// Another thread.
    Lock,
    FileLock,
    /// One of several descriptors that say nothing more.
    Poll,
    Terminal,
    /// By a debugger or by the terminal.
    Stopped,
    Other,
}

impl Activity {
    /// As table `leader_time` has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::Core => "core",
            Self::Disk => "disk",
            Self::Sleep => "sleep",
            Self::Network | Self::Listening => "network",
            Self::Socket => "socket",
            Self::Pipe => "pipe",
            Self::Child => "child",
            Self::Lock => "lock",
            Self::FileLock => "file lock",
            Self::Poll => "poll",
            Self::Terminal => "terminal",
            Self::Stopped => "stopped",
            Self::Other => "other",
        }
    }

    /// It does something, instead of waiting for somebody.
    pub fn is_work(self) -> bool {
        matches!(self, Self::Processor | Self::Core | Self::Disk)
    }
}
