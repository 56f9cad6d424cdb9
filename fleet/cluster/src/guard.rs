//! Who may talk to a scheduler or a worker: who knows the token of the cluster.
//!
//! The engine asks nobody who they are, and its plans read any file. Its clients let us choose
//! one thing of every connection, the name of the program: it carries the token.

use ballista_core::extension::EndpointOverrideFn;
use std::sync::Arc;
use tonic::{Request, Status};

/// Makes all connections of a process carry the token.
pub fn carrying(token: &str) -> EndpointOverrideFn {
    let name = format!("diya-cluster/{token}");
    Arc::new(move |endpoint| Ok(endpoint.user_agent(name.clone())?))
}

/// Refuses calls without the token.
pub fn asking(token: &str) -> impl tonic::service::Interceptor + Clone + use<> {
    let wanted = format!("diya-cluster/{token} ");
    move |request: Request<()>| {
        let said = request.metadata().get("user-agent");
        match said.is_some_and(|said| begins(said.as_bytes(), wanted.as_bytes())) {
            true => Ok(request),
            false => Err(Status::unauthenticated("the token of another cluster")),
        }
    }
}

/// Whether a text begins so, in a time that does not depend on where it differs.
fn begins(text: &[u8], with: &[u8]) -> bool {
    let differs = |differ: u8, (a, b): (&u8, &u8)| differ | (a ^ b);
    text.len() >= with.len() && text.iter().zip(with).fold(0, differs) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::service::Interceptor as _;

    #[test]
    fn only_the_token_of_the_cluster_is_let_in() {
        let mut guard = asking("abc");
        let mut ask = |agent: Option<&str>| {
            let mut request = Request::new(());
            if let Some(agent) = agent {
                request.metadata_mut().insert("user-agent", agent.parse().unwrap());
            }
            guard.call(request).is_ok()
        };
        assert!(ask(Some("diya-cluster/abc tonic/0.14")));
        for other in [None, Some(""), Some("diya-cluster/ab tonic"), Some("diya-cluster/abcd t")] {
            assert!(!ask(other), "{other:?}");
        }
    }
}
