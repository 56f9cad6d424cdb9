//! Messages of MPI: records `MESSAGE`, `MESSAGES` and `COMMUNICATOR`.

use super::bytes::Bytes;
use super::clock::Ticker;
use diya_model::unzigzag;

/// A call, in ticks.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub function: u16,
    pub communicator: u32,
    pub role: u8,
    pub peer: i64,
    pub tag: i64,
    pub sequence: u64,
    pub bytes: u64,
    pub depth: u64,
    pub stack: u32,
    pub start: u64,
    pub ticks: u64,
    pub peers: Vec<u32>,
}

impl Message {
    pub fn read(b: &mut Bytes<'_>) -> Option<Self> {
        let (function, communicator) = (u16::try_from(b.varint()?).ok()?, b.varint_u32()?);
        let (role, peer, tag) = (b.u8()?, unzigzag(b.varint()?), unzigzag(b.varint()?));
        let (sequence, bytes, depth) = (b.varint()?, b.varint()?, b.varint()?);
        let (stack, start, ticks) = (b.varint_u32()?, b.varint()?, b.varint()?);
        let count = b.varint()?;
        let peers = (0..count).map_while(|_| b.varint_u32()).collect();
        Some(Self {
            function,
            communicator,
            role,
            peer,
            tag,
            sequence,
            bytes,
            depth,
            stack,
            start,
            ticks,
            peers,
        })
    }
}

/// Calls of one function on one communicator.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    pub function: u16,
    pub communicator: u32,
    pub calls: u64,
    pub ticks: u64,
    pub bytes: u64,
}

impl Counted {
    pub fn read(b: &mut Bytes<'_>) -> Option<Self> {
        let (function, communicator) = (u16::try_from(b.varint()?).ok()?, b.varint_u32()?);
        let (calls, ticks, bytes) = (b.varint()?, b.varint()?, b.varint()?);
        Some(Self { function, communicator, calls, ticks, bytes })
    }
}

/// A communicator of a process, or a window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Communicator {
    pub number: u32,
    pub size: u32,
    pub member: u32,
    pub kind: u8,
    pub key: u64,
}

impl Communicator {
    pub fn read(b: &mut Bytes<'_>) -> Option<Self> {
        let (number, size, member) = (b.varint_u32()?, b.varint_u32()?, b.varint_u32()?);
        Some(Self { number, size, member, kind: b.u8()?, key: b.u64()? })
    }
}

/// All of a process.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// With their thread.
    pub calls: Vec<(u32, Message)>,
    pub counted: Vec<Counted>,
    pub communicators: Vec<Communicator>,
}

/// The calls' starts and ends, in nanoseconds since the start of the job.
pub(super) fn spans(messages: &Messages, ticker: &mut Ticker) -> Vec<(i64, i64)> {
    let mut span = |of: &Message| {
        let start_ns = ticker.ns(of.start);
        (start_ns, ticker.ns(of.start.saturating_add(of.ticks)).max(start_ns))
    };
    messages.calls.iter().map(|(_, of)| span(of)).collect()
}
