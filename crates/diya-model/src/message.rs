//! Messages of MPI that the recorder knows, by their number in a segment.

use crate::generated::MESSAGES;
use crate::names::names;

/// A function, as `schema/messages.toml` lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageFunction {
    /// Number in a segment.
    pub number: u16,
    /// Name shown to people.
    pub name: &'static str,
    /// What it waits for.
    pub kind: MessageKind,
}

impl MessageFunction {
    /// The function with this number; a newer recorder may know more than this program.
    pub fn of(number: u16) -> Option<&'static Self> {
        MESSAGES.binary_search_by_key(&number, |of| of.number).ok().and_then(|at| MESSAGES.get(at))
    }

    /// The function with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        MESSAGES.iter().find(|of| of.name == name)
    }
}

/// What a call about messages waits for, if it waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MessageKind {
    /// The receiver, or nobody: small messages are buffered.
    Send,
    /// The sender.
    Receive,
    /// Both.
    Exchange,
    /// The sender; takes no message.
    Probe,
    /// Nobody: the request is waited for later.
    SendBegin,
    /// Nobody: the request is waited for later.
    ReceiveBegin,
    /// Nobody: the request is waited for later.
    CollectiveBegin,
    /// Nobody: starts a request made before.
    Start,
    /// The requests.
    Wait,
    /// Nobody: asks whether something is there.
    Test,
    /// All ranks of the communicator.
    Barrier,
    /// All ranks of the communicator.
    AllToAll,
    /// The root.
    FromRoot,
    /// At the root, all ranks; elsewhere nobody, or the root.
    ToRoot,
    /// The ranks below.
    Prefix,
    /// The neighbours of a topology.
    Neighbours,
    /// All ranks of the communicator that is made or given up.
    Communicator,
    /// All ranks of the window that is made or given up.
    Window,
    /// All ranks of the window.
    WindowFence,
    /// The target, its lock, or the origins.
    WindowWait,
}

names!(MessageKind {
    Send "send",
    Receive "receive",
    Exchange "exchange",
    Probe "probe",
    SendBegin "send_begin",
    ReceiveBegin "receive_begin",
    CollectiveBegin "collective_begin",
    Start "start",
    Wait "wait",
    Test "test",
    Barrier "barrier",
    AllToAll "all_to_all",
    FromRoot "from_root",
    ToRoot "to_root",
    Prefix "prefix",
    Neighbours "neighbours",
    Communicator "communicator",
    Window "window",
    WindowFence "window_fence",
    WindowWait "window_wait",
});

impl MessageKind {
    /// Made by all ranks of a communicator, each with the same number in its order.
    pub const fn is_collective(self) -> bool {
        matches!(
            self,
            Self::Barrier
                | Self::AllToAll
                | Self::FromRoot
                | Self::ToRoot
                | Self::Prefix
                | Self::Neighbours
                | Self::Communicator
                | Self::Window
                | Self::WindowFence
        )
    }
}
