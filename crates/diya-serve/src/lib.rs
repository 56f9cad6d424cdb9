//! The page over HTTP: `diya open` and `diya serve`.
//!
//! Bound to the loopback address, with a token that every request has to bring,
//! and a check of the Host header, so that no page of somebody else's, nor a
//! name that suddenly means this machine, gets an answer. Standard library and a
//! header parser: docs/decisions/0009 says why no framework.

mod concurrency_limit;
mod fleet;
mod guard;
mod http;
mod index;
mod jobs;
mod routes;
mod token;

pub use fleet::FleetSite;
pub use jobs::{Jobs, JobsError, Judging};
pub use token::Token;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Connections at a time; a browser opens six.
const CONNECTIONS: usize = 64;

/// Errors of another kind than `passes` one after the other: more end the server.
const MAX_FAILURES: u32 = 1200;

/// Time for others to close what they have open.
const AFTER_FAILURE: Duration = Duration::from_millis(50);

/// A connection's place among those that may be open; given back however its
/// thread ends.
struct OpenConnection(Arc<AtomicUsize>);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A server that is bound, and not yet running.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Token,
    jobs: Arc<Jobs>,
    fleet: Option<Arc<FleetSite>>,
}

impl Server {
    /// Binds to the loopback address; port 0: any that is free.
    pub fn bind(port: u16, jobs: Jobs) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address, token: Token::new()?, jobs: Arc::new(jobs), fleet: None })
    }

    /// The same with the page of a dataset in front; `jobs` are those that somebody opens.
    #[must_use]
    pub fn with_fleet(self, fleet: FleetSite) -> Self {
        Self { fleet: Some(Arc::new(fleet)), ..self }
    }

    /// The address to open, with the token.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token.text())
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// Answers requests until the program ends.
    pub fn run(&self) -> io::Result<()> {
        let open = Arc::new(AtomicUsize::new(0));
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let turns = Arc::new(concurrency_limit::ConcurrencyLimit::new(processors));
        Jobs::judge_in_background(&self.jobs);
        let mut failures = 0;
        loop {
            let (stream, _) = match self.listener.accept() {
                Ok(accepted) => accepted,
                Err(e) if passes(&e) || failures < MAX_FAILURES => {
                    failures = failures.saturating_add(1);
                    std::thread::sleep(AFTER_FAILURE);
                    continue;
                }
                Err(e) => return Err(e),
            };
            failures = 0;
            if open.fetch_add(1, Ordering::AcqRel) >= CONNECTIONS {
                open.fetch_sub(1, Ordering::AcqRel);
                continue; // dropped: the browser tries again
            }
            let (jobs, token) = (Arc::clone(&self.jobs), self.token.clone());
            let (turns, fleet) = (Arc::clone(&turns), self.fleet.clone());
            let place = OpenConnection(Arc::clone(&open));
            // Without a thread for it the connection is dropped: the browser tries again.
            let _started = std::thread::Builder::new().spawn(move || {
                let _place = place;
                let turn_away = |request: &http::Request| guard::turn_away(request, &token);
                let answer = |request: &http::Request, is_gone: &dyn Fn() -> bool| {
                    let site = routes::Site { jobs: &jobs, fleet: fleet.as_deref(), token: &token };
                    routes::answer(site, &turns, request, is_gone)
                };
                // The other side may go away at any time: that is no error.
                let _gone = http::converse(stream, &turn_away, &answer);
            });
        }
    }
}

/// Whether the listener works on after this error: the connection broke before it began, or
/// there is no descriptor or memory for it now, until another one closes (accept(2)).
fn passes(error: &io::Error) -> bool {
    const ENOMEM: i32 = 12;
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    const ENOBUFS: i32 = 105;
    let is_broken =
        matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted);
    is_broken || matches!(error.raw_os_error(), Some(ENOMEM | ENFILE | EMFILE | ENOBUFS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_descriptor_table_does_not_end_the_server() {
        for errno in [12, 23, 24, 105] {
            assert!(passes(&io::Error::from_raw_os_error(errno)), "{errno}");
        }
        assert!(passes(&io::Error::from(io::ErrorKind::ConnectionAborted)));
        // EBADF: the listener itself is gone.
        assert!(!passes(&io::Error::from_raw_os_error(9)));
    }
}
