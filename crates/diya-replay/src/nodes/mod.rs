//! A replay on several nodes: one process on each, with the ranks of the plan that are there.
//!
//! All make the same plan. Node 0 makes the folder, writes into it where it listens, and passes on
//! what ranks on other nodes wait for. The connections are also how all hear that one has ended.
//!
//! They use TCP and not files: nodes see the changes of files on a network file system after
//! seconds, and the file system is what is measured.

mod link;
mod message;
mod routes;

pub(crate) use link::{LaneOutcomes, Link};

use crate::error::ReplayError;
use crate::outcome::Gaps;
use crate::plan::Plan;
use crate::replay_folder::{ReplayFolder, path_for_nodes};
use message::{Message, receive};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The file that names where node 0 listens, and holds the word that only this user can read.
const ADDRESS: &str = "address";

/// Time for all nodes to come.
const TIME_TO_COME: Duration = Duration::from_secs(300);

/// Time for a node to say who it is.
const TIME_TO_SAY: Duration = Duration::from_secs(10);

/// How often somebody who waits looks whether it is over.
const BETWEEN: Duration = Duration::from_millis(50);

/// The nodes of a replay, as one of them sees the others.
pub struct Nodes {
    /// Number of this node.
    node: u32,
    /// Node 0 has all others here, and each other node has node 0.
    peers: Vec<Peer>,
}

struct Peer {
    node: u32,
    stream: TcpStream,
    writing: Mutex<()>,
}

impl Peer {
    fn new(node: u32, stream: TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(BETWEEN))?;
        Ok(Self { node, stream, writing: Mutex::new(()) })
    }

    /// Sends bytes. A lost peer is detected by the next read from it.
    fn send(&self, bytes: &[u8]) {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = (&self.stream).write_all(bytes);
    }

    fn gone(&self, error: &io::Error) -> ReplayError {
        let reason = format!("ended before the replay did ({error}); its own output says why");
        ReplayError::Node { node: self.node, reason }
    }
}

impl Nodes {
    /// Node 0: waits until the others have come. They reach it at `address`, or by its host name.
    ///
    /// # Errors
    ///
    /// If one does not come, or has another log or other options.
    pub fn lead(
        plan: &Plan,
        gaps: Gaps,
        folder: &ReplayFolder,
        (nodes, address): (u32, Option<&str>),
        is_over: &dyn Fn() -> bool,
    ) -> Result<Self, ReplayError> {
        let failed = |error: io::Error| ReplayError::Node {
            node: 0,
            reason: format!("cannot listen for the others: {error}"),
        };
        let listener = TcpListener::bind("[::]:0").or_else(|_| TcpListener::bind("0.0.0.0:0"));
        let listener = listener.map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let word = secret().map_err(failed)?;
        let host = match address {
            Some(address) => address.to_owned(),
            None => std::fs::read_to_string("/proc/sys/kernel/hostname").map_err(failed)?,
        };
        let text = format!("{} {port} {word}\n", host.trim());
        // Whole, or not there.
        let unfinished = folder.path().join("address.part");
        std::fs::write(&unfinished, text).map_err(failed)?;
        std::fs::rename(&unfinished, folder.path().join(ADDRESS)).map_err(failed)?;
        let hello = hello(plan, gaps, &word);
        let mut peers: Vec<Peer> = Vec::new();
        let until = Instant::now() + TIME_TO_COME;
        while peers.len() + 1 < nodes as usize && !is_over() {
            let Ok((stream, _)) = listener.accept() else {
                if Instant::now() > until {
                    let is_here = |node: &u32| peers.iter().any(|peer| peer.node == *node);
                    let node = (1..nodes).find(|node| !is_here(node)).unwrap_or(0);
                    return Err(ReplayError::Node {
                        node,
                        reason: format!(
                            "did not come within {} minutes; each node has to see the folder, and \
                             to reach {} (--address gives another name or number)",
                            TIME_TO_COME.as_secs() / 60,
                            host.trim()
                        ),
                    });
                }
                std::thread::sleep(BETWEEN);
                continue;
            };
            if let Some(peer) = welcome(stream, &hello, nodes, &peers)? {
                peers.push(peer);
            }
        }
        Ok(Self { node: 0, peers })
    }

