//! Operations: what a call does.

use crate::names::names;

/// What a call does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names say it
pub enum Op {
    Open = 1,
    Close,
    Read,
    Write,
    Seek,
    Stat,
    Sync,
    Datasync,
    Truncate,
    Allocate,
    Advise,
    Map,
    Unmap,
    SyncMap,
    Dup,
    Control,
    Rename,
    Unlink,
    Make,
    List,
    Link,
    Attribute,
    Flush,
    View,
    Info,
    Submit,
    Wait,
    Create,
    Lock,
    Spawn,
    Other,
}

names!(Op {
    Open "open",
    Close "close",
    Read "read",
    Write "write",
    Seek "seek",
    Stat "stat",
    Sync "sync",
    Datasync "datasync",
    Truncate "truncate",
    Allocate "allocate",
    Advise "advise",
    Map "map",
    Unmap "unmap",
    SyncMap "sync_map",
    Dup "dup",
    Control "control",
    Rename "rename",
    Unlink "unlink",
    Make "make",
    List "list",
    Link "link",
    Attribute "attribute",
    Flush "flush",
    View "view",
    Info "info",
    Submit "submit",
    Wait "wait",
    Create "create",
    Lock "lock",
    Spawn "spawn",
    Other "other",
});

impl Op {
    /// Number of the operation in a segment, from 1.
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The operation with this number in a segment.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back() {
        for (number, &op) in (1..).zip(Op::ALL) {
            assert_eq!((op.number(), Op::from_number(number)), (number, Some(op)));
            assert_eq!(Op::from_name(op.name()), Some(op));
        }
        assert_eq!((Op::from_number(0), Op::from_number(32)), (None, None));
    }
}
