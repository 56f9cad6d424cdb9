//! What nodes tell each other: nine bytes a message.
//!
//! ```text
//! kind  first        second          bytes, little-endian numbers
//! 1     -            -               this node is ready; from node 0: begin
//! 2     lane         requests done   a lane has done so many requests
//! 3     meeting      ranks           so many have come; from node 0: all have
//! 4     -            -               outcomes of all requests of the node follow
//! 5     -            -               node 0 has all outcomes
//! ```

use crate::outcome::{ERRORS, Outcome};
use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;

const BYTES: usize = 9;

/// Bytes of an outcome: start, end, bytes, and its error.
const OUTCOME: usize = 25;

/// A message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message {
    Ready,
    Lane(u32, u32),
    Meeting(u32, u32),
    Outcomes,
    End,
}

impl Message {
    pub fn bytes(self) -> [u8; BYTES] {
        let (kind, first, second) = match self {
            Self::Ready => (1, 0, 0),
            Self::Lane(lane, done) => (2, lane, done),
            Self::Meeting(meeting, ranks) => (3, meeting, ranks),
            Self::Outcomes => (4, 0, 0),
            Self::End => (5, 0, 0),
        };
        let mut bytes = [0; BYTES];
        bytes[0] = kind;
        bytes[1..5].copy_from_slice(&u32::to_le_bytes(first));
        bytes[5..].copy_from_slice(&u32::to_le_bytes(second));
        bytes
    }

    pub fn receive(stream: &TcpStream, is_over: &dyn Fn() -> bool) -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        receive(stream, &mut bytes, is_over)?;
        let [kind, a, b, c, d, e, f, g, h] = bytes;
        let (first, second) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        Ok(match kind {
            1 => Self::Ready,
            2 => Self::Lane(first, second),
            3 => Self::Meeting(first, second),
            4 => Self::Outcomes,
            5 => Self::End,
            _ => return Err(io::Error::new(ErrorKind::InvalidData, "an unknown message")),
        })
    }
}

/// Fills the bytes; ends with an error when `is_over`.
pub(super) fn receive(
    mut stream: &TcpStream,
    bytes: &mut [u8],
    is_over: &dyn Fn() -> bool,
) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        let room = bytes.get_mut(done..).unwrap_or_default();
        match stream.read(room) {
            Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, "connection closed")),
            Ok(more) => done += more,
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut if is_over() => return Err(error),
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                _ => return Err(error),
            },
        }
    }
    Ok(())
}

/// The outcomes of a lane.
pub(super) fn outcomes_as_bytes(outcomes: &[Outcome]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(outcomes.len() * OUTCOME);
    for outcome in outcomes {
        for number in [outcome.start_ns, outcome.end_ns, outcome.bytes] {
            bytes.extend(number.to_le_bytes());
        }
        // 0: not issued; 1: without an error; then the errors.
        bytes.push(match (outcome.is_done, outcome.error) {
            (false, _) => 0,
            (true, None) => 1,
            (true, Some(error)) => {
                let at = ERRORS.iter().position(|(_, name)| *name == error);
                2 + at.unwrap_or(ERRORS.len() - 1) as u8
            }
        });
    }
    bytes
}

/// The outcomes of so many requests.
pub(super) fn receive_outcomes(
    stream: &TcpStream,
    requests: usize,
    is_over: &dyn Fn() -> bool,
) -> io::Result<Vec<Outcome>> {
    let mut bytes = vec![0; requests * OUTCOME];
    receive(stream, &mut bytes, is_over)?;
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    let outcome = |bytes: &[u8]| Outcome {
        start_ns: number(&bytes[..8]),
        end_ns: number(&bytes[8..16]),
        bytes: number(&bytes[16..24]),
        error: usize::from(bytes[24]).checked_sub(2).map(|at| ERRORS[at.min(ERRORS.len() - 1)].1),
        is_done: bytes[24] > 0,
    };
    Ok(bytes.chunks_exact(OUTCOME).map(outcome).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::net::TcpListener;

    #[test]
    fn messages_and_outcomes_arrive_as_they_were() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut from = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (to, _) = listener.accept().unwrap();
        let done = |error| Outcome { start_ns: 5, end_ns: 9, bytes: 1 << 40, error, is_done: true };
        let outcomes =
            [done(None), done(Some("ENOSPC")), done(Some("unknown")), Outcome::default()];
        from.write_all(&Message::Lane(70_000, 3).bytes()).unwrap();
        from.write_all(&outcomes_as_bytes(&outcomes)).unwrap();
        drop(from);
        assert_eq!(Message::receive(&to, &|| false).unwrap(), Message::Lane(70_000, 3));
        assert_eq!(receive_outcomes(&to, 4, &|| false).unwrap(), outcomes);
        let end = Message::receive(&to, &|| false).unwrap_err();
        assert_eq!(end.kind(), ErrorKind::UnexpectedEof);
    }
}