    /// Another node: finds node 0 by the folder that it makes in `dir`, and opens this folder.
    ///
    /// # Errors
    ///
    /// If node 0 cannot be found or reached, or has another log or other options.
    pub fn join(
        plan: &Plan,
        gaps: Gaps,
        (dir, session): (&Path, &str),
        node: u32,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(Self, ReplayFolder), ReplayError> {
        let path = path_for_nodes(dir, session)?;
        let failed = |reason: String| ReplayError::Node { node: 0, reason };
        let until = Instant::now() + TIME_TO_COME;
        let text = loop {
            match std::fs::read_to_string(path.join(ADDRESS)) {
                Ok(text) => break text,
                Err(_) if Instant::now() < until && !is_over() => std::thread::sleep(BETWEEN),
                Err(error) => {
                    return Err(failed(format!(
                        "did not begin: {}: {error}; each node has to see the folder, with the \
                         same --session",
                        path.join(ADDRESS).display()
                    )));
                }
            }
        };
        let mut words = text.split_whitespace();
        let place = words.next().zip(words.next().and_then(|port| port.parse::<u16>().ok()));
        let (Some((host, port)), Some(word)) = (place, words.next()) else {
            return Err(failed(format!("{}: is damaged", path.join(ADDRESS).display())));
        };
        let reached = TcpStream::connect((host, port)).and_then(|stream| Peer::new(0, stream));
        let peer = reached.map_err(|error| {
            failed(format!(
                "cannot be reached at {host}:{port}: {error}; it has ended, or other nodes know \
                 it by another name: --address"
            ))
        })?;
        let mut said = hello(plan, gaps, word);
        said.extend(node.to_le_bytes());
        peer.send(&said);
        let mut answer = [0];
        receive(&peer.stream, &mut answer, is_over).map_err(|error| peer.gone(&error))?;
        if answer != [WELCOME] {
            return Err(ReplayError::Node { node, reason: DIFFERENT.to_owned() });
        }
        Ok((Self { node, peers: vec![peer] }, ReplayFolder::join(&path)?))
    }

    /// Number of this node.
    pub fn node(&self) -> u32 {
        self.node
    }

    /// Waits until all nodes are here: they begin together.
    ///
    /// # Errors
    ///
    /// If one has ended. Returns early, without an error, when `is_over`.
    pub fn meet(&self, is_over: &dyn Fn() -> bool) -> Result<(), ReplayError> {
        let await_all = || {
            for peer in &self.peers {
                let got = Message::receive(&peer.stream, is_over);
                if is_over() {
                    return Ok(());
                }
                got.map_err(|error| peer.gone(&error))?;
            }
            Ok(())
        };
        let tell_all = || self.peers.iter().for_each(|peer| peer.send(&Message::Ready.bytes()));
        match self.node {
            0 => await_all().map(|()| tell_all()),
            _ => {
                tell_all();
                await_all()
            }
        }
    }
}

/// The answer to a node that fits.
const WELCOME: u8 = 1;

/// The message to a node that has another plan.
const DIFFERENT: &str =
    "has another log, other options or another version of diya than node 0; they must be the same";

/// A node that has come; `None`: it is none of ours.
fn welcome(
    stream: TcpStream,
    expected: &[u8],
    nodes: u32,
    peers: &[Peer],
) -> Result<Option<Peer>, ReplayError> {
    let mut said = vec![0; expected.len() + 4];
    let heard = stream
        .set_nonblocking(false)
        .and_then(|()| stream.set_read_timeout(Some(TIME_TO_SAY)))
        .and_then(|()| (&stream).read_exact(&mut said));
    let (hello, node) = said.split_at(expected.len());
    let node = u32::from_le_bytes(node.try_into().unwrap_or_default());
    // Somebody else on this network does not know the word.
    if heard.is_err() || hello.get(..WORD) != expected.get(..WORD) {
        return Ok(None);
    }
    let is_new = (1..nodes).contains(&node) && peers.iter().all(|peer| peer.node != node);
    let is_welcome = hello == expected && is_new;
    let _ = (&stream).write_all(&[u8::from(is_welcome)]);
    match is_welcome {
        false if !is_new => {
            let reason = format!("came twice, or is not below --nodes {nodes}");
            Err(ReplayError::Node { node, reason })
        }
        false => Err(ReplayError::Node { node, reason: DIFFERENT.to_owned() }),
        true => Ok(Peer::new(node, stream).ok()),
    }
}

/// Letters of the secret word.
const WORD: usize = 32;

fn secret() -> io::Result<String> {
    let mut bytes = [0; WORD / 2];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What a node says first: the secret word, and a number that is the same for the same plan.
fn hello(plan: &Plan, gaps: Gaps, word: &str) -> Vec<u8> {
    let mut hasher = DefaultHasher::new();
    env!("CARGO_PKG_VERSION").hash(&mut hasher);
    plan.nodes.hash(&mut hasher);
    plan.transforms.hash(&mut hasher);
    match gaps {
        Gaps::Drop => 0_u64.hash(&mut hasher),
        Gaps::Times(factor) => factor.to_bits().hash(&mut hasher),
    }
    for request in plan.lanes.iter().flatten() {
        (request.file, request.offset, request.requested, request.waits).hash(&mut hasher);
    }
    let mut hello = word.as_bytes().to_vec();
    hello.resize(WORD, b' ');
    hello.extend(hasher.finish().to_le_bytes());
    hello
}
