//! Reports, tables and pictures as tools of an assistant: `diya mcp`, a server of the Model
//! Context Protocol over standard input and output.
//!
//! Answers are small, carry units, and never change a file. What a log says reaches the
//! assistant as text, with invisible characters written as escapes: it is data, and the
//! instructions of the server say so.

mod answers;
mod arguments;
mod bounds;
mod findings;
mod jobs;
mod pages;
mod server;
mod tools;

use bounds::MAX_LINE_BYTES;
use diya::Threads;
use diya::diagnose::CheckSet;
use rmcp::ServiceExt as _;
use rmcp::transport::async_rw::AsyncRwTransport;
use server::Assistant;
use std::io;

/// Serves on standard input and output until the client closes them.
///
/// # Errors
///
/// The runtime does not start, or standard output cannot be written.
pub fn serve(checks: CheckSet, threads: Threads) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let served = runtime.block_on(async {
        let assistant = Assistant::new(checks, threads);
        let transport = AsyncRwTransport::new_server(tokio::io::stdin(), tokio::io::stdout())
            .with_max_line_length(MAX_LINE_BYTES);
        match assistant.serve(transport).await {
            Ok(running) => running.waiting().await.map(|_| ()).map_err(io::Error::other),
            // The client went away before it said anything: nothing is lost.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        }
    });
    // A question that was given up may still work.
    runtime.shutdown_background();
    served
}
